//! Why something is refused: a command, a frame, an HTTP request.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Flaw, Pool};
use crate::ids::{GameId, Version};

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Nack {
    /// The command builds on a version that is not the game's; this one is.
    Stale { version: Version },
    /// The sender sits on neither seat of the game.
    NotSeated,
    /// The other side is to move.
    NotYourTurn,
    /// The game waits for its second player.
    NotStarted,
    /// The room is the sender's own: somebody else has to join it.
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
    /// The sender has made no turn that could be taken back.
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
    /// Only its players may see this game.
    Private,
    /// One of the two has blocked the other.
    Blocked,
    /// The action at `index`, counted from 0, breaks `rule`.
    Illegal {
        index: usize,
        /// A clause of the rules, as `1.12`.
        rule: String,
    },
    /// The actions are a legal beginning, but no whole turn; `rule` tells why.
    Incomplete { index: usize, rule: String },
    /// This command id was used for another command of the game.
    CommandReused,
    /// More actions are legal than the `limit` that are ever listed, or they are too long to be listed. One can be played
    /// all the same.
    TooMany { limit: usize },
    /// The captures of a position are too costly to resolve: finding the largest takes more than `limit` steps. It is the
    /// position that a turn leads to, and the turn cannot be played; or the game's own.
    TooCostly { limit: u32 },
    /// No game has this id.
    UnknownGame,
    /// Too many commands wait for this game. Try again.
    Busy,
    /// The sender's commands, or the games that they begin, come too fast; after so many milliseconds one more is taken.
    TooFast { retry_ms: u32 },
    /// One of the players has `limit` such games under way, open rooms among them, and may begin no other.
    TooManyUnderWay { limit: u32 },
    /// The server has more to do than it can carry, and begins no new game. Try again in a moment.
    Overloaded,
    /// The server cannot tell whether the command was stored. Send it again with the same id.
    Unavailable,
}

/// Why a frame was answered by `error`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Fault {
    /// The frame is longer than `limit` bytes. The connection is closed after this.
    FrameTooLarge { limit: usize },
    /// The frame is not text.
    NotText,
    /// The frame is not JSON; `detail` tells where.
    InvalidJson { detail: String },
    /// No message has this type.
    UnknownType { detail: String },
    /// The message lacks a field, or has one too many or of the wrong shape; `detail` tells which.
    InvalidMessage { detail: String },
    /// The client speaks another version of the protocol; this is the server's.
    WrongProtocol { protocol: u32 },
    /// No game has this id.
    UnknownGame { game: GameId },
    /// The connection follows as many games as it may.
    TooManyGames { limit: usize },
    /// The client's messages come too fast; after so many milliseconds one more is taken.
    TooFast { retry_ms: u32 },
    /// Only its players may see this game.
    Private { game: GameId },
    /// The server has more to do than it can carry: nobody more may watch this game. Ask again in a moment.
    #[serde(rename = "no_more_watchers")]
    NoMoreSpectators { game: GameId },
    /// The server has more to do than it can carry, and begins no new game. Try again in a moment.
    Overloaded,
    /// The game cannot be read just now. Ask again.
    Unavailable { game: GameId },
    /// The lobby cannot be read just now. Ask again.
    LobbyUnavailable,
    /// The player is in as many pools as one may be.
    TooManyPools { limit: usize },
    /// The player, or the address, has begun too many games of late to look for another; after so many milliseconds it may.
    PoolTooFast { pool: Pool, retry_ms: u32 },
    /// The player has `limit` such games under way, open rooms among them, and looks for no other now.
    TooManyUnderWay { limit: u32 },
    /// No game of this pool can be begun just now. Who was in it stays there, and it is tried again.
    PoolUnavailable { pool: Pool },
}

/// The body of every HTTP error, `application/problem+json`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// What to branch on, as `unknown_game`.
    pub code: String,
    /// The kind of problem, in English.
    pub title: String,
    /// What was wrong and what would be right, in English.
    pub detail: String,
    /// The line of a record in text that was refused, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub line: Option<u32>,
    /// The turn in a record that was refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub turn: Option<u16>,
    /// What is wrong with the record, the start position or the actions that were refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub flaw: Option<Flaw>,
}
