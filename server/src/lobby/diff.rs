//! The rows that the readers of the lobby know, and the updates that they still need.

use std::collections::{HashMap, HashSet};

use game::{
    Status,
    ids::{GameId, Version},
};
use store::GameRow;

use super::{BATCH, TICKS_PER_SECOND, is_seen_later, rows::Rows};

/// The tick of rows that were never sent.
const NEVER: u64 = 0;

/// The row of a game as all readers know it.
#[derive(Clone, Copy, Debug)]
struct SentRow {
    status: Status,
    version: Version,
    /// The tick of the last update.
    tick: u64,
}

/// The rows that readers know. Their number is bounded by the visible lists and the rows that have left them since the
/// last tick.
#[derive(Debug)]
pub(super) struct LobbyDiff {
    /// `None` for a row that some readers know and others do not.
    known: HashMap<GameId, Option<SentRow>>,
    tick: u64,
    /// Whether there may be changes.
    is_due: bool,
}

/// An update.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Rows that are new to readers come first.
    pub(super) games: Vec<GameRow>,
    pub(super) n_new: usize,
    pub(super) gone: Vec<GameId>,
}

impl Default for LobbyDiff {
    fn default() -> Self {
        Self { known: HashMap::new(), tick: NEVER + 1, is_due: false }
    }
}

impl LobbyDiff {
    /// Records that a row has changed.
    pub(super) fn changed(&mut self) {
        self.is_due = true;
    }

    /// Records that readers know an old form of a row.
    pub(super) fn show_again(&mut self, game: GameId) {
        if let Some(known) = self.known.get_mut(&game) {
            *known = None;
            self.is_due = true;
        }
    }

    /// Whether there may be changes.
    pub(super) fn is_due(&self) -> bool {
        self.is_due
    }

    /// Clears all rows: there are no readers.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.is_due = false;
    }

    /// Records that new readers are sent all current rows. `is_first` if there is no other reader.
    pub(super) fn show(&mut self, rows: &Rows, is_first: bool) {
        for row in shown(rows) {
            if is_first {
                self.known.insert(row.id, Some(self.known(row)));
            } else {
                self.known.entry(row.id).or_insert(None);
            }
        }
    }

    /// Returns the next update: first rows that are new to readers, then games that have moved, longest without update
    /// first, each at most once a second. The rest waits for the next tick.
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
            // Finished games leave the list when later ones end, which is no news.
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

    fn known(&self, row: &GameRow) -> SentRow {
        SentRow { status: row.status, version: row.version, tick: self.tick }
    }
}

/// All visible rows.
fn shown(rows: &Rows) -> Vec<&GameRow> {
    [rows.rooms(), rows.live(), rows.finished()].concat()
}
