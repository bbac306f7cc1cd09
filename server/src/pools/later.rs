use std::collections::HashMap;

use tokio::time::Instant;

use crate::{ids::PlayerId, protocol::Pool};

/// A player in a pool.
type PoolEntry = (PlayerId, Pool);

/// Pairings to be tried at a later moment. Those of players who have left their pool meanwhile come to nothing.
#[derive(Debug, Default)]
pub(super) struct Later {
    at: HashMap<PoolEntry, Instant>,
    /// The earliest of them.
    next: Option<Instant>,
}

impl Later {
    /// Adds a moment; of two for one entry the earlier counts.
    pub(super) fn add(&mut self, entry: PoolEntry, at: Instant) {
        let kept = self.at.entry(entry).or_insert(at);
        *kept = at.min(*kept);
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
    }

    /// When there is something to try.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Takes the pairings that are due.
    pub(super) fn take_due(&mut self, now: Instant) -> Vec<PoolEntry> {
        let due = self.at.extract_if(|_, at| *at <= now).map(|(entry, _)| entry).collect();
        self.next = self.at.values().min().copied();
        due
    }
}
