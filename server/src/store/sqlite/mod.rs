mod commit;
mod housekeeping;

use std::{fmt, str::FromStr};

use async_trait::async_trait;
use sqlx::{
    Connection, SqlSafeStr, SqlitePool,
    migrate::{Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
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

/// Readers at the same time. In WAL mode they neither wait for the writer nor hold it up; more of them than
/// cores would only wait for each other.
const READERS: u32 = 4;

/// Pages of the write-ahead log after which it is brought into the file. A busy second writes as many, most of them again
/// and again: each is then brought over once.
const LOG_PAGES: &str = "16384";

/// KiB of pages that a connection keeps in memory: what a few thousand live games touch.
const CACHE_KIB: &str = "32768";

/// A file of SQLite, for one node.
pub(super) struct Sqlite {
    /// SQLite has one writer. One connection makes waiting for it fair, and `SQLITE_BUSY` impossible within the
    /// process.
    writer: SqlitePool,
    readers: SqlitePool,
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").finish_non_exhaustive()
    }
}

impl Sqlite {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        if url.contains(":memory:") || url.contains("mode=memory") {
            return Err(StoreError::Url);
        }
        // An acknowledged turn survives the loss of power: FULL syncs the log at each commit.
        let options = SqliteConnectOptions::from_str(url)
            .map_err(|_| StoreError::Url)?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .pragma("temp_store", "memory")
            .pragma("wal_autocheckpoint", LOG_PAGES);
        let writer = pool(1).before_acquire(|connection, _| {
            // A commit that failed in SQLite itself, as on a full disk, leaves a connection that believes to be in a
            // transaction still and could never begin another.
            let is_clean = !connection.is_in_transaction();
            Box::pin(async move { Ok(is_clean) })
        });
        let writer = within(
            "open the SQLite file",
            writer.connect_with(options.clone().pragma("cache_size", format!("-{CACHE_KIB}"))),
        )
        .await?;
        migrator().run(&writer).await?;
        let readers =
            within("open the SQLite file", pool(READERS).connect_with(options.read_only(true))).await?;
        Ok(Self { writer, readers })
    }
}

/// Connections to a file do not age: what is open stays open.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

fn migrator() -> Migrator {
    let games = include_str!("../../../../migrations/sqlite/0001_games.sql");
    let live_play = include_str!("../../../../migrations/sqlite/0002_live_play.sql");
    let nodes = include_str!("../../../../migrations/sqlite/0003_nodes.sql");
    let lighter_turns = include_str!("../../../../migrations/sqlite/0004_lighter_turns.sql");
    let bounded_games = include_str!("../../../../migrations/sqlite/0006_bounded_games.sql");
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
impl Store for Sqlite {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        within("commit to games", async {
            let mut tx = self.writer.begin_with("begin immediate").await?;
            let plan = Plan::of(writes, commit::standing(&mut tx, writes).await?);
            commit::save(&mut tx, &plan).await?;
            tx.commit().await?;
            Ok(plan.results)
        })
        .await
    }

    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        within("read the log of a game", async {
            let mut tx = self.readers.begin().await?;
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
                .execute(&self.writer)
                .await?;
            Ok(taken.rows_affected() == 1)
        })
        .await
    }

    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, Version)>, StoreError> {
        within("read how far games are", async {
            let games: Vec<_> = games.iter().map(|game| game.uuid().simple().to_string()).collect();
            let rows: Vec<(Uuid, i64)> = sqlx::query_as(
                "select id, version from game where id in (select unhex(value) from json_each($1))",
            )
            .bind(serde_json::json!(games).to_string())
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
        within("delete games that nobody played", housekeeping::clear_games(&self.writer, deleted, spared))
            .await
    }

    async fn note_seen(&self, players: &[PlayerId], now_ms: i64) -> Result<(), StoreError> {
        within("note who was here", housekeeping::note_seen(&self.writer, players, now_ms)).await
    }

    async fn clear_guests(&self, before_ms: i64, limit: u32) -> Result<Swept, StoreError> {
        within("delete guests without games", housekeeping::clear_guests(&self.writer, before_ms, limit))
            .await
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError> {
        within("create a player", async {
            let mut tx = self.writer.begin_with("begin immediate").await?;
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
                    .fetch_optional(&self.writer)
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
            let mut tx = self.writer.begin_with("begin immediate").await?;
            let known: Vec<Uuid> = sqlx::query_scalar("select id from player where id in ($1, $2)")
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
                .execute(&self.writer)
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
            let others: Vec<_> = others.iter().map(|other| other.uuid().simple().to_string()).collect();
            let blocked: Vec<Uuid> = sqlx::query_scalar(
                "select blocked from block
                 where player = $1 and blocked in (select unhex(value) from json_each($2))
                 union
                 select player from block
                 where blocked = $1 and player in (select unhex(value) from json_each($2))",
            )
            .bind(player.uuid())
            .bind(serde_json::json!(others).to_string())
            .fetch_all(&self.readers)
            .await?;
            Ok(blocked.into_iter().map(PlayerId::new).collect())
        })
        .await
    }

    async fn beat(&self, now_ms: i64, gap_ms: i64) -> Result<Option<Outage>, StoreError> {
        within("note that the server is up", async {
            let mut tx = self.writer.begin_with("begin immediate").await?;
            sqlx::query("insert into heartbeat (id, at_ms) values (1, $1) on conflict (id) do nothing")
                .bind(now_ms)
                .execute(&mut *tx)
                .await?;
            let before_ms: i64 =
                sqlx::query_scalar("select at_ms from heartbeat where id = 1").fetch_one(&mut *tx).await?;
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
        within("reach the SQLite file", async {
            sqlx::query("select 1").execute(&self.readers).await?;
            sqlx::query("select 1").execute(&self.writer).await.map(drop)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_connection_is_durable_and_checks_references() {
        let directory = tempfile::TempDir::new().unwrap();
        let url = format!("sqlite:{}/towers.db", directory.path().display());
        let store = Sqlite::open(&url).await.unwrap();
        for pool in [&store.writer, &store.readers] {
            let settings: (String, i64, i64) = sqlx::query_as(
                "select journal_mode, synchronous, foreign_keys
                 from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys",
            )
            .fetch_one(pool)
            .await
            .unwrap();
            const FULL: i64 = 2;
            assert_eq!(settings, ("wal".to_owned(), FULL, 1));
        }
        assert_eq!(store.writer.options().get_max_connections(), 1, "SQLite has one writer");
        let written = sqlx::query("delete from player").execute(&store.readers).await;
        assert!(written.is_err(), "readers do not write");
    }

    #[tokio::test]
    async fn a_disk_that_was_full_is_written_again_when_it_is_not() {
        let directory = tempfile::TempDir::new().unwrap();
        let store = Sqlite::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
        let player = |number| Player {
            id: PlayerId::new(Uuid::from_u128(number)),
            name: PlayerName::try_from("x".repeat(24)).unwrap(),
        };
        sqlx::query("pragma max_page_count = 1").execute(&store.writer).await.unwrap();
        let mut numbers = 0..10_000_u128;
        let full = loop {
            let number = numbers.next().expect("the file fills up");
            let token = TokenHash::of(&number.to_be_bytes());
            if let Err(error) = store.create_player(&player(number), &token, 0).await {
                break error;
            }
        };
        assert!(matches!(full, StoreError::Database { .. }), "{full:?}");
        let _ = sqlx::query("pragma max_page_count = 1000000").execute(&store.writer).await;
        let token = TokenHash::of(b"after");
        store.create_player(&player(u128::MAX), &token, 0).await.unwrap();
        assert_eq!(store.player_by_token(&token).await.unwrap(), Some(player(u128::MAX)));
    }
}
