//! The administration commands: `migrate`, `check`, `backup`, `restore`, `export`.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use engine::Ruleset;
use reqwest::{Method, header};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, SqliteConnection, types::Uuid};
use system_tests::{
    admin::{run, run_in},
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{command, resign},
};
use tempfile::TempDir;

use crate::rulesets::{Dice, opening, turn_over};

on_both_databases![
    a_backup_of_a_running_server_can_start_another_server,
    a_backup_overwrites_no_file_and_is_restored_only_into_an_empty_database,
    a_file_that_is_no_backup_is_not_restored,
    a_check_finds_every_game_that_was_tampered_with,
    a_check_finds_wrong_and_missing_keys_of_names,
    a_check_finds_vacations_that_overlap_or_are_too_long,
    a_game_whose_deletion_has_begun_is_neither_wrong_nor_exported,
    finished_games_are_exported_as_valid_records,
    tables_are_made_before_a_server_starts,
    a_database_without_tables_is_neither_valid_nor_filled,
];

/// Line of a check without accounts.
const NO_ACCOUNTS: &str = "accounts checked: 0; wrong: 0";

/// Line of a check without vacations.
const NO_VACATIONS: &str = "vacations checked: 0; wrong: 0";

/// Two turns of a new game between new guests, whatever its ruleset.
async fn pair(server: &Server, ruleset: &str) -> Pair {
    let mut pair = Pair::open(server, ruleset).await;
    let mut play = opening(pair.first.socket.record(&pair.game).events());
    let mut dice = Dice(5);
    for _ in 0..2 {
        turn_over(&mut play, pair.first.socket.record(&pair.game).card());
        let turn = dice.turn_in_the_game(&play);
        play.play(&turn).unwrap();
        pair.play(&turn).await;
    }
    pair
}

/// A game to its end by the rules.
async fn finished(server: &Server) -> Pair {
    let game = Game::fibonacci();
    let mut pair = Pair::open(server, &game.ruleset).await;
    pair.play_turns(&game, 0..game.turns.len()).await;
    pair
}

/// A game that its first side resigns after two turns.
async fn resigned(server: &Server, ruleset: &str) -> Pair {
    let mut pair = pair(server, ruleset).await;
    let answer = pair.first.socket.ask(&resign(&pair.game)).await;
    assert_eq!(answer["type"], "ack", "{answer}");
    pair
}

/// Returns another, empty database of the same kind.
fn another(database: &Database) -> Database {
    if database.url().starts_with("sqlite") { Database::sqlite() } else { Database::postgres() }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

async fn a_backup_of_a_running_server_can_start_another_server(database: Database) {
    let server = Server::start(&database).await;
    let mut pairs = vec![finished(&server).await, resigned(&server, "fibonacci-cards").await];
    for ruleset in Ruleset::ALL {
        pairs.push(pair(&server, ruleset.id()).await);
    }
    let last = pairs.last_mut().unwrap();
    last.first.socket.ask(&command("say", &last.game, json!({"text": "à bientôt"}))).await;
    let mut known = Vec::new();
    for pair in &pairs {
        known.push(pair.first.player.game(&pair.game).await["events"].clone());
    }
    let directory = TempDir::new().unwrap();
    let backup = directory.path().join("towers.backup");
    run(&database, &["backup", text(&backup)]).await.ok();

    let mut late = Pair::open(&server, "fenix").await;
    late.play_turns(&Game::read("fenix"), 0..2).await;

    let elsewhere = another(&database);
    run(&elsewhere, &["restore", text(&backup)]).await.ok();
    let n_games = pairs.len();
    let checked = run(&elsewhere, &["check"]).await.ok();
    assert_eq!(checked[3..], [format!("games replayed: {n_games}; wrong: 0")]);
    let restored = Server::start(&elsewhere).await;
    for (pair, events) in pairs.iter().zip(&known) {
        // The session was restored.
        let player = pair.first.player.at(restored.address());
        assert_eq!(&player.game(&pair.game).await["events"], events);
    }
    let of_late = late.first.player.at(restored.address()).get(&format!("/api/v1/games/{}", late.game)).await;
    of_late.is_problem(404, "unknown_game");

    let last = pairs.pop().unwrap();
    let mut second = last.second.move_to(&restored).await;
    let chat = second.socket.take_type("chat").await;
    assert_eq!(chat["lines"][0]["text"], "à bientôt");
    let answer = second.socket.ask(&resign(&last.game)).await;
    assert_eq!(answer["type"], "ack", "the game goes on: {answer}");
}

async fn a_backup_overwrites_no_file_and_is_restored_only_into_an_empty_database(database: Database) {
    let server = Server::start(&database).await;
    let pair = pair(&server, "focus").await;
    let directory = TempDir::new().unwrap();
    let backup = directory.path().join("towers.backup");
    run(&database, &["backup", text(&backup)]).await.ok();
    let first = fs::read(&backup).unwrap();
    run(&database, &["backup", text(&backup)]).await.is_refused("exists already");
    assert!(fs::read(&backup).unwrap() == first, "the first backup is as it was");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no temporary file is left");

    let refused = run(&database, &["restore", text(&backup)]).await;
    let is_file = database.url().starts_with("sqlite");
    refused.is_refused(if is_file { "is in use by another `towers`" } else { "the database has tables" });
    assert_eq!(pair.first.player.game(&pair.game).await["summary"]["version"], 4);
    if is_file {
        server.terminate();
        let _stopped = server.ended().await;
        run(&database, &["restore", text(&backup)]).await.is_refused("exists already");
    }
}

async fn a_file_that_is_no_backup_is_not_restored(database: Database) {
    let directory = TempDir::new().unwrap();
    let backup = directory.path().join("towers.backup");
    run(&database, &["restore", text(&backup)]).await.is_refused("cannot read");
    fs::write(&backup, "games ".repeat(4096)).unwrap();
    let refused = run(&database, &["restore", text(&backup)]).await;
    let is_file = database.url().starts_with("sqlite");
    refused.is_refused(if is_file { "is not an SQLite database" } else { "pg_restore failed" });
    // The database is still empty: it can be restored into.
    let other = another(&database);
    run(&other, &["migrate"]).await.ok();
    fs::remove_file(&backup).unwrap();
    run(&other, &["backup", text(&backup)]).await.ok();
    run(&database, &["restore", text(&backup)]).await.ok();
}

async fn a_check_finds_every_game_that_was_tampered_with(database: Database) {
    let server = Server::start(&database).await;
    let right = finished(&server).await.game;
    let unreadable = pair(&server, "fibonacci").await.game;
    let illegal = pair(&server, "fenix").await.game;
    let endless = pair(&server, "focus").await.game;
    let lying = pair(&server, "crossfire").await.game;
    let strange = pair(&server, "focus-classic").await.game;
    let checked = run(&database, &["check"]).await.ok();
    assert_eq!(
        checked[1..],
        [NO_ACCOUNTS, NO_VACATIONS, "games replayed: 6; wrong: 0"],
        "a server may run meanwhile"
    );
    server.terminate();
    let _stopped = server.ended().await;

    let tampering = [
        (&unreadable, "update event set body = '{\"v\":1}' where game = $1 and version = 4"),
        (
            &illegal,
            "update event set body = '{\"v\":1,\"type\":\"turn_played\",\"actions\":[\"a1-a1\"],\"took_ms\":1}'
             where game = $1 and version = 3",
        ),
        (&endless, "delete from event where game = $1 and version = 3"),
        (&lying, "update game set turn = turn + 1, status = 'finished' where id = $1"),
        (&strange, "update game set status = 'lost' where id = $1"),
    ];
    for (game, sql) in tampering {
        execute(&database, sql, game).await;
    }
    let checked = run(&database, &["check"]).await;
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let (last, found) = checked.lines[3..].split_last().unwrap();
    assert_eq!(last, "games replayed: 6; wrong: 5");
    let said = [
        (&unreadable, "event 4: the body is not an event"),
        (&illegal, "event 3 is a turn that the rules refuse"),
        (&endless, "the versions of a game's events have a gap"),
        (
            &lying,
            "the status of its row is \"finished\", that of its log \"playing\"; the turn of its row is 4",
        ),
        (&strange, "\"lost\" is not a word for a Status"),
    ];
    assert_eq!(found.len(), said.len(), "a line for each: {found:?}");
    for (game, what) in said {
        let line = found.iter().find(|line| line.starts_with(game.as_str()));
        assert!(line.is_some_and(|line| line.contains(what)), "{game}, {what}: {found:?}");
    }
    assert!(!found.iter().any(|line| line.contains(&right)));
}

async fn a_check_finds_wrong_and_missing_keys_of_names(database: Database) {
    let server = Server::start(&database).await;
    let mut accounts = Vec::new();
    for name in ["Ada", "PaypaI", "Ida Mark"] {
        let mut player = Player::enter(&server).await;
        player
            .signs_in("/api/v1/account", &json!({"name": name, "password": "quartz violin marmalade"}))
            .await;
        accounts.push(player);
    }
    let [ada, paypal, ida] = &accounts[..] else { unreachable!("three accounts") };
    ada.patch("/api/v1/account", &json!({"name": "Countess"})).await.ok();
    assert_eq!(run(&database, &["check"]).await.ok()[1], "accounts checked: 3; wrong: 0");
    server.terminate();
    let _stopped = server.ended().await;

    // Of a former name; of a look. Another table of look-alikes gives other keys.
    execute(&database, "delete from name_key where player = $1 and key = 'ada'", ada.id()).await;
    execute(&database, "update name_key set key = 'pay' where player = $1 and key = 'paypal'", paypal.id())
        .await;
    let checked = run(&database, &["check"]).await;
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let mut expected = [
        format!("{}: the key \"ada\" of its names is missing", ada.id()),
        format!(
            "{}: the key \"paypal\" of its names is missing; the key \"pay\" is of none of its names",
            paypal.id()
        ),
    ];
    expected.sort();
    let mut found = checked.lines[1..3].to_vec();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(checked.lines[3], "accounts checked: 3; wrong: 2");
    assert!(!checked.lines.iter().any(|line| line.contains(ida.id())));
}

async fn a_check_finds_vacations_that_overlap_or_are_too_long(database: Database) {
    let server = Server::start(&database).await;
    let mut guests = Vec::new();
    for _ in 0..3 {
        let guest = Player::enter(&server).await;
        guest.send(guest.request(Method::PUT, "/api/v1/vacation").json(&json!({"days": 2}))).await.ok();
        guests.push(guest);
    }
    assert_eq!(run(&database, &["check"]).await.ok()[2], "vacations checked: 3; wrong: 0");
    server.terminate();
    let _stopped = server.ended().await;

    let [overlapping, long, right] = &guests[..] else { unreachable!("three guests") };
    for (guest, sql) in [
        (
            overlapping,
            "insert into vacation (player, from_ms, to_ms, automatic)
             select player, to_ms - 1, to_ms + 5, false from vacation where player = $1",
        ),
        (long, "update vacation set automatic = true where player = $1"),
        (
            right,
            "insert into vacation (player, from_ms, to_ms, automatic)
             select player, to_ms, to_ms + 5, false from vacation where player = $1",
        ),
    ] {
        execute(&database, sql, guest.id()).await;
    }
    let checked = run(&database, &["check"]).await;
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let found = &checked.lines[2..4];
    for (guest, what) in
        [(overlapping, "begins before the last one has ended"), (long, "is automatic and longer than a day")]
    {
        assert!(found.iter().any(|line| line.starts_with(guest.id()) && line.ends_with(what)), "{checked:?}");
    }
    assert_eq!(checked.lines[4], "vacations checked: 5; wrong: 2");
}

async fn a_game_whose_deletion_has_begun_is_neither_wrong_nor_exported(database: Database) {
    let server = Server::start(&database).await;
    let mut games = Vec::new();
    for ruleset in ["fibonacci", "fenix", "focus", "crossfire"] {
        games.push(resigned(&server, ruleset).await.game);
    }
    let [young, whole, begun, nearly_done] = &games[..] else { unreachable!("four games") };
    server.terminate();
    let _stopped = server.ended().await;
    for game in [whole, begun, nearly_done] {
        execute(&database, "update game set updated_ms = 1 where id = $1", game).await;
    }
    for game in [young, begun] {
        execute(&database, "delete from event where game = $1 and version = 6", game).await;
    }
    for sql in [
        "delete from event where game = $1 and version = 6",
        "delete from event where game = $1 and version = 5",
        "delete from event where game = $1 and version = 4",
        "delete from event where game = $1 and version = 3",
        "delete from event where game = $1 and version = 2",
        "delete from event where game = $1 and version = 1",
    ] {
        execute(&database, sql, nearly_done).await;
    }
    let checked = run(&database, &["check"]).await;
    let [_, _, _, line, last] = &checked.lines[..] else { panic!("{checked:?}") };
    assert!(line.starts_with(young), "the end of a young game is missing: {line}");
    assert_eq!(last, "games replayed: 4; wrong: 1");
    let directory = TempDir::new().unwrap();
    let said = run(&database, &["export", text(directory.path())]).await.ok();
    assert_eq!(said, ["records written: 2; there already: 0; wrong: 0"]);
    assert!(directory.path().join(format!("{whole}.txt")).exists());
}

/// Changes a stored row, found by an id, directly in the database.
async fn execute(database: &Database, sql: &'static str, id: &str) {
    let id: Uuid = id.parse().unwrap();
    let changed = if database.url().starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(database.url()).await.unwrap();
        let done = sqlx::query(sql).bind(id).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        done.rows_affected()
    } else {
        let mut connection = PgConnection::connect(database.url()).await.unwrap();
        let done = sqlx::query(sql).bind(id).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        done.rows_affected()
    };
    assert_eq!(changed, 1, "{sql}");
}

async fn finished_games_are_exported_as_valid_records(database: Database) {
    let server = Server::start(&database).await;
    let mut ended = vec![finished(&server).await];
    for ruleset in ["fibonacci-cards", "focus"] {
        ended.push(resigned(&server, ruleset).await);
    }
    let going_on = pair(&server, "crossfire").await;
    let directory = TempDir::new().unwrap();
    let records = directory.path().join("records");
    let said = run(&database, &["export", text(&records)]).await.ok();
    assert_eq!(said, ["records written: 3; there already: 0; wrong: 0"]);
    assert!(!records.join(format!("{}.txt", going_on.game)).exists(), "it is not over");
    for pair in &ended {
        let player = &pair.first.player;
        let record = fs::read_to_string(records.join(format!("{}.txt", pair.game))).unwrap();
        assert_eq!(player.get(&format!("/api/v1/games/{}/record.txt", pair.game)).await.text(), record);
        let mode = fs::metadata(records.join(format!("{}.txt", pair.game))).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "it may be of a private game");
        let request = player.request(Method::POST, "/api/v1/records/check");
        let request = request.header(header::CONTENT_TYPE, "text/plain").body(record);
        let replay: Value = player.send(request).await.ok();
        assert_eq!(replay["present"]["status"], "finished", "{replay}");
    }

    let kept = records.join(format!("{}.txt", ended[0].game));
    fs::write(&kept, "somebody's own").unwrap();
    fs::remove_file(records.join(format!("{}.txt", ended[1].game))).unwrap();
    let said = run(&database, &["export", text(&records)]).await.ok();
    assert_eq!(said, ["records written: 1; there already: 2; wrong: 0"]);
    assert_eq!(fs::read_to_string(&kept).unwrap(), "somebody's own");
}

async fn a_database_without_tables_is_neither_valid_nor_filled(database: Database) {
    let directory = TempDir::new().unwrap();
    if let Some(file) = database.file() {
        // A copy without its -wal file may be empty.
        fs::write(file, "").unwrap();
    }
    run(&database, &["check"]).await.is_refused("no tables of Towers: is its -wal file missing");
    let records = directory.path().join("records");
    run(&database, &["export", text(&records)]).await.is_refused("no tables of Towers");
    let backup = directory.path().join("towers.backup");
    run(&database, &["backup", text(&backup)]).await.is_refused("no tables of Towers");
    assert!(!backup.exists(), "there is nothing to keep");
    run(&database, &["check"]).await.is_refused("no tables of Towers");
}

async fn tables_are_made_before_a_server_starts(database: Database) {
    let made = run(&database, &["migrate"]).await.ok();
    assert_eq!(made, ["the tables are up to date"]);
    assert_eq!(
        run(&database, &["check"]).await.ok()[1..],
        [NO_ACCOUNTS, NO_VACATIONS, "games replayed: 0; wrong: 0"]
    );
    let server = Server::start(&database).await;
    Player::enter(&server).await.open_room("fenix", "public").await;
}

/// Returns the problems that `check` reports before the games.
async fn damage(database: &Database) -> Vec<String> {
    let checked = run(database, &["check"]).await;
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let is_damage = |line: &String| line.starts_with("the database is damaged: ");
    checked.lines.into_iter().filter(is_damage).collect()
}

#[tokio::test]
async fn a_check_finds_a_damaged_file() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    resigned(&server, "focus").await;
    server.terminate();
    let _stopped = server.ended().await;
    let file = database.file().unwrap();
    assert_eq!(
        run(&database, &["check"]).await.ok(),
        ["the database is sound", NO_ACCOUNTS, NO_VACATIONS, "games replayed: 1; wrong: 0"]
    );

    let mut connection = SqliteConnection::connect(database.url()).await.unwrap();
    sqlx::query("pragma foreign_keys = off").execute(&mut connection).await.unwrap();
    sqlx::query(
        "insert into session (token_hash, player, created_ms) values (zeroblob(32), zeroblob(16), 0)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let (page, page_size): (i64, i64) = sqlx::query_as(
        "select rootpage, page_size from sqlite_schema, pragma_page_size where name = 'sqlite_autoindex_event_1' or
            (name = 'event' and not exists (select 1 from sqlite_schema where name = 'sqlite_autoindex_event_1'))",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    connection.close().await.unwrap();
    let found = damage(&database).await;
    assert!(
        found.len() == 1 && found[0].contains("session names a row of player that is missing"),
        "{found:?}"
    );

    let mut bytes = fs::read(&file).unwrap();
    let page = usize::try_from((page - 1) * page_size).unwrap();
    bytes[page..page + usize::try_from(page_size).unwrap()].fill(0xA5);
    fs::write(&file, bytes).unwrap();
    let found = damage(&database).await;
    assert!(found.len() > 1, "{found:?}");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_not_called_damaged() {
    let database = Database::sqlite();
    fs::create_dir(database.file().unwrap()).unwrap();
    let checked = run(&database, &["check"]).await;
    checked.is_refused("cannot verify the database");
    assert!(!format!("{checked:?}").contains("damaged"), "{checked:?}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_called_damaged() {
    let database = Database::sqlite();
    fs::write(database.file().unwrap(), "games ".repeat(4096)).unwrap();
    let checked = run(&database, &["check"]).await;
    assert_eq!(checked.code, Some(1));
    assert!(checked.lines[0].starts_with("the database is damaged: "), "{checked:?}");
}

#[tokio::test]
async fn postgresql_is_verified_where_it_can_be() {
    let database = Database::postgres();
    run(&database, &["migrate"]).await.ok();
    let checked = run(&database, &["check"]).await.ok();
    assert!(
        checked[0].contains("was not verified") && checked[0].contains("create extension amcheck"),
        "{checked:?}"
    );
    let mut connection = PgConnection::connect(database.url()).await.unwrap();
    sqlx::query("create extension amcheck").execute(&mut connection).await.unwrap();
    let checked = run(&database, &["check"]).await.ok();
    assert_eq!(checked, ["the database is sound", NO_ACCOUNTS, NO_VACATIONS, "games replayed: 0; wrong: 0"]);
}

#[tokio::test]
async fn reading_commands_create_no_database() {
    let directory = TempDir::new().unwrap();
    let database = Database::sqlite();
    for command in ["check", "backup", "export"] {
        let path = directory.path().join(command);
        let arguments = if command == "check" { vec![command] } else { vec![command, text(&path)] };
        run(&database, &arguments).await.is_refused("does not exist");
        assert!(!path.exists(), "{command}");
    }
}

#[tokio::test]
async fn a_program_that_is_missing_is_named() {
    let (database, directory) = (Database::postgres(), TempDir::new().unwrap());
    let backup = directory.path().join("towers.backup");
    let filled = Database::postgres();
    run(&filled, &["migrate"]).await.ok();
    let refused = run_in(filled.url(), &["backup", text(&backup)], Some("/nowhere")).await;
    refused.is_refused("pg_dump is not installed");
    assert!(!backup.exists());
    fs::write(&backup, "").unwrap();
    let refused = run_in(database.url(), &["restore", text(&backup)], Some("/nowhere")).await;
    refused.is_refused("pg_restore is not installed");
}

#[tokio::test]
async fn no_error_message_contains_a_password() {
    let directory = TempDir::new().unwrap();
    let backup = directory.path().join("towers.backup");
    for (host, arguments) in [
        ("localhost/towers?host=/nowhere", vec!["migrate"]),
        ("[/towers", vec!["check"]),
        ("localhost/towers?host=/nowhere", vec!["backup", text(&backup)]),
        ("localhost/towers?unknown=1", vec!["backup", text(&backup)]),
    ] {
        let refused = run_in(&format!("postgres://ada:s3cret@{host}"), &arguments, None).await;
        refused.is_refused("Error: ");
        assert!(!format!("{refused:?}").contains("s3cret"), "{refused:?}");
    }
}
