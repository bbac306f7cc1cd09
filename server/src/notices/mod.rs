//! Messages to players who are away: that turns of slow games are due, and that a quarter or a tenth of the time for
//! one is left.
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

pub(crate) use self::{dispatcher::Dispatcher, mail::Mails, push::Pushes};
use self::{timing::When, waiting::WaitingTurn};

/// A way by which players who are away are reached.
pub(crate) trait Channel: Send + Sync + 'static {
    /// The channel of its rows in the outbox.
    const CHANNEL: game::NoticeChannel;

    /// A message that is ready to be sent.
    type Message: Send;

    /// Returns how many messages may be sent now. What is due waits in its order until there is room.
    fn room(&self, now_ms: i64) -> impl Future<Output = Result<usize, StoreError>> + Send;

    /// Decides when a message that is due is sent to a player whom these turns wait for, the most urgent first.
    fn when(
        &self,
        due: &DueMessage,
        turns: &[WaitingTurn],
        now_ms: i64,
    ) -> impl Future<Output = Result<When, StoreError>> + Send;

    /// Makes the message about these games; `None` if there is nothing to tell, or nowhere.
    fn message(
        &self,
        due: &DueMessage,
        games: Vec<GameRow>,
        now_ms: i64,
    ) -> impl Future<Output = Result<Option<Prepared<Self::Message>>, StoreError>> + Send;

    /// Sends a message.
    fn send(&self, message: Self::Message) -> impl Future<Output = Result<(), Unsent>> + Send;
}

/// A message that is ready, and what is stored of it if it is a mail.
#[derive(Debug)]
pub(crate) struct Prepared<M> {
    pub(crate) message: M,
    pub(crate) mail: Option<NoticeMail>,
}

/// The reason why a message was not sent, which the channel has logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsent {
    /// It may be taken later, and not before this time has passed.
    ForNow { wait: Duration },
    /// It is never taken.
    ForGood,
}
