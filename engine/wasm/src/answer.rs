use engine::{AnyMatch, Side, TextError, TurnError, TurnErrorKind};
use serde::Serialize;
use views::{Step, Turn};

/// State of a match.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// Number of the match.
    pub id: usize,
    pub turn: Turn,
    /// Steps of the last turn, with the positions after them; empty before the first turn.
    pub steps: Vec<Step>,
    /// Null while the game is not over.
    pub outcome: Option<Outcome>,
    /// Number of turns played since the match was opened.
    pub n_turns: usize,
}

impl State {
    pub(crate) fn of(id: usize, game: &AnyMatch) -> Self {
        Self {
            id,
            turn: game.present().into(),
            steps: game.last_steps().iter().map(Into::into).collect(),
            outcome: game.outcome().map(Into::into),
            n_turns: game.turns().len(),
        }
    }
}

/// Beginning of a turn, and the actions that may follow it.
#[derive(Clone, Debug, Serialize)]
pub struct Choices {
    #[serde(flatten)]
    pub choices: views::Choices,
    /// Outcome of the game, if the actions are a whole turn that ends it.
    pub outcome: Option<Outcome>,
}

/// Outcome of a game (RULES 0.5).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Outcome {
    /// Null for a draw.
    pub winner: Option<Side>,
    pub reason: &'static str,
}

impl From<engine::Outcome> for Outcome {
    fn from(outcome: engine::Outcome) -> Self {
        Self { winner: outcome.winner, reason: outcome.reason.id() }
    }
}

/// Reason for which a call had no effect, as in a `nack` of the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    /// The action at `index`, counted from 0, breaks the clause `rule`.
    Illegal {
        index: usize,
        rule: String,
    },
    /// The actions are not a whole turn.
    Incomplete {
        index: usize,
        rule: String,
    },
    /// There are too many legal actions to list them.
    TooMany {
        limit: usize,
    },
    /// No game can begin from the text, which breaks the clause `rule` at byte `at`, counted from 0.
    InvalidPosition {
        at: usize,
        rule: String,
    },
    /// The match waits for no such card.
    InvalidCard,
    /// The next turn is not known before this one is played.
    UnknownTurn,
    UnknownRuleset,
    UnknownMatch,
}

impl From<TextError> for Refusal {
    fn from(TextError { at, rule, kind: _ }: TextError) -> Self {
        Self::InvalidPosition { at, rule: rule.as_str().to_owned() }
    }
}

impl From<TurnError> for Refusal {
    fn from(error: TurnError) -> Self {
        let (index, rule) = (error.index, error.rule.as_str().to_owned());
        match error.kind {
            TurnErrorKind::Incomplete { .. } => Self::Incomplete { index, rule },
            TurnErrorKind::Unreadable(_)
            | TurnErrorKind::Illegal(_)
            | TurnErrorKind::TurnOver
            | TurnErrorKind::GameOver => Self::Illegal { index, rule },
        }
    }
}
