use super::{ClaimKind, ClosedBy, Event, OfferKind};
use crate::ids::{ActionText, GameId, Version};

/// A player's request that can change a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Takes the free seat of a room.
    Join {
        /// Whether the maker gets the first seat if the room's seats are random.
        coin: bool,
    },
    /// Closes a room that nobody has joined.
    Cancel,
    /// Closes a room as the player whom it challenges.
    Decline {
        /// The challenge by other terms that answers it, if there is one.
        counter: Option<GameId>,
    },
    /// Plays a whole turn.
    Turn {
        /// The version of the game that the player saw.
        base: Version,
        actions: Vec<ActionText>,
        /// Round-trip lag to the player in milliseconds, as last measured by the server.
        lag_ms: i64,
    },
    /// Resigns the game. A player who joined a room and does so before both sides have made a turn leaves the room, as
    /// with `Abort`.
    Resign,
    /// Ends the game before both sides have made a turn. The room opens again if the player had joined it, and if its
    /// maker no longer waits for the player who had.
    Abort {
        /// Milliseconds since the other side left; `None` if it is present.
        gone_ms: Option<i64>,
    },
    /// Makes an offer to the other side. If the other side has made the same offer, accepts it, except for a take-back.
    Offer {
        what: OfferKind,
        /// Id of the rematch, if this command starts one.
        rematch: GameId,
    },
    /// Answers an offer.
    Answer { what: OfferKind, accept: bool, rematch: GameId },
    /// Ends a game that the other side has left.
    Claim {
        what: ClaimKind,
        /// Milliseconds since the other side left; `None` if it is present.
        gone_ms: Option<i64>,
    },
}

/// The effect of a command, without details such as its base version and lag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect<'a> {
    Joined,
    Cancelled,
    /// The challenged player declined.
    Refused,
    Played(&'a [ActionText]),
    Resigned,
    Aborted,
    /// The player left a room that is open again, or no longer waits for the one who had joined it.
    Left,
    Claimed,
    Offered(OfferKind),
    Declined(OfferKind),
    Accepted(OfferKind),
    /// An event that no command causes.
    Unasked,
}

impl Command {
    /// Returns all effects that the command can have. An offer may also accept the other side's offer, and a player who
    /// ends a game early may leave its room to others.
    pub fn effects(&self) -> impl Iterator<Item = Effect<'_>> {
        let (effect, other) = match self {
            Self::Join { .. } => (Effect::Joined, None),
            Self::Cancel => (Effect::Cancelled, None),
            Self::Decline { .. } => (Effect::Refused, None),
            Self::Turn { actions, .. } => (Effect::Played(actions), None),
            Self::Resign => (Effect::Resigned, Some(Effect::Left)),
            Self::Abort { .. } => (Effect::Aborted, Some(Effect::Left)),
            Self::Claim { .. } => (Effect::Claimed, None),
            Self::Offer { what, .. } => (Effect::Offered(*what), Some(Effect::Accepted(*what))),
            Self::Answer { what, accept: true, .. } => (Effect::Accepted(*what), None),
            Self::Answer { what, accept: false, .. } => (Effect::Declined(*what), None),
        };
        [effect].into_iter().chain(other)
    }
}

impl Event {
    /// Returns the event as the effect of a command.
    pub fn effect(&self) -> Effect<'_> {
        match self {
            Self::Started { .. } => Effect::Joined,
            Self::Cancelled { by: ClosedBy::Challenged { .. } } => Effect::Refused,
            Self::Cancelled { by: ClosedBy::Maker | ClosedBy::Time } => Effect::Cancelled,
            Self::TurnPlayed { actions, .. } => Effect::Played(actions),
            Self::Resigned { .. } => Effect::Resigned,
            Self::Aborted { .. } => Effect::Aborted,
            Self::Reopened { .. } => Effect::Left,
            Self::Claimed { .. } => Effect::Claimed,
            Self::Offered { what, .. } => Effect::Offered(*what),
            Self::Declined { what, .. } => Effect::Declined(*what),
            Self::DrawAgreed { .. } => Effect::Accepted(OfferKind::Draw),
            Self::TurnsTakenBack { .. } => Effect::Accepted(OfferKind::Takeback),
            Self::RematchStarted { .. } => Effect::Accepted(OfferKind::Rematch),
            Self::Created { .. } | Self::TimeCredited { .. } | Self::Flagged { .. } | Self::Ended { .. } => {
                Effect::Unasked
            }
        }
    }
}
