//! The transaction of a group commit. Each statement costs a round trip, so there are few, and each writes the rows of
//! many writes.

use game::ids::GameId;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Audience, CHAT_LINES, DraftRow, Write,
    people::{Asked, People, PeoplePlan},
    plan::{self, HeadColumns, Heads, Plan, StoredState},
    row::{GameColumns, MoveRow},
    sql::{
        commit::CommitSteps,
        seeks::with_opponents,
        text::{game_columns, update_game},
    },
};

impl CommitSteps for PgConnection {
    /// Reads and locks the rows of the games and players; other nodes may have changed those of known games. The locks keep the state valid until the end of the
    /// transaction. They are taken on games first and players second, each in the order of their ids, so two nodes never
    /// deadlock.
    async fn stored_state(&mut self, writes: &[Write], _known: Heads) -> Result<StoredState, sqlx::Error> {
        let games: Vec<_> = plan::games_of(writes).into_iter().map(GameId::uuid).collect();
        // Another node may store a draft while this statement waits for its lock, so each game may have one.
        let games: Vec<HeadColumns> = sqlx::query_as(
            "select id, version, updated_ms, turn_version, second_player is not null, true, check_ms from game
             where id = any($1) order by id for no key update",
        )
        .bind(games)
        .fetch_all(&mut *self)
        .await?;
        let heads = games.into_iter().map(plan::head).collect::<Result<_, _>>()?;
        Ok(StoredState::new(heads, people(self, &Asked::of(writes)).await?))
    }

    async fn save_rows(&mut self, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
        save_games(self, plan).await?;
        save_events(self, plan).await?;
        save_earlier_checks(self, plan).await?;
        save_drafts(self, plan).await?;
        save_lines(self, plan).await?;
        save_people(self, &plan.people).await
    }

    /// A table scan would delay the turns that wait for this transaction.
    async fn forbid_table_scans(&mut self) -> Result<(), sqlx::Error> {
        let by_index =
            "select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)";
        sqlx::query(by_index).execute(self).await.map(drop)
    }
}

async fn people(tx: &mut PgConnection, asked: &Asked) -> Result<People, sqlx::Error> {
    if asked.is_nothing() {
        return Ok(People::default());
    }
    let people = asked_people(tx, asked).await?;
    with_opponents(tx, people, asked).await
}

async fn asked_people(tx: &mut PgConnection, asked: &Asked) -> Result<People, sqlx::Error> {
    let known: Vec<Uuid> =
        sqlx::query_scalar("select id from player where id = any($1) order by id for no key update")
            .bind(asked.players.iter().copied().collect::<Vec<_>>())
            .fetch_all(&mut *tx)
            .await?;
    let mut rooms: Vec<(Uuid, i64)> = Vec::new();
    if !asked.makers.is_empty() {
        rooms = sqlx::query_as(
            "select creator, count(*) from game where creator = any($1) and status = 'open' and challenged is null group by creator",
        )
        .bind(asked.makers.iter().copied().collect::<Vec<_>>())
        .fetch_all(&mut *tx)
        .await?;
    }
    if asked.pairs.is_empty() {
        return Ok(People::of(known, Vec::new(), Vec::new(), rooms));
    }
    let counts: Vec<(Uuid, i64)> =
        sqlx::query_as("select player, count(*) from block where player = any($1) group by player")
            .bind(asked.blockers.iter().copied().collect::<Vec<_>>())
            .fetch_all(&mut *tx)
            .await?;
    let (players, blocked): (Vec<_>, Vec<_>) = asked.pairs.iter().copied().unzip();
    let blocks: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select player, blocked from block
         where (player, blocked) in (select * from unnest($1::uuid[], $2::uuid[]))",
    )
    .bind(players)
    .bind(blocked)
    .fetch_all(tx)
    .await?;
    Ok(People::of(known, counts, blocks, rooms))
}

async fn save_games(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    if plan.rows.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = plan.rows.values().map(|game| GameColumns::from(game.summary)).collect();
    let turn_versions: Vec<_> = plan.rows.values().map(|game| i64::from(game.turn_version.get())).collect();
    let query = sqlx::query(concat!(
        "insert into game (",
        game_columns!(),
        ", turn_version, check_ms)
         select ",
        game_columns!(),
        ", turn_version, deadline_ms
         from unnest(
            $1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::text[], $8::text[],
            $9::text[], $10::integer[], $11::boolean[], $12::uuid[], $13::uuid[], $14::bigint[], $15::integer[],
            $16::text[], $17::text[], $18::text[], $19::bigint[], $20::bigint[], $21::bigint[], $22::text[],
            $23::text[], $24::bigint[]
         ) as new (",
        game_columns!(),
        ", turn_version)",
        update_game!()
    ));
    GameColumns::bind_all(&rows, query).bind(turn_versions).execute(tx).await.map(drop)
}

/// Inserts the events, updates the rows of their games and deletes the drafts that they make obsolete.
async fn save_events(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    let draftless: Vec<_> = plan.draftless_games().into_iter().map(GameId::uuid).collect();
    if plan.events.is_empty() && draftless.is_empty() {
        return Ok(());
    }
    let (events, moves) = (&plan.events, plan.moves.values().map(MoveRow::from).collect::<Vec<_>>());
    sqlx::query(
        "with moved as (
            update game set
                version = new.version,
                turn = new.turn,
                to_move = new.to_move,
                updated_ms = new.updated_ms,
                deadline_ms = new.deadline_ms,
                turn_version = new.turn_version,
                position = new.position,
                offers = new.offers
            from unnest(
                $6::uuid[], $7::bigint[], $8::integer[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[],
                $13::text[], $14::text[]
            ) as new (id, version, turn, to_move, updated_ms, deadline_ms, turn_version, position, offers)
            where game.id = new.id
         ), draftless as (
            delete from draft where game = any($15)
         )
         insert into event (game, version, at_ms, command, body)
         select game, version, at_ms, command, body
         from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
            as new (game, version, at_ms, command, body)",
    )
    .bind(column(events, |(game, _)| game.uuid()))
    .bind(column(events, |(_, event)| i64::from(event.version.get())))
    .bind(column(events, |(_, event)| event.at_ms))
    .bind(column(events, |(_, event)| event.command.as_ref().map(|command| command.as_str())))
    .bind(column(events, |(_, event)| event.body.as_str()))
    .bind(column(&moves, |row| row.id))
    .bind(column(&moves, |row| row.version))
    .bind(column(&moves, |row| row.turn))
    .bind(column(&moves, |row| row.to_move))
    .bind(column(&moves, |row| row.updated_ms))
    .bind(column(&moves, |row| row.deadline_ms))
    .bind(column(&moves, |row| row.turn_version))
    .bind(column(&moves, |row| row.position.as_deref()))
    .bind(column(&moves, |row| row.offers.as_deref()))
    .bind(draftless)
    .execute(tx)
    .await
    .map(drop)
}

async fn save_earlier_checks(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    if plan.earlier_checks.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "update game set check_ms = new.check_ms
         from unnest($1::uuid[], $2::bigint[]) as new (id, check_ms)
         where game.id = new.id",
    )
    .bind(plan.earlier_checks.keys().map(|game| game.uuid()).collect::<Vec<_>>())
    .bind(plan.earlier_checks.values().copied().collect::<Vec<_>>())
    .execute(tx)
    .await
    .map(drop)
}

async fn save_drafts(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    let rows: Vec<&DraftRow> = plan.saved_drafts();
    if rows.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into draft (game, version, body)
         select game, version, body
         from unnest($1::uuid[], $2::bigint[], $3::text[]) as new (game, version, body)
         on conflict (game) do update set version = excluded.version, body = excluded.body",
    )
    .bind(column(&rows, |draft| draft.game.uuid()))
    .bind(column(&rows, |draft| i64::from(draft.version.get())))
    .bind(column(&rows, |draft| draft.body.as_str()))
    .execute(tx)
    .await
    .map(drop)
}

/// Inserts the chat lines of games that still exist. The lock keeps these games from being deleted before the end of
/// the transaction.
async fn save_lines(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    if plan.lines.is_empty() {
        return Ok(());
    }
    let rows = &plan.lines;
    sqlx::query(
        "with there as (
            select id from game where id = any($2) order by id for key share
         )
         insert into chat (id, game, audience, at_ms, turn, player, body, command)
         select id, game, audience, at_ms, turn, player, body, command
         from unnest(
            $1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::integer[], $6::uuid[], $7::text[], $8::text[]
         ) as new (id, game, audience, at_ms, turn, player, body, command)
         where game in (select id from there)
         on conflict do nothing",
    )
    .bind(column(rows, |row| row.line.id.uuid()))
    .bind(column(rows, |row| row.game.uuid()))
    .bind(column(rows, |row| row.audience.word()))
    .bind(column(rows, |row| row.line.at_ms))
    .bind(column(rows, |row| i32::from(row.line.turn)))
    .bind(column(rows, |row| row.line.who.uuid()))
    .bind(column(rows, |row| row.line.text.as_str()))
    .bind(column(rows, |row| row.command.as_str()))
    .execute(&mut *tx)
    .await?;
    trim_chats(tx, &plan.chats()).await
}

/// Deletes the lines of chats beyond those that are kept.
async fn trim_chats(tx: &mut PgConnection, chats: &[(GameId, Audience)]) -> Result<(), sqlx::Error> {
    sqlx::query(
        // Materialized: the oldest kept line is looked up once for each chat, and not for each of its lines.
        "with oldest as materialized (
            select told.game, told.audience, (
               select kept.id from chat as kept
               where kept.game = told.game and kept.audience = told.audience
               order by kept.id desc limit 1 offset $3 - 1
            ) as id
            from unnest($1::uuid[], $2::text[]) as told (game, audience)
         )
         delete from chat using oldest
         where chat.game = oldest.game and chat.audience = oldest.audience and chat.id < oldest.id",
    )
    .bind(column(chats, |(game, _)| game.uuid()))
    .bind(column(chats, |(_, audience)| audience.word()))
    .bind(i64::from(CHAT_LINES))
    .execute(tx)
    .await
    .map(drop)
}

async fn save_people(tx: &mut PgConnection, people: &PeoplePlan<'_>) -> Result<(), sqlx::Error> {
    if !people.new.is_empty() {
        sqlx::query(
            "with new as (
                select * from unnest($1::uuid[], $2::text[], $3::bytea[], $4::uuid[], $5::bigint[], $6::text[])
                    as new (id, name, token_hash, session, now_ms, folded)
             ), players as (
                insert into player (id, name, folded, created_ms, seen_ms)
                    select id, name, folded, now_ms, now_ms from new
             )
             insert into session (token_hash, player, id, created_ms, used_ms)
                select token_hash, id, session, now_ms, now_ms from new",
        )
        .bind(column(&people.new, |new| new.player.id.uuid()))
        .bind(column(&people.new, |new| new.player.name.as_str()))
        .bind(column(&people.new, |new| new.token.as_bytes()))
        .bind(column(&people.new, |new| new.token.session().uuid()))
        .bind(column(&people.new, |new| new.now_ms))
        .bind(column(&people.new, |new| new.player.name.folded()))
        .execute(&mut *tx)
        .await?;
    }
    if !people.names.is_empty() {
        sqlx::query(
            "update player set name = new.name, folded = new.folded
             from unnest($1::uuid[], $2::text[], $3::text[]) as new (id, name, folded)
             where player.id = new.id",
        )
        .bind(people.names.keys().map(|player| player.uuid()).collect::<Vec<_>>())
        .bind(people.names.values().map(|name| name.as_str()).collect::<Vec<_>>())
        .bind(people.names.values().map(|name| name.folded()).collect::<Vec<_>>())
        .execute(&mut *tx)
        .await?;
    }
    if !people.seen.is_empty() {
        sqlx::query(
            "update player set seen_ms = new.seen_ms from unnest($1::uuid[], $2::bigint[]) as new (id, seen_ms)
             where player.id = new.id and player.seen_ms < new.seen_ms",
        )
        .bind(people.seen.keys().map(|player| player.uuid()).collect::<Vec<_>>())
        .bind(people.seen.values().copied().collect::<Vec<_>>())
        .execute(&mut *tx)
        .await?;
    }
    if !people.unblocks.is_empty() {
        sqlx::query(
            "delete from block where (player, blocked) in (select * from unnest($1::uuid[], $2::uuid[]))",
        )
        .bind(people.unblocks.iter().map(|(player, _)| player.uuid()).collect::<Vec<_>>())
        .bind(people.unblocks.iter().map(|(_, blocked)| blocked.uuid()).collect::<Vec<_>>())
        .execute(&mut *tx)
        .await?;
    }
    if !people.blocks.is_empty() {
        sqlx::query(
            "insert into block (player, blocked, since_ms)
             select * from unnest($1::uuid[], $2::uuid[], $3::bigint[])",
        )
        .bind(people.blocks.keys().map(|(player, _)| player.uuid()).collect::<Vec<_>>())
        .bind(people.blocks.keys().map(|(_, blocked)| blocked.uuid()).collect::<Vec<_>>())
        .bind(people.blocks.values().copied().collect::<Vec<_>>())
        .execute(tx)
        .await?;
    }
    Ok(())
}

/// Collects one column of the rows, to be bound to `unnest`.
fn column<'r, R, T>(rows: &'r [R], value: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}
