mod commit;
mod file;

use std::{
    fmt, mem,
    path::Path,
    str::FromStr,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use sqlx::{
    AssertSqlSafe, Connection, SqlitePool,
    migrate::Migrator,
    pool::PoolConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Mutex;
use tracing::{info, warn};

#[cfg(test)]
pub(crate) use self::commit::{ROWS, moves_update, seen_update};
use self::file::{FileLock, OpenFile};
use super::{
    Cleared, Clearing, Nodes, Outage, Refused, Store, StoreError, Write, Written,
    error::{WRITE_WAIT, reading, within},
    plan::Heads,
    sql::{
        SqlDatabase, applied_migrations,
        commit::{repair_checks, write_all},
        outages_since, ping, server_key, verify_tables,
    },
    tables::{self, migrator},
    writes::Writes,
};
use crate::metrics::{DoingLabel, METRICS};

static MIGRATIONS: LazyLock<Migrator> =
    LazyLock::new(|| migrator(include!(concat!(env!("OUT_DIR"), "/sqlite.rs"))));

/// Number of connections that read. In WAL mode readers neither wait for the writer nor block it; more readers than
/// cores would only wait for each other.
const READERS: u32 = 4;

/// Number of connections that read the lists in which people browse games. They are separate from those that play
/// needs, so slow lists cannot block sessions, sockets or games. Two of them use at most two cores.
const LIST_READERS: u32 = 2;

/// Time for which a statement waits for other programs that use the file, in milliseconds.
const BUSY_WAIT_MS: u32 = 5_000;

/// Time for which the log of erased rows waits for its readers before it is emptied, in milliseconds. Turns wait too.
const CHECKPOINT_WAIT_MS: u32 = 20;

/// Size of the write-ahead log, in pages, at which a checkpoint runs. A busy second writes about as many, most of them
/// repeatedly; the checkpoint copies each page once.
const LOG_PAGES: &str = "16384";

/// Page cache of the writer's connection in KiB, enough for the pages of a few thousand live games.
const CACHE_KIB: &str = "32768";

/// Maximum number of games whose state is kept, 64 bytes each. With more, all are dropped.
const KEPT_HEADS: usize = 16 * 1024;

/// A SQLite file, for one node.
pub(super) struct Sqlite {
    /// The one connection that writes, since SQLite has one writer. It makes waiting fair, and `SQLITE_BUSY` impossible
    /// within the process.
    writer: SqlitePool,
    /// The state of the games that were written last. Nobody else writes to the file, so a commit does not read it again.
    /// Empty after a transaction that may not have been committed.
    heads: Mutex<Heads>,
    readers: SqlitePool,
    list_readers: SqlitePool,
    /// `None` if a server may have the file open, and the lock.
    file: Option<OpenFile>,
    writes: Writes,
    /// Whether the write-ahead log may have rows of accounts that were erased.
    log_has_erased: AtomicBool,
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").finish_non_exhaustive()
    }
}

impl Sqlite {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let lock = FileLock::take(options.get_filename())?;
        lock.warn_if_others_read();
        // An acknowledged turn survives a power failure: FULL syncs the log at each commit.
        let options = options
            .filename(lock.path())
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_millis(BUSY_WAIT_MS.into()))
            .pragma("temp_store", "memory")
            // Deleted and overwritten text does not stay in the file, where names and addresses would outlive their accounts.
            .pragma("secure_delete", "on")
            .pragma("wal_autocheckpoint", LOG_PAGES);
        let writer = pool(1).before_acquire(|connection, _| {
            // After a commit that failed in SQLite itself, as on a full disk, the connection is still in a transaction
            // and cannot begin another one.
            let is_clean = !connection.is_in_transaction();
            Box::pin(async move { Ok(is_clean) })
        });
        let writer = within(
            "open the SQLite file",
            WRITE_WAIT,
            writer.connect_with(options.clone().pragma("cache_size", format!("-{CACHE_KIB}"))),
        )
        .await?;
        {
            let mut connection = within("open the SQLite file", WRITE_WAIT, writer.acquire()).await?;
            let applied =
                within("see which tables it has", WRITE_WAIT, applied_migrations(&mut *connection)).await?;
            tables::are_known(&applied, &MIGRATIONS)?;
            tables::migrate(&MIGRATIONS, &mut *connection).await?;
            within("repair the checks of the sweep", WRITE_WAIT, repair_checks(&mut *connection)).await?;
        }
        let options = options.read_only(true);
        let readers = reading("open the SQLite file", pool(READERS).connect_with(options.clone())).await?;
        let list_readers = reading("open the SQLite file", pool(LIST_READERS).connect_with(options)).await?;
        let (heads, file, writes) = (Mutex::default(), Some(lock.opened()?), Writes::default());
        // A server that was killed may have left erased rows there.
        let log_has_erased = AtomicBool::new(true);
        Ok(Self { writer, heads, readers, list_readers, file, writes, log_has_erased })
    }

    /// Opens an existing file and never writes to it. Another process may have it open.
    pub(super) async fn open_to_read(url: &str) -> Result<Self, StoreError> {
        // `query_only` instead of `read_only`: a read-only connection creates an empty log and leaves it behind.
        Self::open_unlocked(options(url)?.pragma("query_only", "on")).await
    }

    /// Opens an existing file, which a server may have open. A write waits for the server's, as the server's for this one.
    pub(super) async fn open_beside_servers(url: &str) -> Result<Self, StoreError> {
        Self::open_unlocked(options(url)?.synchronous(SqliteSynchronous::Full).foreign_keys(true)).await
    }

    async fn open_unlocked(options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let options = options.create_if_missing(false);
        let writer = pool(1).connect_lazy_with(options.clone());
        let readers = reading("open the SQLite file", pool(READERS).connect_with(options.clone())).await?;
        let list_readers = pool(LIST_READERS).connect_lazy_with(options);
        let (heads, writes) = (Mutex::default(), Writes::default());
        let log_has_erased = AtomicBool::new(false);
        let store = Self { writer, heads, readers, list_readers, file: None, writes, log_has_erased };
        verify_tables(&store, &MIGRATIONS).await?;
        Ok(store)
    }

    fn check_file(&self, doing: &'static str) -> Result<(), StoreError> {
        let checked = self.file.as_ref().map_or(Ok(()), OpenFile::check);
        if checked.is_err() {
            METRICS.database_errors.get_or_create(&DoingLabel { doing }).inc();
        }
        checked
    }

    /// Empties the log, which has the rows of erased accounts as they were before. A reader that is in the way is not waited
    /// for, since turns would wait too.
    async fn empty_log_of_erased(&self) {
        match self.empty_log_within(CHECKPOINT_WAIT_MS).await {
            Ok(is_emptied) => self.log_has_erased.store(!is_emptied, Ordering::Relaxed),
            Err(error) => warn!(%error, "sqlite: write-ahead log not emptied of erased rows: {error}"),
        }
    }

    /// Checkpoints and truncates the log. Returns whether no reader was in the way for longer than `wait_ms`.
    async fn empty_log_within(&self, wait_ms: u32) -> Result<bool, sqlx::Error> {
        let mut writer = self.writer.acquire().await?;
        let wait = |ms| AssertSqlSafe(format!("pragma busy_timeout = {ms}"));
        sqlx::query(wait(wait_ms)).execute(&mut *writer).await?;
        let emptied = sqlx::query_as("pragma wal_checkpoint(truncate)").fetch_one(&mut *writer).await;
        sqlx::query(wait(BUSY_WAIT_MS)).execute(&mut *writer).await?;
        emptied.map(|(is_busy, _, _): (bool, i64, i64)| !is_busy)
    }

    /// Checkpoints and truncates the write-ahead log. A reader that still uses it after the busy timeout prevents this.
    async fn empty_log(&self) {
        match self.empty_log_within(BUSY_WAIT_MS).await {
            Ok(true) => {}
            Ok(false) => warn!("another program reads the database: part of it may stay in its -wal file"),
            Err(error) => warn!(%error, "part of the database stays in its -wal file: {error}"),
        }
    }
}

/// Whether a write has erased accounts.
fn has_erased((write, result): (&Write, &Result<Written, Refused>)) -> bool {
    matches!(
        (write, result),
        (Write::Clear(Clearing::Accounts { .. }), Ok(Written::Cleared(Cleared { deleted: 1.., .. })))
    )
}

/// Connection options of a database URL, common to reading and writing.
fn options(url: &str) -> Result<SqliteConnectOptions, StoreError> {
    if url.contains(":memory:") || url.contains("mode=memory") {
        return Err(StoreError::Url);
    }
    SqliteConnectOptions::from_str(url).map_err(|_| StoreError::Url)
}

/// As [`store::refuse_if_in_use`](super::refuse_if_in_use).
pub(super) fn refuse_if_in_use(path: &Path) -> Result<(), StoreError> {
    file::refuse_if_in_use(path)
}

/// Connections to a file do not age, so the pool keeps them open.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

#[async_trait]
impl Store for Sqlite {
    /// Checks the file before and after the commit, since a write to a file that is no longer at its path must not be
    /// acknowledged.
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        self.check_file("commit")?;
        let committed = within("commit", WRITE_WAIT, async {
            let mut kept = self.heads.lock().await;
            let mut tx = self.writer.begin_with("begin immediate").await?;
            let mut heads = mem::take(&mut *kept);
            let results = write_all(&mut *tx, writes, &mut heads).await?;
            tx.commit().await?;
            if heads.len() <= KEPT_HEADS {
                *kept = heads;
            }
            Ok(results)
        })
        .await;
        self.writes.record(&committed);
        let results = committed?;
        self.check_file("commit")?;
        if writes.iter().zip(&results).any(has_erased) {
            self.log_has_erased.store(true, Ordering::Relaxed);
        }
        // Housekeeping clears something each minute, so that a log which a reader uses now is emptied later.
        let is_clearing = writes.iter().any(|write| matches!(write, Write::Clear(_)));
        if is_clearing && self.log_has_erased.load(Ordering::Relaxed) {
            self.empty_log_of_erased().await;
        }
        Ok(results)
    }
}

impl SqlDatabase for Sqlite {
    type Driver = sqlx::Sqlite;

    /// Its thread answers as soon as the disk does, so a call that was given up needs no new connection.
    type Lent = PoolConnection<sqlx::Sqlite>;

    const BEGIN_TO_READ: &'static str = "begin";

    async fn reader(&self) -> Result<Self::Lent, sqlx::Error> {
        self.readers.acquire().await
    }

    async fn list_reader(&self) -> Result<Self::Lent, sqlx::Error> {
        self.list_readers.acquire().await
    }
}

#[async_trait]
impl Nodes for Sqlite {
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        outages_since(self, ms).await
    }

    async fn server_key(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        server_key(self, name).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.check_file("reach the SQLite file")?;
        self.writes.check()?;
        reading("reach the SQLite file", ping(self)).await
    }

    async fn verify_tables(&self) -> Result<(), StoreError> {
        verify_tables(self, &MIGRATIONS).await
    }

    async fn free_bytes(&self) -> Result<Option<u64>, StoreError> {
        self.file.as_ref().map(OpenFile::free_bytes).transpose()
    }

    async fn close(&self) {
        self.readers.close().await;
        self.list_readers.close().await;
        let Some(file) = &self.file else { return self.writer.close().await };
        // If the file was replaced, its log must not be checkpointed into the new one.
        let is_in_place = file.check().is_ok();
        if is_in_place {
            self.empty_log().await;
        }
        self.writer.close().await;
        file.lock.release();
        match file.side_file() {
            None => info!("the database is closed, one complete file"),
            Some(path) if is_in_place => {
                warn!("the database is closed; {} belongs to it: copy or move both", path.display());
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use engine::{Ruleset, Side};
    use game::{
        ClockRule, Player, SeatChoice, Seats, Status, Visibility, Watching,
        ids::{Delay, GameId, NodeId, PlayerId, PlayerName, Version},
    };
    use uuid::Uuid;

    use super::*;
    use crate::{Append, Clearing, Conflict, DraftIs, GameRow, Players, StoredEvent, TokenHash};

    #[tokio::test]
    async fn every_connection_is_durable_and_checks_references() {
        let directory = tempfile::TempDir::new().unwrap();
        let url = format!("sqlite:{}/towers.db", directory.path().display());
        let store = Sqlite::open(&url).await.unwrap();
        for pool in [&store.writer, &store.readers, &store.list_readers] {
            let settings: (String, i64, i64) = sqlx::query_as(
                "select journal_mode, synchronous, foreign_keys
                 from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys",
            )
            .fetch_one(pool)
            .await
            .unwrap();
            const FULL: i64 = 2;
            assert_eq!(settings, ("wal".to_owned(), FULL, 1));
        }
        assert_eq!(store.writer.options().get_max_connections(), 1, "SQLite has one writer");
        for pool in [&store.readers, &store.list_readers] {
            let written = sqlx::query("delete from player").execute(pool).await;
            assert!(written.is_err(), "readers do not write");
        }
    }

    fn id(number: u128) -> GameId {
        GameId::new(Uuid::from_u128(number))
    }

    /// An event of game 1, which is under way, and its row.
    fn append(version: u32, body: &str) -> Write {
        append_to(1, version, body, None)
    }

    /// An event of a game under way, and its row.
    fn append_to(game: u128, version: u32, body: &str, deadline_ms: Option<i64>) -> Write {
        let player = Player { id: PlayerId::new(Uuid::nil()), name: "Ada".to_owned().try_into().unwrap() };
        let version = Version::new(version);
        let event = StoredEvent { version, at_ms: 1, command: None, body: body.to_owned() };
        let row = GameRow {
            id: id(game),
            ruleset: Ruleset::Fenix,
            status: Status::Playing,
            visibility: Visibility::Public,
            creator: player.id,
            challenged: None,
            seat: SeatChoice::First,
            clock: ClockRule::None,
            watching: Watching::Everybody,
            delay: Delay::default(),
            custom_start: false,
            seats: Some(Seats { first: player.id, second: player.id }),
            version,
            turn: 1,
            to_move: Side::First,
            outcome: None,
            created_ms: 1,
            updated_ms: 1,
            deadline_ms,
            position: None,
            offers: Vec::new(),
        };
        Write::Append(Arc::new(Append::new(vec![event], row, DraftIs::Gone)))
    }

    #[tokio::test]
    async fn the_state_of_a_game_is_kept_with_a_commit_and_read_again_after_one_that_failed() {
        let directory = tempfile::TempDir::new().unwrap();
        let store = Sqlite::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
        let of_game = |store: &Sqlite| store.heads.try_lock().unwrap().contains_key(&id(1));
        for version in 1..=3 {
            assert_eq!(store.commit(&[append(version, "{}")]).await.unwrap(), [Ok(Written::Done)]);
            assert!(of_game(&store));
        }
        assert_eq!(store.commit(&[append(3, "{}")]).await.unwrap(), [Err(Conflict(Version::new(3)).into())]);
        sqlx::query("pragma max_page_count = 1").execute(&store.writer).await.unwrap();
        store.commit(&[append(4, &"x".repeat(1 << 20))]).await.unwrap_err();
        assert!(!of_game(&store), "the disk was full");
        let _ = sqlx::query("pragma max_page_count = 1000000").execute(&store.writer).await;
        assert_eq!(store.commit(&[append(4, "{}")]).await.unwrap(), [Ok(Written::Done)]);
        let sessions = Write::Clear(Clearing::Sessions { unused_since_ms: 0 });
        store.commit(&[append(5, "{}"), sessions]).await.unwrap();
        assert!(!of_game(&store), "a clearing may delete games");
        assert_eq!(store.commit(&[append(6, "{}")]).await.unwrap(), [Ok(Written::Done)]);
    }

    #[tokio::test]
    async fn a_sweep_forgets_the_state_of_the_games_that_it_postpones_and_of_no_other() {
        let directory = tempfile::TempDir::new().unwrap();
        let store = Sqlite::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
        for (version, deadline_ms) in [(1, 100), (2, 500)] {
            let writes =
                [append_to(1, version, "{}", Some(deadline_ms)), append_to(2, version, "{}", Some(400))];
            store.commit(&writes).await.unwrap();
        }
        store
            .commit(&[Write::TakeSweep { node: NodeId::new(Uuid::nil()), now_ms: 200, until_ms: 300 }])
            .await
            .unwrap();
        let heads = store.heads.try_lock().unwrap();
        assert_eq!([1, 2].map(|game| heads.contains_key(&id(game))), [false, true]);
    }

    #[tokio::test]
    async fn commits_succeed_again_once_a_full_disk_has_space() {
        let directory = tempfile::TempDir::new().unwrap();
        let store = Sqlite::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
        let player = |number| Player {
            id: PlayerId::new(Uuid::from_u128(number)),
            name: PlayerName::try_from("x".repeat(24)).unwrap(),
        };
        let new = |player, token| Write::NewPlayer { player, token, now_ms: 0 };
        sqlx::query("pragma max_page_count = 1").execute(&store.writer).await.unwrap();
        let mut numbers = 0..10_000_u128;
        let full = loop {
            let number = numbers.next().expect("the file fills up");
            let token = TokenHash::of(&number.to_be_bytes());
            if let Err(error) = store.commit(&[new(player(number), token)]).await {
                break error;
            }
        };
        assert!(matches!(full, StoreError::Database { .. }), "{full:?}");
        let _ = sqlx::query("pragma max_page_count = 1000000").execute(&store.writer).await;
        let token = TokenHash::of(b"after");
        store.commit(&[new(player(u128::MAX), token)]).await.unwrap();
        let session = store.session(&token, -1).await.unwrap().map(|session| session.player);
        assert_eq!(session, Some(player(u128::MAX)));
    }
}
