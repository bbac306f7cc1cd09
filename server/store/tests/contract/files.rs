//! The file of an SQLite database: its lock and its path.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use game::ids::GameId;
use sqlx::{Connection, PgConnection, SqliteConnection};
use store::{Store, StoreError, Write, Written, open, open_to_read};
use system_tests::postgres::Postgres;
use tempfile::TempDir;

use crate::{
    opening::old_migrations,
    sample::{append, room},
};

/// A temporary directory for database files.
struct Folder {
    directory: TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { directory: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn url(&self, name: &str) -> String {
        url(&self.path(name))
    }

    /// The names of the files, in order.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn url(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}

/// Stores a game with three events.
async fn stored(store: &dyn Store) -> GameId {
    let game = room("Ada");
    assert_eq!(store.commit(&[append(&game, 1..=3)]).await.unwrap(), [Ok(Written::Done)]);
    game.id
}

#[tokio::test]
async fn a_file_has_one_server_whatever_name_it_is_opened_by() {
    let folder = Folder::new();
    let store = open(&folder.url("towers.db")).await.unwrap();
    symlink("towers.db", folder.path("link.db")).unwrap();
    fs::hard_link(folder.path("towers.db"), folder.path("second.db")).unwrap();
    for name in ["towers.db", "link.db", "second.db", "../towers.db/../{}/towers.db"] {
        let own = folder.directory.path().file_name().unwrap().to_str().unwrap();
        let name = name.replace("../towers.db/../{}", &format!("../{own}"));
        let refused = open(&folder.url(&name)).await.unwrap_err();
        assert!(matches!(refused, StoreError::FileInUse { .. }), "{name}: {refused:?}");
        assert!(refused.to_string().contains(&name), "{refused}");
    }
    store.close().await;
    open(&folder.url("link.db")).await.unwrap();
}

#[tokio::test]
async fn the_files_of_a_new_database_are_for_their_owner_alone() {
    let folder = Folder::new();
    let store = open(&folder.url("towers.db")).await.unwrap();
    stored(&*store).await;
    let reading = open_to_read(&folder.url("towers.db")).await.unwrap();
    assert_eq!(folder.files(), ["towers.db", "towers.db-shm", "towers.db-wal"]);
    for name in folder.files() {
        let mode = fs::metadata(folder.path(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    reading.close().await;
    store.close().await;
}

#[tokio::test]
async fn a_closed_database_is_one_complete_file() {
    let folder = Folder::new();
    let store = open(&folder.url("towers.db")).await.unwrap();
    let game = stored(&*store).await;
    let log = store.log(game).await.unwrap();
    assert!(folder.files().contains(&"towers.db-wal".to_owned()), "the open database has a log");
    store.close().await;
    assert_eq!(folder.files(), ["towers.db"]);
    fs::copy(folder.path("towers.db"), folder.path("copy.db")).unwrap();
    let copy = open(&folder.url("copy.db")).await.unwrap();
    assert_eq!(copy.log(game).await.unwrap(), log);
}

#[tokio::test]
async fn no_write_is_acknowledged_while_the_file_is_not_at_its_path() {
    for (name, is_replaced) in [
        ("towers.db", false),
        ("towers.db", true),
        ("towers.db-wal", false),
        ("towers.db-wal", true),
        ("towers.db-shm", false),
    ] {
        let folder = Folder::new();
        let store = open(&folder.url("towers.db")).await.unwrap();
        let game = room("Ada");
        store.commit(&[append(&game, 1..=1)]).await.unwrap().remove(0).unwrap();

        fs::rename(folder.path(name), folder.path("elsewhere")).unwrap();
        if is_replaced {
            fs::copy(folder.path("elsewhere"), folder.path(name)).unwrap();
        }

        let writes: Vec<Write> = vec![append(&game, 2..=2)];
        let beat = [Write::Beat { now_ms: 0, gap_ms: 5 }];
        for refused in
            [store.commit(&writes).await.map(drop), store.commit(&beat).await.map(drop), store.ping().await]
        {
            let gone = refused.unwrap_err();
            assert!(matches!(gone, StoreError::FileGone { .. }), "{name}: {gone:?}");
            assert!(gone.to_string().contains(name), "{gone}");
        }
        assert_eq!(store.log(game.id).await.unwrap().unwrap().events.len(), 1, "the database can be read");

        fs::rename(folder.path("elsewhere"), folder.path(name)).unwrap();
        store.ping().await.unwrap();
        assert_eq!(store.commit(&writes).await.unwrap(), [Ok(Written::Done)], "{name} is back");
        store.close().await;
        let again = open(&folder.url("towers.db")).await.unwrap();
        assert_eq!(again.log(game.id).await.unwrap().unwrap().events.len(), 2);
    }
}

#[tokio::test]
async fn a_link_redirected_to_another_file_is_detected() {
    let folder = Folder::new();
    fs::create_dir(folder.path("disk")).unwrap();
    symlink("disk/towers.db", folder.path("towers.db")).unwrap();
    let store = open(&folder.url("towers.db")).await.unwrap();
    stored(&*store).await;
    fs::remove_file(folder.path("towers.db")).unwrap();
    fs::write(folder.path("other.db"), "").unwrap();
    symlink("other.db", folder.path("towers.db")).unwrap();
    assert!(matches!(store.ping().await, Err(StoreError::FileGone { .. })));
}

#[tokio::test]
async fn a_server_whose_file_was_replaced_leaves_the_new_file_intact() {
    let folder = Folder::new();
    let old = open(&folder.url("towers.db")).await.unwrap();
    stored(&*old).await;
    for name in folder.files() {
        fs::remove_file(folder.path(&name)).unwrap();
    }
    let new = open(&folder.url("towers.db")).await.unwrap();
    let game = stored(&*new).await;
    old.close().await;
    assert_eq!(folder.files(), ["towers.db", "towers.db-shm", "towers.db-wal"], "the new files are kept");
    new.ping().await.unwrap();
    assert_eq!(new.log(game).await.unwrap().unwrap().events.len(), 3);
}

#[tokio::test]
async fn a_database_opened_to_read_is_not_written() {
    let folder = Folder::new();
    let store = open(&folder.url("towers.db")).await.unwrap();
    let game = stored(&*store).await;
    let beside = open_to_read(&folder.url("towers.db")).await.unwrap();
    assert_eq!(beside.log(game).await.unwrap(), store.log(game).await.unwrap(), "a server may run meanwhile");
    beside.close().await;
    store.ping().await.unwrap();
    store.close().await;

    let before = fs::read(folder.path("towers.db")).unwrap();
    let reading = open_to_read(&folder.url("towers.db")).await.unwrap();
    assert!(reading.log(game).await.unwrap().is_some());
    assert!(reading.commit(&[append(&room("Bob"), 1..=1)]).await.is_err());
    reading.close().await;
    assert_eq!(folder.files(), ["towers.db"]);
    assert!(fs::read(folder.path("towers.db")).unwrap() == before);
}

#[tokio::test]
async fn missing_old_and_newer_tables_are_rejected() {
    let folder = Folder::new();
    assert!(open_to_read(&folder.url("missing.db")).await.is_err());
    assert_eq!(folder.files(), [""; 0], "no file is created");
    fs::write(folder.path("empty.db"), "").unwrap();
    assert!(matches!(open_to_read(&folder.url("empty.db")).await, Err(StoreError::NoTables)));
    let postgres = Postgres::shared().database();
    assert!(matches!(open_to_read(&postgres).await, Err(StoreError::NoTables)));

    let sqlite = format!("{}?mode=rwc", folder.url("old.db"));
    let mut connection = SqliteConnection::connect(&sqlite).await.unwrap();
    old_migrations("sqlite").await.run(&mut connection).await.unwrap();
    let mut connection = PgConnection::connect(&postgres).await.unwrap();
    old_migrations("postgres").await.run(&mut connection).await.unwrap();
    for url in [&sqlite, &postgres] {
        assert!(matches!(open_to_read(url).await, Err(StoreError::OldTables)), "{url}");
        open(url).await.unwrap().close().await;
        open_to_read(url).await.unwrap();
    }
    let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
        values (9999, 'newer', true, '', 0)";
    let mut connection = SqliteConnection::connect(&sqlite).await.unwrap();
    sqlx::query(newer).execute(&mut connection).await.unwrap();
    let mut connection = PgConnection::connect(&postgres).await.unwrap();
    sqlx::query(newer).execute(&mut connection).await.unwrap();
    for url in [&sqlite, &postgres] {
        assert!(matches!(open_to_read(url).await, Err(StoreError::NewTables)), "{url}");
        assert!(matches!(open(url).await, Err(StoreError::NewTables)), "the same sentence: {url}");
    }
}

#[tokio::test]
async fn a_migration_with_another_checksum_is_rejected() {
    let folder = Folder::new();
    let (sqlite, postgres) = (folder.url("towers.db"), Postgres::shared().database());
    let changed = "update _sqlx_migrations set checksum = '' where version = 2";
    for url in [&sqlite, &postgres] {
        open(url).await.unwrap().close().await;
    }
    let mut connection = SqliteConnection::connect(&sqlite).await.unwrap();
    sqlx::query(changed).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let mut connection = PgConnection::connect(&postgres).await.unwrap();
    sqlx::query(changed).execute(&mut connection).await.unwrap();
    for url in [&sqlite, &postgres] {
        assert!(matches!(open_to_read(url).await, Err(StoreError::OtherTables { migration: 2 })), "{url}");
        assert!(matches!(open(url).await, Err(StoreError::OtherTables { migration: 2 })), "{url}");
    }
}

/// A PostgreSQL database with the tables of an older server.
async fn older() -> (String, PgConnection) {
    let url = Postgres::shared().database();
    let mut connection = PgConnection::connect(&url).await.unwrap();
    old_migrations("postgres").await.run(&mut connection).await.unwrap();
    (url, connection)
}

/// The statements of a heartbeat at `$1` ms since 1970.
const BEAT: [&str; 3] = [
    "insert into heartbeat (id, at_ms) values (1, $1) on conflict (id) do nothing",
    "select at_ms from heartbeat where id = 1 and $1 = $1 for no key update",
    "update heartbeat set at_ms = $1 where id = 1 and at_ms < $1",
];

/// Beats once, as the server of an older release does.
async fn beat(server: &mut PgConnection, at_ms: i64) {
    let mut tx = server.begin().await.unwrap();
    for statement in BEAT {
        sqlx::query(statement).bind(at_ms).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn no_tables_change_under_a_server_that_runs_whatever_its_clock() {
    let (url, mut server) = older().await;
    // Another server, whose clock is right, has stopped.
    beat(&mut server, i64::MAX).await;
    let beating = async {
        loop {
            beat(&mut server, 0).await;
        }
    };
    let refused = tokio::select! {
        opened = open(&url) => opened.unwrap_err(),
        () = beating => unreachable!("it beats for ever"),
    };
    assert!(matches!(refused, StoreError::ServersRun), "{refused:?}");
    assert!(refused.to_string().contains("stop them first"), "{refused}");
    assert!(matches!(open_to_read(&url).await, Err(StoreError::OldTables)), "nothing has changed");
}

#[tokio::test]
async fn tables_change_soon_after_the_last_server_has_stopped() {
    let (url, mut server) = older().await;
    beat(&mut server, i64::MAX).await;
    open(&url).await.unwrap().close().await;
    open_to_read(&url).await.unwrap();
}

#[tokio::test]
async fn a_postgresql_database_opened_to_read_is_not_written() {
    let postgres = Postgres::shared().database();
    open(&postgres).await.unwrap().close().await;
    let reading = open_to_read(&postgres).await.unwrap();
    assert!(reading.commit(&[append(&room("Bob"), 1..=1)]).await.is_err());
    assert!(reading.commit(&[Write::Beat { now_ms: 0, gap_ms: 5 }]).await.is_err());
}
