//! The player of games with one action a turn and an evaluation: alpha-beta with iterative deepening.
//!
//! The search is a principal variation search with aspiration windows, a table of scores, killers, a history of
//! successes, late move reductions and quiescence. There is no null move: the games have no pass, and being forced to
//! move is what often loses.
//!
//! A score that depends on the path, because a draw by repetition or an action forbidden by ko is part of it, is kept
//! out of the table for all positions after the one that is repeated.

mod errors;
mod evaluate;
mod fenix;
mod fenix_weights;
mod fit;
mod moves;
mod root;
mod stacks;
mod stacks_weights;
#[cfg(test)]
mod tests;

use engine::{GameHistory, Line, Outcome, Progress, Reason, Rules, Side};

pub(crate) use self::evaluate::{Evaluate, chance};
pub use self::fit::Features;
use self::{
    errors::Errors,
    evaluate::{Calm, PROVEN, WON},
    moves::{Scored, Successes, select},
};
use crate::{limit::Meter, table::Table};

/// Maximum number of plies of a line.
const MAX_PLIES: usize = 128;
/// Maximum depth of an iteration.
const MAX_DEPTH: u32 = 64;
/// Minimum depth that is reduced where no best action is known.
const MIN_UNKNOWN_DEPTH: i32 = 4;
/// Default of `max_free_captures`.
const MAX_FREE_CAPTURES: i32 = 6;

/// The player of one game, with its memory: the table, [`Successes`] and a few hundred kilobytes of buffers.
#[derive(Debug)]
pub(crate) struct AlphaBeta<R: Evaluate> {
    table: Table<Entry>,
    successes: Successes,
    plies: Vec<Ply<R>>,
    scratch: R::Scratch,
    /// Whether the search leaves out and reduces what is unlikely to matter.
    is_selective: bool,
    /// Maximum number of plies of quiescence where captures are free.
    max_free_captures: i32,
}

impl<R: Evaluate> AlphaBeta<R> {
    /// Creates a player whose tables take at most so many bytes, but not less than [`Successes`].
    pub(crate) fn new(n_bytes: usize) -> Self {
        Self {
            table: Table::new(n_bytes.saturating_sub(Successes::N_BYTES)),
            successes: Successes::new(),
            plies: (0..=MAX_PLIES).map(|_| Ply::new()).collect(),
            scratch: R::Scratch::default(),
            is_selective: true,
            max_free_captures: MAX_FREE_CAPTURES,
        }
    }
}

/// Memory of one ply.
#[derive(Debug)]
struct Ply<R: Rules> {
    listed: Vec<R::Action>,
    actions: Vec<Scored<R::Action>>,
    /// Signatures of the quiet actions that were searched.
    quiet: Vec<u16>,
    /// The best line from here.
    best_line: Vec<R::Action>,
    /// Signatures of quiet actions that refuted the last positions of this ply.
    killers: [u16; 2],
}

impl<R: Rules> Ply<R> {
    const fn new() -> Self {
        Self {
            listed: Vec::new(),
            actions: Vec::new(),
            quiet: Vec::new(),
            best_line: Vec::new(),
            killers: [0; 2],
        }
    }
}

/// A value of the table.
#[derive(Clone, Copy, Default, Debug)]
struct Entry {
    /// The score, with wins counted from this position.
    score: i16,
    depth: u8,
    bound: Bound,
    /// The signature of the best action.
    signature: u16,
}

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Bound {
    /// The score says nothing.
    #[default]
    None,
    Lower,
    Upper,
    Exact,
}

impl Entry {
    /// The score, with wins counted from the root.
    const fn score_at(self, ply: usize) -> i32 {
        let score = self.score as i32;
        if score >= PROVEN {
            score - ply as i32
        } else if score <= -PROVEN {
            score + ply as i32
        } else {
            score
        }
    }

    /// A score with wins counted from a ply.
    const fn score_from(score: i32, ply: usize) -> i16 {
        let score = if score >= PROVEN {
            score + ply as i32
        } else if score <= -PROVEN {
            score - ply as i32
        } else {
            score
        };
        score as i16
    }
}

/// A window of scores that matter.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const FULL: Self = Self { alpha: -WON, beta: WON };

    /// The window that only tells whether a score is above `alpha`.
    const fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    const fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    /// The window as the other side sees it.
    const fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A search of one position.
struct Search<'s, 'm, R: Evaluate> {
    memory: &'s mut AlphaBeta<R>,
    meter: &'s mut Meter<'m>,
    errors: Errors,
    line: Line<R>,
    /// Number of turns in the history at the root.
    n_root_turns: usize,
    /// Number of the turn at the root.
    root_turn: u16,
    /// The lowest ply, not the root, whose position or action the last scores depend on through the history;
    /// `usize::MAX` if there is none. Scores of later plies do not hold on other paths.
    depends_on: usize,
    /// A history without past, for quiescence.
    no_history: GameHistory<R>,
}

impl<R: Evaluate> Search<'_, '_, R> {
    /// Counts a node. Returns whether the search must end.
    #[inline]
    fn count(&mut self) -> bool {
        self.meter.count()
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.meter.is_over()
    }

    fn score_of(outcome: Outcome, side: Side, ply: usize) -> i32 {
        match outcome.winner {
            Some(winner) if winner == side => WON - ply as i32,
            Some(_) => ply as i32 - WON,
            None => 0,
        }
    }

    /// Pushes an action and returns its score for `side`, whose action it is. The line is then as before.
    #[inline]
    fn try_action(&mut self, action: R::Action, depth: i32, window: Window, ply: usize) -> i32 {
        let side = self.line.position().to_move();
        self.line.push(action);
        let score = self.score_pushed(side, depth, window, ply);
        self.line.pop();
        score
    }

    /// Returns the score of the current position for `side`, whose action led here from `ply`.
    fn score_pushed(&mut self, side: Side, depth: i32, window: Window, ply: usize) -> i32 {
        if let Some(outcome) = self.line.outcome() {
            self.memory.plies[ply + 1].best_line.clear();
            if outcome.reason == Reason::Repetition {
                self.note_repetition();
            }
            return Self::score_of(outcome, side, ply + 1);
        }
        if self.line.position().to_move() == side {
            self.search(depth, window, ply + 1)
        } else {
            -self.search(depth, window.flipped(), ply + 1)
        }
    }

    /// Records the plies that the outcome of a repetition depends on.
    fn note_repetition(&mut self) {
        let earlier = self.line.history().same_turns(self.line.position());
        // A turn begins with each ply but those of the set-up, so the ply is at least this.
        let plies = earlier.filter_map(|index| (index + 1).checked_sub(self.n_root_turns));
        if let Some(lowest) = plies.filter(|ply| *ply > 0).min() {
            self.depends_on = self.depends_on.min(lowest);
        }
    }

    /// Whether ko forbids an action here. Records the ply of the action that it depends on.
    #[inline]
    fn is_forbidden(&mut self, action: R::Action) -> bool {
        if self.line.history().n_ko_records() == 0 {
            return false;
        }
        let Some(turn) = self.line.ko_turn(action) else { return false };
        if let Some(ply) = turn.get().checked_sub(self.root_turn) {
            self.depends_on = self.depends_on.min(usize::from(ply));
        }
        true
    }

    /// Returns the score of the current position for the side to move. `depth` is the number of plies to look ahead.
    fn search(&mut self, depth: i32, window: Window, ply: usize) -> i32 {
        self.memory.plies[ply].best_line.clear();
        if depth <= 0 || ply + 1 >= MAX_PLIES {
            let position = *self.line.position();
            let free = FreeCaptures { n_plies: self.memory.max_free_captures, target: None };
            return self.quiesce(&position, window, ply, free);
        }
        if self.count() {
            return 0;
        }
        let outer = std::mem::replace(&mut self.depends_on, usize::MAX);
        let score = self.search_node(depth, window, ply);
        self.depends_on = self.depends_on.min(outer);
        score
    }

    fn search_node(&mut self, depth: i32, window: Window, ply: usize) -> i32 {
        // Nothing found from here can be better than a win, or worse than a loss, after so many plies.
        let window =
            Window { alpha: window.alpha.max(ply as i32 - WON), beta: window.beta.min(WON - ply as i32 - 1) };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let key = self.line.position().table_key();
        let known = self.memory.table.get(key).unwrap_or_default();
        if let Some(score) = self.known(known, depth, window, ply) {
            return score;
        }
        // Without a best action to begin with, a less deep search finds one for the next iteration.
        let is_unknown = self.memory.is_selective && known.signature == 0 && depth >= MIN_UNKNOWN_DEPTH;
        let depth = depth - i32::from(is_unknown);
        let calm = self.line.position().calm();
        let is_quiet_node = self.memory.is_selective && window.is_null() && calm != Calm::Forced;
        let evaluation = if is_quiet_node { self.evaluate(self.line.position()) } else { 0 };
        if is_quiet_node
            && depth <= R::MAX_FUTILE_DEPTH
            && window.beta.abs() < PROVEN
            && evaluation - R::MARGIN * depth >= window.beta
        {
            return evaluation;
        }
        if !self.list(known.signature, ply) {
            return self.evaluate(self.line.position());
        }
        let futile = is_quiet_node && depth <= R::MAX_FUTILE_DEPTH;
        let node =
            Node { depth, window, ply, futile_below: futile.then_some(evaluation + R::MARGIN * depth) };
        let (best, bound, signature) = self.search_actions(&node, calm);
        if self.is_over() {
            return best;
        }
        let bound = if self.depends_on < ply { Bound::None } else { bound };
        let entry = Entry {
            score: Entry::score_from(best, ply),
            depth: if bound == Bound::None { 0 } else { depth.clamp(0, 255) as u8 },
            bound,
            signature: if signature == 0 { known.signature } else { signature },
        };
        self.memory.table.put(key, entry, |old| old.depth > entry.depth.saturating_add(3));
        best
    }

    /// Returns the score that the table has for a position, if it decides.
    #[inline]
    fn known(&self, entry: Entry, depth: i32, window: Window, ply: usize) -> Option<i32> {
        let known = i32::from(entry.depth);
        let is_enough = if self.memory.is_selective { known >= depth } else { known == depth };
        if !is_enough || !window.is_null() {
            return None;
        }
        let score = entry.score_at(ply);
        let decides = match entry.bound {
            Bound::None => false,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
            Bound::Exact => true,
        };
        decides.then_some(score)
    }

    /// Searches the listed actions. Returns the best score, its relation to the true one, and the signature of the
    /// best action.
    fn search_actions(&mut self, node: &Node, calm: Calm) -> (i32, Bound, u16) {
        let Node { depth, window, ply, .. } = *node;
        let side = self.line.position().to_move();
        let mut actions = std::mem::take(&mut self.memory.plies[ply].actions);
        self.memory.plies[ply].quiet.clear();
        let is_only = actions.len() == 1 && self.memory.is_selective;
        let depth = if is_only { depth + 1 } else { depth };
        let (mut alpha, mut best, mut best_signature) = (window.alpha, -WON, 0);
        let (mut n_searched, mut n_quiet) = (0, 0);
        for index in 0..actions.len() {
            let Scored { action, is_quiet, order } = select(&mut actions, index);
            if self.is_forbidden(action) {
                continue;
            }
            if is_quiet && n_searched > 0 && self.is_futile(node, alpha, n_quiet) {
                best = best.max(node.futile_below.unwrap_or(best).min(alpha));
                continue;
            }
            let is_reduced = is_quiet || R::REDUCES_CAPTURES;
            let reduction = if is_reduced && self.memory.is_selective && calm != Calm::Forced {
                self.reduction(depth, n_searched, if is_quiet { order } else { 0 }, window)
            } else {
                0
            };
            let next = NextAction { action, reduction, is_first: n_searched == 0 };
            let score = self.search_action(next, depth, Window { alpha, ..window }, ply);
            n_searched += 1;
            if self.is_over() {
                break;
            }
            let signature = R::signature(action);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_signature = signature;
                    self.keep_line(action, ply);
                }
                if score >= window.beta {
                    if is_quiet {
                        self.reward(side.index(), signature, depth, ply);
                    }
                    break;
                }
            }
            if is_quiet {
                n_quiet += 1;
                self.memory.plies[ply].quiet.push(signature);
            }
        }
        self.memory.plies[ply].actions = actions;
        if n_searched == 0 {
            // Only ko can leave nothing, and the game is then over before.
            return (self.evaluate(self.line.position()), Bound::None, 0);
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        (best, bound, best_signature)
    }

    /// Searches one action: in full if it is the first one, else with a null window and again if it is better than
    /// expected.
    fn search_action(&mut self, next: NextAction<R::Action>, depth: i32, window: Window, ply: usize) -> i32 {
        let NextAction { action, reduction, is_first } = next;
        if is_first {
            return self.try_action(action, depth - 1, window, ply);
        }
        let null = Window::null(window.alpha);
        let mut score = self.try_action(action, depth - 1 - reduction, null, ply);
        if reduction > 0 && score > window.alpha && !self.is_over() {
            score = self.try_action(action, depth - 1, null, ply);
        }
        if score > window.alpha && score < window.beta && !window.is_null() && !self.is_over() {
            score = self.try_action(action, depth - 1, window, ply);
        }
        score
    }

    /// Whether a quiet action, after so many others, cannot be expected to raise alpha.
    #[inline]
    fn is_futile(&self, node: &Node, alpha: i32, n_quiet: i32) -> bool {
        node.futile_below.is_some_and(|below| {
            alpha.abs() < PROVEN && (below <= alpha || n_quiet >= R::MAX_QUIET * node.depth * node.depth)
        })
    }

    /// Number of plies by which the search of a quiet action is shortened.
    #[inline]
    fn reduction(&self, depth: i32, n_searched: i32, order: i32, window: Window) -> i32 {
        if depth < 2 || n_searched < 2 {
            return 0;
        }
        let mut reduction = (R::REDUCTION + log(depth) * log(n_searched)) / R::REDUCTION_STEP;
        reduction -= i32::from(!window.is_null());
        reduction -= order.clamp(-8000, 8000) / 8000;
        reduction.clamp(0, depth - 1)
    }

    fn reward(&mut self, side: usize, signature: u16, depth: i32, ply: usize) {
        let bonus = (16 * depth * depth).min(1600);
        let Ply { quiet, killers, .. } = &mut self.memory.plies[ply];
        if killers[0] != signature {
            *killers = [signature, killers[0]];
        }
        for other in quiet {
            self.memory.successes.add(side, *other, -bonus);
        }
        self.memory.successes.add(side, signature, bonus);
    }

    fn keep_line(&mut self, action: R::Action, ply: usize) {
        let (here, next) = self.memory.plies.split_at_mut(ply + 1);
        let line = &mut here[ply].best_line;
        line.clear();
        line.push(action);
        line.extend_from_slice(&next[0].best_line);
    }

    /// Lists and scores the actions of the current position. Returns whether they are complete and not overlooked
    /// altogether.
    fn list(&mut self, best: u16, ply: usize) -> bool {
        let position = self.line.position();
        let side = position.to_move().index();
        let AlphaBeta { plies, successes, scratch, .. } = &mut *self.memory;
        let Ply { listed, actions, killers, .. } = &mut plies[ply];
        if !position.list_actions(scratch, listed) {
            return false;
        }
        actions.clear();
        for &action in &*listed {
            let signature = R::signature(action);
            if ply > 0 && self.errors.overlooks(position, action, signature) {
                continue;
            }
            let gain = position.gain(action);
            let order = if signature == best {
                1 << 24
            } else if let Some(gain) = gain {
                (1 << 20) + gain
            } else if killers[0] == signature {
                18_000
            } else if killers[1] == signature {
                17_000
            } else {
                successes.get(side, signature) + position.quiet_order(action)
            };
            actions.push(Scored { action, order, is_quiet: gain.is_none() });
        }
        !actions.is_empty()
    }

    #[inline]
    fn evaluate(&self, position: &R) -> i32 {
        position.evaluate() + self.errors.misjudges(position)
    }

    /// Returns the score of a position once nothing more is there to be captured.
    fn quiesce(&mut self, position: &R, window: Window, ply: usize, free: FreeCaptures) -> i32 {
        self.memory.plies[ply].best_line.clear();
        if self.count() {
            return 0;
        }
        let calm = position.calm();
        if calm == Calm::Quiet || ply + 1 >= MAX_PLIES || free.n_plies <= 0 && calm == Calm::Free {
            return self.evaluate(position);
        }
        let stays = if calm == Calm::Free { self.evaluate(position) } else { -WON };
        if stays >= window.beta {
            return stays;
        }
        let Ply { listed, .. } = &mut self.memory.plies[ply];
        if !position.list_captures(&mut self.memory.scratch, listed) {
            return self.evaluate(position);
        }
        let needed = if self.memory.is_selective && calm == Calm::Free {
            (window.alpha - stays - R::MARGIN).max(R::MIN_GAIN)
        } else {
            i32::MIN
        };
        let actions = self.score_captures(position, calm, needed, (ply, free));
        self.quiesce_actions(
            position,
            actions,
            Window { alpha: window.alpha.max(stays), ..window },
            ply,
            free,
        )
        .map_or(stays, |best| best.max(stays))
    }

    /// Takes the actions of a ply's list that quiescence looks at.
    fn score_captures(
        &mut self,
        position: &R,
        calm: Calm,
        needed: i32,
        (ply, free): (usize, FreeCaptures),
    ) -> Vec<Scored<R::Action>> {
        let Ply { listed, actions, .. } = &mut self.memory.plies[ply];
        let mut actions = std::mem::take(actions);
        actions.clear();
        for &action in &*listed {
            let gain = position.gain(action);
            let is_searched = calm == Calm::Forced
                || gain.is_some_and(|gain| gain >= needed)
                    && free.target.is_none_or(|target| !R::ONLY_RECAPTURES || R::target(action) == target);
            if is_searched && !self.errors.overlooks(position, action, R::signature(action)) {
                actions.push(Scored { action, order: gain.unwrap_or(0), is_quiet: false });
            }
        }
        actions
    }

    /// Returns the best score of some actions, `None` if there are none; and gives their memory back to the ply.
    fn quiesce_actions(
        &mut self,
        position: &R,
        mut actions: Vec<Scored<R::Action>>,
        mut window: Window,
        ply: usize,
        free: FreeCaptures,
    ) -> Option<i32> {
        let mut best = None;
        for index in 0..actions.len() {
            let Scored { action, .. } = select(&mut actions, index);
            let score = self.quiesce_action(position, action, window, ply, free);
            if self.is_over() {
                break;
            }
            if best.is_none_or(|best| score > best) {
                best = Some(score);
                if score > window.alpha {
                    window.alpha = score;
                    self.keep_line(action, ply);
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        self.memory.plies[ply].actions = actions;
        // With everything overlooked or cut short, the evaluation has to do.
        best.or_else(|| (position.calm() == Calm::Forced).then(|| self.evaluate(position)))
    }

    fn quiesce_action(
        &mut self,
        position: &R,
        action: R::Action,
        window: Window,
        ply: usize,
        free: FreeCaptures,
    ) -> i32 {
        let side = position.to_move();
        let mut next = *position;
        let outcome = match next.play(action) {
            Progress::Over(outcome) => Some(outcome),
            Progress::NewTurn => next.outcome_at_turn_start(&self.no_history),
            Progress::SameTurn => None,
        };
        if let Some(outcome) = outcome {
            self.memory.plies[ply + 1].best_line.clear();
            return Self::score_of(outcome, side, ply + 1);
        }
        let free = FreeCaptures { n_plies: free.n_plies - 1, target: Some(R::target(action)) };
        if next.to_move() == side {
            self.quiesce(&next, window, ply + 1, free)
        } else {
            -self.quiesce(&next, window.flipped(), ply + 1, free)
        }
    }
}

/// The free captures that quiescence looks at.
#[derive(Clone, Copy)]
struct FreeCaptures {
    /// Number of plies left.
    n_plies: i32,
    /// The target of the last capture; `None` before the first one.
    target: Option<u8>,
}

/// A node whose actions are searched.
struct Node {
    depth: i32,
    window: Window,
    ply: usize,
    /// Score that no quiet action is expected to exceed; `None` where every action is searched.
    futile_below: Option<i32>,
}

/// An action to be searched next.
#[derive(Clone, Copy)]
struct NextAction<A> {
    action: A,
    reduction: i32,
    is_first: bool,
}

/// The binary logarithm of a positive number in sixteenths, rounded down.
const fn log(number: i32) -> i32 {
    let whole = number.ilog2() as i32;
    16 * whole + ((number << 4) >> whole) - 16
}
