//! Floods of writes other than games from one address: they are rate-limited, and players do not notice.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures_util::future::join_all;
use reqwest::{Method, header};
use serde_json::{Value, json};
use system_tests::{
    address::ReservedAddress, database::Database, game::Game, on_both_databases, pair::Pair, player::Player,
    server::Server, socket::command,
};
use tokio_tungstenite::tungstenite::Message;

on_both_databases![
    a_flood_of_names_blocks_guests_and_lines_stops_no_turn_and_no_room,
    a_flood_of_lists_is_rate_limited_and_delays_no_turn,
];

const HONEST: &str = "192.0.2.1";
const FLOODING: &str = "192.0.2.2";
const ONLOOKER: &str = "192.0.2.3";

/// Number of concurrent requests.
const AT_ONCE: usize = 16;

async fn visitor(server: &Server, address: &str) -> Player {
    Player::stranger(server).forwarded_for(address).with_session().await
}

/// The results of a flood.
#[derive(Debug, Default)]
struct Flood {
    is_over: AtomicBool,
    asked: AtomicUsize,
    refused: AtomicUsize,
}

impl Flood {
    /// Sends requests one after the other, until the flood is over.
    async fn go_on(&self, player: &Player, ask: impl Fn(usize) -> (Method, String, Option<Value>)) {
        while !self.is_over.load(Ordering::Relaxed) {
            let (method, path, body) = ask(self.asked.fetch_add(1, Ordering::Relaxed));
            let answer = player.respond(method, &path, body.as_ref()).await;
            if answer.status() == 429 {
                assert!(answer.headers().contains_key(header::RETRY_AFTER), "{answer:?}");
                self.refused.fetch_add(1, Ordering::Relaxed);
            } else {
                assert!(answer.status().is_success(), "{answer:?}");
            }
        }
    }

    /// Sends one batch of lines after the other, each larger than the burst of an address.
    async fn chat_on(&self, player: &Player, game: &str) {
        const HEAP: usize = 150;
        let mut socket = player.follow(game).await;
        while !self.is_over.load(Ordering::Relaxed) {
            let lines: Vec<Value> =
                (0..HEAP).map(|_| command("say", game, json!({"text": "flood"}))).collect();
            socket.send_frames(lines.iter().map(|line| Message::text(line.to_string())).collect()).await;
            for line in &lines {
                let answer = socket.answer(line["command"].as_str().unwrap()).await;
                match answer["code"].as_str() {
                    None => assert_eq!(answer["type"], "ack", "{answer}"),
                    Some(code) => assert_eq!(code, "too_fast", "{answer}"),
                }
            }
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn a_flood_of_names_blocks_guests_and_lines_stops_no_turn_and_no_room(database: Database) {
    let metrics = ReservedAddress::new().unwrap();
    let address = metrics.address.to_string();
    let options = [
        "--trusted-proxies",
        "127.0.0.0/8,::1/128",
        "--address-factor",
        "1",
        // As many lines of one socket as it can send.
        "--messages-per-second",
        "100000",
        "--overload-after-ms",
        "100",
        "--metrics-listen",
        &address,
    ];
    let server = Server::start_with(&database, &options).await;
    let honest = [visitor(&server, HONEST).await, visitor(&server, HONEST).await];
    let (flooder, other) = (visitor(&server, FLOODING).await, visitor(&server, FLOODING).await);
    let onlooker = visitor(&server, ONLOOKER).await;
    let game = Game::fibonacci();
    let mut pair = Pair::between(honest, &game.ruleset).await;
    let room = flooder.open_room("fibonacci", "link").await;
    let blocks = format!("/api/v1/blocks/{}", other.id());

    let [names, blocked, guests, lines] = std::array::from_fn(|_| Flood::default());
    let floods = [&names, &blocked, &guests, &lines];
    let rename =
        |n| (Method::PATCH, "/api/v1/session".to_owned(), Some(json!({"name": format!("Flood {n}")})));
    let block = |n: usize| {
        let method = if n.is_multiple_of(2) { Method::PUT } else { Method::DELETE };
        (method, blocks.clone(), None)
    };
    let enter = |_| (Method::POST, "/api/v1/session".to_owned(), None);
    let stranger = Player::stranger(&server).forwarded_for(FLOODING);
    let flooding = async {
        let names = join_all((0..AT_ONCE).map(|_| names.go_on(&flooder, rename)));
        let blocked = join_all((0..AT_ONCE).map(|_| blocked.go_on(&flooder, block)));
        let guests = join_all((0..AT_ONCE).map(|_| guests.go_on(&stranger, enter)));
        tokio::join!(names, blocked, guests, lines.chat_on(&flooder, &room));
    };
    let playing = async {
        pair.play_turns(&game, 0..5).await;
        onlooker.open_room("fibonacci", "public").await;
        // Until each has been refused: then it exceeds its limit.
        while floods.iter().any(|flood| flood.refused.load(Ordering::Relaxed) == 0) {
            onlooker.patch("/api/v1/session", &json!({"name": "Onlooker"})).await;
        }
        pair.play_turns(&game, 5..6).await;
        for flood in floods {
            flood.is_over.store(true, Ordering::Relaxed);
        }
    };
    tokio::join!(flooding, playing);

    assert_eq!(pair.version(), 8, "all turns were acknowledged while the flood went on");
    let counted = Player::stranger(&server).at(metrics.address).get("/metrics").await;
    let count = |name: &str| -> f64 {
        let line = counted.text().lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|count| count.trim().parse().ok()).unwrap_or_else(|| panic!("no {name}"))
    };
    // One chat refuses lines before its speakers' address has spent its own tokens.
    for kind in ["name", "block", "session"] {
        assert!(count(&format!("towers_refused_total{{kind=\"{kind}\"}}")) > 0.0, "{kind}");
    }
    assert_eq!(count("towers_overloaded "), 0.0);
    let (transactions, writes) = (count("towers_commit_writes_count"), count("towers_commit_writes_sum"));
    assert!(transactions < writes, "{transactions} transactions of {writes} writes: they are grouped");
    assert!(!server.log().contains("overloaded: refusing new games"), "{}", server.log());
}

async fn a_flood_of_lists_is_rate_limited_and_delays_no_turn(database: Database) {
    let options = ["--trusted-proxies", "127.0.0.0/8,::1/128", "--address-factor", "1"];
    let server = Server::start_with(&database, &options).await;
    let honest = [visitor(&server, HONEST).await, visitor(&server, HONEST).await];
    let (flooder, onlooker) = (visitor(&server, FLOODING).await, visitor(&server, ONLOOKER).await);
    let game = Game::fibonacci();
    let mut pair = Pair::between(honest, &game.ruleset).await;
    let flood = Flood::default();
    let list = |_| (Method::GET, "/api/v1/games?list=finished&reason=quiet".to_owned(), None);
    let flooding = async {
        join_all((0..2 * AT_ONCE).map(|_| flood.go_on(&flooder, list))).await;
    };
    let playing = async {
        while flood.refused.load(Ordering::Relaxed) == 0 {
            onlooker.get("/api/v1/games?list=finished&reason=quiet").await;
        }
        pair.play_turns(&game, 0..4).await;
        onlooker.connect().await.hello(&[], true).await;
        flood.is_over.store(true, Ordering::Relaxed);
    };
    tokio::join!(flooding, playing);
    assert_eq!(pair.version(), 6);
}
