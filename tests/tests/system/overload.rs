//! Overload: no new games, spectators are disconnected before players, and then recovery. A database that does not
//! answer is no overload.

use std::{
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
};

use futures_util::future::join_all;
use reqwest::header;
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Socket, command, turn},
    timeout,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, Command},
};

/// A transaction that blocks the writing of events.
struct Lock(Child);

impl Lock {
    async fn take(database: &Database) -> Self {
        let mut psql = Command::new("psql")
            .args(["--quiet", "--tuples-only", "--no-align", database.url()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("psql can be run");
        let orders = psql.stdin.as_mut().expect("its input is piped");
        orders.write_all(b"begin; lock table event in exclusive mode; select 'locked';\n").await.unwrap();
        orders.flush().await.unwrap();
        let mut answers = BufReader::new(psql.stdout.take().expect("its output is piped")).lines();
        let answer = timeout("the lock", answers.next_line()).await.unwrap();
        assert_eq!(answer.as_deref(), Some("locked"));
        Self(psql)
    }

    async fn release(mut self) {
        drop(self.0.stdin.take());
        timeout("the end of the transaction", self.0.wait()).await.unwrap();
    }
}

/// Enough games to wait for an overload, and some more.
const MANY: usize = 40;

async fn pairs(server: &Server, count: usize) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for _ in 0..count {
        pairs.push(Pair::open(server, "fibonacci").await);
    }
    pairs
}

/// Runs SQL directly on the database.
async fn execute(database: &Database, sql: &str) {
    let psql = Command::new("psql").args(["--quiet", "--command", sql, database.url()]).status();
    assert!(timeout("psql", psql).await.expect("psql can be run").success(), "{sql}");
}

/// Makes each transaction with an event take a fifth of a second, so that games with one wait.
const SLOW: &str = "create function slow() returns trigger as
    'begin perform pg_sleep(0.2); return null; end' language plpgsql;
    create trigger slow after insert on event for each statement execute function slow()";

/// Plays a turn and takes it back, again and again.
async fn play_on(mut pair: Pair, game: &Game, is_over: &AtomicBool) -> Pair {
    let id = pair.game.clone();
    while !is_over.load(Ordering::Relaxed) {
        pair.play(&game.turns[0]).await;
        let (first, second) = (&mut pair.first.socket, &mut pair.second.socket);
        let offer = command("offer", &id, json!({"what": "takeback"}));
        assert_eq!(first.ask(&offer).await["type"], "ack");
        let accept = command("answer", &id, json!({"what": "takeback", "accept": true}));
        let version = second.ask(&accept).await["version"].as_u64().expect("an ack has a version");
        for socket in [first, second] {
            socket.until_version(&id, version).await;
        }
    }
    pair
}

/// Sends a turn until it is stored: while its effect is unknown, it is repeated with its id.
async fn until_stored(socket: &mut Socket, turn: &Value) {
    loop {
        let answer = socket.ask(turn).await;
        match answer["code"].as_str() {
            None => return assert_eq!(answer["type"], "ack", "{answer}"),
            Some("unavailable") => {}
            Some(_) => panic!("{answer}"),
        }
    }
}

async fn fault(socket: &mut Socket, message: &Value) -> Value {
    socket.send(message).await;
    socket.take_type("error").await
}

#[tokio::test]
async fn under_overload_no_game_begins_and_spectators_are_disconnected_but_players_play_on() {
    let database = Database::postgres();
    let options = ["--overload-after-ms", "100", "--messages-per-second", "100000"];
    let server = Server::start_with(&database, &options).await;
    let game = Game::fibonacci();
    let mut over = Pair::open(&server, &game.ruleset).await;
    let over_id = over.game.clone();
    let resign = command("resign", &over_id, json!({}));
    assert_eq!(over.first.socket.ask(&resign).await["type"], "ack");
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let id = pair.game.clone();
    let room = Player::enter(&server).await;
    let new_room = json!({"ruleset": "fibonacci", "seat": "first", "visibility": "public"});
    let mut spectator = Player::enter(&server).await.follow(&id).await;
    let mut in_the_lobby = Player::enter(&server).await.connect().await;
    in_the_lobby.hello(&[], true).await;
    in_the_lobby.take_type("lobby").await;

    let (busy, is_over) = (pairs(&server, MANY).await, AtomicBool::new(false));
    execute(&database, SLOW).await;
    let first = turn(&id, 2, &game.turns[0]);
    let playing = join_all(busy.into_iter().map(|pair| play_on(pair, &game, &is_over)));
    let loaded = async {
        assert_eq!(spectator.closed().await, Some(4004), "spectators are disconnected with a reason");

        let answer = room.respond(reqwest::Method::POST, "/api/v1/rooms", Some(&new_room)).await;
        assert_eq!(
            (answer.status().as_u16(), answer.headers().contains_key(header::RETRY_AFTER)),
            (503, true)
        );
        let problem: Value = timeout("the problem", answer.json()).await.unwrap();
        assert_eq!(problem["code"], "overloaded");

        let watch = json!({"type": "watch", "game": id, "version": 0});
        let why = fault(&mut in_the_lobby, &watch).await;
        assert_eq!((&why["code"], &why["game"]), (&json!("no_more_watchers"), &json!(id)));
        let pool = json!({"ruleset": "fibonacci", "clock": {"kind": "none"}});
        let why = fault(&mut in_the_lobby, &json!({"type": "seek", "pool": pool})).await;
        assert_eq!(why["code"], "overloaded", "{why}");
        let rematch = command("offer", &over_id, json!({"what": "rematch"}));
        let nack = over.first.socket.ask(&rematch).await;
        assert_eq!(nack["code"], "overloaded", "{nack}");
        over.second.socket.settle().await;

        let again = pair.second.player.follow(&id).await;
        drop(again);
        is_over.store(true, Ordering::Relaxed);
    };
    tokio::join!(loaded, playing, until_stored(&mut pair.first.socket, &first));
    execute(&database, "drop trigger slow on event").await;

    timeout("room for new games", async {
        while !room.post("/api/v1/rooms", &new_room).await.status.is_success() {}
    })
    .await;
    let mut spectator = Player::enter(&server).await.follow(&id).await;
    for seat in [&mut pair.first, &mut pair.second] {
        seat.socket.until_version(&id, 3).await;
    }
    pair.play_turns(&game, 1..3).await;
    spectator.until_version(&id, 5).await;
    let rematch = command("offer", &over_id, json!({"what": "rematch"}));
    assert_eq!(over.first.socket.ask(&rematch).await["type"], "ack");
    in_the_lobby.settle().await;

    let log = server.log();
    let line = |words: &str| log.lines().position(|line| line.contains("WARN") && line.contains(words));
    let (begun, ended) = (line("overloaded: refusing new games"), line("overload ended"));
    assert!(begun.is_some() && begun < ended, "the log reports both:\n{log}");
    assert!(!log.contains(" 503"), "a refusal is not logged as a fault:\n{log}");
}

#[tokio::test]
async fn a_database_that_answers_nothing_is_unavailable_and_no_overload() {
    let database = Database::postgres();
    let server = Server::start_with(&database, &["--overload-after-ms", "100"]).await;
    let game = Game::fibonacci();
    let mut pairs = pairs(&server, MANY).await;
    let watched = pairs[0].game.clone();
    let mut spectator = Player::enter(&server).await.follow(&watched).await;

    let lock = Lock::take(&database).await;
    let turns = join_all(pairs.iter_mut().map(async |pair| {
        let turn = turn(&pair.game, 2, &game.turns[0]);
        let answer = pair.first.socket.ask(&turn).await;
        assert_eq!(answer["code"], "unavailable", "{answer}");
        turn
    }))
    .await;
    lock.release().await;
    for (pair, turn) in pairs.iter_mut().zip(&turns) {
        until_stored(&mut pair.first.socket, turn).await;
    }

    let watch = json!({"type": "watch", "game": watched, "version": 0});
    spectator.send(&watch).await;
    spectator.until_version(&watched, 3).await;
    pairs[0].first.player.open_room("fibonacci", "public").await;
    let log = server.log();
    assert!(!log.contains("overloaded: refusing new games"), "{log}");
}
