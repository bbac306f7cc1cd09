//! What the sweep deletes, in batches.

use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    ids::{GameId, PlayerId},
    store::{Swept, housekeeping::SEEN_FOR_MS, sql::has_game},
};

pub(super) async fn unplayed_games(
    readers: &PgPool,
    before_ms: i64,
    limit: u32,
) -> Result<Vec<GameId>, sqlx::Error> {
    let games: Vec<Uuid> = sqlx::query_scalar(
        "select id from game
         where status in ('cancelled', 'aborted') and not spared and updated_ms < $1
         order by updated_ms, id
         limit $2",
    )
    .bind(before_ms)
    .bind(i64::from(limit))
    .fetch_all(readers)
    .await?;
    Ok(games.into_iter().map(GameId::new).collect())
}

pub(super) async fn clear_games(
    pool: &PgPool,
    deleted: &[GameId],
    spared: &[GameId],
) -> Result<(), sqlx::Error> {
    let mut tx = pool.begin().await?;
    // Locked first, in the order of all locks, so that no line of a chat comes in between.
    let deleted: Vec<Uuid> = sqlx::query_scalar(
        "select id from game where id = any($1) and status in ('cancelled', 'aborted') order by id for update",
    )
    .bind(ids(deleted, GameId::uuid))
    .fetch_all(&mut *tx)
    .await?;
    for statement in [
        "delete from chat where game = any($1)",
        "delete from draft where game = any($1)",
        "delete from event where game = any($1)",
        "delete from game where id = any($1)",
    ] {
        sqlx::query(statement).bind(&deleted).execute(&mut *tx).await?;
    }
    sqlx::query("update game set spared = true where id = any($1)")
        .bind(ids(spared, GameId::uuid))
        .execute(&mut *tx)
        .await?;
    tx.commit().await
}

pub(super) async fn note_seen(pool: &PgPool, players: &[PlayerId], now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update player set seen_ms = $2 from (
            select id from player where id = any($1) and seen_ms < $3 order by id for no key update
         ) as seen
         where player.id = seen.id",
    )
    .bind(ids(players, PlayerId::uuid))
    .bind(now_ms)
    .bind(now_ms - SEEN_FOR_MS)
    .execute(pool)
    .await
    .map(drop)
}

pub(super) async fn clear_guests(pool: &PgPool, before_ms: i64, limit: u32) -> Result<Swept, sqlx::Error> {
    let mut tx = pool.begin().await?;
    let idle: Vec<Uuid> = sqlx::query_scalar(
        "select id from player where not spared and seen_ms < $1 order by seen_ms, id limit $2",
    )
    .bind(before_ms)
    .bind(i64::from(limit))
    .fetch_all(&mut *tx)
    .await?;
    // Locked before it is looked at what they have, so that nobody blocks them meanwhile.
    let locked: Vec<(Uuid, bool)> = sqlx::query_as(concat!(
        "select id, ",
        has_game!(),
        " from player where id = any($1) and seen_ms < $2 order by id for update"
    ))
    .bind(&idle)
    .bind(before_ms)
    .fetch_all(&mut *tx)
    .await?;
    let (spared, deleted): (Vec<_>, Vec<_>) = locked.into_iter().partition(|(_, has_game)| *has_game);
    let [spared, deleted] = [spared, deleted].map(|players| ids(&players, |(player, _)| player));
    for statement in [
        "delete from session where player = any($1)",
        "delete from block where player = any($1) or blocked = any($1)",
        "delete from player where id = any($1)",
    ] {
        sqlx::query(statement).bind(&deleted).execute(&mut *tx).await?;
    }
    sqlx::query("update player set spared = true where id = any($1)").bind(&spared).execute(&mut *tx).await?;
    tx.commit().await?;
    let count = |players: &[Uuid]| u32::try_from(players.len()).unwrap_or(u32::MAX);
    Ok(Swept { looked_at: count(&idle), deleted: count(&deleted) })
}

fn ids<T: Copy>(ids: &[T], uuid: impl Fn(T) -> Uuid) -> Vec<Uuid> {
    ids.iter().map(|id| uuid(*id)).collect()
}
