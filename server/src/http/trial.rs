//! The try-board: one position to play with before any game has begun.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use axum::{Extension, extract::State, http::HeaderMap, response::Response};
use engine::{AnyMatch, Budget, Draft, Ruleset, TurnError};
use protocol::{
    Choices,
    ProblemCode::{self, IllegalAction},
    Trial, TrialQuery,
};

use super::{
    Problem,
    describe::{OF_DOCUMENTS, OF_QUERIES, problems},
    document::Recipient,
    extract::Query,
    kept::Kept,
};
use crate::{recent::Recent, state::App};

/// Start position. Black to move has three moves, and six strikes of which three surround White's centre: the other
/// three can go to the remaining cells, one of which a white piece holds.
const POSITION: &str = "C5/7/8/2SSS3p/2P1SS1pp1/3PSc1p3/1PPP1p1p2/P8/8/5s1/sssss1 1 3 3/3";

static GAME: LazyLock<AnyMatch> =
    LazyLock::new(|| AnyMatch::from_text(Ruleset::Fibonacci, POSITION).expect("a game can start there"));

/// Maximum number of listed legal actions, more than any position has.
const MAX_LISTED: usize = 1_000;

/// Maximum number of search steps for the list. The actual number is far lower: a capture of a puzzle is found within
/// 20,000, and the other rules have none.
const LIST_STEPS: u64 = 50_000;

/// Capacity of the cache of answers, 2 kB each: enough for the most frequent ones.
const REMEMBERED: usize = 512;

/// Cache of answers, keyed by the actions.
#[derive(Clone, Debug)]
pub(super) struct Trials(Arc<Mutex<Recent<String, Option<Kept>>>>);

impl Default for Trials {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Recent::new(REMEMBERED))))
    }
}

impl Trials {
    fn find(&self, actions: &str) -> Option<Kept> {
        self.locked().get(actions.to_owned(), || None).clone()
    }

    fn remember(&self, actions: String, answer: Kept) {
        *self.locked().get(actions, || None) = Some(answer);
    }

    fn locked(&self) -> MutexGuard<'_, Recent<String, Option<Kept>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

problems!(LookProblems: OF_DOCUMENTS, OF_QUERIES, &[IllegalAction]);

/// The try-board after some actions, with its legal actions.
#[utoipa::path(
    get,
    path = "/try",
    tag = "learning",
    operation_id = "try_actions",
    params(TrialQuery),
    responses(
        (status = 200, description = "The position.", body = Trial),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        LookProblems,
    ),
)]
pub(super) async fn look(
    State(app): State<App>,
    Extension(trials): Extension<Trials>,
    recipient: Recipient,
    headers: HeaderMap,
    Query(TrialQuery { actions }): Query<TrialQuery>,
) -> Result<Response, Problem> {
    let answer = match trials.find(&actions) {
        Some(answer) => answer,
        None => {
            let asked = actions.clone();
            let answer = app.compute.run(recipient.asker, move || work_out(&asked)).await??;
            trials.remember(actions, answer.clone());
            answer
        }
    };
    answer.answer(&app, recipient, &headers).await
}

fn work_out(actions: &str) -> Result<Kept, Problem> {
    Ok(Kept::json(&trial_after(&GAME, &listed_in(actions))?))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn after(actions: &str) -> Trial {
        serde_json::from_str(&work_out(actions).expect("they are legal").text()).unwrap()
    }

    #[test]
    fn three_moves_surround_the_centre_of_the_enemy() {
        let mut trial = after("");
        assert_eq!(
            (trial.position.as_str(), trial.draft.turn.allowance.map(|all| all.left)),
            (POSITION, Some(3))
        );
        let mut actions = String::new();
        for (action, left) in [("c5-g7", 2), ("d6-f5", 1), ("e7-g6", 0)] {
            assert!(trial.actions.iter().any(|legal| legal.text == action), "{action} is listed");
            assert_eq!((trial.outcome, trial.draft.complete), (None, false));
            actions = [actions, action.to_owned()]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(",");
            trial = after(&actions);
            assert_eq!(trial.draft.turn.allowance.map(|all| all.left), Some(left));
        }
        let outcome = trial.outcome.expect("it is over");
        assert_eq!((outcome.winner, outcome.reason), (Some(engine::Side::First), protocol::Reason::Surround));
        assert!(trial.draft.complete && trial.actions.is_empty());
    }

    #[test]
    fn all_that_is_listed_is_legal_and_never_ends_the_game_at_once() {
        let trial = after("");
        assert!(trial.actions.len() > 50, "{}", trial.actions.len());
        for action in &trial.actions {
            assert_eq!(after(&action.text).outcome, None, "{}", action.text);
        }
        assert_eq!(after("c5-g7,end").outcome, None, "a turn may end before");
    }
}
