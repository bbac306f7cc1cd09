//! The features by which the evaluation knows a position. Each adds its row of weights, several times if it occurs several
//! times.

use engine::{
    Side,
    fibonacci::{Cell, CellSet, Fibonacci, PieceKind, Variant},
};

use super::{
    estimate::{Attack, Needed},
    geometry::{NeighbourCounts, distance, flood, from_edge},
};

/// The least slack that is told apart.
const MIN_SLACK: i32 = -3;

/// The allowance that stands for the unknown card of a turn.
const MEAN_CARD: u8 = 4;

/// Number of classes of slack: moves that a win needs, less the allowance of the side's next turn.
const N_SLACKS: usize = 12;
/// Number of classes of moves that a win needs.
const N_MOVES: usize = 16;
const N_ALLOWANCES: usize = 7;
/// Number of classes of distances, from 1.
const N_DISTANCES: usize = 8;
/// Number of classes of a number of a side's strikes or supports, from 0.
const N_COUNTS: usize = 7;
const N_PAIRS: usize = 10;
/// Number of distances from the edge.
const N_RINGS: usize = 6;

// The first feature of each kind.
const SLACK: usize = 0;
const SLACK_BY_STRIKES: usize = SLACK + N_SLACKS;
const ALLOWANCE: usize = SLACK_BY_STRIKES + N_SLACKS;
const MOVES: usize = ALLOWANCE + N_ALLOWANCES;
const STRIKES_FROM_TARGET: usize = MOVES + N_MOVES;
const STRIKES_FROM_CENTRE: usize = STRIKES_FROM_TARGET + N_DISTANCES;
const SUPPORTS_FROM_TARGET: usize = STRIKES_FROM_CENTRE + N_DISTANCES;
const SUPPORTS_FROM_CENTRE: usize = SUPPORTS_FROM_TARGET + N_DISTANCES;
const PAIRS: usize = SUPPORTS_FROM_CENTRE + N_DISTANCES;
const RING: usize = PAIRS + N_PAIRS;
const GROUPS_OF_STRIKES: usize = RING + N_RINGS;
const LARGEST_OF_STRIKES: usize = GROUPS_OF_STRIKES + N_COUNTS;
const GROUPS_OF_SUPPORTS: usize = LARGEST_OF_STRIKES + N_COUNTS;
const GATHERED: usize = GROUPS_OF_SUPPORTS + N_COUNTS;
const SWAPS_BY_SUPPORTS: usize = GATHERED + N_COUNTS;
const SWAPS_BY_STRIKES: usize = SWAPS_BY_SUPPORTS + N_COUNTS;
/// Number of features of a side.
const N_OF_SIDE: usize = SWAPS_BY_STRIKES + N_COUNTS;

/// The first feature of the moves that are left of a turn, from 1 to 5.
const LEFT: usize = 2 * N_OF_SIDE;

/// Number of features: those of the side whose turn comes next, those of the side that has moved last, and the moves that it has
/// left.
pub(super) const N_FEATURES: usize = LEFT + 5;

/// The feature of the moves that are left of a turn, at most 5; none after the turn.
pub(super) fn moves_left(n: u8) -> Option<usize> {
    usize::from(n.min(5)).checked_sub(1).map(|at| LEFT + at)
}

/// Features of a position. One that occurs several times is listed several times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    list: [u16; MOST_FEATURES],
    n: usize,
}

/// The most features that are listed together: those of a side's six strikes at two distances, and five of all of them.
const MOST_FEATURES: usize = 17;

impl Features {
    pub(super) const NONE: Self = Self { list: [0; MOST_FEATURES], n: 0 };

    #[inline]
    fn push(&mut self, role: Role, of_side: usize) {
        self.list[self.n] = (role as usize * N_OF_SIDE + of_side) as u16;
        self.n += 1;
    }

    #[cfg(test)]
    pub(super) fn of(features: &[usize]) -> Self {
        let mut all = Self::NONE;
        features.iter().for_each(|feature| all.push(Role::Ready, *feature));
        all
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.list[..self.n].iter().map(|feature| usize::from(*feature))
    }
}

/// A side between two turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Its turn comes next.
    Ready,
    /// It has moved last.
    Waiting,
}

/// Adds the feature of the moves that a side needs to win.
pub(super) fn add_needed(needed: Needed, role: Role, features: &mut Features) {
    features.push(role, MOVES + usize::from(needed.moves).min(N_MOVES - 1));
}

/// Adds the features of a side that depend on its strikes and on both centres.
pub(super) fn add_strikes(attack: &Attack, centre: Cell, role: Role, features: &mut Features) {
    let mut add = |feature| features.push(role, feature);
    let Attack { strikes, target, .. } = *attack;
    let mut n_near = 0;
    for strike in strikes {
        add(STRIKES_FROM_TARGET + class(strike, target));
        add(STRIKES_FROM_CENTRE + class(strike, centre));
        n_near += (strike.neighbours() & strikes).len() as usize;
    }
    add(PAIRS + (n_near / 2).min(N_PAIRS - 1));
    add(RING + usize::from(from_edge(centre)).min(N_RINGS - 1));
    let (n_groups, largest) = groups(strikes);
    add(GROUPS_OF_STRIKES + n_groups.min(N_COUNTS - 1));
    add(LARGEST_OF_STRIKES + largest.min(N_COUNTS - 1));
    let counts = NeighbourCounts::new(strikes);
    let gathered = (3..N_COUNTS).rev().find(|n| !counts.at_least(*n as u8).is_empty());
    add(GATHERED + gathered.unwrap_or(0));
}

/// Adds the features of a side that depend on its supports and on both centres.
pub(super) fn add_supports(attack: &Attack, centre: Cell, role: Role, features: &mut Features) {
    let mut add = |feature| features.push(role, feature);
    let Attack { supports, target, .. } = *attack;
    for support in supports {
        add(SUPPORTS_FROM_TARGET + class(support, target));
        add(SUPPORTS_FROM_CENTRE + class(support, centre));
    }
    add(GROUPS_OF_SUPPORTS + groups(supports).0.min(N_COUNTS - 1));
}

/// The class of the distance of two cells.
fn class(a: Cell, b: Cell) -> usize {
    usize::from(distance(a, b).clamp(1, N_DISTANCES as u8)) - 1
}

/// The number of connected groups and the size of the largest one.
fn groups(pieces: CellSet) -> (usize, usize) {
    let (mut n_groups, mut largest, mut rest) = (0, 0, pieces);
    while !rest.is_empty() {
        let group = flood(rest.lowest(), pieces);
        rest = rest.without(group);
        n_groups += 1;
        largest = largest.max(group.len() as usize);
    }
    (n_groups, largest)
}

/// Adds the features of a side that depend on the pieces of both. `turn` is the number of the side's next turn.
pub(super) fn add_meeting(
    position: &Fibonacci,
    side: Side,
    turn: u16,
    needed: Needed,
    role: Role,
    features: &mut Features,
) {
    let mut add = |feature| features.push(role, feature);
    let enemies = position.pieces(side.other(), PieceKind::Strike);
    let allowance = match position.variant() {
        Variant::Original | Variant::Mixed => {
            let n_attackers = (position.centre(side).neighbours() & enemies).len() as u8;
            (turn.min(6) as u8).saturating_sub(n_attackers)
        }
        Variant::Cards => MEAN_CARD,
    };
    let slack = |moves: u8| {
        let slack = i32::from(moves) - i32::from(allowance) - MIN_SLACK;
        slack.clamp(0, N_SLACKS as i32 - 1) as usize
    };
    add(SLACK + slack(needed.moves));
    add(SLACK_BY_STRIKES + slack(needed.by_strikes));
    add(ALLOWANCE + usize::from(allowance));
    let swaps = |kind| {
        let near = position.pieces(side, kind).neighbours() & enemies;
        (near.len() as usize).min(N_COUNTS - 1)
    };
    add(SWAPS_BY_SUPPORTS + swaps(PieceKind::Support));
    add(SWAPS_BY_STRIKES + swaps(PieceKind::Strike));
}
