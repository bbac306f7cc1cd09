//! The player of Fibonacci.
//!
//! Turns have up to six moves and more than 10⁹ results, so they are never listed. A solver decides whether the side to
//! move wins in the turn, a beam proposes good turns, and a tree of turns is grown along the best line.

mod beam;
mod estimate;
mod evaluation;
mod geometry;
mod solver;
mod tree;
#[cfg(feature = "tune")]
pub mod tuning;
mod weights;

pub use self::solver::{Answer, Solver};
use engine::{
    Rules,
    fibonacci::{Fibonacci, Variant},
};

use self::{
    beam::{Turn, Width},
    evaluation::chance,
    tree::{Plan, RootTurn, Tree, WIN},
    weights::{WEIGHTS, Weights},
};
use crate::{
    Limit, Report, ScoredLine,
    limit::Meter,
    player::{Player, Task},
    report::texts,
};

/// Boards that the solver visits at the root.
const ROOT_SOLVER_NODES: u64 = 200_000;

/// Boards that the solver visits before any limit counts.
const FIRST_SOLVER_NODES: u64 = 10_000;

/// Widths of the beam of the first answer, which no limit cuts short.
const FIRST: Width = Width { boards: 2, turns: 2 };

/// Expansions of the tree between two reports.
const GROWTH: u32 = 16;

/// The player of all rulesets of Fibonacci.
#[derive(Debug)]
pub(crate) struct FibonacciPlayer {
    tree: Tree,
}

impl FibonacciPlayer {
    pub(crate) fn new() -> Self {
        Self { tree: Tree::new() }
    }

    /// The weights of a ruleset.
    fn weights(&self, variant: Variant) -> &'static Weights {
        match variant {
            Variant::Original => &WEIGHTS[0],
            Variant::Mixed => &WEIGHTS[1],
            Variant::Cards => &WEIGHTS[2],
        }
    }

    /// The best turns, the best one first, and the number of expansions.
    fn turns(&mut self, task: &mut Task<'_, Fibonacci>) -> (Vec<RootTurn>, u32) {
        let position = *task.game.position();
        if let Some(turn) = self.win(&position, task) {
            return (vec![RootTurn { turn, value: WIN, visits: 1 }], 1);
        }
        let weights = self.weights(position.variant());
        let mut turns = self.first_turns(&position);
        if task.meter.is_over() {
            return (turns, 0);
        }
        let first = report(&turns, task, 0);
        (task.improved)(&first);
        let plan = Plan {
            root: Width { boards: 40, turns: 60 },
            inner: Width { boards: 8, turns: 10 },
            solver_nodes: 3000,
            curiosity: 20,
        };
        self.tree.start(&position, plan.root, weights, &mut task.meter, |_| true);
        let mut depth = 0;
        while !task.meter.is_over() && depth < task.meter.max_depth() {
            if !self.tree.grow(&plan, weights, &mut task.meter) {
                break;
            }
            depth += 1;
            if depth.is_multiple_of(GROWTH) {
                let better = report(&self.tree.root_turns(), task, depth);
                (task.improved)(&better);
            }
        }
        let found = self.tree.root_turns();
        if !found.is_empty() {
            turns = found;
        }
        (turns, depth)
    }

    /// The win in the turn, if it is found. A short search for it is made whatever the limits are.
    fn win(&mut self, position: &Fibonacci, task: &mut Task<'_, Fibonacci>) -> Option<Turn> {
        let limit = Limit::default();
        let found = self.tree.win(position, FIRST_SOLVER_NODES, &mut Meter::new(&limit));
        if found.is_some() || task.meter.is_over() {
            return found;
        }
        self.tree.win(position, ROOT_SOLVER_NODES, &mut task.meter)
    }

    /// A good turn within a few milliseconds, whatever the limits are.
    fn first_turns(&mut self, position: &Fibonacci) -> Vec<RootTurn> {
        let limit = Limit::default();
        let weights = self.weights(position.variant());
        self.tree.start(position, FIRST, weights, &mut Meter::new(&limit), |_| true);
        let mut turns = self.tree.root_turns();
        if turns.is_empty() {
            turns.push(RootTurn { turn: first_legal(position), value: 0, visits: 0 });
        }
        turns
    }
}

impl Player<Fibonacci> for FibonacciPlayer {
    fn search(&mut self, task: &mut Task<'_, Fibonacci>) -> Report {
        let (turns, depth) = self.turns(task);
        report(&turns, task, depth)
    }
}

fn report(turns: &[RootTurn], task: &Task<'_, Fibonacci>, depth: u32) -> Report {
    let lines: Vec<ScoredLine> = turns
        .iter()
        .take(task.settings.lines.max(1))
        .map(|root| ScoredLine { turns: vec![texts(root.turn.actions())], score: chance(root.value) })
        .collect();
    let ScoredLine { turns, score } = lines[0].clone();
    Report { turn: turns[0].clone(), score, lines, nodes: task.meter.nodes(), depth }
}

/// The turn of the first legal actions.
fn first_legal(position: &Fibonacci) -> Turn {
    let (mut position, mut turn) = (*position, Turn::EMPTY);
    loop {
        let mut first = None;
        position.for_each_action(|action| {
            first.get_or_insert(action);
        });
        let Some(action) = first else { return turn };
        turn.push(action);
        if position.play(action) != engine::Progress::SameTurn {
            return turn;
        }
    }
}
