//! Fibonacci: win in this turn.

use std::ops::ControlFlow;

use engine::{
    Progress, Rules, Side,
    fibonacci::{Action, Cell, Fibonacci, PieceKind, Variant},
};

use super::{Proof, Unfit};
use crate::{Answer, Limit, Solver, fibonacci::BOARDS_PER_NODE, report::texts, table::TranspositionTable};

/// Minimum number of moves of a puzzle.
const MIN_MOVES: u8 = 3;

/// Limit on the boards visited for each first move. The result affects only the grade, and whether a task is too easy.
const FIRST_MOVE_NODES: u64 = 4000;

/// Memory of the table of a gathering in bytes.
const TABLE_BYTES: usize = 1 << 21;

pub(super) fn prove(position: &Fibonacci, max_nodes: u64) -> Result<Proof, Unfit> {
    let n_moves = position.actions_left();
    if n_moves < MIN_MOVES {
        return Err(Unfit::TooSimple);
    }
    let limit = Limit { nodes: Some(max_nodes / BOARDS_PER_NODE), ..Limit::default() };
    let mut solver = Solver::default();
    match solver.win(position, n_moves, &limit) {
        Answer::Win => {}
        Answer::NoWin => return Err(Unfit::NoSolution),
        Answer::Unknown => return Err(Unfit::TooLong),
    }
    let line: Vec<Action> = solver.line().collect();
    let mut nodes = solver.n_nodes();
    match solver.win(position, n_moves - 1, &limit) {
        Answer::Win => return Err(Unfit::TooSimple),
        Answer::NoWin => nodes += solver.n_nodes(),
        Answer::Unknown => return Err(Unfit::TooLong),
    }
    let mut is_pull = true;
    for (index, allowed) in [Allowed::Empty, Allowed::NotTheCentre].into_iter().enumerate() {
        let mut gathering = Gathering::new(position, allowed, max_nodes);
        let found = gathering.search(position, n_moves);
        nodes += gathering.n_nodes;
        match found {
            ControlFlow::Break(Answer::Win) if index == 0 => return Err(Unfit::TooSimple),
            ControlFlow::Break(Answer::Win) => is_pull = false,
            ControlFlow::Break(_) => return Err(Unfit::TooLong),
            ControlFlow::Continue(()) => {}
        }
    }
    Ok(Proof { gain: None, nodes, n_solutions: 0, n_legal: 0, solution: vec![texts(&line)], is_pull })
}

/// Counts the legal first moves, and those of them with which the solver finds a win.
pub(super) fn first_moves(position: &Fibonacci) -> (usize, usize) {
    let mut solver = Solver::default();
    let (side, n_moves) = (position.to_move(), position.actions_left());
    let (mut n_winning, mut n_legal) = (0, 0);
    position.for_each_action(|action| {
        let mut after = *position;
        n_legal += 1;
        let limit = Limit { nodes: Some(FIRST_MOVE_NODES / BOARDS_PER_NODE), ..Limit::default() };
        let wins = match after.play(action) {
            Progress::Over(outcome) => outcome.winner == Some(side),
            Progress::SameTurn => solver.win(&after, n_moves - 1, &limit) == Answer::Win,
            Progress::NewTurn => false,
        };
        n_winning += usize::from(wins);
    });
    (n_winning, n_legal)
}

/// The moves that a search is confined to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Allowed {
    /// Those to empty cells.
    Empty,
    /// Those that leave the other side's centre where it is.
    NotTheCentre,
}

/// A search for a win round a centre that stays.
struct Gathering {
    allowed: Allowed,
    side: Side,
    target: Cell,
    /// Number of strikes next to the centre that a win needs.
    n_needed: u32,
    /// Boards that were found not to win.
    table: TranspositionTable<()>,
    n_nodes: u64,
    max_nodes: u64,
}

impl Gathering {
    fn new(position: &Fibonacci, allowed: Allowed, max_nodes: u64) -> Self {
        let side = position.to_move();
        let n_needed = match position.variant() {
            Variant::Original | Variant::Mixed => 6,
            Variant::Cards => 3,
        };
        let target = position.centre(side.other());
        Self {
            allowed,
            side,
            target,
            n_needed,
            table: TranspositionTable::new(TABLE_BYTES),
            n_nodes: 0,
            max_nodes,
        }
    }

    /// Whether `n_moves` can be enough. Each move brings at most one strike next to the centre.
    fn may_win(&self, position: &Fibonacci, n_moves: u8) -> bool {
        let ring = self.target.neighbours();
        let n_there = (position.pieces(self.side, PieceKind::Strike) & ring).len();
        (ring.len() == 6 || self.n_needed < 6) && n_there + u32::from(n_moves) >= self.n_needed
    }

    fn search(&mut self, position: &Fibonacci, n_moves: u8) -> ControlFlow<Answer> {
        if !self.may_win(position, n_moves) {
            return ControlFlow::Continue(());
        }
        position.try_for_each_action(&mut (), |action| {
            let Action::Move { to, .. } = action else { return ControlFlow::Continue(()) };
            if to == self.target || self.allowed == Allowed::Empty && position.occupied().contains(to) {
                return ControlFlow::Continue(());
            }
            self.n_nodes += 1;
            if self.n_nodes > self.max_nodes {
                return ControlFlow::Break(Answer::Unknown);
            }
            let mut after = *position;
            match after.play(action) {
                Progress::Over(outcome) if outcome.winner == Some(self.side) => {
                    ControlFlow::Break(Answer::Win)
                }
                Progress::SameTurn if self.table.get(after.hash()).is_none() => {
                    self.search(&after, n_moves - 1)?;
                    self.table.put(after.hash(), (), |()| false);
                    ControlFlow::Continue(())
                }
                Progress::SameTurn | Progress::NewTurn | Progress::Over(_) => ControlFlow::Continue(()),
            }
        })
    }
}
