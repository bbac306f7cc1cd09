use std::ops::ControlFlow;

use super::{
    Due, Fenix, IllegalMove, Route, Square, SquareSet,
    board::{Board, Direction},
    budgeted::{Stop, UNLIMITED},
    capture_search::{CaptureSearch, Jumper},
};
use crate::core::{Budget, Capture, Jump, Rule, Rules, Side, TooCostly};

const CAPTURE: Rule = Rule::new("2.5");

/// What makes two captures different for a visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Each {
    /// The squares landed on (RULES 2.14).
    Way,
    /// The pieces taken and the last square.
    Result,
}

/// Memory of the search for captures. Once it has grown to the size that positions need, a search does not allocate.
#[derive(Clone, Default, Debug)]
pub struct CaptureScratch {
    searches: Vec<CaptureSearch>,
}

impl Board {
    /// Whether a side could capture if it were to move and nothing were due.
    #[inline]
    pub(super) fn can_capture(&self, side: Side) -> bool {
        !self.capturers(side).is_empty()
    }

    /// The pieces of a side that could make a first jump (RULES 2.5).
    #[inline]
    fn capturers(&self, side: Side) -> SquareSet {
        let (own, prey, empty) = (self.army(side), self.army(side.other()).all(), self.empty());
        let mut capturers = SquareSet::EMPTY;
        for direction in Direction::ALL {
            let open = prey & empty.shifted(direction.back());
            capturers = capturers | (own.king & open.shifted(direction.back()));
        }
        for direction in Direction::ORTHOGONAL {
            let open = prey & empty.shifted(direction.back());
            let mut before = open.shifted(direction.back());
            capturers = capturers | (own.soldiers & before);
            while !before.is_empty() {
                capturers = capturers | (own.councillors & before);
                before = (before & empty).shifted(direction.back());
            }
        }
        capturers
    }

    /// Maximum number of discs that a capture takes (RULES 2.7); 0 if there is no capture.
    pub(super) fn most_discs(
        &self,
        side: Side,
        scratch: &mut CaptureScratch,
        budget: &mut Budget,
    ) -> Result<u8, TooCostly> {
        most_discs(self.searches(side, scratch), budget)
    }

    /// Visits the captures that take the most discs, until `visit` breaks. `best` is their number of discs, if known.
    pub(super) fn try_for_each_best_capture<B>(
        &self,
        (side, each): (Side, Each),
        best: Option<u8>,
        (scratch, budget): (&mut CaptureScratch, &mut Budget),
        mut visit: impl FnMut(&Route) -> ControlFlow<B>,
    ) -> Result<(), Stop<B>> {
        let searches = self.searches(side, scratch);
        let discs = match best {
            Some(best) => best,
            None => most_discs(searches, budget)?,
        };
        searches.iter_mut().try_for_each(|search| match each {
            Each::Way => search.try_for_each_way(discs, budget, &mut visit),
            Each::Result => search.try_for_each_result(discs, budget, &mut visit),
        })
    }

    /// The searches of all pieces that can make a first jump.
    fn searches<'s>(&self, side: Side, scratch: &'s mut CaptureScratch) -> &'s mut [CaptureSearch] {
        let mut n_searches = 0;
        for start in self.capturers(side) {
            if n_searches == scratch.searches.len() {
                scratch.searches.push(CaptureSearch::default());
            }
            scratch.searches[n_searches].begin(&self.jumper(side, start), start);
            n_searches += 1;
        }
        &mut scratch.searches[..n_searches]
    }

    fn jumper(&self, side: Side, start: Square) -> Jumper<'_> {
        Jumper {
            kind: self.army(side).kind_at(start).expect("a capturer is a piece"),
            prey: self.army(side.other()),
            empty: self.empty() | start.set(),
        }
    }

    /// The pieces that a legal capture takes, in the order of its jumps.
    pub(super) fn taken<'a>(&self, side: Side, route: &'a Route) -> impl Iterator<Item = Square> + 'a {
        let prey = self.army(side.other()).all();
        route.squares().windows(2).filter_map(move |jump| {
            let direction = jump[0].direction_to(jump[1])?;
            (jump[0].between(jump[1], direction) & prey).first()
        })
    }
}

fn most_discs(searches: &mut [CaptureSearch], budget: &mut Budget) -> Result<u8, TooCostly> {
    let mut discs = searches.iter().map(CaptureSearch::n_discs).max().unwrap_or(0);
    while discs > 0 && !can_any_take(searches, discs, budget)? {
        discs -= 1;
    }
    Ok(discs)
}

fn can_any_take(searches: &mut [CaptureSearch], discs: u8, budget: &mut Budget) -> Result<bool, TooCostly> {
    for search in searches {
        if search.can_take(discs, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Fenix {
    pub(super) fn check_capture(&self, route: &Route) -> Result<(), IllegalMove> {
        let discs = self.check_jumps(route)?;
        let best = self.most_discs(&mut Budget::unlimited()).expect(UNLIMITED);
        if discs < best { Err(IllegalMove::NotTheMost { discs, best }) } else { Ok(()) }
    }

    /// Checks each jump of a capture, and returns the number of discs that they take.
    pub(super) fn check_jumps(&self, route: &Route) -> Result<u8, IllegalMove> {
        self.check_open()?;
        let (start, _) = route.ends();
        let kind = self.own(start, CAPTURE)?;
        let side = self.to_move();
        let jumper = self.board.jumper(side, start);
        let mut taken = SquareSet::EMPTY;
        for jump in route.squares().windows(2) {
            let (from, to) = (jump[0], jump[1]);
            let no_jump = IllegalMove::NoJump { from, to, kind };
            let direction = from.direction_to(to).ok_or(no_jump)?;
            if let Some(over) = (from.between(to, direction) & taken).first() {
                return Err(IllegalMove::JumpedAlready { over });
            }
            let (over, landings) = jumper.jump(from.set(), direction);
            if !kind.directions().contains(&direction) || !landings.contains(to) {
                return Err(no_jump);
            }
            taken = taken | over;
        }
        Ok(self.board.army(side.other()).n_discs(taken))
    }

    /// Plays a capture, and returns the piece that is due for it (RULES 2.9).
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
        self.hash ^= self.board.take(other, taken);
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
    use crate::fenix::Action;

    /// The positions with the longest searches found so far, and the steps of each.
    const WORST: [(&str, u64); 2] = [
        ("C3s2s1/Cs4sC1/4s2k1/ssss1ss2/4s2Cc/1s2s2s1/4s2s1/s1sC1scK1/4s2CC 1 13 - 0", 453_471),
        ("C1Cs3s1/1C1Cs1sK1/2s4s1/ss1ssss1s/2s4s1/2s2s1Cs/2s4s1/s1CsssC1C/2k3s1C 1 13 - 0", 770_616),
    ];

    #[test]
    fn the_worst_known_positions_are_searched_within_bounds() {
        for (text, most_steps) in WORST {
            let worst = Fenix::parse((), text).unwrap();
            let mut budget = Budget::steps(most_steps);
            let best = worst.most_discs(&mut budget);
            assert!(best.is_ok_and(|best| best > 0), "{text}: {best:?}");
            assert!(worst.appraise(&mut Budget::for_start()).is_err(), "no game may begin there");
        }
    }

    #[test]
    fn a_position_that_is_prepared_answers_the_same_and_searches_no_more() {
        let (text, most_steps) = WORST[0];
        let worst = Fenix::parse((), text).unwrap();
        let mut prepared = worst;
        let too_costly = TooCostly { limit: most_steps / 2 };
        assert_eq!(prepared.prepare(&mut Budget::steps(most_steps / 2)), Err(too_costly));
        prepared.prepare(&mut Budget::steps(most_steps)).unwrap();
        assert_eq!(prepared, worst);
        assert_eq!(prepared.prepare(&mut Budget::steps(0)), Ok(()));
        let small: Action = "a8xc8".parse().unwrap();
        let not_the_most = worst.check(small);
        assert!(matches!(not_the_most, Err(IllegalMove::NotTheMost { .. })), "{not_the_most:?}");
        assert_eq!(prepared.check(small), not_the_most);
        assert_eq!(worst.check_played(small), Ok(()), "a replayed capture is assumed to be the largest");
        let mut after = prepared;
        after.play(small);
        assert!(after.best.get().is_none(), "the known maximum belongs to one position");
    }
}
