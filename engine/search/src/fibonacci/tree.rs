use engine::{Card, Rules, fibonacci::Fibonacci};

use super::{
    beam::{Beam, Candidate, MAX_ACTIONS, Turn, Width},
    evaluation::{chance, value_of},
    solver::{Answer, Solver},
    weights::Weights,
};
use crate::limit::Meter;

/// The value of a win, in hundredths of a logit; less one for each turn before it.
pub(super) const WIN: i32 = 20_000;

/// Factor on the solver's limit for replies to root turns.
const ROOT_CARE: u64 = 8;

/// The least value that is a certain win.
pub(super) const SURE: i32 = WIN - 1000;

/// Maximum number of nodes of a tree.
const MAX_NODES: usize = 1 << 15;

/// Parameters of a search.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Widths at all nodes but the root.
    pub(super) inner: Width,
    /// Maximum number of boards that the solver visits at a node.
    pub(super) solver_nodes: u64,
    /// For each card that the other side may turn over next, from 1 to 6, how many of them there are.
    pub(super) cards: [u8; 6],
    /// Reduction of a node's value for each doubling of the visits below it, in hundredths of a logit.
    pub(super) exploration: i32,
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

/// The treatment of a turn of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Treatment {
    Searched,
    /// Its value is taken as it is.
    Settled,
    Dropped,
}

/// A turn of the root.
#[derive(Clone, Debug)]
pub(super) struct RootTurn {
    pub(super) turn: Turn,
    /// The turns expected after it.
    pub(super) replies: Vec<Turn>,
    pub(super) value: i32,
    pub(super) visits: u32,
}

impl RootTurn {
    /// A root turn whose replies were not searched.
    pub(super) fn unsearched(candidate: &Candidate) -> Self {
        let Candidate { turn, value, .. } = *candidate;
        Self { turn, replies: Vec::new(), value, visits: 0 }
    }

    /// The sort key by which the best turn comes first, and unsearched turns come after searched ones.
    pub(super) const fn order(&self) -> (bool, bool, i32) {
        (self.value < -SURE, self.visits == 0, -self.value)
    }
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

    /// Returns a win in the turn with at most `n_moves` moves, if the solver finds one within `max_nodes`.
    pub(super) fn win(
        &mut self,
        position: &Fibonacci,
        n_moves: u8,
        max_nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Option<RootTurn> {
        let n_moves = n_moves.min(position.actions_left());
        let answer = self.solver.solve(position, n_moves, max_nodes, meter);
        (answer == Answer::Win).then(|| {
            let mut turn = Turn::EMPTY;
            self.solver.line().for_each(|action| turn.push(action));
            RootTurn { turn, replies: Vec::new(), value: WIN, visits: 1 }
        })
    }

    /// Finds turns without searching the replies, the best one first. `error` is added to the value of the board with
    /// this hash.
    pub(super) fn glance(
        &mut self,
        position: &Fibonacci,
        width: Width,
        weights: &Weights,
        error: impl Fn(u64) -> i32,
        meter: &mut Meter<'_>,
    ) -> &[Candidate] {
        self.beam.turns(position, width, weights, error, meter, &mut self.candidates);
        &self.candidates
    }

    /// Begins a tree at a position without a win in the turn. `treat` decides which turns are considered, and may
    /// change their values; at least one is considered.
    pub(super) fn start(
        &mut self,
        position: &Fibonacci,
        width: Width,
        weights: &Weights,
        meter: &mut Meter<'_>,
        mut treat: impl FnMut(&mut Candidate) -> Treatment,
    ) {
        self.nodes.clear();
        self.nodes.push(Node::leaf(*position, Turn::EMPTY, 0));
        self.beam.turns(position, width, weights, |_| 0, meter, &mut self.candidates);
        let last = self.candidates.last().copied();
        let mut settled = Vec::new();
        self.candidates.retain_mut(|candidate| {
            let treatment = treat(candidate);
            if treatment != Treatment::Dropped {
                settled.push(treatment == Treatment::Settled);
            }
            treatment != Treatment::Dropped
        });
        if self.candidates.is_empty() {
            self.candidates.extend(last);
        }
        self.adopt(0);
        for (index, _) in settled.iter().enumerate().filter(|(_, is_settled)| **is_settled) {
            let child = &mut self.nodes[1 + index];
            (child.state, child.visits) = (State::Closed, 1);
        }
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
        // The value of the root is known, so its turns stay as they are.
        if self.nodes[0].state == State::Closed {
            return false;
        }
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.nodes[at].state == State::Expanded {
            let Some(child) = self.select(at, plan.exploration) else {
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
        if self.nodes[at].position.awaits_card() {
            self.expand_before_card(at, plan, weights, meter);
        } else {
            self.expand(at, plan, weights, meter);
        }
        self.back_up();
        true
    }

    fn select(&self, at: usize, exploration: i32) -> Option<usize> {
        let open = self.nodes[at].children().filter(|child| {
            let node = &self.nodes[*child];
            node.state != State::Closed
        });
        let urgency = |child: usize| {
            let node = &self.nodes[child];
            node.value - exploration * (32 - (node.visits + 1).leading_zeros()) as i32
        };
        open.max_by_key(|child| (urgency(*child), std::cmp::Reverse(*child)))
    }

    fn expand(&mut self, at: usize, plan: &Plan, weights: &Weights, meter: &mut Meter<'_>) {
        let position = self.nodes[at].position;
        let care = if self.path.len() == 2 { ROOT_CARE } else { 1 };
        let answer = self.solver.solve(&position, position.actions_left(), care * plan.solver_nodes, meter);
        if answer == Answer::Win {
            self.nodes[at].value = -WIN;
            self.nodes[at].state = State::Closed;
            return;
        }
        if meter.is_over() {
            return;
        }
        self.beam.turns(&position, plan.inner, weights, |_| 0, meter, &mut self.candidates);
        if meter.is_over() || self.candidates.is_empty() {
            self.nodes[at].state = State::Closed;
            return;
        }
        self.adopt(at);
    }

    /// Takes the mean of the best answers with each card as the value of a node.
    fn expand_before_card(&mut self, at: usize, plan: &Plan, weights: &Weights, meter: &mut Meter<'_>) {
        let mut position = self.nodes[at].position;
        position.deal(Card::ALL[MAX_ACTIONS - 1]);
        let answer = self.solver.solve(&position, position.actions_left(), plan.solver_nodes, meter);
        let win_moves = if answer == Answer::Win { self.solver.line().count() } else { MAX_ACTIONS + 1 };
        self.beam.turns(&position, plan.inner, weights, |_| 0, meter, &mut self.candidates);
        if meter.is_over() {
            return;
        }
        let (mut sum, mut n_cards) = (0.0, 0.0);
        for (n, n_moves) in plan.cards.into_iter().map(f32::from).zip(1..) {
            let best = self.beam.best_value(n_moves);
            sum += n * if n_moves >= win_moves { 1.0 } else { chance(best) };
            n_cards += n;
        }
        let node = &mut self.nodes[at];
        node.value = -value_of(sum / n_cards);
        node.state = State::Closed;
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

    /// The turns of the root, the best one first. Unsearched turns come after searched ones.
    pub(super) fn root_turns(&self) -> Vec<RootTurn> {
        let mut turns: Vec<RootTurn> = self.nodes[0]
            .children()
            .map(|child| {
                let Node { turn, value, visits, .. } = self.nodes[child];
                RootTurn { turn, replies: self.best_line(child), value, visits }
            })
            .collect();
        turns.sort_by_key(RootTurn::order);
        turns
    }

    /// The best turns of both sides after a node, as far as the tree goes.
    fn best_line(&self, mut at: usize) -> Vec<Turn> {
        let mut turns = Vec::new();
        let best = |at: usize| self.nodes[at].children().max_by_key(|child| self.nodes[*child].value);
        while let Some(child) = best(at) {
            turns.push(self.nodes[child].turn);
            at = child;
        }
        turns
    }
}
