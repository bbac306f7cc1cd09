use std::sync::Arc;

use super::{
    Append, CannotBlock, ChatRow, Cleared, Clearing, Conflict, DraftRow, Outage, SessionChange, TokenHash,
};
use crate::{
    game::Player,
    ids::{GameId, NodeId, PlayerId, PlayerName},
};

/// Something to be written in a [`Store::commit`](super::Store::commit).
#[derive(Clone, Debug)]
pub enum Write {
    Append(Arc<Append>),
    /// Replaces the game's draft.
    Draft(DraftRow),
    /// Takes the game's draft away, if there is one.
    TakeDraft(GameId),
    /// Adds a line to the game's chat, unless its player has said one by its command: then it stays as it was.
    Line(ChatRow),
    /// A new player with a first session.
    NewPlayer {
        player: Player,
        token: TokenHash,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// Gives a player another name. Games keep the names that their players had.
    Rename {
        player: PlayerId,
        name: PlayerName,
    },
    /// Has a player block another. Blocking somebody twice is no error.
    Block {
        player: PlayerId,
        blocked: PlayerId,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// Takes a block back, if there is one.
    Unblock {
        player: PlayerId,
        blocked: PlayerId,
    },
    Session(SessionChange),
    /// Records that players are here, beside those whose [sessions are used](SessionChange::Used).
    Seen {
        players: Vec<PlayerId>,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    Clear(Clearing),
    /// Records that a server is up. If the last beat of any node is older than `gap_ms`, no server was up since: that
    /// outage is recorded too.
    Beat {
        /// Milliseconds since 1970.
        now_ms: i64,
        gap_ms: i64,
    },
    /// Makes a node the one that looks for games that are due, until `until_ms`, unless another one is at `now_ms`.
    TakeSweep {
        node: NodeId,
        now_ms: i64,
        until_ms: i64,
    },
}

/// How soon a write has to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// A game under way waits for it.
    Play,
    /// No game under way waits for it, but it must not queue behind deferrable writes: a new game, the heartbeat.
    Soon,
    /// A deferrable write: each transaction takes a bounded number of them.
    Later,
}

impl Write {
    /// The game whose log or draft it changes.
    pub(super) fn game(&self) -> Option<GameId> {
        match self {
            Self::Append(append) => Some(append.game()),
            Self::Draft(draft) => Some(draft.game),
            Self::TakeDraft(game) => Some(*game),
            Self::Line(_)
            | Self::NewPlayer { .. }
            | Self::Rename { .. }
            | Self::Block { .. }
            | Self::Unblock { .. }
            | Self::Session(_)
            | Self::Seen { .. }
            | Self::Clear(_)
            | Self::Beat { .. }
            | Self::TakeSweep { .. } => None,
        }
    }

    pub(super) fn urgency(&self) -> Urgency {
        match self {
            Self::Append(append) if append.begins_a_game() => Urgency::Soon,
            Self::Append(_) | Self::Draft(_) | Self::TakeDraft(_) => Urgency::Play,
            Self::Beat { .. } | Self::TakeSweep { .. } => Urgency::Soon,
            Self::Line(_)
            | Self::NewPlayer { .. }
            | Self::Rename { .. }
            | Self::Block { .. }
            | Self::Unblock { .. }
            | Self::Session(_)
            | Self::Seen { .. }
            | Self::Clear(_) => Urgency::Later,
        }
    }
}

/// What became of a write that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Done,
    /// A beat ended an outage.
    AfterOutage(Outage),
    Cleared(Cleared),
}

/// Why a write was not done though the database is well. It has left nothing behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// Nobody has the id of the player who is to have another name.
    #[error("no player has this id")]
    UnknownPlayer,
    #[error(transparent)]
    CannotBlock(#[from] CannotBlock),
    #[error("another node looks for the games that are due")]
    SweptElsewhere,
}
