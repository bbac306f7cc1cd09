mod commit;

use std::{fmt, str::FromStr, time::Duration};

use async_trait::async_trait;
use sqlx::{
    Connection, PgPool, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use uuid::Uuid;

use super::{
    Audience, ChatRow, List, Log, Outage, Page, Paging, Refused, Session, Store, StoreError, TokenHash,
    Write, Written,
    error::within,
    plan::Plan,
    row::{self, EventRow, FilterRow, GameRow, LineRow, OutageRow, PlayerRow, SavedDraft, SessionRow},
    sql::{self, game_columns},
};
use crate::{
    ids::{GameId, PlayerId, Version},
    protocol::{GameSummary, Player},
};

/// Connections of a node that read; one more commits. PostgreSQL takes 100 unless told otherwise, and many nodes share
/// it.
const READERS: u32 = 7;

/// How long a call waits for a connection. While PostgreSQL restarts it refuses them, and they are tried again.
const CONNECT_WAIT: Duration = Duration::from_secs(5);

/// A database of PostgreSQL, for any number of nodes.
pub(super) struct Postgres {
    /// The one connection that commits. Its input and output belong to the runtime that first commits, which is the
    /// writer's: nothing else may use it.
    writer: PgPool,
    readers: PgPool,
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
        let pool =
            |connections| PgPoolOptions::new().max_connections(connections).acquire_timeout(CONNECT_WAIT);
        let writer = pool(1).connect_lazy_with(options.clone());
        let readers = within("connect to PostgreSQL", pool(READERS).connect_with(options)).await?;
        migrator().run(&readers).await?;
        Ok(Self { writer, readers })
    }
}

fn migrator() -> Migrator {
    let games = include_str!("../../../../migrations/postgres/0001_games.sql");
    let live_play = include_str!("../../../../migrations/postgres/0002_live_play.sql");
    let nodes = include_str!("../../../../migrations/postgres/0003_nodes.sql");
    let lighter_turns = include_str!("../../../../migrations/postgres/0004_lighter_turns.sql");
    let sessions_end = include_str!("../../../../migrations/postgres/0007_sessions_end.sql");
    let migration = |version, name: &'static str, sql: &'static str| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(vec![
        migration(1, "games", games),
        migration(2, "live play", live_play),
        migration(3, "nodes", nodes),
        migration(4, "lighter turns", lighter_turns),
        migration(7, "sessions end", sessions_end),
    ])
}

#[async_trait]
impl Store for Postgres {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        let mut connection = within("reach PostgreSQL", self.writer.acquire()).await?;
        let committed = within("commit", async {
            let mut tx = connection.begin().await?;
            let mut plan = Plan::of(writes, commit::standing(&mut tx, writes).await?);
            commit::save(&mut tx, &plan).await?;
            for (place, pulse) in std::mem::take(&mut plan.pulses) {
                plan.results[place] = commit::pulse(&mut tx, pulse).await?;
            }
            tx.commit().await?;
            Ok(plan.results)
        })
        .await;
        if let Err(StoreError::TimedOut { .. }) = committed {
            // A connection that hangs, for a lock or since its other end is gone, is not to hang all that follows.
            drop(connection.detach());
        }
        committed
    }

    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        within("read the log of a game", async {
            // One snapshot for both statements.
            let mut tx = self.readers.begin_with("begin isolation level repeatable read read only").await?;
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
                    .fetch_optional(&self.readers)
                    .await?;
            row.map(GameSummary::try_from).transpose()
        })
        .await
    }

    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError> {
        within("go through all games", async {
            let games: Vec<Uuid> = sqlx::query_scalar(sql::GAMES_AFTER)
                .bind(after.map_or(Uuid::nil(), GameId::uuid))
                .bind(i64::from(limit))
                .fetch_all(&self.readers)
                .await?;
            Ok(games.into_iter().map(GameId::new).collect())
        })
        .await
    }

    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError> {
        within("read a list of games", async {
            let before = list.start(paging);
            let query = sqlx::query_as(sql::page(&list))
                .bind(before.at_ms)
                .bind(before.game.uuid())
                .bind(i64::from(paging.limit) + 1);
            let query = match &list {
                List::OpenRooms | List::LiveGames => query,
                List::GamesOf(player) | List::UnfinishedGamesOf(player) => query.bind(player.uuid()),
                List::FinishedGames(filter) => {
                    let filter = FilterRow::from(filter);
                    let query = query
                        .bind(filter.ruleset)
                        .bind(filter.result)
                        .bind(filter.reason)
                        .bind(filter.since_ms);
                    match filter.name {
                        Some(name) => query.bind(name),
                        None => query,
                    }
                }
            };
            let rows: Vec<GameRow> = query.fetch_all(&self.readers).await?;
            Ok(Page::of(&list, row::all(rows)?, paging.limit))
        })
        .await
    }

    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError> {
        within("read a chat", async {
            let rows: Vec<LineRow> = sqlx::query_as(
                "select id, at_ms, turn, player, name, body, command from chat
                 where game = $1 and audience = $2
                 order by id desc
                 limit $3",
            )
            .bind(game.uuid())
            .bind(audience.word())
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await?;
            rows.into_iter().rev().map(|row| row.chat_row(game, audience)).collect()
        })
        .await
    }

    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        within("look for games that are due", async {
            let games: Vec<Uuid> = sqlx::query_scalar(
                "select id from game
                 where status = 'playing' and deadline_ms <= $1
                 order by deadline_ms, id
                 limit $2",
            )
            .bind(now_ms)
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await?;
            Ok(games.into_iter().map(GameId::new).collect())
        })
        .await
    }

    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, Version)>, StoreError> {
        within("read how far games are", async {
            let games: Vec<_> = games.iter().map(|game| game.uuid()).collect();
            let rows: Vec<(Uuid, i64)> = sqlx::query_as("select id, version from game where id = any($1)")
                .bind(games)
                .fetch_all(&self.readers)
                .await?;
            rows.into_iter().map(|(game, version)| Ok((GameId::new(game), row::version(version)?))).collect()
        })
        .await
    }

    async fn count_open_rooms(&self, creator: PlayerId) -> Result<u32, StoreError> {
        within("count the open rooms of a player", async {
            let count: i64 =
                sqlx::query_scalar("select count(*) from game where creator = $1 and status = 'open'")
                    .bind(creator.uuid())
                    .fetch_one(&self.readers)
                    .await?;
            u32::try_from(count).map_err(row::invalid)
        })
        .await
    }

    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError> {
        within("read a session", async {
            let row: Option<SessionRow> = sqlx::query_as(sql::SESSION)
                .bind(token.as_bytes())
                .bind(unused_since_ms)
                .fetch_optional(&self.readers)
                .await?;
            row.map(Session::try_from).transpose()
        })
        .await
    }

    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError> {
        within("read whom a player has blocked", async {
            let rows: Vec<PlayerRow> = sqlx::query_as(
                "select player.id, player.name from block
                 join player on player.id = block.blocked
                 where block.player = $1
                 order by block.since_ms desc, player.id",
            )
            .bind(player.uuid())
            .fetch_all(&self.readers)
            .await?;
            row::all(rows)
        })
        .await
    }

    async fn is_blocked_between(&self, one: PlayerId, other: PlayerId) -> Result<bool, StoreError> {
        within("look for a block", async {
            sqlx::query_scalar(
                "select exists (
                    select 1 from block
                    where (player = $1 and blocked = $2) or (player = $2 and blocked = $1)
                 )",
            )
            .bind(one.uuid())
            .bind(other.uuid())
            .fetch_one(&self.readers)
            .await
        })
        .await
    }

    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        within("read the outages", async {
            let rows: Vec<OutageRow> =
                sqlx::query_as("select from_ms, to_ms from outage where to_ms > $1 order by from_ms")
                    .bind(ms)
                    .fetch_all(&self.readers)
                    .await?;
            Ok(rows.into_iter().map(Outage::from).collect())
        })
        .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        within("reach the database", async { sqlx::query("select 1").execute(&self.readers).await.map(drop) })
            .await
    }
}
