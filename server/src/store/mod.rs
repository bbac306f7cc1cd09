//! What outlives the process: the games' logs with their drafts and chats, the rows that lists are made of, players
//! with their sessions and blocks, and when no server was up.
//!
//! An event is a text with a game and a version; the store does not know what it means. Two databases keep the
//! same things behind the one trait [`Store`]. What is on the way of a turn is written through a [`Writer`],
//! which commits together what has come together.

mod block;
mod chat;
mod error;
mod list;
#[cfg(any(test, fuzzing))]
mod memory;
mod outage;
mod plan;
mod postgres;
mod row;
mod sql;
mod sqlite;
mod writer;

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

#[cfg(any(test, fuzzing))]
pub(crate) use self::memory::{Failure, Memory};
pub use self::{
    block::{CannotBlock, MAX_BLOCKS},
    chat::{Audience, ChatRow},
    error::{Conflict, StoreError, WriteError},
    list::{Cursor, GameFilter, GameResult, InvalidCursor, List, Page, Paging},
    outage::Outage,
    writer::{Committed, Writer, writer},
};
use crate::{
    ids::{CommandId, GameId, NodeId, PlayerId, PlayerName, Version},
    protocol::{GameSummary, Player},
};

/// One event of a game's log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEvent {
    pub version: Version,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// The command that brought it about. Of the events of one command, the first has it.
    pub command: Option<CommandId>,
    /// Kept byte for byte. It holds no NUL, which PostgreSQL's `text` cannot hold.
    pub body: String,
}

/// Without the body, which may hold a secret of the game.
impl fmt::Debug for StoredEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredEvent")
            .field("version", &self.version)
            .field("at_ms", &self.at_ms)
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

/// Events that belong together, with the game's row as it is after them. They are stored all or not at all.
#[derive(Clone, Debug)]
pub struct Append {
    events: Vec<StoredEvent>,
    row: GameSummary,
    draft_is: DraftIs,
}

/// What becomes of a game's draft with an [`Append`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftIs {
    /// The turn under way goes on, as after an offer.
    Kept,
    /// Another turn is under way, or none.
    Gone,
}

impl Append {
    /// # Panics
    /// If there is no event, their versions do not follow one another, the row's version is not the last one's,
    /// a command id comes twice or a body holds NUL: whoever makes an append has made these himself.
    pub fn new(events: Vec<StoredEvent>, row: GameSummary, draft_is: DraftIs) -> Self {
        let last = events.last().expect("an append has an event").version;
        assert_eq!(last, row.version, "the row is the one after the last event");
        assert!(events[0].version > Version::NONE, "versions count from 1");
        assert!(
            events.windows(2).all(|pair| pair[0].version.next() == pair[1].version),
            "versions follow one another"
        );
        let commands: Vec<_> = events.iter().filter_map(|event| event.command.as_ref()).collect();
        assert!(
            commands.iter().enumerate().all(|(i, command)| !commands[..i].contains(command)),
            "a command is named once"
        );
        assert!(events.iter().all(|event| !event.body.contains('\0')), "a body holds no NUL");
        Self { events, row, draft_is }
    }

    pub fn game(&self) -> GameId {
        self.row.id
    }

    /// At least one, their versions following one another.
    pub fn events(&self) -> &[StoredEvent] {
        &self.events
    }

    /// The game's row after the events.
    pub fn row(&self) -> &GameSummary {
        &self.row
    }

    fn first(&self) -> Version {
        self.events[0].version
    }
}

/// The latest draft of a game's turn under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftRow {
    pub game: GameId,
    /// The version of the game that it was made on, perhaps an older one of the same turn.
    pub version: Version,
    /// Kept byte for byte. It holds no NUL.
    pub body: String,
}

/// Something to be written in a [`Store::commit`].
#[derive(Clone, Debug)]
pub enum Write {
    Append(Arc<Append>),
    /// Replaces the game's draft.
    Draft(DraftRow),
    /// Takes the game's draft away, if there is one.
    TakeDraft(GameId),
    /// Adds a line to the game's chat, unless its player has said one by its command: then it stays as it was.
    Line(ChatRow),
}

/// All that is known of a game, as it was at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// From version 1 on, without a gap.
    pub events: Vec<StoredEvent>,
    pub draft: Option<DraftRow>,
}

/// What is kept of a session's token: a hash of SHA-256. The token itself is nowhere but with its visitor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    pub fn of(token: &[u8]) -> Self {
        Self(Sha256::digest(token).into())
    }

    fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

/// A database that keeps it all.
///
/// Every call is bounded in time. One that fails may be tried again: a connection that was lost is made anew.
#[async_trait]
pub trait Store: fmt::Debug + Send + Sync + 'static {
    /// Writes all in one transaction, and answers for each, in order, whether it was written.
    ///
    /// An append is in conflict unless its first version is the one after the game's: who appends knows all events
    /// before, and that none is of the same command. A draft is, unless its version is one of the game's from the last
    /// append on with which the draft was [gone](DraftIs::Gone). Each looks at the writes before it as done. A conflict
    /// leaves nothing behind and hinders none of the others.
    ///
    /// On an error it is not known whether the writes were stored; on one that [is a refusal](StoreError::is_refusal),
    /// none was.
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError>;

    /// A game's events and draft, `None` if there is no such game.
    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError>;

    /// A game's row.
    async fn game(&self, game: GameId) -> Result<Option<GameSummary>, StoreError>;

    /// The ids of games, all of them, in order: those behind `after`, at most so many.
    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// A page of a list.
    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError>;

    /// The newest lines of one of a game's chats, at most so many, the oldest first.
    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError>;

    /// Games under way whose deadline is now or was before, at most so many, the longest due first.
    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Whether a node is to look for games that are due: of all nodes one is, from when it is told so until
    /// `until_ms`, or longer if it asks again before.
    async fn may_sweep(&self, node: NodeId, now_ms: i64, until_ms: i64) -> Result<bool, StoreError>;

    /// The versions of games, in no order; those that there are not are left out.
    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, Version)>, StoreError>;

    /// How many open rooms a player has made, by link or public.
    async fn count_open_rooms(&self, creator: PlayerId) -> Result<u32, StoreError>;

    /// A new player with a first session.
    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError>;

    /// Whose session has this token.
    async fn player_by_token(&self, token: &TokenHash) -> Result<Option<Player>, StoreError>;

    /// Gives a player another name, and answers the player then, `None` if there is no such player. Games keep
    /// the names that their players had.
    async fn rename(&self, player: PlayerId, name: &PlayerName) -> Result<Option<Player>, StoreError>;

    /// Has a player block another. It is no error if they have done so before.
    async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        now_ms: i64,
    ) -> Result<Result<(), CannotBlock>, StoreError>;

    /// Takes a block back, if there is one.
    async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError>;

    /// Whom a player has blocked, by the names they have now, the last blocked first.
    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError>;

    /// Whether one of the two has blocked the other.
    async fn is_blocked_between(&self, one: PlayerId, other: PlayerId) -> Result<bool, StoreError>;

    /// Notes that a server is up. If the last note of any node is older than `gap_ms`, no server was up since: that
    /// outage is noted too, and the node that does so is the one that is told.
    async fn beat(&self, now_ms: i64, gap_ms: i64) -> Result<Option<Outage>, StoreError>;

    /// The outages that ended after a time, in order.
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError>;

    /// Whether the database answers.
    async fn ping(&self) -> Result<(), StoreError>;
}

/// Opens the database that a URL names, `sqlite://FILE` or `postgres://…`, and brings its tables up to date. A
/// SQLite file is made if there is none.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}
