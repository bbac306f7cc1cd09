use std::{collections::HashMap, sync::Arc};

use game::ids::GameId;
use store::LastChange;
use tokio::sync::OnceCell;

use super::Archived;
use crate::metrics::METRICS;

/// Fraction of the limit that one eviction frees, so that not every further game has to search all others.
const FREED_AT_ONCE: usize = 8;

/// A game that is being read, or has been read.
pub(super) type Cell = Arc<OnceCell<Arc<Archived>>>;

/// Cache of finished games: those being read, and the most recently requested ones.
#[derive(Debug)]
pub(super) struct Cache {
    games: HashMap<GameId, Entry>,
    limit: usize,
    /// Total bytes of the games that have been read.
    n_bytes: usize,
    /// Number of requests so far.
    n_asked: u64,
}

#[derive(Debug)]
struct Entry {
    /// Last change of the game's row. The version of a finished game still grows with rematch offers.
    last_change: LastChange,
    cell: Cell,
    /// 0 while the game is being read.
    n_bytes: usize,
    /// Value of the request counter at the last request.
    asked: u64,
}

impl Cache {
    /// Returns an empty cache of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { games: HashMap::new(), limit, n_bytes: 0, n_asked: 0 }
    }

    /// Returns the cell of a game with this last change; it is empty unless the game was requested recently.
    pub(super) fn cell(&mut self, game: GameId, last_change: LastChange) -> Cell {
        self.n_asked += 1;
        let asked = self.n_asked;
        if let Some(entry) = self.games.get_mut(&game).filter(|entry| entry.last_change == last_change) {
            entry.asked = asked;
            return entry.cell.clone();
        }
        let entry = Entry { last_change, cell: Cell::default(), n_bytes: 0, asked };
        let cell = entry.cell.clone();
        let older = self.games.insert(game, entry);
        self.count_out(older.map_or(0, |older| older.n_bytes));
        cell
    }

    /// Counts a game that has been read. Evicts the least recently requested ones if there are too many bytes.
    pub(super) fn keep(&mut self, game: GameId, cell: &Cell) {
        let Some(entry) = self.games.get_mut(&game).filter(|entry| Arc::ptr_eq(&entry.cell, cell)) else {
            return;
        };
        if entry.n_bytes == 0 {
            entry.n_bytes = cell.get().map_or(0, |archived| archived.n_bytes());
            self.n_bytes += entry.n_bytes;
            self.count_out(0);
        }
        if self.n_bytes > self.limit {
            self.shrink();
        }
    }

    /// Removes a game that could not be read.
    pub(super) fn remove(&mut self, game: GameId, cell: &Cell) {
        // If another task waits for the cell, it reads the game now.
        let is_waited_for = Arc::strong_count(cell) > 2;
        if !is_waited_for && self.games.get(&game).is_some_and(|entry| Arc::ptr_eq(&entry.cell, cell)) {
            self.games.remove(&game);
        }
    }

    /// Removes a game that is out of date. Whoever reads it now does not put it back.
    pub(super) fn forget(&mut self, game: GameId) {
        let gone = self.games.remove(&game);
        self.count_out(gone.map_or(0, |gone| gone.n_bytes));
    }

    fn shrink(&mut self) {
        let read = self.games.iter().filter(|(_, entry)| entry.n_bytes > 0);
        let mut by_use: Vec<(u64, GameId)> = read.map(|(game, entry)| (entry.asked, *game)).collect();
        by_use.sort_unstable();
        for (_, game) in by_use {
            if self.n_bytes <= self.limit - self.limit / FREED_AT_ONCE {
                break;
            }
            let gone = self.games.remove(&game);
            self.count_out(gone.map_or(0, |gone| gone.n_bytes));
        }
    }

    fn count_out(&mut self, n_bytes: usize) {
        self.n_bytes -= n_bytes;
        METRICS.archive_bytes.set(i64::try_from(self.n_bytes).unwrap_or(i64::MAX));
    }

    /// The number of games and their bytes.
    #[cfg(test)]
    pub(super) fn contents(&self) -> (usize, usize) {
        (self.games.len(), self.n_bytes)
    }
}
