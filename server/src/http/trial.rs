//! The position of a match after some actions of a turn, with the actions that may follow.

use engine::{AnyMatch, Budget, Draft, TurnError};
use protocol::{Choices, ProblemCode, Trial};

use super::Problem;

/// Maximum number of listed legal actions, more than any position has.
const MAX_LISTED: usize = 1_000;

/// Maximum number of search steps for the list. The actual number is far lower: a capture of a puzzle is found within
/// 20,000, and the other rules have none.
const LIST_STEPS: u64 = 50_000;

/// The actions of a query.
pub(super) fn listed_in(actions: &str) -> Vec<&str> {
    actions.split(',').filter(|action| !action.is_empty()).collect()
}

/// Returns the position of a match after some actions of the turn, with its legal actions.
///
/// # Errors
/// One of the actions is illegal.
pub(super) fn trial_after(game: &AnyMatch, actions: &[impl AsRef<str>]) -> Result<Trial, Problem> {
    let draft = game.draft(actions).map_err(|error| refuse(actions, error))?;
    trial(&draft)
}

fn trial(draft: &Draft) -> Result<Trial, Problem> {
    let choices = Choices::of(draft, MAX_LISTED, &mut Budget::steps(LIST_STEPS));
    let Choices { draft: shown, actions, groups, barred, best_capture } =
        choices.map_err(|_| ProblemCode::Unavailable)?;
    Ok(Trial {
        position: draft.present.position.clone(),
        outcome: draft.outcome.map(|outcome| game::Outcome::from(outcome).into()),
        draft: shown,
        actions,
        groups,
        barred,
        best_capture,
    })
}

/// Returns the problem of an illegal action.
pub(super) fn refuse(actions: &[impl AsRef<str>], error: TurnError) -> Problem {
    let action = actions.get(error.index).map_or("", AsRef::as_ref);
    let detail = format!("`{action}`: {error}");
    Problem::new(ProblemCode::IllegalAction, detail).because(error.into())
}
