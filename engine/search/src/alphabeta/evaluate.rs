use engine::{Playable, TurnNumber};

use super::errors::Skill;
use crate::limit::Meter;

/// Score of a win at the root. A win after `n` plies scores `n` less.
pub(crate) const WON: i32 = 30_000;
/// Scores beyond ±this are proven wins and losses.
pub(crate) const PROVEN: i32 = 29_000;
/// Largest score of an evaluation.
const MOST: i32 = 20_000;

/// Number of turns before the turn limit from which the number of the turn is part of the table's key.
const N_LAST_TURNS: u16 = 100;

/// A game with an evaluation and the other parts that alpha-beta needs.
///
/// An evaluation is a sum of features, each with its weight. The features are the same for play and for fitting the
/// weights.
pub(crate) trait Evaluate: Playable {
    /// Score at which the side to move wins with odds of e to 1.
    const SCALE: f32;
    /// Largest gain expected of one quiet ply.
    const MARGIN: i32;
    /// Maximum depth of futility pruning.
    const MAX_FUTILE_DEPTH: i32;
    /// Maximum number of quiet actions at depth 1; it grows with the square of the depth.
    const MAX_QUIET: i32;
    /// A reduction is (`REDUCTION` + log(depth) × log(number of the action)) / `REDUCTION_STEP` plies.
    const REDUCTION: i32;
    const REDUCTION_STEP: i32;
    /// Whether quiescence searches only recaptures after the first capture, where captures are optional.
    const ONLY_RECAPTURES: bool;
    /// Whether captures are reduced like quiet actions.
    const REDUCES_CAPTURES: bool;
    /// The skill of each level, the lowest first.
    const SKILLS: [Skill; 8];

    /// Weights of the features, by index.
    fn weights(&self) -> &'static [i32];

    /// Visits the features of the position with their counts. The count is positive where the feature favours the side
    /// to move.
    fn features(&self, visit: impl FnMut(usize, i32));

    /// Returns the score for the side to move.
    #[inline]
    fn evaluate(&self) -> i32 {
        let weights = self.weights();
        let mut sum = 0;
        self.features(|index, count| sum += weights[index] * count);
        self.damped(sum.clamp(-MOST, MOST))
    }

    /// Scales the score towards a draw as a rule draw approaches. `table_key` must distinguish positions that are scaled
    /// differently.
    #[inline]
    fn damped(&self, score: i32) -> i32 {
        score
    }

    /// Replaces the contents of the buffer with one action for each result, without regard to ko. Returns whether
    /// they are complete. Positions whose actions take too long to list are cut short, and count as many nodes.
    fn list_actions(
        &self,
        scratch: &mut Self::Scratch,
        buffer: &mut Vec<Self::Action>,
        _meter: &mut Meter<'_>,
    ) -> bool {
        self.actions_into(scratch, buffer);
        true
    }

    /// Like `list_actions`, but only captures where the side may stand pat.
    fn list_captures(
        &self,
        scratch: &mut Self::Scratch,
        buffer: &mut Vec<Self::Action>,
        meter: &mut Meter<'_>,
    ) -> bool {
        self.list_actions(scratch, buffer, meter)
    }

    /// Returns how the search continues from this position at depth 0.
    fn calm(&self) -> Calm;

    /// 16-bit id of an action, different from nearly all others of its position.
    fn signature(action: Self::Action) -> u16;

    /// 8-bit id of the target cell.
    fn target(action: Self::Action) -> u8;

    /// Static gain of an action, by which those of a position are ordered; `None` for a quiet one.
    fn gain(&self, action: Self::Action) -> Option<i32>;

    /// Minimum gain of an optional capture that quiescence searches, where the evaluation is `missing` below the best score.
    fn min_gain(missing: i32) -> i32;

    /// Static move-ordering score of a quiet action, added to its history score (at most 16,384).
    fn quiet_order(&self, _action: Self::Action) -> i32 {
        0
    }

    /// Whether a player is likely to overlook the action because it is far away or long.
    fn is_hidden(action: Self::Action) -> bool;

    /// Transposition key. It includes the quiet turns and the turn number once they come close to a draw.
    #[inline]
    fn table_key(&self) -> u64 {
        key_of_turn(self)
    }
}

/// Hash of a position, mixed with the turn number close to the turn limit.
#[inline]
pub(super) fn key_of_turn<R: Playable>(position: &R) -> u64 {
    let number = position.turn().get();
    let is_late = number + N_LAST_TURNS > TurnNumber::LAST.get();
    if is_late { salted(position.hash(), number) } else { position.hash() }
}

/// A hash that differs for each number.
#[inline]
pub(super) const fn salted(hash: u64, number: u16) -> u64 {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ mixed ^ mixed >> 29
}

/// How the search continues at depth 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Calm {
    /// The evaluation holds.
    Quiet,
    /// The side to move must capture, so the static evaluation means nothing.
    Forced,
    /// The side to move may capture, or stand pat.
    Optional,
}

/// Returns the chance to win that belongs to a score.
pub(crate) fn chance(score: i32, scale: f32) -> f32 {
    if score >= PROVEN {
        1.0
    } else if score <= -PROVEN {
        0.0
    } else {
        1.0 / (1.0 + (-score as f32 / scale).exp())
    }
}
