//! The transaction of a group commit. Each statement costs a round trip to SQLite's thread, which is more than the cost
//! of a row, so frequent kinds of rows share statements.

use game::ids::{GameId, PlayerId};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, query_builder::Separated};
use uuid::Uuid;

use crate::{
    Audience, CHAT_LINES, ChatRow, DraftRow, Write,
    people::{Asked, NewPlayer, Pair, People, PeoplePlan},
    plan::{self, HeadColumns, Heads, Plan, Planned, StoredState},
    row::{GameColumns, MoveRow},
    sql::{
        commit::CommitSteps,
        seeks::with_opponents,
        text::{game_columns, update_game},
    },
};

/// Maximum number of rows in one statement, a power of two.
pub(crate) const ROWS: usize = 128;

/// Splits rows into one batch for each statement. Batch sizes are powers of two, so a few prepared statements serve commits
/// of any size.
fn batches<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let n_rows = 1 << rows.len().min(ROWS).checked_ilog2()?;
        let (batch, rest) = rows.split_at(n_rows);
        rows = rest;
        Some(batch)
    })
}

impl CommitSteps for SqliteConnection {
    /// Reads the state without locks: the transaction is the only writer, so the state stays valid until its end.
    async fn stored_state(&mut self, writes: &[Write], known: Heads) -> Result<StoredState, sqlx::Error> {
        let (mut heads, mut games) = (known, plan::games_of(writes));
        games.retain(|game| !heads.contains_key(game));
        for ids in batches(&games) {
            let mut query = QueryBuilder::new(
                "select id, version, updated_ms, turn_version, second_player is not null,
                    exists (select 1 from draft where game = game.id), check_ms
                 from game where id in (",
            );
            push_ids(query.separated(", "), ids.iter().map(|game| game.uuid()));
            let found: Vec<HeadColumns> = query.build_query_as().fetch_all(&mut *self).await?;
            for columns in found {
                let (game, head) = plan::head(columns)?;
                heads.insert(game, head);
            }
        }
        Ok(StoredState::new(heads, people(self, &Asked::of(writes)).await?))
    }

    async fn save_rows(&mut self, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
        for game in plan.rows.values() {
            save_game(self, *game).await?;
        }
        save_moves(self, plan).await?;
        save_earlier_checks(self, plan).await?;
        save_events(self, plan).await?;
        remove_drafts(self, &plan.draftless_games()).await?;
        for draft in plan.saved_drafts() {
            save_draft(self, draft).await?;
        }
        for row in &plan.lines {
            save_line(self, row).await?;
        }
        for (game, audience) in plan.chats() {
            trim_chat(self, game, audience).await?;
        }
        save_people(self, &plan.people).await
    }
}

async fn people(tx: &mut SqliteConnection, asked: &Asked) -> Result<People, sqlx::Error> {
    if asked.is_nothing() {
        return Ok(People::default());
    }
    let people = asked_people(tx, asked).await?;
    with_opponents(tx, people, asked).await
}

async fn asked_people(tx: &mut SqliteConnection, asked: &Asked) -> Result<People, sqlx::Error> {
    let mut query = QueryBuilder::new("select id from player where id in (");
    push_ids(query.separated(", "), asked.players.iter().copied());
    let known: Vec<Uuid> = query.build_query_scalar().persistent(false).fetch_all(&mut *tx).await?;
    let mut rooms = Vec::new();
    if !asked.makers.is_empty() {
        let mut query = QueryBuilder::new(
            "select creator, count(*) from game where status = 'open' and challenged is null and creator in (",
        );
        push_ids(query.separated(", "), asked.makers.iter().copied());
        query.push(" group by creator");
        rooms = query.build_query_as().persistent(false).fetch_all(&mut *tx).await?;
    }
    if asked.pairs.is_empty() {
        return Ok(People::of(known, Vec::new(), Vec::new(), rooms));
    }
    let mut query = QueryBuilder::new("select player, count(*) from block where player in (");
    push_ids(query.separated(", "), asked.blockers.iter().copied());
    query.push(" group by player");
    let counts: Vec<(Uuid, i64)> = query.build_query_as().persistent(false).fetch_all(&mut *tx).await?;
    let mut query = QueryBuilder::new("select block.player, block.blocked from (");
    query.push_values(&asked.pairs, |mut values, (player, blocked)| {
        values.push_bind(*player).push_bind(*blocked);
    });
    query.push(
        ") as asked cross join block on block.player = asked.column1 and block.blocked = asked.column2",
    );
    let blocks = query.build_query_as().persistent(false).fetch_all(tx).await?;
    Ok(People::of(known, counts, blocks, rooms))
}

async fn save_game(tx: &mut SqliteConnection, game: Planned<'_>) -> Result<(), sqlx::Error> {
    let row = GameColumns::from(game.summary);
    let query = sqlx::query(concat!(
        "insert into game (",
        game_columns!(),
        ", turn_version, check_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21, $22, $23, $24, $21)",
        update_game!()
    ));
    row.bind(query).bind(i64::from(game.turn_version.get())).execute(tx).await.map(drop)
}

async fn save_moves(tx: &mut SqliteConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = plan.moves.values().map(MoveRow::from).collect();
    for rows in batches(&rows) {
        moves_update(rows).build().execute(&mut *tx).await?;
    }
    Ok(())
}

/// Returns the statement that updates rows of games. It looks each row up by its key: as a join with the values, SQLite
/// scans a large table for each of several values.
pub(crate) fn moves_update(rows: &[MoveRow]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(
        "with new (id, version, turn, to_move, updated_ms, deadline_ms, turn_version, position, offers) as materialized (",
    );
    query.push_values(rows, |mut values, row| {
        values.push_bind(row.id).push_bind(row.version).push_bind(row.turn).push_bind(row.to_move);
        values.push_bind(row.updated_ms).push_bind(row.deadline_ms).push_bind(row.turn_version);
        values.push_bind(row.position.clone()).push_bind(row.offers.clone());
    });
    query.push(
        ") update game set (version, turn, to_move, updated_ms, deadline_ms, turn_version, position, offers) =
            (select version, turn, to_move, updated_ms, deadline_ms, turn_version, position, offers from new
             where new.id = game.id)
         where id in (select id from new)",
    );
    query
}

async fn save_earlier_checks(tx: &mut SqliteConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    for (game, check_ms) in &plan.earlier_checks {
        sqlx::query("update game set check_ms = $2 where id = $1")
            .bind(game.uuid())
            .bind(check_ms)
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

async fn save_events(tx: &mut SqliteConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    for events in batches(&plan.events) {
        let mut query = QueryBuilder::new("insert into event (game, version, at_ms, command, body) ");
        query.push_values(events, |mut values, (game, event)| {
            let command = event.command.as_ref().map(|command| command.as_str());
            values.push_bind(game.uuid()).push_bind(i64::from(event.version.get())).push_bind(event.at_ms);
            values.push_bind(command).push_bind(&event.body);
        });
        query.build().execute(&mut *tx).await?;
    }
    Ok(())
}

async fn remove_drafts(tx: &mut SqliteConnection, games: &[GameId]) -> Result<(), sqlx::Error> {
    for ids in batches(games) {
        let mut query = QueryBuilder::new("delete from draft where game in (");
        push_ids(query.separated(", "), ids.iter().map(|game| game.uuid()));
        query.build().execute(&mut *tx).await?;
    }
    Ok(())
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

/// Inserts a chat line, unless its game has been deleted.
async fn save_line(tx: &mut SqliteConnection, row: &ChatRow) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into chat (id, game, audience, at_ms, turn, player, body, command)
         select $1, $2, $3, $4, $5, $6, $7, $8 where exists (select 1 from game where id = $2)
         on conflict do nothing",
    )
    .bind(row.line.id.uuid())
    .bind(row.game.uuid())
    .bind(row.audience.word())
    .bind(row.line.at_ms)
    .bind(row.line.turn)
    .bind(row.line.who.uuid())
    .bind(row.line.text.as_str())
    .bind(row.command.as_str())
    .execute(tx)
    .await
    .map(drop)
}

/// Deletes the lines of a chat beyond those that are kept.
async fn trim_chat(tx: &mut SqliteConnection, game: GameId, audience: Audience) -> Result<(), sqlx::Error> {
    sqlx::query(
        "delete from chat where game = $1 and audience = $2 and id < (
            select id from chat where game = $1 and audience = $2 order by id desc limit 1 offset $3 - 1
         )",
    )
    .bind(game.uuid())
    .bind(audience.word())
    .bind(CHAT_LINES)
    .execute(tx)
    .await
    .map(drop)
}

/// Writes the changes of players and blocks. New players are bounded for each transaction, so one statement inserts
/// them all.
async fn save_people(tx: &mut SqliteConnection, people: &PeoplePlan<'_>) -> Result<(), sqlx::Error> {
    if !people.new.is_empty() {
        save_players(tx, &people.new).await?;
    }
    for (player, name) in &people.names {
        sqlx::query("update player set name = $2, folded = $3 where id = $1")
            .bind(player.uuid())
            .bind(name.as_str())
            .bind(name.folded())
            .execute(&mut *tx)
            .await?;
    }
    let seen: Vec<(PlayerId, i64)> =
        people.seen.iter().map(|(player, seen_ms)| (*player, *seen_ms)).collect();
    for seen in batches(&seen) {
        seen_update(seen).build().execute(&mut *tx).await?;
    }
    for (player, blocked) in &people.unblocks {
        sqlx::query("delete from block where player = $1 and blocked = $2")
            .bind(player.uuid())
            .bind(blocked.uuid())
            .execute(&mut *tx)
            .await?;
    }
    for (pair, since_ms) in &people.blocks {
        save_block(tx, *pair, *since_ms).await?;
    }
    Ok(())
}

/// Returns the statement that updates the times at which players were seen, by their keys as in [`moves_update`].
pub(crate) fn seen_update(seen: &[(PlayerId, i64)]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new("with new (id, seen_ms) as materialized (");
    query.push_values(seen, |mut values, (player, seen_ms)| {
        values.push_bind(player.uuid()).push_bind(*seen_ms);
    });
    query.push(
        ") update player set seen_ms =
            max(seen_ms, (select seen_ms from new where new.id = player.id))
         where id in (select id from new)",
    );
    query
}

async fn save_players(tx: &mut SqliteConnection, players: &[NewPlayer<'_>]) -> Result<(), sqlx::Error> {
    let mut query = QueryBuilder::new("insert into player (id, name, folded, created_ms, seen_ms) ");
    query.push_values(players, |mut values, new| {
        values.push_bind(new.player.id.uuid()).push_bind(new.player.name.as_str());
        values.push_bind(new.player.name.folded());
        values.push_bind(new.now_ms).push_bind(new.now_ms);
    });
    query.build().persistent(false).execute(&mut *tx).await?;
    let mut query = QueryBuilder::new("insert into session (token_hash, player, id, created_ms, used_ms) ");
    query.push_values(players, |mut values, new| {
        values.push_bind(new.token.as_bytes()).push_bind(new.player.id.uuid());
        values.push_bind(new.token.session().uuid());
        values.push_bind(new.now_ms).push_bind(new.now_ms);
    });
    query.build().persistent(false).execute(tx).await.map(drop)
}

async fn save_block(
    tx: &mut SqliteConnection,
    (player, blocked): Pair,
    since_ms: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("insert into block (player, blocked, since_ms) values ($1, $2, $3)")
        .bind(player.uuid())
        .bind(blocked.uuid())
        .bind(since_ms)
        .execute(tx)
        .await
        .map(drop)
}

/// Pushes the ids of a list and the closing parenthesis.
fn push_ids(mut list: Separated<'_, Sqlite, &str>, ids: impl Iterator<Item = Uuid>) {
    for id in ids {
        list.push_bind(id);
    }
    list.push_unseparated(")");
}
