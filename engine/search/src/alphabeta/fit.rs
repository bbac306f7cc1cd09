use engine::{AnyMatch, Match};

use super::evaluate::{Calm, Evaluate};

/// The evaluation of a position in parts: the sum of the counts, each with its weight, is the score of the side to
/// move.
#[derive(Clone, Debug)]
pub struct Features {
    /// Indices of features with their counts, none of which is 0.
    pub counts: Vec<(usize, i32)>,
    /// The present weights of all features, by index.
    pub weights: &'static [i32],
}

impl Features {
    /// Features of the current position; `None` without such an evaluation, or where the search does not trust it.
    #[must_use]
    pub fn of_match(game: &AnyMatch) -> Option<Self> {
        match game {
            AnyMatch::Fibonacci(_) => None,
            AnyMatch::Fenix(game) => features(game),
            AnyMatch::Stacks(game) => features(game),
        }
    }
}

fn features<R: Evaluate>(game: &Match<R>) -> Option<Features> {
    let position = game.position();
    if game.outcome().is_some() || position.calm() == Calm::Forced {
        return None;
    }
    let mut counts = Vec::new();
    position.features(|index, count| {
        if count != 0 {
            counts.push((index, count));
        }
    });
    Some(Features { counts, weights: position.weights() })
}
