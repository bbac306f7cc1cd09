use search::{Report, ScoredLine};
use serde::Serialize;

/// The result of a search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The actions of the best turn, which is complete and legal.
    pub turn: Vec<String>,
    /// The chance of the side to move to win, 0 to 1. A draw counts as half a win.
    pub score: f32,
    /// The best turns, the best one first, as many as were asked for and found.
    pub lines: Vec<Line>,
    /// Number of positions visited.
    pub nodes: u64,
    /// Depth reached: plies in games of one action a turn, turns searched for answers in Fibonacci.
    pub depth: u32,
}

/// A turn with its score.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// The turns expected from here, each as its actions.
    pub turns: Vec<Vec<String>>,
    /// The chance of the side to move to win, 0 to 1.
    pub score: f32,
}

impl From<Report> for Answer {
    fn from(Report { turn, score, lines, nodes, depth }: Report) -> Self {
        Self { turn, score, lines: lines.into_iter().map(Into::into).collect(), nodes, depth }
    }
}

impl From<ScoredLine> for Line {
    fn from(ScoredLine { turns, score }: ScoredLine) -> Self {
        Self { turns, score }
    }
}

/// Reason for which there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    /// The text is no question. `detail` says why, in English.
    InvalidQuestion {
        detail: String,
    },
    UnknownRuleset,
    UnknownLevel,
    /// No game can begin from the text. `detail` says why, in English.
    InvalidPosition {
        detail: String,
    },
    /// The turn at `index`, counted from 0, is not legal after those before it.
    IllegalTurn {
        index: usize,
    },
    /// The game waits for no such card.
    InvalidCard,
    /// The game is over, or waits for a card.
    NoTurn,
    /// An attempt has no turns, or more than its puzzle asks for.
    NumberOfTurns,
}

/// The JSON of a result: the answer, or `{"refused":{"code":…}}`.
#[must_use]
pub fn json<T: Serialize>(result: Result<T, Refusal>) -> Vec<u8> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Told<T> {
        Given(T),
        Refused { refused: Refusal },
    }
    let told = result.map_or_else(|refused| Told::Refused { refused }, Told::Given);
    serde_json::to_vec(&told).expect("answers have string keys only")
}
