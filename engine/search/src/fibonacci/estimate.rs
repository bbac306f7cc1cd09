use engine::{
    Side,
    fibonacci::{Cell, CellSet, Fibonacci, PieceKind, Variant},
};

use super::geometry::{NeighbourCounts, distance, flood, is_inner};

/// An estimate that is more than any turn has.
pub(super) const FAR: u8 = 30;

/// Estimates of the moves that a side needs to win.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Needed {
    /// Without pulls by supports; with mixed groups the same as `moves`.
    pub(super) by_strikes: u8,
    pub(super) moves: u8,
}

/// The pieces that decide whether a side can win: its own, and the other side's centre. What else is on the board is in
/// nobody's way, since every target is legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attack {
    variant: Variant,
    pub(super) strikes: CellSet,
    pub(super) supports: CellSet,
    /// The centre of the attacking side, which connects mixed groups.
    own_centre: CellSet,
    /// The centre to be surrounded.
    pub(super) target: Cell,
}

impl Attack {
    /// The attack of a side.
    #[inline]
    pub(super) fn new(position: &Fibonacci, side: Side) -> Self {
        Self {
            variant: position.variant(),
            strikes: position.pieces(side, PieceKind::Strike),
            supports: position.pieces(side, PieceKind::Support),
            own_centre: position.pieces(side, PieceKind::Centre),
            target: position.centre(side.other()),
        }
    }

    /// Number of strikes next to the centre that a win needs.
    const fn n_needed(&self) -> u8 {
        match self.variant {
            Variant::Original | Variant::Mixed => 6,
            Variant::Cards => 3,
        }
    }

    /// Whether a win in `n_moves` is possible. `false` proves that there is none.
    ///
    /// A move takes at most one strike next to a cell, and a strike comes next to the cell to which it pulls the
    /// centre only if the two were neighbours.
    pub(super) fn may_win(&self, n_moves: u8) -> bool {
        let needed = self.n_needed();
        if n_moves > needed {
            return true;
        }
        if n_moves == 0 {
            return false;
        }
        let fits = |cell| self.variant == Variant::Cards || is_inner(cell);
        let ring = self.target.neighbours();
        if fits(self.target) && (ring & self.strikes).len() as u8 + n_moves >= needed {
            return true;
        }
        let counts = NeighbourCounts::new(self.strikes);
        let pulled_by_strike = ring & self.strikes;
        if needed == n_moves {
            return true;
        }
        let pulled_next = counts.at_least(needed - n_moves) & pulled_by_strike;
        let pulled = counts.at_least(needed + 1 - n_moves).without(self.target.set());
        (pulled_next | pulled).into_iter().any(fits)
    }

    /// An estimate of the moves that the side needs to win.
    pub(super) fn moves_to_win(&self) -> u8 {
        self.needed().moves
    }

    /// Both estimates.
    pub(super) fn needed(&self) -> Needed {
        self.needed_with_supports(self.by_strikes())
    }

    /// Both estimates, from that without pulls by supports.
    pub(super) fn needed_with_supports(&self, by_strikes: u8) -> Needed {
        let moves = match self.variant {
            Variant::Original | Variant::Cards => self.pulled(self.supports, by_strikes),
            Variant::Mixed => by_strikes,
        };
        Needed { by_strikes, moves }
    }

    /// The estimate without pulls by supports. With mixed groups, strikes and supports pull together, so it is the
    /// whole estimate.
    pub(super) fn by_strikes(&self) -> u8 {
        let best = match self.variant {
            Variant::Original | Variant::Mixed if !is_inner(self.target) => FAR,
            Variant::Original | Variant::Mixed | Variant::Cards => {
                self.moves_to_gather(self.strikes, self.target)
            }
        };
        match self.variant {
            Variant::Original | Variant::Cards => self.pulled(self.strikes, best),
            Variant::Mixed => self.pulled(self.strikes | self.supports | self.own_centre, best),
        }
    }

    /// The lower of `best` and an estimate with the centre pulled by one of the groups of which `all` consists.
    fn pulled(&self, all: CellSet, mut best: u8) -> u8 {
        let mut rest = all;
        while !rest.is_empty() {
            let group = flood(rest.lowest(), all);
            rest = rest.without(group);
            best = self.pulled_by(group, group & self.strikes, group & self.supports, best);
        }
        best
    }

    /// The lower of `best` and an estimate with the centre pulled by a group, to the cell of a strike or a support.
    fn pulled_by(&self, group: CellSet, strikes: CellSet, supports: CellSet, mut best: u8) -> u8 {
        let nearest = group.into_iter().map(|cell| distance(cell, self.target)).min().unwrap_or(FAR);
        // The last move of the chain is the pull.
        let n_before = nearest;
        let needed = self.n_needed();
        if n_before >= best {
            return best;
        }
        let near = self.target.neighbours();
        let fits = |cell| self.variant == Variant::Cards || is_inner(cell);
        for to in strikes.into_iter().filter(|cell| fits(*cell)) {
            let n_round = (to.neighbours() & self.strikes).len() as u8 + u8::from(near.contains(to));
            if n_before + needed.saturating_sub(n_round) < best {
                let after = self.strikes.without(to.set()) | self.target.set();
                best = best.min(n_before + self.moves_to_gather(after, to));
            }
        }
        for to in supports.into_iter().filter(|cell| fits(*cell)) {
            let n_round = (to.neighbours() & self.strikes).len() as u8;
            if n_before + needed.saturating_sub(n_round) < best {
                best = best.min(n_before + self.moves_to_gather(self.strikes, to));
            }
        }
        best
    }

    /// An estimate of the moves that bring strikes round a centre that stays: one for each strike, and those of the
    /// chains between groups.
    fn moves_to_gather(&self, strikes: CellSet, centre: Cell) -> u8 {
        let ring = centre.neighbours();
        let outside = strikes.without(ring);
        let mut n_moves = match self.variant {
            Variant::Original | Variant::Mixed => outside.len() as u8,
            Variant::Cards => 3u8.saturating_sub(6 - outside.len() as u8),
        };
        if outside.is_empty() {
            return n_moves;
        }
        let mut rest = match self.variant {
            Variant::Original | Variant::Cards => outside,
            Variant::Mixed => flood(strikes, self.supports | self.own_centre).without(ring),
        };
        let mut joined = ring;
        loop {
            let near = loop {
                let near = joined.neighbours();
                let touched = near & rest;
                if touched.is_empty() {
                    break near;
                }
                joined = joined | touched;
                rest = rest.without(touched);
            };
            if (rest & strikes).is_empty() {
                return n_moves;
            }
            let mut wave = joined | near;
            loop {
                n_moves += 1;
                wave = wave | wave.neighbours();
                let touched = wave & rest;
                if !touched.is_empty() {
                    joined = joined | touched.lowest();
                    rest = rest.without(touched.lowest());
                    break;
                }
            }
        }
    }
}
