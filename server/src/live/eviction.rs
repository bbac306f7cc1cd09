//! Memory of all live games, and their eviction when it runs out.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU8, AtomicUsize, Ordering},
    },
};

use parking_lot::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

use crate::{metrics::METRICS, net::address::Network};

/// Fraction of the limit that one eviction frees, so that not every further game has to search all others.
const FREED_AT_ONCE: usize = 8;

/// Maximum difference between a game's memory and its counted bytes. Most turns then leave the shared counter alone.
const SIZE_TOLERANCE: usize = 4 * 1024;

/// The rank of a game for eviction, first to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum EvictionRank {
    /// Finished, without its players. Spectators lose nothing: the archive serves them.
    Over,
    /// Finished, with a player present. A rematch offer reloads it.
    Replayable,
    /// Under way, or a room, without its players.
    Watched,
    /// The same, with a running clock. The sweep reloads the game when its time is over.
    Running,
    /// With a player present. Evicted only if the players of one address hold too many bytes.
    Played,
}

impl EvictionRank {
    const ALL: [Self; 5] = [Self::Over, Self::Replayable, Self::Watched, Self::Running, Self::Played];
}

/// The memory budget of all live games of this node. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Memory(Arc<Usage>);

#[derive(Debug)]
struct Usage {
    limit: usize,
    n_bytes: AtomicUsize,
    /// Maximum number of bytes of the games that players of one address hold in memory.
    limit_of_address: usize,
    /// Bytes of the games that players of each address hold; never 0.
    held: Mutex<HashMap<Network, usize>>,
}

impl Usage {
    fn held(&self) -> MutexGuard<'_, HashMap<Network, usize>> {
        self.held.lock()
    }
}

impl Memory {
    /// Returns a budget of `limit` bytes, of which the players of one address hold at most `limit_of_address`.
    pub(super) fn new(limit: usize, limit_of_address: usize) -> Self {
        let (n_bytes, held) = (AtomicUsize::new(0), Mutex::default());
        Self(Arc::new(Usage { limit, n_bytes, limit_of_address, held }))
    }

    /// Total bytes of all games.
    pub(super) fn n_bytes(&self) -> usize {
        self.0.n_bytes.load(Ordering::Relaxed)
    }

    /// Whether `n_bytes` more fit into the budget.
    pub(super) fn fits(&self, n_bytes: usize) -> bool {
        self.n_bytes().saturating_add(n_bytes) <= self.0.limit
    }

    /// Opens the share of a game with an expected size.
    pub(super) fn share(&self, n_bytes: usize, now_ms: i64) -> Arc<Share> {
        let share = Share {
            memory: self.clone(),
            size: Mutex::default(),
            used_ms: AtomicI64::new(now_ms),
            rank: AtomicU8::new(EvictionRank::Played as u8),
            eviction: CancellationToken::new(),
        };
        share.set_size(Size { n_bytes, holder: None });
        Arc::new(share)
    }

    /// Whether the games that players of an address hold exceed their limit.
    pub(super) fn holds_too_much(&self, address: Network) -> bool {
        self.0.held().get(&address).is_some_and(|held| *held > self.0.limit_of_address)
    }

    /// Evicts games that players of an address hold, least recently used first, until they are within their limit.
    pub(super) fn limit_address<'s>(&self, address: Network, games: impl Iterator<Item = &'s Arc<Share>>) {
        let held = || self.0.held().get(&address).copied().unwrap_or_default();
        let mut holding: Vec<(i64, &Arc<Share>)> = games
            .filter(|share| share.size().holder == Some(address))
            .map(|share| (share.used_ms.load(Ordering::Relaxed), share))
            .collect();
        holding.sort_unstable_by_key(|(used_ms, _)| *used_ms);
        let limit = self.0.limit_of_address;
        // The last one is in use now.
        holding.pop();
        for (_, share) in holding {
            if held() <= limit - limit / FREED_AT_ONCE {
                break;
            }
            share.evict();
        }
    }

    /// Evicts games until `n_bytes` more fit, or no further game may be evicted. Returns whether they fit.
    pub(super) fn make_room<'s>(&self, n_bytes: usize, games: impl Iterator<Item = &'s Arc<Share>>) -> bool {
        if self.fits(n_bytes) {
            return true;
        }
        let mut evictable: Vec<(EvictionRank, i64, &Arc<Share>)> = games
            .filter(|share| !share.eviction.is_cancelled())
            .map(|share| (share.rank(), share.used_ms.load(Ordering::Relaxed), share))
            .filter(|(rank, ..)| *rank < EvictionRank::Played)
            .collect();
        evictable.sort_unstable_by_key(|(rank, used_ms, _)| (*rank, *used_ms));
        let to_free = n_bytes.saturating_add(self.0.limit / FREED_AT_ONCE);
        for (.., share) in evictable {
            if self.fits(to_free) {
                break;
            }
            share.evict();
        }
        self.fits(n_bytes)
    }

    fn count(&self, before: Size, now: Size) {
        self.0.n_bytes.fetch_add(now.n_bytes, Ordering::Relaxed);
        self.0.n_bytes.fetch_sub(before.n_bytes, Ordering::Relaxed);
        if before.holder.is_some() || now.holder.is_some() {
            let mut held = self.0.held();
            if let Some(address) = now.holder {
                *held.entry(address).or_default() += now.n_bytes;
            }
            if let Some(address) = before.holder
                && let Some(of_address) = held.get_mut(&address)
            {
                *of_address -= before.n_bytes;
                if *of_address == 0 {
                    held.remove(&address);
                }
            }
        }
        METRICS.game_bytes.set(i64::try_from(self.n_bytes()).unwrap_or(i64::MAX));
    }
}

/// The memory that a game takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) n_bytes: usize,
    /// The common subscriber of all present players of the game, if they hold it in memory.
    pub(super) holder: Option<Network>,
}

/// A game's share of the memory, released on drop.
#[derive(Debug)]
pub(super) struct Share {
    memory: Memory,
    size: Mutex<Size>,
    /// Time of the last request to the game, milliseconds since 1970.
    used_ms: AtomicI64,
    rank: AtomicU8,
    /// Cancelled when the game is evicted. Its bytes do not count from then on.
    eviction: CancellationToken,
}

impl Share {
    /// Sets the memory that the game takes.
    pub(super) fn set_size(&self, size: Size) {
        let mut now = self.locked();
        if !self.eviction.is_cancelled() && *now != size {
            self.memory.count(mem::replace(&mut now, size), size);
        }
    }

    /// Sets the memory that the game takes, if its holder differs, or its size by at least [`SIZE_TOLERANCE`]. Returns
    /// whether it did.
    pub(super) fn update_size(&self, size: Size) -> bool {
        let Size { n_bytes, holder } = self.size();
        let has_changed = holder != size.holder || n_bytes.abs_diff(size.n_bytes) >= SIZE_TOLERANCE;
        if has_changed {
            self.set_size(size);
        }
        has_changed
    }

    fn size(&self) -> Size {
        *self.locked()
    }

    fn locked(&self) -> MutexGuard<'_, Size> {
        self.size.lock()
    }

    /// Sets the time of the last request to the game.
    pub(super) fn used(&self, now_ms: i64) {
        self.used_ms.store(now_ms, Ordering::Relaxed);
    }

    /// Sets the rank of the game for eviction.
    pub(super) fn set_rank(&self, rank: EvictionRank) {
        self.rank.store(rank as u8, Ordering::Relaxed);
    }

    fn rank(&self) -> EvictionRank {
        EvictionRank::ALL
            .get(usize::from(self.rank.load(Ordering::Relaxed)))
            .copied()
            .unwrap_or(EvictionRank::Played)
    }

    fn evict(&self) {
        let mut now = self.locked();
        self.eviction.cancel();
        self.memory.count(mem::take(&mut now), Size::default());
        METRICS.games_evicted.inc();
    }

    /// Whether the game is evicted.
    pub(super) fn is_evicted(&self) -> bool {
        self.eviction.is_cancelled()
    }

    /// Waits until the game is evicted.
    pub(super) async fn evicted(&self) {
        self.eviction.cancelled().await;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.count(self.size(), Size::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::address::Address;

    fn evicted(shares: &[Arc<Share>]) -> Vec<bool> {
        shares.iter().map(|share| share.eviction.is_cancelled()).collect()
    }

    #[test]
    fn games_that_nobody_plays_give_way_the_least_recently_used_first_and_played_ones_never() {
        let memory = Memory::new(1_000, 1_000);
        let shares: Vec<Arc<Share>> = [
            (EvictionRank::Played, 1),
            (EvictionRank::Running, 2),
            (EvictionRank::Watched, 4),
            (EvictionRank::Watched, 3),
            (EvictionRank::Replayable, 8),
            (EvictionRank::Over, 9),
        ]
        .into_iter()
        .map(|(rank, used_ms)| {
            let share = memory.share(150, used_ms);
            share.set_rank(rank);
            share
        })
        .collect();
        assert_eq!(memory.n_bytes(), 900);
        assert!(memory.make_room(100, shares.iter()));
        assert_eq!(evicted(&shares), [false; 6], "there is room");
        for (n_bytes, has_room, expected) in [
            (150, true, [false, false, false, false, true, true]),
            (401, true, [false, false, false, true, true, true]),
            (850, true, [false, true, true, true, true, true]),
            (851, false, [false, true, true, true, true, true]),
        ] {
            assert_eq!(memory.make_room(n_bytes, shares.iter()), has_room, "{n_bytes}");
            assert_eq!(evicted(&shares), expected, "{n_bytes}");
        }
        assert_eq!(memory.n_bytes(), 150, "evicted games no longer count");
    }

    #[test]
    fn a_game_counts_its_memory_until_it_is_gone() {
        let memory = Memory::new(100, 100);
        let [one, other] = [memory.share(10, 0), memory.share(20, 0)];
        one.set_size(Size { n_bytes: 150, holder: None });
        assert!(!memory.fits(0));
        other.set_rank(EvictionRank::Over);
        assert!(!memory.make_room(0, [&one, &other].into_iter()));
        other.set_size(Size { n_bytes: 5_000, holder: None });
        assert_eq!(memory.n_bytes(), 150, "an evicted game no longer counts, even if it still grows");
        one.set_size(Size { n_bytes: 1, holder: None });
        assert!(memory.fits(0));
        drop((one, other));
        assert_eq!(memory.n_bytes(), 0);
    }

    #[test]
    fn games_held_by_one_address_evict_only_each_other_least_recently_used_first() {
        let memory = Memory::new(1_000, 300);
        let [one, other] = [1, 2].map(|number| Address::of_tests(number).subscriber());
        let shares: Vec<Arc<Share>> =
            [(Some(one), 3), (Some(one), 1), (Some(other), 0), (None, 0), (Some(one), 2)]
                .into_iter()
                .map(|(holder, used_ms)| {
                    let share = memory.share(100, used_ms);
                    share.set_size(Size { n_bytes: 100, holder });
                    share
                })
                .collect();
        assert!(!memory.holds_too_much(one));
        shares[4].set_size(Size { n_bytes: 101, holder: Some(one) });
        assert!(memory.holds_too_much(one) && !memory.holds_too_much(other));
        memory.limit_address(one, shares.iter());
        assert_eq!(evicted(&shares), [false, true, false, false, false]);
        assert!(!memory.holds_too_much(one));
        shares[0].set_size(Size { n_bytes: 10_000, holder: Some(one) });
        memory.limit_address(one, shares.iter());
        assert_eq!(evicted(&shares), [false, true, false, false, true], "the last one stays");
        drop(shares);
        assert_eq!(memory.n_bytes(), 0);
        assert!(memory.0.held().is_empty());
    }
}
