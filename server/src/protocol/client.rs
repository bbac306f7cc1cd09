//! What a client may say over the socket.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ClaimKind, Fault, OfferKind, Pool};
use crate::ids::{ActionText, CommandId, GameId, NewLine, Version};

/// What a client may say over the socket. One text frame holds one message, at most
/// [`MAX_FRAME`](crate::limits::MAX_FRAME) bytes long.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Opens the talk: the games that the client shows with the versions it has of them, and whether it shows
    /// the lobby. Answered by `welcome`, then for each game as `watch` is. Also said again after a reconnect.
    Hello {
        /// The client's [`PROTOCOL`](super::PROTOCOL).
        protocol: u32,
        games: Vec<Known>,
        lobby: bool,
    },
    /// Follows a game. Answered by `snapshot` if `version` is 0 or not one of the game's, else by `events` with
    /// exactly what is missing (perhaps nothing).
    Watch { game: GameId, version: Version },
    /// Stops following a game.
    Unwatch { game: GameId },
    // The braces of messages without fields have serde refuse a field too many in these too.
    /// Follows the lobby. Answered by `lobby`.
    WatchLobby {},
    /// Stops following the lobby.
    UnwatchLobby {},
    /// The actions so far of an unfinished turn. Checked, kept, shown to the other side and spectators, and
    /// answered by `options` with what is legal next, or by `nack`. An empty list takes the draft back.
    Draft { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Asks what is legal after these actions and changes nothing. Answered by `options` or `nack`.
    Options { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// A whole turn, built on the version of the game that the player saw. Answered by `ack` or `nack`.
    Turn { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Gives the game up. Answered by `ack` or `nack`.
    Resign { command: CommandId, game: GameId },
    /// Ends a game in which not both sides have made a turn, without a result. Answered by `ack` or `nack`.
    Abort { command: CommandId, game: GameId },
    /// Offers the other side something. Answered by `ack` or `nack`.
    Offer { command: CommandId, game: GameId, what: OfferKind },
    /// Answers the other side's offer, or takes one's own back, which is never an `accept`. Answered by `ack` or
    /// `nack`.
    Answer { command: CommandId, game: GameId, what: OfferKind, accept: bool },
    /// Ends a game whose other side has been gone for so long that `presence` offers it. Answered by `ack` or
    /// `nack`.
    Claim { command: CommandId, game: GameId, what: ClaimKind },
    /// Says something in the game's chat: a player to the other player, a spectator to the other spectators. Answered by
    /// `ack` or `nack`.
    Say { command: CommandId, game: GameId, text: NewLine },
    /// Looks for somebody who wants the same game; whoever is found first is `paired`. Answered by `seeking`.
    Seek { pool: Pool },
    /// Stops looking. Answered by `seeking`.
    StopSeeking { pool: Pool },
    /// Asks for a `pong`: a client that hears nothing for a while knows that its connection is dead.
    Ping {},
}

impl ClientMessage {
    /// Reads a frame's text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let error = match serde_json::from_str(text) {
            Ok(message) if text.trim_ascii_start().starts_with('{') => return Ok(message),
            // serde reads a list as the fields of a message in their order.
            Ok(_) => return Err(Fault::InvalidMessage { detail: "a message is a JSON object".to_owned() }),
            Err(error) => error,
        };
        let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
            return Err(Fault::InvalidJson { detail: error.to_string() });
        };
        let detail = error.to_string();
        match value.get("type").and_then(serde_json::Value::as_str) {
            Some(_) if detail.starts_with("unknown variant") => Err(Fault::UnknownType { detail }),
            Some(_) | None => Err(Fault::InvalidMessage { detail }),
        }
    }
}

/// What the answer to a command names, of a message that is not read any further.
#[derive(Deserialize)]
pub(crate) struct Addressed {
    pub(crate) command: CommandId,
    pub(crate) game: GameId,
}

impl Addressed {
    /// Reads a frame's text; `None` if it is no command.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// A game that the client already has, up to a version.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub game: GameId,
    /// 0 if it has nothing of it yet.
    pub version: Version,
}
