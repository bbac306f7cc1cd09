//! Messages between nodes. A node ignores messages that it cannot decode, such as those of another release: except for
//! presence, all of their content is also in the database.

use serde::{Deserialize, Serialize};

use crate::{
    ids::{NodeId, PlayerId},
    protocol::{GameSummary, Player, SpectatorCount},
    store::{ChatRow, DraftIs, DraftRow, StoredEvent},
};

/// A change in one game, for the nodes that have it in memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum GameNews {
    /// Stored events with consecutive versions, at least one.
    Events { events: Vec<StoredEvent>, draft_is: DraftIs },
    /// A stored draft; `None` if the draft was deleted.
    Draft { draft: Option<DraftRow> },
    /// A stored line of the chat.
    Line { row: Box<ChatRow> },
    /// The presence at a game on a node.
    Here { node: NodeId, there: AtGame },
}

/// Presence at a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AtGame {
    pub(crate) first: bool,
    pub(crate) second: bool,
    /// Number of spectators.
    #[serde(rename = "watchers")]
    pub(crate) spectators: u32,
}

/// A message to all nodes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum NodeNews {
    /// A game's new row.
    Row { row: Box<GameSummary> },
    /// A player has connected to a node.
    Came { node: NodeId, player: PlayerId },
    /// A player's last connection to a node has ended.
    Left { node: NodeId, player: PlayerId },
    /// A player without a connection has sent a request to a node.
    Seen { player: PlayerId },
    /// A player has a new name.
    Renamed { player: Player },
    /// The session of a player has ended; all of the player's connections end with it.
    SignedOut { player: PlayerId },
    /// The number of spectators of a game on a node.
    Watching { node: NodeId, count: SpectatorCount },
    /// The full state of a node: its players, and the number of spectators of each game.
    Here { node: NodeId, players: Vec<PlayerId>, watching: Vec<SpectatorCount> },
    /// A node has reconnected: its messages during the disconnection are lost.
    Back,
    /// A node shuts down.
    Gone { node: NodeId },
}
