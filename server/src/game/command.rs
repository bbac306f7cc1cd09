use super::{ClaimKind, Event, OfferKind};
use crate::ids::{ActionText, GameId, Version};

/// What somebody asks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Takes the free seat of a room.
    Join {
        /// Whether the maker gets the first seat, if the room leaves it to chance.
        coin: bool,
    },
    /// Closes a room that nobody has joined.
    Cancel,
    /// Plays a whole turn.
    Turn {
        /// The version of the game that the player saw.
        base: Version,
        actions: Vec<ActionText>,
        /// Milliseconds of lag between the server and the player, as far as the server could measure it.
        lag_ms: i64,
    },
    /// Gives the game up.
    Resign,
    /// Ends the game before both sides have made a turn.
    Abort,
    /// Offers the other side something; if it has offered the same, that is accepted.
    Offer {
        what: OfferKind,
        /// The id of the game that a rematch becomes.
        rematch: GameId,
    },
    /// Answers an offer.
    Answer { what: OfferKind, accept: bool, rematch: GameId },
    /// Ends a game that the other side has left.
    Claim {
        what: ClaimKind,
        /// Milliseconds for which the other side is gone now; `None` if it is here.
        gone_ms: Option<i64>,
    },
}

/// What comes of a command, its base version, its lag and the like aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Effect<'a> {
    Joined,
    Cancelled,
    Played(&'a [ActionText]),
    Resigned,
    Aborted,
    Claimed,
    Offered(OfferKind),
    Declined(OfferKind),
    Accepted(OfferKind),
    /// What no command brings about.
    Unasked,
}

impl Command {
    /// All that may come of the command: an offer accepts what the other side has offered.
    pub(crate) fn effects(&self) -> impl Iterator<Item = Effect<'_>> {
        let (effect, other) = match self {
            Self::Join { .. } => (Effect::Joined, None),
            Self::Cancel => (Effect::Cancelled, None),
            Self::Turn { actions, .. } => (Effect::Played(actions), None),
            Self::Resign => (Effect::Resigned, None),
            Self::Abort => (Effect::Aborted, None),
            Self::Claim { .. } => (Effect::Claimed, None),
            Self::Offer { what, .. } => (Effect::Offered(*what), Some(Effect::Accepted(*what))),
            Self::Answer { what, accept: true, .. } => (Effect::Accepted(*what), None),
            Self::Answer { what, accept: false, .. } => (Effect::Declined(*what), None),
        };
        [effect].into_iter().chain(other)
    }
}

impl Event {
    /// What the event is as the effect of a command.
    pub(crate) fn effect(&self) -> Effect<'_> {
        match self {
            Self::Started { .. } => Effect::Joined,
            Self::Cancelled => Effect::Cancelled,
            Self::TurnPlayed { actions, .. } => Effect::Played(actions),
            Self::Resigned { .. } => Effect::Resigned,
            Self::Aborted { .. } => Effect::Aborted,
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
