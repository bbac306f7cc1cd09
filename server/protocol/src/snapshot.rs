//! Snapshot of a game: its turn, its clocks, its offers, its outcome.

use engine::Side;
use game::ids::{GameId, Version};
use serde::{Deserialize, Serialize};

use super::Turn;

/// Snapshot of a game at a version.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Snapshot {
    pub version: Version,
    pub turn: Turn,
    #[serde(flatten)]
    pub standing: Standing,
}

/// The part of a snapshot that does not follow from the turns: whether the game is under way, its clocks and offers, its
/// outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Standing {
    /// A room that waits for its second player.
    Open,
    /// A game under way.
    Playing {
        /// Time at which `clock` and `first_turn_ms` hold, by the server's clock, milliseconds since 1970. A client
        /// that reads the message late counts on from here.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        at_ms: i64,
        /// Null in a game without a clock.
        clock: Option<Clock>,
        /// Milliseconds from then until the game aborts itself; null once both sides have made a turn.
        #[cfg_attr(feature = "ts", ts(type = "number | null"))]
        first_turn_ms: Option<i64>,
        /// End of the vacation of the player to move, milliseconds since 1970, until which no time runs; missing if that
        /// player is not on vacation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
        #[cfg_attr(feature = "openapi", schema(value_type = i64))]
        vacation_until_ms: Option<i64>,
        /// Offers that wait for an answer.
        offers: Vec<StandingOffer>,
    },
    /// A game that ended with an outcome.
    Finished {
        outcome: Outcome,
        /// Time that each side had left at the end; null in a game without a clock.
        time: Option<Times>,
        /// The offer of a rematch, if there is one.
        offers: Vec<StandingOffer>,
        /// Id of the rematch; null if none has begun.
        rematch: Option<GameId>,
    },
    /// A game that ended without a result before both sides had made a turn.
    Aborted,
    /// A room that was closed before a second player joined.
    Cancelled,
}

/// Clocks at a moment of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Clock {
    #[serde(flatten)]
    pub left: Times,
    /// Side whose time runs; null until both sides have made a turn.
    #[cfg_attr(feature = "ts", ts(type = "Side | null"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schema::Side>))]
    pub running: Option<Side>,
    /// Milliseconds until that time begins to run, in a game with a `delay` bonus or during a vacation; otherwise 0.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub free_ms: i64,
}

/// Remaining time of each side, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Times {
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub first_ms: i64,
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub second_ms: i64,
}

/// Offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StandingOffer {
    pub what: OfferKind,
    /// Side that made the offer.
    #[cfg_attr(feature = "ts", ts(type = "Side"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
    pub side: Side,
}

/// Kind of offer from one side to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A draw. Stands until the other side has played a turn.
    Draw,
    /// Taking back the offering side's last turn, and the turn after it if there is one. Stands until a turn is played.
    Takeback,
    /// Another game with the same terms and exchanged sides. Stands until it is answered.
    Rematch,
}

/// Result that can be claimed of a game that the other side has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    Win,
    Draw,
}

/// Outcome of a game (RULES 0.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Outcome {
    /// Null for a draw.
    #[cfg_attr(feature = "ts", ts(type = "Side | null"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schema::Side>))]
    pub winner: Option<Side>,
    pub reason: Reason,
}

/// Reason for the end of a game (RULES 0.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    Surround,
    King,
    Blocked,
    Repetition,
    Quiet,
    TurnLimit,
    Resign,
    Time,
    Agreement,
    Abandon,
}
