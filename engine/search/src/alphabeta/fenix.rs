use engine::{
    BitCell, Budget, Rules, Side,
    fenix::{Action, CaptureScratch, Due, Fenix, PieceKind, Square, SquareSet},
};

use super::{
    errors::Skill,
    evaluate::{Calm, Evaluate, key_of_turn, salted},
    fenix_weights::WEIGHTS,
};
use crate::limit::Meter;

/// Maximum number of steps of the search for captures in one position. The costliest known position takes 15 times as
/// many. A position beyond the limit is evaluated without a search of its captures.
const MAX_STEPS: u64 = 50_000;

/// Number of these steps that take about as long as a node, so that costly positions use up the node limit too.
const STEPS_A_NODE: u64 = 50;

/// Number of quiet turns from which they are part of the transposition key and scale scores towards a draw.
const N_QUIET: u8 = 70;
/// Number of quiet turns at which every score would be scaled to a draw.
const MAX_QUIET_TURNS: i32 = 130;

/// Difference of the bits of squares of neighbouring ranks.
const RANK: u32 = 10;

/// Number of distances of a square from the edge.
const N_RINGS: usize = 5;

const SOLDIERS: usize = 0;
const COUNCILLORS: usize = SOLDIERS + N_RINGS;
const KINGS: usize = COUNCILLORS + N_RINGS;
/// For each number of ways to make a new king, up to 5.
const NEW_KINGS: usize = KINGS + N_RINGS;
/// For each number of councillors, up to 5.
const N_COUNCILLORS: usize = NEW_KINGS + 6;
const COUNCILLOR_REACH: usize = N_COUNCILLORS + 6;
const KING_REACH: usize = COUNCILLOR_REACH + 1;
const SOLDIER_REACH: usize = KING_REACH + 1;
/// Pairs of neighbouring pieces of a side on a rank or file.
const PAIRS: usize = SOLDIER_REACH + 1;
/// Pieces of each kind that the other side could jump, of the side to move and of the other one.
const JUMPABLE: usize = PAIRS + 1;
/// The difference of discs over their sum.
const SHARE: usize = JUMPABLE + 6;
pub(super) const TEMPO: usize = SHARE + 1;
const COUNCILLOR_DUE: usize = TEMPO + 1;
const KING_DUE: usize = COUNCILLOR_DUE + 1;
/// Neighbours of the king: own pieces, and enemies.
const KING_GUARDS: usize = KING_DUE + 1;
/// Pieces of the stronger side within 1 to 7 steps of the other king, once the other side has few discs.
const HUNTERS: usize = KING_GUARDS + 2;
const N_HUNTERS: usize = 7;
pub(super) const N_WEIGHTS: usize = HUNTERS + N_HUNTERS;

/// Maximum number of discs of a side whose king is hunted.
const FEW_DISCS: i32 = 8;

/// Squares by their distance from the edge.
const RINGS: [u128; N_RINGS] = {
    let mut rings = [0; N_RINGS];
    let mut rank = 0;
    while rank < 9 {
        let mut file = 0;
        while file < 9 {
            let from_side = if file < 8 - file { file } else { 8 - file };
            let from_end = if rank < 8 - rank { rank } else { 8 - rank };
            let ring = if from_side < from_end { from_side } else { from_end };
            rings[ring as usize] |= 1 << (RANK * rank + file);
            file += 1;
        }
        rank += 1;
    }
    rings
};

const BOARD: u128 = RINGS[0] | RINGS[1] | RINGS[2] | RINGS[3] | RINGS[4];

/// Shifts that take a square to its neighbour, each followed by its opposite, the diagonal ones last.
const STEPS: [i32; 8] = [1, -1, 10, -10, 9, -9, 11, -11];
const N_STRAIGHT: usize = 4;

#[inline]
const fn shifted(squares: u128, step: i32) -> u128 {
    (if step > 0 { squares << step } else { squares >> -step }) & BOARD
}

/// The squares next to some squares, in all eight directions.
#[inline]
fn neighbours(squares: u128) -> u128 {
    STEPS.into_iter().fold(0, |all, step| all | shifted(squares, step))
}

/// The pieces of a side.
#[derive(Clone, Copy)]
struct Army {
    soldiers: u128,
    councillors: u128,
    king: u128,
}

impl Army {
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

    const fn n_discs(&self) -> i32 {
        count(self.soldiers) + 2 * count(self.councillors) + 3 * count(self.king)
    }

    /// Number of ways in which a soldier could step onto a councillor.
    fn n_new_kings(&self) -> i32 {
        STEPS[..N_STRAIGHT].iter().map(|step| count(shifted(self.soldiers, *step) & self.councillors)).sum()
    }

    fn n_pairs(&self) -> i32 {
        let all = self.all();
        count(shifted(all, 1) & all) + count(shifted(all, RANK as i32) & all)
    }

    /// Numbers of steps of soldiers, councillors and the king to empty squares.
    fn reach(&self, empty: u128) -> [i32; 3] {
        let mut reach = [0; 3];
        for (index, step) in STEPS.into_iter().enumerate() {
            reach[2] += count(shifted(self.king, step) & empty);
            if index < N_STRAIGHT {
                reach[0] += count(shifted(self.soldiers, step) & empty);
                let mut to = shifted(self.councillors, step) & empty;
                while to != 0 {
                    reach[1] += count(to);
                    to = shifted(to, step) & empty;
                }
            }
        }
        reach
    }

    /// The pieces of another army that the pieces of this one could jump.
    fn jumpable(&self, prey: u128, empty: u128) -> u128 {
        let mut jumpable = 0;
        for (index, step) in STEPS.into_iter().enumerate() {
            let open = prey & shifted(empty, -step);
            let mut from = self.king;
            if index < N_STRAIGHT {
                from |= self.soldiers | self.councillors;
                let mut ray = shifted(self.councillors, step) & empty;
                while ray != 0 {
                    from |= ray;
                    ray = shifted(ray, step) & empty;
                }
            }
            jumpable |= shifted(from, step) & open;
        }
        jumpable
    }
}

const fn count(squares: u128) -> i32 {
    squares.count_ones() as i32
}

impl Evaluate for Fenix {
    const SCALE: f32 = 256.0;
    const MARGIN: i32 = 120;
    const MAX_FUTILE_DEPTH: i32 = 3;
    const MAX_QUIET: i32 = 12;
    const REDUCTION: i32 = 600;
    const REDUCTION_STEP: i32 = 1200;
    const MIN_GAIN: i32 = i32::MIN;
    const ONLY_RECAPTURES: bool = false;
    const REDUCES_CAPTURES: bool = false;
    const SKILLS: [Skill; 8] = [
        Skill { max_nodes: 60, lapses: 75 },
        Skill { max_nodes: 250, lapses: 32 },
        Skill { max_nodes: 1_000, lapses: 20 },
        Skill { max_nodes: 4_000, lapses: 13 },
        Skill { max_nodes: 13_000, lapses: 8 },
        Skill { max_nodes: 36_000, lapses: 4 },
        Skill { max_nodes: 100_000, lapses: 1 },
        Skill { max_nodes: u64::MAX, lapses: 0 },
    ];

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    #[inline]
    fn features(&self, mut visit: impl FnMut(usize, i32)) {
        let side = self.to_move();
        let armies = [Army::of(self, side), Army::of(self, side.other())];
        let empty = BOARD & !(armies[0].all() | armies[1].all());
        for (sign, own, other) in [(1, armies[0], armies[1]), (-1, armies[1], armies[0])] {
            for (ring, squares) in RINGS.into_iter().enumerate() {
                visit(SOLDIERS + ring, sign * count(own.soldiers & squares));
                visit(COUNCILLORS + ring, sign * count(own.councillors & squares));
                visit(KINGS + ring, sign * count(own.king & squares));
            }
            visit(NEW_KINGS + own.n_new_kings().min(5) as usize, sign);
            visit(N_COUNCILLORS + count(own.councillors).min(5) as usize, sign);
            let reach = own.reach(empty);
            visit(SOLDIER_REACH, sign * reach[0]);
            visit(COUNCILLOR_REACH, sign * reach[1]);
            visit(KING_REACH, sign * reach[2]);
            visit(PAIRS, sign * own.n_pairs());
            let jumpable = other.jumpable(own.all(), empty);
            let at = JUMPABLE + if sign > 0 { 0 } else { 3 };
            visit(at, sign * count(own.soldiers & jumpable));
            visit(at + 1, sign * count(own.councillors & jumpable));
            visit(at + 2, sign * count(own.king & jumpable));
            let around = neighbours(own.king);
            visit(KING_GUARDS, sign * count(around & own.all()));
            visit(KING_GUARDS + 1, sign * count(around & other.all()));
            if other.n_discs() <= FEW_DISCS && own.n_discs() > other.n_discs() {
                let mut near = other.king;
                for steps in 0..N_HUNTERS {
                    near |= neighbours(near);
                    visit(HUNTERS + steps, sign * count(near & own.all()));
                }
            }
        }
        let (own, other) = (armies[0].n_discs(), armies[1].n_discs());
        visit(SHARE, 64 * (own - other) / (own + other).max(1));
        visit(TEMPO, 1);
        match self.due() {
            Some(Due::Councillor) => visit(COUNCILLOR_DUE, 1),
            Some(Due::King) => visit(KING_DUE, 1),
            None => {}
        }
    }

    /// Pushes the leading side to capture or promote before the quiet-turn draw.
    #[inline]
    fn damped(&self, score: i32) -> i32 {
        if self.quiet_turns() < N_QUIET {
            return score;
        }
        score * (MAX_QUIET_TURNS - i32::from(self.quiet_turns())) / (MAX_QUIET_TURNS - i32::from(N_QUIET))
    }

    fn list_actions(
        &self,
        scratch: &mut CaptureScratch,
        buffer: &mut Vec<Action>,
        meter: &mut Meter<'_>,
    ) -> bool {
        let mut budget = Budget::steps(MAX_STEPS);
        let is_complete = self.results_into(scratch, &mut budget, buffer).is_ok();
        meter.count_many(budget.spent() / STEPS_A_NODE);
        is_complete
    }

    #[inline]
    fn calm(&self) -> Calm {
        match self.due() {
            Some(Due::King) => Calm::Quiet,
            None if self.is_set_up() => Calm::Quiet,
            None | Some(Due::Councillor) if !self.can_capture(self.to_move()) => Calm::Quiet,
            None => Calm::Forced,
            Some(Due::Councillor) => Calm::Optional,
        }
    }

    #[inline]
    fn signature(action: Action) -> u16 {
        let (kind, from, to) = match action {
            Action::Move { from, to } => (0, from, to),
            Action::Promote { from, to } => (1, from, to),
            Action::Capture(route) => {
                let (from, to) = route.ends();
                (2, from, to)
            }
        };
        kind << 14 | u16::from(from.bit()) << 7 | u16::from(to.bit())
    }

    #[inline]
    fn target(action: Action) -> u8 {
        match action {
            Action::Move { to, .. } | Action::Promote { to, .. } => to.bit(),
            Action::Capture(route) => route.ends().1.bit(),
        }
    }

    #[inline]
    fn gain(&self, action: Action) -> Option<i32> {
        match action {
            Action::Move { .. } => None,
            // A due king is the only choice, so it counts as quiet. Making a councillor is tried after the captures.
            Action::Promote { .. } => match self.due() {
                Some(Due::Councillor) => Some(-1),
                Some(Due::King) | None => None,
            },
            Action::Capture(route) => Some(route.squares().len() as i32),
        }
    }

    fn is_hidden(action: Action) -> bool {
        match action {
            Action::Move { from, to } => is_far(from, to),
            Action::Promote { .. } => false,
            Action::Capture(route) => {
                let squares = route.squares();
                squares.len() > 2 || is_far(squares[0], squares[1])
            }
        }
    }

    #[inline]
    fn table_key(&self) -> u64 {
        let key = key_of_turn(self);
        if self.quiet_turns() >= N_QUIET { salted(key, self.quiet_turns().into()) } else { key }
    }
}

/// Whether two squares of a line are more than three steps apart.
fn is_far(from: Square, to: Square) -> bool {
    let place = |square: Square| (u32::from(square.bit()) % RANK, u32::from(square.bit()) / RANK);
    let ((file, rank), (to_file, to_rank)) = (place(from), place(to));
    file.abs_diff(to_file).max(rank.abs_diff(to_rank)) > 3
}
