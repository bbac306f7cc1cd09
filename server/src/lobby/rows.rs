//! What anybody may see in the lobby: the rows of open rooms, live games and games that ended lately.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::{
    BATCH, FINISHED, FINISHED_KEPT, KEPT, SHOWN,
    fair::{Choice, Row, surplus},
};
use crate::{
    address::Address,
    game::{Status, Visibility, Watching},
    ids::{GameId, PlayerId, Version},
    limits::MAX_OPEN_ROOMS,
    protocol::SpectatorCount,
    store::GameRow,
};

/// Rows of one player among live or finished games.
const OF_PLAYER: usize = 2;

/// The part of a list that one address has before others: a tenth.
const OF_ADDRESS: usize = 10;

/// The rows of all public games that may be joined, watched or replayed.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Open rooms whose makers are not gone. Ids sort by the time they were made.
    rooms: BTreeMap<GameId, Row>,
    live: BTreeMap<GameId, Row>,
    /// The last ended first.
    finished: VecDeque<Row>,
    /// Those who watch, for rooms and live games that have any.
    spectators: HashMap<GameId, u32>,
    /// Live games whose spectators have changed since they were last told.
    counted: HashSet<GameId>,
}

impl Rows {
    /// Takes a game's new row; `address` tells where it comes from. Tells whether it is newer than what was known.
    pub(super) fn apply(&mut self, game: &GameRow, address: impl FnOnce() -> Option<Address>) -> bool {
        if game.visibility == Visibility::Link {
            return true;
        }
        let known = self.find(game.id);
        if known.is_some_and(|known| known.game.version >= game.version) {
            return false;
        }
        let address = known.map_or_else(address, |known| known.address);
        let row = Row { game: game.clone(), address };
        match (game.status, game.watching) {
            (Status::Open, _) => {
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

    fn play(&mut self, row: Row) {
        self.rooms.remove(&row.game.id);
        let dropped = keep(&mut self.live, row);
        self.remove(dropped);
    }

    fn finish(&mut self, row: Row) {
        self.close(row.game.id);
        self.finished.retain(|known| known.game.id != row.game.id);
        // One that ended on another node may be heard of late.
        let place = self.finished.partition_point(|known| known.game.updated_ms > row.game.updated_ms);
        self.finished.insert(place, row);
        if self.finished.len() > FINISHED_KEPT {
            let surplus = surplus(self.finished.iter().rev());
            self.finished.retain(|row| Some(row.game.id) != surplus);
        }
    }

    /// Takes a room or a live game away.
    fn close(&mut self, game: GameId) {
        self.remove(Some(game));
        self.rooms.remove(&game);
        self.live.remove(&game);
    }

    /// Forgets all of a game but its row.
    fn remove(&mut self, game: Option<GameId>) {
        if let Some(game) = game {
            self.spectators.remove(&game);
            self.counted.remove(&game);
        }
    }

    /// Takes away open rooms whose makers are gone; tells whether there were any.
    pub(super) fn close_left_rooms(&mut self, is_gone: impl Fn(PlayerId) -> bool) -> bool {
        let left = self.rooms.values().map(|row| &row.game).filter(|room| is_gone(room.creator.id));
        let left: Vec<_> = left.map(|room| room.id).collect();
        for room in &left {
            self.close(*room);
        }
        !left.is_empty()
    }

    /// Has the spectators of a live game told, which readers begin to be shown.
    pub(super) fn recount(&mut self, game: GameId) {
        if self.live.contains_key(&game) && self.spectators.contains_key(&game) {
            self.counted.insert(game);
        }
    }

    /// Some of the counts of spectators that are still to be told.
    pub(super) fn take_changed_counts(&mut self) -> Vec<SpectatorCount> {
        let told = take_some(&mut self.counted);
        told.into_iter().map(|game| SpectatorCount { game, spectators: self.spectators_of(game) }).collect()
    }

    /// Takes note of how many watch a game. Those of games that nobody is shown are not counted.
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

    /// The open rooms that are shown, the newest first. Nobody has more than [`MAX_OPEN_ROOMS`].
    pub(super) fn rooms(&self) -> Vec<&GameRow> {
        let of_player = MAX_OPEN_ROOMS as usize;
        Choice { rows: SHOWN, of_player, of_address: SHOWN / OF_ADDRESS }.of(self.rooms.values().rev())
    }

    /// The live games that are shown, the newest first.
    pub(super) fn live(&self) -> Vec<&GameRow> {
        let choice = Choice { rows: SHOWN, of_player: OF_PLAYER, of_address: SHOWN / OF_ADDRESS };
        choice.of(self.live.values().rev())
    }

    /// The games that are over and shown, the last ended first.
    pub(super) fn finished(&self) -> Vec<&GameRow> {
        let choice = Choice { rows: FINISHED, of_player: OF_PLAYER, of_address: FINISHED / OF_ADDRESS };
        choice.of(self.finished.iter())
    }

    /// Games of which there will be news, with the versions that are known.
    pub(super) fn unfinished(&self) -> HashMap<GameId, Version> {
        self.rooms.values().chain(self.live.values()).map(|row| (row.game.id, row.game.version)).collect()
    }

    /// All counts of spectators of live games.
    pub(super) fn counts(&self) -> Vec<SpectatorCount> {
        let counts = self.spectators.iter().filter(|(game, _)| self.live.contains_key(game));
        counts.map(|(&game, &spectators)| SpectatorCount { game, spectators }).collect()
    }
}

/// Puts a row among those of its kind. If there are too many then, the one that gives way is dropped, which may be this
/// one.
fn keep(rows: &mut BTreeMap<GameId, Row>, row: Row) -> Option<GameId> {
    rows.insert(row.game.id, row);
    let dropped = if rows.len() > KEPT { surplus(rows.values()) } else { None };
    dropped.and_then(|game| rows.remove(&game)).map(|row| row.game.id)
}

/// Takes as many as are told at once.
fn take_some(games: &mut HashSet<GameId>) -> Vec<GameId> {
    let told: Vec<_> = games.iter().take(BATCH).copied().collect();
    for game in &told {
        games.remove(game);
    }
    told
}
