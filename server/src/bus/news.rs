//! What nodes tell each other. A node that does not understand another's news, since it is of another release,
//! passes over it: all of it can be had from the database too, but who is where.

use serde::{Deserialize, Serialize};

use crate::{
    ids::{NodeId, PlayerId},
    protocol::{GameSummary, Player, SpectatorCount},
    store::{ChatRow, DraftIs, DraftRow, StoredEvent},
};

/// What is new in one game, told to the nodes that have it in memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum GameNews {
    /// Events that are stored, at least one, their versions following one another.
    Events { events: Vec<StoredEvent>, draft_is: DraftIs },
    /// A draft that is stored, or none if it was taken back.
    Draft { draft: Option<DraftRow> },
    /// A line of the chat that is stored.
    Line { row: Box<ChatRow> },
    /// Who is at the game on a node.
    Here { node: NodeId, there: AtGame },
}

/// Who is at a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AtGame {
    pub(crate) first: bool,
    pub(crate) second: bool,
    /// Visitors who watch.
    #[serde(rename = "watchers")]
    pub(crate) spectators: u32,
}

/// What all nodes want to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum NodeNews {
    /// A game's new row.
    Row { row: Box<GameSummary> },
    /// A player has come to a node.
    Came { node: NodeId, player: PlayerId },
    /// A player's last connection to a node has ended.
    Left { node: NodeId, player: PlayerId },
    /// A player without a connection has asked a node for something.
    Seen { player: PlayerId },
    /// A player goes by another name from now on.
    Renamed { player: Player },
    /// The session of a player has ended, and the player's connections with it.
    SignedOut { player: PlayerId },
    /// How many watch a game on a node.
    Watching { node: NodeId, count: SpectatorCount },
    /// All of a node: who is there, and how many watch which games.
    Here { node: NodeId, players: Vec<PlayerId>, watching: Vec<SpectatorCount> },
    /// A node that was not heard is heard again: what it told meanwhile is lost.
    Back,
    /// A node goes down.
    Gone { node: NodeId },
}
