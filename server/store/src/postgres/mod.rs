mod commit;
mod connections;
mod starting;

use std::{fmt, str::FromStr, sync::LazyLock};

use async_trait::async_trait;
use sqlx::{Connection, migrate::Migrator, postgres::PgConnectOptions};

use self::connections::{Connections, Lent};
use super::{
    Nodes, Outage, Refused, Store, StoreError, Write, Written,
    error::{WRITE_WAIT, reading, within},
    plan::Heads,
    sql::{
        SqlDatabase,
        commit::{repair_checks, write_all},
        outages_since, ping, server_key, verify_tables,
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

/// A further setting of the connections that read what play needs: PostgreSQL gives up when the
/// [caller](super::error::READ_WAIT) does.
const FOR_PLAY: [(&str, &str); 1] = [("statement_timeout", "6s")];

/// A PostgreSQL database, for any number of nodes.
pub(super) struct Postgres {
    /// The one connection that commits. Its I/O belongs to the runtime that first commits, which is the writer's:
    /// nothing else may use it.
    writer: Connections,
    readers: Connections,
    writes: Writes,
    list_readers: Connections,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

impl Postgres {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let writer = Connections::new(1, options.clone());
        let migrating = Connections::new(1, options.clone());
        {
            let mut connection = within("connect to PostgreSQL", WRITE_WAIT, migrating.lend()).await?;
            if starting::needs_migration(&mut connection, &MIGRATIONS).await? {
                tables::migrate(&MIGRATIONS, &mut *connection).await?;
            }
            within("repair the checks of the sweep", WRITE_WAIT, repair_checks(&mut *connection)).await?;
        }
        migrating.close().await;
        let options = options.options(BY_INDEX);
        let readers = Connections::new(READERS, options.clone().options(FOR_PLAY));
        let list_readers = Connections::new(LIST_READERS, options.options(FOR_LISTS));
        Ok(Self { writer, readers, list_readers, writes: Writes::default() })
    }

    /// Opens a database whose tables are up to date.
    pub(super) async fn open_beside_servers(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let [writer, readers, list_readers] = [(); 3].map(|()| Connections::new(1, options.clone()));
        let store = Self { writer, readers, list_readers, writes: Writes::default() };
        verify_tables(&store, &MIGRATIONS).await?;
        Ok(store)
    }

    /// Opens a database whose tables are up to date, and never writes to it.
    pub(super) async fn open_to_read(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let writer = Connections::read_only(1, options.clone());
        let readers = Connections::read_only(READERS, options.clone());
        let list_readers = Connections::read_only(LIST_READERS, options);
        let store = Self { writer, readers, list_readers, writes: Writes::default() };
        verify_tables(&store, &MIGRATIONS).await?;
        Ok(store)
    }
}

/// Connection options of a database URL.
fn options(url: &str) -> Result<PgConnectOptions, StoreError> {
    Ok(PgConnectOptions::from_str(url).map_err(|_| StoreError::Url)?.application_name("towers"))
}

#[async_trait]
impl Store for Postgres {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        let reached = within("reach PostgreSQL", WRITE_WAIT, self.writer.lend()).await;
        self.writes.record(&reached);
        let mut connection = reached?;
        let committed = within("commit", WRITE_WAIT, async {
            let mut tx = connection.begin().await?;
            let results = write_all(&mut *tx, writes, &mut Heads::new()).await?;
            tx.commit().await?;
            Ok(results)
        })
        .await;
        if let Err(StoreError::TimedOut { .. }) = committed {
            // A connection that hangs, on a lock or a dead peer, must not block the commits that follow.
            connection.give_up();
        }
        self.writes.record(&committed);
        committed
    }
}

impl SqlDatabase for Postgres {
    type Driver = sqlx::Postgres;
    type Lent = Lent;

    const BEGIN_TO_READ: &'static str = "begin isolation level repeatable read read only";

    async fn reader(&self) -> Result<Lent, sqlx::Error> {
        self.readers.lend().await
    }

    async fn list_reader(&self) -> Result<Lent, sqlx::Error> {
        self.list_readers.lend().await
    }
}

#[async_trait]
impl Nodes for Postgres {
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        outages_since(self, ms).await
    }

    async fn server_key(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        server_key(self, name).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.writes.check()?;
        reading("reach the database", ping(self)).await
    }

    async fn verify_tables(&self) -> Result<(), StoreError> {
        verify_tables(self, &MIGRATIONS).await
    }

    async fn close(&self) {
        // The writer's connection belongs to the writer's runtime and ends with it.
        self.readers.close().await;
        self.list_readers.close().await;
    }
}
