use engine::{
    Progress, Rules, Side,
    fibonacci::{Action, Fibonacci, Variant},
};

use super::{
    evaluation::{Situation, turn_of},
    features::Role,
    network::Network,
    summaries::{Summaries, Summary},
};
use crate::{limit::Meter, table::TranspositionTable};

/// Memory of the table of boards in bytes.
const TABLE_BYTES: usize = 1 << 21;

/// Maximum number of actions in a turn.
pub(super) const MAX_ACTIONS: usize = 6;

/// The actions of a turn, at most six.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    actions: [Action; MAX_ACTIONS],
    n_actions: u8,
}

impl Turn {
    pub(super) const EMPTY: Self = Self { actions: [Action::End; MAX_ACTIONS], n_actions: 0 };

    pub(super) fn push(&mut self, action: Action) {
        self.actions[usize::from(self.n_actions)] = action;
        self.n_actions += 1;
    }

    pub(super) fn actions(&self) -> &[Action] {
        &self.actions[..usize::from(self.n_actions)]
    }
}

/// A complete turn that a beam found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) turn: Turn,
    /// The position in which the next turn begins.
    pub(super) after: Fibonacci,
    /// The value for the side whose turn it was, in hundredths of a logit.
    pub(super) value: i32,
}

/// Widths of a beam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width {
    /// Number of boards that are kept after each move.
    pub(super) boards: usize,
    /// Number of turns that are returned.
    pub(super) turns: usize,
}

/// The search for good turns, one move after the other.
///
/// After each move, the boards with the best values are kept. Boards that several orders of moves lead to are kept
/// once.
#[derive(Debug)]
pub(super) struct Beam {
    nodes: Vec<Node>,
    children: Vec<Child>,
    ends: Vec<Child>,
    fresh: Vec<Fresh>,
    seen: TranspositionTable<()>,
    summaries: Summaries,
    /// The last move of the shortest win that was seen, and the board before it.
    win: Option<(usize, Action)>,
    /// The best value after each number of moves, from 1, or fewer.
    best_values: [i32; MAX_ACTIONS],
}

/// A board that was kept.
#[derive(Clone, Copy, Debug)]
struct Node {
    position: Fibonacci,
    parent: usize,
    action: Action,
    /// The summary of the other side.
    other: Summary,
}

/// A board after a move, not valued yet.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    after: Fibonacci,
    hash: u64,
    action: Action,
    is_swap: bool,
}

/// A board that may be kept.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// The value that the side can still reach with the moves left, in hundredths of a logit. The boards with the most are kept.
    promise: i32,
    /// The value if the turn ends with this board.
    value: i32,
    hash: u64,
    parent: usize,
    action: Action,
    /// The summary of the other side.
    other: Summary,
}

/// The index of the board before the first move, which is its own parent.
const ROOT: usize = 0;

impl Beam {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            children: Vec::new(),
            ends: Vec::new(),
            fresh: Vec::new(),
            seen: TranspositionTable::new(TABLE_BYTES),
            summaries: Summaries::new(),
            win: None,
            best_values: [0; MAX_ACTIONS],
        }
    }

    /// The best value of a turn of the last position with at most `n_moves` moves, at least one.
    pub(super) const fn best_value(&self, n_moves: usize) -> i32 {
        self.best_values[n_moves - 1]
    }

    /// The shortest win in the turn of the last position that was seen. A beam does not look for wins, but may come upon one
    /// that a solver gave up to find.
    pub(super) fn win(&self) -> Option<Turn> {
        self.win.map(|(parent, action)| self.turn(parent, action))
    }

    /// Finds good turns of a position, the best one first. Turns that win or lose at once are left out. Counts each
    /// board, and ends early when a limit is reached. `error` is added to the value of the board with this hash.
    pub(super) fn turns(
        &mut self,
        position: &Fibonacci,
        width: Width,
        network: &Network,
        error: impl Fn(u64) -> i32,
        meter: &mut Meter<'_>,
        found: &mut Vec<Candidate>,
    ) {
        let side = position.to_move();
        self.seen.clear();
        self.nodes.clear();
        self.ends.clear();
        self.win = None;
        found.clear();
        let root = Node {
            position: *position,
            parent: ROOT,
            action: Action::End,
            other: self.summaries.of(position, side.other(), Role::Ready, network),
        };
        self.nodes.push(root);
        let (mut first, turn) = (0, turn_of(position));
        let (mut best, mut n_moves) = (i32::MIN, 0);
        for left in (1..=position.actions_left()).rev() {
            self.children.clear();
            let level = first..self.nodes.len();
            first = level.end;
            for parent in level {
                self.expand(parent, (side, turn), network, &error, meter);
                if meter.is_over() {
                    break;
                }
            }
            let n_kept = width.boards.max(if left == 1 { width.turns } else { 0 });
            keep_best(&mut self.children, n_kept, |child| child.promise);
            best = self.children.iter().map(|child| child.value).fold(best, i32::max);
            self.best_values[n_moves] = best;
            n_moves += 1;
            let may_end = position.variant() != Variant::Mixed;
            if left == 1 || may_end {
                self.ends.extend_from_slice(&self.children);
            }
            if left > 1 {
                self.keep_nodes();
            }
            if meter.is_over() {
                break;
            }
        }
        keep_best(&mut self.ends, width.turns, |end| end.value);
        found.extend(self.ends.iter().map(|end| self.candidate(end)));
    }

    /// The boards within a turn that a wide beam kept, each with the best value of the turns that it led to.
    #[cfg(feature = "cli")]
    pub(super) fn promises(
        &mut self,
        position: &Fibonacci,
        boards: usize,
        network: &Network,
    ) -> Vec<(Fibonacci, i32)> {
        let limit = crate::Limit::default();
        let width = Width { boards, turns: boards };
        self.turns(position, width, network, |_| 0, &mut Meter::new(&limit), &mut Vec::new());
        let mut best = vec![None; self.nodes.len()];
        for end in &self.ends {
            let mut at = end.parent;
            while at != ROOT {
                best[at] = best[at].max(Some(end.value));
                at = self.nodes[at].parent;
            }
        }
        // Boards that led to none of the best turns are worth less than the last of these.
        let least = self.ends.last().map_or(0, |end| end.value);
        let nodes = self.nodes.iter().zip(best).skip(1);
        nodes.map(|(node, best)| (node.position, best.unwrap_or(least))).collect()
    }

    fn keep_nodes(&mut self) {
        for child in &self.children {
            let mut position = self.nodes[child.parent].position;
            position.play(child.action);
            let Child { parent, action, other, .. } = *child;
            self.nodes.push(Node { position, parent, action, other });
        }
    }

    /// Adds the boards after each move.
    fn expand(
        &mut self,
        parent: usize,
        (side, turn): (Side, u16),
        network: &Network,
        error: impl Fn(u64) -> i32,
        meter: &mut Meter<'_>,
    ) {
        let Node { position, other, .. } = self.nodes[parent];
        let left = position.actions_left() - 1;
        self.list_fresh(&position, parent);
        for index in 0..self.fresh.len() {
            if meter.count() {
                return;
            }
            let Fresh { after, hash, action, is_swap } = self.fresh[index];
            // A move onto an empty cell changes nothing for the other side.
            let other =
                if is_swap { self.summaries.of(&after, side.other(), Role::Ready, network) } else { other };
            let own = self.summaries.of(&after, side, Role::Waiting, network);
            let situation = Situation { position: &after, mover: side, turn, own: &own, other: &other };
            let [value, promise] = situation.values(left, network).map(|value| value + error(hash));
            self.children.push(Child { promise, value, hash, parent, action, other });
        }
    }

    /// Lists the boards after each move that were not listed before, without those that end the game. All are looked up in
    /// one go, so that the processor need not wait for one of them before the next.
    fn list_fresh(&mut self, position: &Fibonacci, parent: usize) {
        self.fresh.clear();
        let occupied = position.occupied();
        position.for_each_action(|action| {
            let Action::Move { to, .. } = action else { return };
            let mut after = *position;
            match after.play(action) {
                Progress::Over(outcome) if outcome.winner == Some(position.to_move()) => {
                    self.win.get_or_insert((parent, action));
                }
                Progress::Over(_) => {}
                Progress::SameTurn | Progress::NewTurn => {
                    let hash = after.hash();
                    self.fresh.push(Fresh { after, hash, action, is_swap: occupied.contains(to) });
                }
            }
        });
        self.fresh.retain(|fresh| {
            let is_new = self.seen.get(fresh.hash).is_none();
            self.seen.put(fresh.hash, (), |()| false);
            is_new
        });
    }

    fn candidate(&self, end: &Child) -> Candidate {
        let mut after = self.nodes[end.parent].position;
        let mut turn = self.turn(end.parent, end.action);
        if after.play(end.action) != Progress::NewTurn {
            after.play(Action::End);
            turn.push(Action::End);
        }
        Candidate { turn, after, value: end.value }
    }

    /// The moves to a board that was kept, and one more.
    fn turn(&self, parent: usize, last: Action) -> Turn {
        let mut moves = [last; MAX_ACTIONS];
        let (mut n_moves, mut at) = (1, parent);
        while at != ROOT {
            moves[n_moves] = self.nodes[at].action;
            n_moves += 1;
            at = self.nodes[at].parent;
        }
        let mut turn = Turn::EMPTY;
        moves[..n_moves].iter().rev().for_each(|action| turn.push(*action));
        turn
    }
}

/// Keeps the `n` children that are worth most, in order.
fn keep_best(children: &mut Vec<Child>, n: usize, worth: impl Fn(&Child) -> i32) {
    let order = |a: &Child, b: &Child| worth(b).cmp(&worth(a)).then(a.hash.cmp(&b.hash));
    if children.len() > n && n > 0 {
        children.select_nth_unstable_by(n - 1, order);
        children.truncate(n);
    }
    children.sort_unstable_by(order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Limit,
        fibonacci::{NETWORKS, evaluation::features},
    };

    /// The beam carries over the part of a value that a move does not change, and keeps sums of rows. The result must be that
    /// of the features to which the networks are fitted.
    #[test]
    fn the_value_of_a_turn_is_that_of_the_position_after_it() {
        let mut beam = Beam::new();
        for (variant, file) in [Variant::Original, Variant::Mixed, Variant::Cards].into_iter().zip(NETWORKS) {
            let network = Network::read(file);
            let mut position = Fibonacci::start(variant);
            for _ in 0..8 {
                if position.awaits_card() {
                    position.deal(engine::Card::ALL[4]);
                }
                let (side, turn) = (position.to_move(), turn_of(&position));
                let (limit, width) = (Limit::default(), Width { boards: 6, turns: 20 });
                let mut found = Vec::new();
                beam.turns(&position, width, &network, |_| 0, &mut Meter::new(&limit), &mut found);
                for Candidate { after, value, .. } in &found {
                    let mut sum = network.start();
                    features(after, side, turn).iter().for_each(|feature| sum.add(network.row(*feature)));
                    assert_eq!(network.value(&sum), *value, "{after}");
                }
                position = found[0].after;
            }
        }
    }
}
