//! State that all games of a node share: the registry of those in memory, each with its mailbox and its share of memory,
//! and the games with corrupt logs.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use game::ids::{GameId, PlayerId};
use parking_lot::{Mutex, MutexGuard};
use store::{Committed, Store, Writer};
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    archive::Archive,
    eviction::{Memory, Share},
    feed::Feed,
    mailbox::{Mail, Mailbox, MailboxPermits},
    reads::LogReads,
    spectators::Spectators,
    takers::Takers,
};
use crate::{
    admission::Admission,
    cluster::{bus::Bus, outages::Outages},
    compute::Compute,
    directory::Directory,
    env::Env,
    lobby::Lobby,
    metrics::{Counted, METRICS},
    mutes::Mutes,
    net::address::{Addresses, Network},
};

/// Bytes that a game takes before its first event: its task, its mailbox and its visitors.
pub(super) const BYTES_OF_GAME: usize = 16 * 1024;

/// Estimated bytes for each event of a game that is about to be loaded. Afterwards its actual bytes are counted.
pub(super) const BYTES_OF_EVENT: usize = 400;

/// The archive has one part in so many of the memory for games.
pub(super) const ARCHIVE_DIVISOR: usize = 4;

/// The players of one address may hold one part in so many of the memory for live games, times the factor of addresses.
/// Beyond it their least recently used game is evicted, and loaded again when it is used.
const ADDRESS_DIVISOR: usize = 4;

/// Pause after a futile search for games to evict, in milliseconds.
const EVICTION_PAUSE_MS: i64 = 100;

/// The parts of a node that its games depend on. They run on `tasks` until `stop`.
#[derive(Debug)]
pub(crate) struct Dependencies {
    pub(crate) env: Env,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) bus: Bus,
    pub(crate) lobby: Lobby,
    pub(crate) directory: Directory,
    pub(crate) mutes: Mutes,
    pub(crate) admission: Admission,
    pub(crate) addresses: Addresses,
    pub(crate) outages: Outages,
    pub(crate) compute: Compute,
    /// Bytes of memory for games, the archive included.
    pub(crate) memory: usize,
    /// Factor for the part of the memory that the players of one address may hold, and for the number of them who may
    /// take the seat of a room.
    pub(crate) address_factor: u32,
    pub(crate) tasks: TaskTracker,
    pub(crate) stop: CancellationToken,
}

#[cfg(test)]
impl Dependencies {
    /// The dependencies of games on a node that is alone on its database, with a writer that runs.
    pub(crate) async fn alone(store: Arc<dyn Store>, presence: crate::presence::Presence) -> Self {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let (writer, writing) = store::writer(store.clone(), tokio::runtime::Handle::current());
        tasks.spawn(writing);
        let directory = Directory::new(store.clone());
        let lobby = Lobby::load(&*store, Bus::alone(), presence, directory.clone()).await;
        let lobby = lobby.expect("the store can be read");
        let compute = Compute::with_threads(1, 16).expect("there is a thread");
        let limits = crate::net::limits::AddressLimits::times(1);
        let addresses = Addresses::new(limits);
        let admission =
            Admission::new(store.clone(), addresses.clone(), crate::space::Space::default(), &limits);
        let env = Env::of_test(1);
        let (bus, outages) = (Bus::alone(), Outages::new(env.clone()));
        let (memory, address_factor) = (64 << 20, 1);
        Self {
            env,
            store,
            writer,
            bus,
            lobby,
            directory,
            mutes: Mutes::default(),
            admission,
            addresses,
            outages,
            compute,
            memory,
            address_factor,
            tasks,
            stop,
        }
    }
}

/// The state that all games of this node share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The mailboxes of the live games. A game is registered when it is first requested; messages wait while its task
    /// folds the log.
    live: Mutex<HashMap<GameId, Live>>,
    /// Games whose logs could not be folded at the last attempt.
    corrupt: Mutex<HashSet<GameId>>,
    pub(super) memory: Memory,
    /// End of the pause after a futile eviction, milliseconds since 1970.
    full_until_ms: AtomicI64,
    pub(super) archive: Archive,
    pub(super) spectators: Spectators,
    pub(super) takers: Takers,
    pub(super) reads: LogReads,
    pub(super) feed: Feed,
    pub(super) dependencies: Dependencies,
}

/// A game in memory.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) mailbox: Mailbox,
    pub(super) share: Arc<Share>,
}

impl Shared {
    /// Returns an empty registry of games with these dependencies.
    pub(super) fn new(dependencies: Dependencies) -> Self {
        let of_archive = dependencies.memory / ARCHIVE_DIVISOR;
        let of_live = dependencies.memory - of_archive;
        let of_address =
            (of_live / ADDRESS_DIVISOR).saturating_mul(dependencies.address_factor as usize).min(of_live);
        let reads = LogReads::new(dependencies.store.clone(), dependencies.addresses.clone());
        Self {
            live: Mutex::default(),
            corrupt: Mutex::default(),
            memory: Memory::new(of_live, of_address),
            full_until_ms: AtomicI64::new(0),
            archive: Archive::new(
                of_archive,
                reads.clone(),
                dependencies.compute.clone(),
                dependencies.directory.clone(),
            ),
            spectators: Spectators::default(),
            takers: Takers::new(dependencies.address_factor),
            reads,
            feed: Feed::new(),
            dependencies,
        }
    }

    /// The current time, milliseconds since 1970.
    pub(super) fn now_ms(&self) -> i64 {
        self.dependencies.env.now_ms()
    }

    /// Publishes a commit to the lobby, and to the readers of the feed. The lobby must not miss a row, so it does not
    /// read the feed.
    pub(super) fn publish(&self, committed: Committed) {
        self.dependencies.lobby.update(committed.row());
        self.feed.publish(committed);
    }

    /// Returns the mailbox of a game, which is expected to take `n_bytes` if it is not in memory. It is then registered:
    /// its task gets the mailbox's receiving end and the entry.
    pub(super) fn register(
        self: &Arc<Self>,
        game: GameId,
        n_bytes: usize,
        seats: Option<[PlayerId; 2]>,
    ) -> (Mailbox, Option<(mpsc::Receiver<Mail>, Entry)>) {
        let mut live = self.locked();
        if let Some(Live { mailbox, .. }) = live.get(&game) {
            return (mailbox.clone(), None);
        }
        let (mailbox, mails) = Mailbox::open(seats);
        let share = self.memory.share(n_bytes, self.now_ms());
        live.insert(game, Live { mailbox: mailbox.clone(), share: share.clone() });
        let _counted = Counted::in_gauge(&METRICS.games);
        let permits = mailbox.permits().clone();
        (mailbox, Some((mails, Entry { shared: self.clone(), game, permits, share, _counted })))
    }

    /// The games in memory.
    pub(super) fn live(&self) -> Vec<GameId> {
        self.locked().keys().copied().collect()
    }

    /// Games whose logs could not be folded at the last attempt.
    pub(super) fn corrupt(&self) -> HashSet<GameId> {
        self.corrupt_locked().clone()
    }

    /// Returns the mailbox of a game that is in memory.
    pub(super) fn mailbox(&self, game: GameId) -> Option<Mailbox> {
        self.locked().get(&game).map(|live| live.mailbox.clone())
    }

    /// Makes room for `n_bytes` more, by evicting other games if necessary. Returns whether there is room.
    pub(super) fn has_room(&self, n_bytes: usize) -> bool {
        if self.memory.fits(n_bytes) {
            return true;
        }
        let now_ms = self.now_ms();
        if now_ms < self.full_until_ms.load(Ordering::Relaxed) {
            return false;
        }
        let has_room = self.memory.make_room(n_bytes, self.locked().values().map(|live| &live.share));
        if !has_room {
            self.full_until_ms.store(now_ms + EVICTION_PAUSE_MS, Ordering::Relaxed);
        }
        has_room
    }

    /// Evicts games if all together take too much memory, or those that players of `holder` hold.
    pub(super) fn keep_in_bounds(&self, holder: Option<Network>) {
        self.has_room(0);
        if let Some(address) = holder.filter(|address| self.memory.holds_too_much(*address)) {
            self.memory.limit_address(address, self.locked().values().map(|live| &live.share));
        }
    }

    /// Locks the live games.
    pub(super) fn locked(&self) -> MutexGuard<'_, HashMap<GameId, Live>> {
        self.live.lock()
    }

    fn corrupt_locked(&self) -> MutexGuard<'_, HashSet<GameId>> {
        self.corrupt.lock()
    }

    /// Marks a game whose log cannot be folded. Returns whether it was not marked before.
    pub(super) fn mark_corrupt(&self, game: GameId) -> bool {
        self.corrupt_locked().insert(game)
    }

    /// Unmarks a game whose log can be folded.
    pub(super) fn mark_readable(&self, game: GameId) {
        self.corrupt_locked().remove(&game);
    }

    /// Removes a game from the registry, unless a newer task has replaced it there.
    pub(super) fn remove(&self, game: GameId, permits: &MailboxPermits) {
        let mut live = self.locked();
        if live.get(&game).is_some_and(|current| current.mailbox.permits().are(permits)) {
            live.remove(&game);
        }
    }
}

/// A live game's registration. Dropping it removes the game, however its task ends.
pub(super) struct Entry {
    pub(super) shared: Arc<Shared>,
    game: GameId,
    pub(super) permits: MailboxPermits,
    pub(super) share: Arc<Share>,
    _counted: Counted,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.shared.remove(self.game, &self.permits);
    }
}
