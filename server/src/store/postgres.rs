use std::{fmt, str::FromStr, time::Duration};

use async_trait::async_trait;
use sqlx::{
    PgConnection, PgPool, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use uuid::Uuid;

use super::{
    Conflict, Cursor, DraftRow, List, Log, Page, Paging, Store, StoreError, TokenHash, Write,
    error::within,
    plan::{self, Plan, Standing},
    row::{self, EventRow, GameRow, PlayerRow, SavedDraft},
};
use crate::{
    ids::{GameId, PlayerId, PlayerName},
    protocol::{GameSummary, Player},
};

/// Connections of a node: one commits, the others read. PostgreSQL takes 100 unless told otherwise, and many
/// nodes share it.
const CONNECTIONS: u32 = 8;

/// How long a call waits for a connection. While PostgreSQL restarts it refuses them, and they are tried again.
const CONNECT_WAIT: Duration = Duration::from_secs(5);

/// A database of PostgreSQL, for any number of nodes.
pub(super) struct Postgres {
    pool: PgPool,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

impl Postgres {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let options =
            PgConnectOptions::from_str(url).map_err(|_| StoreError::Url)?.application_name("towers");
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(CONNECT_WAIT);
        let pool = within("connect to PostgreSQL", pool.connect_with(options)).await?;
        migrator().run(&pool).await?;
        Ok(Self { pool })
    }
}

fn migrator() -> Migrator {
    let games = include_str!("../../../migrations/postgres/0001_games.sql");
    let live_play = include_str!("../../../migrations/postgres/0002_live_play.sql");
    let migration = |version, name: &'static str, sql: &'static str| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(vec![migration(1, "games", games), migration(2, "live play", live_play)])
}

/// The columns of `game`.
macro_rules! game_columns {
    () => {
        "id, ruleset, status, visibility, creator, creator_name, seat, clock, watching, custom_start, \
         first_player, first_name, second_player, second_name, version, turn, to_move, winner, reason, \
         created_ms, updated_ms, deadline_ms"
    };
}

#[async_trait]
impl Store for Postgres {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        within("commit to games", async {
            let mut tx = self.pool.begin().await?;
            let plan = Plan::of(writes, standing(&mut tx, writes).await?);
            save_games(&mut tx, &plan).await?;
            save_events(&mut tx, &plan).await?;
            remove_drafts(&mut tx, &plan).await?;
            save_drafts(&mut tx, &plan).await?;
            tx.commit().await?;
            Ok(plan.results)
        })
        .await
    }

    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        within("read the log of a game", async {
            // One snapshot for both statements.
            let mut tx = self.pool.begin_with("begin isolation level repeatable read read only").await?;
            let events: Vec<EventRow> = sqlx::query_as(
                "select version, at_ms, command, body from event where game = $1 order by version",
            )
            .bind(game.uuid())
            .fetch_all(&mut *tx)
            .await?;
            let draft: Option<SavedDraft> = sqlx::query_as("select version, body from draft where game = $1")
                .bind(game.uuid())
                .fetch_optional(&mut *tx)
                .await?;
            tx.commit().await?;
            row::log(game, events, draft)
        })
        .await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameSummary>, StoreError> {
        within("read a game", async {
            let row: Option<GameRow> =
                sqlx::query_as(concat!("select ", game_columns!(), " from game where id = $1"))
                    .bind(game.uuid())
                    .fetch_optional(&self.pool)
                    .await?;
            row.map(GameSummary::try_from).transpose()
        })
        .await
    }

    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError> {
        within("read a list of games", async {
            let before = paging.before.unwrap_or(Cursor::START);
            let query = match list {
                List::OpenRooms => sqlx::query_as(OPEN_ROOMS),
                List::LiveGames => sqlx::query_as(LIVE_GAMES),
                List::FinishedGames => sqlx::query_as(FINISHED_GAMES),
                List::GamesOf(_) => sqlx::query_as(GAMES_OF),
            };
            let query = query.bind(before.at_ms).bind(before.game.uuid()).bind(i64::from(paging.limit) + 1);
            let query = match list {
                List::OpenRooms | List::LiveGames | List::FinishedGames => query,
                List::GamesOf(player) => query.bind(player.uuid()),
            };
            let rows: Vec<GameRow> = query.fetch_all(&self.pool).await?;
            Ok(Page::of(list, row::all(rows)?, paging.limit))
        })
        .await
    }

    async fn count_open_rooms(&self, creator: PlayerId) -> Result<u32, StoreError> {
        within("count the open rooms of a player", async {
            let count: i64 =
                sqlx::query_scalar("select count(*) from game where creator = $1 and status = 'open'")
                    .bind(creator.uuid())
                    .fetch_one(&self.pool)
                    .await?;
            u32::try_from(count).map_err(row::invalid)
        })
        .await
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError> {
        within("create a player", async {
            let mut tx = self.pool.begin().await?;
            sqlx::query("insert into player (id, name, created_ms) values ($1, $2, $3)")
                .bind(player.id.uuid())
                .bind(player.name.as_str())
                .bind(now_ms)
                .execute(&mut *tx)
                .await?;
            sqlx::query("insert into session (token_hash, player, created_ms) values ($1, $2, $3)")
                .bind(token.as_bytes())
                .bind(player.id.uuid())
                .bind(now_ms)
                .execute(&mut *tx)
                .await?;
            tx.commit().await
        })
        .await
    }

    async fn player_by_token(&self, token: &TokenHash) -> Result<Option<Player>, StoreError> {
        within("read a session", async {
            let row: Option<PlayerRow> = sqlx::query_as(
                "select player.id, player.name from session
                 join player on player.id = session.player
                 where session.token_hash = $1",
            )
            .bind(token.as_bytes())
            .fetch_optional(&self.pool)
            .await?;
            row.map(Player::try_from).transpose()
        })
        .await
    }

    async fn rename(&self, player: PlayerId, name: &PlayerName) -> Result<Option<Player>, StoreError> {
        within("rename a player", async {
            let row: Option<PlayerRow> =
                sqlx::query_as("update player set name = $2 where id = $1 returning id, name")
                    .bind(player.uuid())
                    .bind(name.as_str())
                    .fetch_optional(&self.pool)
                    .await?;
            row.map(Player::try_from).transpose()
        })
        .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        within("reach the database", async { sqlx::query("select 1").execute(&self.pool).await.map(drop) })
            .await
    }
}

const OPEN_ROOMS: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where status = 'open' and visibility = 'public' and (created_ms, id) < ($1, $2)
     order by created_ms desc, id desc
     limit $3"
);

const LIVE_GAMES: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where status = 'playing' and visibility = 'public' and watching = 'everybody' and (created_ms, id) < ($1, $2)
     order by created_ms desc, id desc
     limit $3"
);

const FINISHED_GAMES: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where status = 'finished' and visibility = 'public' and watching = 'everybody' and (updated_ms, id) < ($1, $2)
     order by updated_ms desc, id desc
     limit $3"
);

// Each of the three ways to be in a game has its own index, so each is asked for by itself.
const GAMES_OF: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where id in (
        select id from (
            select id from game
            where creator = $4 and status = 'open' and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as made
        union
        select id from (
            select id from game
            where first_player = $4 and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as as_first
        union
        select id from (
            select id from game
            where second_player = $4 and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as as_second
     )
     order by created_ms desc, id desc
     limit $3"
);

/// How the games of the writes stand. Their rows are locked, so this holds until the end of the transaction.
async fn standing(tx: &mut PgConnection, writes: &[Write]) -> Result<Standing, sqlx::Error> {
    let games: Vec<_> = plan::games_of(writes).into_iter().map(GameId::uuid).collect();
    let games: Vec<(Uuid, i64, i64)> = sqlx::query_as(
        "select id, version, turn_version from game where id = any($1) order by id for no key update",
    )
    .bind(games)
    .fetch_all(&mut *tx)
    .await?;
    let (command_games, commands): (Vec<_>, Vec<_>) = plan::commands_of(writes)
        .into_iter()
        .map(|(game, command)| (game.uuid(), command.to_string()))
        .unzip();
    let used: Vec<(Uuid, String)> = sqlx::query_as(
        "select event.game, event.command from unnest($1::uuid[], $2::text[]) as sent (game, command)
         join event on event.game = sent.game and event.command = sent.command",
    )
    .bind(command_games)
    .bind(commands)
    .fetch_all(tx)
    .await?;
    Standing::of(games, used)
}

async fn save_games(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    if plan.games.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = plan.games.values().map(|game| GameRow::from(game.summary)).collect();
    let turn_versions: Vec<_> = plan.games.values().map(|game| i64::from(game.turn_version.get())).collect();
    sqlx::query(concat!(
        "insert into game (",
        game_columns!(),
        ", first_folded, second_folded, turn_version)
         select ",
        game_columns!(),
        ", first_folded, second_folded, turn_version
         from unnest(
            $1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[],
            $9::text[], $10::boolean[], $11::uuid[], $12::text[], $13::uuid[], $14::text[], $15::bigint[],
            $16::integer[], $17::text[], $18::text[], $19::text[], $20::bigint[], $21::bigint[], $22::bigint[],
            $23::text[], $24::text[], $25::bigint[]
         ) as new (",
        game_columns!(),
        ", first_folded, second_folded, turn_version)
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
    .bind(column(&rows, |row| row.id))
    .bind(column(&rows, |row| &*row.ruleset))
    .bind(column(&rows, |row| &*row.status))
    .bind(column(&rows, |row| &*row.visibility))
    .bind(column(&rows, |row| row.creator))
    .bind(column(&rows, |row| &*row.creator_name))
    .bind(column(&rows, |row| &*row.seat))
    .bind(column(&rows, |row| &*row.clock))
    .bind(column(&rows, |row| &*row.watching))
    .bind(column(&rows, |row| row.custom_start))
    .bind(column(&rows, |row| row.first_player))
    .bind(column(&rows, |row| row.first_name.as_deref()))
    .bind(column(&rows, |row| row.second_player))
    .bind(column(&rows, |row| row.second_name.as_deref()))
    .bind(column(&rows, |row| row.version))
    .bind(column(&rows, |row| row.turn))
    .bind(column(&rows, |row| &*row.to_move))
    .bind(column(&rows, |row| row.winner.as_deref()))
    .bind(column(&rows, |row| row.reason.as_deref()))
    .bind(column(&rows, |row| row.created_ms))
    .bind(column(&rows, |row| row.updated_ms))
    .bind(column(&rows, |row| row.deadline_ms))
    .bind(column(&rows, GameRow::first_folded))
    .bind(column(&rows, GameRow::second_folded))
    .bind(turn_versions)
    .execute(tx)
    .await
    .map(drop)
}

async fn save_events(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    if plan.events.is_empty() {
        return Ok(());
    }
    let rows = &plan.events;
    sqlx::query(
        "insert into event (game, version, at_ms, command, body)
         select game, version, at_ms, command, body
         from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
            as new (game, version, at_ms, command, body)",
    )
    .bind(column(rows, |(game, _)| game.uuid()))
    .bind(column(rows, |(_, event)| i64::from(event.version.get())))
    .bind(column(rows, |(_, event)| event.at_ms))
    .bind(column(rows, |(_, event)| event.command.as_ref().map(|command| command.as_str())))
    .bind(column(rows, |(_, event)| event.body.as_str()))
    .execute(tx)
    .await
    .map(drop)
}

async fn remove_drafts(tx: &mut PgConnection, plan: &Plan<'_>) -> Result<(), sqlx::Error> {
    let games: Vec<_> = plan.draftless_games().into_iter().map(GameId::uuid).collect();
    if games.is_empty() {
        return Ok(());
    }
    sqlx::query("delete from draft where game = any($1)").bind(games).execute(tx).await.map(drop)
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

/// One column of rows, for `unnest` to put together again.
fn column<'r, R, T>(rows: &'r [R], value: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}
