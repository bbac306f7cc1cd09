use std::collections::HashMap;

use game::ids::PlayerId;
use protocol::Pool;
use tokio::time::Instant;

/// A player in a pool.
type PoolEntry = (PlayerId, Pool);

/// Pairing attempts at later moments. Those of players who have left their pool meanwhile are ignored.
#[derive(Debug, Default)]
pub(super) struct Retries {
    at: HashMap<PoolEntry, Instant>,
    /// The earliest moment.
    next: Option<Instant>,
}

impl Retries {
    /// Adds an attempt; of two for one entry the earlier counts.
    pub(super) fn add(&mut self, entry: PoolEntry, at: Instant) {
        let kept = self.at.entry(entry).or_insert(at);
        *kept = at.min(*kept);
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
    }

    /// Returns the moment of the next attempt.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Removes and returns the attempts that are due.
    pub(super) fn take_due(&mut self, now: Instant) -> Vec<PoolEntry> {
        let due = self.at.extract_if(|_, at| *at <= now).map(|(entry, _)| entry).collect();
        self.next = self.at.values().min().copied();
        due
    }
}
