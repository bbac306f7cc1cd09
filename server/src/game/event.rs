use engine::{BySide, Seed};

use super::{OfferKind, Outcome, Player, SeatChoice, Seats, Terms, Visibility};
use crate::ids::{ActionText, GameId};

/// A fact of one game. The log of a game is a list of these, and the game is its fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A room was made. Always the first event and only that.
    Created {
        ruleset: engine::Ruleset,
        visibility: Visibility,
        creator: Player,
        seat: SeatChoice,
        terms: Terms,
        /// The text of a start position other than the ruleset's own (RULES 0.9).
        start: Option<String>,
        /// What fixes the cards, in a ruleset with cards (RULES 1.18). No reader is shown it before the end.
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
        lag_ms: i64,
        /// Both sides' time after it, where time is measured.
        time: Option<BySide<i64>>,
    },
    /// A side offered something.
    Offered { what: OfferKind, side: engine::Side },
    /// A side declined an offer, or took its own back.
    Declined { what: OfferKind, side: engine::Side },
    /// A side accepted a draw. `Ended` follows.
    DrawAgreed { side: engine::Side },
    /// A side accepted that the last turns are taken back.
    TurnsTakenBack { turns: u16, side: engine::Side },
    /// The server was away while the time of the side to move ran, and gives it back.
    TimeCredited { side: engine::Side, ms: i64 },
    /// The time of the side to move is over. `Ended` follows.
    Flagged { side: engine::Side },
    /// A side claimed the end of the game, since the other one is gone. `Ended` follows.
    Claimed { side: engine::Side },
    /// The game ended without a result before both sides had made a turn: by a side, or by the time for it.
    Aborted { side: Option<engine::Side> },
    /// A side accepted a rematch.
    RematchStarted { rematch: GameId, side: engine::Side },
    /// A side gave up. `Ended` follows.
    Resigned { side: engine::Side },
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

/// Milliseconds of the largest time in an event: what JSON's numbers hold exactly. Sums of a few do not overflow.
pub(super) const MAX_MS: i64 = 1 << 53;

impl Recorded {
    /// All points and spans of time in the event.
    pub(super) fn times_ms(&self) -> [i64; 5] {
        let mut times_ms = [self.at_ms, 0, 0, 0, 0];
        match &self.event {
            Event::TurnPlayed { took_ms, lag_ms, time, .. } => {
                let (first_ms, second_ms) = time.map_or((0, 0), |time| (time.first, time.second));
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
