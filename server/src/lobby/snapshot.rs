//! The lists that all new readers see, made once for many of them.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use game::ids::{GameId, PlayerId};
use protocol::{GameSummary, SpectatorCount};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use store::GameRow;
use tungstenite::Utf8Bytes;

use super::{for_others, players, rows::Rows};
use crate::{convert, directory::Directory};

/// Maximum number of times in a tick that the lists are rebuilt for new readers. Later ones get the previous lists, and
/// the changes with the next tick.
const MADE_A_TICK: u32 = 4;

/// The lists at one moment.
#[derive(Debug)]
pub(super) struct LobbySnapshot {
    rooms: Vec<GameSummary>,
    live: Vec<GameSummary>,
    finished: Vec<GameSummary>,
    pub(super) spectators: Vec<SpectatorCount>,
    /// The three lists as JSON, encoded on first use.
    json: OnceLock<[Box<RawValue>; 3]>,
}

/// The message [`Lobby`](protocol::ServerMessage::Lobby), of which all but the last list is encoded already.
#[derive(Serialize)]
struct LobbyMessage<'a> {
    r#type: &'static str,
    rooms: &'a RawValue,
    live: &'a RawValue,
    finished: &'a RawValue,
    mine: &'a [GameSummary],
}

impl LobbySnapshot {
    fn of(rows: &Rows, directory: &Directory) -> Self {
        let in_full = |rows: Vec<&GameRow>| {
            rows.into_iter().map(|row| convert::summary(row.clone(), directory)).collect()
        };
        Self {
            rooms: in_full(rows.rooms()),
            live: rows.live().into_iter().map(|row| for_others(row, directory)).collect(),
            finished: in_full(rows.finished()),
            spectators: rows.counts(),
            json: OnceLock::new(),
        }
    }

    /// Returns the frame for a reader with these games.
    pub(super) fn frame(&self, mine: Vec<GameRow>, directory: &Directory) -> Utf8Bytes {
        let mine: Vec<_> = mine.into_iter().map(|row| convert::summary(row, directory)).collect();
        let [rooms, live, finished] = self.json.get_or_init(|| {
            [&self.rooms, &self.live, &self.finished]
                .map(|rows| to_raw_value(rows).expect("rows have string keys only"))
        });
        let message = LobbyMessage { r#type: "lobby", rooms, live, finished, mine: &mine };
        serde_json::to_string(&message).expect("messages have string keys only").into()
    }
}

/// The lists for new readers. They are valid until the next update to readers.
#[derive(Debug, Default)]
pub(super) struct Current {
    shown: Option<Arc<LobbySnapshot>>,
    n_made: u32,
    /// Whether a row has changed since the lists were made.
    is_stale: bool,
    /// Rows changed since. Their players were sent them at once.
    since: HashMap<GameId, GameRow>,
}

impl Current {
    /// Records a game's new row.
    pub(super) fn record(&mut self, row: &GameRow) {
        self.changed();
        if self.shown.is_some() {
            self.since.insert(row.id, row.clone());
        }
    }

    /// Records a change.
    pub(super) fn changed(&mut self) {
        self.is_stale = true;
    }

    /// Returns the lists, and whether they were just made.
    pub(super) fn get(&mut self, rows: &Rows, directory: &Directory) -> (Arc<LobbySnapshot>, bool) {
        if let Some(shown) = &self.shown
            && (!self.is_stale || self.n_made >= MADE_A_TICK)
        {
            return (shown.clone(), false);
        }
        self.n_made += 1;
        self.is_stale = false;
        self.since.clear();
        let shown = self.shown.insert(Arc::new(LobbySnapshot::of(rows, directory)));
        (shown.clone(), true)
    }

    /// Whether readers of these lists will be sent all changes since.
    pub(super) fn is(&self, shown: &Arc<LobbySnapshot>) -> bool {
        self.shown.as_ref().is_some_and(|current| Arc::ptr_eq(current, shown))
    }

    /// Returns a player's games that have changed since the lists were made.
    pub(super) fn since(&self, player: PlayerId, directory: &Directory) -> Vec<GameSummary> {
        let own = self.since.values().filter(|row| players(row).contains(&player));
        own.map(|row| convert::summary(row.clone(), directory)).collect()
    }

    /// Resets the limit of a tick.
    pub(super) fn tick(&mut self) {
        self.n_made = 0;
    }

    /// Drops the lists, since readers have been sent an update.
    pub(super) fn clear(&mut self) {
        self.shown = None;
        self.since.clear();
    }
}
