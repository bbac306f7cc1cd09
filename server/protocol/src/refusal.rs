//! Reasons for the refusal of a command or a frame.

use game::ids::{GameId, Version};
use serde::{Deserialize, Serialize};

use super::{About, Pool, ServerMessage};

/// Reason for the refusal of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Nack {
    /// The command is based on a version with another board than the present one. `version` is the game's.
    Stale { version: Version },
    /// The sender has no seat in the game.
    NotSeated,
    /// The other side is to move.
    NotYourTurn,
    /// The game waits for its second player.
    NotStarted,
    /// The sender made the room. Another player has to join it.
    OwnRoom,
    /// Another player has joined the room.
    RoomTaken,
    /// The sender, or somebody at the same address, has joined this room before and left it before both sides had made a
    /// turn. Another player has to join it.
    RoomLeft,
    /// The room is a challenge to another player, who alone may join or decline.
    NotForYou,
    /// The room was closed before a second player joined.
    RoomCancelled,
    /// Only the maker of the room may close it.
    NotYours,
    /// The game is over (RULES 0.5).
    GameOver,
    /// The game is not over yet.
    NotOver,
    /// The turn was received after its side's time had run out.
    OutOfTime,
    /// Both sides have made a turn, so the game can only be resigned.
    TooLateToAbort,
    /// The sender has made no turn that can be taken back.
    NothingToTakeBack,
    /// The game has reached the `limit` on take-backs of both sides together.
    TooManyTakebacks { limit: u32 },
    /// The turn cannot be taken back, because the next card is turned over.
    CardsAreOpen,
    /// The same offer stands, or was declined in this turn.
    OfferedAlready,
    /// There is no such offer to answer.
    NoOffer,
    /// The other side is present, or has not been gone for long enough.
    NotGone,
    /// Only the players may see this game.
    Private,
    /// One of the two players has blocked the other.
    Blocked,
    /// A moderator has muted the sender. The sender's lines are refused until this time, milliseconds since 1970.
    Muted {
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        until_ms: i64,
    },
    /// The action at `index`, counted from 0, breaks `rule`.
    Illegal {
        index: usize,
        /// Clause of the rules, as `1.12`.
        rule: String,
    },
    /// The actions are a legal beginning of a turn, but by the clause `rule` not a whole turn. `index` is their number.
    Incomplete { index: usize, rule: String },
    /// This command id was used in this game for another command, or by another player.
    CommandReused,
    /// The legal actions cannot be listed: there are more than `limit`, they are too long, or they are too costly to
    /// find. Each of them can still be played, and a legal `draft` is stored.
    TooMany { limit: usize },
    /// The captures of a position are too costly to resolve: finding the largest takes more than `limit` search steps.
    /// The turn leads to that position and cannot be played, or the game is in it already.
    TooCostly { limit: u32 },
    /// No game has this id.
    UnknownGame,
    /// Too many messages wait for this game. Try again.
    Busy,
    /// The sender's commands, or the games that they begin, exceed their rate. The next one is accepted after
    /// `retry_ms` milliseconds.
    TooFast { retry_ms: u32 },
    /// One of the players has reached the `limit` on such games under way, open rooms included.
    TooManyUnderWay { limit: u32 },
    /// The server is overloaded and begins no new games. Try again in a moment.
    Overloaded,
    /// The server's disk is nearly full, and it begins no new games. Games under way go on.
    NoSpace,
    /// The server cannot tell whether the command was stored. Send it again with the same id.
    Unavailable,
    /// The command cannot be read. `detail` says why, in English.
    Invalid { detail: String },
}

/// Reason for an `error`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Fault {
    /// The frame is longer than `limit` bytes. The connection is closed after this.
    FrameTooLarge { limit: usize },
    /// The frame is not text.
    NotText,
    /// The frame is not JSON. `detail` says where, in English.
    InvalidJson {
        detail: String,
        #[serde(flatten)]
        about: About,
    },
    /// There is no message of this type. `detail` names it, in English.
    UnknownType {
        detail: String,
        #[serde(flatten)]
        about: About,
    },
    /// A field of the message is missing, unknown or of the wrong type. `detail` names it, in English.
    InvalidMessage {
        detail: String,
        #[serde(flatten)]
        about: About,
    },
    /// The client speaks another version of the protocol. `protocol` is the server's version.
    WrongProtocol { protocol: u32 },
    /// No game has this id.
    UnknownGame { game: GameId },
    /// The game is not followed: the connection, or all connections of its address together, have reached the `limit`.
    TooManyGames { game: GameId, limit: usize },
    /// The sender's messages exceed their rate. The next one is accepted after `retry_ms` milliseconds. If the message
    /// is `hello`, the games from `game` on, and the lobby, are not followed.
    TooFast {
        retry_ms: u32,
        #[serde(flatten)]
        about: About,
    },
    /// Only the players may see this game.
    Private { game: GameId },
    /// The server is overloaded, or has no memory for another game without a connected player. Only its players may
    /// watch this game for now. Ask again in a moment.
    #[serde(rename = "no_more_watchers")]
    NoMoreSpectators { game: GameId },
    /// The server is overloaded and accepts no seekers. Try again in a moment.
    Overloaded { pool: Pool },
    /// The game cannot be read at the moment, or had to be read again. Watch it again.
    Unavailable { game: GameId },
    /// The lobby cannot be read at the moment. Watch it again.
    LobbyUnavailable,
    /// The player has reached the `limit` on pools.
    TooManyPools { pool: Pool, limit: usize },
    /// The player, or the address, has begun too many games recently. `seek` is accepted again after `retry_ms`
    /// milliseconds.
    PoolTooFast { pool: Pool, retry_ms: u32 },
    /// The player has reached the `limit` on such games under way, open rooms included, and has left all pools.
    TooManyUnderWay { limit: u32 },
    /// The server cannot begin games of this pool at the moment. Its players stay in it, and the server tries again.
    PoolUnavailable { pool: Pool },
}

impl Fault {
    /// Returns the answer to a refused message: `nack` if it is a command whose id and game are known, otherwise `error`.
    pub fn answer(self) -> ServerMessage {
        let (about, why) = match &self {
            Self::InvalidJson { detail, about }
            | Self::UnknownType { detail, about }
            | Self::InvalidMessage { detail, about } => (about, Nack::Invalid { detail: detail.clone() }),
            Self::TooFast { retry_ms, about } => (about, Nack::TooFast { retry_ms: *retry_ms }),
            Self::FrameTooLarge { .. }
            | Self::NotText
            | Self::WrongProtocol { .. }
            | Self::UnknownGame { .. }
            | Self::TooManyGames { .. }
            | Self::Private { .. }
            | Self::NoMoreSpectators { .. }
            | Self::Overloaded { .. }
            | Self::Unavailable { .. }
            | Self::LobbyUnavailable
            | Self::TooManyPools { .. }
            | Self::PoolTooFast { .. }
            | Self::TooManyUnderWay { .. }
            | Self::PoolUnavailable { .. } => return ServerMessage::Error { why: self },
        };
        match about {
            About { command: Some(command), game: Some(game), .. } => {
                ServerMessage::Nack { command: command.clone(), game: *game, why }
            }
            About { .. } => ServerMessage::Error { why: self },
        }
    }
}
