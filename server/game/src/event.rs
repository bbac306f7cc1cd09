use engine::{BySide, Seed};

use super::{OfferKind, Outcome, SeatChoice, Seats, Terms, Visibility};
use crate::ids::{ActionText, GameId, PlayerId};

/// A fact of one game. The log of a game is a list of events, and the game's state is their fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A room was made. Always the first event, and never a later one.
    Created {
        ruleset: engine::Ruleset,
        visibility: Visibility,
        creator: PlayerId,
        /// The only player who may join the room, if it is a challenge.
        challenged: Option<PlayerId>,
        seat: SeatChoice,
        terms: Terms,
        /// The text of a start position other than the ruleset's own (RULES 0.9).
        start: Option<String>,
        /// The secret that fixes the cards (RULES 1.18), in a ruleset with cards. Not shown to readers before the end.
        seed: Option<Seed>,
    },
    /// Both seats were assigned.
    Started {
        seats: Seats,
        /// Whether the second player joined a room. False for games that pools and rematches begin, for games at one
        /// table, and in logs that are older than the field.
        joined: bool,
    },
    /// The side to move played a whole turn.
    TurnPlayed {
        actions: Vec<ActionText>,
        /// Milliseconds charged for the turn: those since it began, less credits and forgiven lag.
        took_ms: i64,
        /// Milliseconds of lag that were forgiven.
        lag_ms: i64,
        /// Both sides' time after the turn, if time is measured.
        time: Option<BySide<i64>>,
    },
    /// A side made an offer.
    Offered { what: OfferKind, side: engine::Side },
    /// A side declined an offer, or withdrew its own.
    Declined { what: OfferKind, side: engine::Side },
    /// A side accepted a draw. `Ended` follows.
    DrawAgreed { side: engine::Side },
    /// A side accepted a take-back of the last `turns` turns.
    TurnsTakenBack { turns: u16, side: engine::Side },
    /// The side to move was credited with time of its turn.
    TimeCredited {
        side: engine::Side,
        /// Milliseconds; less than 0 if a vacation that was credited has ended early.
        ms: i64,
        /// End of the player's vacation that is credited, in milliseconds since 1970; `None` if the time is that of an
        /// outage.
        vacation_until_ms: Option<i64>,
    },
    /// The flag of the side to move fell. `Ended` follows.
    Flagged { side: engine::Side },
    /// A side claimed the game because the other one had left. `Ended` follows.
    Claimed { side: engine::Side },
    /// The game ended without a result before both sides had made a turn: aborted by a side, or by time if `side` is
    /// `None`.
    Aborted { side: Option<engine::Side> },
    /// The player who had joined the room left before both sides had made a turn, so the room is open again. `side` is
    /// that player's, or the maker's if the maker no longer waits; `None` if the player did not come or did not make a
    /// first turn in time. All turns are undone, and the cards are shuffled again.
    Reopened { side: Option<engine::Side> },
    /// A side accepted a rematch.
    RematchStarted { rematch: GameId, side: engine::Side },
    /// A side resigned. `Ended` follows.
    Resigned { side: engine::Side },
    /// The room was closed before anyone joined.
    Cancelled { by: ClosedBy },
    /// The game is over. Appended together with the event that ended it. Only events of a rematch follow.
    Ended { outcome: Outcome },
}

/// Who closed a room before anyone joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedBy {
    Maker,
    /// The challenged player declined, or answered with a challenge by other terms.
    Challenged {
        counter: Option<GameId>,
    },
    /// Nobody joined for long.
    Time,
}

/// An event of the log, with the time at which it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Milliseconds since 1970, by the server's clock.
    pub at_ms: i64,
    pub event: Event,
}

/// Maximum absolute value of a time in an event, in milliseconds. JSON numbers hold integers exactly up to this value,
/// and sums of a few such times do not overflow.
pub(super) const MAX_MS: i64 = 1 << 53;

impl Recorded {
    /// Returns all times and durations in the event, padded with zeros.
    pub(super) fn times_ms(&self) -> [i64; 5] {
        let mut times_ms = [self.at_ms, 0, 0, 0, 0];
        match &self.event {
            Event::TurnPlayed { took_ms, lag_ms, time, .. } => {
                let (first_ms, second_ms) = time.map_or((0, 0), |time| (time.first, time.second));
                times_ms[1..].copy_from_slice(&[*took_ms, *lag_ms, first_ms, second_ms]);
            }
            Event::TimeCredited { ms, vacation_until_ms, .. } => {
                times_ms[1..3].copy_from_slice(&[*ms, vacation_until_ms.unwrap_or_default()]);
            }
            Event::Created { .. }
            | Event::Started { .. }
            | Event::Offered { .. }
            | Event::Declined { .. }
            | Event::DrawAgreed { .. }
            | Event::TurnsTakenBack { .. }
            | Event::Flagged { .. }
            | Event::Claimed { .. }
            | Event::Aborted { .. }
            | Event::Reopened { .. }
            | Event::RematchStarted { .. }
            | Event::Resigned { .. }
            | Event::Cancelled { .. }
            | Event::Ended { .. } => {}
        }
        times_ms
    }
}
