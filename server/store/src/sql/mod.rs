//! Everything that the two databases do alike, written once: the texts of the statements, the reads, and the order of
//! the steps of a commit.
//!
//! The modules `sqlite` and `postgres` keep the rest. A SQLite file has a lock, pragmas and one writer, so its
//! transactions need no row locks; PostgreSQL has several nodes, so its transactions lock the rows that they read. Both
//! write many rows in few statements, but PostgreSQL by `unnest` of arrays, and SQLite, which has no arrays, by lists of
//! values of a bounded length.

mod clearing;
pub(super) mod commit;
mod connection;
mod games;
mod players;
mod statement;
pub(super) mod text;

use std::fmt;

use sqlx::{Pool, Transaction};

pub(super) use self::{
    connection::{Connection, ReadRow},
    players::outages_since,
    statement::{Sql, Statement, Value, bound},
};
use super::{StoreError, error::within};

/// A database with SQL, as its readers see it.
pub(super) trait SqlDatabase: fmt::Debug + Send + Sync + 'static {
    type Driver: sqlx::Database<Connection: Connection>;

    /// The connections that read what play needs.
    fn readers(&self) -> &Pool<Self::Driver>;

    /// The connections that read the lists in which people browse games.
    fn list_readers(&self) -> &Pool<Self::Driver>;

    /// Begins a transaction whose statements all read the same snapshot.
    fn begin_to_read(
        &self,
    ) -> impl Future<Output = Result<Transaction<'static, Self::Driver>, sqlx::Error>> + Send;

    /// Reads all rows that a statement returns, over one of the [readers](Self::readers).
    fn read<R: ReadRow>(
        &self,
        statement: Statement,
    ) -> impl Future<Output = Result<Vec<R>, sqlx::Error>> + Send {
        async { self.readers().acquire().await?.rows(statement).await }
    }

    /// Reads the first row that a statement returns, over one of the [readers](Self::readers).
    fn read_first<R: ReadRow>(
        &self,
        statement: Statement,
    ) -> impl Future<Output = Result<Option<R>, sqlx::Error>> + Send {
        async { self.readers().acquire().await?.row(statement).await }
    }
}

/// Returns the versions of the applied migrations, `None` if the database has no table of migrations.
pub(super) async fn applied_migrations(database: &impl SqlDatabase) -> Result<Option<Vec<i64>>, StoreError> {
    within("see which tables the database has", async {
        let is_noted: Option<(bool,)> = database.read_first(text::HAS_MIGRATIONS.into()).await?;
        if is_noted != Some((true,)) {
            return Ok(None);
        }
        let applied: Vec<(i64,)> = database.read(text::APPLIED_MIGRATIONS.into()).await?;
        Ok(Some(applied.into_iter().map(|(version,)| version).collect()))
    })
    .await
}
