use super::Event;
use crate::{
    ids::{ActionText, GameId, Version},
    protocol::{ClaimKind, OfferKind},
};

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

impl Command {
    /// Whether an event is what comes of this, its base version, its lag and the like aside.
    pub(crate) fn brings(&self, event: &Event) -> bool {
        match (self, event) {
            (Self::Join { .. }, Event::Started { .. })
            | (Self::Cancel, Event::Cancelled)
            | (Self::Resign, Event::Resigned { .. })
            | (Self::Abort, Event::Aborted { .. })
            | (Self::Claim { .. }, Event::Claimed { .. }) => true,
            (Self::Turn { actions: asked, .. }, Event::TurnPlayed { actions, .. }) => asked == actions,
            (Self::Offer { what: asked, .. }, Event::Offered { what, .. })
            | (Self::Answer { what: asked, accept: false, .. }, Event::Declined { what, .. }) => {
                asked == what
            }
            (Self::Offer { what: asked, .. } | Self::Answer { what: asked, accept: true, .. }, event) => {
                matches!(
                    (asked, event),
                    (OfferKind::Draw, Event::DrawAgreed { .. })
                        | (OfferKind::Takeback, Event::TurnsTakenBack { .. })
                        | (OfferKind::Rematch, Event::RematchStarted { .. })
                )
            }
            _ => false,
        }
    }
}
