//! Who may be joined and what may be watched: the open public rooms and the live public games, told to all who
//! look at the lobby as they change.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use crate::{
    ids::GameId,
    outbox::{ConnectionId, Outbox, frame},
    protocol::{GameSummary, ServerMessage, Status, Visibility},
    store::{List, Paging, Store, StoreError},
};

/// Rows of each kind that a visitor is shown at first, the newest.
const SHOWN: u32 = 200;

/// How often turns played in live games are told. What opens, begins or ends is told at once.
const TURNS_EVERY: Duration = Duration::from_secs(1);

/// Games whose turns are told at once; the others follow. It is far below what may wait for one reader.
const TURNS_TOLD: usize = 64;

/// The lobby of this node.
#[derive(Clone, Debug, Default)]
pub struct Lobby(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    /// Ids sort by the time they were made.
    rows: BTreeMap<GameId, GameSummary>,
    /// Live games whose turn has changed since it was last told.
    moved: HashSet<GameId>,
    readers: HashMap<ConnectionId, Outbox>,
}

impl Lobby {
    /// The lobby as the store has it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn load(store: &dyn Store) -> Result<Self, StoreError> {
        let lobby = Self::default();
        for list in [List::OpenRooms, List::LiveGames] {
            let page = store.list(list, Paging { before: None, limit: SHOWN }).await?;
            lobby.locked().rows.extend(page.games.into_iter().map(|row| (row.id, row)));
        }
        Ok(lobby)
    }

    /// Takes note of a game's new row. Rows of games by link are nobody's business.
    pub fn update(&self, row: &GameSummary) {
        if row.visibility == Visibility::Link {
            return;
        }
        let mut inner = self.locked();
        if inner.rows.get(&row.id).is_some_and(|known| known.version >= row.version) {
            return;
        }
        let before = match row.status {
            Status::Open | Status::Playing => inner.rows.insert(row.id, row.clone()),
            Status::Finished | Status::Aborted | Status::Cancelled => inner.rows.remove(&row.id),
        };
        if row.status == Status::Playing && before.is_some_and(|before| before.status == Status::Playing) {
            inner.moved.insert(row.id);
        } else {
            inner.moved.remove(&row.id);
            inner.tell(&ServerMessage::LobbyChanged { game: row.clone() });
        }
    }

    /// Shows a connection the lobby and all that changes in it.
    pub fn watch(&self, outbox: Outbox) {
        let mut inner = self.locked();
        let newest = |status| {
            let rows = inner.rows.values().rev().filter(|row| row.status == status);
            rows.take(SHOWN as usize).cloned().collect()
        };
        outbox.send(&ServerMessage::Lobby {
            rooms: newest(Status::Open),
            live: newest(Status::Playing),
            finished: Vec::new(),
            mine: Vec::new(),
        });
        inner.readers.insert(outbox.id, outbox);
    }

    /// Ends what `watch` began, if it did.
    pub fn unwatch(&self, connection: ConnectionId) {
        self.locked().readers.remove(&connection);
    }

    /// Tells readers of turns played, until `stop`.
    pub async fn tell_turns(self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(TURNS_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.locked().tell_moved(),
                () = stop.cancelled() => return,
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn tell(&mut self, message: &ServerMessage) {
        if self.readers.is_empty() {
            return;
        }
        let frame = frame(message);
        self.readers.retain(|_, outbox| outbox.push(frame.clone()));
    }

    fn tell_moved(&mut self) {
        let told: Vec<_> = self.moved.iter().take(TURNS_TOLD).copied().collect();
        for id in told {
            self.moved.remove(&id);
            if let Some(row) = self.rows.get(&id).cloned() {
                self.tell(&ServerMessage::LobbyChanged { game: row });
            }
        }
    }
}
