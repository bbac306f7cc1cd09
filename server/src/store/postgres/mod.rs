mod commit;
mod housekeeping;

use std::{fmt, str::FromStr, time::Duration};

use async_trait::async_trait;
use sqlx::{
    Connection, PgPool, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use uuid::Uuid;

use super::{
    Audience, CannotBlock, ChatRow, Conflict, GameCounts, List, Log, Outage, Page, Paging, Store, StoreError,
    Swept, TokenHash, Write, block,
    error::within,
    plan::Plan,
    row::{self, EventRow, FilterRow, GameRow, LineRow, OutageRow, PlayerRow, SavedDraft},
    sql::{self, game_columns},
};
use crate::{
    ids::{GameId, NodeId, PlayerId, PlayerName, Version},
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
    let bounded_games = include_str!("../../../../migrations/postgres/0006_bounded_games.sql");
    let migration = |version, name: &'static str, sql: &'static str| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(vec![
        migration(1, "games", games),
        migration(2, "live play", live_play),
        migration(3, "nodes", nodes),
        migration(4, "lighter turns", lighter_turns),
        migration(6, "bounded games", bounded_games),
    ])
}

#[async_trait]
impl Store for Postgres {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        let mut connection = within("reach PostgreSQL", self.writer.acquire()).await?;
        let committed = within("commit to games", async {
            let mut tx = connection.begin().await?;
            let plan = Plan::of(writes, commit::standing(&mut tx, writes).await?);
            commit::save(&mut tx, &plan).await?;
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

    async fn may_sweep(&self, node: NodeId, now_ms: i64, until_ms: i64) -> Result<bool, StoreError> {
        within("see which node sweeps", async {
            let taken = sqlx::query(sql::TAKE_SWEEP)
                .bind(node.uuid())
                .bind(now_ms)
                .bind(until_ms)
                .execute(&self.readers)
                .await?;
            Ok(taken.rows_affected() == 1)
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

    async fn clear_games(&self, deleted: &[GameId], spared: &[GameId]) -> Result<(), StoreError> {
        within("delete games that nobody played", housekeeping::clear_games(&self.readers, deleted, spared))
            .await
    }

    async fn note_seen(&self, players: &[PlayerId], now_ms: i64) -> Result<(), StoreError> {
        within("note who was here", housekeeping::note_seen(&self.readers, players, now_ms)).await
    }

    async fn clear_guests(&self, before_ms: i64, limit: u32) -> Result<Swept, StoreError> {
        within("delete guests without games", housekeeping::clear_guests(&self.readers, before_ms, limit))
            .await
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError> {
        within("create a player", async {
            let mut tx = self.readers.begin().await?;
            sqlx::query("insert into player (id, name, created_ms, seen_ms) values ($1, $2, $3, $3)")
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
            .fetch_optional(&self.readers)
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
                    .fetch_optional(&self.readers)
                    .await?;
            row.map(Player::try_from).transpose()
        })
        .await
    }

    async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        now_ms: i64,
    ) -> Result<Result<(), CannotBlock>, StoreError> {
        within("block a player", async {
            let mut tx = self.readers.begin().await?;
            // The rows are locked, so that two nodes do not count at the same time.
            let known: Vec<Uuid> = sqlx::query_scalar(
                "select id from player where id in ($1, $2) order by id for no key update",
            )
            .bind(player.uuid())
            .bind(blocked.uuid())
            .fetch_all(&mut *tx)
            .await?;
            let others: i64 =
                sqlx::query_scalar("select count(*) from block where player = $1 and blocked <> $2")
                    .bind(player.uuid())
                    .bind(blocked.uuid())
                    .fetch_one(&mut *tx)
                    .await?;
            if let Err(why) = block::check(player, blocked, &known, others) {
                return Ok(Err(why));
            }
            sqlx::query(
                "insert into block (player, blocked, since_ms) values ($1, $2, $3)
                 on conflict (player, blocked) do nothing",
            )
            .bind(player.uuid())
            .bind(blocked.uuid())
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
            Ok(Ok(()))
        })
        .await
    }

    async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError> {
        within("unblock a player", async {
            sqlx::query("delete from block where player = $1 and blocked = $2")
                .bind(player.uuid())
                .bind(blocked.uuid())
                .execute(&self.readers)
                .await
                .map(drop)
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

    async fn beat(&self, now_ms: i64, gap_ms: i64) -> Result<Option<Outage>, StoreError> {
        within("note that the server is up", async {
            let mut tx = self.readers.begin().await?;
            sqlx::query("insert into heartbeat (id, at_ms) values (1, $1) on conflict (id) do nothing")
                .bind(now_ms)
                .execute(&mut *tx)
                .await?;
            let before_ms: i64 =
                sqlx::query_scalar("select at_ms from heartbeat where id = 1 for no key update")
                    .fetch_one(&mut *tx)
                    .await?;
            let outage = Outage::between(before_ms, now_ms, gap_ms);
            if let Some(Outage { from_ms, to_ms }) = outage {
                sqlx::query("insert into outage (from_ms, to_ms) values ($1, $2)")
                    .bind(from_ms)
                    .bind(to_ms)
                    .execute(&mut *tx)
                    .await?;
            }
            sqlx::query("update heartbeat set at_ms = $1 where id = 1 and at_ms < $1")
                .bind(now_ms)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(outage)
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
