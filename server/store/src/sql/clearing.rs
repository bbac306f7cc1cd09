//! Deletion of old rows, a bounded part in each transaction. It runs after the writes that lock games, players and
//! sessions in order. So on PostgreSQL it must not wait for locks: it skips the rows that another node has locked,
//! until the next time.

use game::ids::GameId;
use uuid::Uuid;

use super::{Connection, Sql, text};
use crate::{CLEARED_ROWS, Cleared, Clearing};

pub(super) async fn clear(tx: &mut impl Connection, clearing: &Clearing) -> Result<Cleared, sqlx::Error> {
    match clearing {
        Clearing::Games { deleted, spared } => clear_games(tx, deleted, spared).await,
        Clearing::Guests { before_ms, at_most } => clear_guests(tx, *before_ms, *at_most).await,
        Clearing::Accounts { closed_before_ms, at_most } => {
            erase_accounts(tx, *closed_before_ms, *at_most).await
        }
        Clearing::Sessions { unused_since_ms } => {
            clear_until(tx, text::DELETE_UNUSED_SESSIONS, *unused_since_ms).await
        }
        Clearing::Mails { created_ms } => clear_until(tx, text::DELETE_OLD_MAILS, *created_ms).await,
        Clearing::Links { expired_ms } => clear_until(tx, text::DELETE_ENDED_LINKS, *expired_ms).await,
        Clearing::Reports { settled_ms } => clear_until(tx, text::DELETE_SETTLED_REPORTS, *settled_ms).await,
        Clearing::Notices { at_ms } => clear_until(tx, text::DELETE_OLD_NOTICES, *at_ms).await,
        Clearing::Seeks { left, seen_ms } => {
            let left = left.iter().map(|seek| seek.uuid());
            let n_deleted = tx.execute(text::DELETE_LEFT_SEEKS.bind_ids(left).bind(*seen_ms)).await?;
            Ok(Cleared { deleted: u32::try_from(n_deleted).unwrap_or(u32::MAX), is_more: false })
        }
        Clearing::Ceremonies { expired_ms } => {
            clear_until(tx, text::DELETE_EXPIRED_CEREMONIES, *expired_ms).await
        }
    }
}

async fn clear_games(
    tx: &mut impl Connection,
    deleted: &[GameId],
    spared: &[GameId],
) -> Result<Cleared, sqlx::Error> {
    let games = [deleted, spared].concat().into_iter().map(GameId::uuid);
    // The lock keeps chat lines from being inserted meanwhile.
    let locked: Vec<(Uuid,)> = tx.rows(text::LOCK_UNPLAYED_GAMES.bind_ids(games)).await?;
    let (spared, deleted): (Vec<_>, Vec<_>) =
        locked.into_iter().map(|(game,)| game).partition(|game| spared.contains(&GameId::new(*game)));
    tx.execute(text::SPARE_GAMES.bind_ids(spared)).await?;
    // The last events are deleted first, so that the rest of a log has no gap.
    if !is_cleared(tx, [text::DELETE_LINES, text::DELETE_LAST_EVENTS], &deleted).await? {
        return Ok(Cleared::PARTLY);
    }
    tx.execute(text::EXAMINE_PLAYERS.bind_ids(deleted.iter().copied())).await?;
    tx.execute(text::DELETE_DRAFTS.bind_ids(deleted.iter().copied())).await?;
    tx.execute(text::DELETE_GAMES.bind_ids(deleted.iter().copied())).await?;
    Ok(Cleared { deleted: count(deleted.len()), is_more: false })
}

async fn clear_guests(
    tx: &mut impl Connection,
    before_ms: i64,
    at_most: u32,
) -> Result<Cleared, sqlx::Error> {
    // The lock keeps other players from blocking these players, and the players from coming back, meanwhile.
    let idle: Vec<(Uuid, bool)> = tx.rows(text::LOCK_IDLE_PLAYERS.bind(before_ms).bind(at_most)).await?;
    let is_more = count(idle.len()) == at_most;
    let (spared, deleted): (Vec<_>, Vec<_>) = idle.into_iter().partition(|(_, stays)| *stays);
    let [spared, deleted] =
        [spared, deleted].map(|players| players.into_iter().map(|(player, _)| player).collect::<Vec<_>>());
    tx.execute(text::SPARE_PLAYERS.bind_ids(spared)).await?;
    let of_players = [
        text::DELETE_BLOCKS_BY,
        text::DELETE_BLOCKS_OF,
        text::DELETE_SEEKS_OF,
        text::DELETE_SESSIONS,
        text::DELETE_MESSAGES_TO,
        text::DELETE_NOTICES_TO,
        text::DELETE_REPORTS_OF,
        text::DELETE_ACTS_ON,
        text::DELETE_VACATIONS,
    ];
    if !is_cleared(tx, of_players, &deleted).await? {
        return Ok(Cleared::PARTLY);
    }
    tx.execute(text::DELETE_PLAYERS.bind_ids(deleted.iter().copied())).await?;
    Ok(Cleared { deleted: count(deleted.len()), is_more })
}

async fn erase_accounts(
    tx: &mut impl Connection,
    closed_before_ms: i64,
    at_most: u32,
) -> Result<Cleared, sqlx::Error> {
    // The lock keeps the players from reopening their accounts, and others from blocking them, meanwhile.
    let closed = text::LOCK_CLOSED_ACCOUNTS.bind(closed_before_ms).bind(at_most);
    let closed: Vec<(Uuid,)> = tx.rows(closed).await?;
    let closed: Vec<Uuid> = closed.into_iter().map(|(player,)| player).collect();
    let of_players = [
        text::DELETE_BLOCKS_BY,
        text::DELETE_BLOCKS_OF,
        text::DELETE_SEEKS_OF,
        text::DELETE_SESSIONS,
        text::DELETE_DEVICES,
        text::DELETE_LINKS,
        text::DELETE_PASSKEYS,
        text::DELETE_MAILS_OF,
        text::DELETE_MESSAGES_TO,
        text::DELETE_NOTICES_TO,
        text::DELETE_REPORTS_BY,
        text::DELETE_REPORTS_OF,
        text::DELETE_ACTS_ON,
        text::DELETE_VACATIONS,
    ];
    if !is_cleared(tx, of_players, &closed).await? {
        return Ok(Cleared::PARTLY);
    }
    for statement in [
        text::FORGET_MODERATORS,
        text::REMOVE_ROLES,
        text::FREE_KEYS,
        text::DELETE_ACCOUNTS,
        text::ERASE_NAMES,
    ] {
        tx.execute(statement.bind_ids(closed.iter().copied())).await?;
    }
    Ok(Cleared { deleted: count(closed.len()), is_more: count(closed.len()) == at_most })
}

/// Deletes rows up to a time, by a statement that deletes at most `$2` of them.
async fn clear_until(
    tx: &mut impl Connection,
    statement: Sql,
    until_ms: i64,
) -> Result<Cleared, sqlx::Error> {
    let n_ended = tx.execute(statement.bind(until_ms).bind(CLEARED_ROWS)).await?;
    let deleted = u32::try_from(n_ended).unwrap_or(u32::MAX);
    Ok(Cleared { deleted, is_more: deleted == CLEARED_ROWS })
}

/// Deletes at most [`CLEARED_ROWS`] rows, by statements that each delete at most `$2` of the rows that belong to `$1`.
/// Returns whether this bound was not reached, so that none are left.
async fn is_cleared<const N: usize>(
    tx: &mut impl Connection,
    statements: [Sql; N],
    of: &[Uuid],
) -> Result<bool, sqlx::Error> {
    let mut left = CLEARED_ROWS;
    for statement in statements {
        let n_deleted = tx.execute(statement.bind_ids(of.iter().copied()).bind(left)).await?;
        left = left.saturating_sub(u32::try_from(n_deleted).unwrap_or(u32::MAX));
    }
    Ok(left > 0)
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
