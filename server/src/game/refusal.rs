use engine::{Rule, TooCostly, TurnError, TurnErrorKind};

use crate::ids::Version;

/// Why a game, as it stands, does not allow a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The command builds on a version that is not the game's; this one is.
    Stale { version: Version },
    /// The player sits on neither seat of the game.
    NotSeated,
    /// The other side is to move.
    NotYourTurn,
    /// The game waits for its second player.
    NotStarted,
    /// The room is the player's own: somebody else has to join it.
    OwnRoom,
    /// Somebody else has taken the room's other seat.
    RoomTaken,
    /// The room was closed before anyone joined.
    RoomCancelled,
    /// Only the room's maker can do this.
    NotYours,
    /// The game is over (RULES 0.5).
    GameOver,
    /// The game goes on.
    NotOver,
    /// The turn came when its side's time was over.
    OutOfTime,
    /// Both sides have made a turn: the game can be resigned, no longer aborted.
    TooLateToAbort,
    /// The player has made no turn that could be taken back.
    NothingToTakeBack,
    /// Turns were taken back in this game as often as they may be.
    TooManyTakebacks { limit: u32 },
    /// A turn cannot be taken back, since the card behind it is turned over.
    CardsAreOpen,
    /// The same offer stands already, or it was declined in this turn.
    OfferedAlready,
    /// There is no such offer to answer.
    NoOffer,
    /// The other side is here, or has not been gone for long enough.
    NotGone,
    /// The action at `index`, counted from 0, breaks `rule`.
    Illegal { index: usize, rule: Rule },
    /// The actions are a legal beginning, but no whole turn; `rule` tells why.
    Incomplete { index: usize, rule: Rule },
    /// Finding the largest captures of a position takes more than `limit` steps.
    TooCostly { limit: u64 },
}

impl From<TooCostly> for Refusal {
    fn from(TooCostly { limit }: TooCostly) -> Self {
        Self::TooCostly { limit }
    }
}

impl From<TurnError> for Refusal {
    fn from(TurnError { index, rule, kind }: TurnError) -> Self {
        match kind {
            TurnErrorKind::Incomplete { .. } => Self::Incomplete { index, rule },
            TurnErrorKind::GameOver => Self::GameOver,
            TurnErrorKind::Unreadable(_) | TurnErrorKind::Illegal(_) | TurnErrorKind::TurnOver => {
                Self::Illegal { index, rule }
            }
        }
    }
}
