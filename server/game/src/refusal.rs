use engine::{Rule, TooCostly, TurnError, TurnErrorKind};

use crate::ids::Version;

/// The reason why a game in its current state does not allow a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The command is not based on the current board. `version` is the game's current version.
    Stale { version: Version },
    /// The player sits on neither seat of the game.
    NotSeated,
    /// The other side is to move.
    NotYourTurn,
    /// The game waits for its second player.
    NotStarted,
    /// The player made the room, so another player has to join it.
    OwnRoom,
    /// Both seats of the room are taken.
    RoomTaken,
    /// The player joined the room earlier and left it before both sides had made a turn, so another player has to join.
    RoomLeft,
    /// The room challenges another player, who alone may join or decline.
    NotForYou,
    /// The room was closed before anyone joined.
    RoomCancelled,
    /// Only the room's maker can do this.
    NotYours,
    /// The game is over (RULES 0.5).
    GameOver,
    /// The game is not over.
    NotOver,
    /// The turn was received when the time of its side was over.
    OutOfTime,
    /// Both sides have made a turn, so the game can be resigned but no longer aborted.
    TooLateToAbort,
    /// The player has made no turn that could be taken back.
    NothingToTakeBack,
    /// The game has reached the limit on take-backs.
    TooManyTakebacks { limit: u32 },
    /// The turn cannot be taken back, because the next card is already turned over.
    CardsAreOpen,
    /// The same offer already stands, or was declined in this turn.
    OfferedAlready,
    /// There is no such offer to answer.
    NoOffer,
    /// The other side is present or has not been gone for long enough, or the game cannot be claimed.
    NotGone,
    /// The action at `index`, counted from 0, breaks `rule`.
    Illegal { index: usize, rule: Rule },
    /// The actions are a legal beginning of a turn, but `rule` requires more at `index`.
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
