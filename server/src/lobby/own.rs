//! A player's own games, read from the store while they may change.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use super::players;
use crate::{
    ids::{GameId, PlayerId},
    protocol::{GameSummary, Status},
};

/// Rows that came since a reading began.
type Changes = Mutex<Vec<GameSummary>>;

/// The readings that are under way. One that is given up takes no more notes.
#[derive(Debug, Default)]
pub(super) struct Readings(Vec<(PlayerId, Weak<Changes>)>);

/// The store is asked for the games of a player, and what changes meanwhile is noted.
#[derive(Debug)]
pub(super) struct Reading(Arc<Changes>);

impl Readings {
    pub(super) fn begin(&mut self, player: PlayerId) -> Reading {
        let changes = Arc::<Changes>::default();
        self.0.push((player, Arc::downgrade(&changes)));
        Reading(changes)
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes note of a game's new row.
    pub(super) fn note(&mut self, row: &GameSummary) {
        let players = players(row);
        self.0.retain(|(player, changes)| match changes.upgrade() {
            Some(changes) if players.contains(player) => {
                changes.lock().unwrap_or_else(PoisonError::into_inner).push(row.clone());
                true
            }
            reading => reading.is_some(),
        });
    }
}

impl Reading {
    /// The games that are not over, the newest first: those that the store had, with what has changed since. It
    /// must be asked and used while no row can come.
    pub(super) fn end(self, stored: Vec<GameSummary>) -> Vec<GameSummary> {
        let mut games: BTreeMap<GameId, GameSummary> = stored.into_iter().map(|row| (row.id, row)).collect();
        for row in self.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if games.get(&row.id).is_none_or(|known| known.version < row.version) {
                games.insert(row.id, row);
            }
        }
        games.into_values().rev().filter(is_not_over).collect()
    }
}

fn is_not_over(game: &GameSummary) -> bool {
    match game.status {
        Status::Open | Status::Playing => true,
        Status::Finished | Status::Aborted | Status::Cancelled => false,
    }
}
