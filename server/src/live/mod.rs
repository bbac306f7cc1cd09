//! Games in memory. Each live game is one task, its [`actor`], that owns the game's state and is the only place that
//! waits for the database on its behalf; [`Games`] finds it, starts it by folding the log, and never starts two of one
//! game.

mod actor;
mod archive;
mod attendance;
mod begin;
mod chat;
mod command_log;
mod delivery;
mod document;
mod drafting;
mod events;
mod feed;
mod log;
mod mailbox;
mod memory;
mod readers;
mod reading;
mod reads;
mod registry;
mod requests;
mod spectators;
mod takers;
mod view;

#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use game::ids::{GameId, PlayerId};
use store::{GameRow, LastChange, Store, StoreError, Writer};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::{
    actor::Message,
    mailbox::Sender,
    registry::{BYTES_OF_GAME, Shared},
};
pub(crate) use self::{
    begin::{BeginError, Beginner, CreateError, RoomError},
    feed::{FeedReader, Missed},
    requests::{Admitted, DraftRequest, Request, SayRequest},
};
use crate::{
    admission::Admission,
    cluster::{bus::Bus, outages::Outages},
    compute::{Asker, Compute},
    env::Env,
    lobby::Lobby,
    net::address::{Address, Addresses},
};

/// All games of this node.
#[derive(Clone, Debug)]
pub(crate) struct Games(Arc<Shared>);

/// The parts of a node that its games need. They run on `tasks` until `stop`.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) env: Env,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) bus: Bus,
    pub(crate) lobby: Lobby,
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
impl Parts {
    /// The parts of a node that is alone on its database, with a writer that runs.
    pub(crate) async fn alone(store: Arc<dyn Store>, presence: crate::presence::Presence) -> Self {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let (writer, writing) = store::writer(store.clone(), tokio::runtime::Handle::current());
        tasks.spawn(writing);
        let lobby = Lobby::load(&*store, Bus::alone(), presence).await.expect("the store can be read");
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

/// Maximum number of games that are compared with the store in one query.
const HEADS_AT_ONCE: usize = 500;

impl Games {
    /// Returns a reader of what this node commits from now on.
    pub(crate) fn feed(&self) -> FeedReader {
        self.0.feed.subscribe()
    }

    /// The clock and the randomness of the games.
    pub(crate) fn env(&self) -> &Env {
        &self.0.parts.env
    }

    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(Shared::new(parts)))
    }

    /// Returns at most `limit` rooms and games whose deadline has passed, roughly the longest due first. Games with corrupt logs are
    /// skipped: loading them would fail again.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn due(&self, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let corrupt = self.0.corrupt();
        let n_broken = u32::try_from(corrupt.len()).unwrap_or(u32::MAX);
        let mut due =
            self.0.parts.store.due_games(self.0.parts.env.now_ms(), limit.saturating_add(n_broken)).await?;
        due.retain(|game| !corrupt.contains(game));
        due.truncate(limit as usize);
        Ok(due)
    }

    /// Whether the log of a game is known to be corrupt.
    pub(crate) fn is_corrupt(&self, game: GameId) -> bool {
        self.0.corrupt().contains(&game)
    }

    /// Makes a game check its deadlines.
    pub(crate) fn wake(&self, game: GameId) {
        // A game whose mailbox is full is awake.
        let _ = self.0.find(game, BYTES_OF_GAME, None, Asker::SERVER).try_send(Sender::Server, Message::Wake);
    }

    /// Ends the tasks of games that were deleted, and removes them from the lobby. Other nodes do so when they compare
    /// themselves with the store.
    pub(crate) fn forget(&self, deleted: &[GameRow]) {
        for row in deleted {
            self.0.parts.lobby.go_back(row.id, row.version, None);
            self.compare(row.id, LastChange::NONE);
        }
    }

    /// Applies the message of another node that a player of an address has joined a room.
    pub(crate) fn apply_remote_join(&self, room: GameId, player: PlayerId, address: Address) {
        self.0.takers.record(room, player, address);
    }

    /// The games in memory.
    pub(crate) fn live(&self) -> Vec<GameId> {
        self.0.live()
    }

    /// Makes all games in memory compare their last changes with the stored ones.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn compare_last_changes(&self) -> Result<(), StoreError> {
        let games = self.live();
        let stored: HashMap<GameId, LastChange> =
            self.0.parts.store.last_changes(&games).await?.into_iter().collect();
        for game in games {
            self.compare(game, stored.get(&game).copied().unwrap_or(LastChange::NONE));
        }
        Ok(())
    }

    /// Makes a game that is in memory compare its last change with the stored one.
    pub(crate) fn compare(&self, game: GameId, stored: LastChange) {
        self.post(game, Message::Compare(stored));
    }

    /// Makes all games in memory compare themselves with the store: messages may have been lost. Only games that differ
    /// are read.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn compare_after_silence(&self) -> Result<(), StoreError> {
        for games in self.live().chunks(HEADS_AT_ONCE) {
            let mut missing: HashSet<GameId> = games.iter().copied().collect();
            for head in self.0.parts.store.heads(games, chat::LINES).await? {
                missing.remove(&head.game);
                self.post(head.game, Message::CompareAll(Box::new(head)));
            }
            missing.into_iter().for_each(|game| self.compare(game, LastChange::NONE));
        }
        Ok(())
    }

    /// Sends a message of the server to a game that is in memory.
    fn post(&self, game: GameId, message: Message) {
        if let Some(mailbox) = self.0.mailbox(game) {
            // If the mailbox is full, the message is repeated later.
            let _ = mailbox.try_send(Sender::Server, message);
        }
    }
}
