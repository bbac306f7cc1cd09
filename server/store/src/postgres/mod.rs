mod commit;
mod housekeeping;

use std::{fmt, str::FromStr, sync::LazyLock, time::Duration};

use async_trait::async_trait;
use game::{
    Player,
    ids::{GameId, PlayerId, Version},
};
use sqlx::{
    Connection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use uuid::Uuid;

use super::{
    Audience, ChatRow, Cursor, GameCounts, GameRow, Games, Head, List, LogPage, Nodes, Outage, Page, Paging,
    Players, Refused, Session, Store, StoreError, TokenHash, Write, Written,
    error::within,
    page::{Statement, bound},
    plan::Plan,
    row::{self, EventRow, GameColumns, HeadRow, LineRow, OutageRow, PlayerRow, SavedDraft, SessionRow},
    sql::{self, game_columns, select_heads},
    tables::{self, migrator},
    writes::Writes,
};

static MIGRATIONS: LazyLock<Migrator> =
    LazyLock::new(|| migrator(include!(concat!(env!("OUT_DIR"), "/postgres.rs"))));

/// Connections of a node that read what play needs; one more commits. Many nodes share the 100 connections that
/// PostgreSQL allows by default.
const READERS: u32 = 5;

/// Connections of a node that read the lists in which people browse games. They are separate from those that play
/// needs, so slow lists cannot block sessions, sockets or games.
const LIST_READERS: u32 = 2;

/// Settings of the connections that read. Each statement has an index that it reads in order; stale or missing
/// statistics, as after an import, must not make the planner scan the whole table.
pub(super) const BY_INDEX: [(&str, &str); 2] = [("enable_seqscan", "off"), ("enable_bitmapscan", "off")];

/// Further settings of the connections that read lists. A page takes milliseconds; one that takes seconds is a fault
/// and is cancelled. A custom plan knows which filters are null. JIT compilation takes longer than the query itself.
pub(super) const FOR_LISTS: [(&str, &str); 3] =
    [("statement_timeout", "2s"), ("plan_cache_mode", "force_custom_plan"), ("jit", "off")];

/// Time for which a call waits for a connection. The pool retries connections that PostgreSQL refuses while it
/// restarts.
const CONNECT_WAIT: Duration = Duration::from_secs(5);

/// A PostgreSQL database, for any number of nodes.
pub(super) struct Postgres {
    /// The one connection that commits. Its I/O belongs to the runtime that first commits, which is the writer's:
    /// nothing else may use it.
    writer: PgPool,
    readers: PgPool,
    writes: Writes,
    list_readers: PgPool,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

impl Postgres {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let writer = pool(1).connect_lazy_with(options.clone());
        let migrating = within("connect to PostgreSQL", pool(1).connect_with(options.clone())).await?;
        MIGRATIONS.run(&migrating).await?;
        migrating.close().await;
        let options = options.options(BY_INDEX);
        let readers = pool(READERS).connect_lazy_with(options.clone());
        let list_readers = pool(LIST_READERS).connect_lazy_with(options.options(FOR_LISTS));
        Ok(Self { writer, readers, list_readers, writes: Writes::default() })
    }

    /// Opens a database whose tables are up to date, and never writes to it.
    pub(super) async fn open_to_read(url: &str) -> Result<Self, StoreError> {
        let options = options(url)?;
        let reading = |connections| {
            pool(connections).after_connect(|connection, _| {
                Box::pin(async move {
                    let read_only = "set session characteristics as transaction read only";
                    sqlx::query(read_only).execute(connection).await.map(drop)
                })
            })
        };
        let writer = reading(1).connect_lazy_with(options.clone());
        let readers = within("connect to PostgreSQL", reading(READERS).connect_with(options.clone())).await?;
        let list_readers = reading(LIST_READERS).connect_lazy_with(options);
        let store = Self { writer, readers, list_readers, writes: Writes::default() };
        tables::are_current(store.applied().await?.as_deref(), &MIGRATIONS)?;
        Ok(store)
    }

    /// Returns the versions of the applied migrations, `None` if the database has no table of migrations.
    async fn applied(&self) -> Result<Option<Vec<i64>>, StoreError> {
        within("see which tables the database has", async {
            let is_noted: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null")
                .fetch_one(&self.readers)
                .await?;
            if !is_noted {
                return Ok(None);
            }
            let applied = sqlx::query_scalar("select version from _sqlx_migrations where success");
            applied.fetch_all(&self.readers).await.map(Some)
        })
        .await
    }
}

/// Connection options of a database URL.
fn options(url: &str) -> Result<PgConnectOptions, StoreError> {
    Ok(PgConnectOptions::from_str(url).map_err(|_| StoreError::Url)?.application_name("towers"))
}

fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(connections).acquire_timeout(CONNECT_WAIT)
}

#[async_trait]
impl Store for Postgres {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        let reached = within("reach PostgreSQL", self.writer.acquire()).await;
        self.writes.record(&reached);
        let mut connection = reached?;
        let committed = within("commit", async {
            let mut tx = connection.begin().await?;
            let mut plan = Plan::of(writes, commit::stored_state(&mut tx, writes).await?);
            commit::save(&mut tx, &plan).await?;
            for (place, clearing) in std::mem::take(&mut plan.clearings) {
                let cleared = housekeeping::clear(&mut tx, clearing).await?;
                plan.results[place] = Ok(Written::Cleared(cleared));
            }
            for (place, pulse) in std::mem::take(&mut plan.pulses) {
                plan.results[place] = commit::pulse(&mut tx, pulse).await?;
            }
            tx.commit().await?;
            Ok(plan.results)
        })
        .await;
        if let Err(StoreError::TimedOut { .. }) = committed {
            // A connection that hangs, on a lock or a dead peer, must not block the commits that follow.
            drop(connection.detach());
        }
        self.writes.record(&committed);
        committed
    }
}

#[async_trait]
impl Games for Postgres {
    async fn log_page(
        &self,
        game: GameId,
        after: Version,
        limit: u32,
    ) -> Result<Option<LogPage>, StoreError> {
        within("read the log of a game", async {
            // Both statements read the same snapshot.
            let mut tx = self.readers.begin_with("begin isolation level repeatable read read only").await?;
            let events: Vec<EventRow> = sqlx::query_as(
                "select version, at_ms, command, body from event
                 where game = $1 and version > $2 order by version limit $3",
            )
            .bind(game.uuid())
            .bind(i64::from(after.get()))
            .bind(i64::from(limit))
            .fetch_all(&mut *tx)
            .await?;
            let draft: Option<SavedDraft> = sqlx::query_as("select version, body from draft where game = $1")
                .bind(game.uuid())
                .fetch_optional(&mut *tx)
                .await?;
            tx.commit().await?;
            row::log_page(game, after, limit, events, draft)
        })
        .await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        within("read a game", async {
            let row: Option<GameColumns> =
                sqlx::query_as(concat!("select ", game_columns!(), " from game where id = $1"))
                    .bind(game.uuid())
                    .fetch_optional(&self.readers)
                    .await?;
            row.map(GameRow::try_from).transpose()
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
            let readers = if list.is_browsed() { &self.list_readers } else { &self.readers };
            let mut last = None;
            if let Some(Statement { sql, values }) = list.last_looked_at(paging) {
                let row: Option<(i64, Uuid)> =
                    bound!(sqlx::query_as(sql), values).fetch_optional(readers).await?;
                last = row.map(|(at_ms, game)| Cursor { at_ms, game: GameId::new(game) });
            }
            let Statement { sql, values } = list.page(paging, last);
            let rows: Vec<GameColumns> = bound!(sqlx::query_as(sql), values).fetch_all(readers).await?;
            Ok(Page::of(&list, row::all(rows)?, paging.limit, last))
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

    async fn heads(&self, games: &[GameId], lines: u32) -> Result<Vec<Head>, StoreError> {
        within("compare games", async {
            let games: Vec<_> = games.iter().map(|game| game.uuid()).collect();
            let rows: Vec<HeadRow> = sqlx::query_as(concat!(select_heads!(), " where game.id = any($1)"))
                .bind(games)
                .bind(i64::from(lines))
                .fetch_all(&self.readers)
                .await?;
            row::all(rows)
        })
        .await
    }

    async fn rows(&self, games: &[GameId]) -> Result<Vec<GameRow>, StoreError> {
        within("read the rows of games", async {
            let games: Vec<_> = games.iter().map(|game| game.uuid()).collect();
            let rows: Vec<GameColumns> =
                sqlx::query_as(concat!("select ", game_columns!(), " from game where id = any($1)"))
                    .bind(games)
                    .fetch_all(&self.readers)
                    .await?;
            row::all(rows)
        })
        .await
    }

    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError> {
        within("count the games of a player", async {
            let counts: (i64, i64, i64) =
                sqlx::query_as(sql::COUNT_GAMES).bind(player.uuid()).fetch_one(&self.readers).await?;
            GameCounts::try_from(counts)
        })
        .await
    }

    async fn unplayed_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        within(
            "look for games that nobody played",
            housekeeping::unplayed_games(&self.readers, before_ms, limit),
        )
        .await
    }
}

#[async_trait]
impl Players for Postgres {
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

    async fn blocked_among(
        &self,
        player: PlayerId,
        others: &[PlayerId],
    ) -> Result<Vec<PlayerId>, StoreError> {
        within("look for blocks", async {
            let others: Vec<_> = others.iter().map(|other| other.uuid()).collect();
            let blocked: Vec<Uuid> = sqlx::query_scalar(
                "select blocked from block where player = $1 and blocked = any($2)
                 union
                 select player from block where blocked = $1 and player = any($2)",
            )
            .bind(player.uuid())
            .bind(others)
            .fetch_all(&self.readers)
            .await?;
            Ok(blocked.into_iter().map(PlayerId::new).collect())
        })
        .await
    }
}

#[async_trait]
impl Nodes for Postgres {
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
        self.writes.check()?;
        within("reach the database", async { sqlx::query("select 1").execute(&self.readers).await.map(drop) })
            .await
    }

    async fn close(&self) {
        // The writer's connection belongs to the writer's runtime and ends with it.
        self.readers.close().await;
        self.list_readers.close().await;
    }
}
