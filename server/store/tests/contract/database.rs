use std::sync::Arc;

use game::ids::GameId;
use sqlx::{Connection, PgConnection, SqliteConnection};
use store::{Conflict, List, Log, Memory, Paging, Store, Write, open};
use system_tests::postgres::Postgres;
use tempfile::TempDir;

use crate::{sample::ids, verbs::Verbs};

/// An empty database, or an empty store in memory.
pub(crate) struct Database {
    /// `memory` for a store in memory.
    pub(crate) url: String,
    pub(crate) store: Arc<dyn Store>,
    /// Directory of the SQLite file.
    _directory: Option<TempDir>,
}

impl Database {
    pub(crate) async fn sqlite() -> Self {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite://{}/towers.db", directory.path().display());
        Self { store: open(&url).await.unwrap(), url, _directory: Some(directory) }
    }

    pub(crate) async fn postgres() -> Self {
        let url = Postgres::shared().database();
        Self { store: open(&url).await.unwrap(), url, _directory: None }
    }

    pub(crate) fn memory() -> Self {
        Self { store: Arc::new(Memory::default()), url: "memory".to_owned(), _directory: None }
    }

    /// Returns the store of another node. Only PostgreSQL has several nodes; the others return their own store.
    pub(crate) async fn other_node(&self) -> Arc<dyn Store> {
        if self.url.starts_with("postgres") {
            open(&self.url).await.unwrap()
        } else {
            Arc::clone(&self.store)
        }
    }

    /// Runs SQL on a connection of its own.
    pub(crate) async fn execute(&self, sql: &'static str) {
        if self.url.starts_with("sqlite") {
            let mut connection = SqliteConnection::connect(&self.url).await.unwrap();
            sqlx::query(sql).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        } else {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            sqlx::query(sql).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        }
    }

    pub(crate) async fn commit(&self, writes: &[Write]) -> Vec<Result<(), Conflict>> {
        self.store.tried(writes).await.unwrap()
    }

    /// Commits a write that must succeed.
    pub(crate) async fn write(&self, write: Write) {
        assert_eq!(self.commit(&[write]).await, [Ok(())]);
    }

    pub(crate) async fn log(&self, game: GameId) -> Log {
        self.store.log(game).await.unwrap().expect("the game is stored")
    }

    pub(crate) async fn bodies(&self, game: GameId) -> Vec<String> {
        self.log(game).await.events.into_iter().map(|event| event.body).collect()
    }

    pub(crate) async fn draft(&self, game: GameId) -> Option<String> {
        self.log(game).await.draft.map(|draft| draft.body)
    }

    pub(crate) async fn first_page(&self, list: List) -> Vec<GameId> {
        let paging = Paging { before: None, limit: 100 };
        ids(&self.store.list(list, paging).await.unwrap())
    }
}

/// Runs each test of the contract on both databases and in memory. Those that use SQL of their own, or open the database
/// again, run on the databases alone.
macro_rules! contract {
    ($($name:ident)* $(; only in SQL: $($sql:ident)*)?) => {
        crate::database::tests! { on_sqlite, crate::database::Database::sqlite().await, $($name)* $($($sql)*)? }
        crate::database::tests! { on_postgres, crate::database::Database::postgres().await, $($name)* $($($sql)*)? }
        crate::database::tests! { in_memory, crate::database::Database::memory(), $($name)* }
    };
}

macro_rules! tests {
    ($module:ident, $database:expr, $($name:ident)*) => {
        mod $module {
            $(#[tokio::test]
            async fn $name() {
                super::$name($database).await;
            })*
        }
    };
}

pub(crate) use contract;
pub(crate) use tests;
