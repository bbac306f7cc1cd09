use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
    ops::ControlFlow,
};

use super::{
    PieceKind, Route, Square, SquareSet,
    board::{Army, Direction},
    budgeted::Stop,
};
use crate::core::{BitCell, BitSet, Budget, TooCostly, zobrist};

/// The rules of one piece's jumps (RULES 2.5).
pub(super) struct Jumper<'a> {
    pub(super) kind: PieceKind,
    pub(super) prey: &'a Army,
    /// The empty squares and the one that the jumper started from. Jumped pieces stay and block the way.
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

    /// These squares, and the empty ones that the jumper reaches from them without a jump.
    #[inline]
    fn onward(&self, squares: SquareSet, direction: Direction) -> SquareSet {
        let mut all = squares;
        let mut last = squares;
        while self.kind == PieceKind::Councillor && !last.is_empty() {
            last = last.shifted(direction) & self.empty;
            all = all | last;
        }
        all
    }

    /// All pieces that can be jumped in a sequence of jumps from a square, and all squares to land on.
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

/// Search for the captures of one piece (RULES 2.6), with the bounds known so far.
///
/// A lattice of enemies can have millions of ways through it, and a proof that none of them takes one more disc can
/// need as many steps. So the search prunes by a parity argument and memoizes its states.
///
/// A **landing set** of a piece is one of its two sides on a line on which it can be jumped: the squares from which it
/// is jumped to the other side, which are also the squares to land on when it is jumped from there. Two landing sets
/// **meet** if they belong to two pieces and share a square: a piece that lands on one can continue over the piece of
/// the other.
#[derive(Clone, Default, Debug)]
pub(super) struct CaptureSearch {
    /// Four landing sets for each piece that can be jumped, two for each of its lines; those of a missing second line
    /// are empty. There is no third line: a king lands only on every other square, and so jumps a piece either along
    /// one straight line or along the two diagonals. The last landing set belongs to no piece: it is the start of the
    /// capturing piece.
    landing_sets: Vec<LandingSet>,
    /// Number of discs of each piece.
    discs: Vec<u8>,
    known: HashMap<u64, Known, BuildHasherDefault<StateHasher>>,
    /// The states whose results were all visited.
    visited: HashSet<u64, BuildHasherDefault<StateHasher>>,
}

/// Maximum number of states for which memory is kept for the next search. Beyond it, the memory is freed.
const MAX_KEPT_STATES: usize = 1 << 12;

/// Mixes a state, which is one number, into a hash.
#[derive(Default)]
struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 << 8 | u64::from(*byte));
        }
    }

    fn write_u64(&mut self, state: u64) {
        self.0 = zobrist::number(state);
    }
}

#[derive(Clone, Copy, Debug)]
struct LandingSet {
    squares: SquareSet,
    /// The first landing set with the same squares.
    same: usize,
    meets: LandingSets,
}

impl LandingSet {
    const fn from_squares(squares: SquareSet) -> Self {
        Self { squares, same: 0, meets: LandingSets::EMPTY }
    }
}

/// State of the search along a way.
#[derive(Clone, Copy)]
struct SearchState {
    /// The landing set of the last landing.
    at: usize,
    /// The landing sets of the pieces not yet jumped.
    left: LandingSets,
    /// The jumped pieces, one bit each. It is the complement of `left` in compact form.
    jumped: u32,
}

/// Bounds on the number of discs that can still be taken.
#[derive(Clone, Copy, Debug)]
struct Known {
    at_least: u8,
    at_most: u8,
}

impl CaptureSearch {
    pub(super) fn begin(&mut self, jumper: &Jumper<'_>, start: Square) {
        let (jumped, landed) = jumper.reach(start);
        self.landing_sets.clear();
        self.discs.clear();
        if self.known.capacity() > MAX_KEPT_STATES {
            self.known = HashMap::default();
        }
        self.known.clear();
        for piece in jumped {
            self.landing_sets.extend(jumper.sides(piece, landed).flatten().map(LandingSet::from_squares));
            self.discs.push(jumper.prey.n_discs(piece.set()));
            self.landing_sets.resize(4 * self.discs.len(), LandingSet::from_squares(SquareSet::EMPTY));
        }
        self.landing_sets.push(LandingSet::from_squares(start.set()));
        for at in 0..self.landing_sets.len() {
            let same = self.landing_sets.iter().position(|set| set.squares == self.landing_sets[at].squares);
            self.landing_sets[at].same = same.unwrap_or(at);
            self.landing_sets[at].meets = self.meeting_at(at);
        }
    }

    fn meeting_at(&self, at: usize) -> LandingSets {
        let squares = self.landing_sets[at].squares;
        let meets =
            |other: &usize| other / 4 != at / 4 && !(self.landing_sets[*other].squares & squares).is_empty();
        (0..4 * self.discs.len())
            .filter(meets)
            .fold(LandingSets::EMPTY, |all, other| all | LandingSets::from_cell(other))
    }

    fn beginning(&self) -> SearchState {
        let n_sets = 4 * self.discs.len();
        SearchState { at: n_sets, left: LandingSets::from_bits((1 << n_sets) - 1), jumped: 0 }
    }

    /// The state as one number, which is equal for states with the same continuations.
    fn key(&self, state: SearchState) -> u64 {
        (self.landing_sets[state.at].same as u64) << 32 | u64::from(state.jumped)
    }

    /// The landing sets from which there is a jump.
    fn jumps(&self, state: SearchState) -> LandingSets {
        self.landing_sets[state.at].meets & state.left
    }

    /// The state after a jump from a landing set, and the number of discs that the jump takes.
    fn after(&self, state: SearchState, from: usize) -> (SearchState, u8) {
        let piece = from / 4;
        let left = state.left.without(LandingSets::from_piece(piece));
        (SearchState { at: opposite(from), left, jumped: state.jumped | 1 << piece }, self.discs[piece])
    }

    /// Number of discs of all pieces that can be jumped on some way, an upper bound on any capture.
    pub(super) fn n_discs(&self) -> u8 {
        self.discs.iter().sum()
    }

    /// Whether a capture takes at least this many discs.
    pub(super) fn can_take(&mut self, discs: u8, budget: &mut Budget) -> Result<bool, TooCostly> {
        self.can_go_on(self.beginning(), discs, budget)
    }

    fn can_go_on(&mut self, state: SearchState, discs: u8, budget: &mut Budget) -> Result<bool, TooCostly> {
        budget.spend(1)?;
        let jumps = self.jumps(state);
        if discs == 0 || jumps.pieces().any(|piece| self.discs[piece] >= discs) {
            return Ok(true);
        }
        let key = self.key(state);
        let known = self.known.get(&key).copied();
        let mut known = known.unwrap_or_else(|| Known { at_least: 0, at_most: self.bound(state) });
        if known.at_least < discs && discs <= known.at_most {
            known = if self.can_jump_on(state, jumps, discs, budget)? {
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
        state: SearchState,
        jumps: LandingSets,
        discs: u8,
        budget: &mut Budget,
    ) -> Result<bool, TooCostly> {
        for from in jumps {
            let (next, taken) = self.after(state, from);
            if self.can_go_on(next, discs - taken, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Upper bound on the number of discs that can still be taken: those of all reachable pieces, less a parity
    /// correction.
    ///
    /// A way that lands on a landing set continues from one that meets it. Consider a component: landing sets that meet
    /// only each other. The way uses an even number of them, including the one that it stands on, unless it ends there.
    /// If all pieces are jumped, the parity of that number is known: each piece with one line uses both landing sets,
    /// and each piece with two lines uses one of each pair of landing sets, if each pair lies within the component. If
    /// the parity is odd and the way does not end there, some piece must be left out. One piece can correct the parity
    /// of two components.
    ///
    /// A king at A can jump three enemies here, each along one line:
    ///
    /// ```text
    /// A  1  B  2  C      A has one landing set, and the way starts there: even.
    ///       3            B has three: odd.
    ///       D            C and D have one each: odd.
    /// ```
    ///
    /// Each jump is an edge between two squares, and a way through all edges would leave every square that it enters,
    /// except its last. Three squares are odd and the way ends on one of them, so one piece is left out: the bound is
    /// two, and A-B-C takes two.
    fn bound(&self, state: SearchState) -> u8 {
        let here = self.jumps(state);
        let reach = self.reach(here, state.left);
        let discs: u8 = reach.pieces().map(|piece| self.discs[piece]).sum();
        let n_odd = [LandingSets::turned, LandingSets::mirrored].map(|pair| self.n_odd(reach, here, pair));
        discs - n_odd[0].max(n_odd[1]) / 2
    }

    /// Both landing sets of each line on which a piece can still be jumped.
    fn reach(&self, here: LandingSets, left: LandingSets) -> LandingSets {
        let (mut reach, mut last) = (LandingSets::EMPTY, here);
        while !last.is_empty() {
            reach = reach | last;
            last = (self.meeting(last.opposite()) & left).without(reach);
        }
        reach | reach.opposite()
    }

    fn meeting(&self, sets: LandingSets) -> LandingSets {
        sets.into_iter().fold(LandingSets::EMPTY, |all, set| all | self.landing_sets[set].meets)
    }

    /// Number of components whose parity is odd if all pieces are jumped.
    fn n_odd(&self, reach: LandingSets, here: LandingSets, pair: fn(LandingSets) -> LandingSets) -> u8 {
        let on_two_lines = reach & reach.turned();
        let (mut rest, mut n_odd) = (reach, 0);
        while let Some(set) = rest.first() {
            let (mut place, mut last) = (LandingSets::EMPTY, LandingSets::from_cell(set));
            while !last.is_empty() {
                place = place | last;
                let from_here = if (last & here).is_empty() { LandingSets::EMPTY } else { here };
                last = ((self.meeting(last) | pair(last & on_two_lines) | from_here) & reach).without(place);
            }
            let n_used = place.without(on_two_lines).len() + (place & on_two_lines).len() / 2;
            let n_starts = u32::from(!(place & here).is_empty());
            n_odd += ((n_used + n_starts) % 2) as u8;
            rest = rest.without(place);
        }
        n_odd
    }

    /// The square that the capturing piece starts from.
    fn start(&self) -> Option<Square> {
        self.landing_sets.last().and_then(|set| set.squares.first())
    }

    /// Visits the ways to take `discs` discs, which must be the maximum, until `visit` breaks. All ways are distinct
    /// (RULES 2.14), since the landing squares determine the jumps. Each way costs as many steps as it has squares, on
    /// top of the search.
    pub(super) fn try_for_each_way<B>(
        &mut self,
        discs: u8,
        budget: &mut Budget,
        visit: &mut impl FnMut(&Route) -> ControlFlow<B>,
    ) -> Result<(), Stop<B>> {
        match self.start() {
            Some(start) if self.can_take(discs, budget)? => {
                self.go_on(self.beginning(), discs, &mut Route::from(start), budget, visit)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn go_on<B>(
        &mut self,
        state: SearchState,
        discs: u8,
        route: &mut Route,
        budget: &mut Budget,
        visit: &mut impl FnMut(&Route) -> ControlFlow<B>,
    ) -> Result<(), Stop<B>> {
        if discs == 0 {
            return visit_way(route, budget, visit);
        }
        let (_, at) = route.ends();
        for from in self.jumps(state) {
            let (next, taken) = self.after(state, from);
            if !self.landing_sets[from].squares.contains(at)
                || !self.can_go_on(next, discs.saturating_sub(taken), budget)?
            {
                continue;
            }
            for landing in self.landing_sets[next.at].squares {
                route.push(landing);
                self.go_on(next, discs - taken, route, budget, visit)?;
                route.pop();
            }
        }
        Ok(())
    }

    /// Like `try_for_each_way`, but visits only one of the ways that take the same pieces and end on the same square.
    pub(super) fn try_for_each_result<B>(
        &mut self,
        discs: u8,
        budget: &mut Budget,
        visit: &mut impl FnMut(&Route) -> ControlFlow<B>,
    ) -> Result<(), Stop<B>> {
        if self.visited.capacity() > MAX_KEPT_STATES {
            self.visited = HashSet::default();
        }
        self.visited.clear();
        if self.can_take(discs, budget)? {
            self.go_on_once(self.beginning(), discs, &mut Route::empty(), budget, visit)?;
        }
        Ok(())
    }

    /// Continues from a state that was not visited yet. The route ends at the start of the last jump.
    fn go_on_once<B>(
        &mut self,
        state: SearchState,
        discs: u8,
        route: &mut Route,
        budget: &mut Budget,
        visit: &mut impl FnMut(&Route) -> ControlFlow<B>,
    ) -> Result<(), Stop<B>> {
        let squares = self.landing_sets[state.at].squares;
        if discs == 0 {
            for end in squares {
                let result = u64::from(end.bit() + 1) << 40 | u64::from(state.jumped);
                if self.visited.insert(result) {
                    route.push(end);
                    visit_way(route, budget, visit)?;
                    route.pop();
                }
            }
            return Ok(());
        }
        if !self.visited.insert(self.key(state)) {
            return Ok(());
        }
        for from in self.jumps(state) {
            let (next, taken) = self.after(state, from);
            let Some(at) = (squares & self.landing_sets[from].squares).first() else { continue };
            if self.can_go_on(next, discs.saturating_sub(taken), budget)? {
                route.push(at);
                self.go_on_once(next, discs - taken, route, budget, visit)?;
                route.pop();
            }
        }
        Ok(())
    }
}

fn visit_way<B>(
    route: &Route,
    budget: &mut Budget,
    visit: &mut impl FnMut(&Route) -> ControlFlow<B>,
) -> Result<(), Stop<B>> {
    budget.spend(route.squares().len() as u64)?;
    match visit(route) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(broken) => Err(Stop::Broken(broken)),
    }
}

/// The landing set on the other side of the same piece.
const fn opposite(set: usize) -> usize {
    set ^ 1
}

/// A landing set, by its index.
impl BitCell for usize {
    #[inline]
    fn bit(self) -> u8 {
        self as u8
    }

    #[inline]
    fn from_bit(bit: u8) -> Self {
        bit.into()
    }
}

/// A set of landing sets of one search, with one bit for each.
type LandingSets = BitSet<usize>;

impl LandingSets {
    /// The first of the four landing sets of each piece.
    const FIRSTS: u128 = u128::MAX / 0xf;

    const fn from_piece(piece: usize) -> Self {
        Self::from_bits(0xf << (4 * piece))
    }

    /// The pieces with at least one landing set in this set.
    fn pieces(self) -> impl Iterator<Item = usize> {
        let bits = self.bits();
        let any = bits | bits >> 1 | bits >> 2 | bits >> 3;
        Self::from_bits(any & Self::FIRSTS).into_iter().map(|set| set / 4)
    }

    /// For each landing set, the one on the other side.
    const fn opposite(self) -> Self {
        const ODD: u128 = LandingSets::FIRSTS * 0b1010;
        Self::from_bits((self.bits() & ODD) >> 1 | self.bits() << 1 & ODD)
    }

    /// For each landing set, one of the other line of its piece.
    const fn turned(self) -> Self {
        const SECOND: u128 = LandingSets::FIRSTS * 0b1100;
        Self::from_bits((self.bits() & SECOND) >> 2 | self.bits() << 2 & SECOND)
    }

    /// For each landing set, the other one of the other line of its piece.
    const fn mirrored(self) -> Self {
        self.turned().opposite()
    }
}
