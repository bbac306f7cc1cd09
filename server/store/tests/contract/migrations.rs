//! Tests that committed migrations are frozen.

use std::{collections::BTreeMap, fs, path::Path};

use game::{PlayerKind, ids::GameId};
use sha2::{Digest, Sha256, Sha384};
use sqlx::{
    AssertSqlSafe, Connection, PgConnection, SqlSafeStr, SqliteConnection,
    migrate::{Migration, MigrationType, Migrator},
    raw_sql,
};
use store::{TokenHash, open};
use system_tests::postgres::Postgres;
use tempfile::TempDir;
use uuid::Uuid;

use crate::database::{Database, contract};

contract! {
    ; only in SQL:
    the_checksums_in_a_database_are_the_frozen_ones
}

/// The descriptions that servers up to migration 9 stored with the checksums.
const DESCRIPTIONS: [&str; 9] = [
    "games",
    "live play",
    "nodes",
    "lighter turns",
    "lists",
    "bounded games",
    "sessions end",
    "positions",
    "lighter_index",
];

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations"))
}

/// Reads the frozen digests by file. Databases store them as the checksums of their applied migrations.
fn frozen() -> BTreeMap<String, String> {
    let list = fs::read_to_string(folder().join("SHA384SUMS")).unwrap();
    list.lines()
        .map(|line| line.split_once("  ").expect("a line as `sha384sum` writes it"))
        .map(|(digest, file)| (file.to_owned(), digest.to_owned()))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The migration files of both databases, sorted by path.
fn files() -> Vec<String> {
    let mut files = Vec::new();
    for kind in ["postgres", "sqlite"] {
        for entry in fs::read_dir(folder().join(kind)).unwrap() {
            files.push(format!("{kind}/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
    }
    files.sort();
    files
}

#[test]
fn a_committed_migration_neither_changes_nor_disappears() {
    let frozen = frozen();
    for (file, digest) in &frozen {
        let sql = fs::read(folder().join(file)).unwrap_or_else(|error| {
            panic!("migrations/{file} is missing ({error}): databases that had it would not open")
        });
        assert_eq!(
            hex(&Sha384::digest(sql)),
            *digest,
            "migrations/{file} has changed: databases that had it would not open; undo that and add a new migration"
        );
    }
    for file in files() {
        assert!(
            frozen.contains_key(&file),
            "migrations/{file} is new: freeze it by `cd migrations && sha384sum */*.sql > SHA384SUMS`"
        );
    }
}

async fn the_checksums_in_a_database_are_the_frozen_ones(database: Database) {
    let applied = "select checksum from _sqlx_migrations order by version";
    let (kind, applied): (_, Vec<Vec<u8>>) = if database.url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(&database.url).await.unwrap();
        ("sqlite", sqlx::query_scalar(applied).fetch_all(&mut connection).await.unwrap())
    } else {
        let mut connection = PgConnection::connect(&database.url).await.unwrap();
        ("postgres", sqlx::query_scalar(applied).fetch_all(&mut connection).await.unwrap())
    };
    let frozen = frozen().into_iter().filter(|(file, _)| file.starts_with(kind));
    assert_eq!(
        applied.iter().map(|sum| hex(sum)).collect::<Vec<_>>(),
        frozen.map(|(_, digest)| digest).collect::<Vec<_>>()
    );
}

/// The first nine migrations as older servers listed them, with their descriptions.
fn listed(kind: &str) -> Migrator {
    let files = files().into_iter().filter(|file| file.starts_with(kind));
    let migrations = files.zip(DESCRIPTIONS).zip(1..).map(|((file, description), version)| {
        let sql = fs::read_to_string(folder().join(file)).unwrap();
        let sql = AssertSqlSafe(sql).into_sql_str();
        Migration::new(version, description.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

#[tokio::test]
async fn databases_of_servers_with_a_list_of_migrations_open() {
    let directory = TempDir::new().unwrap();
    let sqlite = format!("sqlite://{}/towers.db?mode=rwc", directory.path().display());
    let mut connection = SqliteConnection::connect(&sqlite).await.unwrap();
    listed("sqlite").run(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let postgres = Postgres::shared().database();
    let mut connection = PgConnection::connect(&postgres).await.unwrap();
    listed("postgres").run(&mut connection).await.unwrap();
    for url in [sqlite, postgres] {
        open(&url).await.unwrap().ping().await.unwrap();
    }
}

/// The migrations of servers that knew no accounts. Some of them have higher numbers than that of accounts.
fn before_accounts(kind: &str) -> Migrator {
    let are_of_accounts = [
        "_accounts.sql",
        "_one_time.sql",
        "_mail.sql",
        "_moderation.sql",
        "_mails_to_an_address.sql",
        "_notices.sql",
        "_reported_lines.sql",
    ];
    let is_of_accounts = |file: &String| are_of_accounts.iter().any(|end| file.ends_with(end));
    let files = files().into_iter().filter(|file| file.starts_with(kind) && !is_of_accounts(file));
    let migrations = files.map(|file| {
        let sql = AssertSqlSafe(fs::read_to_string(folder().join(&file)).unwrap()).into_sql_str();
        let name = file.rsplit('/').next().unwrap();
        let (version, description) = name.trim_end_matches(".sql").split_once('_').unwrap();
        let (version, description) = (version.parse().unwrap(), description.replace('_', " "));
        Migration::new(version, description.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// SQL that inserts a guest with a session.
fn old_session(id: &str, hash: &str) -> String {
    format!(
        "insert into player (id, name, created_ms) values ({id}, 'Ada', 1);
         insert into session (token_hash, player, created_ms, used_ms) values ({hash}, {id}, 1, 2)"
    )
}

#[tokio::test]
async fn guests_of_servers_without_accounts_keep_their_sessions() {
    let (id, hash) = (format!("{:032x}", 1), hex(&Sha256::digest(b"token")));
    let directory = TempDir::new().unwrap();
    let sqlite = format!("sqlite://{}/towers.db?mode=rwc", directory.path().display());
    let mut connection = SqliteConnection::connect(&sqlite).await.unwrap();
    before_accounts("sqlite").run(&mut connection).await.unwrap();
    let sql = AssertSqlSafe(old_session(&format!("x'{id}'"), &format!("x'{hash}'")));
    raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let postgres = Postgres::shared().database();
    let mut connection = PgConnection::connect(&postgres).await.unwrap();
    before_accounts("postgres").run(&mut connection).await.unwrap();
    let sql = AssertSqlSafe(old_session(&format!("'{id}'"), &format!("decode('{hash}', 'hex')")));
    raw_sql(sql).execute(&mut connection).await.unwrap();
    let token = TokenHash::of(b"token");
    for url in [sqlite, postgres] {
        let session = open(&url).await.unwrap().session(&token, 0).await.unwrap().unwrap();
        let name = session.player.name.as_str();
        assert_eq!((session.id, session.kind, name), (token.session(), PlayerKind::Guest, "Ada"));
        assert_eq!((session.used_ms, session.proved_ms), (2, None));
    }
}

/// SQL that inserts a room, which was made and last changed at a time, and an aborted game that is spared.
fn old_games(id: impl Fn(u128) -> String, spared: &str) -> String {
    let game = |number: u128, status: &str, spared: &str| {
        format!(
            "insert into game (id, ruleset, status, visibility, creator, creator_name, seat, version, turn, to_move,
                created_ms, updated_ms, spared)
             values ({0}, 'fenix', '{status}', 'public', {0}, 'Ada', 'first', 1, 1, 'first', 1, 2, {spared}); ",
            id(number)
        )
    };
    game(1, "open", &format!("not {spared}")) + &game(2, "aborted", spared)
}

#[tokio::test]
async fn rooms_of_older_servers_get_a_deadline_and_the_games_that_they_spared_are_examined() {
    let directory = TempDir::new().unwrap();
    let sqlite = format!("sqlite://{}/towers.db?mode=rwc", directory.path().display());
    let mut connection = SqliteConnection::connect(&sqlite).await.unwrap();
    listed("sqlite").run(&mut connection).await.unwrap();
    let sql = AssertSqlSafe(old_games(|number| format!("x'{number:032x}'"), "1"));
    raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let postgres = Postgres::shared().database();
    let mut connection = PgConnection::connect(&postgres).await.unwrap();
    listed("postgres").run(&mut connection).await.unwrap();
    let sql = AssertSqlSafe(old_games(|number| format!("'{number:032x}'::uuid"), "true"));
    raw_sql(sql).execute(&mut connection).await.unwrap();
    let [room, aborted] = [1, 2].map(|number| GameId::new(Uuid::from_u128(number)));
    for url in [sqlite, postgres] {
        let store = open(&url).await.unwrap();
        let closes_ms = 2 + 30 * 24 * 60 * 60 * 1_000;
        assert_eq!(store.due_games(closes_ms - 1, 9).await.unwrap(), []);
        assert_eq!(store.due_games(closes_ms, 9).await.unwrap(), [room]);
        assert_eq!(store.game(room).await.unwrap().unwrap().deadline_ms, Some(closes_ms));
        assert_eq!(store.aborted_games(3, 9).await.unwrap(), [aborted]);
    }
}
