//! The course and the end of a game: its status, its offers, its outcome.

use engine::Side;

/// The place of a game in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Open,
    Playing,
    Finished,
    Aborted,
    Cancelled,
}

/// The winner, or that nobody won, and the reason (RULES 0.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub winner: Option<Side>,
    pub reason: Reason,
}

/// Why a game ended (RULES 0.5): by the rules, or otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl From<engine::Outcome> for Outcome {
    fn from(engine::Outcome { winner, reason }: engine::Outcome) -> Self {
        Self { winner, reason: reason.into() }
    }
}

impl From<engine::Reason> for Reason {
    fn from(reason: engine::Reason) -> Self {
        match reason {
            engine::Reason::Surround => Self::Surround,
            engine::Reason::King => Self::King,
            engine::Reason::Blocked => Self::Blocked,
            engine::Reason::Repetition => Self::Repetition,
            engine::Reason::Quiet => Self::Quiet,
            engine::Reason::TurnLimit => Self::TurnLimit,
        }
    }
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingOffer {
    pub what: OfferKind,
    /// The side that made it.
    pub side: Side,
}

/// The kinds of offers that one side may make the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferKind {
    /// Stands until the other side has played a turn.
    Draw,
    /// The offering side's last turn, and the turn after it if there is one, are to be taken back. Stands until a
    /// turn is played.
    Takeback,
    /// The same game with the sides changed. Stands until it is answered.
    Rematch,
}

/// The result that may be claimed of a game that the other side has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    Win,
    Draw,
}
