//! What has happened in a game.

use std::sync::Arc;

use engine::{Ruleset, Side};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use ts_rs::TS;

use super::{OfferKind, Outcome, Player, SeatChoice, Seats, Step, Terms, Times, Visibility};
use crate::ids::{GameId, Version, declared_as};

/// What has happened in a game, as its readers see it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Event {
    pub version: Version,
    /// The server's time, milliseconds since 1970.
    #[ts(type = "number")]
    pub at_ms: i64,
    #[serde(flatten)]
    pub what: EventKind,
}

/// An [`Event`] as it goes on the wire: written once, however many read it and however often.
#[derive(Clone, Debug)]
pub struct WrittenEvent(Arc<RawValue>);

declared_as!(WrittenEvent, Event);

impl WrittenEvent {
    /// The JSON.
    pub(crate) fn text(&self) -> &str {
        self.0.get()
    }
}

impl From<Box<RawValue>> for WrittenEvent {
    /// An event that was written before.
    fn from(written: Box<RawValue>) -> Self {
        Self(written.into())
    }
}

impl From<&Event> for WrittenEvent {
    fn from(event: &Event) -> Self {
        Self(to_raw_value(event).expect("events have string keys only").into())
    }
}

impl Serialize for WrittenEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WrittenEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Event::deserialize(deserializer).map(|event| Self::from(&event))
    }
}

/// The kinds of [`Event`].
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    Created {
        #[serde(with = "crate::ids::ruleset")]
        #[ts(type = "Ruleset")]
        ruleset: Ruleset,
        visibility: Visibility,
        creator: Player,
        seat: SeatChoice,
        terms: Terms,
        /// The text of the start position. Where the first card is not turned over yet, it has `0/0` in its
        /// place.
        start: String,
        /// SHA-256 in hex of the seed that fixes the cards, where a ruleset has cards (RULES 1.18).
        seed_hash: Option<String>,
    },
    /// Both seats are taken; the first turn begins.
    Started { seats: Seats },
    TurnPlayed {
        turn: u16,
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
        /// The card of the turn, where a ruleset has cards.
        card: Option<u8>,
        steps: Vec<Step>,
        /// Milliseconds that the turn is said to have taken: those since it began, less what was credited.
        #[ts(type = "number")]
        took_ms: i64,
        /// Both sides' time after it, where the game has a clock.
        time: Option<Times>,
    },
    /// A side offers something.
    Offered {
        what: OfferKind,
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// An offer was declined or, by the side that made it, taken back.
    Declined {
        what: OfferKind,
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// A side accepted a draw. `ended` follows.
    DrawAgreed {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The last turns are taken back, and the clocks are as they were before them.
    TurnsTakenBack {
        /// How many, 1 or 2.
        turns: u16,
        /// The side that accepted.
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The server was away while this side's time ran, and gives it back.
    TimeCredited {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
        #[ts(type = "number")]
        ms: i64,
    },
    Resigned {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// A side's time is over. `ended` follows.
    Flagged {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// A side claimed the end of a game that the other one has left. `ended` follows.
    Claimed {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The game ended without a result before both sides had made a turn: by a side, or by the time for first
    /// turns.
    Aborted {
        #[serde(with = "crate::ids::optional_side")]
        #[ts(type = "Side | null")]
        side: Option<Side>,
    },
    /// The players went on in another game. Comes after `ended`.
    RematchStarted {
        rematch: GameId,
        /// The side that accepted.
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The room was closed by its maker before anyone joined.
    Cancelled,
    Ended {
        outcome: Outcome,
        /// The seed of the cards in hex, now for all to know, where a ruleset has cards (RULES 1.18).
        seed: Option<String>,
    },
}
