use std::{fmt, str::FromStr};

use uuid::Uuid;

use crate::{
    ids::{GameId, PlayerId},
    protocol::GameSummary,
};

/// The lists of games. A game by link is in none but its players' own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Public rooms that wait for a second player, the newest first.
    OpenRooms,
    /// Public games under way, the newest first.
    LiveGames,
    /// Public games that are over, the last ended first.
    FinishedGames,
    /// The open rooms that a player has made and the games that they play or played, the newest first.
    GamesOf(PlayerId),
}

/// Which part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// Where the page before ended; `None` for the first page.
    pub before: Option<Cursor>,
    /// How many games at most.
    pub limit: u32,
}

/// A part of a list.
#[derive(Clone, Debug)]
pub struct Page {
    pub games: Vec<GameSummary>,
    /// Where the next page begins; `None` if this was the last one.
    pub next: Option<Cursor>,
}

impl Page {
    /// A page of what was found, which is one more than asked for if there are more.
    pub(super) fn of(list: List, mut games: Vec<GameSummary>, limit: u32) -> Self {
        let limit = limit as usize;
        let is_last = games.len() <= limit;
        games.truncate(limit);
        let next = games.last().filter(|_| !is_last).map(|game| Cursor::at(list, game));
        Self { games, next }
    }
}

/// A place in a list: just behind a game. Its text is for a URL and says nothing to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub(super) at_ms: i64,
    pub(super) game: GameId,
}

impl Cursor {
    /// Before everything.
    pub(super) const START: Self = Self { at_ms: i64::MAX, game: GameId::new(Uuid::max()) };

    fn at(list: List, game: &GameSummary) -> Self {
        let at_ms = match list {
            List::OpenRooms | List::LiveGames | List::GamesOf(_) => game.created_ms,
            List::FinishedGames => game.updated_ms,
        };
        Self { at_ms, game: game.id }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.at_ms, self.game)
    }
}

/// A text that no list has given as a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the `next` of a page of this list")]
pub struct InvalidCursor;

impl FromStr for Cursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (at_ms, game) = text.split_once('_').ok_or(InvalidCursor)?;
        Ok(Self {
            at_ms: at_ms.parse().map_err(|_| InvalidCursor)?,
            game: game.parse().map_err(|_| InvalidCursor)?,
        })
    }
}
