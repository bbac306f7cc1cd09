use thiserror::Error;

use super::{Cell, layout::MEN};
use crate::core::{Rule, Side, TextError, TextErrorKind};

/// The flaw of a well-formed text of a position of stacks.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum InvalidPosition {
    #[error("{cell} holds at most {capacity} men")]
    TooHigh { cell: Cell, capacity: u8 },
    #[error("{side} has more than {MEN} men")]
    TooManyMen { side: Side },
    #[error("before the switches are made no stack is higher than one")]
    StackBeforeSwitch,
    #[error("before the switches are made the reserves are empty")]
    ReserveBeforeSwitch,
    #[error("{side} has no legal action, so the game is over")]
    Blocked { side: Side },
}

impl InvalidPosition {
    pub(super) fn at(self, at: usize, rule: Rule) -> TextError<Self> {
        TextError { at, rule, kind: TextErrorKind::Invalid(self) }
    }
}
