//! Requests of players to a game, as the socket and the HTTP API make them.

use crate::{
    compute::Asker,
    game::{Command, Player},
    ids::{ActionText, ChatText, CommandId, Version},
    outbox::ConnectionId,
};

/// A command as it came from a player.
#[derive(Clone, Debug)]
pub struct Request {
    pub id: CommandId,
    pub who: Player,
    pub(crate) asker: Asker,
    pub command: Command,
    /// When it reached the server, milliseconds since 1970.
    pub received_ms: i64,
}

/// An unfinished turn as it came from a player.
#[derive(Clone, Debug)]
pub struct DraftRequest {
    pub id: CommandId,
    pub who: Player,
    pub base: Version,
    pub actions: Vec<ActionText>,
    pub(crate) asker: Asker,
    /// Where it came from; the answer goes there, and the draft to all others.
    pub from: ConnectionId,
}

/// Readers that are admitted to follow a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admitted {
    All,
    /// Those who play in it: there is too much to do for those who only watch.
    Players,
}

/// A line of the chat as it came from a player or a spectator.
#[derive(Clone, Debug)]
pub(crate) struct SayRequest {
    pub id: CommandId,
    pub who: Player,
    pub text: ChatText,
    pub asker: Asker,
}
