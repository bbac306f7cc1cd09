use thiserror::Error;

use super::PieceKind;
use crate::core::{Rule, Side, TextError, TextErrorKind, TurnNumber};

/// The flaw of a well-formed text of a Fibonacci position.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum InvalidPosition {
    #[error("{side} has more than {} {kind}", kind.n_pieces())]
    TooManyPieces { side: Side, kind: PieceKind },
    #[error("{side} has {found} {kind} instead of {}", kind.n_pieces())]
    TooFewPieces { side: Side, kind: PieceKind, found: u32 },
    #[error("the number of remaining actions must be from 1 to the allowance")]
    LeftOutOfRange,
    #[error("the allowance is a card, 1 to 6")]
    NoSuchCard,
    #[error("the allowance of turn {turn} is at most {base}")]
    AllowanceAboveBase { turn: TurnNumber, base: u8 },
    #[error("a turn that begins here has an allowance of {due}")]
    AllowanceNotDue { due: u8 },
    #[error("{side} is surrounded, so the game is over")]
    Surrounded { side: Side },
    #[error("{side} has won, so the game is over")]
    Won { side: Side },
}

impl InvalidPosition {
    /// The broken clause.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self {
            Self::TooManyPieces { .. } | Self::TooFewPieces { .. } => Rule::new("1.3"),
            Self::NoSuchCard | Self::LeftOutOfRange => Rule::new("1.5"),
            Self::AllowanceAboveBase { .. } => Rule::new("1.6"),
            Self::AllowanceNotDue { .. } => Rule::new("1.7"),
            Self::Surrounded { .. } | Self::Won { .. } => Rule::START,
        }
    }

    pub(super) fn at(self, at: usize) -> TextError<Self> {
        TextError { at, rule: self.rule(), kind: TextErrorKind::Invalid(self) }
    }
}
