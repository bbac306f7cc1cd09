//! The lobby: open public rooms, live public games, recently finished games, and the reader's own games. All changes
//! are sent to its readers.
//!
//! Readers are shown a [fair choice](fair) of the rows in memory, and are sent the changes of that choice: one message
//! for each reader at each tick, however many games begin and end. The choice is made once for all who open the lobby
//! at about the same time. The choice and its changes are encoded outside the lock that each turn takes.

mod diff;
mod fair;
mod own;
mod readers;
mod rows;
mod snapshot;
mod watching;

#[cfg(test)]
mod tests;

use std::{collections::HashMap, sync::Arc, time::Duration};

use engine::BySide;
use game::{
    Status, Visibility,
    ids::{Delay, GameId, NodeId, PlayerId, PlayerName, Version},
};
use parking_lot::Mutex;
use protocol::{GameSummary, Names, ServerMessage, SpectatorCount};
#[cfg(test)]
use store::LastChange;
use store::{GameFilter, GameRow, List, MAX_CHALLENGES_TO, Paging, Store, StoreError};
use tokio_util::sync::CancellationToken;

use self::{
    diff::{LobbyDiff, News},
    own::{Reading, Readings},
    readers::{EncodedNews, Readers},
    rows::Rows,
    snapshot::{Current, LobbySnapshot},
    watching::SpectatorsByNode,
};
use crate::{
    cluster::bus::{Bus, NodeNews},
    convert,
    directory::Directory,
    net::{
        address::Address,
        outbox::{ConnectionId, Outbox, frame},
    },
    presence::Presence,
};

/// Maximum number of visible rows of open rooms, and of live games: a fair choice of the newest.
const SHOWN: usize = 200;

/// Maximum number of kept rows of open rooms, and of live games.
const KEPT: usize = 2_000;

/// Maximum number of visible finished games: a fair choice of the latest.
const FINISHED: usize = 50;

/// Maximum number of kept finished games.
const FINISHED_KEPT: usize = 500;

/// Interval between updates to readers.
const TICK: Duration = Duration::from_millis(250);

/// Number of ticks between updates about moves of a game, and about the number of players.
const TICKS_PER_SECOND: u64 = 4;

/// Maximum number of games, and of spectator counts, in one update; the others follow with the next tick. It is far
/// below the capacity of an outbox.
const BATCH: usize = 32;

/// Maximum number of rows that one query reads.
const ROWS_AT_ONCE: usize = 500;

/// The lobby as the readers of this node see it; it is equal on all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Lobby {
    bus: Bus,
    presence: Presence,
    directory: Directory,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    rows: Rows,
    readers: Readers,
    /// The connections that are told when the waiting turns of their player may have changed.
    turn_readers: Readers,
    diff: LobbyDiff,
    current: Current,
    readings: Readings,
    watching: SpectatorsByNode,
    /// Number of players in the last update.
    players: u32,
}

impl Lobby {
    /// Returns an empty lobby.
    fn new(bus: Bus, presence: Presence, directory: Directory) -> Self {
        Self { bus, presence, directory, inner: Arc::default() }
    }

    /// Loads the lobby from the store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn load(
        store: &dyn Store,
        bus: Bus,
        presence: Presence,
        directory: Directory,
    ) -> Result<Self, StoreError> {
        let lobby = Self::new(bus, presence, directory);
        lobby.read(store, KEPT, FINISHED_KEPT).await?;
        Ok(lobby)
    }

    /// Applies changes in the store that the lobby has missed.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn catch_up(&self, store: &dyn Store) -> Result<(), StoreError> {
        self.read(store, SHOWN, FINISHED).await?;
        let mut known = self.inner.lock().rows.last_changes();
        for (game, stored) in store.last_changes(&known.keys().copied().collect::<Vec<_>>()).await? {
            if known.get(&game) == Some(&stored) {
                known.remove(&game);
            }
        }
        let differing: Vec<_> = known.keys().copied().collect();
        for games in differing.chunks(ROWS_AT_ONCE) {
            let rows = store.rows(games).await?;
            self.directory.load(rows.iter().flat_map(convert::mentioned)).await?;
            let rows: HashMap<_, _> = rows.into_iter().map(|row| (row.id, row)).collect();
            for game in games {
                let known = known[game];
                match rows.get(game) {
                    Some(row) if row.version > known.version || row.last_change() == known => {
                        self.update(row)
                    }
                    row => self.go_back(*game, known.version, row),
                }
            }
        }
        Ok(())
    }

    /// The last known changes of all games.
    #[cfg(test)]
    pub(crate) fn last_changes(&self) -> HashMap<GameId, LastChange> {
        self.inner.lock().rows.last_changes()
    }

    /// Replaces the row of a game of which the store no longer has the `known` version; `None` if it has no such game.
    pub(crate) fn go_back(&self, game: GameId, known: Version, row: Option<&GameRow>) {
        {
            let inner = &mut *self.inner.lock();
            if inner.rows.remove_version(game, known) {
                inner.diff.changed();
                inner.current.changed();
            }
        }
        if let Some(row) = row {
            self.update(row);
        }
    }

    /// Applies the newest rows of the store: `unfinished` open rooms, as many live games, and `over` finished games.
    async fn read(&self, store: &dyn Store, unfinished: usize, over: usize) -> Result<(), StoreError> {
        let finished = List::FinishedGames(GameFilter::default());
        for (list, limit) in [(List::OpenRooms, unfinished), (List::LiveGames, unfinished), (finished, over)]
        {
            let page = store.list(list, first(limit)).await?;
            self.directory.load(page.games.iter().flat_map(convert::mentioned)).await?;
            // The latest comes first, and must be applied last.
            for row in page.games.iter().rev().filter(|row| !self.has_left(row)) {
                self.update(row);
            }
        }
        Ok(())
    }

    /// Whether this is the room of an absent maker, which no list shows.
    fn has_left(&self, row: &GameRow) -> bool {
        row.status == Status::Open && self.presence.is_gone(row.creator)
    }

    /// Applies a game's new row, here and on the other nodes. Games by link are visible to their players only.
    pub(crate) fn update(&self, row: &GameRow) {
        let inner = &mut *self.inner.lock();
        inner.readings.record(row);
        if inner.rows.apply(row, &self.directory, || self.address(row)) {
            inner.diff.changed();
            inner.current.record(row);
            inner.readers.send_to_players(row, &self.directory);
            if !row.clock.is_live() && (row.seats.is_some() || row.challenged.is_some()) {
                inner.turn_readers.tell_players(row, &ServerMessage::Turns);
            }
        }
    }

    /// Shows a game again, since one of its players has a new name.
    pub(crate) fn show_again(&self, game: GameId) {
        let inner = &mut *self.inner.lock();
        if let Some(row) = inner.rows.row(game) {
            inner.diff.show_again(game);
            inner.current.record(row);
            inner.readers.send_to_players(row, &self.directory);
        }
    }

    /// Sends a player who has left a room its new row, on this node: the game is no longer the player's own.
    pub(crate) fn tell_who_left(&self, player: PlayerId, room: &GameRow) {
        self.inner.lock().readers.send_to(player, room, &self.directory);
    }

    /// Returns the address of a player who is present on this node, or was recently.
    pub(crate) fn address_of(&self, player: PlayerId) -> Option<Address> {
        self.presence.address(player)
    }

    /// Returns the address of a row, as far as this node knows it: of its maker, or else of one of its players.
    fn address(&self, row: &GameRow) -> Option<Address> {
        [row.creator].into_iter().chain(players(row)).find_map(|player| self.presence.address(player))
    }

    /// Sets the number of spectators of a game on this node, here and on the other nodes.
    pub(crate) fn set_spectators(&self, count: SpectatorCount) {
        let node = self.bus.node();
        self.apply_remote_count(node, count);
        self.bus.publish_to_nodes(|| NodeNews::Watching { node, count });
    }

    /// Sets the number of spectators of a game on another node.
    pub(crate) fn apply_remote_count(&self, node: NodeId, count: SpectatorCount) {
        let inner = &mut *self.inner.lock();
        let SpectatorCount { game, spectators } = inner.watching.set(node, count);
        inner.rows.set_spectators(game, spectators);
        inner.current.changed();
    }

    /// Sets the numbers of spectators of all games on another node.
    pub(crate) fn apply_remote_counts(&self, node: NodeId, counts: &[SpectatorCount]) {
        let inner = &mut *self.inner.lock();
        for SpectatorCount { game, spectators } in inner.watching.set_all(node, counts) {
            inner.rows.set_spectators(game, spectators);
        }
        inner.current.changed();
    }

    /// Returns the number of spectators on this node of each listed game. Unlisted games may be too many for one
    /// message.
    pub(crate) fn watching(&self) -> Vec<SpectatorCount> {
        let inner = self.inner.lock();
        let mut watching = inner.watching.of(self.bus.node());
        watching.retain(|count| inner.rows.counts_spectators_of(count.game));
        watching
    }

    /// Shows the open rooms of a player who is [present again](crate::presence::PresenceGuard::is_new).
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn welcome(&self, player: PlayerId, store: &dyn Store) -> Result<(), StoreError> {
        let reading = self.inner.lock().readings.begin(player);
        let stored = self.unfinished_games_of(player, store).await?;
        let mut inner = self.inner.lock();
        for room in inner.come_back(reading.games(&stored), &self.directory, |room| self.address(room)) {
            let names = |id| self.directory.player_with_id(id);
            self.bus.publish_to_nodes(|| NodeNews::row(room, &names));
        }
        Ok(())
    }

    /// Subscribes a player's connection: it is sent the lobby and all later changes.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn watch(
        &self,
        player: PlayerId,
        outbox: &Outbox,
        store: &dyn Store,
    ) -> Result<(), StoreError> {
        let reading = self.inner.lock().readings.begin(player);
        let stored = self.unfinished_games_of(player, store).await?;
        self.show(player, outbox, &reading, &stored);
        Ok(())
    }

    /// Reads the open rooms, the games under way and the challenges of a player.
    async fn unfinished_games_of(
        &self,
        player: PlayerId,
        store: &dyn Store,
    ) -> Result<Vec<GameRow>, StoreError> {
        let all = first(SHOWN + MAX_CHALLENGES_TO as usize);
        let games = store.list(List::UnfinishedGamesOf(player), all).await?.games;
        self.directory.load(games.iter().flat_map(convert::mentioned)).await?;
        Ok(games)
    }

    /// Sends the lobby with the stored own games and their changes since.
    fn show(&self, player: PlayerId, outbox: &Outbox, reading: &Reading, stored: &[GameRow]) {
        let mut shown = self.inner.lock().shown(&self.directory);
        loop {
            let n_changes = reading.n_changes();
            let lobby = shown.frame(reading.games(stored), &self.directory);
            let spectators = shown.spectators.clone();
            let counts = frame(&ServerMessage::LobbyCounts { players: self.presence.count(), spectators });
            let inner = &mut *self.inner.lock();
            if inner.current.is(&shown) && reading.n_changes() == n_changes {
                outbox.push(lobby);
                outbox.push(counts);
                let games = inner.current.since(player, &self.directory);
                if !games.is_empty() {
                    outbox.send(&ServerMessage::LobbyChanged { games, gone: vec![] });
                }
                inner.readers.add(player, outbox.clone());
                return;
            }
            shown = inner.shown(&self.directory);
        }
    }

    /// Subscribes a player's connection to [`ServerMessage::Turns`].
    pub(crate) fn watch_turns(&self, player: PlayerId, outbox: Outbox) {
        self.inner.lock().turn_readers.add(player, outbox);
    }

    /// Removes a connection that has ended.
    pub(crate) fn forget(&self, player: PlayerId, connection: ConnectionId) {
        let inner = &mut *self.inner.lock();
        inner.readers.remove(player, connection);
        inner.turn_readers.remove(player, connection);
    }

    /// Unsubscribes a connection, if it is subscribed.
    pub(crate) fn unwatch(&self, player: PlayerId, connection: ConnectionId) {
        self.inner.lock().readers.remove(player, connection);
    }

    /// Returns the names of the players of a public game, if the lobby has it.
    pub(crate) fn names(&self, game: GameId) -> Option<BySide<PlayerName>> {
        self.inner.lock().rows.names(game, &self.directory)
    }

    /// Returns at most `limit` visible open rooms made before `before`, newest first, and whether there are more.
    pub(crate) fn rooms(&self, before: Option<GameId>, limit: usize) -> (Vec<GameSummary>, bool) {
        let inner = self.inner.lock();
        let is_behind = |room: &&GameRow| before.is_none_or(|before| room.id < before);
        let mut rooms = inner.rows.rooms().into_iter().filter(is_behind);
        let shown = rooms.by_ref().take(limit).cloned();
        (shown.map(|room| convert::summary(room, &self.directory)).collect(), rooms.next().is_some())
    }

    /// Sends updates to readers, until `stop`.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        for tick in 0_u64.. {
            tokio::select! {
                _ = ticks.tick() => self.tick(tick.is_multiple_of(TICKS_PER_SECOND)),
                () = stop.cancelled() => return,
            }
        }
    }

    /// Sends an update to readers; once a second also about the number of players.
    fn tick(&self, is_second_over: bool) {
        if is_second_over {
            self.presence.evict_gone();
        }
        let news = self.next_news(is_second_over);
        let encoded = news.and_then(|news| EncodedNews::of(news, &self.directory));
        let inner = &mut *self.inner.lock();
        if let Some(news) = encoded {
            inner.readers.broadcast_news(&news);
        }
        if is_second_over {
            inner.broadcast_counts(self.presence.count());
        }
    }

    /// Returns the changes for readers since the last tick; `None` if there are no readers.
    fn next_news(&self, is_second_over: bool) -> Option<News> {
        let inner = &mut *self.inner.lock();
        if is_second_over && inner.rows.close_left_rooms(|player| self.presence.is_gone(player)) {
            inner.diff.changed();
            inner.current.changed();
        }
        inner.current.tick();
        inner.next_news()
    }
}

impl Inner {
    /// Returns the lists for new readers.
    fn shown(&mut self, directory: &Directory) -> Arc<LobbySnapshot> {
        let (shown, is_new) = self.current.get(&self.rows, directory);
        if is_new {
            self.diff.show(&self.rows, self.readers.is_empty());
        }
        shown
    }

    fn next_news(&mut self) -> Option<News> {
        if self.readers.is_empty() {
            self.current.clear();
            self.diff.clear();
            return None;
        }
        if self.diff.is_due() {
            self.current.clear();
        }
        let news = self.diff.news(&self.rows);
        for game in &news.games[..news.n_new] {
            self.rows.recount(game.id);
        }
        Some(news)
    }

    fn broadcast_counts(&mut self, players: u32) {
        let spectators = self.rows.take_changed_counts();
        if players != self.players || !spectators.is_empty() {
            self.players = players;
            self.current.clear();
            self.readers.broadcast(&ServerMessage::LobbyCounts { players, spectators });
        }
    }

    /// Shows the open rooms among the games of a player who has returned.
    fn come_back(
        &mut self,
        games: Vec<GameRow>,
        directory: &Directory,
        address: impl Fn(&GameRow) -> Option<Address>,
    ) -> Vec<GameRow> {
        let is_shown = |room: &GameRow| room.status == Status::Open && room.visibility == Visibility::Public;
        let rooms: Vec<_> = games.into_iter().filter(is_shown).collect();
        for room in &rooms {
            if self.rows.apply(room, directory, || address(room)) {
                self.diff.changed();
                self.current.record(room);
            }
        }
        rooms
    }
}

/// The first page of a list.
fn first(limit: usize) -> Paging {
    Paging { before: None, limit: u32::try_from(limit).expect("a small number") }
}

/// Redacts a row for readers who do not play in the game: if spectators are delayed, it does not reveal the progress of
/// the game.
fn for_others(game: &GameRow, names: &impl Names) -> GameSummary {
    if is_seen_later(game) {
        convert::summary_without_progress(game.clone(), names)
    } else {
        convert::summary(game.clone(), names)
    }
}

/// Whether spectators of the game are delayed.
fn is_seen_later(game: &GameRow) -> bool {
    game.status == Status::Playing && game.delay != Delay::default()
}

/// Returns the players of a game, or the maker of a room and the player whom it challenges, each once.
fn players(game: &GameRow) -> Vec<PlayerId> {
    match &game.seats {
        Some(seats) if seats.are_of_one_player() => vec![seats.first],
        Some(seats) => vec![seats.first, seats.second],
        None => [game.creator].into_iter().chain(game.challenged).collect(),
    }
}
