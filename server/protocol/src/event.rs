//! Events of a game.

use engine::{Ruleset, Side};
use game::ids::{GameId, Version};
use serde::{Deserialize, Serialize};

use super::{OfferKind, Outcome, Player, SeatChoice, Seats, Step, Terms, Times, Visibility};

/// Event of a game with everything that a board shows of it, as in a game's document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    pub version: Version,
    /// Time of the event by the server's clock, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    #[serde(flatten)]
    pub what: EventKind,
}

/// Kind of an event, with its data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    /// A room was made.
    Created {
        #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
        ruleset: Ruleset,
        visibility: Visibility,
        creator: Player,
        /// The only player who may join, if the room is a challenge; absent otherwise.
        #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        #[cfg_attr(feature = "openapi", schema(value_type = Player))]
        challenged: Option<Player>,
        /// Seat that the creator chose.
        seat: SeatChoice,
        terms: Terms,
        /// Text of the start position. While the first card is not turned over yet, `0/0` stands for `left/allowance`.
        start: String,
        /// SHA-256 of the seed that fixes the cards, in hex (RULES 1.18); null in a ruleset without cards.
        seed_hash: Option<String>,
    },
    /// Both seats are taken, and the first turn begins.
    Started { seats: Seats },
    /// A side played a whole turn.
    TurnPlayed {
        /// Number of the turn (RULES 0.4).
        turn: u16,
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
        /// Card of the turn, 1 to 6; null in a ruleset without cards.
        card: Option<u8>,
        /// Actions of the turn, in order.
        steps: Vec<Step>,
        /// Milliseconds charged for the turn: the time since it began, less credited time and forgiven lag.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        took_ms: i64,
        /// Time of both sides after the turn; null in a game without a clock.
        time: Option<Times>,
    },
    /// A side made an offer.
    Offered {
        what: OfferKind,
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// A side declined the other side's offer, or withdrew its own.
    Declined {
        what: OfferKind,
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// A side accepted a draw. `ended` follows.
    DrawAgreed {
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// The last turns were taken back. The clocks are as they were before them.
    TurnsTakenBack {
        /// Number of turns, 1 or 2.
        turns: u16,
        /// Side that accepted.
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// The time of a side ran during an outage of the server, and is given back.
    TimeCredited {
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
        /// Milliseconds given back; less than 0 if a vacation ended early.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        ms: i64,
        /// End of the vacation of the side's player, milliseconds since 1970; missing if the time is that of an outage.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
        #[cfg_attr(feature = "openapi", schema(value_type = i64))]
        vacation_until_ms: Option<i64>,
    },
    /// A side resigned. `ended` follows.
    Resigned {
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// The flag of a side fell. `ended` follows.
    Flagged {
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// A side ended a game that the other side had left. `ended` follows.
    Claimed {
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// The game ended without a result before both sides had made a turn.
    Aborted {
        /// Side that aborted the game; null if the time for a first turn ran out.
        #[cfg_attr(feature = "ts", ts(type = "Side | null"))]
        #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schema::Side>))]
        side: Option<Side>,
    },
    /// The player who had joined the room left before both sides had made a turn. The room is open again, without turns,
    /// and this player cannot join it again.
    Reopened {
        /// Side that left, or the maker's if the maker no longer waited; null if the player did not come, or if the time
        /// for a first turn ran out.
        #[cfg_attr(feature = "ts", ts(type = "Side | null"))]
        #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schema::Side>))]
        side: Option<Side>,
        /// SHA-256 of the new seed, which replaces that of `created`; null in a ruleset without cards.
        seed_hash: Option<String>,
    },
    /// The rematch of a finished game began. Comes after `ended`.
    RematchStarted {
        /// Id of the rematch.
        rematch: GameId,
        /// Side that accepted.
        #[cfg_attr(feature = "ts", ts(type = "Side"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
        side: Side,
    },
    /// The room was closed before a second player joined: by its maker, by the challenged player, or by the server after 30
    /// days, a challenge after 14.
    Cancelled {
        /// Whether the challenged player declined; absent if not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        declined: bool,
        /// Id of the challenge by other terms with which the challenged player answered; absent if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        #[cfg_attr(feature = "openapi", schema(value_type = GameId))]
        counter: Option<GameId>,
    },
    /// The game ended with an outcome.
    Ended {
        outcome: Outcome,
        /// Seed of the cards, in hex, which `seed_hash` is the hash of (RULES 1.18); null in a ruleset without cards.
        seed: Option<String>,
    },
}
