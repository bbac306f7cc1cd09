//! The bytes of memory that the live games take together, and which of them give way when they are too many.

use std::sync::{
    Arc,
    atomic::{AtomicI64, AtomicU8, AtomicUsize, Ordering},
};

use tokio_util::sync::CancellationToken;

use crate::metrics::METRICS;

/// Fraction of the limit that one eviction frees, so that not every further game has to search all others.
const FREED_AT_ONCE: usize = 8;

/// How readily a game gives way, the readiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Hold {
    /// The game is over, and none of its players is here. Spectators lose nothing: they stay in the archive.
    Over,
    /// The game is over, and a player is here, who may offer a rematch: then the game comes back to memory.
    Replayable,
    /// The game goes on or waits to begin, and none of its players is here.
    Watched,
    /// The same, and a clock runs. The sweep brings it back when the time is over.
    Running,
    /// A player is here. Never gives way.
    Played,
}

impl Hold {
    const ALL: [Self; 5] = [Self::Over, Self::Replayable, Self::Watched, Self::Running, Self::Played];
}

/// The account of all live games of this node. Copies are of the same account.
#[derive(Clone, Debug)]
pub(super) struct Memory(Arc<Account>);

#[derive(Debug)]
struct Account {
    limit: usize,
    n_bytes: AtomicUsize,
}

impl Memory {
    /// An account of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self(Arc::new(Account { limit, n_bytes: AtomicUsize::new(0) }))
    }

    /// The bytes of all games together.
    pub(super) fn n_bytes(&self) -> usize {
        self.0.n_bytes.load(Ordering::Relaxed)
    }

    /// Whether there is room for so many bytes more.
    pub(super) fn fits(&self, n_bytes: usize) -> bool {
        self.n_bytes().saturating_add(n_bytes) <= self.0.limit
    }

    /// Opens the share of a game that is expected to take so many bytes.
    pub(super) fn share(&self, n_bytes: usize, now_ms: i64) -> Arc<Share> {
        let share = Share {
            memory: self.clone(),
            n_bytes: AtomicUsize::new(0),
            used_ms: AtomicI64::new(now_ms),
            hold: AtomicU8::new(Hold::Played as u8),
            gives_way: CancellationToken::new(),
        };
        share.set_bytes(n_bytes);
        Arc::new(share)
    }

    /// Evicts games until there is room for `n_bytes` more, or none is left that may be evicted. Returns whether there is
    /// room.
    pub(super) fn make_room<'s>(&self, n_bytes: usize, games: impl Iterator<Item = &'s Arc<Share>>) -> bool {
        if self.fits(n_bytes) {
            return true;
        }
        let mut yielding: Vec<(Hold, i64, &Arc<Share>)> = games
            .filter(|share| !share.gives_way.is_cancelled())
            .map(|share| (share.hold(), share.used_ms.load(Ordering::Relaxed), share))
            .filter(|(hold, ..)| *hold < Hold::Played)
            .collect();
        yielding.sort_unstable_by_key(|(hold, used_ms, _)| (*hold, *used_ms));
        let to_free = n_bytes.saturating_add(self.0.limit / FREED_AT_ONCE);
        for (.., share) in yielding {
            if self.fits(to_free) {
                break;
            }
            share.give_way();
        }
        self.fits(n_bytes)
    }

    fn count(&self, before: usize, now: usize) {
        let n_bytes = &self.0.n_bytes;
        if now >= before {
            n_bytes.fetch_add(now - before, Ordering::Relaxed);
        } else {
            n_bytes.fetch_sub(before - now, Ordering::Relaxed);
        }
        METRICS.game_bytes.set(i64::try_from(self.n_bytes()).unwrap_or(i64::MAX));
    }
}

/// A game's share of the memory, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Share {
    memory: Memory,
    n_bytes: AtomicUsize,
    /// When somebody last asked the game for something, milliseconds since 1970.
    used_ms: AtomicI64,
    hold: AtomicU8,
    /// Cancelled when the game is to leave memory. Its bytes count no more from then on.
    gives_way: CancellationToken,
}

impl Share {
    /// Takes note of the bytes that the game takes now.
    pub(super) fn set_bytes(&self, n_bytes: usize) {
        if !self.gives_way.is_cancelled() {
            self.memory.count(self.n_bytes.swap(n_bytes, Ordering::Relaxed), n_bytes);
        }
    }

    /// Takes note that somebody has asked the game for something.
    pub(super) fn used(&self, now_ms: i64) {
        self.used_ms.store(now_ms, Ordering::Relaxed);
    }

    /// Takes note of how readily the game gives way now.
    pub(super) fn set_hold(&self, hold: Hold) {
        self.hold.store(hold as u8, Ordering::Relaxed);
    }

    fn hold(&self) -> Hold {
        Hold::ALL.get(usize::from(self.hold.load(Ordering::Relaxed))).copied().unwrap_or(Hold::Played)
    }

    fn give_way(&self) {
        self.gives_way.cancel();
        self.memory.count(self.n_bytes.swap(0, Ordering::Relaxed), 0);
        METRICS.games_evicted.inc();
    }

    /// Waits until the game is to leave memory.
    pub(super) async fn has_to_give_way(&self) {
        self.gives_way.cancelled().await;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.count(std::mem::take(self.n_bytes.get_mut()), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gives_way(shares: &[Arc<Share>]) -> Vec<bool> {
        shares.iter().map(|share| share.gives_way.is_cancelled()).collect()
    }

    #[test]
    fn games_that_nobody_plays_give_way_the_least_recently_used_first_and_played_ones_never() {
        let memory = Memory::new(1_000);
        let shares: Vec<Arc<Share>> = [
            (Hold::Played, 1),
            (Hold::Running, 2),
            (Hold::Watched, 4),
            (Hold::Watched, 3),
            (Hold::Replayable, 8),
            (Hold::Over, 9),
        ]
        .into_iter()
        .map(|(hold, used_ms)| {
            let share = memory.share(150, used_ms);
            share.set_hold(hold);
            share
        })
        .collect();
        assert_eq!(memory.n_bytes(), 900);
        assert!(memory.make_room(100, shares.iter()));
        assert_eq!(gives_way(&shares), [false; 6], "there is room");
        for (n_bytes, has_room, expected) in [
            (150, true, [false, false, false, false, true, true]),
            (401, true, [false, false, false, true, true, true]),
            (850, true, [false, true, true, true, true, true]),
            (851, false, [false, true, true, true, true, true]),
        ] {
            assert_eq!(memory.make_room(n_bytes, shares.iter()), has_room, "{n_bytes}");
            assert_eq!(gives_way(&shares), expected, "{n_bytes}");
        }
        assert_eq!(memory.n_bytes(), 150, "those that give way count no more");
    }

    #[test]
    fn a_game_counts_what_it_takes_until_it_is_gone() {
        let memory = Memory::new(100);
        let [one, other] = [memory.share(10, 0), memory.share(20, 0)];
        one.set_bytes(150);
        assert!(!memory.fits(0));
        other.set_hold(Hold::Over);
        assert!(!memory.make_room(0, [&one, &other].into_iter()));
        other.set_bytes(5_000);
        assert_eq!(memory.n_bytes(), 150, "a game on its way out counts no more, however it still grows");
        one.set_bytes(1);
        assert!(memory.fits(0));
        drop((one, other));
        assert_eq!(memory.n_bytes(), 0);
    }
}
