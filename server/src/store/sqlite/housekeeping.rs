//! What the sweep deletes, in batches. A batch goes to SQLite as one list for each statement.

use sqlx::SqlitePool;
use uuid::Uuid;

use crate::{
    ids::{GameId, PlayerId},
    store::{Swept, housekeeping::SEEN_FOR_MS, sql::has_game},
};

pub(super) async fn unplayed_games(
    readers: &SqlitePool,
    before_ms: i64,
    limit: u32,
) -> Result<Vec<GameId>, sqlx::Error> {
    let games: Vec<Uuid> = sqlx::query_scalar(
        "select id from game
         where status in ('cancelled', 'aborted') and spared = 0 and updated_ms < $1
         order by updated_ms, id
         limit $2",
    )
    .bind(before_ms)
    .bind(i64::from(limit))
    .fetch_all(readers)
    .await?;
    Ok(games.into_iter().map(GameId::new).collect())
}

/// Deletes games, and what names them, if they still are what they are deleted for: nothing else is over for good before
/// anybody has played.
const DELETE_GAMES: [&str; 4] = [
    "delete from chat where game in (select id from game
        where id in (select unhex(value) from json_each($1)) and status in ('cancelled', 'aborted'))",
    "delete from draft where game in (select id from game
        where id in (select unhex(value) from json_each($1)) and status in ('cancelled', 'aborted'))",
    "delete from event where game in (select id from game
        where id in (select unhex(value) from json_each($1)) and status in ('cancelled', 'aborted'))",
    "delete from game
        where id in (select unhex(value) from json_each($1)) and status in ('cancelled', 'aborted')",
];

pub(super) async fn clear_games(
    writer: &SqlitePool,
    deleted: &[GameId],
    spared: &[GameId],
) -> Result<(), sqlx::Error> {
    let (deleted, spared) = (list(deleted, GameId::uuid), list(spared, GameId::uuid));
    let mut tx = writer.begin_with("begin immediate").await?;
    for statement in DELETE_GAMES {
        sqlx::query(statement).bind(&deleted).execute(&mut *tx).await?;
    }
    sqlx::query("update game set spared = 1 where id in (select unhex(value) from json_each($1))")
        .bind(&spared)
        .execute(&mut *tx)
        .await?;
    tx.commit().await
}

pub(super) async fn note_seen(
    writer: &SqlitePool,
    players: &[PlayerId],
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update player set seen_ms = $2
         where id in (select unhex(value) from json_each($1)) and seen_ms < $3",
    )
    .bind(list(players, PlayerId::uuid))
    .bind(now_ms)
    .bind(now_ms - SEEN_FOR_MS)
    .execute(writer)
    .await
    .map(drop)
}

pub(super) async fn clear_guests(
    writer: &SqlitePool,
    before_ms: i64,
    limit: u32,
) -> Result<Swept, sqlx::Error> {
    let mut tx = writer.begin_with("begin immediate").await?;
    let idle: Vec<(Uuid, bool)> = sqlx::query_as(concat!(
        "select id, ",
        has_game!(),
        " from player where spared = 0 and seen_ms < $1 order by seen_ms, id limit $2"
    ))
    .bind(before_ms)
    .bind(i64::from(limit))
    .fetch_all(&mut *tx)
    .await?;
    let (spared, deleted): (Vec<_>, Vec<_>) = idle.iter().partition(|(_, has_game)| *has_game);
    let swept = Swept { looked_at: count(&idle), deleted: count(&deleted) };
    let (spared, deleted) = (list(&spared, |(player, _)| player), list(&deleted, |(player, _)| player));
    for statement in [
        "delete from session where player in (select unhex(value) from json_each($1))",
        "delete from block where player in (select unhex(value) from json_each($1))",
        "delete from block where blocked in (select unhex(value) from json_each($1))",
        "delete from player where id in (select unhex(value) from json_each($1))",
    ] {
        sqlx::query(statement).bind(&deleted).execute(&mut *tx).await?;
    }
    sqlx::query("update player set spared = 1 where id in (select unhex(value) from json_each($1))")
        .bind(&spared)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(swept)
}

fn list<T: Copy>(ids: &[T], uuid: impl Fn(T) -> Uuid) -> String {
    let ids: Vec<_> = ids.iter().map(|id| uuid(*id).simple().to_string()).collect();
    serde_json::json!(ids).to_string()
}

fn count<T>(rows: &[T]) -> u32 {
    u32::try_from(rows.len()).unwrap_or(u32::MAX)
}
