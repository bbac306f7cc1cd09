use std::sync::Arc;

use sqlx::{Connection, PgConnection, SqliteConnection};
use system_tests::postgres::Postgres;
use tempfile::TempDir;
use tokio::task::JoinSet;
use towers::store::{StoreError, WriteError, open, writer};

use crate::{
    database::{Database, contract},
    sample::{append, appended, event, room},
};

contract! {
    opening_again_keeps_everything
    every_migration_is_applied
}

async fn opening_again_keeps_everything(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=3)).await;
    let other = database.other_node().await;
    other.ping().await.unwrap();
    assert_eq!(other.log(game.id).await.unwrap(), Some(database.log(game.id).await));
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
    let files = std::fs::read_dir(format!("{}/../migrations/{kind}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert_eq!(usize::try_from(applied).unwrap(), files.count());
}

#[tokio::test]
async fn a_stopped_postgresql_is_an_error_and_a_started_one_is_used_again() {
    let server = Postgres::start().unwrap();
    let store = open(&server.database()).await.unwrap();
    let (writer, work) = writer(Arc::clone(&store));
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
    store.ping().await.unwrap();
    assert_eq!(store.log(game.id).await.unwrap().unwrap().events, [event(1)]);
    writer.append(appended(vec![event(2)], &game)).await.unwrap();
}

#[tokio::test]
async fn a_url_of_no_known_form_is_an_error_that_tells_the_forms() {
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
async fn no_error_and_no_debug_text_tells_the_password() {
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
async fn a_sqlite_file_that_cannot_be_made_is_an_error() {
    let directory = TempDir::new().unwrap();
    let url = format!("sqlite://{}/no/such/directory/towers.db", directory.path().display());
    let error = open(&url).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot open the SQLite file");
}
