mod commit;

use std::{fmt, str::FromStr, sync::LazyLock, time::Duration};

use async_trait::async_trait;
use sqlx::{
    Connection, PgPool, Transaction,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::{
    Nodes, Outage, Refused, Store, StoreError, Write, Written,
    error::within,
    plan::Heads,
    sql::{
        SqlDatabase, applied_migrations,
        commit::{repair_checks, write_all},
        outages_since,
    },
    tables::{self, migrator},
    writes::Writes,
};

static MIGRATIONS: LazyLock<Migrator> =
    LazyLock::new(|| migrator(include!(concat!(env!("OUT_DIR"), "/postgres.rs"))));

/// Connections of a node that read what play needs; one more commits. Many nodes share the 100 connections that
/// PostgreSQL allows by default.
const READERS: u32 = 5;

/// Connections of a node that read the lists in which people browse games. They are separate from those that play
/// needs, so slow lists cannot block sessions, sockets or games.
const LIST_READERS: u32 = 2;

/// Settings of the connections that read. Each statement has an index that it reads in order; stale or missing
/// statistics, as after an import, must not make the planner scan the whole table.
pub(super) const BY_INDEX: [(&str, &str); 2] = [("enable_seqscan", "off"), ("enable_bitmapscan", "off")];

/// Further settings of the connections that read lists. A page takes milliseconds; one that takes seconds is a fault
/// and is cancelled. A custom plan knows which filters are null. JIT compilation takes longer than the query itself.
pub(super) const FOR_LISTS: [(&str, &str); 3] =
    [("statement_timeout", "2s"), ("plan_cache_mode", "force_custom_plan"), ("jit", "off")];

/// Time for which a call waits for a connection. The pool retries connections that PostgreSQL refuses while it
/// restarts.
const CONNECT_WAIT: Duration = Duration::from_secs(5);

/// A PostgreSQL database, for any number of nodes.
pub(super) struct Postgres {
    /// The one connection that commits. Its I/O belongs to the runtime that first commits, which is the writer's:
    /// nothing else may use it.
    writer: PgPool,
    readers: PgPool,
    writes: Writes,
    list_readers: PgPool,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

impl Postgres {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let writer = pool(1).connect_lazy_with(options.clone());
        let migrating = within("connect to PostgreSQL", pool(1).connect_with(options.clone())).await?;
        MIGRATIONS.run(&migrating).await?;
        within("repair the checks of the sweep", async {
            repair_checks(&mut *migrating.acquire().await?).await
        })
        .await?;
        migrating.close().await;
        let options = options.options(BY_INDEX);
        let readers = pool(READERS).connect_lazy_with(options.clone());
        let list_readers = pool(LIST_READERS).connect_lazy_with(options.options(FOR_LISTS));
        Ok(Self { writer, readers, list_readers, writes: Writes::default() })
    }

    /// Opens a database whose tables are up to date, and never writes to it.
    pub(super) async fn open_to_read(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let reading = |connections| {
            pool(connections).after_connect(|connection, _| {
                Box::pin(async move {
                    let read_only = "set session characteristics as transaction read only";
                    sqlx::query(read_only).execute(connection).await.map(drop)
                })
            })
        };
        let writer = reading(1).connect_lazy_with(options.clone());
        let readers = within("connect to PostgreSQL", reading(READERS).connect_with(options.clone())).await?;
        let list_readers = reading(LIST_READERS).connect_lazy_with(options);
        let store = Self { writer, readers, list_readers, writes: Writes::default() };
        tables::are_current(applied_migrations(&store).await?.as_deref(), &MIGRATIONS)?;
        Ok(store)
    }
}

/// Connection options of a database URL.
fn options(url: &str) -> Result<PgConnectOptions, StoreError> {
    Ok(PgConnectOptions::from_str(url).map_err(|_| StoreError::Url)?.application_name("towers"))
}

fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(connections).acquire_timeout(CONNECT_WAIT)
}

#[async_trait]
impl Store for Postgres {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        let reached = within("reach PostgreSQL", self.writer.acquire()).await;
        self.writes.record(&reached);
        let mut connection = reached?;
        let committed = within("commit", async {
            let mut tx = connection.begin().await?;
            let results = write_all(&mut *tx, writes, &mut Heads::new()).await?;
            tx.commit().await?;
            Ok(results)
        })
        .await;
        if let Err(StoreError::TimedOut { .. }) = committed {
            // A connection that hangs, on a lock or a dead peer, must not block the commits that follow.
            drop(connection.detach());
        }
        self.writes.record(&committed);
        committed
    }
}

impl SqlDatabase for Postgres {
    type Driver = sqlx::Postgres;

    fn readers(&self) -> &PgPool {
        &self.readers
    }

    fn list_readers(&self) -> &PgPool {
        &self.list_readers
    }

    async fn begin_to_read(&self) -> Result<Transaction<'static, sqlx::Postgres>, sqlx::Error> {
        self.readers.begin_with("begin isolation level repeatable read read only").await
    }
}

#[async_trait]
impl Nodes for Postgres {
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        outages_since(self, ms).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.writes.check()?;
        within("reach the database", async { sqlx::query("select 1").execute(&self.readers).await.map(drop) })
            .await
    }

    async fn close(&self) {
        // The writer's connection belongs to the writer's runtime and ends with it.
        self.readers.close().await;
        self.list_readers.close().await;
    }
}
