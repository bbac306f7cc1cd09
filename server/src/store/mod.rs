//! What outlives the process: the games' logs with their drafts and chats, the rows that lists are made of, players
//! with their sessions and blocks, and when no server was up.
//!
//! An event is a text with a game and a version; the store does not know what it means. Two databases keep the
//! same things behind the one trait [`Store`]. All writes of a node go through one [`Writer`], which commits together
//! what has come together.

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
    row: GameRow,
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
    pub fn new(events: Vec<StoredEvent>, row: GameRow, draft_is: DraftIs) -> Self {
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
    /// The version of the game that it was made on, perhaps an older one of the same turn.
    pub version: Version,
    /// Kept byte for byte. It holds no NUL.
    pub body: String,
}

/// Number of events in a page of a log.
pub(crate) const LOG_PAGE: u32 = 512;

/// Events of a game, and its draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// In the order of their versions, without a gap.
    pub events: Vec<StoredEvent>,
    pub draft: Option<DraftRow>,
}

/// A part of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    pub log: Log,
    /// Whether the log ended with it when it was read.
    pub is_last: bool,
}

/// Reads the events of a game after a version, and its draft; `None` if there is no such game. `enter` is waited for
/// before each page, and its result is held while the page is read.
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

/// What is kept of a session's token: a hash of SHA-256. The token itself is nowhere but with its visitor.
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
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError>;

    /// The next events of a game after a version, at most `limit`, with the draft that was kept at that moment; `None` if
    /// there is no such game.
    async fn log_page(&self, game: GameId, after: Version, limit: u32)
    -> Result<Option<LogPage>, StoreError>;

    /// A game's events and draft, `None` if there is no such game.
    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        self.log_after(game, Version::NONE).await
    }

    /// The events of a game after a version, read page by page, and its draft; `None` if there is no such game.
    async fn log_after(&self, game: GameId, after: Version) -> Result<Option<Log>, StoreError> {
        read_pages(self, game, after, || ready(())).await
    }

    /// A game's row.
    async fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError>;

    /// The ids of games, all of them, in order: those behind `after`, at most so many.
    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// A page of a list.
    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError>;

    /// The newest lines of one of a game's chats, at most so many, the oldest first.
    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError>;

    /// Games under way whose deadline is now or was before, at most so many, the longest due first.
    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// The versions of games, in no order; those that there are not are left out.
    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, Version)>, StoreError>;

    /// How many open rooms and games under way a player has, by link or public.
    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError>;

    /// Games that were cancelled or aborted before a time and are not yet [spared](Clearing::Games), at most `limit`, the
    /// one that was created first coming first.
    async fn unplayed_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// The session with this token, if it was used after `unused_since_ms`.
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError>;

    /// Whom a player has blocked, by the names they have now, the last blocked first.
    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError>;

    /// Those among `others` who have blocked a player or are blocked by them, in no order.
    async fn blocked_among(&self, player: PlayerId, others: &[PlayerId])
    -> Result<Vec<PlayerId>, StoreError>;

    /// The outages that ended after a time, in order.
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError>;

    /// Whether the database answers, and has stored lately what it was to store.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Closes all connections, after which no call works. A file of SQLite is complete by itself then: what its log has is in
    /// it. May take long with a large log; what is not done when the process ends is done by the next start.
    async fn close(&self);
}

/// Opens the database that a URL names, `sqlite://FILE` or `postgres://…`, and brings its tables up to date. A
/// SQLite file is made if there is none, and nobody else can open it so until the store is closed.
///
/// # Errors
/// [`StoreError::FileInUse`] if somebody has; else the database cannot be had.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}

/// Opens a database to read it. It makes and changes nothing, and a server may run meanwhile.
///
/// # Errors
/// [`StoreError::NoTables`], [`StoreError::OldTables`] or [`StoreError::NewTables`] if it has others than this program
/// reads; else the database cannot be had.
pub async fn open_to_read(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open_to_read(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open_to_read(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}

/// Verifies that no server and no `migrate` has a file of SQLite open.
///
/// # Errors
/// [`StoreError::FileInUse`], or that cannot be told.
pub fn refuse_if_in_use(file: &Path) -> Result<(), StoreError> {
    sqlite::refuse_if_in_use(file)
}
