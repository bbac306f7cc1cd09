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

/// Time without a heartbeat after which no server runs any more. Servers beat once a second.
const ALIVE_FOR: Duration = Duration::from_secs(10);

/// Interval at which the last heartbeat is read.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Returns whether migrations are missing, once no heartbeat of a server has come for [`ALIVE_FOR`]. No clock tells: that
/// of a server may be wrong.
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
        let Some(beat) = beat else { return Ok(true) };
        if first.is_none() {
            info!("postgresql: migrations are missing: waiting until no server has run for {ALIVE_FOR:?}");
        }
        if *first.get_or_insert_with(|| beat.clone()) != beat {
            return Err(StoreError::ServersRun);
        }
        if began.elapsed() >= ALIVE_FOR {
            return Ok(true);
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Returns the transactions of the last heartbeat of any server; `None` if there was none.
async fn last_beat(connection: &mut PgConnection) -> Result<Option<(String, String)>, sqlx::Error> {
    if !sqlx::query_scalar::<_, bool>(text::HAS_HEARTBEATS).fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    sqlx::query_as(text::LAST_BEATEN_BY).fetch_optional(connection).await
}
