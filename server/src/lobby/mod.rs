//! Who may be joined and what may be watched: open public rooms, live public games, those that ended lately, and
//! the reader's own, told to all who look at the lobby as they change.

mod own;
mod readers;
mod rows;
mod watching;

#[cfg(test)]
mod tests;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use self::{
    own::Readings,
    readers::Readers,
    rows::{News, Rows},
    watching::WatchersByNode,
};
use crate::{
    bus::{Bus, NodeNews},
    ids::{Delay, GameId, NodeId, PlayerId, Version},
    outbox::{ConnectionId, Outbox},
    presence::Presence,
    protocol::{GameSummary, ServerMessage, Status, Visibility, WatcherCount},
    store::{GameFilter, List, Paging, Store, StoreError},
};

/// Rows of each kind that a visitor is shown at first, the newest.
const SHOWN: usize = 200;

/// Rows of open rooms and of live games that are kept, the newest of each.
const KEPT: usize = 2_000;

/// Games that are kept once they are over, the last ended.
const FINISHED: usize = 50;

/// How often it is told what turns were played, who came and who went. What opens, begins or ends is told at once.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// Games that such news tells of at once; the others follow. It is far below what may wait for one reader.
const BATCH: usize = 64;

/// The lobby as the readers of this node see it; all nodes show the same.
#[derive(Clone, Debug)]
pub struct Lobby {
    bus: Bus,
    presence: Presence,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    rows: Rows,
    readers: Readers,
    readings: Readings,
    watching: WatchersByNode,
    /// How many players were here when it was last told.
    players: u32,
}

impl Lobby {
    /// A lobby with nothing in it.
    fn new(bus: Bus, presence: Presence) -> Self {
        Self { bus, presence, inner: Arc::default() }
    }

    /// The lobby as the store has it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn load(store: &dyn Store, bus: Bus, presence: Presence) -> Result<Self, StoreError> {
        let lobby = Self::new(bus, presence);
        lobby.catch_up(store).await?;
        Ok(lobby)
    }

    /// Takes note of what the store has and the lobby has not heard of.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn catch_up(&self, store: &dyn Store) -> Result<(), StoreError> {
        let finished = List::FinishedGames(GameFilter::default());
        for (list, limit) in [(List::OpenRooms, SHOWN), (List::LiveGames, SHOWN), (finished, FINISHED)] {
            let page = store.list(list, first(limit)).await?;
            // The last ended comes first, and is to be taken last.
            for row in page.games.iter().rev().filter(|row| !self.has_left(row)) {
                self.hear(row);
            }
        }
        let shown = self.locked().rows.unfinished();
        for (game, version) in store.versions(&shown.keys().copied().collect::<Vec<_>>()).await? {
            if version > shown[&game]
                && let Some(row) = store.game(game).await?
            {
                self.hear(&row);
            }
        }
        Ok(())
    }

    /// Whether this is the room of a maker who is gone, which no list shows.
    fn has_left(&self, row: &GameSummary) -> bool {
        row.status == Status::Open && self.presence.is_gone(row.creator.id)
    }

    /// Takes note of a game's new row, here and on the other nodes. Only its players hear of one by link.
    pub fn update(&self, row: &GameSummary) {
        self.hear(row);
        self.bus.tell_nodes(|| NodeNews::Row { row: Box::new(row.clone()) });
    }

    /// Takes note of a game's new row that other nodes know of.
    pub(crate) fn hear(&self, row: &GameSummary) {
        let inner = &mut *self.locked();
        inner.readings.note(row);
        match inner.rows.take(row) {
            News::Changed => {
                inner.readers.tell_players(row);
                inner.readers.tell_others(row, &ServerMessage::LobbyChanged { game: for_others(row) });
            }
            News::Moved | News::Nothing => inner.readers.tell_players(row),
            News::Left => {
                inner.readers.tell_players(row);
                inner.readers.tell_others(row, &ServerMessage::LobbyGone { game: row.id });
            }
            News::Known => {}
        }
    }

    /// Takes note of how many watch a game on this node, here and on the other nodes.
    pub fn set_watchers(&self, count: WatcherCount) {
        let node = self.bus.node();
        self.hear_watching(node, count);
        self.bus.tell_nodes(|| NodeNews::Watching { node, count });
    }

    /// Takes note of how many watch a game on another node.
    pub(crate) fn hear_watching(&self, node: NodeId, count: WatcherCount) {
        let inner = &mut *self.locked();
        let WatcherCount { game, watchers } = inner.watching.set(node, count);
        inner.rows.set_watchers(game, watchers);
    }

    /// Takes note of how many watch each game on another node.
    pub(crate) fn hear_all_watching(&self, node: NodeId, counts: &[WatcherCount]) {
        let inner = &mut *self.locked();
        for WatcherCount { game, watchers } in inner.watching.set_all(node, counts) {
            inner.rows.set_watchers(game, watchers);
        }
    }

    /// How many watch each game on this node that a list shows. Of others there may be too many to be told at once.
    pub(crate) fn watching(&self) -> Vec<WatcherCount> {
        let inner = self.locked();
        let mut watching = inner.watching.of(self.bus.node());
        watching.retain(|count| inner.rows.counts_watchers_of(count.game));
        watching
    }

    /// Shows the open rooms of a player who was gone and [came](crate::presence::Here::came) back.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn welcome(&self, player: PlayerId, store: &dyn Store) -> Result<(), StoreError> {
        let reading = self.locked().readings.begin(player);
        let stored = store.list(List::UnfinishedGamesOf(player), first(SHOWN)).await?.games;
        let mut inner = self.locked();
        for room in inner.come_back(reading.end(stored)) {
            self.bus.tell_nodes(|| NodeNews::Row { row: Box::new(room) });
        }
        Ok(())
    }

    /// Shows a player's connection the lobby and all that changes in it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn watch(
        &self,
        player: PlayerId,
        outbox: &Outbox,
        store: &dyn Store,
    ) -> Result<(), StoreError> {
        let reading = self.locked().readings.begin(player);
        let stored = store.list(List::UnfinishedGamesOf(player), first(SHOWN)).await?.games;
        let inner = &mut *self.locked();
        inner.show(player, outbox, reading.end(stored), self.presence.count());
        Ok(())
    }

    /// Ends what `watch` began, if it did.
    pub fn unwatch(&self, player: PlayerId, connection: ConnectionId) {
        self.locked().readers.remove(player, connection);
    }

    /// Open rooms made before `before`, the newest first, at most `limit`; and whether there are more.
    pub fn rooms(&self, before: Option<GameId>, limit: usize) -> (Vec<GameSummary>, bool) {
        let inner = self.locked();
        let mut rooms = inner.rows.rooms(before);
        (rooms.by_ref().take(limit).cloned().collect(), rooms.next().is_some())
    }

    /// Tells readers of what is not told at once, until `stop`.
    pub async fn run(self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(TELL_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.tick(),
                () = stop.cancelled() => return,
            }
        }
    }

    fn tick(&self) {
        self.presence.forget_gone();
        let inner = &mut *self.locked();
        for game in inner.rows.take_left_rooms(|player| self.presence.is_gone(player)) {
            inner.readers.tell(&ServerMessage::LobbyGone { game });
        }
        for game in inner.rows.take_moved() {
            let changed = ServerMessage::LobbyChanged { game: for_others(&game) };
            inner.readers.tell_others(&game, &changed);
        }
        let (players, watchers) = (self.presence.count(), inner.rows.take_counted());
        if players != inner.players || !watchers.is_empty() {
            inner.players = players;
            inner.readers.tell(&ServerMessage::LobbyCounts { players, watchers });
        }
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn show(&mut self, player: PlayerId, outbox: &Outbox, mine: Vec<GameSummary>, players: u32) {
        let rooms = self.rows.rooms(None).take(SHOWN).cloned().collect();
        let live = self.rows.live().take(SHOWN).map(for_others).collect();
        let finished = self.rows.finished().cloned().collect();
        outbox.send(&ServerMessage::Lobby { rooms, live, finished, mine });
        outbox.send(&ServerMessage::LobbyCounts { players, watchers: self.rows.counts() });
        self.readers.add(player, outbox.clone());
    }

    /// Shows the open rooms among the games of a player who came back.
    fn come_back(&mut self, games: Vec<GameSummary>) -> Vec<GameSummary> {
        let is_shown =
            |room: &GameSummary| room.status == Status::Open && room.visibility == Visibility::Public;
        let rooms: Vec<_> = games.into_iter().filter(is_shown).collect();
        for room in &rooms {
            if self.rows.take(room) == News::Changed {
                self.readers.tell(&ServerMessage::LobbyChanged { game: room.clone() });
            }
        }
        rooms
    }
}

/// The first page of a list.
fn first(limit: usize) -> Paging {
    Paging { before: None, limit: u32::try_from(limit).expect("a small number") }
}

/// A row as those see it who do not play in the game: of one under way that watchers see later, nothing tells how far
/// it is.
fn for_others(game: &GameSummary) -> GameSummary {
    if !is_seen_later(game) {
        return game.clone();
    }
    let (version, updated_ms) = (Version::NONE, game.created_ms);
    GameSummary { version, turn: None, to_move: None, updated_ms, deadline_ms: None, ..game.clone() }
}

/// Whether watchers of the game are behind it.
fn is_seen_later(game: &GameSummary) -> bool {
    game.status == Status::Playing && game.delay != Delay::default()
}

/// Those who sit in a game, or have made the room.
fn players(game: &GameSummary) -> Vec<PlayerId> {
    match &game.seats {
        Some(seats) => vec![seats.first.id, seats.second.id],
        None => vec![game.creator.id],
    }
}
