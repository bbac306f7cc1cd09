//! The one transaction that writes what has come together. A statement for each row would go to SQLite's thread and
//! back for each row, which costs more than the row: what there is many of goes in one statement, as JSON.

use serde::Serialize;
use sqlx::SqliteConnection;
use uuid::Uuid;

use crate::{
    ids::GameId,
    store::{
        ChatRow, DraftRow, Write,
        plan::{self, Plan, Planned, Standing},
        row::{GameRow, MoveRow},
        sql::game_columns,
    },
};

/// How the games of the writes stand. The transaction is the only writer, so this holds until its end.
pub(super) async fn standing(tx: &mut SqliteConnection, writes: &[Write]) -> Result<Standing, sqlx::Error> {
    let games: Vec<(Uuid, i64, i64, bool)> = sqlx::query_as(
        "select id, version, turn_version, second_player is not null from game
         where id in (select unhex(value) from json_each($1))",
    )
    .bind(ids(plan::games_of(writes)))
    .fetch_all(tx)
    .await?;
    Standing::of(games)
}

/// Does what is planned.
pub(super) async fn save(tx: &mut SqliteConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    for game in plan.rows.values() {
        save_game(tx, *game).await?;
    }
    save_moves(tx, plan).await?;
    save_events(tx, plan).await?;
    remove_drafts(tx, plan.draftless_games()).await?;
    for draft in plan.saved_drafts() {
        save_draft(tx, draft).await?;
    }
    for row in &plan.lines {
        save_line(tx, row).await?;
    }
    Ok(())
}

async fn save_game(tx: &mut SqliteConnection, game: Planned<'_>) -> Result<(), sqlx::Error> {
    let row = GameRow::from(game.summary);
    sqlx::query(concat!(
        "insert into game (",
        game_columns!(),
        ", first_folded, second_folded, turn_version)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21, $22, $23, $24, $25, $26)
         on conflict (id) do update set
            status = excluded.status,
            first_player = excluded.first_player,
            first_name = excluded.first_name,
            second_player = excluded.second_player,
            second_name = excluded.second_name,
            version = excluded.version,
            turn = excluded.turn,
            to_move = excluded.to_move,
            winner = excluded.winner,
            reason = excluded.reason,
            updated_ms = excluded.updated_ms,
            deadline_ms = excluded.deadline_ms,
            first_folded = excluded.first_folded,
            second_folded = excluded.second_folded,
            turn_version = excluded.turn_version"
    ))
    .bind(row.id)
    .bind(&row.ruleset)
    .bind(&row.status)
    .bind(&row.visibility)
    .bind(row.creator)
    .bind(&row.creator_name)
    .bind(&row.seat)
    .bind(&row.clock)
    .bind(&row.watching)
    .bind(row.delay)
    .bind(row.custom_start)
    .bind(row.first_player)
    .bind(&row.first_name)
    .bind(row.second_player)
    .bind(&row.second_name)
    .bind(row.version)
    .bind(row.turn)
    .bind(&row.to_move)
    .bind(&row.winner)
    .bind(&row.reason)
    .bind(row.created_ms)
    .bind(row.updated_ms)
    .bind(row.deadline_ms)
    .bind(row.first_folded())
    .bind(row.second_folded())
    .bind(i64::from(game.turn_version.get()))
    .execute(tx)
    .await
    .map(drop)
}

async fn save_moves(tx: &mut SqliteConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    if plan.moves.is_empty() {
        return Ok(());
    }
    let moves = rows(plan.moves.iter().map(|(id, game)| {
        let row = MoveRow::from(game);
        (hex(*id), row.version, row.turn, row.to_move, row.updated_ms, row.deadline_ms, row.turn_version)
    }));
    sqlx::query(
        "update game set
            version = new.value ->> 1,
            turn = new.value ->> 2,
            to_move = new.value ->> 3,
            updated_ms = new.value ->> 4,
            deadline_ms = new.value ->> 5,
            turn_version = new.value ->> 6
         from json_each($1) as new
         where game.id = unhex(new.value ->> 0)",
    )
    .bind(moves)
    .execute(tx)
    .await
    .map(drop)
}

async fn save_events(tx: &mut SqliteConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    if plan.events.is_empty() {
        return Ok(());
    }
    let events = rows(plan.events.iter().map(|(game, event)| {
        let command = event.command.as_ref().map(|command| command.as_str());
        (hex(*game), event.version, event.at_ms, command, &event.body)
    }));
    sqlx::query(
        "insert into event (game, version, at_ms, command, body)
         select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each($1)",
    )
    .bind(events)
    .execute(tx)
    .await
    .map(drop)
}

async fn remove_drafts(tx: &mut SqliteConnection, games: Vec<GameId>) -> Result<(), sqlx::Error> {
    if games.is_empty() {
        return Ok(());
    }
    sqlx::query("delete from draft where game in (select unhex(value) from json_each($1))")
        .bind(ids(games))
        .execute(tx)
        .await
        .map(drop)
}

async fn save_draft(tx: &mut SqliteConnection, draft: &DraftRow) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into draft (game, version, body) values ($1, $2, $3)
         on conflict (game) do update set version = excluded.version, body = excluded.body",
    )
    .bind(draft.game.uuid())
    .bind(i64::from(draft.version.get()))
    .bind(&draft.body)
    .execute(tx)
    .await
    .map(drop)
}

async fn save_line(tx: &mut SqliteConnection, row: &ChatRow) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into chat (id, game, audience, at_ms, turn, player, name, body, command)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict do nothing",
    )
    .bind(row.line.id.uuid())
    .bind(row.game.uuid())
    .bind(row.audience.word())
    .bind(row.line.at_ms)
    .bind(row.line.turn)
    .bind(row.line.who.id.uuid())
    .bind(row.line.who.name.as_str())
    .bind(row.line.text.as_str())
    .bind(row.command.as_str())
    .execute(tx)
    .await
    .map(drop)
}

/// Ids as a list that SQL can take apart.
fn ids(games: Vec<GameId>) -> String {
    rows(games.into_iter().map(hex))
}

/// Rows as a list that SQL can take apart.
fn rows<R: Serialize>(rows: impl Iterator<Item = R>) -> String {
    serde_json::to_string(&rows.collect::<Vec<_>>()).expect("lists of numbers and texts are JSON")
}

/// An id as SQL's `unhex` reads it.
fn hex(game: GameId) -> uuid::fmt::Simple {
    game.uuid().simple()
}
