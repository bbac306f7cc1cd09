use engine::{Card, Line, Progress, Side};

use super::material::{Material, choices_into};
use crate::{
    player::{Player, Task},
    random::Random,
    report::Report,
};

/// Weight of the exploration of rarely visited nodes.
const EXPLORATION: f32 = 0.7;
/// Maximum number of random actions after the tree.
const MAX_ROLLOUT: usize = 40;

/// Monte Carlo tree search over single actions, with random actions after the tree.
///
/// The time of a turn is divided among its actions; the tree of an action is kept for the next one.
#[derive(Debug)]
pub(crate) struct UctPlayer<R: Material> {
    nodes: Vec<Node<R::Action>>,
    max_nodes: usize,
    actions: Vec<R::Action>,
    scratch: R::Scratch,
    path: Vec<(usize, Side)>,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
struct Node<A> {
    /// The action or card that leads to it.
    step: Step<A>,
    visits: u32,
    /// Sum of the results for the side whose action leads to it.
    total: f32,
    /// The index of the first child, and the number of children; 0 as long as there are none.
    first: u32,
    n_children: u32,
}

#[derive(Clone, Copy, Debug)]
enum Step<A> {
    Root,
    Action(A),
    Card(Card),
}

impl<A> Node<A> {
    const fn new(step: Step<A>) -> Self {
        Self { step, visits: 0, total: 0.0, first: 0, n_children: 0 }
    }
}

impl<R: Material> UctPlayer<R> {
    /// Creates a player whose tree takes at most `n_bytes` bytes.
    pub(crate) fn new(n_bytes: usize) -> Self {
        Self {
            nodes: Vec::new(),
            max_nodes: (n_bytes / size_of::<Node<R::Action>>()).max(1),
            actions: Vec::new(),
            scratch: R::Scratch::default(),
            path: Vec::new(),
        }
    }

    /// Adds the children of a node, if there is room.
    fn expand(&mut self, node: usize, line: &Line<R>) {
        let first = self.nodes.len();
        if line.position().awaits_card() {
            self.nodes.extend(Card::ALL.map(|card| Node::new(Step::Card(card))));
        } else {
            choices_into(line, &mut self.scratch, &mut self.actions);
            if first + self.actions.len() > self.max_nodes {
                return;
            }
            self.nodes.extend(self.actions.iter().map(|action| Node::new(Step::Action(*action))));
        }
        self.nodes[node].first = first as u32;
        self.nodes[node].n_children = (self.nodes.len() - first) as u32;
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first, n_children, .. } = self.nodes[node];
        first as usize..(first + n_children) as usize
    }

    /// The child with the best bound.
    fn select(&self, node: usize) -> usize {
        let log = (self.nodes[node].visits.max(1) as f32).ln();
        let bound = |child: usize| {
            let Node { visits, total, .. } = self.nodes[child];
            if visits == 0 {
                return f32::INFINITY;
            }
            let visits = visits as f32;
            total / visits + EXPLORATION * (log / visits).sqrt()
        };
        let children = self.children(node);
        let mut best = (children.start, bound(children.start));
        for child in children.skip(1) {
            let bound = bound(child);
            if bound > best.1 {
                best = (child, bound);
            }
        }
        best.0
    }

    /// Descends from a node, adds to the tree, plays on at random and counts the result.
    fn sample(&mut self, root: usize, line: &mut Line<R>, random: &mut Random, task: &mut Task<'_, R>) {
        let base = line.ply();
        self.path.clear();
        let mut node = root;
        while line.outcome().is_none() {
            if self.nodes[node].n_children == 0 {
                if self.nodes[node].visits == 0 && node != root {
                    break;
                }
                self.expand(node, line);
                if self.nodes[node].n_children == 0 {
                    break;
                }
            }
            let side = line.position().to_move();
            if line.position().awaits_card() {
                node = self.children(node).start + random.below(Card::ALL.len());
            } else {
                node = self.select(node);
            }
            self.path.push((node, side));
            match self.nodes[node].step {
                Step::Action(action) => {
                    line.push(action);
                }
                Step::Card(card) => line.push_card(card),
                Step::Root => {}
            }
            task.meter.count();
        }
        let of_first = self.roll_out(line, random, task);
        while line.ply() > base {
            line.pop();
        }
        self.nodes[root].visits += 1;
        for &(node, side) in &self.path {
            self.nodes[node].visits += 1;
            self.nodes[node].total += match side {
                Side::First => of_first,
                Side::Second => 1.0 - of_first,
            };
        }
    }

    /// Plays random actions up to a bound, and returns the result for First.
    fn roll_out(&mut self, line: &mut Line<R>, random: &mut Random, task: &mut Task<'_, R>) -> f32 {
        for _ in 0..MAX_ROLLOUT {
            if line.outcome().is_some() {
                break;
            }
            if line.position().awaits_card() {
                line.push_card(Card::ALL[random.below(Card::ALL.len())]);
                continue;
            }
            choices_into(line, &mut self.scratch, &mut self.actions);
            line.push(self.actions[random.below(self.actions.len())]);
            task.meter.count();
        }
        match line.outcome() {
            Some(outcome) => match outcome.winner {
                Some(Side::First) => 1.0,
                Some(Side::Second) => 0.0,
                None => 0.5,
            },
            None => {
                let position = line.position();
                let difference = position.material(Side::First) - position.material(Side::Second);
                1.0 / (1.0 + (-difference as f32 / R::ODDS).exp())
            }
        }
    }

    /// The most visited child of a node, expanded if need be.
    fn most_visited(&mut self, node: usize, line: &Line<R>) -> usize {
        if self.nodes[node].n_children == 0 {
            self.max_nodes = usize::MAX;
            self.expand(node, line);
        }
        let children = self.children(node);
        let mut best = children.start;
        for child in children.skip(1) {
            if self.nodes[child].visits > self.nodes[best].visits {
                best = child;
            }
        }
        best
    }
}

impl<R: Material> Player<R> for UctPlayer<R> {
    fn search(&mut self, task: &mut Task<'_, R>) -> Report {
        let max_nodes = self.max_nodes;
        self.nodes.clear();
        self.nodes.push(Node::new(Step::Root));
        let mut random = Random::new(task.settings.seed);
        let mut line = task.game.line();
        let (mut node, mut turn, mut score) = (0, Vec::new(), 0.5);
        loop {
            let n_left = f32::from(line.position().actions_left().max(1));
            let used = task.meter.used();
            let until = used + (1.0 - used) / n_left;
            while !task.meter.is_over() && task.meter.used() < until {
                self.sample(node, &mut line, &mut random, task);
            }
            node = self.most_visited(node, &line);
            self.max_nodes = max_nodes;
            let Node { step, visits, total, .. } = self.nodes[node];
            let Step::Action(action) = step else { break };
            if turn.is_empty() && visits > 0 {
                score = total / visits as f32;
            }
            turn.push(action);
            if line.push(action) != Progress::SameTurn {
                break;
            }
        }
        let depth = turn.len() as u32;
        Report::of_turn(&turn, score, task.meter.nodes(), depth)
    }
}
