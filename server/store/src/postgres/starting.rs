//! The start of a server whose migrations are not all applied: it must not change the tables of servers that run.

use std::time::Duration;

use sqlx::{PgConnection, migrate::Migrator};
use tokio::time::{Instant, sleep};
use tracing::info;

use crate::{
    StoreError,
    error::reading,
    sql::{applied_migrations, text},
    tables,
};

/// Age of the last heartbeat from which no server runs any more. Servers beat once a second.
const ALIVE_FOR: Duration = Duration::from_secs(10);

/// Interval at which the last heartbeat is read.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Returns whether migrations are missing, once no server runs on the database. The last heartbeat of a server that
/// has just stopped is waited out; if another one follows, a server runs.
///
/// # Errors
/// [`StoreError::NewTables`] or [`StoreError::OtherTables`] if the tables are not known, [`StoreError::ServersRun`].
pub(super) async fn needs_migration(
    connection: &mut PgConnection,
    migrator: &Migrator,
) -> Result<bool, StoreError> {
    let (mut first, began) = (None, Instant::now());
    loop {
        let (applied, beat) = reading("see which tables the database has", async {
            Ok((applied_migrations(&mut *connection).await?, last_beat(&mut *connection).await?))
        })
        .await?;
        tables::are_known(&applied, migrator)?;
        if !tables::are_old(&applied, migrator) {
            return Ok(false);
        }
        let Some(beat) = beat.filter(|beat| beat.ago < ALIVE_FOR) else { return Ok(true) };
        if first.is_none() {
            info!("postgresql: migrations are missing: waiting until no server has run for {ALIVE_FOR:?}");
        }
        if *first.get_or_insert(beat.at_ms) != beat.at_ms {
            return Err(StoreError::ServersRun);
        }
        // The clock of the node that beat may be ahead.
        if began.elapsed() >= ALIVE_FOR {
            return Ok(true);
        }
        sleep(LOOK_EVERY).await;
    }
}

/// The last heartbeat of any server.
struct LastBeat {
    at_ms: i64,
    ago: Duration,
}

async fn last_beat(connection: &mut PgConnection) -> Result<Option<LastBeat>, sqlx::Error> {
    if !sqlx::query_scalar::<_, bool>(text::HAS_HEARTBEATS).fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    let last: Option<(i64, i64)> = sqlx::query_as(text::BEATEN_AGO).fetch_optional(connection).await?;
    Ok(last.map(|(ago_ms, at_ms)| LastBeat {
        at_ms,
        ago: Duration::from_millis(u64::try_from(ago_ms).unwrap_or_default()),
    }))
}
