//! Focus and Crossfire: win in two turns.

use engine::{
    Line, Rules, Side,
    stacks::{Action, Stacks},
};

use super::{Proof, Unfit};
use crate::report::texts;

/// Minimum number of stacks of the other side. One alone is hunted down without much thought.
const MIN_STACKS: usize = 2;

/// Maximum number of stacks of the other side. More cannot be covered in two turns.
const MAX_STACKS: usize = 3;

/// Minimum number of replies to the solution.
const MIN_REPLIES: usize = 4;

/// A search of all turns, replies and answers.
pub(super) struct Exhaustion<'l> {
    line: &'l mut Line<Stacks>,
    /// The side that is to win.
    side: Side,
    n_nodes: u64,
}

/// A reply to the first turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) action: Action,
    /// Number of answers that win.
    pub(super) n_answers: usize,
}

pub(super) fn prove(line: &mut Line<Stacks>, max_nodes: u64) -> Result<Proof, Unfit> {
    let position = *line.position();
    let side = position.to_move();
    match n_stacks(&position, side.other()) {
        0..MIN_STACKS => return Err(Unfit::TooSimple),
        MIN_STACKS..=MAX_STACKS if !position.is_switch_turn() => {}
        _ => return Err(Unfit::NoSolution),
    }
    let mut search = Exhaustion::new(line, side);
    if !search.winning_answers(1).is_empty() {
        return Err(Unfit::TooSimple);
    }
    let turns = search.actions();
    let mut solutions = Vec::new();
    for action in &turns {
        search.line.push(*action);
        if search.line.outcome().is_none() && search.is_refuted(max_nodes)? == Some(false) {
            solutions.push(*action);
        }
        search.line.pop();
    }
    solutions.sort_by_key(ToString::to_string);
    let first = *solutions.first().ok_or(Unfit::NoSolution)?;
    if search.n_replies(first) < MIN_REPLIES {
        return Err(Unfit::TooSimple);
    }
    let solution = search.solution(first).ok_or(Unfit::NoSolution)?;
    Ok(Proof {
        gain: None,
        nodes: search.n_nodes,
        n_solutions: solutions.len(),
        n_legal: turns.len(),
        solution: solution.map(|action| texts(&[action])).to_vec(),
        is_pull: false,
    })
}

/// Number of stacks that a side owns.
fn n_stacks(position: &Stacks, side: Side) -> usize {
    position.game().cells().filter(|cell| position.stack(*cell).is_own(side)).count()
}

impl<'l> Exhaustion<'l> {
    /// Creates a search for a win of a side.
    pub(super) const fn new(line: &'l mut Line<Stacks>, side: Side) -> Self {
        Self { line, side, n_nodes: 0 }
    }

    fn actions(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.line.actions_into(&mut actions);
        actions
    }

    /// Number of replies to a turn.
    fn n_replies(&mut self, first: Action) -> usize {
        self.line.push(first);
        let n_replies = self.actions().len();
        self.line.pop();
        n_replies
    }

    /// The actions that win at once, at most `limit` of them.
    fn winning_answers(&mut self, limit: usize) -> Vec<Action> {
        let position = *self.line.position();
        let other = self.side.other();
        // One turn covers at most one stack, and a man in reserve can always be dropped.
        if position.reserve(other) > 0 || n_stacks(&position, other) > 1 {
            return Vec::new();
        }
        let mut winning = Vec::new();
        for action in self.actions() {
            if winning.len() == limit {
                break;
            }
            self.n_nodes += 1;
            self.line.push(action);
            if self.line.outcome().is_some_and(|outcome| outcome.winner == Some(self.side)) {
                winning.push(action);
            }
            self.line.pop();
        }
        winning
    }

    /// Number of winning answers to a reply, at most `limit`.
    fn n_answers(&mut self, reply: Action, limit: usize) -> usize {
        self.n_nodes += 1;
        self.line.push(reply);
        let n_answers = if self.line.outcome().is_some() { 0 } else { self.winning_answers(limit).len() };
        self.line.pop();
        n_answers
    }

    /// Whether a reply has no answer that wins; `None` if there is no reply.
    fn is_refuted(&mut self, max_nodes: u64) -> Result<Option<bool>, Unfit> {
        let replies = self.actions();
        for reply in &replies {
            if self.n_nodes > max_nodes {
                self.line.pop();
                return Err(Unfit::TooLong);
            }
            if self.n_answers(*reply, 1) == 0 {
                return Ok(Some(true));
            }
        }
        Ok((!replies.is_empty()).then_some(false))
    }

    /// The reply with the fewest winning answers, the first one by its text among equals; `None` if the game is over.
    pub(super) fn best_reply(&mut self) -> Option<Reply> {
        let mut replies = self.actions();
        replies.sort_by_cached_key(ToString::to_string);
        let mut best: Option<Reply> = None;
        for action in replies {
            let fewest = best.map_or(usize::MAX, |best| best.n_answers);
            let n_answers = self.n_answers(action, fewest);
            if n_answers < fewest {
                best = Some(Reply { action, n_answers });
            }
            if n_answers == 0 {
                break;
            }
        }
        best
    }

    /// A first turn with the best reply and an answer that wins.
    fn solution(&mut self, first: Action) -> Option<[Action; 3]> {
        self.line.push(first);
        let reply = self.best_reply().map(|reply| reply.action);
        let answer = reply.and_then(|reply| {
            self.line.push(reply);
            let mut answers = self.winning_answers(usize::MAX);
            answers.sort_by_cached_key(ToString::to_string);
            self.line.pop();
            answers.first().copied()
        });
        self.line.pop();
        Some([first, reply?, answer?])
    }
}
