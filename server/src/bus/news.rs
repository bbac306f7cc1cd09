//! What nodes tell each other. A node that does not understand another's news, since it is of another release,
//! passes over it: all of it can be had from the database too, but who is where.

use serde::{Deserialize, Serialize};

use crate::{
    edge,
    game::Player,
    ids::{CommandId, GameId, NodeId, PlayerId},
    protocol::{self, GameSummary, SpectatorCount},
    store::{Audience, ChatRow, DraftIs, DraftRow, GameRow, StoredEvent},
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
    Line { row: Box<SaidLine> },
    /// Who is at the game on a node.
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
    /// A game's new row, in full.
    Row { row: Box<GameSummary> },
    /// A player has come to a node.
    Came { node: NodeId, player: PlayerId },
    /// A player's last connection to a node has ended.
    Left { node: NodeId, player: PlayerId },
    /// A player without a connection has asked a node for something.
    Seen { player: PlayerId },
    /// A player goes by another name from now on.
    Renamed { player: protocol::Player },
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
