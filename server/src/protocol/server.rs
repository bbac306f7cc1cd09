//! What a client may hear over the socket.

use engine::Side;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Barred, Draft, Fault, GameSummary, LegalAction, Nack, Player, Pool, Snapshot, WrittenEvent};
use crate::ids::{CellName, ChatText, CommandId, GameId, LineId, Version};

/// What a client may hear over the socket.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`: who the server takes the client to be.
    Welcome { protocol: u32, player: Player },
    /// All of a game: its events from version 1 on, how it stands, the draft of the turn under way.
    Snapshot {
        game: GameId,
        events: Vec<WrittenEvent>,
        #[serde(rename = "present")]
        snapshot: Snapshot,
        draft: Option<Draft>,
    },
    /// The events that follow the version the client has, in order, none twice; how the game stands after them,
    /// and the draft of the turn under way.
    Events {
        game: GameId,
        events: Vec<WrittenEvent>,
        #[serde(rename = "present")]
        snapshot: Snapshot,
        draft: Option<Draft>,
    },
    /// The latest draft of the turn under way has changed; `null` if it was taken back.
    Draft { game: GameId, version: Version, draft: Option<Draft> },
    /// The answer to a `draft`, which is now kept, or to `options`: the actions are legal, and this is next.
    Options {
        command: CommandId,
        game: GameId,
        version: Version,
        draft: Draft,
        /// The actions that may follow the draft; none if it is a complete turn.
        actions: Vec<LegalAction>,
        /// The groups that the movable pieces belong to, each a list of cells (RULES 1.11); empty in a game
        /// without groups.
        groups: Vec<Vec<CellName>>,
        /// What would be legal if the side had not done the same before (RULES 4.4).
        barred: Vec<Barred>,
        /// The discs that every legal capture takes, which is why smaller ones and moves are not legal (RULES
        /// 2.7); null if nothing must be captured.
        best_capture: Option<u8>,
    },
    /// The command is committed; the game's version is now this.
    Ack { command: CommandId, game: GameId, version: Version },
    /// The command had no effect, and why.
    Nack {
        command: CommandId,
        game: GameId,
        #[serde(flatten)]
        why: Nack,
    },
    /// Who is at a game; at most once a second.
    Presence {
        game: GameId,
        /// Whether somebody in the first side's seat looks at it.
        first: bool,
        second: bool,
        /// Visitors who watch, each counted once.
        #[serde(rename = "watchers")]
        spectators: u32,
        /// What the side that is here may claim of the one that is gone.
        claim: Option<ClaimOffer>,
    },
    /// What was said among those whom the reader belongs to, oldest first: all that is kept when the reader
    /// begins to follow the game, then each line as it is said.
    Chat { game: GameId, lines: Vec<ChatLine> },
    /// The lobby as it is: a fair choice of open public rooms whose makers are here, of live public games and of public
    /// games that ended lately, each newest first; and the reader's own rooms and games that are not over.
    Lobby {
        rooms: Vec<GameSummary>,
        live: Vec<GameSummary>,
        finished: Vec<GameSummary>,
        mine: Vec<GameSummary>,
    },
    /// What has changed. Of the reader's own games it is sent at once, of others' at most every 250 ms.
    LobbyChanged {
        /// Games of the lobby, or of the reader's own, as they are now (their statuses tell).
        games: Vec<GameSummary>,
        /// Rooms and live games that the lobby shows no more: closed, aborted, begun as a game that nobody may watch,
        /// their maker gone, or others shown in their place. If they are shown again, they come again in `games`.
        gone: Vec<GameId>,
    },
    /// Who is here: all after `lobby`, then what has changed, at most once a second.
    LobbyCounts {
        /// Players with an open page, each counted once.
        players: u32,
        /// Those who watch, for the games of the lobby for which the number has changed.
        #[serde(rename = "watchers")]
        spectators: Vec<SpectatorCount>,
    },
    /// What the reader looks for, in all tabs: after `lobby`, and whenever it has changed. Who has no open page looks
    /// for nothing.
    Seeking { pools: Vec<Pool> },
    /// Somebody was found: the game has begun.
    Paired { game: GameId },
    /// A frame that was no valid message, or one about a game that is not to be had.
    Error {
        #[serde(flatten)]
        why: Fault,
    },
    /// The answer to `ping`.
    Pong,
}

/// A side is gone, and when the other may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClaimOffer {
    /// The side that is gone.
    #[serde(with = "crate::ids::side")]
    #[ts(type = "Side")]
    pub against: Side,
    /// Milliseconds, when this was sent, until it may be claimed; 0 if it may be now.
    #[ts(type = "number")]
    pub in_ms: i64,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatLine {
    /// Lines sort by it.
    pub id: LineId,
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The turn that those who read it saw under way.
    pub turn: u16,
    pub who: Player,
    pub text: ChatText,
}

/// The visitors who watch a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SpectatorCount {
    pub game: GameId,
    #[serde(rename = "watchers")]
    pub spectators: u32,
}
