use std::{io, path::PathBuf, sync::Arc, time::Duration};

use game::ids::Version;
use sqlx::{
    error::{DatabaseError, ErrorKind},
    migrate::MigrateError,
    sqlite::SqliteError,
};

use super::Refused;
use crate::metrics::{DoingLabel, METRICS};

/// Error of a call to the store. No error text contains a database URL, since it may contain a password.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("no usable database URL: expected `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`")]
    Url,
    #[error("cannot {doing}")]
    Database {
        /// As `read a game`.
        doing: &'static str,
        source: sqlx::Error,
    },
    #[error("cannot bring the tables up to date")]
    Migration(#[from] MigrateError),
    #[error("cannot {doing}: no answer from the database in {} s", waited.as_secs())]
    TimedOut {
        /// As `read a game`.
        doing: &'static str,
        waited: Duration,
    },
    #[error("cannot {doing} {}", path.display())]
    File {
        /// As `open the SQLite file`.
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error(
        "{} is in use by another `towers`: stop that one first, or name another file with --database-url",
        path.display()
    )]
    FileInUse { path: PathBuf },
    #[error(
        "{} is not the file that this server has open: it was moved, removed or replaced; nothing is stored until it \
         is back at its path; to use the file that is there now, restart the server",
        path.display()
    )]
    FileGone { path: PathBuf },
    #[error("the database has no tables of Towers: is its -wal file missing?")]
    NoTables,
    #[error("the tables are those of an older server: run `towers migrate` first")]
    OldTables,
    #[error("the tables are those of a newer server: use its `towers`")]
    NewTables,
    #[error("the tables are not those of this program: migration {migration} of the database is another one")]
    OtherTables { migration: i64 },
    #[error(
        "servers of an older release are running on this database, and its tables would change under them: stop them \
         first"
    )]
    ServersRun,
    /// The database answers, but does not store.
    #[error("the last write to the database failed")]
    WritesFail,
}

impl StoreError {
    /// Whether the database works, but a row in it cannot be decoded.
    pub fn is_unreadable(&self) -> bool {
        use sqlx::Error as Is;
        matches!(self, Self::Database { source: Is::Decode(_) | Is::ColumnDecode { .. }, .. })
    }

    /// Whether a write violated a constraint, so that nothing was stored. After any other error that is unknown.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Database { source: sqlx::Error::Database(error), .. } => error.kind() != ErrorKind::Other,
            Self::Database { .. }
            | Self::Url
            | Self::Migration(_)
            | Self::TimedOut { .. }
            | Self::File { .. }
            | Self::FileInUse { .. }
            | Self::FileGone { .. }
            | Self::NoTables
            | Self::OldTables
            | Self::NewTables
            | Self::OtherTables { .. }
            | Self::ServersRun
            | Self::WritesFail => false,
        }
    }

    /// Whether PostgreSQL aborted the transaction because it conflicted with another one. Nothing was stored then, and
    /// a retry may succeed.
    pub fn is_abort(&self) -> bool {
        /// `deadlock_detected` and `serialization_failure`.
        const ABORTS: [&str; 2] = ["40P01", "40001"];
        let Self::Database { source: sqlx::Error::Database(error), .. } = self else { return false };
        error.code().is_some_and(|code| ABORTS.contains(&&*code))
    }

    /// Whether SQLite found its file corrupt.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Database { source, .. } if is_damage(source))
    }
}

/// Whether SQLite found its file corrupt. Any other error, as of permissions, says nothing about the file.
pub fn is_damage(error: &sqlx::Error) -> bool {
    /// `SQLITE_CORRUPT` and `SQLITE_NOTADB`, which are also the low bytes of their extended codes.
    const DAMAGE: [i32; 2] = [11, 26];
    let sqlx::Error::Database(error) = error else { return false };
    let code = error.try_downcast_ref::<SqliteError>().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| DAMAGE.contains(&(code & 0xff)))
}

/// A write was refused because it does not build on the game's current version, which is this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game's version is {0}")]
pub struct Conflict(pub Version);

/// Error of a write through a [`Writer`](super::Writer).
#[derive(Clone, Debug, thiserror::Error)]
pub enum WriteError {
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The queue of deferrable writes is full. Nothing was stored.
    #[error("too many writes are waiting")]
    Full,
    /// It is unknown whether the write was stored. The caller must read the log again.
    #[error("not known whether it was stored")]
    Unknown(#[source] Arc<StoreError>),
    /// The writer has ended, or its transaction was aborted by a panic. It is unknown whether the write was stored.
    #[error("no answer from the writer")]
    Ended,
}

/// Timeout of a read, including the connection. Longer than a restart of PostgreSQL usually takes, but far shorter than
/// the timeouts of the callers.
pub(super) const READ_WAIT: Duration = Duration::from_secs(6);

/// Timeout of a transaction that writes. It may wait for another one.
pub(super) const WRITE_WAIT: Duration = Duration::from_secs(10);

/// Timeout of all migrations together, far longer than any takes. They wait for those of another node.
pub(super) const MIGRATION_WAIT: Duration = Duration::from_secs(3_600);

/// Reads from the database with a timeout, counts the errors and names the operation in them.
pub(super) async fn reading<T>(
    doing: &'static str,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    within(doing, READ_WAIT, work).await
}

/// Runs database work with a timeout, counts its errors and names the operation in them.
pub(super) async fn within<T>(
    doing: &'static str,
    limit: Duration,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    let answer = match tokio::time::timeout(limit, work).await {
        Ok(answer) => answer.map_err(|source| StoreError::Database { doing, source }),
        Err(_) => Err(StoreError::TimedOut { doing, waited: limit }),
    };
    if answer.is_err() {
        METRICS.database_errors.get_or_create(&DoingLabel { doing }).inc();
    }
    answer
}
