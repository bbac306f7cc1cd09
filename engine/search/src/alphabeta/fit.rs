use engine::{AnyMatch, Match};

use super::evaluate::{Calm, Evaluate};

/// Features of the current position with their counts, for the side to move, and their present weights. `None` in a
/// game without such an evaluation, and where the search does not trust the evaluation.
pub fn weighted_features(game: &AnyMatch) -> Option<(Vec<(usize, i32)>, &'static [i32])> {
    match game {
        AnyMatch::Fibonacci(_) => None,
        AnyMatch::Fenix(game) => features(game),
        AnyMatch::Stacks(game) => features(game),
    }
}

fn features<R: Evaluate>(game: &Match<R>) -> Option<(Vec<(usize, i32)>, &'static [i32])> {
    let position = game.position();
    if game.outcome().is_some() || position.calm() == Calm::Forced {
        return None;
    }
    let mut features = Vec::new();
    position.features(|index, count| {
        if count != 0 {
            features.push((index, count));
        }
    });
    Some((features, position.weights()))
}
