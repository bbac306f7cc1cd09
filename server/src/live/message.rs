//! Messages to a game's task.

use std::sync::Arc;

use engine::record::Record;
use game::{
    State,
    ids::{PlayerId, Version},
};
use protocol::{Nack, ServerMessage};
use store::{Head, LastChange};
use tokio::sync::oneshot;

use super::{
    document::Document,
    requests::{DraftRequest, FollowPolicy, Request, SayRequest},
};
use crate::{
    compute::Requester,
    net::outbox::{ConnectionId, Outbox},
};

/// A message to a game's task.
#[derive(Debug)]
pub(super) enum Message {
    Command {
        request: Arc<Request>,
        reply: oneshot::Sender<Result<Version, Nack>>,
    },
    Draft {
        request: DraftRequest,
        reply: oneshot::Sender<Result<ServerMessage, Nack>>,
    },
    Options {
        request: DraftRequest,
        reply: oneshot::Sender<Result<ServerMessage, Nack>>,
    },
    Say {
        request: SayRequest,
        reply: oneshot::Sender<Result<Version, Nack>>,
    },
    Watch {
        outbox: Outbox,
        player: PlayerId,
        known: Version,
        policy: FollowPolicy,
        requester: Requester,
        reply: oneshot::Sender<Result<usize, Nack>>,
    },
    Unwatch {
        connection: ConnectionId,
    },
    Read {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Document, Nack>>,
    },
    Events {
        reader: Option<PlayerId>,
        requester: Requester,
        reply: oneshot::Sender<Result<String, Nack>>,
    },
    Record {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Record, Nack>>,
    },
    /// Asks for a copy of the game as its players see it.
    State {
        reply: oneshot::Sender<Box<State>>,
    },
    /// Shows a player of the game under a new name.
    Renamed(PlayerId),
    /// Checks deadlines.
    Wake,
    /// Credits the vacations of the player to move in the game as it is at this version or later, and says when that is
    /// stored.
    Credit {
        version: Version,
        reply: oneshot::Sender<Result<(), Nack>>,
    },
    /// Compares the game with its last change in the store, and publishes its presence to the other nodes.
    Compare(LastChange),
    /// Compares the game, its draft and its chats with the store, and publishes its presence to the other nodes:
    /// messages may have been lost.
    CompareAll(Box<Head>),
}

impl Message {
    /// Whether a client sent the message, which keeps the game in memory.
    pub(super) const fn is_of_client(&self) -> bool {
        !matches!(
            self,
            Self::Renamed(_) | Self::Wake | Self::Credit { .. } | Self::Compare(_) | Self::CompareAll(_)
        )
    }

    /// Answers without the game.
    pub(super) fn refuse(self, refusal: Nack) {
        // The receiver may be gone.
        match self {
            Self::Command { reply, .. } | Self::Say { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Draft { reply, .. } | Self::Options { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Watch { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Unwatch { .. } | Self::Renamed(_) | Self::Wake | Self::Compare(_) | Self::CompareAll(_) => {
            }
            Self::Credit { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Read { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Events { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Record { reply, .. } => drop(reply.send(Err(refusal))),
            // Its sender asks again.
            Self::State { .. } => {}
        }
    }
}
