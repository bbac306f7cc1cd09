use std::{fmt, str::FromStr};

use engine::{Ruleset, Side};
use uuid::Uuid;

use super::GameRow;
use crate::{
    game::Reason,
    ids::{GameId, PlayerId, PlayerName},
};

/// The lists of games. A game by link, one that nobody may watch and one that was aborted are in none but their
/// players' own, except that a public room can be joined though nobody may watch the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum List {
    /// Public rooms that wait for a second player, the newest first.
    OpenRooms,
    /// Public games under way, the newest first.
    LiveGames,
    /// Public games that are over, the last ended first.
    FinishedGames(GameFilter),
    /// The open rooms that a player has made and the games that they play or played, the newest first.
    GamesOf(PlayerId),
    /// Of those, the rooms that wait and the games under way.
    UnfinishedGamesOf(PlayerId),
}

impl List {
    /// Whether people look for games in it, and nobody who plays waits for it.
    pub(super) fn is_browsed(&self) -> bool {
        match self {
            Self::FinishedGames(_) | Self::GamesOf(_) => true,
            Self::OpenRooms | Self::LiveGames | Self::UnfinishedGamesOf(_) => false,
        }
    }

    /// Behind what a page begins.
    pub(super) fn start(&self, paging: Paging) -> Cursor {
        let before = paging.before.unwrap_or(Cursor::START);
        match self {
            Self::FinishedGames(GameFilter { until_ms: Some(until_ms), .. }) => {
                before.min(Cursor::behind(*until_ms))
            }
            Self::FinishedGames(GameFilter { until_ms: None, .. })
            | Self::OpenRooms
            | Self::LiveGames
            | Self::GamesOf(_)
            | Self::UnfinishedGamesOf(_) => before,
        }
    }
}

/// Which finished games to list. What is `None` may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// The whole name that one of the players had, in upper or lower case.
    pub player: Option<PlayerName>,
    pub ruleset: Option<Ruleset>,
    pub result: Option<GameResult>,
    pub reason: Option<Reason>,
    /// The first moment at which the game may have ended, milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// The moment before which it has ended, milliseconds since 1970.
    pub until_ms: Option<i64>,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    WonBy(Side),
    Draw,
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
    pub games: Vec<GameRow>,
    /// Where the next page begins; `None` if this was the last one. A page of a filtered list that has looked at many rows
    /// may have fewer games than asked for, or none, and still another one behind it.
    pub next: Option<Cursor>,
}

impl Page {
    /// A page of what was found, which is one more than asked for if there are more, down to the last row that was looked
    /// at, if there may be more behind it.
    pub(super) fn of(
        list: &List,
        mut games: Vec<GameRow>,
        limit: u32,
        last_looked_at: Option<Cursor>,
    ) -> Self {
        let limit = limit as usize;
        let is_full = games.len() > limit;
        games.truncate(limit);
        let next = match games.last() {
            Some(game) if is_full => Some(Cursor::at(list, game)),
            Some(_) | None => last_looked_at,
        };
        Self { games, next }
    }
}

/// A place in a list: just behind a game. Its text is for a URL and says nothing to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    pub(super) at_ms: i64,
    pub(super) game: GameId,
}

impl Cursor {
    /// Before everything.
    pub(super) const START: Self = Self { at_ms: i64::MAX, game: GameId::new(Uuid::max()) };

    /// Behind everything.
    pub(super) const END: Self = Self { at_ms: i64::MIN, game: GameId::new(Uuid::nil()) };

    /// Behind all games of this time and later.
    pub(super) const fn behind(at_ms: i64) -> Self {
        Self { at_ms, game: GameId::new(Uuid::nil()) }
    }

    pub(super) fn at(list: &List, game: &GameRow) -> Self {
        let at_ms = match list {
            List::OpenRooms | List::LiveGames | List::GamesOf(_) | List::UnfinishedGamesOf(_) => {
                game.created_ms
            }
            List::FinishedGames(_) => game.updated_ms,
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
