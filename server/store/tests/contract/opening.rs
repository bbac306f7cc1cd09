use std::sync::Arc;

use game::ids::GameId;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection, migrate::Migrator, raw_sql};
use store::{GameFilter, List, Paging, StoreError, StoredEvent, WriteError, open, writer};
use system_tests::{postgres::Postgres, timeout};
use tempfile::TempDir;
use tokio::{runtime::Handle, task::JoinSet};
use uuid::Uuid;

use crate::{
    database::{Database, contract},
    sample::{append, appended, command, event, room},
    verbs::Verbs,
};

contract! {
    ; only in SQL:
    opening_again_keeps_everything
    every_migration_is_applied
}

async fn opening_again_keeps_everything(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=3)).await;
    let log = database.log(game.id).await;
    database.store.close().await;
    let again = open(&database.url).await.unwrap();
    again.ping().await.unwrap();
    assert_eq!(again.log(game.id).await.unwrap(), Some(log));
}

async fn every_migration_is_applied(database: Database) {
    let (kind, applied): (_, i64) = if database.url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(&database.url).await.unwrap();
        let count = sqlx::query_scalar("select count(*) from _sqlx_migrations");
        ("sqlite", count.fetch_one(&mut connection).await.unwrap())
    } else {
        let mut connection = PgConnection::connect(&database.url).await.unwrap();
        let count = sqlx::query_scalar("select count(*) from _sqlx_migrations");
        ("postgres", count.fetch_one(&mut connection).await.unwrap())
    };
    let files = std::fs::read_dir(format!("{}/../../migrations/{kind}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert_eq!(usize::try_from(applied).unwrap(), files.count());
}

/// The migrations of an older server, before `0004_lighter_turns.sql`.
const OLD: [&str; 3] = ["0001_games.sql", "0002_live_play.sql", "0003_nodes.sql"];

#[tokio::test]
async fn games_of_an_older_server_survive_the_migrations() {
    let (directory, game) = (TempDir::new().unwrap(), GameId::new(Uuid::now_v7()));
    let sqlite = format!("sqlite://{}/towers.db?mode=rwc", directory.path().display());
    let hex = game.uuid().simple();
    let mut connection = SqliteConnection::connect(&sqlite).await.unwrap();
    old_migrations("sqlite").await.run(&mut connection).await.unwrap();
    raw_sql(AssertSqlSafe(old_game(&format!("x'{hex}'")))).execute(&mut connection).await.unwrap();
    let postgres = Postgres::shared().database();
    let mut connection = PgConnection::connect(&postgres).await.unwrap();
    old_migrations("postgres").await.run(&mut connection).await.unwrap();
    raw_sql(AssertSqlSafe(old_game(&format!("'{hex}'")))).execute(&mut connection).await.unwrap();

    for url in [sqlite, postgres] {
        let store = open(&url).await.unwrap();
        let events = store.log(game).await.unwrap().unwrap().events;
        let stored = |version, id| StoredEvent { command: Some(command(id)), ..event(version) };
        assert_eq!(events, [stored(1, "a"), stored(2, "b")]);
        let ended = List::FinishedGames(GameFilter::default());
        let page = store.list(ended, Paging { before: None, limit: 2 }).await.unwrap();
        assert_eq!(page.games.iter().map(|row| (row.id, row.updated_ms)).collect::<Vec<_>>(), [(game, 7)]);
    }
}

/// The texts of names in the events of older servers, as JSON, and the bodies without them.
const NAMED: [(&str, &str); 2] = [
    (
        r#"{"v":1,"type":"created","ruleset":"fenix","creator":{"id":"019a","name":"A \"da\" \\"},"seat":"first","start":",\"name\":\"x\""}"#,
        r#"{"v":1,"type":"created","ruleset":"fenix","creator":{"id":"019a"},"seat":"first","start":",\"name\":\"x\""}"#,
    ),
    (
        r#"{"v":1,"type":"started","seats":{"first":{"id":"019a","name":"Ada"},"second":{"id":"019b","name":"Bob"}},"joined":true}"#,
        r#"{"v":1,"type":"started","seats":{"first":{"id":"019a"},"second":{"id":"019b"}},"joined":true}"#,
    ),
];

#[tokio::test]
async fn the_migrations_take_the_names_out_of_old_events_and_nothing_else() {
    let directory = TempDir::new().unwrap();
    let sqlite = format!("sqlite://{}/towers.db?mode=rwc", directory.path().display());
    let (postgres, game) = (Postgres::shared().database(), GameId::new(Uuid::now_v7()));
    let hex = game.uuid().simple();
    let mut file = SqliteConnection::connect(&sqlite).await.unwrap();
    old_migrations("sqlite").await.run(&mut file).await.unwrap();
    raw_sql(AssertSqlSafe(old_game(&format!("x'{hex}'")))).execute(&mut file).await.unwrap();
    let mut server = PgConnection::connect(&postgres).await.unwrap();
    old_migrations("postgres").await.run(&mut server).await.unwrap();
    raw_sql(AssertSqlSafe(old_game(&format!("'{hex}'")))).execute(&mut server).await.unwrap();
    for (version, (with_names, _)) in (1..).zip(NAMED) {
        let set = AssertSqlSafe(format!("update event set body = $1 where version = {version}"));
        sqlx::query(set).bind(with_names).execute(&mut file).await.unwrap();
        let set = AssertSqlSafe(format!("update event set body = $1 where version = {version}"));
        sqlx::query(set).bind(with_names).execute(&mut server).await.unwrap();
    }
    file.close().await.unwrap();

    for url in [sqlite, postgres] {
        let events = open(&url).await.unwrap().log(game).await.unwrap().unwrap().events;
        let bodies: Vec<_> = events.iter().map(|event| event.body.as_str()).collect();
        assert_eq!(bodies, NAMED.map(|(_, without_names)| without_names));
    }
}

pub(crate) async fn old_migrations(kind: &str) -> Migrator {
    let old = TempDir::new().unwrap();
    for name in OLD {
        let file = format!("{}/../../migrations/{kind}/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::copy(file, old.path().join(name)).unwrap();
    }
    Migrator::new(old.path()).await.unwrap()
}

fn old_game(id: &str) -> String {
    format!(
        "insert into game (id, ruleset, status, visibility, creator, creator_name, seat, first_player, first_name,
            second_player, second_name, version, turn, to_move, winner, reason, created_ms, updated_ms, custom_start)
         values ({id}, 'fibonacci', 'finished', 'public', {id}, 'Ada', 'first', {id}, 'Ada', {id}, 'Bob', 2, 1, 'first',
            'second', 'resign', 5, 7, false);
         insert into event (game, version, at_ms, command, body) values ({id}, 1, 1, 'a', '1'), ({id}, 2, 1, 'b', '2')"
    )
}

#[tokio::test]
async fn a_stopped_postgresql_is_an_error_and_a_restarted_one_is_used_again() {
    let server = Postgres::start().unwrap();
    let store = open(&server.database()).await.unwrap();
    let (writer, work) = writer(Arc::clone(&store), Handle::current());
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    let game = room("Ada");
    writer.append(appended(vec![event(1)], &game)).await.unwrap();

    server.stop();
    let answer = writer.append(appended(vec![event(2)], &game)).await;
    assert!(matches!(answer, Err(WriteError::Unknown(_))), "{answer:?}");
    assert!(store.log(game.id).await.is_err());
    assert!(store.ping().await.is_err());

    server.restart();
    assert_eq!(store.log(game.id).await.unwrap().unwrap().events, [event(1)]);
    writer.append(appended(vec![event(2)], &game)).await.unwrap();
    timeout("the time after which a failed write no longer counts", async {
        while store.ping().await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_invalid_url_is_an_error_that_names_the_valid_forms() {
    let urls = [
        "",
        "towers.db",
        "mysql://root:hunter2@localhost/towers",
        "sqlite::memory:",
        "postgres://u:hunter2@:x",
    ];
    for url in urls {
        let error = open(url).await.unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, StoreError::Url), "{url}: {text}");
        assert!(text.contains("sqlite://") && text.contains("postgres://"), "{text}");
    }
}

#[tokio::test]
async fn no_error_or_debug_text_contains_the_password() {
    let urls = [
        "postgres://towers:hunter2@localhost/towers?host=/no/such/directory",
        "postgres://towers:hunter2@[/towers",
        "mysql://towers:hunter2@localhost/towers",
    ];
    for url in urls {
        let error = anyhow::Error::new(open(url).await.unwrap_err());
        let texts = format!("{error} {error:#} {error:?}");
        assert!(!texts.contains("hunter2"), "{texts}");
    }
    let url = Postgres::shared().database().replace("postgres@", "postgres:hunter2@");
    let store = open(&url).await.unwrap();
    assert!(!format!("{store:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_sqlite_file_that_cannot_be_created_is_an_error() {
    let directory = TempDir::new().unwrap();
    let url = format!("sqlite://{}/no/such/directory/towers.db", directory.path().display());
    let error = open(&url).await.unwrap_err();
    let file = directory.path().join("no/such/directory/towers.db");
    assert_eq!(error.to_string(), format!("cannot open the SQLite file {}", file.display()));
}

#[tokio::test]
async fn a_game_locked_elsewhere_does_not_block_other_games() {
    let url = Postgres::shared().database();
    let store = open(&url).await.unwrap();
    let [locked, other] = [room("Ada"), room("Bob")];
    let first = [append(&locked, 1..=1), append(&other, 1..=1)];
    assert_eq!(store.tried(&first).await.unwrap(), [Ok(()), Ok(())]);
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let mut elsewhere = connection.begin().await.unwrap();
    let lock = sqlx::query("select id from game where id = $1 for update").bind(locked.id.uuid());
    lock.execute(&mut *elsewhere).await.unwrap();

    let hanging = store.tried(&[append(&locked, 2..=2)]).await;
    assert!(matches!(hanging, Err(StoreError::TimedOut { .. })), "{hanging:?}");
    assert_eq!(store.tried(&[append(&other, 2..=2)]).await.unwrap(), [Ok(())]);

    elsewhere.rollback().await.unwrap();
    assert_eq!(store.tried(&[append(&locked, 2..=2)]).await.unwrap(), [Ok(())]);
}
