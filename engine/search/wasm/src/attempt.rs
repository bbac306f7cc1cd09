use engine::Ruleset;
use search::puzzle::{Puzzle, Refused, Verdict};
use serde::Deserialize;

use super::{Refusal, question::read};

/// An attempt at a puzzle that is to be judged.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub ruleset: String,
    pub puzzle: Puzzle,
    /// The own turns, each as its actions.
    pub turns: Vec<Vec<String>>,
}

impl Attempt {
    /// Reads an attempt from its JSON.
    ///
    /// # Errors
    /// The text is no attempt.
    pub fn read(json: &[u8]) -> Result<Self, Refusal> {
        read(json)
    }

    /// Judges the attempt, as the server does.
    ///
    /// # Errors
    /// There is no such ruleset, a turn is illegal, or there are none or too many.
    pub fn judge(&self) -> Result<Verdict, Refusal> {
        let ruleset: Ruleset = self.ruleset.parse().map_err(|_| Refusal::UnknownRuleset)?;
        self.puzzle.judge(ruleset, &self.turns).map_err(|why| match why {
            Refused::Turn { index, .. } => Refusal::IllegalTurn { index },
            Refused::NumberOfTurns => Refusal::NumberOfTurns,
        })
    }
}
