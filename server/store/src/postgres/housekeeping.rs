//! Deletion of old rows, a bounded part in each transaction. It runs after the writes that lock games, players and
//! sessions in order. So it must not wait for locks: it skips the rows that another node has locked, until the next
//! time.

use game::ids::GameId;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{CLEARED_ROWS, Cleared, Clearing, sql::has_game};

pub(super) async fn unplayed_games(
    readers: &PgPool,
    before_ms: i64,
    limit: u32,
) -> Result<Vec<GameId>, sqlx::Error> {
    let games: Vec<Uuid> = sqlx::query_scalar(
        "select id from game
         where status in ('cancelled', 'aborted') and not spared and created_ms < $1 and updated_ms < $1
         order by created_ms, id
         limit $2",
    )
    .bind(before_ms)
    .bind(i64::from(limit))
    .fetch_all(readers)
    .await?;
    Ok(games.into_iter().map(GameId::new).collect())
}

/// Forbids table scans for the rest of the transaction, since turns wait for its end.
const BY_INDEX: &str =
    "select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)";

pub(super) async fn clear(tx: &mut PgConnection, clearing: &Clearing) -> Result<Cleared, sqlx::Error> {
    sqlx::query(BY_INDEX).execute(&mut *tx).await?;
    match clearing {
        Clearing::Games { deleted, spared } => clear_games(tx, deleted, spared).await,
        Clearing::Guests { before_ms, at_most } => clear_guests(tx, *before_ms, *at_most).await,
        Clearing::Sessions { unused_since_ms } => clear_sessions(tx, *unused_since_ms).await,
    }
}

async fn clear_games(
    tx: &mut PgConnection,
    deleted: &[GameId],
    spared: &[GameId],
) -> Result<Cleared, sqlx::Error> {
    // The lock keeps chat lines from being inserted meanwhile.
    let locked: Vec<Uuid> = sqlx::query_scalar(
        "select id from game where id = any($1) and status in ('cancelled', 'aborted') order by id
         for update skip locked",
    )
    .bind([deleted, spared].concat().into_iter().map(GameId::uuid).collect::<Vec<_>>())
    .fetch_all(&mut *tx)
    .await?;
    let (spared, deleted): (Vec<_>, Vec<_>) =
        locked.into_iter().partition(|game| spared.contains(&GameId::new(*game)));
    sqlx::query("update game set spared = true where id = any($1)").bind(&spared).execute(&mut *tx).await?;
    // The last events are deleted first, so that the rest of a log has no gap.
    let statements = [
        "delete from chat where ctid = any(array(select ctid from chat where game = any($1) limit $2))",
        "delete from event where ctid = any(array(
            select ctid from event where game = any($1) order by version desc limit $2
         ))",
    ];
    if !is_cleared(tx, statements, &deleted).await? {
        return Ok(Cleared::PARTLY);
    }
    for statement in ["delete from draft where game = any($1)", "delete from game where id = any($1)"] {
        sqlx::query(statement).bind(&deleted).execute(&mut *tx).await?;
    }
    Ok(Cleared { deleted: count(deleted.len()), is_more: false })
}

async fn clear_guests(tx: &mut PgConnection, before_ms: i64, at_most: u32) -> Result<Cleared, sqlx::Error> {
    // The lock keeps other players from blocking these players, and the players from coming back, meanwhile.
    let idle: Vec<(Uuid, bool)> = sqlx::query_as(concat!(
        "select id, ",
        has_game!(),
        " from player where not spared and seen_ms < $1 order by seen_ms, id limit $2 for update skip locked"
    ))
    .bind(before_ms)
    .bind(i64::from(at_most))
    .fetch_all(&mut *tx)
    .await?;
    let is_more = count(idle.len()) == at_most;
    let (spared, deleted): (Vec<_>, Vec<_>) = idle.into_iter().partition(|(_, has_game)| *has_game);
    let [spared, deleted] =
        [spared, deleted].map(|players| players.into_iter().map(|(player, _)| player).collect::<Vec<_>>());
    sqlx::query("update player set spared = true where id = any($1)").bind(&spared).execute(&mut *tx).await?;
    let statements = [
        "delete from block where ctid = any(array(select ctid from block where player = any($1) limit $2))",
        "delete from block where ctid = any(array(select ctid from block where blocked = any($1) limit $2))",
        "delete from session where ctid = any(array(select ctid from session where player = any($1) limit $2))",
    ];
    if !is_cleared(tx, statements, &deleted).await? {
        return Ok(Cleared::PARTLY);
    }
    sqlx::query("delete from player where id = any($1)").bind(&deleted).execute(tx).await?;
    Ok(Cleared { deleted: count(deleted.len()), is_more })
}

async fn clear_sessions(tx: &mut PgConnection, unused_since_ms: i64) -> Result<Cleared, sqlx::Error> {
    let ended = sqlx::query(
        "delete from session where token_hash in (
            select token_hash from session where used_ms <= $1 order by used_ms limit $2 for update skip locked
         )",
    )
    .bind(unused_since_ms)
    .bind(i64::from(CLEARED_ROWS))
    .execute(tx)
    .await?;
    let deleted = u32::try_from(ended.rows_affected()).unwrap_or(u32::MAX);
    Ok(Cleared { deleted, is_more: deleted == CLEARED_ROWS })
}

/// Deletes at most [`CLEARED_ROWS`] rows, by statements that each delete at most `$2` of the rows that belong to `$1`.
/// Returns whether this bound was not reached, so that none are left.
async fn is_cleared<const N: usize>(
    tx: &mut PgConnection,
    statements: [&'static str; N],
    of: &[Uuid],
) -> Result<bool, sqlx::Error> {
    let mut left = u64::from(CLEARED_ROWS);
    for statement in statements {
        let query = sqlx::query(statement).bind(of).bind(i64::try_from(left).unwrap_or(i64::MAX));
        left = left.saturating_sub(query.execute(&mut *tx).await?.rows_affected());
    }
    Ok(left > 0)
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
