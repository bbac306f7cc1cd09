//! Messages from clients over the socket.

use game::ids::{ActionText, CommandId, GameId, NewLine, Version};
use serde::{Deserialize, Serialize};

use super::{ClaimKind, Fault, OfferKind, Pool};

/// Message from a client over the socket. A text frame holds one message of at most 16,384 bytes.
///
/// A message with a `command` is a command. If an acknowledged command is sent again with the same id, it has no second
/// effect and gets the same answer.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Begins the exchange, also after a reconnect. Answered by `welcome`, then for each game as `watch` is, then by
    /// `lobby` if that was asked for; or by `error`.
    Hello {
        /// Version of the client's protocol, now 1 ([`PROTOCOL`](super::PROTOCOL)).
        protocol: u32,
        /// Games to subscribe to.
        games: Vec<Known>,
        /// Whether to subscribe to the lobby.
        lobby: bool,
        /// Version of the rules that the client's engine plays by; missing if it has no engine. If it is that of the
        /// server, `welcome` has `thin`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        engine: Option<u32>,
    },
    /// Subscribes to a game. Answered by `snapshot` if `version` is 0 or no version of the game, otherwise by `events`
    /// with the missing events, possibly none; or by `error`.
    Watch { game: GameId, version: Version },
    /// Ends the subscription to a game.
    Unwatch { game: GameId },
    // With braces, serde rejects unknown fields also in messages without fields.
    /// Subscribes to the lobby. Answered by `lobby`, then `lobby_counts` and `seeking`.
    WatchLobby {},
    /// Ends the subscription to the lobby.
    UnwatchLobby {},
    /// Stores the actions so far of an unfinished turn, and sends them to the other readers if the game shows drafts.
    /// Answered by `options` with the actions that are legal next, or by `nack`. An empty list withdraws the draft.
    Draft { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Asks for the actions that are legal after these, and changes nothing. Answered by `options` or `nack`.
    Options { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Plays a whole turn, based on the version of the game that the player saw. Answered by `ack` or `nack`.
    Turn { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Resigns the game. Answered by `ack` or `nack`.
    Resign { command: CommandId, game: GameId },
    /// Ends a game without a result, before both sides have made a turn. Answered by `ack` or `nack`.
    Abort { command: CommandId, game: GameId },
    /// Makes an offer to the other side, or accepts the other side's same offer of a draw or a rematch. Answered by
    /// `ack` or `nack`.
    Offer { command: CommandId, game: GameId, what: OfferKind },
    /// Accepts or declines the other side's offer. Declining one's own offer withdraws it. Answered by `ack` or `nack`.
    Answer { command: CommandId, game: GameId, what: OfferKind, accept: bool },
    /// Ends a game that the other side has left, once the `in_ms` of the claim in `presence` have passed. Answered by
    /// `ack` or `nack`.
    Claim { command: CommandId, game: GameId, what: ClaimKind },
    /// Adds a line to the game's chat: a player's line goes to the players, a spectator's to the spectators. Answered
    /// by `ack` or `nack`.
    Say { command: CommandId, game: GameId, text: NewLine },
    /// Joins a pool. Answered by `seeking` or `error`, and by `paired` once a game with another player has begun.
    Seek { pool: Pool },
    /// Leaves a pool. Answered by `seeking`.
    StopSeeking { pool: Pool },
    /// Asks for a `pong`, so that a client detects a dead connection.
    Ping {},
}

impl ClientMessage {
    /// Parses the text of a frame.
    ///
    /// # Errors
    /// The fault of a text that is not a valid message.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let error = match serde_json::from_str(text) {
            Ok(message) if text.trim_ascii_start().starts_with('{') => return Ok(message),
            // serde also accepts a list of a message's fields in their order.
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

/// Ids of a command and its game, for the answer to a message that is not parsed any further.
#[derive(Clone, Debug, Deserialize)]
pub struct Addressed {
    pub command: CommandId,
    pub game: GameId,
}

impl Addressed {
    /// Parses the text of a frame; `None` if it is no command.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// Game that the client has up to a version.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub game: GameId,
    /// Version of the latest event that the client has; 0 if it has none.
    pub version: Version,
}
