//! The player of Fibonacci.
//!
//! Turns have up to six moves and more than 10⁹ results, so they are never listed. A solver decides whether the side to
//! move wins in the turn, a beam proposes good turns, and a tree of turns is grown along the best line.
#![expect(
    clippy::disallowed_types,
    reason = "the search, which browsers load too, depends on the engine alone"
)]

mod beam;
mod estimate;
mod evaluation;
mod explorer;
mod features;
#[cfg(feature = "cli")]
mod fit;
mod geometry;
mod network;
mod skill;
mod solver;
mod summaries;
mod tree;
#[cfg(feature = "cli")]
pub mod tuning;

use std::{
    iter,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};

use engine::{Rules, fibonacci::Fibonacci};

pub use self::solver::{Answer, Solver};
use self::{
    beam::{Candidate, Turn, Width},
    evaluation::chance,
    explorer::{Explorer, Plan},
    network::{N_BYTES, Network},
    skill::{Skill, WIDTH_IN_LAPSE, misjudgement, overlooks},
    tree::{Breadth, Claim, RootTurn, SURE, Tree},
};
pub(crate) use self::{geometry::distance, solver::BOARDS_PER_NODE};
use crate::{
    Limit, Random, Report, ScoredLine,
    limit::Meter,
    player::{Player, Task},
    report::texts,
};

/// Maximum number of boards that the solver visits at the root.
const ROOT_SOLVER_NODES: u64 = 200_000;

/// The solver at the root gets 1/`SOLVER_SHARE` of the nodes.
const SOLVER_SHARE: u64 = 4;

/// Maximum number of boards that the solver visits before any limit counts.
const FIRST_SOLVER_NODES: u64 = 10_000;

/// Widths of the beam of the first answer, which no limit cuts short.
const FIRST: Width = Width { boards: 2, turns: 2 };

/// Widths of the beam at the root.
const ROOT: Width = Width { boards: 100, turns: 60 };

/// Widths of the beam for few answers to a turn.
const FEW: Width = Width { boards: 12, turns: 10 };

/// Maximum widths of the beam for many answers to a turn.
const MANY: Width = Width { boards: 48, turns: 10 };

/// Approximate maximum number of boards visited per board of width.
const NODES_PER_BOARD: u64 = 650;

/// The root beam gets 1/`ROOT_SHARE` of the nodes.
const ROOT_SHARE: u64 = 4;

/// The beam for many answers gets one board of width for this many nodes of the search.
const NODES_PER_ANSWERING_BOARD: u64 = 6_000;

/// Minimum width of a beam.
const MIN_BOARDS: u64 = 2;

/// Maximum number of boards that the solver visits at a node of the tree.
const SOLVER_NODES: u64 = 3000;

/// See [`Tree::claim`].
const EXPLORATION: i32 = 20;

/// Width factors at the root, tried in order while every turn found is lost.
const WIDENINGS: [usize; 2] = [1, 6];

/// Expansions of the tree between two reports.
const GROWTH: u32 = 16;

/// The files of the networks of the variants, in their order, as `tune fit` writes them.
const NETWORKS: [&[u8; N_BYTES]; 3] = [
    include_bytes!("networks/original.bin"),
    include_bytes!("networks/mixed.bin"),
    include_bytes!("networks/cards.bin"),
];

/// The player of all rulesets of Fibonacci.
#[derive(Debug)]
pub(crate) struct FibonacciPlayer {
    tree: Mutex<Tree>,
    /// The explorer of the search's own thread.
    explorer: Explorer,
    /// Those of the other threads.
    helpers: Vec<Explorer>,
    /// The networks of the variants, in their order.
    networks: [Network; 3],
}

impl FibonacciPlayer {
    pub(crate) fn new() -> Self {
        Self {
            tree: Mutex::new(Tree::new()),
            explorer: Explorer::new(),
            helpers: Vec::new(),
            networks: NETWORKS.map(Network::read),
        }
    }

    /// The best turns, the best one first, and the number of expansions.
    fn turns(&mut self, task: &mut Task<'_, Fibonacci>) -> (Vec<RootTurn>, u32) {
        let position = *task.game.position();
        let skill = Skill::of_level(task.settings.level, position.variant());
        task.meter.cap_nodes(skill.max_nodes);
        let mut random = Random::new(task.settings.seed ^ position.hash());
        let win_moves = if skill.misses_win(&mut random) { 0 } else { skill.win_moves };
        if let Some(win) = self.short_win(&position, win_moves) {
            return (vec![win], 1);
        }
        let mut turns = self.first_turns(&position, &mut task.meter);
        if task.meter.is_over() {
            return (turns, 0);
        }
        if let Some(win) = self.win(&position, win_moves, &mut task.meter) {
            return (vec![win], 1);
        }
        let first = report(&turns, task, 0);
        (task.improved)(&first);
        if skill.has_lapse(&mut random) {
            let found = self.turns_in_lapse(&position, &mut random, task);
            return (if found.is_empty() { turns } else { found }, 0);
        }
        let mut depth = 0;
        let capacity = task.meter.capacity();
        let boards =
            (capacity / (ROOT_SHARE * NODES_PER_BOARD)).clamp(MIN_BOARDS, ROOT.boards as u64) as usize;
        let many = many(capacity);
        for factor in WIDENINGS {
            let root = Width { boards: boards * factor, turns: ROOT.turns * factor };
            self.start(&position, root, first_breadth(many), task);
            if let Some(win) = self.explorer.seen_win(win_moves) {
                return (vec![win], 1);
            }
            // A beam that was cut short has worse turns than a narrow one that was not.
            if task.meter.is_over() {
                break;
            }
            depth += self.grow(many, task);
            let found = locked(&self.tree).root_turns();
            if !found.is_empty() {
                turns = found;
            }
            let is_lost = turns[0].value < -SURE;
            if task.meter.is_over() || !is_lost {
                break;
            }
        }
        (turns, depth)
    }

    /// The turns seen in a lapse, the apparent best first.
    fn turns_in_lapse(
        &mut self,
        position: &Fibonacci,
        random: &mut Random,
        task: &mut Task<'_, Fibonacci>,
    ) -> Vec<RootTurn> {
        let network = &self.networks[position.variant() as usize];
        let seed = random.bits();
        let error = |board| misjudgement(position.variant(), seed, board);
        let turns = self.explorer.glance(position, WIDTH_IN_LAPSE, network, error, &mut task.meter);
        turns.iter().filter(|turn| !overlooks(position, turn, random)).map(RootTurn::unsearched).collect()
    }

    /// Begins the tree.
    fn start(
        &mut self,
        position: &Fibonacci,
        width: Width,
        first_breadth: Breadth,
        task: &mut Task<'_, Fibonacci>,
    ) {
        let network = &self.networks[position.variant() as usize];
        let ends_game = |turn: &Candidate| turn.after.outcome_at_turn_start(task.game.history()).is_some();
        let turns = self.explorer.glance(position, width, network, |_| 0, &mut task.meter);
        for turn in turns.iter_mut().filter(|turn| ends_game(turn)) {
            turn.value = 0;
        }
        locked(&self.tree).start(position, turns, (first_breadth, task.settings.lines), ends_game);
    }

    /// Grows the tree until a limit is reached or no leaf is left. Returns the number of expansions.
    fn grow(&mut self, many: Width, task: &mut Task<'_, Fibonacci>) -> u32 {
        let position = task.game.position();
        let packs = task.game.public_cards().map(|cards| cards.packs[position.to_move().other()].left);
        let full_pack = [2; 6];
        let cards = packs.filter(|left| left.iter().any(|n| *n > 0)).unwrap_or(full_pack);
        let plan = Plan {
            side: position.to_move(),
            few: FEW,
            many,
            network: &self.networks[position.variant() as usize],
            solver_nodes: SOLVER_NODES,
            cards,
        };
        self.helpers.resize_with(task.settings.threads.get() - 1, Explorer::new);
        let mut meters = task.meter.split(self.helpers.len());
        let (tree, max_depth) = (&self.tree, task.meter.max_depth());
        thread::scope(|scope| {
            for (explorer, meter) in self.helpers.iter_mut().zip(&mut meters) {
                let plan = &plan;
                scope.spawn(move || while grow_once(tree, explorer, plan, max_depth, meter).is_some() {});
            }
            while let Some(depth) = grow_once(tree, &mut self.explorer, &plan, max_depth, &mut task.meter) {
                if depth.is_multiple_of(GROWTH) {
                    let better = report(&locked(tree).root_turns(), task, depth);
                    (task.improved)(&better);
                }
            }
        });
        task.meter.join(&meters);
        locked(tree).n_expansions()
    }

    /// A win within the turn of at most `n_moves` moves, if found at once; ignores the limits.
    fn short_win(&mut self, position: &Fibonacci, n_moves: u8) -> Option<RootTurn> {
        let limit = Limit::default();
        self.explorer.win(position, n_moves, FIRST_SOLVER_NODES, &mut Meter::new(&limit))
    }

    /// A win within the turn of at most `n_moves` moves, if found within a share of the limit.
    fn win(&mut self, position: &Fibonacci, n_moves: u8, meter: &mut Meter<'_>) -> Option<RootTurn> {
        let share = (meter.capacity() / SOLVER_SHARE).saturating_mul(BOARDS_PER_NODE);
        self.explorer.win(position, n_moves, share.min(ROOT_SOLVER_NODES), meter)
    }

    /// A good turn within a few milliseconds; ignores the limits.
    fn first_turns(&mut self, position: &Fibonacci, meter: &mut Meter<'_>) -> Vec<RootTurn> {
        let limit = Limit::default();
        let mut unlimited = Meter::new(&limit);
        let network = &self.networks[position.variant() as usize];
        let found = self.explorer.glance(position, FIRST, network, |_| 0, &mut unlimited);
        let mut turns: Vec<RootTurn> = found.iter().map(RootTurn::unsearched).collect();
        meter.count_many(unlimited.nodes());
        if turns.is_empty() {
            turns.push(RootTurn { turn: first_legal(position), replies: Vec::new(), value: 0, visits: 0 });
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

/// The widths of the beam for many answers in a search of `capacity` nodes.
fn many(capacity: u64) -> Width {
    let boards = (capacity / NODES_PER_ANSWERING_BOARD).clamp(MIN_BOARDS, MANY.boards as u64);
    Width { boards: boards as usize, ..MANY }
}

/// The breadth at a new leaf. A small search looks for many answers at once, since they are no more than the few of a large one.
const fn first_breadth(many: Width) -> Breadth {
    if many.boards > FEW.boards { Breadth::Few } else { Breadth::Many }
}

/// The tree. A thread that panics leaves it whole, since only a claim remains.
fn locked(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Expands a leaf, if there is one within the limits. Returns the number of expansions so far.
fn grow_once(
    tree: &Mutex<Tree>,
    explorer: &mut Explorer,
    plan: &Plan<'_>,
    max_depth: u32,
    meter: &mut Meter<'_>,
) -> Option<u32> {
    while !meter.is_over() {
        let claim = locked(tree).claim(EXPLORATION, max_depth);
        match claim {
            Claim::Leaf(leaf) => {
                let expansion = explorer.expand(&leaf, plan, meter);
                return Some(locked(tree).settle(&leaf, &expansion));
            }
            Claim::Wait => {
                meter.read_clock();
                thread::yield_now();
            }
            Claim::Done => break,
        }
    }
    None
}

fn report(turns: &[RootTurn], task: &Task<'_, Fibonacci>, depth: u32) -> Report {
    let lines: Vec<ScoredLine> = turns
        .iter()
        .take(task.settings.lines.max(1))
        .map(|root| ScoredLine {
            turns: iter::once(&root.turn).chain(&root.replies).map(|turn| texts(turn.actions())).collect(),
            score: chance(root.value),
        })
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
