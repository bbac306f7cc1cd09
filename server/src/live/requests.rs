//! Requests of players to a game, as the socket and the HTTP API make them.

use std::time::Duration;

use game::{
    Command, Player,
    ids::{ActionText, ChatText, CommandId, Version},
};

use crate::{compute::Requester, net::outbox::ConnectionId};

/// A command of a player.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub id: CommandId,
    pub who: Player,
    pub(crate) requester: Requester,
    pub command: Command,
    /// Time of receipt, milliseconds since 1970.
    pub received_ms: i64,
    /// Time until the sender's budget of stored bytes suffices for the command, if it does not: then only the earlier
    /// answer to a repeated command is sent.
    pub(crate) over_budget: Option<Duration>,
}

/// An unfinished turn of a player.
#[derive(Clone, Debug)]
pub(crate) struct DraftRequest {
    pub id: CommandId,
    pub who: Player,
    pub base: Version,
    pub actions: Vec<ActionText>,
    pub(crate) requester: Requester,
    /// The sending connection. It gets the answer, and all others get the draft.
    pub from: ConnectionId,
}

/// The readers who are admitted to follow a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowPolicy {
    All,
    /// Only its players: the server is overloaded.
    Players,
}

/// A chat line of a player or a spectator.
#[derive(Clone, Debug)]
pub(crate) struct SayRequest {
    pub id: CommandId,
    pub who: Player,
    pub text: ChatText,
    pub requester: Requester,
}
