use std::{
    collections::HashMap,
    ops::{BitAnd, BitOr},
};

use super::{
    Kind, Route, Square,
    board::{Army, Direction, SquareSet},
};
use crate::{Budget, TooCostly};

/// What a jump needs to know (RULES 2.5).
pub(super) struct Jumper<'a> {
    pub(super) kind: Kind,
    pub(super) prey: &'a Army,
    /// The squares without a piece and the one that the jumper came from. What it jumps stays, and blocks.
    pub(super) empty: SquareSet,
}

impl Jumper<'_> {
    /// The pieces that are jumped from some squares in a direction, and the squares to land on.
    #[inline]
    pub(super) fn jump(&self, from: SquareSet, direction: Direction) -> (SquareSet, SquareSet) {
        let over = self.onward(from, direction).shifted(direction) & self.prey.all();
        let landings = over.shifted(direction) & self.empty;
        (landings.shifted(direction.back()), self.onward(landings, direction))
    }

    /// These squares, and the empty ones behind them that the jumper gets to without a jump.
    #[inline]
    fn onward(&self, squares: SquareSet, direction: Direction) -> SquareSet {
        let mut all = squares;
        let mut last = squares;
        while self.kind == Kind::Councillor && !last.is_empty() {
            last = last.shifted(direction) & self.empty;
            all = all | last;
        }
        all
    }

    /// All pieces that are jumped on any way from a square, and all squares that are landed on.
    fn reach(&self, start: Square) -> (SquareSet, SquareSet) {
        let (mut jumped, mut landed, mut last) = (SquareSet::EMPTY, start.set(), start.set());
        while !last.is_empty() {
            let mut next = SquareSet::EMPTY;
            for &direction in self.kind.directions() {
                let (over, landings) = self.jump(last, direction);
                jumped = jumped | over;
                next = next | landings;
            }
            last = next.without(landed);
            landed = landed | next;
        }
        (jumped, landed)
    }

    /// The squares next to a piece on both sides, for each line on which it can be jumped at all.
    fn sides(&self, over: Square, landed: SquareSet) -> impl Iterator<Item = [SquareSet; 2]> {
        let side = move |direction| self.onward(over.set().shifted(direction) & self.empty, direction);
        let (lines, _) = self.kind.directions().as_chunks();
        lines
            .iter()
            .map(move |[there, back]| [side(*there), side(*back)])
            .filter(move |sides| sides.iter().all(|side| !(*side & landed).is_empty()))
    }
}

/// The ways of one piece through the enemies (RULES 2.6), and what is known of them so far.
///
/// A lattice of enemies can have millions of ways through it, and it can take as many steps to see that none of them
/// takes one disc more. So no way is tried that parity forbids, and what was tried is remembered.
///
/// A **flank** of a piece is one of its two sides on a line on which it can be jumped: the squares from which it is
/// jumped to the other side, which are also those to land on when it is jumped from there. Two flanks **meet** if
/// they are of two pieces and share a square: who lands on one can go on over the piece of the other.
pub(super) struct Hunt {
    start: Square,
    /// Four for each piece that can be jumped: two for each of its lines, those of a second line without squares if
    /// it has none. It has no third: a king lands on every other square only, and so jumps a piece either on one
    /// straight line or on the two diagonals. The last flank is that of no piece, where the hunter starts.
    flanks: Vec<Flank>,
    /// The discs of each piece.
    discs: Vec<u8>,
    known: HashMap<(u8, u32), Known>,
}

#[derive(Clone, Copy)]
struct Flank {
    squares: SquareSet,
    /// The first flank with the same squares.
    same: usize,
    meets: FlankSet,
}

impl Flank {
    const fn of(squares: SquareSet) -> Self {
        Self { squares, same: 0, meets: FlankSet::EMPTY }
    }
}

/// How far the hunter has come.
#[derive(Clone, Copy)]
struct Stand {
    /// The flank that it has landed on.
    at: usize,
    /// The flanks of the pieces that it has not jumped.
    left: FlankSet,
    /// The pieces that it has jumped, a bit each: `left` once more, in short.
    jumped: u32,
}

/// Bounds of what can still be taken.
#[derive(Clone, Copy)]
struct Known {
    at_least: u8,
    at_most: u8,
}

impl Hunt {
    pub(super) fn new(jumper: &Jumper<'_>, start: Square) -> Self {
        let (jumped, landed) = jumper.reach(start);
        let mut hunt = Self { start, flanks: Vec::new(), discs: Vec::new(), known: HashMap::new() };
        for piece in jumped {
            hunt.flanks.extend(jumper.sides(piece, landed).flatten().map(Flank::of));
            hunt.discs.push(jumper.prey.n_discs(piece.set()));
            hunt.flanks.resize(4 * hunt.discs.len(), Flank::of(SquareSet::EMPTY));
        }
        hunt.flanks.push(Flank::of(start.set()));
        for at in 0..hunt.flanks.len() {
            let same = hunt.flanks.iter().position(|flank| flank.squares == hunt.flanks[at].squares);
            hunt.flanks[at].same = same.unwrap_or(at);
            hunt.flanks[at].meets = hunt.meeting_at(at);
        }
        hunt
    }

    fn meeting_at(&self, at: usize) -> FlankSet {
        let squares = self.flanks[at].squares;
        let meets =
            |other: &usize| other / 4 != at / 4 && !(self.flanks[*other].squares & squares).is_empty();
        (0..4 * self.discs.len()).filter(meets).fold(FlankSet::EMPTY, |all, other| all | FlankSet::of(other))
    }

    fn beginning(&self) -> Stand {
        let n_flanks = 4 * self.discs.len();
        Stand { at: n_flanks, left: FlankSet((1 << n_flanks) - 1), jumped: 0 }
    }

    /// The flanks from which there is a jump.
    fn jumps(&self, stand: Stand) -> FlankSet {
        self.flanks[stand.at].meets & stand.left
    }

    /// What a jump from a flank leads to, and the discs that it takes.
    fn after(&self, stand: Stand, from: usize) -> (Stand, u8) {
        let piece = from / 4;
        let left = stand.left.without(FlankSet::of_piece(piece));
        (Stand { at: opposite(from), left, jumped: stand.jumped | 1 << piece }, self.discs[piece])
    }

    /// The discs of all pieces that can be jumped on some way. No capture takes more.
    pub(super) fn n_discs(&self) -> u8 {
        self.discs.iter().sum()
    }

    /// Whether a capture takes so many discs, or more.
    pub(super) fn can_take(&mut self, discs: u8, budget: &mut Budget) -> Result<bool, TooCostly> {
        self.can_go_on(self.beginning(), discs, budget)
    }

    fn can_go_on(&mut self, stand: Stand, discs: u8, budget: &mut Budget) -> Result<bool, TooCostly> {
        budget.spend(1)?;
        let jumps = self.jumps(stand);
        if discs == 0 || jumps.pieces().any(|piece| self.discs[piece] >= discs) {
            return Ok(true);
        }
        let key = (self.flanks[stand.at].same as u8, stand.jumped);
        let known = self.known.get(&key).copied();
        let mut known = known.unwrap_or_else(|| Known { at_least: 0, at_most: self.bound(stand) });
        if known.at_least < discs && discs <= known.at_most {
            known = if self.can_jump_on(stand, jumps, discs, budget)? {
                Known { at_least: discs, ..known }
            } else {
                Known { at_most: discs - 1, ..known }
            };
        }
        self.known.insert(key, known);
        Ok(discs <= known.at_least)
    }

    fn can_jump_on(
        &mut self,
        stand: Stand,
        jumps: FlankSet,
        discs: u8,
        budget: &mut Budget,
    ) -> Result<bool, TooCostly> {
        for from in jumps {
            let (next, taken) = self.after(stand, from);
            if self.can_go_on(next, discs - taken, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// No more discs can still be taken: those of all pieces that could still be reached, less what parity forbids.
    ///
    /// A way that lands on a flank goes on from one that meets it. So where some flanks meet none but each other,
    /// the way has to do with an even number of them, the one that it stands on counted in, unless it ends there. And
    /// that number is known, up to a multiple of 2, if all pieces are jumped: each piece that has one line uses both
    /// flanks, and each that has two uses one of each pair of flanks, if each pair is within. Where it is odd, and
    /// the way does not end, some piece has to be left out; and one piece can make that good in two places.
    fn bound(&self, stand: Stand) -> u8 {
        let here = self.jumps(stand);
        let reach = self.reach(here, stand.left);
        let discs: u8 = reach.pieces().map(|piece| self.discs[piece]).sum();
        let n_odd = [FlankSet::turned, FlankSet::mirrored].map(|pair| self.n_odd(reach, here, pair));
        discs - n_odd[0].max(n_odd[1]) / 2
    }

    /// Both flanks of each line that can still be jumped on.
    fn reach(&self, here: FlankSet, left: FlankSet) -> FlankSet {
        let (mut reach, mut last) = (FlankSet::EMPTY, here);
        while !last.is_empty() {
            reach = reach | last;
            last = (self.meeting(last.opposite()) & left).without(reach);
        }
        reach | reach.opposite()
    }

    fn meeting(&self, flanks: FlankSet) -> FlankSet {
        flanks.into_iter().fold(FlankSet::EMPTY, |all, flank| all | self.flanks[flank].meets)
    }

    /// In how many places parity is against it that all pieces are jumped.
    fn n_odd(&self, reach: FlankSet, here: FlankSet, pair: fn(FlankSet) -> FlankSet) -> u8 {
        let on_two_lines = reach & reach.turned();
        let (mut rest, mut n_odd) = (reach, 0);
        while let Some(flank) = rest.into_iter().next() {
            let (mut place, mut last) = (FlankSet::EMPTY, FlankSet::of(flank));
            while !last.is_empty() {
                place = place | last;
                let from_here = if (last & here).is_empty() { FlankSet::EMPTY } else { here };
                last = ((self.meeting(last) | pair(last & on_two_lines) | from_here) & reach).without(place);
            }
            let n_used = place.without(on_two_lines).len() + (place & on_two_lines).len() / 2;
            let n_starts = u32::from(!(place & here).is_empty());
            n_odd += ((n_used + n_starts) % 2) as u8;
            rest = rest.without(place);
        }
        n_odd
    }

    /// Visits the ways to take so many discs, the most that there are, until it has visited as many as it may. No two
    /// of them are the same (RULES 2.14): a jump is known by where it lands. Each way costs as many steps as it has
    /// squares, on top of the search.
    pub(super) fn for_each_way(
        &mut self,
        discs: u8,
        n_left: &mut usize,
        budget: &mut Budget,
        visit: &mut impl FnMut(&Route),
    ) -> Result<(), TooCostly> {
        if !self.can_take(discs, budget)? {
            return Ok(());
        }
        self.go_on(self.beginning(), discs, &mut Route::from(self.start), n_left, budget, visit)
    }

    fn go_on(
        &mut self,
        stand: Stand,
        discs: u8,
        route: &mut Route,
        n_left: &mut usize,
        budget: &mut Budget,
        visit: &mut impl FnMut(&Route),
    ) -> Result<(), TooCostly> {
        if discs == 0 {
            budget.spend(route.squares().len() as u64)?;
            visit(route);
            *n_left -= 1;
            return Ok(());
        }
        let (_, at) = route.ends();
        for from in self.jumps(stand) {
            let (next, taken) = self.after(stand, from);
            if !self.flanks[from].squares.contains(at)
                || !self.can_go_on(next, discs.saturating_sub(taken), budget)?
            {
                continue;
            }
            for landing in self.flanks[next.at].squares {
                if *n_left == 0 {
                    return Ok(());
                }
                route.push(landing);
                self.go_on(next, discs - taken, route, n_left, budget, visit)?;
                route.pop();
            }
        }
        Ok(())
    }
}

/// The flank on the other side of the same piece.
const fn opposite(flank: usize) -> usize {
    flank ^ 1
}

/// Flanks of a hunt, a bit each.
#[derive(Clone, Copy)]
struct FlankSet(u128);

impl FlankSet {
    const EMPTY: Self = Self(0);
    /// The first of the four flanks of each piece.
    const FIRSTS: u128 = u128::MAX / 0xf;

    const fn of(flank: usize) -> Self {
        Self(1 << flank)
    }

    const fn of_piece(piece: usize) -> Self {
        Self(0xf << (4 * piece))
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn len(self) -> u32 {
        self.0.count_ones()
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Each piece of which a flank is in it.
    fn pieces(self) -> impl Iterator<Item = usize> {
        let any = self.0 | self.0 >> 1 | self.0 >> 2 | self.0 >> 3;
        Self(any & Self::FIRSTS).into_iter().map(|flank| flank / 4)
    }

    /// For each flank the one on the other side.
    const fn opposite(self) -> Self {
        const ODD: u128 = FlankSet::FIRSTS * 0b1010;
        Self((self.0 & ODD) >> 1 | self.0 << 1 & ODD)
    }

    /// For each flank one of the other line of its piece.
    const fn turned(self) -> Self {
        const SECOND: u128 = FlankSet::FIRSTS * 0b1100;
        Self((self.0 & SECOND) >> 2 | self.0 << 2 & SECOND)
    }

    /// For each flank the other one of the other line of its piece.
    const fn mirrored(self) -> Self {
        self.turned().opposite()
    }
}

impl BitAnd for FlankSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for FlankSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl IntoIterator for FlankSet {
    type Item = usize;
    type IntoIter = Flanks;

    fn into_iter(self) -> Flanks {
        Flanks(self.0)
    }
}

/// The flanks of a set, from the lowest.
struct Flanks(u128);

impl Iterator for Flanks {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let flank = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(flank as usize)
    }
}
