//! Games as lists show them.

use engine::{Ruleset, Side};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ClockRule, Outcome, Player, SeatChoice, Seats, Visibility, Watching};
use crate::ids::{Delay, GameId, Version};

/// A game as a list shows it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GameSummary {
    pub id: GameId,
    #[serde(with = "crate::ids::ruleset")]
    #[ts(type = "Ruleset")]
    pub ruleset: Ruleset,
    pub status: Status,
    pub visibility: Visibility,
    pub creator: Player,
    pub seat: SeatChoice,
    pub clock: ClockRule,
    pub watching: Watching,
    /// How many turns behind the game its spectators are, 0 to 20. As long as it goes on, who is one of them is told no
    /// version (0), no turn and nothing of its time.
    pub delay: Delay,
    /// Whether it begins from another position than the ruleset's own.
    pub custom_start: bool,
    /// Null while the room is open.
    pub seats: Option<Seats>,
    pub version: Version,
    /// The turn under way, or the last one; null for who may not know it yet.
    pub turn: Option<u16>,
    /// Null for who may not know it yet.
    #[serde(with = "crate::ids::optional_side")]
    #[ts(type = "Side | null")]
    pub to_move: Option<Side>,
    pub outcome: Option<Outcome>,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created_ms: i64,
    /// When its last event happened, milliseconds since 1970; for who may not know it yet, when it was made.
    #[ts(type = "number")]
    pub updated_ms: i64,
    /// When the turn under way must be there, milliseconds since 1970; null if it may take as long as it likes.
    #[ts(type = "number | null")]
    pub deadline_ms: Option<i64>,
    /// The text of the position as it is now, or at the end; null for who may not know it yet, and for old games of which it
    /// was not kept.
    pub position: Option<String>,
}

/// Where a game is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Open,
    Playing,
    Finished,
    Aborted,
    Cancelled,
}

/// A page of `GET /api/games` or `GET /api/rooms`, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GamePage {
    pub games: Vec<GameSummary>,
    /// The `before` of the next page; null on the last one.
    pub next: Option<String>,
}
