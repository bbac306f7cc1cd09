use sqlx::{FromRow, PgConnection, SqliteConnection, postgres::PgRow, sqlite::SqliteRow};

use super::{Statement, bound};

/// A row that either database can return.
pub(crate) trait ReadRow:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{
}

impl<R> ReadRow for R where R: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// A connection to either database. Each call is one round trip.
pub(crate) trait Connection: Send {
    /// Reads all rows that a statement returns.
    fn rows<R: ReadRow>(
        &mut self,
        statement: Statement,
    ) -> impl Future<Output = Result<Vec<R>, sqlx::Error>> + Send;

    /// Reads the first row that a statement returns.
    fn row<R: ReadRow>(
        &mut self,
        statement: Statement,
    ) -> impl Future<Output = Result<Option<R>, sqlx::Error>> + Send;

    /// Executes a statement, and returns the number of rows that it changed.
    fn execute(&mut self, statement: Statement) -> impl Future<Output = Result<u64, sqlx::Error>> + Send;
}

macro_rules! connection {
    ($connection:ty, $database:ident) => {
        impl Connection for $connection {
            async fn rows<R: ReadRow>(
                &mut self,
                Statement { sql, values }: Statement,
            ) -> Result<Vec<R>, sqlx::Error> {
                bound!(sqlx::query_as(sql.$database), values).fetch_all(self).await
            }

            async fn row<R: ReadRow>(
                &mut self,
                Statement { sql, values }: Statement,
            ) -> Result<Option<R>, sqlx::Error> {
                bound!(sqlx::query_as(sql.$database), values).fetch_optional(self).await
            }

            async fn execute(&mut self, Statement { sql, values }: Statement) -> Result<u64, sqlx::Error> {
                Ok(bound!(sqlx::query(sql.$database), values).execute(self).await?.rows_affected())
            }
        }
    };
}

connection!(SqliteConnection, sqlite);
connection!(PgConnection, postgres);
