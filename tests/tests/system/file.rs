//! The file of an SQLite database under the real server: it has one server, stays at its path, and is complete after a
//! stop.

use std::{fs, path::Path};

use serde_json::json;
use sqlx::{Connection, Executor, PgConnection, SqliteConnection};
use system_tests::{
    admin::run, database::Database, game::Game, on_both_databases, pair::Pair, player::Player,
    server::Server, timeout,
};
use tempfile::TempDir;

on_both_databases![a_server_that_cannot_store_is_not_ready_until_it_can];

/// The names of the files in a database's directory, in order.
fn files(database: &Database) -> Vec<String> {
    let file = database.file().unwrap();
    let entries = fs::read_dir(file.parent().unwrap()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

async fn until_readyz(server: &Server, status: u16) {
    let asker = Player::stranger(server);
    timeout(format!("{status} of /readyz"), async {
        while asker.get("/readyz").await.status != status {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_stop_leaves_one_complete_file() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..4).await;
    server.terminate();
    let (status, _stopped) = server.ended().await;
    assert_eq!(status.code(), Some(0), "{status}");
    assert_eq!(files(&database), ["towers.db"]);

    let directory = TempDir::new().unwrap();
    let copy = directory.path().join("copy.db");
    fs::copy(database.file().unwrap(), &copy).unwrap();
    let copy = Database::at(&format!("sqlite://{}", copy.display()));
    let restarted = Server::start(&copy).await;
    let document = pair.first.player.at(restarted.address()).game(&pair.game).await;
    assert_eq!(document["summary"]["version"], 6);
}

#[tokio::test]
async fn a_file_has_one_server() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "fenix").await;
    let directory = TempDir::new().unwrap();
    let backup = directory.path().join("towers.backup");
    let link = directory.path().join("link.db");
    std::os::unix::fs::symlink(database.file().unwrap(), &link).unwrap();
    let linked = Database::at(&format!("sqlite://{}", link.display()));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    run(&database, &["check"]).await.ok();
    run(&database, &["backup", &text(&backup)]).await.ok();
    run(&database, &["export", &text(&directory.path().join("records"))]).await.ok();
    for url in [&database, &linked] {
        for arguments in [&["--listen", "127.0.0.1:0"][..], &["migrate"], &["restore", &text(&backup)]] {
            run(url, arguments).await.is_refused("is in use by another `towers`: stop that one first");
        }
    }
    pair.play_turns(&Game::read("fenix"), 0..2).await;
    // The lock ends with its process, even if that was killed.
    let server = server.kill().await.start().await;
    Player::enter(&server).await.open_room("fenix", "public").await;
}

#[tokio::test]
async fn a_turn_is_not_acknowledged_into_a_file_that_is_not_at_its_place() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    let file = database.file().unwrap();
    let elsewhere = file.with_file_name("elsewhere.db");
    fs::rename(&file, &elsewhere).unwrap();

    // The turn is refused even if no heartbeat has failed yet.
    let answer = pair.first.socket.turn(&pair.game, &game.turns[2]).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("nack"), &json!("unavailable")), "{answer}");
    let asker = Player::stranger(&server);
    asker.get("/readyz").await.is_problem(503, "unavailable");
    let said = asker.get("/readyz").await.text().to_owned();
    assert!(said.contains("the database file is not at its place") && !said.contains("towers.db"), "{said}");
    timeout("the log's word of it", async {
        while !server.log().contains("heartbeat failed") {
            tokio::task::yield_now().await;
        }
    })
    .await;
    fs::rename(&elsewhere, &file).unwrap();
    timeout("the heartbeat", async {
        while !server.log().contains("heartbeat resumed") {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let failures: Vec<_> =
        server.log().lines().filter(|line| line.contains("heartbeat failed")).map(str::to_owned).collect();
    assert!(
        failures.len() == 1 && failures[0].contains("towers.db is not the file that this server has open"),
        "{failures:?}"
    );
    until_readyz(&server, 200).await;
    let mut pair = pair.reconnect().await;
    pair.play_turns(&game, 2..4).await;

    let _server = server.kill().await.start().await;
    let pair = pair.reconnect().await;
    assert_eq!(pair.version(), 6, "all that was acknowledged is there");
}

async fn a_server_that_cannot_store_is_not_ready_until_it_can(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    until_readyz(&server, 200).await;
    // Another connection holds a lock that every write needs and no read does.
    if database.file().is_some() {
        let mut other = SqliteConnection::connect(database.url()).await.unwrap();
        other.execute("begin immediate").await.unwrap();
        until_readyz(&server, 503).await;
        other.close().await.unwrap();
    } else {
        let mut other = PgConnection::connect(database.url()).await.unwrap();
        other.execute("begin; lock table heartbeat in share row exclusive mode").await.unwrap();
        until_readyz(&server, 503).await;
        other.close().await.unwrap();
    }
    until_readyz(&server, 200).await;
    let mut pair = pair.reconnect().await;
    pair.play_turns(&game, 2..4).await;
}
