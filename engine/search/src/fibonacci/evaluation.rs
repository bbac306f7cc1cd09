use engine::{
    Rules, Side,
    fibonacci::{Cell, CellSet, Fibonacci, PieceKind, Variant},
};

use super::{
    estimate::Attack,
    geometry::{distances, is_inner},
    weights::{
        ALLOWANCE, CENTRE_ON_EDGE, CENTRE_SUPPORTED, MOVES, N_MOVES, N_SLACKS, PAIRS, SLACK, SPREAD,
        STRIKES_FROM_CENTRE, SUPPORTS_FROM_CENTRE, SUPPORTS_FROM_TARGET, SWAPS_BY_STRIKES, SWAPS_BY_SUPPORTS,
        Weights,
    },
};

/// The least slack that is told apart.
const MIN_SLACK: i32 = -3;

/// The allowance that stands for the unknown card of a turn.
const MEAN_CARD: u8 = 4;

/// The part of a side's features that depends on its own pieces and on the other side's centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    /// `moves_to_win` without pulls by supports.
    by_strikes: u8,
    moves_to_win: u8,
    spread: u8,
    pairs: u8,
    supports_from_centre: u8,
    supports_from_target: u8,
    strikes_from_centre: u8,
}

impl Summary {
    /// Summarises the pieces of a side.
    pub(super) fn new(position: &Fibonacci, side: Side) -> Self {
        let attack = Attack::new(position, side);
        let own_centre = position.centre(side);
        let pairs: u32 =
            attack.strikes.into_iter().map(|strike| (strike.neighbours() & attack.strikes).len()).sum();
        let by_strikes = attack.by_strikes();
        Self {
            by_strikes,
            moves_to_win: attack.with_supports(by_strikes),
            spread: distances(attack.strikes, attack.target) as u8,
            pairs: (pairs / 2) as u8,
            supports_from_centre: distances(attack.supports, own_centre) as u8,
            supports_from_target: distances(attack.supports, attack.target) as u8,
            strikes_from_centre: distances(attack.strikes, own_centre) as u8,
        }
    }
}

impl Summary {
    /// The summary after a move of a support of the side onto an empty cell.
    pub(super) fn after_support(&self, position: &Fibonacci, side: Side) -> Self {
        let attack = Attack::new(position, side);
        let by_strikes =
            if position.variant() == Variant::Mixed { attack.by_strikes() } else { self.by_strikes };
        Self {
            by_strikes,
            moves_to_win: attack.with_supports(by_strikes),
            supports_from_centre: distances(attack.supports, position.centre(side)) as u8,
            supports_from_target: distances(attack.supports, attack.target) as u8,
            ..*self
        }
    }
}

/// The pieces of a side in one set for each movable kind, and its centre.
#[derive(Clone, Copy)]
struct Pieces {
    strikes: CellSet,
    supports: CellSet,
    centre: Cell,
}

impl Pieces {
    fn new(position: &Fibonacci, side: Side) -> Self {
        Self {
            strikes: position.pieces(side, PieceKind::Strike),
            supports: position.pieces(side, PieceKind::Support),
            centre: position.centre(side),
        }
    }
}

/// A position between two turns, or as if it were.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation<'a> {
    pub(super) position: &'a Fibonacci,
    /// The side that has moved last.
    pub(super) mover: Side,
    /// The number of the turn of `mover`.
    pub(super) turn: u16,
    /// The summary of `mover`.
    pub(super) own: &'a Summary,
    /// The summary of the other side, whose turn comes next.
    pub(super) other: &'a Summary,
}

impl Situation<'_> {
    /// The value for the side that has moved last, in hundredths of a logit.
    pub(super) fn value(&self, weights: &Weights) -> i32 {
        let mut value = 0;
        self.visit_features(|role, index, count| {
            value += weights.roles[role][index] * count * if role == WAITING { 1 } else { -1 };
        });
        value
    }

    /// Visits the features that are not 0: the role of the side, the index of the weight and the count.
    #[inline]
    pub(super) fn visit_features(&self, mut visit: impl FnMut(usize, usize, i32)) {
        let own = Pieces::new(self.position, self.mover);
        let other = Pieces::new(self.position, self.mover.other());
        let variant = self.position.variant();
        let allowance = |turn: u16, centre: Cell, strikes: CellSet| match variant {
            Variant::Original | Variant::Mixed => {
                (turn.min(6) as u8).saturating_sub((centre.neighbours() & strikes).len() as u8)
            }
            Variant::Cards => MEAN_CARD,
        };
        let own_allowance = allowance(self.turn + 2, own.centre, other.strikes);
        let other_allowance = allowance(self.turn + 1, other.centre, own.strikes);
        visit_side(self.own, own, other, own_allowance, |index, count| visit(WAITING, index, count));
        visit_side(self.other, other, own, other_allowance, |index, count| visit(READY, index, count));
    }
}

/// The role of the side whose turn comes next.
pub(super) const READY: usize = 0;

/// The role of the side that has moved last.
pub(super) const WAITING: usize = 1;

#[inline]
fn visit_side(
    summary: &Summary,
    own: Pieces,
    enemy: Pieces,
    allowance: u8,
    mut visit: impl FnMut(usize, i32),
) {
    let moves = i32::from(summary.moves_to_win);
    let slack = (moves - i32::from(allowance) - MIN_SLACK).clamp(0, N_SLACKS as i32 - 1);
    visit(SLACK + slack as usize, 1);
    visit(ALLOWANCE + usize::from(allowance), 1);
    visit(MOVES + (moves as usize).min(N_MOVES - 1), 1);
    visit(SPREAD, summary.spread.into());
    visit(PAIRS, summary.pairs.into());
    visit(SUPPORTS_FROM_CENTRE, summary.supports_from_centre.into());
    visit(SUPPORTS_FROM_TARGET, summary.supports_from_target.into());
    visit(STRIKES_FROM_CENTRE, summary.strikes_from_centre.into());
    visit(CENTRE_ON_EDGE, i32::from(!is_inner(own.centre)));
    let near_supports = own.supports.neighbours();
    visit(CENTRE_SUPPORTED, i32::from(near_supports.contains(own.centre)));
    visit(SWAPS_BY_SUPPORTS, (near_supports & enemy.strikes).len() as i32);
    visit(SWAPS_BY_STRIKES, (own.strikes.neighbours() & enemy.strikes).len() as i32);
}

/// The chance to win of a value in hundredths of a logit.
pub(super) fn chance(value: i32) -> f32 {
    1.0 / (1.0 + (-value as f32 / 100.0).exp())
}

/// The value of a chance to win, in hundredths of a logit.
pub(super) fn value_of(chance: f32) -> i32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    ((chance / (1.0 - chance)).ln() * 100.0) as i32
}

/// The number of the turn of a position.
pub(super) fn turn_of(position: &Fibonacci) -> u16 {
    position.turn().get()
}
