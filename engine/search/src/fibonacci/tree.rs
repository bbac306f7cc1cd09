use engine::fibonacci::Fibonacci;

use super::{
    beam::{Beam, Candidate, Turn, Width},
    solver::{Answer, Solver},
    weights::Weights,
};
use crate::limit::Meter;

/// The value of a win, in hundredths of a logit; less one for each turn before it.
pub(super) const WIN: i32 = 20_000;

/// The least value that is a certain win.
pub(super) const SURE: i32 = WIN - 1000;

/// Maximum number of nodes of a tree.
const MAX_NODES: usize = 1 << 15;

/// Parameters of a search.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Widths at the root.
    pub(super) root: Width,
    /// Widths at all other nodes.
    pub(super) inner: Width,
    /// Boards that the solver visits at a node.
    pub(super) solver_nodes: u64,
    /// Reduction of a node's value for each doubling of the visits below it, in hundredths of a logit.
    pub(super) curiosity: i32,
}

/// A tree of turns, grown at the leaf that the best line leads to.
///
/// A value is that of the side whose turn led to the node. A node that is expanded has the solver's answer: if the side
/// to move wins in the turn, it is lost for the other.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    solver: Solver,
    beam: Beam,
    candidates: Vec<Candidate>,
    path: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    position: Fibonacci,
    turn: Turn,
    value: i32,
    visits: u32,
    /// The range of the children.
    first: u32,
    n_children: u32,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Leaf,
    Expanded,
    /// Known to the end, or the tree is full below.
    Closed,
}

impl Node {
    const fn leaf(position: Fibonacci, turn: Turn, value: i32) -> Self {
        Self { position, turn, value, visits: 0, first: 0, n_children: 0, state: State::Leaf }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.n_children) as usize
    }
}

/// A turn of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootTurn {
    pub(super) turn: Turn,
    pub(super) value: i32,
    pub(super) visits: u32,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            solver: Solver::default(),
            beam: Beam::new(),
            candidates: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Finds the win in the turn, if the solver does within its nodes.
    pub(super) fn win(
        &mut self,
        position: &Fibonacci,
        max_nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Option<Turn> {
        let answer = self.solver.solve(position, position.actions_left(), max_nodes, meter);
        (answer == Answer::Win).then(|| {
            let mut turn = Turn::EMPTY;
            self.solver.line().for_each(|action| turn.push(action));
            turn
        })
    }

    /// Begins a tree at a position without a win in the turn. `is_kept` decides which turns are considered.
    pub(super) fn start(
        &mut self,
        position: &Fibonacci,
        width: Width,
        weights: &Weights,
        meter: &mut Meter<'_>,
        mut keeps: impl FnMut(&Candidate) -> bool,
    ) {
        self.nodes.clear();
        self.nodes.push(Node::leaf(*position, Turn::EMPTY, 0));
        self.beam.turns(position, width, weights, meter, &mut self.candidates);
        self.candidates.retain(|candidate| keeps(candidate));
        self.adopt(0);
    }

    /// Makes the candidates the children of a node.
    fn adopt(&mut self, at: usize) {
        let first = self.nodes.len();
        for candidate in &self.candidates {
            self.nodes.push(Node::leaf(candidate.after, candidate.turn, candidate.value));
        }
        let node = &mut self.nodes[at];
        node.first = first as u32;
        node.n_children = self.candidates.len() as u32;
        node.state = State::Expanded;
        if let Some(best) = self.candidates.iter().map(|candidate| candidate.value).max() {
            node.value = -best;
        }
    }

    /// Expands one leaf. Returns whether there was one to be expanded.
    pub(super) fn grow(&mut self, plan: &Plan, weights: &Weights, meter: &mut Meter<'_>) -> bool {
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.nodes[at].state == State::Expanded {
            let Some(child) = self.select(at, plan.curiosity) else {
                self.nodes[at].state = State::Closed;
                if at == 0 {
                    return false;
                }
                self.back_up();
                return true;
            };
            at = child;
            self.path.push(at);
        }
        if self.nodes.len() + plan.inner.turns > MAX_NODES {
            return false;
        }
        self.expand(at, plan, weights, meter);
        self.back_up();
        true
    }

    fn select(&self, at: usize, curiosity: i32) -> Option<usize> {
        let open = self.nodes[at].children().filter(|child| {
            let node = &self.nodes[*child];
            node.state != State::Closed
        });
        let urgency = |child: usize| {
            let node = &self.nodes[child];
            node.value - curiosity * (32 - (node.visits + 1).leading_zeros()) as i32
        };
        open.max_by_key(|child| (urgency(*child), std::cmp::Reverse(*child)))
    }

    fn expand(&mut self, at: usize, plan: &Plan, weights: &Weights, meter: &mut Meter<'_>) {
        let position = self.nodes[at].position;
        let answer = self.solver.solve(&position, position.actions_left(), plan.solver_nodes, meter);
        if answer == Answer::Win {
            self.nodes[at].value = -WIN;
            self.nodes[at].state = State::Closed;
            return;
        }
        if meter.is_over() {
            return;
        }
        self.beam.turns(&position, plan.inner, weights, meter, &mut self.candidates);
        if meter.is_over() || self.candidates.is_empty() {
            self.nodes[at].state = State::Closed;
            return;
        }
        self.adopt(at);
    }

    /// Takes the values of the children over along the path.
    fn back_up(&mut self) {
        for at in self.path.iter().rev() {
            let node = self.nodes[*at];
            let best = node.children().map(|child| self.nodes[child].value).max();
            let node = &mut self.nodes[*at];
            node.visits += 1;
            if let Some(best) = best {
                // A win or loss is worth less the later it comes.
                node.value = -(best - best.signum() * i32::from(best.abs() > SURE));
                if best > SURE {
                    node.state = State::Closed;
                }
            }
        }
    }

    /// The turns of the root, the best one first. Turns that were looked at come before others.
    pub(super) fn root_turns(&self) -> Vec<RootTurn> {
        let mut turns: Vec<RootTurn> = self.nodes[0]
            .children()
            .map(|child| {
                let Node { turn, value, visits, .. } = self.nodes[child];
                RootTurn { turn, value, visits }
            })
            .collect();
        turns.sort_by_key(|turn| {
            let is_lost = turn.value < -SURE;
            (is_lost, turn.visits == 0, -turn.value)
        });
        turns
    }

    /// The expected turns from a child of the root on.
    pub(super) fn line(&self, index: usize) -> Vec<Turn> {
        let Some(mut at) = self.nodes[0].children().nth(index) else { return Vec::new() };
        let mut line = vec![self.nodes[at].turn];
        while let Some(next) = self.nodes[at].children().max_by_key(|child| self.nodes[*child].value) {
            line.push(self.nodes[next].turn);
            at = next;
        }
        line
    }
}
