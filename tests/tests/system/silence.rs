//! Packets that vanish without a reset, as behind a firewall that has forgotten its connections: whoever sends waits for
//! an answer that never comes.

use reqwest::Method;
use serde_json::json;
use system_tests::{
    database::Database,
    game::Game,
    nats::Nats,
    pair::Pair,
    player::Player,
    postgres::Postgres,
    server::Server,
    socket::{Connect, Socket},
    timeout,
};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
    time::{Duration, Instant, sleep},
};

/// Time after which all is served again.
const BACK_WITHIN: Duration = Duration::from_secs(15);

/// Number of reads under way when the silence begins.
const UNDER_WAY: u64 = 200;

/// Number of requests of each kind that are sent at once afterwards, more than a node has connections.
const AT_ONCE: u64 = 8;

/// A kind of requests.
struct Kind {
    name: &'static str,
    /// The status of an answer for which the database was read.
    status: u16,
    path: fn(u64) -> String,
}

const KINDS: [Kind; 4] = [
    Kind { name: "lists", status: 200, path: |_| "/api/v1/games?list=finished".to_owned() },
    Kind {
        name: "documents",
        status: 404,
        path: |number| format!("/api/v1/games/00000000-0000-7000-8000-{number:012x}"),
    },
    Kind { name: "sessions", status: 200, path: |_| "/api/v1/blocks".to_owned() },
    Kind { name: "readiness", status: 200, path: |_| "/readyz".to_owned() },
];

/// Sends a request of a kind until the answer is good, and returns how long after `began` that came.
async fn good_after(player: Player, kind: &'static Kind, number: u64, began: Instant) -> Duration {
    while player.respond(Method::GET, &(kind.path)(number), None).await.status() != kind.status {}
    began.elapsed()
}

/// Measures for how long this machine has stood still, in which nobody can be served.
async fn stalls(stood: watch::Sender<Duration>) {
    const TICK: Duration = Duration::from_millis(100);
    let mut at = Instant::now();
    loop {
        sleep(TICK).await;
        stood.send_modify(|stood| *stood += at.elapsed().saturating_sub(TICK));
        at = Instant::now();
    }
}

/// Plays a turn over a new connection. Returns whether it is stored.
async fn plays(player: &Player, game: &str, turn: &[String]) -> bool {
    let Ok(mut socket) = Socket::open(player, Connect::default()).await else { return false };
    socket.hello(&[], false).await;
    socket.send(&json!({"type": "watch", "game": game, "version": 0})).await;
    let is_answer = |message: &serde_json::Value| message["type"] == "events" || message["type"] == "error";
    let answer = socket.take("the game", is_answer).await;
    answer["type"] == "events" && socket.turn(game, turn).await["type"] == "ack"
}

#[tokio::test]
async fn everything_is_served_again_soon_after_all_connections_of_a_node_fell_silent() {
    let (database, nats) = (Postgres::shared().database(), Nats::start().await);
    let (to_postgres, url) = Postgres::shared().wire(&database).await;
    let to_nats = nats.wire().await;
    let nats_url = format!("nats://{}", to_nats.address());
    let server = Server::start_with(&Database::at(&url), &["--nats-url", &nats_url]).await;
    let mut pair = Pair::open(&server, "fibonacci").await;
    let turns = Game::fibonacci().turns;
    pair.play(&turns[0]).await;

    let (reader, mut tasks) = (Player::enter(&server).await, JoinSet::new());
    let (answered, mut first) = mpsc::channel(1);
    for number in 0..UNDER_WAY {
        let (reader, answered) = (reader.clone(), answered.clone());
        tasks.spawn(async move {
            let kind = &KINDS[number as usize % KINDS.len()];
            reader.respond(Method::GET, &(kind.path)(number), None).await;
            let _ = answered.try_send(());
        });
    }
    timeout("a first answer", first.recv()).await;
    let (began, (measured, stood)) = (Instant::now(), watch::channel(Duration::ZERO));
    to_postgres.swallow();
    to_nats.swallow();
    tasks.spawn(stalls(measured));

    let mut asking = JoinSet::new();
    for kind in &KINDS {
        for number in 0..AT_ONCE {
            let reader = reader.clone();
            asking.spawn(async move { (kind.name, good_after(reader, kind, number, began).await) });
        }
    }
    let playing = async {
        while !plays(&pair.second.player, &pair.game, &turns[1]).await {}
        ("turns", began.elapsed())
    };
    let mut back = vec![timeout("a turn again", playing).await];
    back.extend(timeout("good answers again", asking.join_all()).await);
    let limit = BACK_WITHIN + *stood.borrow();
    assert!(back.iter().all(|(_, took)| *took < limit), "back after, with a limit of {limit:?}: {back:?}");
    let asker = Player::stranger(&server);
    timeout("the other nodes", async {
        while asker.get("/readyz").await.text() != "ready, connected to other nodes\n" {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
