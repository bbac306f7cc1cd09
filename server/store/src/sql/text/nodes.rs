//! The database itself, heartbeats and outages, and the keys of the server.

use crate::sql::Sql;

/// The transactions that last wrote and last locked the row of the heartbeat. Each heartbeat locks it, whatever the
/// clock of its server. PostgreSQL alone: an SQLite file has one server.
pub(crate) const LAST_BEATEN_BY: &str = "select xmin::text, xmax::text from heartbeat where id = 1";

/// Whether a database has heartbeats.
pub(crate) const HAS_HEARTBEATS: &str = "select to_regclass('heartbeat') is not null";

/// Reads nothing, as a sign of life.
pub(crate) const NOTHING: Sql = Sql::same("select 1");

/// Whether the database has a table of migrations.
pub(crate) const HAS_MIGRATIONS: Sql = Sql {
    sqlite: "select exists (select 1 from sqlite_schema where name = '_sqlx_migrations')",
    postgres: "select to_regclass('_sqlx_migrations') is not null",
};

pub(crate) const APPLIED_MIGRATIONS: Sql =
    Sql::same("select version, checksum from _sqlx_migrations where success");

/// Adds a key pair of the deployment, unless it has one of this name.
pub(crate) const ADD_SERVER_KEY: Sql =
    Sql::same("insert into server_key (name, body) values ($1, $2) on conflict (name) do nothing");

pub(crate) const SERVER_KEY: Sql = Sql::same("select body from server_key where name = $1");

pub(crate) const OUTAGES_SINCE: Sql =
    Sql::same("select from_ms, to_ms from outage where to_ms > $1 order by from_ms");

/// Gives the sweep to the node `$1` until `$3`, unless another node has it at `$2`.
pub(crate) const TAKE_SWEEP: Sql = Sql::same(
    "insert into sweeper (id, node, until_ms) values (1, $1, $3)
     on conflict (id) do update set node = excluded.node, until_ms = excluded.until_ms
     where sweeper.node = excluded.node or sweeper.until_ms <= $2",
);

/// Inserts the row of the heartbeat, if there is none.
pub(crate) const FIRST_BEAT: Sql =
    Sql::same("insert into heartbeat (id, at_ms) values (1, $1) on conflict (id) do nothing");

/// The time of the last heartbeat. It stays the last one until the end of the transaction, which SQLite guarantees
/// without a lock.
pub(crate) const LAST_BEAT: Sql = Sql {
    sqlite: "select at_ms from heartbeat where id = 1",
    postgres: "select at_ms from heartbeat where id = 1 for no key update",
};

/// Records a heartbeat at `$1`, unless a later one is recorded.
pub(crate) const BEAT: Sql = Sql::same("update heartbeat set at_ms = $1 where id = 1 and at_ms < $1");

pub(crate) const RECORD_OUTAGE: Sql = Sql::same("insert into outage (from_ms, to_ms) values ($1, $2)");
