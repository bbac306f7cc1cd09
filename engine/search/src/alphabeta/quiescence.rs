//! Quiescence: captures alone, until none is left.

use engine::Progress;

use super::{
    MAX_PLIES, Ply,
    evaluate::{Calm, Evaluate, WON},
    moves::{Scored, select},
    scores::Window,
    tree::Search,
};

impl<R: Evaluate> Search<'_, '_, R> {
    /// Returns the quiescence score of a position.
    pub(super) fn quiesce(
        &mut self,
        position: &R,
        window: Window,
        ply: usize,
        optional: OptionalCaptures,
    ) -> i32 {
        self.memory.plies[ply].best_line.clear();
        if self.count() {
            return 0;
        }
        let calm = position.calm();
        if calm == Calm::Quiet || ply + 1 >= MAX_PLIES || optional.n_plies <= 0 && calm == Calm::Optional {
            return self.evaluate(position);
        }
        let stand_pat = if calm == Calm::Optional { self.evaluate(position) } else { -WON };
        if stand_pat >= window.beta {
            return stand_pat;
        }
        let Ply { listed, .. } = &mut self.memory.plies[ply];
        if !position.list_captures(&mut self.memory.scratch, listed, self.meter) {
            return self.evaluate(position);
        }
        let needed = if self.memory.is_selective && calm == Calm::Optional {
            R::min_gain(window.alpha - stand_pat)
        } else {
            i32::MIN
        };
        let actions = self.score_captures(position, calm, needed, (ply, optional));
        self.quiesce_actions(
            position,
            actions,
            Window { alpha: window.alpha.max(stand_pat), ..window },
            ply,
            optional,
        )
        .map_or(stand_pat, |best| best.max(stand_pat))
    }

    /// Takes from a ply's list the actions that quiescence searches.
    fn score_captures(
        &mut self,
        position: &R,
        calm: Calm,
        needed: i32,
        (ply, optional): (usize, OptionalCaptures),
    ) -> Vec<Scored<R::Action>> {
        let Ply { listed, actions, .. } = &mut self.memory.plies[ply];
        let mut actions = std::mem::take(actions);
        actions.clear();
        for &action in &*listed {
            let gain = position.gain(action);
            let is_searched = calm == Calm::Forced
                || gain.is_some_and(|gain| gain >= needed)
                    && optional
                        .target
                        .is_none_or(|target| !R::ONLY_RECAPTURES || R::target(action) == target);
            if is_searched && !self.errors.overlooks(position, action, R::signature(action)) {
                actions.push(Scored { action, order: gain.unwrap_or(0), is_quiet: false });
            }
        }
        actions
    }

    /// Returns the best score of some actions, `None` without any, and returns their buffer to the ply.
    fn quiesce_actions(
        &mut self,
        position: &R,
        mut actions: Vec<Scored<R::Action>>,
        mut window: Window,
        ply: usize,
        optional: OptionalCaptures,
    ) -> Option<i32> {
        let mut best = None;
        for index in 0..actions.len() {
            let Scored { action, .. } = select(&mut actions, index);
            let score = self.quiesce_action(position, action, window, ply, optional);
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
        // If every capture was pruned, fall back to the static evaluation.
        best.or_else(|| (position.calm() == Calm::Forced).then(|| self.evaluate(position)))
    }

    fn quiesce_action(
        &mut self,
        position: &R,
        action: R::Action,
        window: Window,
        ply: usize,
        optional: OptionalCaptures,
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
        let optional = OptionalCaptures { n_plies: optional.n_plies - 1, target: Some(R::target(action)) };
        if next.to_move() == side {
            self.quiesce(&next, window, ply + 1, optional)
        } else {
            -self.quiesce(&next, window.flipped(), ply + 1, optional)
        }
    }
}

/// The optional captures that quiescence searches.
#[derive(Clone, Copy)]
pub(super) struct OptionalCaptures {
    /// Number of plies left.
    pub(super) n_plies: i32,
    /// The target of the last capture; `None` before the first one.
    pub(super) target: Option<u8>,
}
