use std::{fmt, str::FromStr};

use async_trait::async_trait;
use serde_json::json;
use sqlx::{
    Connection, SqlSafeStr, SqliteConnection, SqlitePool,
    migrate::{Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use uuid::Uuid;

use super::{
    Conflict, Cursor, DraftRow, List, Log, Page, Paging, Store, StoreError, StoredEvent, TokenHash, Write,
    error::within,
    plan::{self, Plan, Planned, Standing},
    row::{self, EventRow, GameRow, PlayerRow, SavedDraft},
};
use crate::{
    ids::{GameId, PlayerId, PlayerName},
    protocol::{GameSummary, Player},
};

/// Readers at the same time. In WAL mode they neither wait for the writer nor hold it up; more of them than
/// cores would only wait for each other.
const READERS: u32 = 4;

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
            .foreign_keys(true);
        let writer = pool(1).before_acquire(|connection, _| {
            // A commit that failed in SQLite itself, as on a full disk, leaves a connection that believes to be in a
            // transaction still and could never begin another.
            let is_clean = !connection.is_in_transaction();
            Box::pin(async move { Ok(is_clean) })
        });
        let writer = within("open the SQLite file", writer.connect_with(options.clone())).await?;
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
    let games = include_str!("../../../migrations/sqlite/0001_games.sql");
    let live_play = include_str!("../../../migrations/sqlite/0002_live_play.sql");
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
impl Store for Sqlite {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        within("commit to games", async {
            let mut tx = self.writer.begin_with("begin immediate").await?;
            let plan = Plan::of(writes, standing(&mut tx, writes).await?);
            for game in plan.games.values() {
                save_game(&mut tx, *game).await?;
            }
            for (game, event) in &plan.events {
                save_event(&mut tx, *game, event).await?;
            }
            remove_drafts(&mut tx, plan.draftless_games()).await?;
            for draft in plan.saved_drafts() {
                save_draft(&mut tx, draft).await?;
            }
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
            let rows: Vec<GameRow> = query.fetch_all(&self.readers).await?;
            Ok(Page::of(list, row::all(rows)?, paging.limit))
        })
        .await
    }

    async fn count_open_rooms(&self, creator: PlayerId) -> Result<u32, StoreError> {
        within("count the open rooms of a player", async {
            sqlx::query_scalar("select count(*) from game where creator = $1 and status = 'open'")
                .bind(creator.uuid())
                .fetch_one(&self.readers)
                .await
        })
        .await
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError> {
        within("create a player", async {
            let mut tx = self.writer.begin_with("begin immediate").await?;
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

    async fn ping(&self) -> Result<(), StoreError> {
        within("reach the SQLite file", async {
            sqlx::query("select 1").execute(&self.readers).await?;
            sqlx::query("select 1").execute(&self.writer).await.map(drop)
        })
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

/// How the games of the writes stand. The transaction is the only writer, so this holds until its end.
async fn standing(tx: &mut SqliteConnection, writes: &[Write]) -> Result<Standing, sqlx::Error> {
    let games: Vec<(Uuid, i64, i64)> = sqlx::query_as(
        "select id, version, turn_version from game where id in (select unhex(value) from json_each($1))",
    )
    .bind(ids(plan::games_of(writes)))
    .fetch_all(&mut *tx)
    .await?;
    let commands = plan::commands_of(writes);
    let sent: Vec<_> =
        commands.iter().map(|(game, command)| json!([game.uuid().simple(), command.as_str()])).collect();
    // A cross join is done in the order that it is written in: for each command one look into the index.
    let used: Vec<(Uuid, String)> = sqlx::query_as(
        "select event.game, event.command from json_each($1) as sent
         cross join event on event.game = unhex(sent.value ->> 0) and event.command = sent.value ->> 1",
    )
    .bind(json!(sent).to_string())
    .fetch_all(tx)
    .await?;
    Standing::of(games, used)
}

async fn save_game(tx: &mut SqliteConnection, game: Planned<'_>) -> Result<(), sqlx::Error> {
    let row = GameRow::from(game.summary);
    sqlx::query(concat!(
        "insert into game (",
        game_columns!(),
        ", first_folded, second_folded, turn_version)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21, $22, $23, $24, $25)
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

async fn save_event(tx: &mut SqliteConnection, game: GameId, event: &StoredEvent) -> Result<(), sqlx::Error> {
    sqlx::query("insert into event (game, version, at_ms, command, body) values ($1, $2, $3, $4, $5)")
        .bind(game.uuid())
        .bind(i64::from(event.version.get()))
        .bind(event.at_ms)
        .bind(event.command.as_ref().map(|command| command.as_str()))
        .bind(&event.body)
        .execute(tx)
        .await
        .map(drop)
}

async fn remove_drafts(tx: &mut SqliteConnection, games: Vec<GameId>) -> Result<(), sqlx::Error> {
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

/// Ids as a list that SQL can take apart.
fn ids(games: Vec<GameId>) -> String {
    let hex: Vec<_> = games.into_iter().map(|game| game.uuid().simple().to_string()).collect();
    json!(hex).to_string()
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
