use std::{collections::HashMap, sync::Arc};

use tokio::sync::OnceCell;

use super::Archived;
use crate::{
    ids::{GameId, Version},
    metrics::METRICS,
};

/// The part of the bound that is freed at once, so that not each further game has all others looked at.
const FREED_AT_ONCE: usize = 8;

/// A game that is being read, or was.
pub(super) type Cell = Arc<OnceCell<Arc<Archived>>>;

/// Games that are over: those that are being read, and the ones that were asked for last.
#[derive(Debug)]
pub(super) struct Cache {
    games: HashMap<GameId, Entry>,
    limit: usize,
    /// Bytes of all that were read.
    n_bytes: usize,
    /// Counts what is asked for.
    n_asked: u64,
}

#[derive(Debug)]
struct Entry {
    /// The version that the game's row has, which talk of a rematch still changes.
    version: Version,
    cell: Cell,
    /// 0 while it is being read.
    n_bytes: usize,
    /// What was asked for until it was asked for last.
    asked: u64,
}

impl Cache {
    pub(super) fn new(limit: usize) -> Self {
        Self { games: HashMap::new(), limit, n_bytes: 0, n_asked: 0 }
    }

    /// The place of a version of a game, which is empty if nobody has asked for it lately.
    pub(super) fn cell(&mut self, game: GameId, version: Version) -> Cell {
        self.n_asked += 1;
        let asked = self.n_asked;
        if let Some(entry) = self.games.get_mut(&game).filter(|entry| entry.version == version) {
            entry.asked = asked;
            return entry.cell.clone();
        }
        let entry = Entry { version, cell: Cell::default(), n_bytes: 0, asked };
        let cell = entry.cell.clone();
        let older = self.games.insert(game, entry);
        self.count_out(older.map_or(0, |older| older.n_bytes));
        cell
    }

    /// Counts a game that was read. Those that were not asked for the longest go if there are too many bytes.
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

    /// Takes a game out that was not read.
    pub(super) fn forget(&mut self, game: GameId, cell: &Cell) {
        // Somebody else may have begun to wait for it: then that one reads it now.
        let is_waited_for = Arc::strong_count(cell) > 2;
        if !is_waited_for && self.games.get(&game).is_some_and(|entry| Arc::ptr_eq(&entry.cell, cell)) {
            self.games.remove(&game);
        }
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

    #[cfg(test)]
    pub(super) fn contents(&self) -> (usize, usize) {
        (self.games.len(), self.n_bytes)
    }
}
