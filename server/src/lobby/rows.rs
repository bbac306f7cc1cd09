//! The public rows of the lobby: open rooms, live games, and recently finished games.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    sync::Arc,
};

use engine::BySide;
use game::{
    Status, Visibility, Watching,
    ids::{GameId, PlayerId, PlayerName, Version},
};
use protocol::{Names, SpectatorCount};
use store::{GameRow, LastChange};

use super::{
    BATCH, FINISHED, FINISHED_KEPT, KEPT, SHOWN,
    fair::{Choice, Row, surplus},
};
use crate::{
    convert,
    directory::Directory,
    net::{address::Address, limits::MAX_OPEN_ROOMS},
};

/// Maximum number of rows of one player among live or finished games.
const OF_PLAYER: usize = 2;

/// The fraction of a list that one address gets before others: a tenth.
const OF_ADDRESS: usize = 10;

/// The rows of all public games that may be joined, watched or replayed.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Open rooms with present makers. Ids sort by the time of creation.
    rooms: BTreeMap<GameId, Row>,
    live: BTreeMap<GameId, Row>,
    /// Latest first.
    finished: VecDeque<Row>,
    /// Numbers of spectators of rooms and live games; never 0.
    spectators: HashMap<GameId, u32>,
    /// Live games whose number of spectators has changed since the last update.
    counted: HashSet<GameId>,
}

impl Rows {
    /// Applies a game's new row; `address` returns its address. Returns whether the row is newer than the known one.
    pub(super) fn apply(
        &mut self,
        game: &GameRow,
        directory: &Directory,
        address: impl FnOnce() -> Option<Address>,
    ) -> bool {
        if game.visibility == Visibility::Link {
            return true;
        }
        let known = self.find(game.id);
        if known.is_some_and(|known| known.game.version >= game.version) {
            return false;
        }
        let address = known.map_or_else(address, |known| known.address);
        // A turn leaves the players as they are.
        let is_of_same = |known: &&Row| (known.game.creator, known.game.seats) == (game.creator, game.seats);
        let held = known.filter(is_of_same).map_or_else(
            || Arc::new(directory.hold(game.id, convert::mentioned(game))),
            |known| known.held.clone(),
        );
        let row = Row { game: game.clone(), address, held };
        match (game.status, game.watching) {
            (Status::Open, _) => {
                // The player who had joined it may have left.
                self.live.remove(&game.id);
                let dropped = keep(&mut self.rooms, row);
                self.remove(dropped);
            }
            (Status::Playing, Watching::Everybody) => self.play(row),
            (Status::Finished, Watching::Everybody) => self.finish(row),
            (Status::Cancelled | Status::Aborted, _)
            | (Status::Playing | Status::Finished, Watching::Nobody) => {
                self.close(game.id);
            }
        }
        true
    }

    fn find(&self, game: GameId) -> Option<&Row> {
        let shown = self.rooms.get(&game).or_else(|| self.live.get(&game));
        shown.or_else(|| self.finished.iter().find(|row| row.game.id == game))
    }

    /// The names of the players of a game with two players.
    pub(super) fn names(&self, game: GameId, names: &impl Names) -> Option<BySide<PlayerName>> {
        let seats = names.seats(self.row(game)?.seats.as_ref()?);
        Some(BySide { first: seats.first.name, second: seats.second.name })
    }

    /// The row of a game.
    pub(super) fn row(&self, game: GameId) -> Option<&GameRow> {
        self.find(game).map(|row| &row.game)
    }

    fn play(&mut self, row: Row) {
        self.rooms.remove(&row.game.id);
        let dropped = keep(&mut self.live, row);
        self.remove(dropped);
    }

    fn finish(&mut self, row: Row) {
        self.close(row.game.id);
        self.finished.retain(|known| known.game.id != row.game.id);
        // Games that ended on another node may arrive late.
        let place = self.finished.partition_point(|known| known.game.updated_ms > row.game.updated_ms);
        self.finished.insert(place, row);
        if self.finished.len() > FINISHED_KEPT {
            let surplus = surplus(self.finished.iter().rev());
            self.finished.retain(|row| Some(row.game.id) != surplus);
        }
    }

    /// Removes a room or a live game.
    fn close(&mut self, game: GameId) {
        self.remove(Some(game));
        self.rooms.remove(&game);
        self.live.remove(&game);
    }

    /// Removes a game if its row has this version. Returns whether it had.
    pub(super) fn remove_version(&mut self, game: GameId, version: Version) -> bool {
        let is_known = self.find(game).is_some_and(|row| row.game.version == version);
        if is_known {
            self.close(game);
            self.finished.retain(|row| row.game.id != game);
        }
        is_known
    }

    /// Removes the spectators of a game, if one is given.
    fn remove(&mut self, game: Option<GameId>) {
        if let Some(game) = game {
            self.spectators.remove(&game);
            self.counted.remove(&game);
        }
    }

    /// Removes open rooms with absent makers. Returns whether there were any.
    pub(super) fn close_left_rooms(&mut self, is_gone: impl Fn(PlayerId) -> bool) -> bool {
        let left = self.rooms.values().map(|row| &row.game).filter(|room| is_gone(room.creator));
        let left: Vec<_> = left.map(|room| room.id).collect();
        for room in &left {
            self.close(*room);
        }
        !left.is_empty()
    }

    /// Includes the spectators of a live game in the next update, since readers see it for the first time.
    pub(super) fn recount(&mut self, game: GameId) {
        if self.live.contains_key(&game) && self.spectators.contains_key(&game) {
            self.counted.insert(game);
        }
    }

    /// Removes and returns some of the changed counts for an update.
    pub(super) fn take_changed_counts(&mut self) -> Vec<SpectatorCount> {
        let told = take_some(&mut self.counted);
        told.into_iter().map(|game| SpectatorCount { game, spectators: self.spectators_of(game) }).collect()
    }

    /// Sets the number of spectators of a game. Unlisted games are ignored.
    pub(super) fn set_spectators(&mut self, game: GameId, spectators: u32) {
        if spectators == self.spectators_of(game) || !self.counts_spectators_of(game) {
            return;
        }
        if spectators == 0 {
            self.spectators.remove(&game);
        } else {
            self.spectators.insert(game, spectators);
        }
        if self.live.contains_key(&game) {
            self.counted.insert(game);
        }
    }

    /// Whether this is an open room or a live game.
    pub(super) fn counts_spectators_of(&self, game: GameId) -> bool {
        self.live.contains_key(&game) || self.rooms.contains_key(&game)
    }

    fn spectators_of(&self, game: GameId) -> u32 {
        self.spectators.get(&game).copied().unwrap_or_default()
    }

    /// The visible open rooms, newest first. Nobody has more than [`MAX_OPEN_ROOMS`].
    pub(super) fn rooms(&self) -> Vec<&GameRow> {
        let of_player = MAX_OPEN_ROOMS as usize;
        Choice { rows: SHOWN, of_player, of_address: SHOWN / OF_ADDRESS }.of(self.rooms.values().rev())
    }

    /// The visible live games, newest first.
    pub(super) fn live(&self) -> Vec<&GameRow> {
        let choice = Choice { rows: SHOWN, of_player: OF_PLAYER, of_address: SHOWN / OF_ADDRESS };
        choice.of(self.live.values().rev())
    }

    /// The visible finished games, latest first.
    pub(super) fn finished(&self) -> Vec<&GameRow> {
        let choice = Choice { rows: FINISHED, of_player: OF_PLAYER, of_address: FINISHED / OF_ADDRESS };
        choice.of(self.finished.iter())
    }

    /// The last known changes of all games.
    pub(super) fn last_changes(&self) -> HashMap<GameId, LastChange> {
        let rows = self.rooms.values().chain(self.live.values()).chain(&self.finished);
        rows.map(|row| (row.game.id, row.game.last_change())).collect()
    }

    /// The spectator counts of all live games.
    pub(super) fn counts(&self) -> Vec<SpectatorCount> {
        let counts = self.spectators.iter().filter(|(game, _)| self.live.contains_key(game));
        counts.map(|(&game, &spectators)| SpectatorCount { game, spectators }).collect()
    }
}

/// Inserts a row. If there are too many then, one is dropped, possibly this one, and its id returned.
fn keep(rows: &mut BTreeMap<GameId, Row>, row: Row) -> Option<GameId> {
    rows.insert(row.game.id, row);
    let dropped = if rows.len() > KEPT { surplus(rows.values()) } else { None };
    dropped.and_then(|game| rows.remove(&game)).map(|row| row.game.id)
}

/// Removes at most [`BATCH`] games and returns them.
fn take_some(games: &mut HashSet<GameId>) -> Vec<GameId> {
    let told: Vec<_> = games.iter().take(BATCH).copied().collect();
    for game in &told {
        games.remove(game);
    }
    told
}
