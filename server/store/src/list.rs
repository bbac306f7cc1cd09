use std::{fmt, str::FromStr};

use engine::{Ruleset, Side};
use game::{
    Reason,
    ids::{GameId, PlayerId},
};
use uuid::Uuid;

use super::GameRow;

/// A list of games. Games by link and games that nobody may watch are only in the lists of their players. The exception is
/// a public room: it can be joined even if nobody may watch the game. No list has the aborted games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum List {
    /// Public rooms waiting for a second player, the newest first.
    OpenRooms,
    /// Public games under way, the newest first.
    LiveGames,
    /// Public finished games, the last ended first.
    FinishedGames(GameFilter),
    /// The open rooms that a player has created, the challenges that wait for their answer, and the games that they play, the
    /// newest first.
    UnfinishedGamesOf(PlayerId),
    /// The finished games of a player, the last ended first.
    FinishedGamesOf(PlayerId),
}

impl List {
    /// Whether the list is only for browsing, so that play never waits for it.
    pub(super) fn is_browsed(&self) -> bool {
        match self {
            Self::FinishedGames(_) | Self::FinishedGamesOf(_) => true,
            Self::OpenRooms | Self::LiveGames | Self::UnfinishedGamesOf(_) => false,
        }
    }

    /// The time by which a game has its place in the list.
    pub(super) const fn at_ms(&self, created_ms: i64, updated_ms: i64) -> i64 {
        match self {
            Self::OpenRooms | Self::LiveGames | Self::UnfinishedGamesOf(_) => created_ms,
            Self::FinishedGames(_) | Self::FinishedGamesOf(_) => updated_ms,
        }
    }

    /// The cursor after which a page begins.
    pub(super) fn start(&self, paging: Paging) -> Cursor {
        let before = paging.before.unwrap_or(Cursor::START);
        match self {
            Self::FinishedGames(GameFilter { until_ms: Some(until_ms), .. }) => {
                before.min(Cursor::behind(*until_ms))
            }
            Self::FinishedGames(GameFilter { until_ms: None, .. })
            | Self::OpenRooms
            | Self::LiveGames
            | Self::UnfinishedGamesOf(_)
            | Self::FinishedGamesOf(_) => before,
        }
    }
}

/// Filter of the finished games. A field that is `None` matches every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// One of the players.
    pub player: Option<PlayerId>,
    pub ruleset: Option<Ruleset>,
    pub result: Option<GameResult>,
    pub reason: Option<Reason>,
    /// Earliest end of the game, inclusive, milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Latest end of the game, exclusive, milliseconds since 1970.
    pub until_ms: Option<i64>,
}

/// Result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    WonBy(Side),
    Draw,
}

/// The part of a list to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// The end of the previous page; `None` for the first page.
    pub before: Option<Cursor>,
    /// Maximum number of games.
    pub limit: u32,
}

/// A part of a list.
#[derive(Clone, Debug)]
pub struct Page {
    pub games: Vec<GameRow>,
    /// The start of the next page; `None` if this is the last one. A page of a filtered list is also cut off after many
    /// examined rows: it then has fewer games than the limit, or none, though more pages follow.
    pub next: Option<Cursor>,
}

impl Page {
    /// Makes a page of the games found, at most one more than `limit`. `last_looked_at` is the last examined row, if
    /// there may be more rows after it.
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

/// A position in a list, directly after a game. Its text is opaque and safe in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    pub(super) at_ms: i64,
    pub(super) game: GameId,
}

impl Cursor {
    /// The start of every list.
    pub(super) const START: Self = Self { at_ms: i64::MAX, game: GameId::new(Uuid::max()) };

    /// The end of every list.
    pub(super) const END: Self = Self { at_ms: i64::MIN, game: GameId::new(Uuid::nil()) };

    /// The position after all games of this time and later.
    pub(super) const fn behind(at_ms: i64) -> Self {
        Self { at_ms, game: GameId::new(Uuid::nil()) }
    }

    pub(super) fn at(list: &List, game: &GameRow) -> Self {
        Self { at_ms: list.at_ms(game.created_ms, game.updated_ms), game: game.id }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.at_ms, self.game)
    }
}

/// Error: a text is not a cursor.
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
