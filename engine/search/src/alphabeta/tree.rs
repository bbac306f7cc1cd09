//! The tree search: transposition table, move ordering, pruning and reductions.

use engine::{GameHistory, Line, Outcome, Reason, Side};

use super::{
    AlphaBeta, MAX_PLIES, Ply,
    errors::Errors,
    evaluate::{Calm, Evaluate, PROVEN, WON},
    moves::{Scored, select},
    quiescence::OptionalCaptures,
    scores::{Bound, Entry, Window},
};
use crate::limit::Meter;

/// Minimum depth that is reduced where no best action is known.
const MIN_UNKNOWN_DEPTH: i32 = 4;

/// A search of one position.
pub(super) struct Search<'s, 'm, R: Evaluate> {
    pub(super) memory: &'s mut AlphaBeta<R>,
    pub(super) meter: &'s mut Meter<'m>,
    pub(super) errors: Errors,
    pub(super) line: Line<R>,
    /// Number of turns in the history at the root.
    pub(super) n_root_turns: usize,
    /// Number of the turn at the root.
    pub(super) root_turn: u16,
    /// Lowest ply below the root that the last scores depend on through the history (repetition or ko); `usize::MAX` if
    /// none. For example, a draw by repetition of ply 4 gives 4: scores of plies after 4 hold on this path only.
    pub(super) depends_on: usize,
    /// An empty history, for quiescence.
    pub(super) no_history: GameHistory<R>,
}

impl<R: Evaluate> Search<'_, '_, R> {
    /// Counts a node. Returns whether the search must end.
    #[inline]
    pub(super) fn count(&mut self) -> bool {
        self.meter.count()
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.meter.is_over()
    }

    pub(super) fn score_of(outcome: Outcome, side: Side, ply: usize) -> i32 {
        match outcome.winner {
            Some(winner) if winner == side => WON - ply as i32,
            Some(_) => ply as i32 - WON,
            None => 0,
        }
    }

    /// Pushes an action and returns its score for `side`, whose action it is. The line is then as before.
    #[inline]
    pub(super) fn try_action(&mut self, action: R::Action, depth: i32, window: Window, ply: usize) -> i32 {
        let side = self.line.position().to_move();
        self.line.push(action);
        let score = self.score_pushed(side, depth, window, ply);
        self.line.pop();
        score
    }

    /// Returns the score of the current position for `side`, whose action led here from `ply`.
    pub(super) fn score_pushed(&mut self, side: Side, depth: i32, window: Window, ply: usize) -> i32 {
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
    pub(super) fn search(&mut self, depth: i32, window: Window, ply: usize) -> i32 {
        self.memory.plies[ply].best_line.clear();
        if depth <= 0 || ply + 1 >= MAX_PLIES {
            let position = *self.line.position();
            let optional = OptionalCaptures { n_plies: self.memory.max_optional_captures, target: None };
            return self.quiesce(&position, window, ply, optional);
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
        // Mate-distance pruning: no line from here beats a win, or is worse than a loss, after `ply` plies.
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
        // Internal iterative reduction: without a best action, a shallower search finds one for the next iteration.
        let is_unknown = self.memory.is_selective && known.signature == 0 && depth >= MIN_UNKNOWN_DEPTH;
        let depth = depth - i32::from(is_unknown);
        let calm = self.line.position().calm();
        let may_be_futile = self.memory.is_selective
            && window.is_null()
            && calm != Calm::Forced
            && depth <= R::MAX_FUTILE_DEPTH;
        let evaluation = if may_be_futile { self.evaluate(self.line.position()) } else { 0 };
        if may_be_futile && window.beta.abs() < PROVEN && evaluation - R::MARGIN * depth >= window.beta {
            return evaluation;
        }
        if !self.list(known.signature, ply) {
            return self.evaluate(self.line.position());
        }
        let futile_below = may_be_futile.then_some(evaluation + R::MARGIN * depth);
        let node = Node { depth, window, ply, futile_below };
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

    /// Returns the table's score of a position, if it causes a cutoff.
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
            // Only ko could leave no action, and the game would then be over already.
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

    /// Searches one action: the first with the full window, others with a null window and a re-search if they raise alpha.
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

    /// Whether a quiet action, after `n_quiet` others, is pruned as futile or late.
    #[inline]
    fn is_futile(&self, node: &Node, alpha: i32, n_quiet: i32) -> bool {
        node.futile_below.is_some_and(|below| {
            alpha.abs() < PROVEN && (below <= alpha || n_quiet >= R::MAX_QUIET * node.depth * node.depth)
        })
    }

    /// Late move reduction of a quiet action, in plies.
    #[inline]
    pub(super) fn reduction(&self, depth: i32, n_searched: i32, order: i32, window: Window) -> i32 {
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

    pub(super) fn keep_line(&mut self, action: R::Action, ply: usize) {
        let (here, next) = self.memory.plies.split_at_mut(ply + 1);
        let line = &mut here[ply].best_line;
        line.clear();
        line.push(action);
        line.extend_from_slice(&next[0].best_line);
    }

    /// Lists and scores the actions of the current position. Returns whether the list is complete and not empty because
    /// all were overlooked.
    pub(super) fn list(&mut self, best: u16, ply: usize) -> bool {
        let position = self.line.position();
        let side = position.to_move().index();
        let AlphaBeta { plies, successes, scratch, .. } = &mut *self.memory;
        let Ply { listed, actions, killers, .. } = &mut plies[ply];
        if !position.list_actions(scratch, listed, self.meter) {
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
    pub(super) fn evaluate(&self, position: &R) -> i32 {
        position.evaluate() + self.errors.misjudges(position)
    }
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
