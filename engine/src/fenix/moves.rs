use std::ops::ControlFlow;

use super::{
    Fenix, IllegalMove, PieceKind, Square, SquareSet,
    board::{Board, Direction},
};
use crate::core::{Choices, Rule, Rules, Side};

const MOVE: Rule = Rule::new("2.4");

impl Board {
    /// Visits each move (RULES 2.4), as its start and target.
    pub(super) fn try_for_each_move<B>(
        &self,
        side: Side,
        mut visit: impl FnMut(Square, Square) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let empty = self.empty();
        for kind in PieceKind::ALL {
            for from in self.army(side).of_kind(kind) {
                for to in destinations(from.set(), kind, empty) {
                    visit(from, to)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    pub(super) fn n_moves(&self, side: Side) -> u32 {
        let empty = self.empty();
        let mut n_moves = 0;
        for kind in PieceKind::ALL {
            for_each_step(self.army(side).of_kind(kind), kind, empty, |to| n_moves += to.len());
        }
        n_moves
    }

    #[inline]
    pub(super) fn can_move(&self, side: Side) -> bool {
        let empty = self.empty();
        let army = self.army(side);
        let orthogonal = army.all();
        Direction::ORTHOGONAL.into_iter().any(|way| !(orthogonal.shifted(way) & empty).is_empty())
            || Direction::ALL.into_iter().any(|way| !(army.king.shifted(way) & empty).is_empty())
    }

    /// The squares to which the piece on a square could move.
    pub(super) fn destinations(&self, from: Square, kind: PieceKind) -> SquareSet {
        destinations(from.set(), kind, self.empty())
    }
}

/// Visits the squares that pieces of a kind reach, step by step. At most one of them reaches a square in a given
/// direction, since pieces block the way.
#[inline]
fn for_each_step(pieces: SquareSet, kind: PieceKind, empty: SquareSet, mut visit: impl FnMut(SquareSet)) {
    for &direction in kind.directions() {
        let mut to = pieces.shifted(direction) & empty;
        visit(to);
        while kind == PieceKind::Councillor && !to.is_empty() {
            to = to.shifted(direction) & empty;
            visit(to);
        }
    }
}

fn destinations(from: SquareSet, kind: PieceKind, empty: SquareSet) -> SquareSet {
    let mut destinations = SquareSet::EMPTY;
    for_each_step(from, kind, empty, |to| destinations = destinations | to);
    destinations
}

impl Fenix {
    pub(super) fn check_move(&self, from: Square, to: Square) -> Result<(), IllegalMove> {
        self.check_open()?;
        let kind = self.own(from, MOVE)?;
        if !self.board.destinations(from, kind).contains(to) {
            return Err(IllegalMove::OutOfReach { from, to, kind });
        }
        match self.best_capture() {
            Some(best) => Err(IllegalMove::MustCapture { best }),
            None => Ok(()),
        }
    }

    #[inline]
    pub(super) fn go(&mut self, from: Square, to: Square) {
        let side = self.to_move();
        let kind = self.board.army(side).kind_at(from).expect("a piece moves");
        self.hash ^= self.board.shift(side, kind, from, to);
    }
}
