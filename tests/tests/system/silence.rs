//! Packets that vanish without a reset, as behind a firewall that has forgotten its connections: whoever sends waits for
//! an answer that never comes.

use std::sync::{Arc, Mutex};

use reqwest::Method;
use serde_json::json;
use system_tests::{
    database::Database,
    game::Game,
    nats::Nats,
    player::Player,
    postgres::Postgres,
    server::Server,
    socket::{Connect, Socket},
    table::Table,
    timeout,
};
use tokio::{
    sync::Notify,
    task::JoinSet,
    time::{Duration, Instant},
};

/// Time after which all is served again.
const BACK_WITHIN: Duration = Duration::from_secs(15);

/// A kind of requests.
struct Kind {
    name: &'static str,
    /// The status of an answer for which the database was read.
    status: u16,
    asked_at_once: usize,
    path: fn(u64) -> String,
}

const KINDS: [Kind; 4] = [
    Kind { name: "list", status: 200, asked_at_once: 80, path: |_| "/api/v1/games?list=finished".to_owned() },
    Kind {
        name: "document",
        status: 404,
        asked_at_once: 80,
        path: |number| format!("/api/v1/games/00000000-0000-7000-8000-{number:012x}"),
    },
    Kind { name: "session", status: 200, asked_at_once: 40, path: |_| "/api/v1/session".to_owned() },
    Kind { name: "readiness", status: 200, asked_at_once: 1, path: |_| "/readyz".to_owned() },
];

/// The good answers to requests of one kind, sent again and again.
#[derive(Debug, Default)]
struct Answers {
    /// When each request was sent, and when its answer came.
    good: Mutex<Vec<(Instant, Instant)>>,
    /// Notified of each.
    came: Notify,
}

impl Answers {
    /// Waits for so many good answers to requests sent since a moment, and returns when the last of them came.
    async fn since(&self, moment: Instant, number: usize) -> Instant {
        loop {
            let came = self.came.notified();
            let nth =
                self.good.lock().unwrap().iter().filter(|(sent, _)| *sent >= moment).nth(number - 1).copied();
            if let Some((_, at)) = nth {
                return at;
            }
            came.await;
        }
    }
}

/// Sends requests of a kind, each after the answer to the one before.
async fn ask(player: Player, kind: &'static Kind, answers: Arc<Answers>) {
    for number in 0.. {
        let sent = Instant::now();
        let status = player.respond(Method::GET, &(kind.path)(number), None).await.status();
        if status == kind.status {
            answers.good.lock().unwrap().push((sent, Instant::now()));
            answers.came.notify_waiters();
        }
    }
}

/// Plays a turn over a new connection. Returns whether it is stored.
async fn plays(player: &Player, game: &str, turn: &[String]) -> bool {
    let Ok(mut socket) = Socket::open(player, Connect::default()).await else { return false };
    socket.hello(&[], false).await;
    socket.send(&json!({"type": "watch", "game": game, "version": 0})).await;
    let is_answer = |message: &serde_json::Value| message["type"] == "snapshot" || message["type"] == "error";
    let answer = socket.take("the snapshot", is_answer).await;
    answer["type"] == "snapshot" && socket.turn(game, turn).await["type"] == "ack"
}

#[tokio::test]
async fn everything_is_served_again_soon_after_all_connections_of_a_node_fell_silent() {
    let (database, nats) = (Postgres::shared().database(), Nats::start().await);
    let (to_postgres, url) = Postgres::shared().wire(&database).await;
    let to_nats = nats.wire().await;
    let nats_url = format!("nats://{}", to_nats.address());
    let server = Server::start_with(&Database::at(&url), &["--nats-url", &nats_url]).await;
    let mut table = Table::open(&server, "fibonacci").await;
    let turns = Game::fibonacci().turns;
    table.play(&turns[0]).await;

    let reader = Player::enter(&server).await;
    let mut asking = JoinSet::new();
    let kinds: Vec<Arc<Answers>> = KINDS
        .iter()
        .map(|kind| {
            let answers = Arc::<Answers>::default();
            for _ in 0..kind.asked_at_once {
                asking.spawn(ask(reader.clone(), kind, answers.clone()));
            }
            answers
        })
        .collect();
    let began = Instant::now();
    for (kind, answers) in KINDS.iter().zip(&kinds) {
        timeout(format!("a first {}", kind.name), answers.since(began, kind.asked_at_once)).await;
    }

    let began = Instant::now();
    to_postgres.swallow();
    to_nats.swallow();
    let playing = async {
        while !plays(&table.second.player, &table.game, &turns[1]).await {}
        began.elapsed()
    };
    let mut back = vec![("turn", timeout("a turn again", playing).await)];
    for (kind, answers) in KINDS.iter().zip(&kinds) {
        // Several: one connection of many may have survived.
        let all = answers.since(began, kind.asked_at_once);
        let at = timeout(format!("a {} again", kind.name), all).await;
        back.push((kind.name, at - began));
    }
    assert!(back.iter().all(|(_, took)| *took < BACK_WITHIN), "back after: {back:?}");
    let asker = Player::stranger(&server);
    timeout("the other nodes", async {
        while asker.get("/readyz").await.text() != "ready, connected to other nodes\n" {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
