//! Games as rows of the lobby and of lists.

use engine::{Ruleset, Side};
use game::ids::{Delay, GameId, Version};
use serde::{Deserialize, Serialize};

use super::{ClockRule, Outcome, Player, SeatChoice, Seats, StandingOffer, Visibility, Watching};

/// Row of a game in the lobby and in lists.
///
/// While a game with a `delay` is played, its progress is hidden from all but its players: `version` is 0, `updated_ms`
/// is `created_ms`, and `turn`, `to_move`, `deadline_ms` and `position` are null, and `offers` is absent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameSummary {
    pub id: GameId,
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
    pub ruleset: Ruleset,
    pub status: Status,
    pub visibility: Visibility,
    pub creator: Player,
    /// The only player who may join the room, if it is a challenge; absent otherwise.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Player))]
    pub challenged: Option<Player>,
    pub seat: SeatChoice,
    pub clock: ClockRule,
    pub watching: Watching,
    /// Number of turns by which spectators see the game late, 0 to 20.
    pub delay: Delay,
    /// Whether the game starts from a position other than the ruleset's own (RULES 0.9).
    pub custom_start: bool,
    /// Null until a second player has joined.
    pub seats: Option<Seats>,
    /// Number of events in the game's log; 0 if hidden.
    pub version: Version,
    /// Turn number of the present or final position (RULES 0.4, 0.8); null if hidden.
    pub turn: Option<u16>,
    /// Side to move in the present or final position; null if hidden.
    #[cfg_attr(feature = "ts", ts(type = "Side | null"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schema::Side>))]
    pub to_move: Option<Side>,
    /// Null unless the game is finished.
    pub outcome: Option<Outcome>,
    /// Time at which the room was made, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub created_ms: i64,
    /// Time of the last event, milliseconds since 1970; `created_ms` if hidden.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub updated_ms: i64,
    /// Time at which the turn under way is too late, including the lag that can be forgiven, or at which an open room is
    /// closed; milliseconds since 1970. Null if the turn has no limit, if the game is over, or if hidden.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub deadline_ms: Option<i64>,
    /// Text of the present or final position. Null if hidden, and for games from before positions were stored.
    pub position: Option<String>,
    /// Offers that wait for an answer; absent if there is none, and if hidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<StandingOffer>>"))]
    pub offers: Vec<StandingOffer>,
}

/// Stage in the life of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The room waits for its second player.
    Open,
    Playing,
    /// The game ended with an outcome.
    Finished,
    /// The game ended without an outcome before both sides had made a turn.
    Aborted,
    /// The room was closed before a second player joined.
    Cancelled,
}

/// Response to the request for the games that wait for a turn of the visitor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WaitingTurns {
    /// The most urgent first: by deadline, then by the time since which they wait. At most 200.
    pub games: Vec<GameSummary>,
    /// Number of the visitor's other slow games under way: they wait for their opponents.
    pub theirs: u32,
    /// Number of notices in the inbox that the visitor has not seen.
    pub unseen: u32,
}

/// Response to `GET /api/v1/challenges`: the open challenges of the visitor, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Challenges {
    /// Those that wait for the visitor's answer.
    pub received: Vec<GameSummary>,
    /// Those that the visitor made.
    pub sent: Vec<GameSummary>,
}

/// Page of `GET /api/v1/games` or `GET /api/v1/rooms`, newest first; finished games by the time of their end.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GamePage {
    pub games: Vec<GameSummary>,
    /// Value of `before` for the next page; null on the last page.
    pub next: Option<String>,
}
