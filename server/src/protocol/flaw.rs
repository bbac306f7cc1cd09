//! What is wrong with something that a person wrote: a record, a start position, the actions on the try-board.

use engine::Side;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Reason;

/// What is wrong with something that a person wrote. Where it is wrong in a record, the `line` and `turn` of the problem
/// tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Flaw {
    /// Something else should stand there.
    Expected {
        what: Expected,
        /// The header or field of a record that it should stand in; null elsewhere.
        field: Option<String>,
    },
    /// It is not the JSON of a record; the place in it, both from 1.
    NotJson { line: usize, column: usize },
    /// The text of a position is wrong at a byte, from 0, and breaks a clause of the rules, as `1.5`.
    Position { at: usize, rule: String },
    /// A record names the ruleset's own start, which is left out.
    UsualStart,
    /// The ruleset has no cards.
    NoCards,
    /// A turn of a ruleset with cards lacks its card.
    CardMissing,
    /// No card is turned over there.
    NoCardDue,
    /// Both cards of this value have left the pack since it was shuffled.
    NoCardLeft { card: u8 },
    /// Another card lies face up.
    WrongCard { expected: u8 },
    /// The seed is not the one whose hash was published.
    WrongSeed,
    /// The seed has another card for a turn than was shown.
    UnfairCard { turn: u16, shown: u8, expected: u8 },
    /// Another turn is to be played.
    WrongNumber { expected: u16 },
    /// The action at `index`, from 0, breaks `rule`.
    Illegal { index: usize, rule: String },
    /// The actions are a legal beginning, but no whole turn; `rule` tells why.
    Incomplete { index: usize, rule: String },
    /// The game was over before the action at `index`.
    GameOver { index: usize },
    /// Finding the largest captures of a position takes more than `limit` steps.
    TooCostly { limit: usize },
    /// The game is not over by the rules.
    NotOver,
    /// The game ended otherwise by the rules.
    WrongEnding {
        #[serde(with = "crate::ids::optional_side")]
        #[ts(type = "Side | null")]
        winner: Option<Side>,
        reason: Reason,
    },
    /// A game that is resigned has a winner, and one that is ended by agreement has none.
    WrongWinner,
    /// The game led to another position.
    WrongFinal { expected: String },
}

/// The expected part of a record; `docs/records.md` describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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
