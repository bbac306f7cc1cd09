//! Visits of actions that may stop early: the visitor breaks, or the search for captures exceeds its budget.

use std::ops::ControlFlow;

use crate::core::TooCostly;

/// Message for the unreachable failure of a search without a limit.
pub(super) const UNLIMITED: &str = "an unlimited budget is never used up";

/// The reason why a visit of actions stopped early.
pub(super) enum Stop<B> {
    Broken(B),
    TooCostly(TooCostly),
}

impl<B> From<TooCostly> for Stop<B> {
    fn from(error: TooCostly) -> Self {
        Self::TooCostly(error)
    }
}

/// Converts the result of a visit with an unlimited budget.
#[inline]
pub(super) fn unlimited<B>(visited: Result<(), Stop<B>>) -> ControlFlow<B> {
    match visited {
        Ok(()) => ControlFlow::Continue(()),
        Err(Stop::Broken(broken)) => ControlFlow::Break(broken),
        Err(Stop::TooCostly(_)) => unreachable!("{UNLIMITED}"),
    }
}
