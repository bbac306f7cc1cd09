//! Status, offers and outcome of a game.

use engine::Side;

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Open,
    Playing,
    Finished,
    Aborted,
    Cancelled,
}

/// The winner, or none if the game was drawn, and the reason (RULES 0.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub winner: Option<Side>,
    pub reason: Reason,
}

/// The reason for the end of a game (RULES 0.5), by its rules or otherwise.
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

/// The kinds of offers that one side may make to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferKind {
    /// Stands until the other side has played a turn.
    Draw,
    /// Removes the offering side's last turn, and the turn after it if there is one. Stands until a turn is played.
    Takeback,
    /// The same game with the sides swapped. Stands until it is answered.
    Rematch,
}

/// The result that is claimed in a game that the other side has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    Win,
    Draw,
}
