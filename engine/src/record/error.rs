use std::fmt;

use thiserror::Error;

use super::Misfit;
use crate::{Card, CardError, Outcome, TextError, TooCostly, TurnError, TurnNumber, Unfair};

/// The error of a record, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line of the record's text, from 1; `None` if JSON was read.
    pub line: Option<usize>,
    /// The turn of the line, if it has one.
    pub turn: Option<u16>,
    pub kind: RecordErrorKind,
}

/// The flaw of a record. The first six are found when it is read, the others when it is replayed.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum RecordErrorKind {
    #[error(transparent)]
    Misfit(#[from] Misfit),
    #[error("{field}: {misfit}")]
    Field { field: &'static str, misfit: Misfit },
    /// `message` ends with the position in the text.
    #[error("not the JSON of a record: {message}")]
    Json { line: usize, column: usize, message: String },
    #[error("version {version} of the format is newer than version 1, which is read here")]
    NewerVersion { version: u32 },
    #[error("the text begins with a byte order mark: leave it out")]
    ByteOrderMark,
    #[error(
        "this line ends with a carriage return, as in files of Windows: end lines with a line feed alone"
    )]
    CarriageReturn,
    #[error("the start is refused: {0}")]
    Start(TextError),
    #[error("the ruleset's own start must be left out")]
    UsualStart,
    #[error("the ruleset has no cards")]
    NoCards,
    #[error("a turn of a ruleset with cards must have its card")]
    CardMissing,
    #[error(transparent)]
    Card(#[from] CardError),
    #[error("the card that lies face up is {expected}")]
    WrongCard { expected: Card },
    #[error(transparent)]
    Unfair(#[from] Unfair),
    #[error("the turn to be played is {expected}")]
    WrongNumber { expected: TurnNumber },
    #[error(transparent)]
    Turn(TurnError),
    #[error(transparent)]
    TooCostly(TooCostly),
    #[error("the game {}", by_rules(*.0))]
    WrongEnding(Option<Outcome>),
    #[error("a game that is resigned has a winner, and one that is ended by agreement has none")]
    WrongWinner,
    #[error("the game led to `{expected}`")]
    WrongFinalText { expected: String },
}

fn by_rules(outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| "is not over by the rules".to_owned(), |outcome| format!("ended with `{outcome}`"))
}

impl RecordErrorKind {
    pub(super) fn field(field: &'static str) -> impl Fn(Misfit) -> Self {
        move |misfit| Self::Field { field, misfit }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(turn) = self.turn {
            write!(f, "turn {turn}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for RecordError {}
