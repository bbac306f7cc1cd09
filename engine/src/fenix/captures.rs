use super::{
    Action, Due, Fenix, Illegal, Route, Square,
    board::{Board, Direction, SquareSet},
    hunt::{Hunt, Jumper},
};
use crate::{Capture, Jump, Position, Rule, Side};

const CAPTURE: Rule = Rule::new("2.5");

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

    /// The most discs that a capture takes (RULES 2.7); 0 if there is no capture.
    pub(super) fn most_discs(&self, side: Side) -> u8 {
        most_discs(&mut self.hunts(side))
    }

    /// Visits the captures that take the most discs, but no more than `limit` of them.
    pub(super) fn for_each_best_capture(&self, side: Side, limit: usize, mut visit: impl FnMut(Action)) {
        let mut hunts = self.hunts(side);
        let discs = most_discs(&mut hunts);
        let mut n_left = limit;
        for hunt in &mut hunts {
            hunt.for_each_way(discs, &mut n_left, &mut |route| visit(Action::Capture(*route)));
        }
    }

    fn hunts(&self, side: Side) -> Vec<Hunt> {
        self.hunters(side).into_iter().map(|start| Hunt::new(&self.jumper(side, start), start)).collect()
    }

    fn jumper(&self, side: Side, start: Square) -> Jumper<'_> {
        Jumper {
            kind: self.army(side).kind_at(start).expect("a hunter is a piece"),
            prey: self.army(side.other()),
            empty: self.empty() | start.set(),
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

fn most_discs(hunts: &mut [Hunt]) -> u8 {
    let mut discs = hunts.iter().map(Hunt::n_discs).max().unwrap_or(0);
    while discs > 0 && !hunts.iter_mut().any(|hunt| hunt.can_take(discs)) {
        discs -= 1;
    }
    discs
}

impl Fenix {
    pub(super) fn check_capture(&self, route: &Route) -> Result<(), Illegal> {
        self.check_open()?;
        let (start, _) = route.ends();
        let kind = self.own(start, CAPTURE)?;
        let side = self.to_move();
        let jumper = self.board.jumper(side, start);
        let mut taken = SquareSet::EMPTY;
        for jump in route.squares().windows(2) {
            let (from, to) = (jump[0], jump[1]);
            let no_jump = Illegal::NoJump { from, to, kind };
            let direction = from.direction_to(to).ok_or(no_jump)?;
            if let Some(over) = (from.between(to, direction) & taken).into_iter().next() {
                return Err(Illegal::JumpedAlready { over });
            }
            let (over, landings) = jumper.jump(from.set(), direction);
            if !kind.directions().contains(&direction) || !landings.contains(to) {
                return Err(no_jump);
            }
            taken = taken | over;
        }
        let discs = self.board.army(side.other()).n_discs(taken);
        let best = self.board.most_discs(side);
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
                .map(|(over, to)| Jump { over: over.name(), to: to.name() })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position for which the most stands have to be looked at, of all that were found.
    const WORST: &str = "C3s2s1/Cs4sC1/4s2k1/ssss1ss2/4s2Cc/1s2s2s1/4s2s1/s1sC1scK1/4s2CC 1 13 - 0";

    /// What is found out of the most discs of a capture (RULES 2.7) costs no more than this.
    const MOST_STANDS: usize = 250_000;

    #[test]
    fn the_worst_position_that_was_found_is_seen_through_within_bounds() {
        let worst = Fenix::parse((), WORST).unwrap();
        let mut hunts = worst.board.hunts(worst.to_move());
        assert!(most_discs(&mut hunts) > 0, "there is a capture");
        let n_stands: usize = hunts.iter().map(Hunt::n_known).sum();
        assert!((1..=MOST_STANDS).contains(&n_stands), "{n_stands} stands");
    }
}
