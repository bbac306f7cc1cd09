use std::ops::ControlFlow;

use engine::{
    Progress, Rules, Side,
    fibonacci::{Action, Fibonacci},
};

use super::{beam::MAX_ACTIONS, estimate::Attack};
use crate::{Limit, limit::Meter, table::TranspositionTable};

/// Memory of the table of boards in bytes.
const TABLE_BYTES: usize = 1 << 21;

/// Boards of the solver that take as long as one of a beam, and count as one node.
pub(crate) const BOARDS_PER_NODE: u64 = 4;

/// The search for a win in the current turn.
///
/// Iterative deepening by moves. The first pass follows only moves whose estimate fits, the second all moves after which
/// a win is not ruled out; if the second completes, there is no win.
///
/// It takes two megabytes of memory.
#[derive(Debug)]
pub struct Solver {
    /// For each board, the largest number of moves with which it was refuted.
    table: TranspositionTable<u8>,
    /// The moves after the current board, in reverse.
    line: Vec<Action>,
    n_nodes: u64,
    max_nodes: u64,
}

/// The answer to whether the side to move wins in the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The line of the solver wins.
    Win,
    /// There is no win.
    NoWin,
    /// No win was found within the limit.
    Unknown,
}

/// A selection of the boards that are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Followed {
    /// Those with a fitting estimate.
    Likely,
    /// Those for which a win is not ruled out.
    Possible,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            table: TranspositionTable::new(TABLE_BYTES),
            line: Vec::with_capacity(MAX_ACTIONS),
            n_nodes: 0,
            max_nodes: 0,
        }
    }
}

impl Solver {
    /// Searches for a win of the side to move with at most `n_moves` of the moves left.
    pub fn win(&mut self, position: &Fibonacci, n_moves: u8, limit: &Limit<'_>) -> Answer {
        let n_moves = n_moves.min(position.actions_left());
        self.solve(position, n_moves, u64::MAX, &mut Meter::new(limit))
    }

    /// The moves of the win that was found last, in order.
    pub fn line(&self) -> impl Iterator<Item = Action> {
        self.line.iter().rev().copied()
    }

    /// Number of boards that the last search visited.
    #[must_use]
    pub const fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    /// Searches for a win with at most `n_moves` of the moves left, among at most `max_nodes` boards.
    pub(super) fn solve(
        &mut self,
        position: &Fibonacci,
        n_moves: u8,
        max_nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Answer {
        (self.n_nodes, self.max_nodes) = (0, max_nodes);
        self.line.clear();
        let attack = Attack::new(position, position.to_move());
        if !attack.may_win(n_moves) {
            return Answer::NoWin;
        }
        let likely = attack.moves_to_win();
        for n in likely..=n_moves {
            match self.try_moves(position, n, Followed::Likely, meter) {
                Answer::Win => return Answer::Win,
                Answer::NoWin => {}
                Answer::Unknown => return Answer::Unknown,
            }
        }
        for n in 1..=n_moves {
            if attack.may_win(n) {
                match self.try_moves(position, n, Followed::Possible, meter) {
                    Answer::NoWin => {}
                    answer @ (Answer::Win | Answer::Unknown) => return answer,
                }
            }
        }
        Answer::NoWin
    }

    fn try_moves(
        &mut self,
        position: &Fibonacci,
        n_moves: u8,
        followed: Followed,
        meter: &mut Meter<'_>,
    ) -> Answer {
        self.table.clear();
        match self.descend(position, position.to_move(), n_moves, followed, meter) {
            ControlFlow::Break(answer) => answer,
            ControlFlow::Continue(()) => Answer::NoWin,
        }
    }

    fn descend(
        &mut self,
        position: &Fibonacci,
        side: Side,
        n_moves: u8,
        followed: Followed,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<Answer> {
        position.try_for_each_action(&mut (), |action| {
            if action == Action::End {
                return ControlFlow::Continue(());
            }
            self.n_nodes += 1;
            if self.n_nodes > self.max_nodes
                || (self.n_nodes.is_multiple_of(BOARDS_PER_NODE) && meter.count())
            {
                return ControlFlow::Break(Answer::Unknown);
            }
            let mut after = *position;
            let next = match after.play(action) {
                Progress::Over(outcome) if outcome.winner == Some(side) => ControlFlow::Break(Answer::Win),
                Progress::SameTurn if n_moves > 1 => self.follow(&after, side, n_moves - 1, followed, meter),
                Progress::SameTurn | Progress::NewTurn | Progress::Over(_) => ControlFlow::Continue(()),
            };
            if next == ControlFlow::Break(Answer::Win) {
                self.line.push(action);
            }
            next
        })
    }

    fn follow(
        &mut self,
        after: &Fibonacci,
        side: Side,
        n_moves: u8,
        followed: Followed,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<Answer> {
        let attack = Attack::new(after, side);
        let is_followed =
            attack.may_win(n_moves) && (followed == Followed::Possible || attack.moves_to_win() <= n_moves);
        if !is_followed || self.table.get(after.hash()).is_some_and(|refuted| refuted >= n_moves) {
            return ControlFlow::Continue(());
        }
        self.descend(after, side, n_moves, followed, meter)?;
        self.table.put(after.hash(), n_moves, |_| false);
        ControlFlow::Continue(())
    }
}
