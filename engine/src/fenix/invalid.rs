use thiserror::Error;

use super::{making::N_MADE, position::N_DISCS};
use crate::core::{Reason, Rule, Side, TextError, TextErrorKind};

/// The flaw of a well-formed text of a Fenix position.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum InvalidPosition {
    #[error("{side} has more than {N_DISCS} discs")]
    TooManyDiscs { side: Side },
    #[error("{side} has more than one king")]
    TooManyKings { side: Side },
    #[error("{side} has more than {N_MADE} councillors and kings in the first phase")]
    TooManyMade { side: Side },
    #[error(
        "{side} has made {wanted} stackings by now, but its councillors and twice its kings add up to {found}"
    )]
    StackingsDiffer { side: Side, wanted: u32, found: u32 },
    #[error("{side} has no king, and none is due")]
    NoKing { side: Side },
    #[error("a king is due, and {side} has one")]
    KingNotMissing { side: Side },
    #[error("nothing is due before turn 12")]
    DueTooSoon,
    #[error("after a capture `quiet` is 0")]
    DueAndQuiet,
    #[error("`quiet` is at most {most} here")]
    QuietTooHigh { most: u16 },
    #[error("{side} has lost, {reason}, so the game is over")]
    Lost { side: Side, reason: Reason },
}

impl InvalidPosition {
    /// The broken clause.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        match self {
            Self::TooManyDiscs { .. }
            | Self::TooManyKings { .. }
            | Self::TooManyMade { .. }
            | Self::StackingsDiffer { .. }
            | Self::NoKing { .. }
            | Self::KingNotMissing { .. }
            | Self::DueTooSoon
            | Self::DueAndQuiet
            | Self::QuietTooHigh { .. } => Rule::new("2.2"),
            Self::Lost { .. } => Rule::START,
        }
    }

    pub(super) fn at(self, at: usize) -> TextError<Self> {
        TextError { at, rule: self.rule(), kind: TextErrorKind::Invalid(self) }
    }
}
