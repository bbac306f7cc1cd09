//! Queries and bodies of the puzzles.

use std::{fmt, str::FromStr};

use engine::{Ruleset, Side};
use serde::{Deserialize, Serialize};

use super::{Step, Text, Trial};

/// Id of a puzzle: eight hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "string"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String))]
#[serde(try_from = "String")]
pub struct PuzzleId(String);

/// The text is not the id of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPuzzleId;

impl fmt::Display for NotAPuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected eight hexadecimal digits")
    }
}

impl FromStr for PuzzleId {
    type Err = NotAPuzzleId;

    fn from_str(text: &str) -> Result<Self, NotAPuzzleId> {
        Self::try_from(text.to_owned())
    }
}

impl TryFrom<String> for PuzzleId {
    type Error = NotAPuzzleId;

    fn try_from(text: String) -> Result<Self, NotAPuzzleId> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 8 && text.bytes().all(is_digit) { Ok(Self(text)) } else { Err(NotAPuzzleId) }
    }
}

impl PuzzleId {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Difficulty of a puzzle among those of its ruleset: 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "number"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = u8, minimum = 1, maximum = 5))]
#[serde(try_from = "u8")]
pub struct Grade(u8);

impl Grade {
    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Grade {
    type Error = &'static str;

    fn try_from(grade: u8) -> Result<Self, &'static str> {
        if (1..=5).contains(&grade) { Ok(Self(grade)) } else { Err("expected a grade of 1 to 5") }
    }
}

/// Query of `GET /api/v1/puzzles`: filters.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct PuzzlesQuery {
    /// Ruleset of the puzzles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(inline, value_type = Option<crate::schema::Ruleset>))]
    pub ruleset: Option<Text<Ruleset>>,
    /// Grade of the puzzles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<u8>, minimum = 1, maximum = 5))]
    pub grade: Option<Grade>,
}

/// Response to `GET /api/v1/puzzles`: the puzzles that the filters leave, by ruleset and from the easiest on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleList {
    pub puzzles: Vec<PuzzleRow>,
}

/// Puzzle of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleRow {
    pub id: PuzzleId,
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
    pub ruleset: Ruleset,
    pub grade: Grade,
}

/// Response to `GET /api/v1/puzzles/{id}` and `GET /api/v1/puzzles/today`: a position with its task.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Puzzle {
    pub id: PuzzleId,
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
    pub ruleset: Ruleset,
    pub grade: Grade,
    pub task: PuzzleTask,
    /// The position, with its legal actions.
    pub trial: Trial,
}

/// Task of a puzzle, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PuzzleTask {
    /// Win in this turn, which has `moves` moves left. All of them are needed.
    WinInTurn { moves: u8 },
    /// Find the best capture. After two turns of each side it has gained `gain` discs, less those lost, at least two
    /// more than any other legal result.
    BestCapture { gain: u8 },
    /// Win with the second turn, whatever the other side replies to the first one.
    WinInTwo,
}

/// Query of `GET /api/v1/puzzles/{id}/try`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct PuzzleTrialQuery {
    /// The whole first turn, if the actions are of the second one. Actions are separated by commas.
    #[serde(default)]
    pub first: String,
    /// Actions so far, separated by commas.
    #[serde(default)]
    pub actions: String,
}

/// Body of `POST /api/v1/puzzles/{id}/attempts`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// The own turns so far, each with the texts of its actions.
    pub turns: Vec<Vec<String>>,
}

/// Response to `POST /api/v1/puzzles/{id}/attempts`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleVerdict {
    pub verdict: Verdict,
    /// Reply of the other side to the first of two turns; if the attempt failed, the one that shows why. Null if there
    /// is none.
    pub reply: Option<PuzzleTurn>,
    /// The position after the reply, in which the next turn is to be found; null unless the attempt continues.
    pub next: Option<Trial>,
    /// A solution, as in `PuzzleSolution`; null unless the puzzle is solved.
    pub solution: Option<Vec<PuzzleTurn>>,
}

/// Judgement of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Solved,
    Failed,
    /// The first of two turns is right.
    Continues,
}

/// Response to `GET /api/v1/puzzles/{id}/solution`: a solution with the best replies, the turns of both sides in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleSolution {
    pub turns: Vec<PuzzleTurn>,
}

/// Turn of a solution, or a reply.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleTurn {
    #[cfg_attr(feature = "ts", ts(type = "Side"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
    pub side: Side,
    pub steps: Vec<Step>,
}
