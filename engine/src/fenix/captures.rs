use std::collections::HashMap;

use super::{
    Action, Due, Fenix, Illegal, Kind, Route, Square,
    board::{Army, Board, Direction, SquareSet},
};
use crate::{Capture, Jump, Position, Rule, Side};

const CAPTURE: Rule = Rule::new("2.5");

/// Jumps up to which it is quicker to look for the best way once more than to remember it.
const SHALLOW: u32 = 4;

impl Board {
    /// Whether a side could capture if it were to move and nothing due.
    #[inline]
    pub(super) fn can_capture(&self, side: Side) -> bool {
        !self.hunters(side).is_empty()
    }

    /// The pieces of a side that could make a first jump (RULES 2.5).
    #[inline]
    fn hunters(&self, side: Side) -> SquareSet {
        let (own, prey, empty) = (self.army(side), self.army(side.other()).all(), self.empty());
        let mut hunters = SquareSet::EMPTY;
        for direction in Direction::ALL {
            let open = prey & empty.shifted(direction.back());
            hunters = hunters | (own.king & open.shifted(direction.back()));
        }
        for direction in Direction::ORTHOGONAL {
            let open = prey & empty.shifted(direction.back());
            let mut before = open.shifted(direction.back());
            hunters = hunters | (own.soldiers & before);
            while !before.is_empty() {
                hunters = hunters | (own.councillors & before);
                before = (before & empty).shifted(direction.back());
            }
        }
        hunters
    }

    /// The most discs that a capture takes (RULES 2.7), and the number of captures that do; 0 and 0 if there is
    /// no capture.
    pub(super) fn best_captures(&self, side: Side) -> (u8, u64) {
        let (mut best, mut n_best) = (0, 0);
        for start in self.hunters(side) {
            let (discs, n_ways) = self.hunt(side, start).best(start, SquareSet::EMPTY);
            if discs > best {
                (best, n_best) = (discs, 0);
            }
            n_best += if discs == best { n_ways } else { 0 };
        }
        (best, n_best)
    }

    /// Visits the captures that take the most discs.
    pub(super) fn for_each_best_capture(&self, side: Side, mut visit: impl FnMut(Action)) {
        let (best, _) = self.best_captures(side);
        for start in self.hunters(side) {
            let mut hunt = self.hunt(side, start);
            if hunt.best(start, SquareSet::EMPTY).0 == best {
                let mut route = Route::from(start);
                hunt.go_on(start, SquareSet::EMPTY, best, &mut route, &mut |route| {
                    visit(Action::Capture(*route));
                });
            }
        }
    }

    fn hunt(&self, side: Side, start: Square) -> Hunt<'_> {
        Hunt {
            kind: self.army(side).kind_at(start).expect("a hunter is a piece"),
            prey: self.army(side.other()),
            empty: self.empty() | start.set(),
            known: HashMap::new(),
        }
    }

    /// The pieces that a legal capture takes, in the order of its jumps.
    pub(super) fn taken<'a>(&self, side: Side, route: &'a Route) -> impl Iterator<Item = Square> + 'a {
        let prey = self.army(side.other()).all();
        route.squares().windows(2).filter_map(move |jump| {
            let direction = jump[0].direction_to(jump[1])?;
            (jump[0].between(jump[1], direction) & prey).into_iter().next()
        })
    }
}

/// One piece on its way through the enemies.
///
/// A lattice of enemies can have millions of ways through it. So what is best is remembered for each square and
/// all that was taken before, in whatever order.
struct Hunt<'a> {
    kind: Kind,
    prey: &'a Army,
    /// The squares without a piece and the one that the hunter came from. What it jumps stays, and blocks.
    empty: SquareSet,
    known: HashMap<(Square, SquareSet), (u8, u64)>,
}

impl Hunt<'_> {
    /// The piece that is jumped from a square in a direction, as a set, and the squares to land on; nothing of
    /// both if there is no such jump (RULES 2.5). A piece that was `taken` is not jumped again.
    #[inline]
    fn jump(&self, at: Square, direction: Direction, taken: SquareSet) -> (SquareSet, SquareSet) {
        let goes_far = self.kind == Kind::Councillor;
        let mut over = at.set().shifted(direction);
        while goes_far && !(over & self.empty).is_empty() {
            over = over.shifted(direction);
        }
        let over = over & self.prey.all().without(taken);
        let mut landing = over.shifted(direction) & self.empty;
        let mut landings = landing;
        while goes_far && !landing.is_empty() {
            landing = landing.shifted(direction) & self.empty;
            landings = landings | landing;
        }
        if landings.is_empty() { (SquareSet::EMPTY, SquareSet::EMPTY) } else { (over, landings) }
    }

    /// The most discs that are still to be taken from a square, and the number of ways to take them: one if there
    /// is nothing to take.
    fn best(&mut self, at: Square, taken: SquareSet) -> (u8, u64) {
        let is_deep = taken.len() > SHALLOW;
        if is_deep && let Some(known) = self.known.get(&(at, taken)) {
            return *known;
        }
        let (mut best, mut n_best) = (0, 1);
        for &direction in self.kind.directions() {
            let (over, landings) = self.jump(at, direction, taken);
            for landing in landings {
                let (rest, n_ways) = self.best(landing, taken | over);
                let discs = self.prey.n_discs(over) + rest;
                if discs > best {
                    (best, n_best) = (discs, 0);
                }
                n_best += if discs == best { n_ways } else { 0 };
            }
        }
        if is_deep {
            self.known.insert((at, taken), (best, n_best));
        }
        (best, n_best)
    }

    /// Visits the ways to take as many discs as there are still to be taken from a square. No two of them are the
    /// same (RULES 2.14): a jump is known by where it lands.
    fn go_on(
        &mut self,
        at: Square,
        taken: SquareSet,
        discs: u8,
        route: &mut Route,
        visit: &mut impl FnMut(&Route),
    ) {
        if discs == 0 {
            return visit(route);
        }
        for &direction in self.kind.directions() {
            let (over, landings) = self.jump(at, direction, taken);
            for landing in landings {
                let (rest, _) = self.best(landing, taken | over);
                if self.prey.n_discs(over) + rest == discs {
                    route.push(landing);
                    self.go_on(landing, taken | over, rest, route, visit);
                    route.pop();
                }
            }
        }
    }
}

impl Fenix {
    pub(super) fn check_capture(&self, route: &Route) -> Result<(), Illegal> {
        self.check_open()?;
        let (start, _) = route.ends();
        let kind = self.own(start, CAPTURE)?;
        let side = self.to_move();
        let hunt = self.board.hunt(side, start);
        let mut taken = SquareSet::EMPTY;
        for jump in route.squares().windows(2) {
            let (from, to) = (jump[0], jump[1]);
            let no_jump = Illegal::NoJump { from, to, kind };
            let direction = from.direction_to(to).ok_or(no_jump)?;
            if let Some(over) = (from.between(to, direction) & taken).into_iter().next() {
                return Err(Illegal::JumpedAlready { over });
            }
            let (over, landings) = hunt.jump(from, direction, taken);
            if !kind.directions().contains(&direction) || !landings.contains(to) {
                return Err(no_jump);
            }
            taken = taken | over;
        }
        let discs = self.board.army(side.other()).n_discs(taken);
        let (best, _) = self.board.best_captures(side);
        if discs < best { Err(Illegal::NotTheMost { discs, best }) } else { Ok(()) }
    }

    /// Takes what a capture takes, and gives what is due for it (RULES 2.9).
    pub(super) fn capture(&mut self, route: &Route) -> Option<Due> {
        let (mover, other) = (self.to_move(), self.to_move().other());
        let taken = self.board.taken(mover, route).fold(SquareSet::EMPTY, |all, over| all | over.set());
        let army = self.board.army(other);
        let due = if !(army.king & taken).is_empty() {
            Some(Due::King)
        } else if !(army.councillors & taken).is_empty() {
            Some(Due::Councillor)
        } else {
            None
        };
        self.board.take(other, taken);
        let (start, end) = route.ends();
        self.go(start, end);
        due
    }

    pub(super) fn capture_of(&self, route: &Route) -> Capture {
        let side = self.to_move();
        let army = self.board.army(side.other());
        let taken: Vec<Square> = self.board.taken(side, route).collect();
        let landings = &route.squares()[1..];
        Capture {
            n_discs: taken.iter().map(|over| army.n_discs(over.set())).sum(),
            jumps: taken
                .iter()
                .zip(landings)
                .map(|(over, to)| Jump { over: over.to_string(), to: to.to_string() })
                .collect(),
        }
    }
}
