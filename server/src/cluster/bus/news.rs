//! Messages between nodes. A node ignores messages that it cannot decode, such as those of another release: except for
//! presence, all of their content is also in the database.

use game::{
    Player,
    ids::{CommandId, GameId, NodeId, PlayerId},
};
use protocol::{GameSummary, SpectatorCount};
use serde::{Deserialize, Serialize};
use store::{Audience, ChatRow, DraftIs, DraftRow, GameRow, StoredEvent};

use crate::edge;

/// A change in one game, for the nodes that have it in memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum GameNews {
    /// Stored events with consecutive versions, at least one.
    Events { events: Vec<StoredEvent>, draft_is: DraftIs },
    /// A stored draft; `None` if the draft was deleted.
    Draft { draft: Option<DraftRow> },
    /// A stored line of the chat.
    Line { row: Box<SaidLine> },
    /// The presence at a game on a node.
    Here { node: NodeId, there: AtGame },
}

/// A line of a chat with the game, the audience and the command that said it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SaidLine {
    game: GameId,
    audience: Audience,
    command: CommandId,
    line: protocol::ChatLine,
}

impl From<ChatRow> for SaidLine {
    fn from(ChatRow { game, audience, command, line }: ChatRow) -> Self {
        Self { game, audience, command, line: edge::line(line) }
    }
}

impl From<SaidLine> for ChatRow {
    fn from(SaidLine { game, audience, command, line }: SaidLine) -> Self {
        Self { game, audience, command, line: edge::stored_line(line) }
    }
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
    /// A game's new row, in full.
    Row { row: Box<GameSummary> },
    /// A player has connected to a node.
    Came { node: NodeId, player: PlayerId },
    /// A player's last connection to a node has ended.
    Left { node: NodeId, player: PlayerId },
    /// A player without a connection has sent a request to a node.
    Seen { player: PlayerId },
    /// A player has a new name.
    Renamed { player: protocol::Player },
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

impl NodeNews {
    /// The news of a game's new row.
    pub(crate) fn row(row: GameRow) -> Self {
        Self::Row { row: Box::new(edge::summary(row)) }
    }

    /// The news of a player's new name.
    pub(crate) fn renamed(player: Player) -> Self {
        Self::Renamed { player: player.into() }
    }
}
