use std::ops::ControlFlow;

use super::{
    Fenix, IllegalMove, InvalidPosition, PieceKind, Square, SquareSet,
    board::{Army, Direction},
};
use crate::core::{OwedPiece, Rule, Rules, SetUp, Side, TurnNumber};

const STACKING: Rule = Rule::new("2.3");
const COUNCILLOR: Rule = Rule::new("2.8");
const KING: Rule = Rule::new("2.9");

/// Maximum number of councillors and kings that a side makes in the first phase (RULES 2.3).
pub(super) const N_MADE: u32 = 4;
/// Number of stackings of a side.
pub(super) const N_STACKINGS: u16 = 5;

/// The piece that the side to move may make in place of one captured in the previous turn (RULES 2.8, 2.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Due {
    /// The side may make a councillor, in this turn only.
    Councillor,
    /// The side must make a king.
    King,
}

impl Due {
    pub(super) const fn piece(self) -> OwedPiece {
        match self {
            Self::Councillor => OwedPiece::Councillor,
            Self::King => OwedPiece::King,
        }
    }
}

/// Number of stackings that a side has made before a turn of the first phase (RULES 2.2).
const fn n_stackings(turn: TurnNumber, side: Side) -> u16 {
    match side {
        Side::First => turn.get() / 2,
        Side::Second => (turn.get() - 1) / 2,
    }
}

impl Army {
    /// Visits each step of a soldier onto an orthogonally adjacent piece of `onto` (RULES 2.3, 2.8, 2.9).
    pub(super) fn try_for_each_promotion<B>(
        &self,
        onto: SquareSet,
        mut visit: impl FnMut(Square, Square) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for direction in Direction::ORTHOGONAL {
            let from = self.soldiers & onto.shifted(direction.back());
            for (from, to) in from.into_iter().zip(from.shifted(direction)) {
                visit(from, to)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    pub(super) fn n_promotions(&self, onto: SquareSet) -> u32 {
        Direction::ORTHOGONAL.into_iter().map(|way| (self.soldiers.shifted(way) & onto).len()).sum()
    }

    #[inline]
    pub(super) fn can_promote(&self, onto: SquareSet) -> bool {
        Direction::ORTHOGONAL.into_iter().any(|way| !(self.soldiers.shifted(way) & onto).is_empty())
    }
}

impl Fenix {
    /// The kinds of pieces that soldiers of the side to move may step onto.
    #[inline]
    pub(super) fn promotable(&self) -> SquareSet {
        let army = self.board.army(self.to_move());
        match self.due {
            Some(Due::King) => army.councillors,
            Some(Due::Councillor) => army.soldiers,
            None if self.is_set_up() => {
                let soldiers = if army.n_made() < N_MADE { army.soldiers } else { SquareSet::EMPTY };
                let councillors = if army.king.is_empty() { army.councillors } else { SquareSet::EMPTY };
                soldiers | councillors
            }
            None => SquareSet::EMPTY,
        }
    }

    pub(super) fn check_promotion(&self, from: Square, to: Square) -> Result<(), IllegalMove> {
        let rule = match self.due {
            Some(Due::King) => KING,
            Some(Due::Councillor) => COUNCILLOR,
            None if self.is_set_up() => STACKING,
            None => return Err(IllegalMove::NothingDue),
        };
        let kind = self.own(from, rule)?;
        if kind != PieceKind::Soldier {
            return Err(IllegalMove::NotASoldier { from, kind, rule });
        }
        let steps = kind.directions();
        if !steps.iter().any(|direction| from.set().shifted(*direction).contains(to)) {
            return Err(IllegalMove::NotAdjacent { from, to, rule });
        }
        if self.promotable().contains(to) { Ok(()) } else { Err(self.not_promotable(to, rule)) }
    }

    fn not_promotable(&self, to: Square, rule: Rule) -> IllegalMove {
        match (self.due, self.board.army(self.to_move()).kind_at(to)) {
            (Some(Due::King), _) => IllegalMove::NotOnto { to, wanted: PieceKind::Councillor, rule },
            (Some(Due::Councillor), _) => IllegalMove::NotOnto { to, wanted: PieceKind::Soldier, rule },
            (None, Some(PieceKind::Soldier)) => IllegalMove::EnoughMade,
            (None, Some(PieceKind::Councillor)) => IllegalMove::HasKing,
            (None, Some(PieceKind::King) | None) => IllegalMove::NoStack { to },
        }
    }

    #[inline]
    pub(super) fn promote(&mut self, from: Square, to: Square) {
        let side = self.to_move();
        let onto = if self.board.army(side).soldiers.contains(to) {
            PieceKind::Soldier
        } else {
            PieceKind::Councillor
        };
        self.hash ^= self.board.promote(side, from, (to, onto));
    }

    pub(super) fn set_up(&self, side: Side) -> SetUp {
        let army = self.board.army(side);
        let n_made = n_stackings(self.turn, side);
        SetUp {
            king: !army.king.is_empty(),
            n_councillors: army.councillors.len() as u8,
            n_left: (N_STACKINGS - n_made) as u8,
        }
    }

    /// Checks the clauses of RULES 2.2 on the pieces that a side has made in the first phase.
    pub(super) fn check_stackings(&self, side: Side) -> Result<(), InvalidPosition> {
        let army = self.board.army(side);
        let (wanted, found) =
            (n_stackings(self.turn, side).into(), army.councillors.len() + 2 * army.king.len());
        if army.n_made() > N_MADE {
            return Err(InvalidPosition::TooManyMade { side });
        }
        if found != wanted {
            return Err(InvalidPosition::StackingsDiffer { side, wanted, found });
        }
        Ok(())
    }
}
