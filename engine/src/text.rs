//! The errors of texts and turns, independent of the game.

use thiserror::Error;

use crate::{Rule, TurnNumber, Unreadable, core, fenix, fibonacci, stacks};

/// A text that is not a position from which a game can start (RULES 0.3, 0.9).
pub type TextError = core::TextError<InvalidPosition>;

/// The flaw of a position's text.
pub type TextErrorKind = core::TextErrorKind<InvalidPosition>;

/// The flaw of a well-formed text that is not a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum InvalidPosition {
    #[error(transparent)]
    Fibonacci(#[from] fibonacci::InvalidPosition),
    #[error(transparent)]
    Fenix(#[from] fenix::InvalidPosition),
    #[error(transparent)]
    Stacks(#[from] stacks::InvalidPosition),
}

/// An action that is well-formed but illegal in its position.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum IllegalAction {
    #[error("the same action led to the same position in turn {turn}")]
    Ko { turn: TurnNumber },
    #[error(transparent)]
    Fibonacci(#[from] fibonacci::IllegalMove),
    #[error(transparent)]
    Fenix(#[from] fenix::IllegalMove),
    #[error(transparent)]
    Stacks(#[from] stacks::IllegalMove),
}

impl IllegalAction {
    /// The broken clause.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self {
            Self::Ko { .. } => Rule::KO,
            Self::Fibonacci(illegal) => illegal.rule(),
            Self::Fenix(illegal) => illegal.rule(),
            Self::Stacks(illegal) => illegal.rule(),
        }
    }
}

/// The error of a list of actions that is not a legal turn, or not the beginning of one.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("action {} (rule {rule}): {kind}", index + 1)]
pub struct TurnError {
    /// The index of the first bad action, from 0. For an incomplete turn, the number of actions given.
    pub index: usize,
    /// The broken clause.
    pub rule: Rule,
    pub kind: TurnErrorKind,
}

/// The flaw of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum TurnErrorKind {
    /// The text of an action is not well-formed.
    #[error(transparent)]
    Unreadable(Unreadable),
    /// An action is illegal in its position.
    #[error(transparent)]
    Illegal(IllegalAction),
    /// The turn is incomplete; `may_end` is whether `end` would have completed it.
    #[error("the turn is not complete: {}", if *may_end { "use the remaining moves, or `end`" } else { "it needs more actions" })]
    Incomplete { may_end: bool },
    /// The action comes after the end of the turn.
    #[error("the turn was over before this action, and the other side is to act")]
    TurnOver,
    /// The game was over before the action.
    #[error("the game is over")]
    GameOver,
}
