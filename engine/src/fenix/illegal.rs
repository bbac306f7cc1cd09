use thiserror::Error;

use super::{PieceKind, Square};
use crate::core::Rule;

/// The reason for which an action is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum IllegalMove {
    #[error("{from} is empty")]
    NoPiece { from: Square, rule: Rule },
    #[error("the piece on {from} is the other side's")]
    NotOwn { from: Square, rule: Rule },
    #[error("in the first ten turns a soldier steps onto a piece of its side, and nothing else is legal")]
    NoStacking,
    #[error("{from} holds a {kind}; only a soldier steps onto another piece")]
    NotASoldier { from: Square, kind: PieceKind, rule: Rule },
    #[error("{to} is not orthogonally next to {from}")]
    NotAdjacent { from: Square, to: Square, rule: Rule },
    #[error("{to} holds no {wanted} of the same side")]
    NotOnto { to: Square, wanted: PieceKind, rule: Rule },
    #[error("{to} holds no soldier or councillor of the same side")]
    NoStack { to: Square },
    #[error("the side has four councillors and kings already")]
    EnoughMade,
    #[error("the side has its king already")]
    HasKing,
    #[error("no councillor was taken in the turn just before, so none can be made now")]
    NothingDue,
    #[error("the king was taken: a new one must be made before anything else")]
    KingDue,
    #[error("a {kind} does not go from {from} to {to}")]
    OutOfReach { from: Square, to: Square, kind: PieceKind },
    #[error("capturing is compulsory: the best capture takes {best} discs")]
    MustCapture { best: u8 },
    #[error("a {kind} does not jump from {from} to {to} here")]
    NoJump { from: Square, to: Square, kind: PieceKind },
    #[error("the piece on {over} was jumped already, and stays in the way")]
    JumpedAlready { over: Square },
    #[error("this takes {discs} discs, and the best capture takes {best}")]
    NotTheMost { discs: u8, best: u8 },
}

impl IllegalMove {
    /// The broken clause.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        match self {
            Self::NoPiece { rule, .. }
            | Self::NotOwn { rule, .. }
            | Self::NotASoldier { rule, .. }
            | Self::NotAdjacent { rule, .. }
            | Self::NotOnto { rule, .. } => *rule,
            Self::NoStacking | Self::NoStack { .. } | Self::EnoughMade | Self::HasKing => Rule::new("2.3"),
            Self::OutOfReach { .. } => Rule::new("2.4"),
            Self::NoJump { .. } => Rule::new("2.5"),
            Self::JumpedAlready { .. } => Rule::new("2.6"),
            Self::MustCapture { .. } | Self::NotTheMost { .. } => Rule::new("2.7"),
            Self::NothingDue => Rule::new("2.8"),
            Self::KingDue => Rule::new("2.9"),
        }
    }
}
