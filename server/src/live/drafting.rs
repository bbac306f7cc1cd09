//! The pace at which the drafts of a game are told and stored: each at a bounded rate, and always the newest alone. A
//! player who changes a draft many times a second costs no more than one who makes a turn.

use std::future::pending;

use game::ids::Version;
use store::WriteError;
use tokio::task::JoinHandle;

use crate::net::outbox::ConnectionId;

/// Minimum interval at which changes of a draft are told to other readers, in milliseconds.
const TOLD_EVERY_MS: i64 = 100;

/// Minimum interval at which they are stored, in milliseconds.
const STORED_EVERY_MS: i64 = 1_000;

/// A draft to be stored: the version that it is based on, and its body; `None` if the player has withdrawn it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unstored {
    pub(super) version: Version,
    pub(super) body: Option<String>,
}

/// The result of a draft's write, with the draft.
pub(super) type Stored = Result<Unstored, (Unstored, WriteError)>;

/// The newest draft of the turn under way, as far as it is not told or not stored.
#[derive(Debug, Default)]
pub(super) struct Drafting {
    /// The draft with the connection that sent it, which need not be told.
    untold: Option<(ConnectionId, Unstored)>,
    unstored: Option<Unstored>,
    /// Time of the last broadcast, and of the last write, milliseconds since 1970.
    told_ms: i64,
    stored_ms: i64,
    /// The write under way, and the version that its draft is based on.
    pub(super) storing: Option<(Version, JoinHandle<Stored>)>,
}

impl Drafting {
    /// Records a change by a connection.
    pub(super) fn change(&mut self, from: ConnectionId, draft: Unstored) {
        self.untold = Some((from, draft.clone()));
        self.unstored = Some(draft);
    }

    /// Drops what is not told or stored: the turn is over, or another node has a newer draft. A write under way is in
    /// conflict with the end of the turn.
    pub(super) fn clear(&mut self) {
        self.untold = None;
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

    /// Whether there is a change to be told or stored.
    pub(super) const fn is_under_way(&self) -> bool {
        self.untold.is_some() || self.unstored.is_some()
    }

    /// Returns the draft with the connection that sent it, if it is to be told now.
    pub(super) fn take_untold(&mut self, now_ms: i64) -> Option<(ConnectionId, Unstored)> {
        let untold = self.untold.take_if(|_| now_ms >= self.told_ms + TOLD_EVERY_MS)?;
        self.told_ms = now_ms;
        Some(untold)
    }

    /// Returns the draft, if it is to be stored now.
    pub(super) fn take_unstored(&mut self, now_ms: i64) -> Option<Unstored> {
        let is_due = self.storing.is_none() && now_ms >= self.stored_ms + STORED_EVERY_MS;
        let draft = self.unstored.take_if(|_| is_due)?;
        self.stored_ms = now_ms;
        Some(draft)
    }

    /// Takes a draft back that was not stored, unless there is a newer one.
    pub(super) fn give_back(&mut self, draft: Unstored) {
        self.unstored.get_or_insert(draft);
    }

    /// Waits for the end of the write under way; without one, for ever. `None` if it broke off: what it has stored is
    /// unknown.
    pub(super) async fn stored(&mut self) -> Option<Stored> {
        let Some((_, storing)) = &mut self.storing else { return pending().await };
        let stored = storing.await;
        self.storing = None;
        stored.ok()
    }

    /// Returns the time of the next broadcast or write, milliseconds since 1970.
    pub(super) fn due_at_ms(&self) -> Option<i64> {
        let told_at_ms = self.untold.as_ref().map(|_| self.told_ms + TOLD_EVERY_MS);
        let stored_at_ms = self
            .unstored
            .as_ref()
            .filter(|_| self.storing.is_none())
            .map(|_| self.stored_ms + STORED_EVERY_MS);
        [told_at_ms, stored_at_ms].into_iter().flatten().min()
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
    fn a_draft_that_is_stored_first_is_still_told_whole() {
        let draft = |body: &str| Unstored { version: Version::NONE, body: Some(body.to_owned()) };
        let (from, mut drafting) =
            (Outboxes::new(WAITING_IN_ALL).open(Address::of_tests(1)).0.id, Drafting::default());
        let began_ms = 10_000;
        drafting.change(from, draft("first"));
        assert_eq!(drafting.take_untold(began_ms), Some((from, draft("first"))));
        assert_eq!(drafting.take_unstored(began_ms), Some(draft("first")));
        drafting.change(from, draft("second"));
        assert_eq!(drafting.take_untold(began_ms + 950), Some((from, draft("second"))));
        drafting.change(from, draft("third"));
        assert_eq!(drafting.take_untold(began_ms + STORED_EVERY_MS), None, "it was told 50 ms ago");
        assert_eq!(drafting.take_unstored(began_ms + STORED_EVERY_MS), Some(draft("third")));
        assert_eq!(drafting.due_at_ms(), Some(began_ms + 950 + TOLD_EVERY_MS));
        assert_eq!(drafting.take_untold(began_ms + 1_050), Some((from, draft("third"))));
    }
}
