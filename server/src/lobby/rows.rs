//! What anybody may see in the lobby: the rows of open rooms, live games and games that ended lately.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::{BATCH, FINISHED, KEPT, is_seen_later};
use crate::{
    ids::{GameId, PlayerId, Version},
    protocol::{GameSummary, Status, Visibility, WatcherCount, Watching},
};

/// The rows of all public games that may be joined, watched or replayed.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Open rooms whose makers are not gone. Ids sort by the time they were made.
    rooms: BTreeMap<GameId, GameSummary>,
    live: BTreeMap<GameId, GameSummary>,
    /// The last ended first.
    finished: VecDeque<GameSummary>,
    /// Those who watch, for rooms and live games that have any.
    watchers: HashMap<GameId, u32>,
    /// Live games whose turn has changed since it was last told.
    moved: HashSet<GameId>,
    /// Live games whose watchers have changed since they were last told.
    counted: HashSet<GameId>,
}

/// What is to be told of a game's new row to those who do not play in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// The row.
    Changed,
    /// The row, with the next batch.
    Moved,
    /// That they see the game no more.
    Left,
    /// Nothing: it is none of their business, or nothing that they see has changed.
    Nothing,
    /// Nothing to anybody: it is no newer than what was told.
    Known,
}

impl Rows {
    /// Takes a game's new row.
    pub(super) fn take(&mut self, row: &GameSummary) -> News {
        if row.visibility == Visibility::Link {
            return News::Nothing;
        }
        if self.find(row.id).is_some_and(|known| known.version >= row.version) {
            return News::Known;
        }
        match (row.status, row.watching) {
            (Status::Open, _) => self.open(row),
            (Status::Playing, Watching::Everybody) => self.play(row),
            (Status::Finished, Watching::Everybody) => self.finish(row),
            (Status::Cancelled | Status::Aborted, Watching::Everybody)
            | (Status::Cancelled, Watching::Nobody) => self.leave(row.id, News::Changed),
            (Status::Playing | Status::Finished | Status::Aborted, Watching::Nobody) => {
                self.leave(row.id, News::Left)
            }
        }
    }

    fn find(&self, game: GameId) -> Option<&GameSummary> {
        let shown = self.rooms.get(&game).or_else(|| self.live.get(&game));
        shown.or_else(|| self.finished.iter().find(|row| row.id == game))
    }

    fn open(&mut self, row: &GameSummary) -> News {
        if let Some(dropped) = keep(&mut self.rooms, row) {
            self.forget(dropped);
        }
        News::Changed
    }

    fn play(&mut self, row: &GameSummary) -> News {
        self.rooms.remove(&row.id);
        let was_live = self.live.contains_key(&row.id);
        let dropped = keep(&mut self.live, row);
        if let Some(dropped) = dropped {
            self.forget(dropped);
        }
        if dropped == Some(row.id) {
            return News::Nothing;
        }
        if was_live && is_seen_later(row) {
            return News::Nothing;
        }
        if was_live {
            self.moved.insert(row.id);
            return News::Moved;
        }
        if self.watchers.contains_key(&row.id) {
            self.counted.insert(row.id);
        }
        News::Changed
    }

    fn finish(&mut self, row: &GameSummary) -> News {
        self.close(row.id);
        // What follows the end of a game, as a rematch, is nothing that a list shows.
        if let Some(known) = self.finished.iter_mut().find(|known| known.id == row.id) {
            *known = row.clone();
            return News::Nothing;
        }
        // One that ended on another node may be heard of late.
        let place = self.finished.partition_point(|known| known.updated_ms > row.updated_ms);
        self.finished.insert(place, row.clone());
        self.finished.truncate(FINISHED);
        News::Changed
    }

    /// Takes a game away; there is only news of one that was shown.
    fn leave(&mut self, game: GameId, news: News) -> News {
        if self.close(game) { news } else { News::Nothing }
    }

    /// Takes a game away; tells whether it was shown.
    fn close(&mut self, game: GameId) -> bool {
        self.forget(game);
        let room = self.rooms.remove(&game);
        room.or_else(|| self.live.remove(&game)).is_some()
    }

    /// Forgets all of a game but its row.
    fn forget(&mut self, game: GameId) {
        self.watchers.remove(&game);
        self.moved.remove(&game);
        self.counted.remove(&game);
    }

    /// Takes away open rooms whose makers are gone, as many as are told at once.
    pub(super) fn take_left_rooms(&mut self, is_gone: impl Fn(PlayerId) -> bool) -> Vec<GameId> {
        let left = self.rooms.values().filter(|room| is_gone(room.creator.id));
        let left: Vec<_> = left.map(|room| room.id).take(BATCH).collect();
        for room in &left {
            self.close(*room);
        }
        left
    }

    /// The rows of some of the games whose turns are still to be told.
    pub(super) fn take_moved(&mut self) -> Vec<GameSummary> {
        let told = take_some(&mut self.moved);
        told.iter().filter_map(|game| self.live.get(game)).cloned().collect()
    }

    /// Some of the counts of watchers that are still to be told.
    pub(super) fn take_counted(&mut self) -> Vec<WatcherCount> {
        let told = take_some(&mut self.counted);
        told.into_iter().map(|game| WatcherCount { game, watchers: self.watchers_of(game) }).collect()
    }

    /// Takes note of how many watch a game. Those of games that nobody is shown are not counted.
    pub(super) fn set_watchers(&mut self, game: GameId, watchers: u32) {
        if watchers == self.watchers_of(game) || !self.counts_watchers_of(game) {
            return;
        }
        if watchers == 0 {
            self.watchers.remove(&game);
        } else {
            self.watchers.insert(game, watchers);
        }
        if self.live.contains_key(&game) {
            self.counted.insert(game);
        }
    }

    /// Whether this is an open room or a live game.
    pub(super) fn counts_watchers_of(&self, game: GameId) -> bool {
        self.live.contains_key(&game) || self.rooms.contains_key(&game)
    }

    fn watchers_of(&self, game: GameId) -> u32 {
        self.watchers.get(&game).copied().unwrap_or_default()
    }

    /// Open rooms made before `before`, the newest first.
    pub(super) fn rooms(&self, before: Option<GameId>) -> impl Iterator<Item = &GameSummary> {
        let rooms = match before {
            Some(game) => self.rooms.range(..game),
            None => self.rooms.range(..),
        };
        rooms.rev().map(|(_, room)| room)
    }

    /// Live games, the newest first.
    pub(super) fn live(&self) -> impl Iterator<Item = &GameSummary> {
        self.live.values().rev()
    }

    /// Games that are over, the last ended first.
    pub(super) fn finished(&self) -> impl Iterator<Item = &GameSummary> {
        self.finished.iter()
    }

    /// Games of which there will be news, with the versions that are known.
    pub(super) fn unfinished(&self) -> HashMap<GameId, Version> {
        self.rooms.values().chain(self.live.values()).map(|row| (row.id, row.version)).collect()
    }

    /// All counts of watchers of live games.
    pub(super) fn counts(&self) -> Vec<WatcherCount> {
        let counts = self.watchers.iter().filter(|(game, _)| self.live.contains_key(game));
        counts.map(|(&game, &watchers)| WatcherCount { game, watchers }).collect()
    }
}

/// Puts a row among the newest of its kind. The one that has no place any more is dropped, which may be this one.
fn keep(rows: &mut BTreeMap<GameId, GameSummary>, row: &GameSummary) -> Option<GameId> {
    rows.insert(row.id, row.clone());
    let dropped = if rows.len() > KEPT { rows.pop_first() } else { None };
    dropped.map(|(game, _)| game)
}

/// Takes as many as are told at once.
fn take_some(games: &mut HashSet<GameId>) -> Vec<GameId> {
    let told: Vec<_> = games.iter().take(BATCH).copied().collect();
    for game in &told {
        games.remove(game);
    }
    told
}
