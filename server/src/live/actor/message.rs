use std::sync::Arc;

use engine::record::Record;
use game::{
    State,
    ids::{PlayerId, Version},
};
use protocol::{Nack, ServerMessage, thin::Expansion};
use store::{Head, LastChange};
use tokio::sync::oneshot;

use crate::{
    compute::Asker,
    live::{Admitted, DraftRequest, Request, SayRequest, document::Document, news::News},
    net::outbox::{ConnectionId, Outbox},
};

/// A message to a game's task.
#[derive(Debug)]
pub(crate) enum Message {
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
        from: From,
        admitted: Admitted,
        asker: Asker,
        reply: oneshot::Sender<Result<Watched, Nack>>,
    },
    Unwatch {
        connection: ConnectionId,
    },
    Read {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Document, Nack>>,
    },
    Record {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Record, Nack>>,
    },
    /// Asks for a copy of the game as its players see it.
    State {
        reply: oneshot::Sender<Box<State>>,
    },
    /// Checks deadlines.
    Wake,
    /// Compares the game with its last change in the store, and publishes its presence to the other nodes.
    Compare(LastChange),
    /// Compares the game, its draft and its chats with the store, and publishes its presence to the other nodes:
    /// messages may have been lost.
    CompareAll(Box<Head>),
}

/// What a connection has of a game.
#[derive(Clone, Debug)]
pub(in crate::live) struct From {
    pub(in crate::live) version: Version,
    /// The game at an earlier version or at this one, if it was replayed there just now.
    pub(in crate::live) expansion: Option<Box<Expansion>>,
}

impl From {
    /// A version, and nothing besides.
    pub(in crate::live) const fn version(version: Version) -> Self {
        Self { version, expansion: None }
    }
}

/// The result of a request to follow a game.
#[derive(Debug)]
pub(in crate::live) enum Watched {
    /// The connection was sent `n_sent` events and follows the game.
    Following { n_sent: usize },
    /// The connection lacks too many events to follow the game yet. It is to be sent these, and then requests to follow
    /// the game again.
    Behind(Box<News>),
}

impl Message {
    /// Whether the message comes from a client, which keeps the game in memory.
    pub(super) const fn is_of_somebody(&self) -> bool {
        !matches!(self, Self::Wake | Self::Compare(_) | Self::CompareAll(_))
    }

    /// Answers without the game.
    pub(super) fn refuse(self, refusal: Nack) {
        // The receiver may be gone.
        match self {
            Self::Command { reply, .. } | Self::Say { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Draft { reply, .. } | Self::Options { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Watch { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Unwatch { .. } | Self::Wake | Self::Compare(_) | Self::CompareAll(_) => {}
            Self::Read { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Record { reply, .. } => drop(reply.send(Err(refusal))),
            // Its sender asks again.
            Self::State { .. } => {}
        }
    }
}
