use std::{cmp::Reverse, ops::Range};

use engine::{Side, fibonacci::Fibonacci};

use super::beam::{Candidate, Turn};

/// The value of a win, in hundredths of a logit; less one for each turn before it.
const WIN: i32 = 20_000;

/// Minimum value of a win that no answer escapes of those that were looked for with [`Breadth::Most`].
pub(super) const SURE: i32 = WIN - 1000;

/// The value of a turn to which all answers that were looked for are lost, while there may be others.
const ALMOST_SURE: i32 = 1000;

/// Maximum number of nodes of a tree.
const MAX_NODES: usize = 1 << 15;

/// A tree of turns, grown at the leaf that the best line leads to.
///
/// A value is that of the side whose turn led to the node. Several threads may grow a tree: each claims a leaf, expands
/// it without the tree, and settles the claim.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The breadth at a new leaf.
    first_breadth: Breadth,
    /// Number of turns of the root that are read alike, so that their values can be compared.
    n_lines: usize,
    n_expansions: u32,
}

/// The answer to a request for a leaf.
#[derive(Debug)]
pub(super) enum Claim {
    Leaf(ClaimedLeaf),
    /// All leaves that may be expanded next are claimed.
    Wait,
    /// There is nothing more to be expanded.
    Done,
}

/// A leaf that one thread expands.
#[derive(Debug)]
pub(super) struct ClaimedLeaf {
    /// The nodes from the root to the leaf.
    path: Vec<usize>,
    pub(super) position: Fibonacci,
    pub(super) breadth: Breadth,
    /// Whether its answers were never looked for.
    pub(super) is_new: bool,
}

/// The number of answers to a turn that a search of them keeps.
///
/// A turn that few of them refute is not worth more time. Those that the best line leads to once more get many. If these are all
/// lost, they get most, since a turn wins only if no answer escapes; if there is but one move, these are all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breadth {
    Few,
    Many,
    Most,
}

impl ClaimedLeaf {
    /// Whether the leaf is a turn of the root.
    pub(super) const fn is_root_turn(&self) -> bool {
        self.path.len() == 2
    }

    /// The side whose answers the tree expects at the leaf, if `root` is to move at the root.
    pub(super) const fn side(&self, root: Side) -> Side {
        if self.path.len().is_multiple_of(2) { root.other() } else { root }
    }
}

/// The result of the expansion of a leaf.
#[derive(Debug)]
pub(super) enum Expansion<'a> {
    /// The side to move wins in the turn.
    Lost,
    /// Answers, with their values for the side to move.
    Answers(&'a [Candidate]),
    /// The exact value.
    Value(i32),
    /// Nothing was found, so the value stays as it is.
    Nothing,
    /// A limit was reached.
    CutShort,
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
    /// The breadth of the next search for answers.
    breadth: Breadth,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Answers are to be looked for, for the first time or again.
    Leaf,
    Claimed,
    Expanded,
    /// Solved, or the tree is full below it.
    Closed,
}

impl Node {
    const fn leaf(position: Fibonacci, turn: Turn, value: i32, breadth: Breadth) -> Self {
        Self { position, turn, value, visits: 0, first: 0, n_children: 0, breadth, state: State::Leaf }
    }

    const fn is_open(&self) -> bool {
        matches!(self.state, State::Leaf | State::Expanded)
    }

    fn children(&self) -> Range<usize> {
        self.first as usize..(self.first + self.n_children) as usize
    }
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
    /// A turn that wins the game.
    pub(super) const fn win(turn: Turn) -> Self {
        Self { turn, replies: Vec::new(), value: WIN, visits: 1 }
    }

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
    pub(super) const fn new() -> Self {
        Self { nodes: Vec::new(), first_breadth: Breadth::Few, n_lines: 1, n_expansions: 0 }
    }

    /// Begins a tree with the turns of a position, at least one. Those for which `is_settled` have their value for good.
    /// The best `n_lines` of them are read alike.
    pub(super) fn start(
        &mut self,
        position: &Fibonacci,
        turns: &[Candidate],
        (first_breadth, n_lines): (Breadth, usize),
        is_settled: impl Fn(&Candidate) -> bool,
    ) {
        (self.first_breadth, self.n_lines) = (first_breadth, n_lines);
        self.n_expansions = 0;
        self.nodes.clear();
        let root = Node::leaf(*position, Turn::EMPTY, 0, Breadth::Most);
        self.nodes.push(Node { state: State::Expanded, ..root });
        self.adopt(0, turns);
        for (turn, at) in turns.iter().zip(self.nodes[0].children()) {
            if is_settled(turn) {
                let child = &mut self.nodes[at];
                (child.state, child.visits) = (State::Closed, 1);
            }
        }
    }

    /// Makes turns the children of a node.
    fn adopt(&mut self, at: usize, turns: &[Candidate]) {
        let first = self.nodes.len();
        let leaf = |turn: &Candidate| Node::leaf(turn.after, turn.turn, turn.value, self.first_breadth);
        self.nodes.extend(turns.iter().map(leaf));
        let node = &mut self.nodes[at];
        node.first = first as u32;
        node.n_children = turns.len() as u32;
        if let Some(best) = turns.iter().map(|turn| turn.value).max() {
            node.value = -best;
        }
    }

    /// Claims the leaf that the best line leads to. `exploration` reduces the value of a node for each doubling of the
    /// visits below it, in hundredths of a logit. There are at most `max_expansions`.
    pub(super) fn claim(&mut self, exploration: i32, max_expansions: u32) -> Claim {
        let mut path = vec![0];
        let mut at = 0;
        while self.nodes[at].state == State::Expanded {
            if let Some(child) = self.select(at, exploration) {
                at = child;
                path.push(at);
            } else if self.nodes[at].children().any(|child| self.nodes[child].state == State::Claimed) {
                return Claim::Wait;
            } else {
                // Everything below is solved.
                self.nodes[at].state = if self.may_have_other_answers(at) {
                    self.nodes[at].breadth = Breadth::Most;
                    State::Leaf
                } else {
                    State::Closed
                };
                self.back_up(&path);
                (at, path) = (0, vec![0]);
            }
        }
        // The value of a closed root is known, so its turns stay as they are.
        let is_full = self.nodes.len() >= MAX_NODES || self.n_expansions >= max_expansions;
        if self.nodes[at].state == State::Closed || is_full {
            return Claim::Done;
        }
        self.n_expansions += 1;
        for at in &path {
            self.nodes[*at].visits += 1;
        }
        let Node { position, breadth, .. } = self.nodes[at];
        self.nodes[at].state = State::Claimed;
        let is_new = breadth == self.first_breadth;
        Claim::Leaf(ClaimedLeaf { path, position, breadth, is_new })
    }

    /// Whether all answers to a turn are lost, but others were not looked for.
    fn may_have_other_answers(&self, at: usize) -> bool {
        let is_lost = |child: usize| self.nodes[child].value < -SURE;
        self.nodes[at].breadth != Breadth::Most && self.nodes[at].children().all(is_lost)
    }

    /// The child of a node to visit next; none if all are closed or claimed.
    ///
    /// No turn of the root is looked at more deeply before the answers to all of them are known.
    fn select(&self, at: usize, exploration: i32) -> Option<usize> {
        let open = || self.nodes[at].children().filter(|child| self.nodes[*child].is_open());
        let is_unknown = |child: usize| at == 0 && self.nodes[child].n_children == 0;
        if at == 0
            && self.n_lines > 1
            && !open().any(is_unknown)
            && let Some(line) = self.select_line()
        {
            return Some(line);
        }
        let urgency = |child: usize| {
            let node = &self.nodes[child];
            node.value - exploration * (32 - (node.visits + 1).leading_zeros()) as i32
        };
        open().max_by_key(|child| (is_unknown(*child), urgency(*child), Reverse(*child)))
    }

    /// The least visited of the root's best turns.
    fn select_line(&self) -> Option<usize> {
        let mut lines: Vec<usize> = self.nodes[0].children().collect();
        lines.sort_by_key(|child| (-self.nodes[*child].value, *child));
        lines.truncate(self.n_lines);
        lines.retain(|child| self.nodes[*child].is_open());
        lines.into_iter().min_by_key(|child| self.nodes[*child].visits)
    }

    /// Settles a claim with the result of the expansion. Returns the number of expansions so far.
    pub(super) fn settle(&mut self, leaf: &ClaimedLeaf, expansion: &Expansion<'_>) -> u32 {
        let at = leaf.path[leaf.path.len() - 1];
        let (state, value) = match *expansion {
            Expansion::Lost => {
                // An earlier, narrower search has missed the win, so its answers count no more.
                self.nodes[at].n_children = 0;
                (State::Closed, -WIN)
            }
            Expansion::Value(value) => (State::Closed, value),
            Expansion::Nothing => (State::Closed, self.nodes[at].value),
            Expansion::Answers(turns) => {
                self.adopt(at, turns);
                let node = &mut self.nodes[at];
                match leaf.breadth {
                    Breadth::Few => {
                        node.breadth = Breadth::Many;
                        (State::Leaf, node.value)
                    }
                    Breadth::Many | Breadth::Most => (State::Expanded, node.value),
                }
            }
            Expansion::CutShort => {
                // A turn of the root counts as searched only after its answers were looked at.
                for at in &leaf.path {
                    self.nodes[*at].visits -= 1;
                }
                self.n_expansions -= 1;
                (State::Leaf, self.nodes[at].value)
            }
        };
        (self.nodes[at].state, self.nodes[at].value) = (state, value);
        self.back_up(&leaf.path);
        self.n_expansions
    }

    /// Number of expansions since the start.
    pub(super) const fn n_expansions(&self) -> u32 {
        self.n_expansions
    }

    /// Backs the children's values up along a path.
    fn back_up(&mut self, path: &[usize]) {
        for at in path.iter().rev() {
            let node = self.nodes[*at];
            let best = node.children().map(|child| self.nodes[child].value).max();
            let node = &mut self.nodes[*at];
            if let Some(best) = best {
                // A win or loss is worth less the later it comes.
                node.value = -(best - best.signum() * i32::from(best.abs() > SURE));
                if best > SURE {
                    node.state = State::Closed;
                } else if node.value > SURE && node.state != State::Closed {
                    node.value = ALMOST_SURE;
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

#[cfg(test)]
mod tests {
    use engine::{Rules, fibonacci::Variant};

    use super::*;

    fn candidate(value: i32) -> Candidate {
        Candidate { turn: Turn::EMPTY, after: Fibonacci::start(Variant::Original), value }
    }

    /// A tree with turns of these values, the best of which are read alike.
    fn tree_of(values: &[i32], n_lines: usize) -> Tree {
        let mut tree = Tree::new();
        let turns: Vec<Candidate> = values.iter().copied().map(candidate).collect();
        let position = Fibonacci::start(Variant::Original);
        tree.start(&position, &turns, (Breadth::Few, n_lines), |_| false);
        tree
    }

    /// Claims a leaf, and settles it with the value of an answer. Returns its path and breadth.
    fn answer(tree: &mut Tree, value: impl Fn(&[usize]) -> i32) -> (Vec<usize>, Breadth) {
        let Claim::Leaf(leaf) = tree.claim(0, u32::MAX) else { panic!("there are leaves") };
        tree.settle(&leaf, &Expansion::Answers(&[candidate(value(&leaf.path))]));
        (leaf.path, leaf.breadth)
    }

    /// Its answers, all of them lost, would make it a win.
    #[test]
    fn a_turn_is_lost_if_a_wider_search_of_the_answers_comes_upon_a_win() {
        let mut tree = tree_of(&[10], 1);
        for breadth in [Breadth::Few, Breadth::Many] {
            assert_eq!(answer(&mut tree, |_| 0), (vec![0, 1], breadth));
        }
        let settle = |tree: &mut Tree| {
            let Claim::Leaf(leaf) = tree.claim(0, u32::MAX) else { panic!("there are leaves") };
            tree.settle(&leaf, &Expansion::Lost);
            (leaf.path.len(), leaf.breadth)
        };
        assert_eq!(settle(&mut tree), (3, Breadth::Few), "the answer loses");
        assert_eq!(settle(&mut tree), (2, Breadth::Most), "another one wins");
        let [turn] = &tree.root_turns()[..] else { panic!("there is one turn") };
        assert_eq!((turn.value, turn.replies.len()), (-WIN, 0));
        assert!(matches!(tree.claim(0, u32::MAX), Claim::Done));
    }

    /// A turn would seem best only because its answer was not looked for.
    #[test]
    fn the_answers_to_all_turns_come_before_any_goes_deeper() {
        let mut tree = tree_of(&[30, 20, 10], 1);
        // The first turn stays by far the best.
        let value = |path: &[usize]| if path == [0, 1] { -900 } else { 900 };
        let claimed: Vec<_> = (0..5).map(|_| answer(&mut tree, value)).collect();
        let few = [vec![0, 1], vec![0, 2], vec![0, 3]].map(|path| (path, Breadth::Few));
        assert_eq!(claimed[..3], few);
        assert_eq!(claimed[3], (vec![0, 1], Breadth::Many), "then the best turn gets more answers");
        assert_eq!(claimed[4].0.len(), 3, "then it is looked at more deeply");
    }

    #[test]
    fn the_answers_to_all_turns_come_before_several_lines_are_read() {
        let mut tree = tree_of(&[30, 20, 10], 2);
        let claimed: Vec<_> = (0..3).map(|_| answer(&mut tree, |_| -900).0).collect();
        assert_eq!(claimed, [[0, 1], [0, 2], [0, 3]]);
    }

    /// The defence may be among the answers that were not looked at.
    #[test]
    fn a_turn_wins_only_if_most_answers_to_it_are_lost() {
        let mut tree = tree_of(&[10], 1);
        let mut breadths = Vec::new();
        while let Claim::Leaf(leaf) = tree.claim(0, u32::MAX) {
            if leaf.path == [0, 1] {
                breadths.push(leaf.breadth);
                tree.settle(&leaf, &Expansion::Answers(&[candidate(0)]));
            } else {
                tree.settle(&leaf, &Expansion::Lost);
            }
        }
        assert_eq!(breadths, [Breadth::Few, Breadth::Many, Breadth::Most]);
        assert!(tree.root_turns()[0].value > SURE);
    }
}
