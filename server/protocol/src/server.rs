//! Messages from the server over the socket.

use engine::Side;
use game::ids::{ChatText, CommandId, GameId, LineId, Version};
use serde::{Deserialize, Serialize};

use super::{
    Barred, CellName, CompactEvent, Draft, Fault, GameSummary, LegalAction, Nack, Player, Pool, Standing,
};

/// Message from the server over the socket.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// Answers `hello`, with the player of the client's session.
    Welcome {
        protocol: u32,
        player: Player,
        /// Time of sending by the server's clock, milliseconds since 1970.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        now_ms: i64,
    },
    /// Events of a game, in order, each once. Answers `watch` and `hello` with those that the client lacks, and is sent to
    /// all subscribers when events are committed.
    Events {
        game: GameId,
        /// Version of the last event. If there are `version` events, they are the whole game, and the client
        /// discards what it had of it.
        version: Version,
        events: Vec<CompactEvent>,
        /// Text of the position after the last event.
        position: String,
        /// Missing if the last event is a turn, the game goes on, nothing is offered, and the clock stands as after that
        /// turn, with the time of the side to move running.
        #[serde(rename = "present", default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        standing: Option<Standing>,
        /// Actions of the draft of the turn under way; missing if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        draft: Option<Vec<String>>,
    },
    /// The draft of the turn under way has changed: its actions; null if it was withdrawn. Not sent to the connection
    /// that changed it.
    Draft { game: GameId, version: Version, draft: Option<Vec<String>> },
    /// Answers a legal `draft`, which is stored within a second, and legal `options`, with the actions that are legal next.
    Options {
        command: CommandId,
        game: GameId,
        version: Version,
        draft: Draft,
        /// Actions that may follow the draft, in the bytewise order of their texts; empty if the draft is complete.
        actions: Vec<LegalAction>,
        /// Groups that the pieces of the side to move belong to, each a list of cells (RULES 1.11); empty in a game
        /// without groups.
        groups: Vec<Vec<CellName>>,
        /// Actions that only ko forbids (RULES 4.4).
        barred: Vec<Barred>,
        /// Number of discs that each legal capture takes; smaller captures and moves are not legal (RULES 2.7). Null if
        /// nothing must be captured.
        best_capture: Option<u8>,
    },
    /// The command is committed. `version` is that of the game after it.
    Ack { command: CommandId, game: GameId, version: Version },
    /// The command had no effect, for the reason in `code`.
    Nack {
        command: CommandId,
        game: GameId,
        #[serde(flatten)]
        why: Nack,
    },
    /// Presence of the players and spectators of a game, at most once a second.
    Presence {
        game: GameId,
        /// Whether the first side's player is connected to the game.
        first: bool,
        /// Whether the second side's player is connected to the game.
        second: bool,
        /// Number of spectators, each counted once.
        #[serde(rename = "watchers")]
        spectators: u32,
        /// Claim that the present side may make against the absent one; null if there is none.
        claim: Option<ClaimOffer>,
    },
    /// Chat lines of the reader's audience (the players or the spectators), oldest first: the stored ones, at most 200,
    /// when the reader subscribes to the game, then each new line.
    Chat { game: GameId, lines: Vec<ChatLine> },
    /// A player has a new name or is of another kind now. Sent to the readers of each game in memory that mentions the
    /// player: in a seat, or in the chat that they read.
    Renamed { player: Player },
    /// The whole lobby, each list newest first. All lists but `mine` are a fair choice among the newest games.
    Lobby {
        /// Open public rooms whose makers are connected, at most 200.
        rooms: Vec<GameSummary>,
        /// Public games under way, at most 200.
        live: Vec<GameSummary>,
        /// Public games that ended recently, at most 50.
        finished: Vec<GameSummary>,
        /// The reader's own rooms and games that are not over, whatever their visibility.
        mine: Vec<GameSummary>,
    },
    /// Changes of the lobby. Those of the reader's own games are sent at once, all others at most every 250 ms.
    LobbyChanged {
        /// Present rows of games of the lobby, or of the reader's own. `status` says which list a game belongs to.
        games: Vec<GameSummary>,
        /// Rooms and live games that the lobby no longer shows: closed or aborted ones, rooms that became games that
        /// may not be watched, rooms whose makers are gone, and those replaced by others. A game that is shown again
        /// comes in `games` again.
        gone: Vec<GameId>,
    },
    /// Numbers of players and spectators: all of them after `lobby`, then the changed ones, at most once a second.
    LobbyCounts {
        /// Number of players with an open page, each counted once.
        players: u32,
        /// Numbers of spectators of those live games whose number has changed.
        #[serde(rename = "watchers")]
        spectators: Vec<SpectatorCount>,
    },
    /// All pools that the reader is in. Sent after `lobby`, and to each of the reader's connections when it changes. A
    /// player whose last connection is gone leaves all pools.
    Seeking { pools: Vec<Pool> },
    /// A pool has begun a game with the reader. Sent to each of the reader's connections.
    Paired { game: GameId },
    /// The games that wait for a turn of the reader may have changed (see `GET /turns`): a game without a clock for all
    /// turns, or a challenge to one, began, went on or ended. Sent to the connections that asked for it with `hello`.
    Turns,
    /// Answers a frame that is no valid message, or a message without a `command` that is refused. Also sent when the
    /// server ends a subscription, or cannot begin a game of a pool.
    Error {
        #[serde(flatten)]
        why: Fault,
    },
    /// Answers `ping`, with the time by the server's clock, milliseconds since 1970.
    Pong {
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        now_ms: i64,
    },
}

/// Claim against a side that has left the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClaimOffer {
    /// The absent side.
    #[cfg_attr(feature = "ts", ts(type = "Side"))]
    pub against: Side,
    /// Time from which the claim may be made, by the server's clock, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub from_ms: i64,
}

/// Line of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChatLine {
    /// Lines are ordered by their ids.
    pub id: LineId,
    /// Time of the line by the server's clock, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    /// Number of the turn that the line's audience saw under way (RULES 0.4).
    pub turn: u16,
    pub who: Player,
    pub text: ChatText,
}

/// Number of spectators of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SpectatorCount {
    pub game: GameId,
    #[serde(rename = "watchers")]
    pub spectators: u32,
}
