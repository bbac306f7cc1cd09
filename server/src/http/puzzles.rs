//! Puzzles: positions with a task that is proven to have a solution, shipped with the program.

use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, header},
    response::Response,
};
use engine::{AnyMatch, Ruleset};
use protocol::{
    Draft, Grade,
    ProblemCode::{self, IllegalAction, InvalidBody, NoSuchResource},
    Puzzle, PuzzleAttempt, PuzzleId, PuzzleList, PuzzleRow, PuzzleSolution, PuzzleTask, PuzzleTrialQuery,
    PuzzleTurn, PuzzleVerdict, PuzzlesQuery, Trial, Verdict,
};
use search::puzzle::{self, Refused};

use super::{
    NO_STORE, Problem,
    cached::CachedAnswer,
    client::refuse_fast,
    describe::{OF_BODIES, OF_CHANGES, OF_DOCUMENTS, OF_FIELDS, OF_QUERIES, problems},
    document::Recipient,
    extract::{Json, Path, Query},
    trial::{listed_in, refuse, trial_after},
};
use crate::{
    deflate::Gzipped,
    net::address::{Client, LimitedAction},
    state::App,
};

const MS_A_DAY: i64 = 24 * 60 * 60 * 1000;

/// Step in the list from one puzzle of the day to the ruleset's next. It is a prime larger than any list, so every
/// puzzle gets its day.
const STRIDE: i64 = 7919;

/// A puzzle with its ruleset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    ruleset: Ruleset,
    puzzle: &'static puzzle::Puzzle,
}

impl Entry {
    fn all() -> impl Iterator<Item = Self> {
        Ruleset::ALL.into_iter().flat_map(|ruleset| {
            puzzle::Puzzle::all(ruleset).iter().map(move |puzzle| Self { ruleset, puzzle })
        })
    }

    pub(super) fn find(id: &PuzzleId) -> Result<Self, Problem> {
        Self::all().find(|entry| entry.puzzle.id == id.as_str()).ok_or_else(|| NoSuchResource.into())
    }

    /// The puzzle of a day, counted from 1970. Each day has the next of the rulesets that have puzzles.
    fn of_day(day: i64) -> Option<Self> {
        let rulesets: Vec<Ruleset> =
            Ruleset::ALL.into_iter().filter(|ruleset| !puzzle::Puzzle::all(*ruleset).is_empty()).collect();
        let n_rulesets = (rulesets.len() as i64).max(1);
        let ruleset = *rulesets.get(day.rem_euclid(n_rulesets) as usize)?;
        let puzzles = puzzle::Puzzle::all(ruleset);
        let index = (day.div_euclid(n_rulesets) * STRIDE).rem_euclid(puzzles.len() as i64);
        puzzles.get(index as usize).map(|puzzle| Self { ruleset, puzzle })
    }

    fn row(self) -> Result<PuzzleRow, Problem> {
        let id = self.puzzle.id.parse().map_err(|_| ProblemCode::Unavailable)?;
        Ok(PuzzleRow { id, ruleset: self.ruleset, grade: self.grade()? })
    }

    fn grade(self) -> Result<Grade, Problem> {
        Grade::try_from(self.puzzle.grade).map_err(|_| ProblemCode::Unavailable.into())
    }

    pub(super) fn game(self) -> Result<AnyMatch, Problem> {
        self.puzzle.game(self.ruleset).map_err(|_| ProblemCode::Unavailable.into())
    }

    /// The puzzle as a page shows it.
    fn shown(self) -> Result<Puzzle, Problem> {
        let trial = trial_after(&self.game()?, &[""; 0])?;
        let moves = trial.draft.turn.allowance.as_ref().map(|allowance| allowance.left);
        let task = match (moves, self.puzzle.gain) {
            (Some(moves), _) => PuzzleTask::WinInTurn { moves },
            (None, Some(gain)) => PuzzleTask::BestCapture { gain },
            (None, None) => PuzzleTask::WinInTwo,
        };
        let PuzzleRow { id, ruleset, grade } = self.row()?;
        Ok(Puzzle { id, ruleset, grade, task, trial })
    }

    /// The position after some own turns and the replies to them, and after some actions.
    fn trial(self, first: &str, actions: &str) -> Result<Trial, Problem> {
        let first: Vec<String> = listed_in(first).into_iter().map(str::to_owned).collect();
        let turns = if first.is_empty() { Vec::new() } else { vec![first] };
        let game = self.puzzle.game_after(self.ruleset, &turns).map_err(|why| match why {
            Refused::Turn { index, error } => refuse(&turns[index], error),
            Refused::NumberOfTurns => {
                Problem::new(ProblemCode::InvalidQuery, "this puzzle has no turn after these")
            }
        })?;
        trial_after(&game, &listed_in(actions))
    }

    fn judge(self, turns: &[Vec<String>]) -> Result<PuzzleVerdict, Problem> {
        let verdict = self.puzzle.judge(self.ruleset, turns).map_err(|why| match why {
            Refused::Turn { index, error } => refuse(&turns[index], error),
            Refused::NumberOfTurns => {
                Problem::new(InvalidBody, "`turns` must have at least one turn, and not more than the task")
            }
        })?;
        let (verdict, reply) = match verdict {
            puzzle::Verdict::Solved => (Verdict::Solved, None),
            puzzle::Verdict::Failed { reply } => (Verdict::Failed, reply),
            puzzle::Verdict::Continues { reply } => (Verdict::Continues, Some(reply)),
        };
        let reply = match reply {
            Some(reply) => {
                let mut game = self.game()?;
                play(&mut game, &turns[0])?;
                Some(play(&mut game, &reply)?)
            }
            None => None,
        };
        let next = match verdict {
            Verdict::Continues => {
                let game = self.puzzle.game_after(self.ruleset, turns);
                Some(trial_after(&game.map_err(|_| ProblemCode::Unavailable)?, &[""; 0])?)
            }
            Verdict::Solved | Verdict::Failed => None,
        };
        let solution = if verdict == Verdict::Solved { Some(self.solution()?) } else { None };
        Ok(PuzzleVerdict { verdict, reply, next, solution })
    }

    fn solution(self) -> Result<Vec<PuzzleTurn>, Problem> {
        let mut game = self.game()?;
        self.puzzle.solution.iter().map(|turn| play(&mut game, turn)).collect()
    }
}

/// Plays a turn that is known to be legal.
fn play(game: &mut AnyMatch, turn: &[String]) -> Result<PuzzleTurn, Problem> {
    let draft = game.draft(turn).map_err(|error| refuse(turn, error))?;
    let side = game.to_move();
    game.play(turn).map_err(|error| refuse(turn, error))?;
    Ok(PuzzleTurn { side, steps: Draft::from(&draft).steps })
}

problems!(ListProblems: OF_QUERIES);

/// The puzzles, by ruleset and from the easiest on.
#[utoipa::path(
    get,
    path = "/puzzles",
    tag = "puzzles",
    operation_id = "list_puzzles",
    params(PuzzlesQuery),
    responses(
        (status = 200, description = "The list.", body = PuzzleList),
        ListProblems,
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Query(PuzzlesQuery { ruleset, grade }): Query<PuzzlesQuery>,
) -> Result<Json<PuzzleList>, Problem> {
    refuse_fast(&app, client, LimitedAction::List)?;
    let is_listed = |entry: &Entry| {
        ruleset.is_none_or(|ruleset| entry.ruleset == ruleset.0)
            && grade.is_none_or(|grade| entry.puzzle.grade == grade.get())
    };
    let puzzles = Entry::all().filter(is_listed).map(Entry::row).collect::<Result<_, _>>()?;
    Ok(Json(PuzzleList { puzzles }))
}

problems!(TodayProblems: OF_DOCUMENTS);

/// The puzzle of the day, which is the same for everybody and changes at midnight UTC.
#[utoipa::path(
    get,
    path = "/puzzles/today",
    tag = "puzzles",
    operation_id = "read_puzzle_of_the_day",
    responses(
        (status = 200, description = "The puzzle.", body = Puzzle),
        TodayProblems,
    ),
)]
pub(super) async fn today(State(app): State<App>, recipient: Recipient) -> Result<Response, Problem> {
    let day = app.env.now_ms().div_euclid(MS_A_DAY);
    let entry = Entry::of_day(day).ok_or(ProblemCode::Unavailable)?;
    answer(&app, recipient, move || entry.shown()).await
}

problems!(ReadProblems: OF_DOCUMENTS, &[NoSuchResource]);

/// A puzzle.
#[utoipa::path(
    get,
    path = "/puzzles/{id}",
    tag = "puzzles",
    operation_id = "read_puzzle",
    params(("id" = inline(PuzzleId), Path, description = "Id of the puzzle.")),
    responses(
        (status = 200, description = "The puzzle.", body = Puzzle),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        ReadProblems,
    ),
)]
pub(super) async fn read(
    State(app): State<App>,
    recipient: Recipient,
    headers: HeaderMap,
    Path(id): Path<PuzzleId>,
) -> Result<Response, Problem> {
    let entry = Entry::find(&id)?;
    kept(&app, recipient, &headers, move || entry.shown()).await
}

problems!(LookProblems: OF_DOCUMENTS, OF_QUERIES, &[IllegalAction, NoSuchResource]);

/// The position of a puzzle after some actions, with its legal actions.
///
/// In the second turn of two, the other side's reply to the first one is part of it.
#[utoipa::path(
    get,
    path = "/puzzles/{id}/try",
    tag = "puzzles",
    operation_id = "try_puzzle",
    params(
        ("id" = inline(PuzzleId), Path, description = "Id of the puzzle."),
        PuzzleTrialQuery,
    ),
    responses(
        (status = 200, description = "The position.", body = Trial),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        LookProblems,
    ),
)]
pub(super) async fn look(
    State(app): State<App>,
    recipient: Recipient,
    headers: HeaderMap,
    Path(id): Path<PuzzleId>,
    Query(PuzzleTrialQuery { first, actions }): Query<PuzzleTrialQuery>,
) -> Result<Response, Problem> {
    let entry = Entry::find(&id)?;
    kept(&app, recipient, &headers, move || entry.trial(&first, &actions)).await
}

problems!(AttemptProblems: OF_BODIES, OF_CHANGES, OF_DOCUMENTS, OF_FIELDS, &[IllegalAction, NoSuchResource]);

/// The judgement of an attempt.
///
/// Every solution counts, even one other than the server's. Nothing is stored.
#[utoipa::path(
    post,
    path = "/puzzles/{id}/attempts",
    tag = "puzzles",
    operation_id = "attempt_puzzle",
    params(("id" = inline(PuzzleId), Path, description = "Id of the puzzle.")),
    request_body = PuzzleAttempt,
    responses(
        (status = 200, description = "The judgement.", body = PuzzleVerdict),
        AttemptProblems,
    ),
)]
pub(super) async fn attempt(
    State(app): State<App>,
    recipient: Recipient,
    Path(id): Path<PuzzleId>,
    Json(PuzzleAttempt { turns }): Json<PuzzleAttempt>,
) -> Result<Response, Problem> {
    let entry = Entry::find(&id)?;
    answer(&app, recipient, move || entry.judge(&turns)).await
}

/// The solver's solution of a puzzle.
#[utoipa::path(
    get,
    path = "/puzzles/{id}/solution",
    tag = "puzzles",
    operation_id = "read_puzzle_solution",
    params(("id" = inline(PuzzleId), Path, description = "Id of the puzzle.")),
    responses(
        (status = 200, description = "The solution.", body = PuzzleSolution),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        ReadProblems,
    ),
)]
pub(super) async fn solution(
    State(app): State<App>,
    recipient: Recipient,
    headers: HeaderMap,
    Path(id): Path<PuzzleId>,
) -> Result<Response, Problem> {
    let entry = Entry::find(&id)?;
    kept(&app, recipient, &headers, move || Ok(PuzzleSolution { turns: entry.solution()? })).await
}

/// Computes an answer on the compute pool. The response may be cached.
async fn kept<T: serde::Serialize + Send + 'static>(
    app: &App,
    recipient: Recipient,
    headers: &HeaderMap,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let written =
        app.compute.run(recipient.requester, move || Ok::<_, Problem>(CachedAnswer::json(&work()?)));
    written.await??.answer(app, recipient, headers).await
}

/// Computes an answer on the compute pool. The response is not cached.
async fn answer<T: serde::Serialize + Send + 'static>(
    app: &App,
    recipient: Recipient,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let written = app.compute.run(recipient.requester, move || {
        let text = serde_json::to_string(&work()?).map_err(|_| ProblemCode::Unavailable)?;
        Ok::<_, Problem>(Gzipped::of_text(&text))
    });
    let mut response = recipient.answer(app, written.await??, "application/json").await?;
    response.headers_mut().insert(header::CACHE_CONTROL, NO_STORE);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, env, fs};

    use serde_json::json;

    use super::*;

    /// Environment variable that makes a test rewrite the client's puzzles instead of comparing them.
    const WRITE: &str = "WRITE_PUZZLES";

    #[test]
    fn the_client_has_all_puzzles() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../static/puzzle/puzzles.json");
        let lines: Vec<String> = Entry::all()
            .map(|entry| {
                let task = entry.shown().expect("its legal actions can be listed").task;
                json!({ "ruleset": entry.ruleset.id(), "task": task, "puzzle": entry.puzzle }).to_string()
            })
            .collect();
        let text = format!("[\n{}\n]\n", lines.join(",\n"));
        if env::var_os(WRITE).is_some() {
            fs::write(path, text).expect("the file can be written");
            return;
        }
        let is_same = fs::read_to_string(path).is_ok_and(|kept| kept == text);
        assert!(is_same, "run {WRITE}=1 cargo test --workspace the_client_has_all_puzzles");
    }

    #[test]
    fn every_puzzle_can_be_shown_with_its_solution() {
        for entry in Entry::all() {
            let puzzle = entry.shown().expect("its legal actions can be listed");
            let is_fitting = match puzzle.task {
                PuzzleTask::WinInTurn { moves } => entry.puzzle.solution[0].len() == usize::from(moves),
                PuzzleTask::BestCapture { gain } => gain > 0 && puzzle.trial.best_capture.is_some(),
                PuzzleTask::WinInTwo => entry.puzzle.solution.len() == 3,
            };
            assert!(is_fitting, "{:?}", puzzle.task);
            let turns = entry.solution().expect("its solution is legal");
            assert_eq!(turns[0].side, puzzle.trial.draft.turn.side);
        }
    }

    #[test]
    fn each_puzzle_has_its_day() {
        let days = 0..7 * 200;
        let seen: BTreeSet<&str> =
            days.map(|day| Entry::of_day(day).expect("a day has a puzzle").puzzle.id.as_str()).collect();
        assert_eq!(seen.len(), Entry::all().count());
        for day in [-1, 20_000, i64::MAX / STRIDE] {
            let [today, tomorrow] = [day, day + 1].map(|day| Entry::of_day(day).expect("a day has a puzzle"));
            assert_ne!(today.ruleset, tomorrow.ruleset);
        }
    }
}
