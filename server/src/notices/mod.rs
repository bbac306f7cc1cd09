//! Messages to players who are away: that turns of slow games are due, and that the time for one is nearly over.
//!
//! The transaction that makes a turn due notes in the outbox that there is something to tell, for each channel that reaches the
//! player. What it is, is found out when it is sent: a message is about the games that wait then. A message is
//! deleted after it was sent, so a crash in between repeats at most that one; its receivers recognise it by its period.

mod dispatcher;
mod mail;
mod push;
mod texts;
mod timing;
mod waiting;

use std::time::Duration;

use store::{DueMessage, GameRow, NoticeMail, StoreError};

pub(crate) use self::{dispatcher::Dispatcher, mail::Mails, push::Pushes, waiting::waiting};

/// A way by which players who are away are reached.
pub(crate) trait Channel: Send + Sync + 'static {
    /// The channel of its rows in the outbox.
    const CHANNEL: game::NoticeChannel;

    /// A message that is ready to be sent.
    type Message: Send;

    /// Decides what becomes of a message that is due, of a player whom these games wait for, the most urgent first.
    fn prepare(
        &self,
        due: &DueMessage,
        games: Vec<GameRow>,
        now_ms: i64,
    ) -> impl Future<Output = Result<Step<Self::Message>, StoreError>> + Send;

    /// Sends a message.
    fn send(&self, message: Self::Message) -> impl Future<Output = Result<(), Unsent>> + Send;
}

/// What becomes of a message that is due.
#[derive(Debug)]
pub(crate) enum Step<M> {
    /// There is nothing to tell, before a time if there is one.
    Nothing { next_ms: Option<i64> },
    /// There is something to tell, but not before a time.
    Later { due_ms: i64 },
    /// It is sent now. The next one is due at a time, if there is one.
    Send { message: M, mail: Option<NoticeMail>, next_ms: Option<i64> },
}

/// The reason why a message was not sent, which the channel has logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsent {
    /// It may be taken later, and not before this time has passed.
    ForNow { wait: Duration },
    /// It is never taken.
    ForGood,
}
