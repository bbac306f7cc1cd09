use std::{ops::ControlFlow, sync::LazyLock};

use engine::{
    Rules, Side,
    stacks::{Action, Cell, Game, Stack, Stacks},
};

use super::{
    errors::Skill,
    evaluate::{Calm, Evaluate},
    stacks_weights::{CROSSFIRE, FOCUS},
};
use crate::limit::Meter;

/// Number of cells of the larger board.
const MAX_CELLS: usize = 52;
/// The height of the highest stack.
const MAX_HEIGHT: usize = 6;

/// Classes of cells by capacity: 2, 3, 5 and 6.
const N_CLASSES: usize = 4;
/// Number of kinds of stacks.
const N_KINDS: usize = Stack::N_VALUES / 2;

/// Minimum gain of a capture that quiescence searches, however little is missing.
const MIN_GAIN: i32 = 40;

const STACKS: usize = 0;
/// For each number of stacks of a side, up to 8.
const N_STACKS: usize = STACKS + N_CLASSES * N_KINDS;
/// For each number of men in reserve, up to 4, and the number beyond.
const RESERVES: usize = N_STACKS + 9;
const MORE_RESERVES: usize = RESERVES + 5;
const REACH: usize = MORE_RESERVES + 1;
/// Stacks that the other side can reach, by height, of the side to move and of the other one.
const ATTACKED: usize = REACH + 1;
/// The same for those of them that are guarded: their own side can reach them too.
const GUARDED: usize = ATTACKED + 2 * MAX_HEIGHT;
const TEMPO: usize = GUARDED + 2 * MAX_HEIGHT;
pub(super) const N_WEIGHTS: usize = TEMPO + 1;

/// Kind of each stack value: the men below the top, as own or enemy men of the stack's owner.
const KINDS: [u8; Stack::N_VALUES] = {
    let mut kinds = [0; Stack::N_VALUES];
    let mut value = 2;
    while value < Stack::N_VALUES {
        let height = value.ilog2();
        let as_owner = if value & 1 == 1 { value ^ ((1 << height) - 1) } else { value };
        kinds[value] = (as_owner >> 1) as u8;
        value += 1;
    }
    kinds
};

/// Tables of a board.
struct Board {
    cells: Vec<Cell>,
    /// The offset of the class of each cell among the features of stacks.
    classes: [usize; MAX_CELLS],
    /// The cells that a stack of each height reaches, one bit each.
    reach: [[u64; MAX_HEIGHT + 1]; MAX_CELLS],
}

impl Board {
    fn new(game: Game) -> Self {
        let cells: Vec<Cell> = game.cells().collect();
        let (mut classes, mut reach) = ([0; MAX_CELLS], [[0; MAX_HEIGHT + 1]; MAX_CELLS]);
        for from in &cells {
            let class = match from.capacity() {
                2 => 0,
                3 => 1,
                5 => 2,
                _ => 3,
            };
            classes[from.slot()] = class * N_KINDS;
            for to in &cells {
                if let Some(distance) = from.distance(*to) {
                    for reached in &mut reach[from.slot()][usize::from(distance)..] {
                        *reached |= 1 << to.slot();
                    }
                }
            }
        }
        Self { cells, classes, reach }
    }
}

static SQUARES: LazyLock<Board> = LazyLock::new(|| Board::new(Game::Focus));
static HEXES: LazyLock<Board> = LazyLock::new(|| Board::new(Game::Crossfire));

fn board(game: Game) -> &'static Board {
    match game {
        Game::Focus | Game::FocusClassic => &SQUARES,
        Game::Crossfire => &HEXES,
    }
}

/// The stacks of a side.
#[derive(Clone, Copy, Default)]
struct Holding {
    n_stacks: usize,
    n_reach: u32,
    stacks: u64,
    reach: u64,
}

impl Evaluate for Stacks {
    const SCALE: f32 = 256.0;
    const MARGIN: i32 = 100;
    const MAX_FUTILE_DEPTH: i32 = 3;
    const MAX_QUIET: i32 = 10;
    const REDUCTION: i32 = 800;
    const REDUCTION_STEP: i32 = 1000;
    const ONLY_RECAPTURES: bool = true;
    const REDUCES_CAPTURES: bool = true;
    const SKILLS: [Skill; 8] = [
        Skill { max_nodes: 600, lapses: 50 },
        Skill { max_nodes: 1_500, lapses: 36 },
        Skill { max_nodes: 3_200, lapses: 24 },
        Skill { max_nodes: 8_000, lapses: 14 },
        Skill { max_nodes: 20_000, lapses: 8 },
        Skill { max_nodes: 50_000, lapses: 4 },
        Skill { max_nodes: 105_000, lapses: 2 },
        Skill { max_nodes: u64::MAX, lapses: 0 },
    ];

    fn weights(&self) -> &'static [i32] {
        match self.game() {
            Game::Focus | Game::FocusClassic => &FOCUS,
            Game::Crossfire => &CROSSFIRE,
        }
    }

    #[inline]
    fn features(&self, mut visit: impl FnMut(usize, i32)) {
        let board = board(self.game());
        let mover = self.to_move();
        let mut sides = [Holding::default(); 2];
        for (slot, cell) in board.cells.iter().enumerate() {
            let stack = self.stack(*cell);
            if stack.is_empty() {
                continue;
            }
            let is_own = stack.is_own(mover);
            let holding = &mut sides[usize::from(!is_own)];
            let reach = board.reach[slot][usize::from(stack.height())];
            holding.n_stacks += 1;
            holding.stacks |= 1 << slot;
            holding.reach |= reach;
            holding.n_reach += reach.count_ones();
            let kind = usize::from(KINDS[stack.index()]);
            visit(STACKS + board.classes[slot] + kind, if is_own { 1 } else { -1 });
        }
        let [own, other] = sides;
        for (side, sign, holding, enemy) in [(mover, 1, own, other), (mover.other(), -1, other, own)] {
            visit(N_STACKS + holding.n_stacks.min(8), sign);
            let reserve = usize::from(self.reserve(side));
            visit(RESERVES + reserve.min(4), sign);
            visit(MORE_RESERVES, sign * reserve.saturating_sub(4) as i32);
            visit(REACH, sign * holding.n_reach as i32);
            let offset = if sign > 0 { 0 } else { MAX_HEIGHT };
            let mut attacked = holding.stacks & enemy.reach;
            while attacked != 0 {
                let slot = attacked.trailing_zeros() as usize;
                attacked &= attacked - 1;
                let height = usize::from(self.stack(board.cells[slot]).height());
                let feature = if holding.reach >> slot & 1 == 1 { GUARDED } else { ATTACKED };
                visit(feature + offset + height - 1, sign);
            }
        }
        visit(TEMPO, 1);
    }

    fn list_captures(&self, (): &mut (), buffer: &mut Vec<Action>, _meter: &mut Meter<'_>) -> bool {
        buffer.clear();
        let mover = self.to_move();
        let _: ControlFlow<()> = self.try_for_each_action(&mut (), |action| {
            let to = match action {
                Action::Move { to, .. } | Action::Drop { to } => to,
                Action::Switch { .. } => return ControlFlow::Continue(()),
            };
            if self.stack(to).is_own(mover.other()) {
                buffer.push(action);
            }
            ControlFlow::Continue(())
        });
        true
    }

    #[inline]
    fn calm(&self) -> Calm {
        if self.is_switch_turn() { Calm::Quiet } else { Calm::Optional }
    }

    #[inline]
    fn signature(action: Action) -> u16 {
        match action {
            Action::Move { from, to } => (from.slot() << 6 | to.slot()) as u16,
            Action::Drop { to } => (1 << 12 | to.slot()) as u16,
            Action::Switch { own, other } => (2 << 12 | own.slot() << 6 | other.slot()) as u16,
        }
    }

    #[inline]
    fn target(action: Action) -> u8 {
        match action {
            Action::Move { to, .. } | Action::Drop { to } => to.slot() as u8,
            Action::Switch { other, .. } => other.slot() as u8,
        }
    }

    #[inline]
    fn gain(&self, action: Action) -> Option<i32> {
        let to = match action {
            Action::Move { to, .. } | Action::Drop { to } => to,
            Action::Switch { .. } => return None,
        };
        self.stack(to).is_own(self.to_move().other()).then(|| change(self, action))
    }

    #[inline]
    fn min_gain(missing: i32) -> i32 {
        (missing - Self::MARGIN).max(MIN_GAIN)
    }

    #[inline]
    fn quiet_order(&self, action: Action) -> i32 {
        match action {
            Action::Move { .. } | Action::Drop { .. } => 8 * change(self, action),
            Action::Switch { .. } => 0,
        }
    }

    fn is_hidden(action: Action) -> bool {
        match action {
            Action::Move { from, to } => from.distance(to).is_some_and(|distance| distance > 2),
            Action::Drop { .. } | Action::Switch { .. } => false,
        }
    }
}

/// Change of the values of stacks and reserves by an action, for the side to move.
#[inline]
fn change(before: &Stacks, action: Action) -> i32 {
    let board = board(before.game());
    let weights = before.weights();
    let mover = before.to_move();
    let mut after = *before;
    after.play(action);
    let value = |position: &Stacks, cell: Cell| {
        let stack = position.stack(cell);
        if stack.is_empty() {
            return 0;
        }
        let kind = usize::from(KINDS[stack.index()]);
        let value = weights[STACKS + board.classes[cell.slot()] + kind];
        if stack.is_own(mover) { value } else { -value }
    };
    let reserve = |position: &Stacks, side: Side| {
        let reserve = usize::from(position.reserve(side));
        weights[RESERVES + reserve.min(4)] + weights[MORE_RESERVES] * reserve.saturating_sub(4) as i32
    };
    let of_cell = |cell: Cell| value(&after, cell) - value(before, cell);
    let of_reserve = reserve(&after, mover) - reserve(before, mover);
    match action {
        Action::Move { from, to } => of_cell(from) + of_cell(to) + of_reserve,
        Action::Drop { to } => of_cell(to) + of_reserve,
        Action::Switch { own, other } => of_cell(own) + of_cell(other),
    }
}
