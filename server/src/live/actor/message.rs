use engine::record::Record;
use tokio::sync::oneshot;

use crate::{
    compute::Asker,
    deflate::Gzipped,
    ids::{PlayerId, Version},
    live::{Admitted, DraftRequest, Request, SayRequest, news::News},
    outbox::{ConnectionId, Outbox},
    protocol::{Nack, ServerMessage},
};

/// What a game's task is asked to do.
#[derive(Debug)]
pub(crate) enum Message {
    Command {
        request: Request,
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
        from: Version,
        admitted: Admitted,
        asker: Asker,
        reply: oneshot::Sender<Result<Watched, Nack>>,
    },
    Unwatch {
        connection: ConnectionId,
    },
    Read {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Gzipped, Nack>>,
    },
    Record {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Record, Nack>>,
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

/// What came of the wish to follow a game.
#[derive(Debug)]
pub(in crate::live) enum Watched {
    /// The connection was sent so many events, and follows the game from now on.
    Following { n_sent: usize },
    /// It lacks so much that it does not follow the game yet: it is to be sent this, and then asks again.
    Behind(Box<News>),
}

impl Message {
    /// Whether it comes from a client, so that the game stays in memory.
    pub(super) const fn is_of_somebody(&self) -> bool {
        !matches!(self, Self::Wake | Self::Compare { .. })
    }

    /// CommandLog without a game to ask.
    pub(super) fn refuse(self, refusal: Nack) {
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
