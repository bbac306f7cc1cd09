use std::ops::ControlFlow;

use engine::{
    Budget, Line, Playable, Rules, Side,
    fenix::{self, Fenix},
    fibonacci::{self, Fibonacci},
    stacks::Stacks,
};

use crate::fibonacci::distance;

/// Steps of the search for captures in one position of Fenix.
const MAX_STEPS: u64 = 50_000;

/// A game with a plain count of material.
pub(crate) trait Material: Playable {
    /// Difference of material that makes the odds e to 1.
    const ODDS: f32;

    /// Returns the material of a side.
    fn material(&self, side: Side) -> i32;

    /// Number of actions until the turn ends at the latest.
    fn actions_left(&self) -> u8 {
        1
    }

    /// Replaces the contents of the buffer with the actions, one for each result where others are too many, without
    /// regard to ko. There is at least one unless none is legal.
    fn choices_into(&self, scratch: &mut Self::Scratch, buffer: &mut Vec<Self::Action>) {
        self.actions_into(scratch, buffer);
    }
}

/// Replaces the contents of the buffer with the legal actions of a line that is not over.
pub(super) fn choices_into<R: Material>(
    line: &Line<R>,
    scratch: &mut R::Scratch,
    buffer: &mut Vec<R::Action>,
) {
    line.position().choices_into(scratch, buffer);
    if line.history().n_ko_records() > 0 {
        buffer.retain(|action| line.ko_turn(*action).is_none());
    }
}

impl Material for Fenix {
    const ODDS: f32 = 3.0;

    fn material(&self, side: Side) -> i32 {
        let kinds = fenix::PieceKind::ALL.into_iter();
        kinds.map(|kind| i32::from(kind.n_discs()) * self.pieces(side, kind).len() as i32).sum()
    }

    fn choices_into(&self, scratch: &mut fenix::CaptureScratch, buffer: &mut Vec<fenix::Action>) {
        let listed = self.results_into(scratch, &mut Budget::steps(MAX_STEPS), buffer);
        if listed.is_err() && buffer.is_empty() {
            buffer.extend(self.try_for_each_result(scratch, ControlFlow::Break).break_value());
        }
    }
}

impl Material for Stacks {
    const ODDS: f32 = 6.0;

    /// A man in reserve counts as three, a stack as one and each man of the side in it as one.
    fn material(&self, side: Side) -> i32 {
        let stacks = self.game().cells().map(|cell| self.stack(cell)).filter(|stack| stack.is_own(side));
        let on_board: usize = stacks.map(|stack| 1 + stack.men().filter(|man| *man == side).count()).sum();
        on_board as i32 + 3 * i32::from(self.reserve(side))
    }
}

/// Values of a strike piece by its distance from the other side's centre.
const BY_DISTANCE: [i32; 11] = [0, 16, 8, 5, 3, 2, 1, 0, 0, 0, 0];

impl Material for Fibonacci {
    const ODDS: f32 = 16.0;

    /// The strike pieces count by their distance from the other side's centre.
    fn material(&self, side: Side) -> i32 {
        let centre = self.centre(side.other());
        let strikes = self.pieces(side, fibonacci::PieceKind::Strike).into_iter();
        strikes.map(|strike| BY_DISTANCE[usize::from(distance(strike, centre))]).sum()
    }

    fn actions_left(&self) -> u8 {
        Self::actions_left(self)
    }
}
