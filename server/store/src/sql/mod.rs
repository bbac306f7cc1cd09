//! Everything that the two databases do alike, written once: the texts of the statements, the reads, and the order of
//! the steps of a commit.
//!
//! The modules `sqlite` and `postgres` keep the rest. A SQLite file has a lock, pragmas and one writer, so its
//! transactions need no row locks; PostgreSQL has several nodes, so its transactions lock the rows that they read. Both
//! write many rows in few statements, but PostgreSQL by `unnest` of arrays, and SQLite, which has no arrays, by lists of
//! values of a bounded length.

mod accounts;
mod clearing;
pub(super) mod commit;
mod connection;
mod games;
mod inbox;
mod mails;
mod moderation;
mod outbox;
mod players;
mod pushes;
pub(super) mod seeks;
mod statement;
pub(super) mod text;
mod vacations;

use std::{fmt, ops::DerefMut};

use sqlx::migrate::Migrator;
use uuid::Uuid;

pub(super) use self::{
    connection::{Connection, ReadRow},
    players::{outages_since, server_key},
    statement::{Sql, Statement, Value, bound},
};
use super::{
    StoreError,
    error::reading,
    row,
    tables::{self, Applied},
};

/// A database with SQL, as its readers see it.
pub(super) trait SqlDatabase: fmt::Debug + Send + Sync + 'static {
    type Driver: sqlx::Database<Connection: Connection>;

    /// A connection in use. However a call ends, dropping it frees its place within a bounded time.
    type Lent: DerefMut<Target = <Self::Driver as sqlx::Database>::Connection> + Send;

    /// Begins a transaction whose statements all read the same snapshot.
    const BEGIN_TO_READ: &'static str;

    /// Waits for one of the connections that read what play needs.
    fn reader(&self) -> impl Future<Output = Result<Self::Lent, sqlx::Error>> + Send;

    /// Waits for one of the connections that read the lists in which people browse games.
    fn list_reader(&self) -> impl Future<Output = Result<Self::Lent, sqlx::Error>> + Send;

    /// Reads all rows that a statement returns, over one of the [readers](Self::reader).
    fn read<R: ReadRow>(
        &self,
        statement: Statement,
    ) -> impl Future<Output = Result<Vec<R>, sqlx::Error>> + Send {
        async { self.reader().await?.rows(statement).await }
    }

    /// Reads the first row that a statement returns, over one of the [readers](Self::reader).
    fn read_first<R: ReadRow>(
        &self,
        statement: Statement,
    ) -> impl Future<Output = Result<Option<R>, sqlx::Error>> + Send {
        async { self.reader().await?.row(statement).await }
    }
}

/// Reads a part of a list behind the row with an id: at most `limit` of the [readable](row::readable) rows, and fewer only at the
/// end of the list. `statement` reads at most a number of rows behind one, and `id` tells the id of a row.
async fn part<R: ReadRow, T: TryFrom<R, Error = sqlx::Error>>(
    database: &impl SqlDatabase,
    mut behind: Uuid,
    limit: u32,
    statement: impl Fn(Uuid, u32) -> Statement,
    id: impl Fn(&R) -> Uuid,
) -> Result<Vec<T>, sqlx::Error> {
    let (mut part, mut left) = (Vec::new(), limit);
    while left > 0 {
        let rows: Vec<R> = database.read(statement(behind, left)).await?;
        let is_last = rows.len() < left as usize;
        behind = rows.last().map_or(behind, &id);
        let readable: Vec<T> = row::readable(rows);
        left = left.saturating_sub(u32::try_from(readable.len()).unwrap_or(u32::MAX));
        part.extend(readable);
        if is_last {
            break;
        }
    }
    Ok(part)
}

/// Verifies that each kind of readers answers.
pub(super) async fn ping(database: &impl SqlDatabase) -> Result<(), sqlx::Error> {
    for mut reader in [database.reader().await?, database.list_reader().await?] {
        reader.execute(text::NOTHING.into()).await?;
    }
    Ok(())
}

/// Returns the applied migrations of a database; none if it has no table of migrations.
pub(super) async fn applied_migrations(
    connection: &mut impl Connection,
) -> Result<Vec<Applied>, sqlx::Error> {
    let is_noted: Option<(bool,)> = connection.row(text::HAS_MIGRATIONS.into()).await?;
    match is_noted {
        Some((true,)) => connection.rows(text::APPLIED_MIGRATIONS.into()).await,
        Some((false,)) | None => Ok(Vec::new()),
    }
}

/// Verifies that the tables of a database are those of this program.
pub(super) async fn verify_tables(
    database: &impl SqlDatabase,
    migrator: &Migrator,
) -> Result<(), StoreError> {
    let applied = reading("see which tables the database has", async {
        applied_migrations(&mut *database.reader().await?).await
    });
    tables::are_current(&applied.await?, migrator)
}
