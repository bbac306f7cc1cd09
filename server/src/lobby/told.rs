//! What the readers of the lobby know, and what they are still to be told.

use std::collections::{HashMap, HashSet};

use super::{BATCH, TICKS_PER_SECOND, is_seen_later, rows::Rows};
use crate::{
    game::Status,
    ids::{GameId, Version},
    store::GameRow,
};

/// Before the first tick.
const NEVER: u64 = 0;

/// What all readers were told of a game.
#[derive(Clone, Copy, Debug)]
struct Known {
    status: Status,
    version: Version,
    /// The tick at which they were told.
    tick: u64,
}

/// The rows that readers know. It is no larger than the lists that are shown and what has left them since the last tick.
#[derive(Debug)]
pub(super) struct Told {
    /// `None` for a row that some readers know and others are still to be told.
    known: HashMap<GameId, Option<Known>>,
    tick: u64,
    /// Whether there may be something to tell.
    is_due: bool,
}

/// What is told at once.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Those first that are new to readers.
    pub(super) games: Vec<GameRow>,
    pub(super) n_new: usize,
    pub(super) gone: Vec<GameId>,
}

impl Default for Told {
    fn default() -> Self {
        Self { known: HashMap::new(), tick: NEVER + 1, is_due: false }
    }
}

impl Told {
    /// Takes note that a row has changed.
    pub(super) fn changed(&mut self) {
        self.is_due = true;
    }

    /// Whether there may be something to tell.
    pub(super) fn is_due(&self) -> bool {
        self.is_due
    }

    /// Forgets all: there are no readers.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.is_due = false;
    }

    /// Takes note that readers are shown all rows as they are now. `is_first` if there is no other reader.
    pub(super) fn show(&mut self, rows: &Rows, is_first: bool) {
        for row in shown(rows) {
            if is_first {
                self.known.insert(row.id, Some(self.known(row)));
            } else {
                self.known.entry(row.id).or_insert(None);
            }
        }
    }

    /// What readers are to be told now: what is new to them first, then games that have moved, those first that were told
    /// of the longest ago, and none more often than once a second. What does not fit waits for the next tick.
    pub(super) fn news(&mut self, rows: &Rows) -> News {
        self.tick += 1;
        if !self.is_due {
            return News::default();
        }
        let shown = shown(rows);
        let ids: HashSet<GameId> = shown.iter().map(|row| row.id).collect();
        let mut gone = Vec::new();
        self.known.retain(|game, known| {
            let is_shown = ids.contains(game);
            // Games that are over are no longer shown when later ones are: that is no news.
            if !is_shown && known.is_none_or(|known| known.status != Status::Finished) {
                gone.push(*game);
            }
            is_shown
        });
        let mut changed: Vec<(u64, &GameRow)> = Vec::new();
        let mut is_due = false;
        for row in shown {
            match self.known.get(&row.id).copied().flatten() {
                Some(known) if known.status == row.status => {
                    if row.status != Status::Playing || is_seen_later(row) || known.version >= row.version {
                        continue;
                    }
                    if known.tick + TICKS_PER_SECOND > self.tick {
                        is_due = true;
                        continue;
                    }
                    changed.push((known.tick, row));
                }
                Some(_) | None => changed.push((NEVER, row)),
            }
        }
        changed.sort_by_key(|(tick, _)| *tick);
        self.is_due = is_due || changed.len() > BATCH;
        changed.truncate(BATCH);
        for (_, row) in &changed {
            self.known.insert(row.id, Some(self.known(row)));
        }
        let n_new = changed.partition_point(|(tick, _)| *tick == NEVER);
        News { games: changed.into_iter().map(|(_, row)| row.clone()).collect(), n_new, gone }
    }

    fn known(&self, row: &GameRow) -> Known {
        Known { status: row.status, version: row.version, tick: self.tick }
    }
}

/// All rows that are shown.
fn shown(rows: &Rows) -> Vec<&GameRow> {
    [rows.rooms(), rows.live(), rows.finished()].concat()
}
