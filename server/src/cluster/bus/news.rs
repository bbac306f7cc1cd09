//! Messages between nodes. A node ignores messages that it cannot decode, such as those of another release: except for
//! presence and the pools, all of their content is also in the database.

use game::ids::{CommandId, GameId, NodeId, PlayerId};
use protocol::{GameSummary, Names, Pool, SpectatorCount};
use serde::{Deserialize, Serialize};
use store::{Audience, ChatRow, Committed, DraftIs, DraftRow, EndedSessions, GameRow, StoredEvent};

use crate::{convert, net::address::Address};

/// A change in one game, for the nodes that have it in memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum GameNews {
    /// Stored events with consecutive versions, at least one, and the time of the game's last change before them.
    Events { after_ms: Option<i64>, events: Vec<StoredEvent>, draft_is: DraftIs },
    /// The newest draft, which is stored within a second; `None` if its player has withdrawn it.
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
    pub(crate) line: protocol::ChatLine,
}

impl SaidLine {
    /// Returns a stored line for the other nodes.
    pub(crate) fn of(ChatRow { game, audience, command, line }: ChatRow, names: &impl Names) -> Self {
        Self { game, audience, command, line: convert::line(line, None, names) }
    }
}

impl From<SaidLine> for ChatRow {
    fn from(SaidLine { game, audience, command, line }: SaidLine) -> Self {
        Self { game, audience, command, line: convert::stored_line(line) }
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
    Renamed { id: PlayerId, player: protocol::Player },
    /// A player is muted until a time, in milliseconds since 1970, or not any more.
    Muted { player: PlayerId, until_ms: Option<i64> },
    /// A player of an address has joined a room.
    Joined { game: GameId, player: PlayerId, address: Address },
    /// Sessions of a player have ended, and their connections end with them.
    SignedOut { player: PlayerId, ended: EndedSessions },
    /// The number of spectators of a game on a node.
    Watching { node: NodeId, count: SpectatorCount },
    /// A part of the full state of a node. The first part has the number of spectators of each listed game.
    Here {
        node: NodeId,
        #[serde(flatten)]
        part: PlayersPart,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        watching: Option<Vec<SpectatorCount>>,
    },
    /// A node has reconnected, or was too slow: some of its messages are lost.
    Back,
    /// A node shuts down.
    Gone { node: NodeId },
}

/// Maximum number of players in one part: less than half of the 1 MiB that NATS takes in one message.
const PLAYERS_IN_PART: usize = 10_000;

/// All players of a node whose ids are in a range. Each part stands alone: if one is lost, the others count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayersPart {
    pub(crate) players: Vec<PlayerId>,
    /// The range begins after this player; `None` in the first part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<PlayerId>,
    /// The range ends with this player; `None` in the last part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<PlayerId>,
}

impl PlayersPart {
    /// Splits the players of a node into parts, at least one. Together their ranges have all ids.
    pub(crate) fn all(mut players: Vec<PlayerId>) -> Vec<Self> {
        players.sort_unstable();
        let mut parts: Vec<Self> = Vec::new();
        for players in players.chunks(PLAYERS_IN_PART) {
            let after = parts.last().and_then(|part| part.until);
            parts.push(Self { players: players.to_vec(), after, until: players.last().copied() });
        }
        match parts.last_mut() {
            Some(last) => last.until = None,
            None => parts.push(Self::default()),
        }
        parts
    }
}

impl GameNews {
    /// The news of a commit.
    pub(crate) fn events(committed: &Committed) -> Self {
        let (events, draft_is) = (committed.events().to_vec(), committed.draft_is());
        Self::Events { after_ms: committed.after_ms(), events, draft_is }
    }
}

impl NodeNews {
    /// The news of the full state of a node.
    pub(crate) fn state(
        node: NodeId,
        players: Vec<PlayerId>,
        watching: Vec<SpectatorCount>,
    ) -> impl Iterator<Item = Self> {
        let watching = std::iter::once(Some(watching)).chain(std::iter::repeat(None));
        let parts = PlayersPart::all(players).into_iter().zip(watching);
        parts.map(move |(part, watching)| Self::Here { node, part, watching })
    }

    /// The news of a game's new row.
    pub(crate) fn row(row: GameRow, names: &impl Names) -> Self {
        Self::Row { row: Box::new(convert::summary(row, names)) }
    }
}

/// A message about the pools. A player's home is the node that the player seeks at; the owner is the node that pairs the
/// seekers of all homes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum PoolNews {
    /// A node is up; sent to all.
    Alive { node: NodeId },
    /// A node shuts down; sent to all.
    Gone { node: NodeId },
    /// Two players are paired, and leave all pools; sent to all.
    Paired { players: [PlayerId; 2], game: GameId },
    /// Seekers of a home, each with all of the player's pools; sent to the owner.
    Seekers { home: NodeId, seekers: Vec<SeekerPools> },
    /// The owner asks a home for a seeker, for a game that is about to begin.
    Claim { claim: Claim, player: PlayerId, game: GameId, pool: Pool },
    /// The home keeps the seeker for the claim, or has none to give (`None`).
    Granted { claim: Claim, player: Option<protocol::Player> },
    /// The owner gives a seeker back to the home.
    Released { claim: Claim, player: PlayerId },
    /// The owner could not pair a seeker; sent to the home.
    Refused { player: PlayerId, pool: Pool, why: Refusal },
}

/// A player who seeks, and the pools with the milliseconds waited in each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeekerPools {
    pub(crate) player: PlayerId,
    pub(crate) pools: Vec<(Pool, Address, u64)>,
}

/// A claim of an owner on a seeker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Claim {
    pub(crate) owner: NodeId,
    /// Unique among the claims of the owner.
    pub(crate) number: u64,
}

/// The reason why a seeker was not paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum Refusal {
    /// The player has too many games under way, and leaves all pools.
    TooManyUnderWay { limit: u32 },
    /// The database failed. The pairing is retried.
    Unavailable,
}
