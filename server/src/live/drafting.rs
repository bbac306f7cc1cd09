//! Rate limits of a game's drafts: broadcasts and writes have a minimum interval each, and only the newest draft
//! counts. A player who changes a draft many times a second costs no more than one who plays turns. For example, of ten
//! drafts within 100 ms the first and the last are broadcast.

use std::future::pending;

use game::ids::Version;
use store::WriteError;
use tokio::task::JoinHandle;

use crate::net::outbox::ConnectionId;

/// Minimum interval between broadcasts of drafts to other readers, in milliseconds.
const SENT_EVERY_MS: i64 = 100;

/// Minimum interval between writes of drafts, in milliseconds.
const STORED_EVERY_MS: i64 = 1_000;

/// A draft to be stored: the version that it is based on, and its body; `None` if the player has withdrawn it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unstored {
    pub(super) version: Version,
    pub(super) body: Option<String>,
}

/// The result of a draft's write, with the draft.
pub(super) type Stored = Result<Unstored, (Unstored, WriteError)>;

/// The newest draft of the turn under way, until it is both broadcast and stored.
#[derive(Debug, Default)]
pub(super) struct Drafting {
    /// The draft to broadcast, with the connection that sent it, which does not get it.
    unsent: Option<(ConnectionId, Unstored)>,
    unstored: Option<Unstored>,
    /// Time of the last broadcast, and of the last write, milliseconds since 1970.
    sent_ms: i64,
    stored_ms: i64,
    /// The write under way, and the version that its draft is based on.
    pub(super) storing: Option<(Version, JoinHandle<Stored>)>,
}

impl Drafting {
    /// Records a change by a connection.
    pub(super) fn change(&mut self, from: ConnectionId, draft: Unstored) {
        self.unsent = Some((from, draft.clone()));
        self.unstored = Some(draft);
    }

    /// Drops the draft, unsent or unstored: the turn is over, or another node has a newer one. A write under way
    /// conflicts with the end of the turn.
    pub(super) fn clear(&mut self) {
        self.unsent = None;
        self.unstored = None;
    }

    /// The newest draft, if no write of it has begun.
    pub(super) const fn unstored(&self) -> Option<&Unstored> {
        self.unstored.as_ref()
    }

    /// The version that the newest draft is based on, if it may not be stored yet.
    pub(super) fn newest_since(&self) -> Option<Version> {
        let storing = self.storing.as_ref().map(|(version, _)| *version);
        self.unstored.as_ref().map(|draft| draft.version).or(storing)
    }

    /// Whether a draft is to be broadcast or stored.
    pub(super) const fn is_under_way(&self) -> bool {
        self.unsent.is_some() || self.unstored.is_some()
    }

    /// Returns the draft with the connection that sent it, if its broadcast is due.
    pub(super) fn take_unsent(&mut self, now_ms: i64) -> Option<(ConnectionId, Unstored)> {
        let unsent = self.unsent.take_if(|_| now_ms >= self.sent_ms + SENT_EVERY_MS)?;
        self.sent_ms = now_ms;
        Some(unsent)
    }

    /// Returns the draft, if its write is due.
    pub(super) fn take_unstored(&mut self, now_ms: i64) -> Option<Unstored> {
        let is_due = self.storing.is_none() && now_ms >= self.stored_ms + STORED_EVERY_MS;
        let draft = self.unstored.take_if(|_| is_due)?;
        self.stored_ms = now_ms;
        Some(draft)
    }

    /// Takes back a draft that could not be stored, unless there is a newer one.
    pub(super) fn give_back(&mut self, draft: Unstored) {
        self.unstored.get_or_insert(draft);
    }

    /// Waits for the end of the write under way; without one, for ever. `None` if the write was cut off: whether the
    /// draft is stored is unknown.
    pub(super) async fn stored(&mut self) -> Option<Stored> {
        let Some((_, storing)) = &mut self.storing else { return pending().await };
        let stored = storing.await;
        self.storing = None;
        stored.ok()
    }

    /// Returns the time of the next broadcast or write, milliseconds since 1970.
    pub(super) fn due_at_ms(&self) -> Option<i64> {
        let sent_at_ms = self.unsent.as_ref().map(|_| self.sent_ms + SENT_EVERY_MS);
        let stored_at_ms = self
            .unstored
            .as_ref()
            .filter(|_| self.storing.is_none())
            .map(|_| self.stored_ms + STORED_EVERY_MS);
        [sent_at_ms, stored_at_ms].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{
        address::Address,
        outbox::{Outboxes, WAITING_IN_ALL},
    };

    #[test]
    fn a_draft_that_is_stored_first_is_still_sent_whole() {
        let draft = |body: &str| Unstored { version: Version::NONE, body: Some(body.to_owned()) };
        let (from, mut drafting) =
            (Outboxes::new(WAITING_IN_ALL).open(Address::of_tests(1)).0.id, Drafting::default());
        let began_ms = 10_000;
        drafting.change(from, draft("first"));
        assert_eq!(drafting.take_unsent(began_ms), Some((from, draft("first"))));
        assert_eq!(drafting.take_unstored(began_ms), Some(draft("first")));
        drafting.change(from, draft("second"));
        assert_eq!(drafting.take_unsent(began_ms + 950), Some((from, draft("second"))));
        drafting.change(from, draft("third"));
        assert_eq!(drafting.take_unsent(began_ms + STORED_EVERY_MS), None, "one was sent 50 ms ago");
        assert_eq!(drafting.take_unstored(began_ms + STORED_EVERY_MS), Some(draft("third")));
        assert_eq!(drafting.due_at_ms(), Some(began_ms + 950 + SENT_EVERY_MS));
        assert_eq!(drafting.take_unsent(began_ms + 1_050), Some((from, draft("third"))));
    }
}
