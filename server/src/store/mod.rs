//! Persistent storage: the logs of games with their drafts and chats, the rows of the lists, players with their
//! sessions and blocks, and outages.
//!
//! An event is an opaque text with a game and a version. SQLite and PostgreSQL implement the same trait [`Store`]. All
//! writes of a node go through one [`Writer`], which does group commits.

mod block;
mod chat;
mod error;
mod game;
mod housekeeping;
mod list;
#[cfg(any(test, fuzzing))]
mod memory;
mod outage;
mod page;
mod people;
mod plan;
#[cfg(test)]
mod plans;
mod postgres;
mod row;
mod session;
mod sql;
mod sqlite;
mod tables;
mod wait;
mod write;
mod writer;
mod writes;

use std::{
    fmt,
    future::{Future, ready},
    path::Path,
    sync::Arc,
};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

#[cfg(any(test, fuzzing))]
pub(crate) use self::memory::{Failure, Memory};
pub(crate) use self::wait::WriterLoad;
pub use self::{
    block::{CannotBlock, MAX_BLOCKS},
    chat::{Audience, ChatLine, ChatRow},
    error::{Conflict, StoreError, WriteError},
    game::GameRow,
    housekeeping::{CLEARED_ROWS, Cleared, Clearing, GameCounts},
    list::{Cursor, GameFilter, GameResult, InvalidCursor, List, Page, Paging},
    outage::Outage,
    session::{Session, SessionChange},
    write::{Refused, Write, Written},
    writer::{Committed, Writer, writer},
};
use crate::{
    game::Player,
    ids::{CommandId, GameId, PlayerId, Version},
};

/// One event of a game's log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEvent {
    pub version: Version,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Id of the command that caused the event. Only the first of the events of a command has it.
    pub command: Option<CommandId>,
    /// Stored byte for byte. Must not contain NUL, which PostgreSQL's `text` cannot hold.
    pub body: String,
}

/// Omits the body, which may contain a secret of the game.
impl fmt::Debug for StoredEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredEvent")
            .field("version", &self.version)
            .field("at_ms", &self.at_ms)
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

/// Events that are stored atomically, with the game's row after them.
#[derive(Clone, Debug)]
pub struct Append {
    events: Vec<StoredEvent>,
    row: GameRow,
    draft_is: DraftIs,
}

/// Effect of an [`Append`] on the game's draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftIs {
    /// The turn under way continues, as after an offer.
    Kept,
    /// Another turn is under way, or none.
    Gone,
}

impl Append {
    /// # Panics
    /// If there is no event, the versions are not consecutive, the row's version is not that of the last event, a
    /// command id occurs twice or a body contains NUL. All of these are bugs of the caller.
    pub fn new(events: Vec<StoredEvent>, row: GameRow, draft_is: DraftIs) -> Self {
        let last = events.last().expect("an append has an event").version;
        assert_eq!(last, row.version, "the row has the version of the last event");
        assert!(events[0].version > Version::NONE, "versions count from 1");
        assert!(
            events.windows(2).all(|pair| pair[0].version.next() == pair[1].version),
            "versions are consecutive"
        );
        let commands: Vec<_> = events.iter().filter_map(|event| event.command.as_ref()).collect();
        assert!(
            commands.iter().enumerate().all(|(i, command)| !commands[..i].contains(command)),
            "a command id occurs once"
        );
        assert!(events.iter().all(|event| !event.body.contains('\0')), "a body contains no NUL");
        Self { events, row, draft_is }
    }

    pub fn game(&self) -> GameId {
        self.row.id
    }

    /// The events, at least one, with consecutive versions.
    pub fn events(&self) -> &[StoredEvent] {
        &self.events
    }

    /// The game's row after the events.
    pub fn row(&self) -> &GameRow {
        &self.row
    }

    fn first(&self) -> Version {
        self.events[0].version
    }

    fn begins_a_game(&self) -> bool {
        self.first() == Version::NONE.next()
    }
}

/// The latest draft of a game's turn under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftRow {
    pub game: GameId,
    /// The version of the game on which the draft builds. It may be an earlier version of the same turn.
    pub version: Version,
    /// Stored byte for byte. Must not contain NUL.
    pub body: String,
}

/// Number of events in a page of a log.
pub(crate) const LOG_PAGE: u32 = 512;

/// Events of a game, and its draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The events in the order of their versions, without gaps.
    pub events: Vec<StoredEvent>,
    pub draft: Option<DraftRow>,
}

/// A part of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    pub log: Log,
    /// Whether the page reached the end of the log when it was read.
    pub is_last: bool,
}

/// Reads the events of a game after a version, and its draft; `None` if there is no such game. Awaits `enter` before
/// each page, and holds its result while the page is read.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn read_pages<S, E, G>(
    store: &S,
    game: GameId,
    after: Version,
    enter: E,
) -> Result<Option<Log>, StoreError>
where
    S: Store + ?Sized,
    E: Fn() -> G + Sync,
    G: Future + Send,
    G::Output: Send,
{
    let mut read = Log { events: Vec::new(), draft: None };
    loop {
        let end = read.events.last().map_or(after, |event| event.version);
        let page = {
            let _entered = enter().await;
            store.log_page(game, end, LOG_PAGE).await?
        };
        let Some(LogPage { log, is_last }) = page else { return Ok(None) };
        read.events.extend(log.events);
        read.draft = log.draft;
        if is_last {
            return Ok(Some(read));
        }
    }
}

/// SHA-256 hash of a session's token. Only the browser has the token itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// A database.
///
/// Every call is bounded in time. A call that fails can be retried, since lost connections are reopened.
#[async_trait]
pub trait Store: fmt::Debug + Send + Sync + 'static {
    /// Writes all in one transaction, and returns the result of each, in order.
    ///
    /// An append is in conflict unless its first version directly follows the game's version. So the caller knows all
    /// earlier events, and that none of them has the same command. A draft is in conflict unless its version lies
    /// between that of the last append with [`DraftIs::Gone`] and the game's version. Each write sees the effects of
    /// those before it. A write in conflict changes nothing and does not affect the others.
    ///
    /// After an error it is unknown whether the writes were stored. If the error [is a
    /// refusal](StoreError::is_refusal), none was stored.
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError>;

    /// Reads the next events of a game after a version, at most `limit`, and its draft, in one snapshot; `None` if
    /// there is no such game.
    async fn log_page(&self, game: GameId, after: Version, limit: u32)
    -> Result<Option<LogPage>, StoreError>;

    /// Reads all events and the draft of a game; `None` if there is no such game.
    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        self.log_after(game, Version::NONE).await
    }

    /// Reads the events of a game after a version, page by page, and its draft; `None` if there is no such game.
    async fn log_after(&self, game: GameId, after: Version) -> Result<Option<Log>, StoreError> {
        read_pages(self, game, after, || ready(())).await
    }

    /// Reads a game's row.
    async fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError>;

    /// Reads the next ids of all games after `after`, in order, at most `limit`.
    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Reads a page of a list.
    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError>;

    /// Reads the newest lines of one of a game's chats, at most `limit`, in chronological order.
    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError>;

    /// Reads the ids of games under way whose deadline is not after `now_ms`, at most `limit`, the most overdue first.
    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Reads the versions of games, in no particular order. Unknown games are omitted.
    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, Version)>, StoreError>;

    /// Counts the open rooms and games under way of a player, by link or public.
    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError>;

    /// Reads the ids of games that were cancelled or aborted before a time and are not yet [spared](Clearing::Games),
    /// at most `limit`, the oldest first.
    async fn unplayed_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Reads the session with this token, if it was used after `unused_since_ms`.
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError>;

    /// Reads the players whom a player has blocked, with their current names, the last blocked first.
    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError>;

    /// Returns those among `others` who have blocked a player or are blocked by them, in no particular order.
    async fn blocked_among(&self, player: PlayerId, others: &[PlayerId])
    -> Result<Vec<PlayerId>, StoreError>;

    /// Reads the outages that ended after a time, in order.
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError>;

    /// Verifies that the database answers, and that no write to it has failed recently.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Closes all connections, after which every call fails. For SQLite it first checkpoints the write-ahead log, so
    /// that the file is complete by itself. This may take long with a large log; the next start recovers a log that is
    /// left over.
    async fn close(&self);
}

/// Opens the database of a URL, `sqlite://FILE` or `postgres://…`, and applies missing migrations. Creates a SQLite
/// file if there is none, and locks it until the store is closed.
///
/// # Errors
/// [`StoreError::FileInUse`] if another process has locked the file; any other error if the database cannot be opened.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}

/// Opens a database to read it. Creates and changes nothing. A server may be running on the database.
///
/// # Errors
/// [`StoreError::NoTables`], [`StoreError::OldTables`] or [`StoreError::NewTables`] if the tables are not those of this
/// program; any other error if the database cannot be opened.
pub async fn open_to_read(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open_to_read(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open_to_read(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}

/// Verifies that no server and no `towers migrate` has a SQLite file open.
///
/// # Errors
/// [`StoreError::FileInUse`], or [`StoreError::File`] if the lock cannot be tested.
pub fn refuse_if_in_use(file: &Path) -> Result<(), StoreError> {
    sqlite::refuse_if_in_use(file)
}
