//! Deletion of old rows, a bounded part in each transaction. Each statement binds its ids as one JSON array.

use game::ids::GameId;
use sqlx::{SqliteConnection, SqlitePool};
use uuid::Uuid;

use crate::{CLEARED_ROWS, Cleared, Clearing, sql::has_game};

pub(super) async fn unplayed_games(
    readers: &SqlitePool,
    before_ms: i64,
    limit: u32,
) -> Result<Vec<GameId>, sqlx::Error> {
    let games: Vec<Uuid> = sqlx::query_scalar(
        "select id from game
         where status in ('cancelled', 'aborted') and spared = 0 and created_ms < $1 and updated_ms < $1
         order by created_ms, id
         limit $2",
    )
    .bind(before_ms)
    .bind(i64::from(limit))
    .fetch_all(readers)
    .await?;
    Ok(games.into_iter().map(GameId::new).collect())
}

pub(super) async fn clear(tx: &mut SqliteConnection, clearing: &Clearing) -> Result<Cleared, sqlx::Error> {
    match clearing {
        Clearing::Games { deleted, spared } => clear_games(tx, deleted, spared).await,
        Clearing::Guests { before_ms, at_most } => clear_guests(tx, *before_ms, *at_most).await,
        Clearing::Sessions { unused_since_ms } => clear_sessions(tx, *unused_since_ms).await,
    }
}

async fn clear_games(
    tx: &mut SqliteConnection,
    deleted: &[GameId],
    spared: &[GameId],
) -> Result<Cleared, sqlx::Error> {
    sqlx::query("update game set spared = 1 where id in (select unhex(value) from json_each($1))")
        .bind(list(spared.iter().map(|game| game.uuid())))
        .execute(&mut *tx)
        .await?;
    let deleted: Vec<Uuid> = sqlx::query_scalar(
        "select id from game
         where id in (select unhex(value) from json_each($1)) and status in ('cancelled', 'aborted')",
    )
    .bind(list(deleted.iter().map(|game| game.uuid())))
    .fetch_all(&mut *tx)
    .await?;
    let n_deleted = count(deleted.len());
    let deleted = list(deleted);
    // The last events are deleted first, so that the rest of a log has no gap.
    let statements = [
        "delete from chat where rowid in (
            select rowid from chat where game in (select unhex(value) from json_each($1)) limit $2
         )",
        "delete from event where rowid in (
            select rowid from event where game in (select unhex(value) from json_each($1))
            order by version desc limit $2
         )",
    ];
    if !is_cleared(tx, statements, &deleted).await? {
        return Ok(Cleared::PARTLY);
    }
    for statement in [
        "delete from draft where game in (select unhex(value) from json_each($1))",
        "delete from game where id in (select unhex(value) from json_each($1))",
    ] {
        sqlx::query(statement).bind(&deleted).execute(&mut *tx).await?;
    }
    Ok(Cleared { deleted: n_deleted, is_more: false })
}

async fn clear_guests(
    tx: &mut SqliteConnection,
    before_ms: i64,
    at_most: u32,
) -> Result<Cleared, sqlx::Error> {
    let idle: Vec<(Uuid, bool)> = sqlx::query_as(concat!(
        "select id, ",
        has_game!(),
        " from player where spared = 0 and seen_ms < $1 order by seen_ms, id limit $2"
    ))
    .bind(before_ms)
    .bind(i64::from(at_most))
    .fetch_all(&mut *tx)
    .await?;
    let is_more = count(idle.len()) == at_most;
    let (spared, deleted): (Vec<_>, Vec<_>) = idle.into_iter().partition(|(_, has_game)| *has_game);
    let n_deleted = count(deleted.len());
    let [spared, deleted] = [spared, deleted].map(|players| list(players.into_iter().map(|(id, _)| id)));
    sqlx::query("update player set spared = 1 where id in (select unhex(value) from json_each($1))")
        .bind(&spared)
        .execute(&mut *tx)
        .await?;
    let statements = [
        "delete from block where rowid in (
            select rowid from block where player in (select unhex(value) from json_each($1)) limit $2
         )",
        "delete from block where rowid in (
            select rowid from block where blocked in (select unhex(value) from json_each($1)) limit $2
         )",
        "delete from session where rowid in (
            select rowid from session where player in (select unhex(value) from json_each($1)) limit $2
         )",
    ];
    if !is_cleared(tx, statements, &deleted).await? {
        return Ok(Cleared::PARTLY);
    }
    sqlx::query("delete from player where id in (select unhex(value) from json_each($1))")
        .bind(&deleted)
        .execute(tx)
        .await?;
    Ok(Cleared { deleted: n_deleted, is_more })
}

async fn clear_sessions(tx: &mut SqliteConnection, unused_since_ms: i64) -> Result<Cleared, sqlx::Error> {
    let ended = sqlx::query(
        "delete from session where token_hash in (
            select token_hash from session where used_ms <= $1 order by used_ms limit $2
         )",
    )
    .bind(unused_since_ms)
    .bind(CLEARED_ROWS)
    .execute(tx)
    .await?;
    let deleted = u32::try_from(ended.rows_affected()).unwrap_or(u32::MAX);
    Ok(Cleared { deleted, is_more: deleted == CLEARED_ROWS })
}

/// Deletes at most [`CLEARED_ROWS`] rows, by statements that each delete at most `$2` of the rows that belong to `$1`.
/// Returns whether this bound was not reached, so that none are left.
async fn is_cleared<const N: usize>(
    tx: &mut SqliteConnection,
    statements: [&'static str; N],
    of: &str,
) -> Result<bool, sqlx::Error> {
    let mut left = u64::from(CLEARED_ROWS);
    for statement in statements {
        let query = sqlx::query(statement).bind(of).bind(i64::try_from(left).unwrap_or(i64::MAX));
        left = left.saturating_sub(query.execute(&mut *tx).await?.rows_affected());
    }
    Ok(left > 0)
}

fn list(ids: impl IntoIterator<Item = Uuid>) -> String {
    let ids: Vec<_> = ids.into_iter().map(|id| id.simple().to_string()).collect();
    serde_json::json!(ids).to_string()
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
