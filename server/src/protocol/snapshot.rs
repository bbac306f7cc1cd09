//! How a game stands: its clocks, its offers, its end.

use engine::Side;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Turn;
use crate::ids::{GameId, Version};

/// How a game stands.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Snapshot {
    /// A room that waits for its second player.
    Open {
        version: Version,
        turn: Turn,
    },
    Playing {
        version: Version,
        turn: Turn,
        clock: Option<Clock>,
        /// Milliseconds, when this was sent, until the game aborts itself; null once both sides have made a turn.
        #[ts(type = "number | null")]
        first_turn_ms: Option<i64>,
        offers: Vec<StandingOffer>,
    },
    Finished {
        version: Version,
        turn: Turn,
        outcome: Outcome,
        /// The times that were left at the end.
        time: Option<Times>,
        /// Of a rematch.
        offers: Vec<StandingOffer>,
        /// The game that the players went on in.
        rematch: Option<GameId>,
    },
    /// Ended without a result before both sides had made a turn.
    Aborted {
        version: Version,
        turn: Turn,
    },
    Cancelled {
        version: Version,
        turn: Turn,
    },
}

/// The clocks when they were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Clock {
    #[serde(flatten)]
    pub left: Times,
    /// Whose time runs.
    #[serde(with = "crate::ids::optional_side")]
    #[ts(type = "Side | null")]
    pub running: Option<Side>,
    /// Milliseconds until it begins to.
    #[ts(type = "number")]
    pub free_ms: i64,
}

/// The time that each side has left, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Times {
    #[ts(type = "number")]
    pub first_ms: i64,
    #[ts(type = "number")]
    pub second_ms: i64,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StandingOffer {
    pub what: OfferKind,
    /// Who made it.
    #[serde(with = "crate::ids::side")]
    #[ts(type = "Side")]
    pub side: Side,
}

/// What one side may offer the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// Stands until the other side has played a turn.
    Draw,
    /// The offering side's last turn, and the turn after it if there is one, are to be taken back. Stands until a
    /// turn is played.
    Takeback,
    /// The same game with the sides changed. Stands until it is answered.
    Rematch,
}

/// What may be claimed of a game that the other side has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    Win,
    Draw,
}

/// Who won, or nobody, and why (RULES 0.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Outcome {
    #[serde(with = "crate::ids::optional_side")]
    #[ts(type = "Side | null")]
    pub winner: Option<Side>,
    pub reason: Reason,
}

/// Why a game ended (RULES 0.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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
