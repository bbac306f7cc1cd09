//! The engine's refusals of what a person wrote in the words of the wire.

use engine::{
    CardError, TextError, TooCostly, TurnError, TurnErrorKind, Unfair,
    record::{Misfit, RecordErrorKind},
};

use super::view;
use crate::protocol::{Expected, Flaw};

impl From<RecordErrorKind> for Flaw {
    fn from(kind: RecordErrorKind) -> Self {
        match kind {
            RecordErrorKind::Misfit(misfit) => Self::Expected { what: misfit.into(), field: None },
            RecordErrorKind::Field { field, misfit } => {
                Self::Expected { what: misfit.into(), field: Some(field.to_owned()) }
            }
            RecordErrorKind::Json { line, column, message: _ } => Self::NotJson { line, column },
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
            RecordErrorKind::WrongEnding(Some(outcome)) => {
                Self::WrongEnding { winner: outcome.winner, reason: view::reason(outcome.reason) }
            }
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
