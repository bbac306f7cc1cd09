//! Costly engine work: it is done once, apart from the games of others, and not for clients who have left.

use serde_json::{Value, json};
use system_tests::{
    address::ReservedAddress,
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Socket, command, draft, turn},
    timeout,
};
use tokio_tungstenite::tungstenite::Message;

on_both_databases![
    a_flood_of_costly_questions_delays_no_player_and_each_is_computed_once,
    abandoned_work_is_not_done,
    a_room_does_not_begin_where_captures_are_too_costly_to_resolve,
];

/// A cheap position, and the turn after which the other side's captures take 125,000 steps to resolve.
const BEFORE: &str = "3s3s1/4s2K1/2s3ss1/ss1ssss1s/2s4s1/2s2s2s/2s4s1/s2sss2C/2k3s1C 2 12 - 0";
const TURN: &str = "g7-g8";
/// A capture that is too small there.
const TOO_SMALL: &str = "h8xh6";

/// The position with the longest search that was found.
const WORST: &str = "C1Cs3s1/1C1Cs1sK1/2s4s1/ss1ssss1s/2s4s1/2s2s1Cs/2s4s1/s1CsssC1C/2k3s1C 1 13 - 0";

/// Messages that a connection may send at once.
const AT_ONCE: usize = 80;

/// A server whose metrics count the computed pieces of work.
struct Counted {
    server: Server,
    metrics: ReservedAddress,
}

impl Counted {
    async fn start(database: &Database) -> Self {
        let metrics = ReservedAddress::new().unwrap();
        let address = metrics.address.to_string();
        let server = Server::start_with(database, &["--metrics-listen", &address]).await;
        Self { server, metrics }
    }

    async fn metric(&self, name: &str) -> u64 {
        let counted = Player::stranger(&self.server).at(self.metrics.address).get("/metrics").await;
        let line = counted.text().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap().parse().unwrap()
    }

    /// Pieces of work that were computed.
    async fn computed(&self) -> u64 {
        self.metric("towers_compute_seconds_count").await
    }

    /// Waits until no piece of work is running or waiting.
    async fn idle(&self) {
        timeout("the end of all work", async {
            while self.metric("towers_compute_waiting").await + self.metric("towers_compute_running").await
                > 0
            {}
        })
        .await;
    }

    /// A game at a position whose captures are costly to resolve, with the first side to move.
    async fn costly(&self) -> Pair {
        let mut pair = Pair::open_from(&self.server, "fenix", Some(BEFORE)).await;
        pair.play(&[TURN]).await;
        pair
    }
}

fn options(game: &str, version: u64) -> Value {
    command("options", game, json!({"version": version, "actions": []}))
}

async fn send_all(socket: &mut Socket, messages: &[Value]) {
    let frames = messages.iter().map(|message| Message::text(message.to_string())).collect();
    socket.send_frames(frames).await;
}

async fn a_flood_of_costly_questions_delays_no_player_and_each_is_computed_once(database: Database) {
    let counted = Counted::start(&database).await;
    let game = Game::fibonacci();
    let mut honest = Pair::open(&counted.server, &game.ruleset).await;
    let before = counted.computed().await;
    let mut floods = [counted.costly().await, counted.costly().await];
    let made = counted.computed().await - before;
    let mut asked = Vec::new();
    for pair in &mut floods {
        let version = pair.version();
        let nothing: [&str; 0] = [];
        let messages: Vec<Value> = (0..AT_ONCE / 4)
            .flat_map(|_| {
                [
                    options(&pair.game, version),
                    draft(&pair.game, version, &nothing),
                    turn(&pair.game, version, &[TOO_SMALL]),
                ]
            })
            .collect();
        send_all(&mut pair.first.socket, &messages).await;
        asked.push(messages);
    }
    honest.play_turns(&game, 0..4).await;
    for (pair, messages) in floods.iter_mut().zip(&asked) {
        for message in messages {
            let answer = pair.first.socket.answer(message["command"].as_str().unwrap()).await;
            let is_fast = answer["code"] == "too_fast";
            match message["type"].as_str().unwrap() {
                "turn" => assert!(is_fast || answer["rule"] == "2.7", "{answer}"),
                _ => assert!(
                    is_fast || answer["type"] == "options" || answer["code"] == "too_many",
                    "{answer}"
                ),
            }
        }
    }
    let worked_out = counted.computed().await - before;
    // For each position there are two pieces: the search when a turn leads to it, and the list of actions.
    assert!(made >= 2 && worked_out <= 2 * made, "{made} pieces before the flood, {worked_out} after it");
}

async fn abandoned_work_is_not_done(database: Database) {
    const GAMES: usize = 7;
    let counted = Counted::start(&database).await;
    let [maker, guest] = [Player::enter(&counted.server).await, Player::enter(&counted.server).await];
    let mut questions = Vec::new();
    for _ in 0..GAMES {
        let room = json!({"ruleset": "fenix", "seat": "first", "visibility": "link", "start": BEFORE});
        let summary = maker.post("/api/v1/rooms", &room).await.ok();
        let game = summary["id"].as_str().unwrap();
        guest.join(game).await.ok();
        let mut socket = guest.follow(game).await;
        let version = socket.record(game).version();
        assert_eq!(socket.turn(game, &[TURN]).await["type"], "ack");
        questions.push(options(game, version + 1));
    }
    let before = counted.computed().await;
    let mut socket = maker.connect().await;
    socket.hello(&[], false).await;
    send_all(&mut socket, &questions).await;
    drop(socket);
    counted.idle().await;
    // Once the maker's connection is known to be closed, its other questions are dropped.
    Pair::open(&counted.server, "focus").await;
    counted.idle().await;
    let worked_out = counted.computed().await - before;
    assert!(worked_out < GAMES as u64, "{worked_out} of {GAMES} lists were made for nobody");
}

async fn a_room_does_not_begin_where_captures_are_too_costly_to_resolve(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    let room =
        |start: &str| json!({"ruleset": "fenix", "seat": "first", "visibility": "link", "start": start});
    player.post("/api/v1/rooms", &room(WORST)).await.is_problem(422, "costly_start");
    player.post("/api/v1/rooms", &room(BEFORE)).await.ok();
    let record = format!("towers-record 1\nruleset: fenix\nstart: {WORST}\n\nfinal: {WORST}\n");
    let check = player.request(reqwest::Method::POST, "/api/v1/records/check").body(record);
    let check = check.header(reqwest::header::CONTENT_TYPE, "text/plain");
    let answer = player.send(check).await;
    answer.is_problem(422, "bad_record");
    let detail = answer.body["detail"].as_str().unwrap();
    assert!(detail.contains("too costly to resolve"), "{detail}");
}
