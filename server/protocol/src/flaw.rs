//! Errors in texts that a person wrote: a record, a start position, the actions in a puzzle.

use engine::{
    CardError, Side, TextError, TooCostly, TurnError, TurnErrorKind, Unfair,
    record::{Misfit, RecordErrorKind},
};
use serde::{Deserialize, Serialize};

use super::Reason;

/// Error in a text that a person wrote. In a record, the `line` and `turn` of the problem locate it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Flaw {
    /// Another part of a record is expected there.
    Expected {
        what: Expected,
        /// Header or field of the record in which the part is expected; null elsewhere.
        field: Option<String>,
    },
    /// The text is not the JSON of a record. `line` and `column` count from 1.
    NotJson { line: usize, column: usize },
    /// The record is of a later version of the format than this server reads.
    NewerVersion { version: u32 },
    /// The text begins with a byte order mark.
    ByteOrderMark,
    /// A line ends with a carriage return, and not with a line feed alone.
    CarriageReturn,
    /// The text of a position breaks the clause `rule` of the rules, as `1.5`, at byte `at`, counted from 0.
    Position { at: usize, rule: String },
    /// The record names the ruleset's own start, which it must leave out.
    UsualStart,
    /// The ruleset has no cards.
    NoCards,
    /// A turn of a ruleset with cards lacks its card.
    CardMissing,
    /// No card is turned over there.
    NoCardDue,
    /// Both cards of this value have been turned over since the pack was shuffled.
    NoCardLeft { card: u8 },
    /// Another card lies face up.
    WrongCard { expected: u8 },
    /// The seed is not the one whose hash was published.
    WrongSeed,
    /// By the seed, the card of this turn is `expected`, but the record shows `shown`.
    UnfairCard { turn: u16, shown: u8, expected: u8 },
    /// The turn to be played has the number `expected`.
    WrongNumber { expected: u16 },
    /// The action at `index`, counted from 0, breaks the clause `rule` of the rules.
    Illegal { index: usize, rule: String },
    /// The actions are a legal beginning of a turn, but by the clause `rule` not a whole turn. `index` is their number.
    Incomplete { index: usize, rule: String },
    /// The game was over before the action at `index`, counted from 0.
    GameOver { index: usize },
    /// The captures of a position are too costly to resolve: finding the largest takes more than `limit` search steps,
    /// or more than the limit on all turns of a record together.
    TooCostly { limit: usize },
    /// The game is not over by the rules.
    NotOver,
    /// By the rules the game ended with this winner and reason. `winner` is null for a draw.
    WrongEnding {
        #[cfg_attr(feature = "ts", ts(type = "Side | null"))]
        #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schema::Side>))]
        winner: Option<Side>,
        reason: Reason,
    },
    /// A resigned game has a winner, and a game drawn by agreement has none.
    WrongWinner,
    /// The game led to the position `expected`.
    WrongFinal { expected: String },
}

/// Expected part of a record; `docs/records.md` describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    Title,
    Version,
    Ruleset,
    RulesetHeader,
    ReasonHeader,
    Header,
    Text,
    Day,
    Result,
    Reason,
    ResultBesideReason,
    ReasonBesideResult,
    Hex,
    TurnOrFinal,
    Final,
    TurnNumber,
    PlainNumbers,
    Card,
    CardNumber,
    Actions,
    Action,
    Time,
    LineFeed,
    End,
}

impl From<RecordErrorKind> for Flaw {
    fn from(kind: RecordErrorKind) -> Self {
        match kind {
            RecordErrorKind::Misfit(misfit) => Self::Expected { what: misfit.into(), field: None },
            RecordErrorKind::Field { field, misfit } => {
                Self::Expected { what: misfit.into(), field: Some(field.to_owned()) }
            }
            RecordErrorKind::Json { line, column, message: _ } => Self::NotJson { line, column },
            RecordErrorKind::NewerVersion { version } => Self::NewerVersion { version },
            RecordErrorKind::ByteOrderMark => Self::ByteOrderMark,
            RecordErrorKind::CarriageReturn => Self::CarriageReturn,
            RecordErrorKind::Start(error) => error.into(),
            RecordErrorKind::UsualStart => Self::UsualStart,
            RecordErrorKind::NoCards => Self::NoCards,
            RecordErrorKind::CardMissing => Self::CardMissing,
            RecordErrorKind::Card(CardError::NoneDue) => Self::NoCardDue,
            RecordErrorKind::Card(CardError::NoneLeft { card }) => Self::NoCardLeft { card: card.get() },
            RecordErrorKind::WrongCard { expected } => Self::WrongCard { expected: expected.get() },
            RecordErrorKind::Unfair(Unfair::Hash) => Self::WrongSeed,
            RecordErrorKind::Unfair(Unfair::Card { turn, shown, fixed }) => {
                Self::UnfairCard { turn: turn.get(), shown: shown.get(), expected: fixed.get() }
            }
            RecordErrorKind::WrongNumber { expected } => Self::WrongNumber { expected: expected.get() },
            RecordErrorKind::Turn(error) => error.into(),
            RecordErrorKind::TooCostly(error) => error.into(),
            RecordErrorKind::WrongEnding(None) => Self::NotOver,
            RecordErrorKind::WrongEnding(Some(outcome)) => Self::WrongEnding {
                winner: outcome.winner,
                reason: game::Reason::from(outcome.reason).into(),
            },
            RecordErrorKind::WrongWinner => Self::WrongWinner,
            RecordErrorKind::WrongFinalText { expected } => Self::WrongFinal { expected },
        }
    }
}

impl From<TextError> for Flaw {
    fn from(TextError { at, rule, kind: _ }: TextError) -> Self {
        Self::Position { at, rule: rule.to_string() }
    }
}

impl From<TooCostly> for Flaw {
    fn from(TooCostly { limit }: TooCostly) -> Self {
        Self::TooCostly { limit: usize::try_from(limit).unwrap_or(usize::MAX) }
    }
}

impl From<TurnError> for Flaw {
    fn from(TurnError { index, rule, kind }: TurnError) -> Self {
        let rule = rule.to_string();
        match kind {
            TurnErrorKind::Incomplete { .. } => Self::Incomplete { index, rule },
            TurnErrorKind::GameOver => Self::GameOver { index },
            TurnErrorKind::Unreadable(_) | TurnErrorKind::Illegal(_) | TurnErrorKind::TurnOver => {
                Self::Illegal { index, rule }
            }
        }
    }
}

impl From<Misfit> for Expected {
    fn from(misfit: Misfit) -> Self {
        match misfit {
            Misfit::Title => Self::Title,
            Misfit::Version => Self::Version,
            Misfit::Ruleset => Self::Ruleset,
            Misfit::RulesetHeader => Self::RulesetHeader,
            Misfit::ReasonHeader => Self::ReasonHeader,
            Misfit::Header => Self::Header,
            Misfit::Text => Self::Text,
            Misfit::Day => Self::Day,
            Misfit::Result => Self::Result,
            Misfit::Reason => Self::Reason,
            Misfit::ResultBesideReason => Self::ResultBesideReason,
            Misfit::ReasonBesideResult => Self::ReasonBesideResult,
            Misfit::Hex => Self::Hex,
            Misfit::TurnOrFinal => Self::TurnOrFinal,
            Misfit::Final => Self::Final,
            Misfit::TurnNumber => Self::TurnNumber,
            Misfit::PlainNumbers => Self::PlainNumbers,
            Misfit::Card => Self::Card,
            Misfit::CardNumber => Self::CardNumber,
            Misfit::Actions => Self::Actions,
            Misfit::Action => Self::Action,
            Misfit::Time => Self::Time,
            Misfit::LineFeed => Self::LineFeed,
            Misfit::End => Self::End,
        }
    }
}
