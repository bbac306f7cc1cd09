//! A player's own games, read from the store while they may change.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use game::{
    Status,
    ids::{GameId, PlayerId},
};
use parking_lot::Mutex;
use store::GameRow;

use super::players;

/// The reads in progress.
#[derive(Clone, Debug, Default)]
pub(super) struct Readings(Arc<Mutex<UnderWay>>);

#[derive(Debug, Default)]
struct UnderWay {
    n_begun: u64,
    /// For each read, its player and the rows changed since it began.
    changes: HashMap<u64, (PlayerId, Vec<GameRow>)>,
}

/// A read of a player's games. Changed rows are collected until it is dropped.
#[derive(Debug)]
pub(super) struct Reading {
    readings: Readings,
    number: u64,
}

impl Readings {
    /// Begins a read of a player's games.
    pub(super) fn begin(&self, player: PlayerId) -> Reading {
        let mut under_way = self.0.lock();
        let number = under_way.n_begun;
        under_way.n_begun += 1;
        under_way.changes.insert(number, (player, Vec::new()));
        Reading { readings: self.clone(), number }
    }

    /// Whether no read is in progress.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().changes.is_empty()
    }

    /// Records a game's new row.
    pub(super) fn record(&self, row: &GameRow) {
        let players = players(row);
        for (player, changes) in self.0.lock().changes.values_mut() {
            if players.contains(player) {
                changes.push(row.clone());
            }
        }
    }
}

impl Reading {
    /// Returns the unfinished games, newest first: the stored ones, with the changes since.
    pub(super) fn games(&self, stored: &[GameRow]) -> Vec<GameRow> {
        let mut games: BTreeMap<GameId, GameRow> = stored.iter().map(|row| (row.id, row.clone())).collect();
        let under_way = self.readings.0.lock();
        for row in under_way.changes.get(&self.number).into_iter().flat_map(|(_, rows)| rows) {
            if games.get(&row.id).is_none_or(|known| known.version < row.version) {
                games.insert(row.id, row.clone());
            }
        }
        games.into_values().rev().filter(is_not_over).collect()
    }

    /// Number of changes so far.
    pub(super) fn n_changes(&self) -> usize {
        self.readings.0.lock().changes.get(&self.number).map_or(0, |(_, rows)| rows.len())
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.readings.0.lock().changes.remove(&self.number);
    }
}

fn is_not_over(game: &GameRow) -> bool {
    match game.status {
        Status::Open | Status::Playing => true,
        Status::Finished | Status::Aborted | Status::Cancelled => false,
    }
}
