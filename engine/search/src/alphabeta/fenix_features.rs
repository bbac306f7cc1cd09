//! The features of the evaluation of Fenix.

use engine::{
    Rules, Side,
    fenix::{Due, Fenix, PieceKind, SquareSet},
};

/// Number of distances of a square from the edge.
const N_RINGS: usize = 5;
/// Pieces of each kind by their distance from the edge.
const RING: usize = 0;
/// For each number of ways to make a new king, up to 5.
const NEW_KINGS: usize = RING + 3 * N_RINGS;
/// For each number of councillors, up to 5.
const N_COUNCILLORS: usize = NEW_KINGS + 6;
/// Steps of soldiers, councillors and the king to empty squares.
const REACH: usize = N_COUNCILLORS + 6;
/// Pairs of neighbouring pieces of a side on a rank or file.
const PAIRS: usize = REACH + 3;
/// Pieces of each kind by what could jump them: those on one straight line with both neighbours empty, those on two,
/// such diagonals, and those without a neighbour of their side on a straight line.
const OPEN: usize = PAIRS + 1;
/// Neighbours of the king: own pieces, and enemies.
const KING_GUARDS: usize = OPEN + 12;
/// Pieces of the stronger side within 1 to 7 steps of the other king, once the other side has few discs.
const HUNTERS: usize = KING_GUARDS + 2;
const N_HUNTERS: usize = 7;
/// Pieces of each kind of the side to move that the other side could jump.
const JUMPABLE: usize = HUNTERS + N_HUNTERS;
/// The difference of discs over their sum.
const SHARE: usize = JUMPABLE + 3;
pub(super) const TEMPO: usize = SHARE + 1;
const COUNCILLOR_DUE: usize = TEMPO + 1;
const KING_DUE: usize = COUNCILLOR_DUE + 1;
pub(super) const N_WEIGHTS: usize = KING_DUE + 1;

/// Maximum number of discs of a side whose king is hunted.
const FEW_DISCS: i32 = 8;

/// Visits the features of a position with their counts, positive where they favour the side to move.
#[inline]
pub(super) fn visit_features(position: &Fenix, mut visit: impl FnMut(usize, i32)) {
    let side = position.to_move();
    let armies = [Army::of(position, side), Army::of(position, side.other())];
    let [own, other] = &armies;
    let empty = BOARD & !(own.all() | other.all());
    own.visit(other, empty, &mut |index, count| visit(index, count));
    other.visit(own, empty, &mut |index, count| visit(index, -count));
    let jumpable = other.jumpable(own.all(), empty);
    for (kind, pieces) in own.kinds().into_iter().enumerate() {
        visit(JUMPABLE + kind, count(pieces & jumpable));
    }
    let (own, other) = (own.n_discs(), other.n_discs());
    visit(SHARE, 64 * (own - other) / (own + other).max(1));
    visit(TEMPO, 1);
    match position.due() {
        Some(Due::Councillor) => visit(COUNCILLOR_DUE, 1),
        Some(Due::King) => visit(KING_DUE, 1),
        None => {}
    }
}

/// Difference of the bits of squares of neighbouring ranks.
pub(super) const RANK: u32 = 10;

/// Squares by their distance from the edge.
const RINGS: [u128; N_RINGS] = {
    let mut rings = [0; N_RINGS];
    let mut square = 0;
    while square < 81 {
        let (file, rank) = (square % 9, square / 9);
        let from_side = if file < 8 - file { file } else { 8 - file };
        let from_end = if rank < 8 - rank { rank } else { 8 - rank };
        let ring = if from_side < from_end { from_side } else { from_end };
        rings[ring as usize] |= 1 << (RANK * rank + file);
        square += 1;
    }
    rings
};

const BOARD: u128 = RINGS[0] | RINGS[1] | RINGS[2] | RINGS[3] | RINGS[4];

/// The squares one step further, by the difference of their bits.
#[inline]
const fn shifted(squares: u128, step: i32) -> u128 {
    (if step > 0 { squares << step } else { squares >> -step }) & BOARD
}

/// Some squares, and those next to them in all eight directions.
#[inline]
const fn around(squares: u128) -> u128 {
    let row = squares | shifted(squares, 1) | shifted(squares, -1);
    row | shifted(row, 10) | shifted(row, -10)
}

/// The squares whose neighbours on both sides of a line are in a set.
#[inline]
const fn between(set: u128, step: i32) -> u128 {
    shifted(set, step) & shifted(set, -step)
}

const fn count(squares: u128) -> i32 {
    squares.count_ones() as i32
}

/// The pieces of a side.
#[derive(Clone, Copy)]
struct Army {
    soldiers: u128,
    councillors: u128,
    king: u128,
}

impl Army {
    #[inline]
    fn of(position: &Fenix, side: Side) -> Self {
        let pieces = |kind| SquareSet::bits(position.pieces(side, kind));
        Self {
            soldiers: pieces(PieceKind::Soldier),
            councillors: pieces(PieceKind::Councillor),
            king: pieces(PieceKind::King),
        }
    }

    const fn all(&self) -> u128 {
        self.soldiers | self.councillors | self.king
    }

    const fn kinds(&self) -> [u128; 3] {
        [self.soldiers, self.councillors, self.king]
    }

    const fn n_discs(&self) -> i32 {
        count(self.soldiers) + 2 * count(self.councillors) + 3 * count(self.king)
    }

    /// Visits the features of this army.
    #[inline]
    fn visit(&self, other: &Self, empty: u128, visit: &mut impl FnMut(usize, i32)) {
        self.visit_places(visit);
        self.visit_shape(empty, visit);
        self.visit_reach(empty, visit);
        self.visit_kings(other, visit);
    }

    #[inline]
    fn visit_places(&self, visit: &mut impl FnMut(usize, i32)) {
        for (kind, pieces) in self.kinds().into_iter().enumerate() {
            for (ring, squares) in RINGS.into_iter().enumerate() {
                visit(RING + N_RINGS * kind + ring, count(pieces & squares));
            }
        }
        visit(N_COUNCILLORS + count(self.councillors).min(5) as usize, 1);
    }

    /// How the pieces stand together.
    #[inline]
    fn visit_shape(&self, empty: u128, visit: &mut impl FnMut(usize, i32)) {
        let Self { soldiers, councillors, .. } = *self;
        let all = self.all();
        let n_new_kings = count(shifted(soldiers, 1) & councillors)
            + count(shifted(soldiers, -1) & councillors)
            + count(shifted(soldiers, 10) & councillors)
            + count(shifted(soldiers, -10) & councillors);
        visit(NEW_KINGS + n_new_kings.min(5) as usize, 1);
        visit(PAIRS, count(shifted(all, 1) & all) + count(shifted(all, 10) & all));
        let beside = shifted(all, 1) | shifted(all, -1) | shifted(all, 10) | shifted(all, -10);
        let (rank, file) = (between(empty, 1), between(empty, 10));
        let diagonals = [between(empty, 9), between(empty, 11)];
        for (kind, pieces) in self.kinds().into_iter().enumerate() {
            let open = OPEN + 4 * kind;
            visit(open, count(pieces & (rank ^ file)));
            visit(open + 1, count(pieces & rank & file));
            visit(open + 2, count(pieces & diagonals[0]) + count(pieces & diagonals[1]));
            visit(open + 3, count(pieces & !beside));
        }
    }

    #[inline]
    fn visit_reach(&self, empty: u128, visit: &mut impl FnMut(usize, i32)) {
        let Self { soldiers, councillors, king } = *self;
        let straight = |pieces, step| count(shifted(pieces, step) & empty);
        let soldier_steps =
            straight(soldiers, 1) + straight(soldiers, -1) + straight(soldiers, 10) + straight(soldiers, -10);
        let rays = [
            ray::<1>(councillors, empty),
            ray::<-1>(councillors, empty),
            ray::<10>(councillors, empty),
            ray::<-10>(councillors, empty),
        ];
        // Pieces block the way, so at most one councillor reaches a square in a direction.
        visit(REACH, soldier_steps);
        visit(REACH + 1, rays.into_iter().map(count).sum());
        visit(REACH + 2, count(around(king) & empty));
    }

    #[inline]
    fn visit_kings(&self, other: &Self, visit: &mut impl FnMut(usize, i32)) {
        let beside = around(self.king);
        visit(KING_GUARDS, count(beside & !self.king & self.all()));
        visit(KING_GUARDS + 1, count(beside & other.all()));
        let (own_discs, other_discs) = (self.n_discs(), other.n_discs());
        if own_discs > other_discs && other_discs <= FEW_DISCS {
            let mut near = other.king;
            for steps in 0..N_HUNTERS {
                near = around(near);
                visit(HUNTERS + steps, count(near & self.all()));
            }
        }
    }

    /// The pieces of another army that the pieces of this one could jump.
    #[inline]
    fn jumpable(&self, prey: u128, empty: u128) -> u128 {
        self.jumpable_in::<1>(prey, empty)
            | self.jumpable_in::<-1>(prey, empty)
            | self.jumpable_in::<10>(prey, empty)
            | self.jumpable_in::<-10>(prey, empty)
            | self.jumpable_in::<9>(prey, empty)
            | self.jumpable_in::<-9>(prey, empty)
            | self.jumpable_in::<11>(prey, empty)
            | self.jumpable_in::<-11>(prey, empty)
    }

    /// The same in one direction.
    #[inline]
    fn jumpable_in<const STEP: i32>(&self, prey: u128, empty: u128) -> u128 {
        let is_straight = STEP.unsigned_abs() == 1 || STEP.unsigned_abs() == RANK;
        let from = if is_straight { self.all() | ray::<STEP>(self.councillors, empty) } else { self.king };
        shifted(from, STEP) & prey & shifted(empty, -STEP)
    }
}

/// The empty squares that some pieces reach in a direction.
#[inline]
const fn ray<const STEP: i32>(from: u128, empty: u128) -> u128 {
    let mut reached = 0;
    let mut last = shifted(from, STEP) & empty;
    while last != 0 {
        reached |= last;
        last = shifted(last, STEP) & empty;
    }
    reached
}
