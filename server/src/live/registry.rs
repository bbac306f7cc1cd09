//! The games in memory, each with its mailbox and its share of memory, and the logs that do not fold.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use super::{
    Parts, actor,
    archive::Archive,
    mailbox::{Mailbox, MailboxPermits},
    memory::{Memory, Share},
    reads::LogReads,
    spectators::Spectators,
};
use crate::{
    address::Address,
    clock,
    compute::Asker,
    ids::{GameId, PlayerId},
    metrics::{Counted, METRICS},
};

/// Bytes that a game takes before anything has happened in it: its task, its mailbox and its visitors.
pub(super) const BYTES_OF_GAME: usize = 16 * 1024;

/// Estimated bytes for each event of a game that is about to be loaded. Once it is, its actual bytes are counted.
pub(super) const BYTES_OF_EVENT: usize = 400;

/// The archive's part of the memory of games.
pub(super) const ARCHIVE_PART: usize = 4;

/// The part of the memory of live games that the players of one address may hold, times its factor. Beyond it their least
/// recently used game leaves memory, and is read again when it is used.
const PART_OF_ADDRESS: usize = 4;

/// Milliseconds after a futile search for games to evict until the next one.
const FULL_FOR_MS: i64 = 100;

/// The state that all games of this node share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The mailboxes of the live games. A game is here from the moment somebody wants it; its task folds the log
    /// while messages already wait.
    live: Mutex<HashMap<GameId, Live>>,
    /// Games whose logs did not fold when they were last read.
    corrupt: Mutex<HashSet<GameId>>,
    pub(super) memory: Memory,
    /// Until when no eviction is tried, since the last one found no game; milliseconds since 1970.
    full_until_ms: AtomicI64,
    pub(super) archive: Archive,
    pub(super) spectators: Spectators,
    pub(super) reads: LogReads,
    pub(super) parts: Parts,
}

/// A game in memory.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) mailbox: Mailbox,
    pub(super) share: Arc<Share>,
}

impl Shared {
    pub(super) fn new(parts: Parts) -> Self {
        let of_archive = parts.memory / ARCHIVE_PART;
        let of_live = parts.memory - of_archive;
        let of_address =
            (of_live / PART_OF_ADDRESS).saturating_mul(parts.address_factor as usize).min(of_live);
        let reads = LogReads::new(parts.store.clone(), parts.addresses.clone());
        Self {
            live: Mutex::default(),
            corrupt: Mutex::default(),
            memory: Memory::new(of_live, of_address),
            full_until_ms: AtomicI64::new(0),
            archive: Archive::new(of_archive, reads.clone(), parts.compute.clone()),
            spectators: Spectators::default(),
            reads,
            parts,
        }
    }

    /// The mailbox of a game, whose task is started if there is none: then its log is folded for `asker`, and it is
    /// expected to take `n_bytes`.
    pub(super) fn find(
        self: &Arc<Self>,
        game: GameId,
        n_bytes: usize,
        seats: Option<[PlayerId; 2]>,
        asker: Asker,
    ) -> Mailbox {
        let mut live = self.locked();
        if let Some(Live { mailbox, .. }) = live.get(&game) {
            return mailbox.clone();
        }
        let (mailbox, mails) = Mailbox::open(seats);
        let share = self.memory.share(n_bytes, clock::now_ms());
        live.insert(game, Live { mailbox: mailbox.clone(), share: share.clone() });
        let _counted = Counted::in_gauge(&METRICS.games);
        let permits = mailbox.permits().clone();
        let entry = Entry { shared: self.clone(), game, permits, share, _counted };
        self.parts.tasks.spawn(actor::run(game, mails, entry, asker));
        mailbox
    }

    /// The games in memory.
    pub(super) fn live(&self) -> Vec<GameId> {
        self.locked().keys().copied().collect()
    }

    /// Games whose logs did not fold when they were last read.
    pub(super) fn corrupt(&self) -> HashSet<GameId> {
        self.corrupt_locked().clone()
    }

    pub(super) fn mailbox(&self, game: GameId) -> Option<Mailbox> {
        self.locked().get(&game).map(|live| live.mailbox.clone())
    }

    /// Makes room in memory for `n_bytes` more, by evicting other games if necessary. Returns whether there is room.
    pub(super) fn has_room(&self, n_bytes: usize) -> bool {
        if self.memory.fits(n_bytes) {
            return true;
        }
        let now_ms = clock::now_ms();
        if now_ms < self.full_until_ms.load(Ordering::Relaxed) {
            return false;
        }
        let has_room = self.memory.make_room(n_bytes, self.locked().values().map(|live| &live.share));
        if !has_room {
            self.full_until_ms.store(now_ms + FULL_FOR_MS, Ordering::Relaxed);
        }
        has_room
    }

    /// Has games give way if all together take too much memory, or those that players of `holder` hold.
    pub(super) fn keep_in_bounds(&self, holder: Option<Address>) {
        self.has_room(0);
        if let Some(address) = holder.filter(|address| self.memory.holds_too_much(*address)) {
            self.memory.limit_address(address, self.locked().values().map(|live| &live.share));
        }
    }

    pub(super) fn locked(&self) -> MutexGuard<'_, HashMap<GameId, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn corrupt_locked(&self) -> MutexGuard<'_, HashSet<GameId>> {
        self.corrupt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a game whose log does not fold. Tells whether that is news.
    pub(super) fn mark_corrupt(&self, game: GameId) -> bool {
        self.corrupt_locked().insert(game)
    }

    /// Takes note of a game whose log does fold.
    pub(super) fn mark_readable(&self, game: GameId) {
        self.corrupt_locked().remove(&game);
    }

    /// Takes a game out of the registry, unless another task has taken its place there.
    pub(super) fn forget(&self, game: GameId, permits: &MailboxPermits) {
        let mut live = self.locked();
        if live.get(&game).is_some_and(|current| current.mailbox.permits().are(permits)) {
            live.remove(&game);
        }
    }
}

/// A live game's place in the registry, which it loses when its task ends, however it ends.
pub(crate) struct Entry {
    pub(crate) shared: Arc<Shared>,
    game: GameId,
    pub(super) permits: MailboxPermits,
    pub(super) share: Arc<Share>,
    _counted: Counted,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.shared.forget(self.game, &self.permits);
    }
}
