use engine::record::Record;
use tokio::sync::oneshot;

use crate::{
    deflate::Gzipped,
    game::Refusal,
    ids::{PlayerId, Version},
    live::{Admitted, DraftRequest, Request, SayRequest},
    outbox::{ConnectionId, Outbox},
    protocol::ServerMessage,
};

/// What a game's task is asked to do.
#[derive(Debug)]
pub(crate) enum Message {
    Command {
        request: Request,
        reply: oneshot::Sender<Result<Version, Refusal>>,
    },
    Draft {
        request: DraftRequest,
        reply: oneshot::Sender<Result<ServerMessage, Refusal>>,
    },
    Options {
        request: DraftRequest,
        reply: oneshot::Sender<Result<ServerMessage, Refusal>>,
    },
    Say {
        request: SayRequest,
        reply: oneshot::Sender<Result<Version, Refusal>>,
    },
    Watch {
        outbox: Outbox,
        player: PlayerId,
        from: Version,
        admitted: Admitted,
        /// How many events the connection was sent.
        reply: oneshot::Sender<Result<usize, Refusal>>,
    },
    Unwatch {
        connection: ConnectionId,
    },
    Read {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Gzipped, Refusal>>,
    },
    Record {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Record, Refusal>>,
    },
    /// Looks whether time has brought something about.
    Wake,
    /// Looks whether the store has more of the game, and tells other nodes who is here.
    Compare {
        /// What the store has.
        version: Version,
        /// Whether other nodes are heard again after a silence, so that what they told is lost.
        after_silence: bool,
    },
}

impl Message {
    /// Whether it comes from a client, so that the game stays in memory.
    pub(super) const fn is_of_somebody(&self) -> bool {
        !matches!(self, Self::Wake | Self::Compare { .. })
    }

    /// Answers without a game to ask.
    pub(super) fn refuse(self, refusal: Refusal) {
        // Who has gone meanwhile needs no answer.
        match self {
            Self::Command { reply, .. } | Self::Say { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Draft { reply, .. } | Self::Options { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Watch { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Unwatch { .. } | Self::Wake | Self::Compare { .. } => {}
            Self::Read { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Record { reply, .. } => drop(reply.send(Err(refusal))),
        }
    }
}
