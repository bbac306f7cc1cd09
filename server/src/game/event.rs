use engine::Seed;
use serde::{Deserialize, Serialize};

use crate::{
    ids::{ActionText, GameId},
    protocol::{OfferKind, Outcome, Player, SeatChoice, Seats, Terms, Times, Visibility},
};

/// A fact of one game. The log of a game is a list of these, and the game is its fold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// A room was made. Always the first event and only that.
    Created {
        #[serde(with = "crate::ids::ruleset")]
        ruleset: engine::Ruleset,
        visibility: Visibility,
        creator: Player,
        seat: SeatChoice,
        #[serde(default)]
        terms: Terms,
        /// The text of a start position other than the ruleset's own (RULES 0.9).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<String>,
        /// What fixes the cards, in a ruleset with cards (RULES 1.18). No reader is shown it before the end.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::ids::secret_seed")]
        seed: Option<Seed>,
    },
    /// Somebody joined, and both seats were given out. The names are those of that moment.
    Started { seats: Seats },
    /// The side to move played a whole turn.
    TurnPlayed {
        actions: Vec<ActionText>,
        /// Milliseconds that it is said to have taken: those since it began, less credits and forgiven lag.
        took_ms: i64,
        /// Milliseconds of lag that were forgiven.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag_ms: i64,
        /// Both sides' time after it, where time is measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Times>,
    },
    /// A side offered something.
    Offered {
        what: OfferKind,
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// A side declined an offer, or took its own back.
    Declined {
        what: OfferKind,
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// A side accepted a draw. `Ended` follows.
    DrawAgreed {
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// A side accepted that the last turns are taken back.
    TurnsTakenBack {
        turns: u16,
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// The server was away while the time of the side to move ran, and gives it back.
    TimeCredited {
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
        ms: i64,
    },
    /// The time of the side to move is over. `Ended` follows.
    Flagged {
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// A side claimed the end of the game, since the other one is gone. `Ended` follows.
    Claimed {
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// The game ended without a result before both sides had made a turn: by a side, or by the time for it.
    Aborted {
        #[serde(with = "crate::ids::optional_side")]
        side: Option<engine::Side>,
    },
    /// A side accepted a rematch.
    RematchStarted {
        rematch: GameId,
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// A side gave up. `Ended` follows.
    Resigned {
        #[serde(with = "crate::ids::side")]
        side: engine::Side,
    },
    /// The maker closed the room before anyone joined.
    Cancelled,
    /// The game is over; appended together with the event that brought it about. Only talk of a rematch follows.
    Ended { outcome: Outcome },
}

/// An event with the time at which it happened, as it lies in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recorded {
    /// Milliseconds since 1970, by the server's clock.
    pub at_ms: i64,
    pub event: Event,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(ms: &i64) -> bool {
    *ms == 0
}

/// How bodies are written now. A reader of a later schema keeps reading this one.
const SCHEMA: u32 = 1;

/// Milliseconds of the largest time in an event: what JSON's numbers hold exactly. Sums of a few do not overflow.
pub(super) const MAX_MS: i64 = 1 << 53;

#[derive(Serialize, Deserialize)]
struct Body<E> {
    v: u32,
    #[serde(flatten)]
    event: E,
}

impl Recorded {
    /// The event's body for the store: JSON with its schema's version.
    pub(crate) fn body(&self) -> String {
        serde_json::to_string(&Body { v: SCHEMA, event: &self.event }).expect("events have string keys only")
    }

    /// Reads a stored body.
    ///
    /// # Errors
    /// A body that this server did not write, or a later one wrote.
    pub(crate) fn read(at_ms: i64, body: &str) -> Result<Self, Unreadable> {
        let Body { v, event } =
            serde_json::from_str(body).map_err(|error| Unreadable::Json(error.to_string()))?;
        if v != SCHEMA {
            return Err(Unreadable::Schema(v));
        }
        let recorded = Self { at_ms, event };
        if recorded.times_ms().iter().all(|ms| (-MAX_MS..=MAX_MS).contains(ms)) {
            Ok(recorded)
        } else {
            Err(Unreadable::Time)
        }
    }

    /// All points and spans of time in the event.
    fn times_ms(&self) -> [i64; 5] {
        let mut times_ms = [self.at_ms, 0, 0, 0, 0];
        match &self.event {
            Event::TurnPlayed { took_ms, lag_ms, time, .. } => {
                let (first_ms, second_ms) = time.map_or((0, 0), |time| (time.first_ms, time.second_ms));
                times_ms[1..].copy_from_slice(&[*took_ms, *lag_ms, first_ms, second_ms]);
            }
            Event::TimeCredited { ms, .. } => times_ms[1] = *ms,
            Event::Created { .. }
            | Event::Started { .. }
            | Event::Offered { .. }
            | Event::Declined { .. }
            | Event::DrawAgreed { .. }
            | Event::TurnsTakenBack { .. }
            | Event::Flagged { .. }
            | Event::Claimed { .. }
            | Event::Aborted { .. }
            | Event::RematchStarted { .. }
            | Event::Resigned { .. }
            | Event::Cancelled
            | Event::Ended { .. } => {}
        }
        times_ms
    }
}

/// A stored body that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("the body is no event: {0}")]
    Json(String),
    #[error("the body has schema {0}; this server reads schema {SCHEMA}")]
    Schema(u32),
    #[error("a time is not within {MAX_MS} ms of 0")]
    Time,
}
