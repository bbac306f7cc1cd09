//! Hostile clients of several kinds, all at once, while two honest players play a whole game.

use std::{net::Ipv4Addr, time::Duration};

use futures_util::future::join_all;
use reqwest::Method;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    pair::Pair,
    player::Player,
    raw::{exchange, status},
    server::Server,
    socket::{Connect, Socket, turn},
};
use tokio::{sync::watch, time::Instant};
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::frame::{
        Frame,
        coding::{Data, OpCode},
    },
};

/// Number of sockets that never read, in all and from each address.
const DEAF: usize = 1_000;
const DEAF_OF_ADDRESS: usize = 200;

/// Connections whose requests never end.
const HALF_OPEN: usize = 200;

/// Connections that say nothing after the upgrade.
const SILENT: usize = 50;

/// Files that this process and the server have open.
const OPEN_FILES: u64 = 4_000;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Maximum memory of the server by its limits (`server/src/net/limits.rs`): the program with its games, a share for each
/// connection, and the outboxes.
const MEMORY: u64 = 128 * MIB + (DEAF + HALF_OPEN + SILENT + 100) as u64 * 256 * KIB + 256 * MIB;

/// The proxy in front of the server. Direct clients come from another address.
const PROXY: &str = "127.0.0.1/32";
const DIRECT: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);

async fn huge_frames(server: &Server, mallory: &Player) {
    for _ in 0..5 {
        let mut socket = mallory.connect().await;
        socket.send_frame(Message::text("x".repeat(10 << 20))).await;
        // Unread data when the server closes may keep the client's system from delivering the reason.
        assert!(matches!(socket.closed().await, Some(4003) | None));
    }
    let mut socket = mallory.connect().await;
    let cut = Frame::message(b"\xc3\x28".to_vec(), OpCode::Data(Data::Text), true);
    socket.send_frame(Message::Frame(cut)).await;
    assert_eq!(socket.closed().await, Some(4003), "text that is not UTF-8");
    let answer = exchange(
        server,
        DIRECT,
        b"GET /ws HTTP/1.1\r\nhost: h\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    )
    .await;
    assert_eq!(status(&answer), "401", "{answer}");
}

async fn floods(mallory: &Player) {
    for message in [json!({"type": "ping"}), json!({"type": "dance"}), json!([])] {
        let mut socket = mallory.connect().await;
        socket.send_frames(vec![Message::text(message.to_string()); 4_000]).await;
        assert_eq!(socket.closed().await, Some(4003));
    }
    let mut socket = mallory.connect().await;
    socket.hello(&[], false).await;
    socket.send_frame(Message::text("[".repeat(16_000))).await;
    assert_eq!(socket.take_type("error").await["code"], "invalid_json", "nested too deeply to be parsed");
}

async fn half_open(server: &Server) {
    let beginnings = [&b"GET / HTTP/1.1\r\nhost: h\r\nx-more: "[..], b"G", b""];
    let ends = (0..HALF_OPEN).map(|number| exchange(server, DIRECT, beginnings[number % beginnings.len()]));
    for answer in join_all(ends).await {
        assert!(matches!(status(&answer), "" | "408"), "{answer}");
    }
}

async fn slow_bodies(server: &Server, mallory: &Player) {
    let cookie = mallory.cookie().unwrap();
    let head = format!(
        "POST /api/v1/rooms HTTP/1.1\r\nhost: h\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
         content-length: 1000\r\nconnection: close\r\n\r\n{{"
    );
    for answer in join_all((0..20).map(|_| exchange(server, DIRECT, head.as_bytes()))).await {
        assert_eq!(status(&answer), "408", "{answer}");
    }
}

async fn broken_requests(server: &Server, mallory: &Player) {
    let cookie = mallory.cookie().unwrap();
    let giant = format!("GET / HTTP/1.1\r\nhost: h\r\nx-giant: {}\r\n\r\n", "x".repeat(64 << 10));
    let room = |body: &str| {
        format!(
            "POST /api/v1/rooms HTTP/1.1\r\nhost: h\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
    };
    let post = |headers: &str, body: &str| {
        format!("POST /api/v1/records/check HTTP/1.1\r\nhost: h\r\nconnection: close\r\n{headers}\r\n{body}")
    };
    let cases: Vec<(Vec<u8>, &[&str])> = vec![
        (giant.into(), &["431", ""]),
        (post("content-length: 2\r\ncontent-length: 20\r\n", "{}").into(), &["400"]),
        (post("content-length: -1\r\n", "").into(), &["400"]),
        (post("transfer-encoding: chunked\r\ncontent-type: text/plain\r\n", "zz\r\n").into(), &["400"]),
        (post("content-type: text/plain\r\ncontent-length: 999999999\r\n", "x").into(), &["408"]),
        (
            [post("content-type: text/plain\r\ncontent-length: 2\r\n", "").as_bytes(), b"\xc3\x28"].concat(),
            &["400"],
        ),
        (room(&"[".repeat(16_000)).into(), &["400", "422"]),
        (room(&format!("{{\"start\":{}", "{\"a\":".repeat(3_000))).into(), &["400", "422"]),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), &["400", ""]),
        (b"GET /../../../../etc/passwd HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n".to_vec(), &["404"]),
        (
            b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n".to_vec(),
            &["404"],
        ),
        (b"GET /rules/..%2f..%2fCargo HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n".to_vec(), &["404"]),
    ];
    for (request, expected) in cases {
        let answer = exchange(server, DIRECT, &request).await;
        let shown = String::from_utf8_lossy(&request[..request.len().min(120)]).into_owned();
        assert!(expected.contains(&status(&answer)), "{shown}: {answer}");
        assert!(!answer.contains("root:"));
    }
}

async fn forgers(server: &Server, victim: &Player) {
    let room = json!({"ruleset": "fibonacci", "seat": "first", "visibility": "public"});
    let stranger = Player::stranger(server);
    let token = victim.token();
    let shortened = &token[..token.len() - 1];
    for forged in ["", "A", shortened, &format!("{token}A"), &"A".repeat(43), "../../etc", &"é".repeat(3)] {
        let request = stranger.request(Method::POST, "/api/v1/rooms").json(&room);
        let port = server.address().port();
        let request = request.header("cookie", format!("towers_session_{port}={forged}").into_bytes());
        stranger.send(request).await.is_problem(401, "no_session");
    }
    for origin in ["https://evil.example", "null", "http://localhost"] {
        let request = victim.request(Method::POST, "/api/v1/rooms").json(&room).header("origin", origin);
        victim.send(request).await.is_problem(403, "foreign_origin");
        let socket = Socket::open(victim, Connect { origin: Some(origin), ..Connect::default() }).await;
        assert_eq!(socket.err().map(|status| status.as_u16()), Some(403));
    }
}

/// Sockets that request the game again and again and never read.
async fn deaf(server: &Server, game: &str) -> Vec<Socket> {
    let watch = Message::text(json!({"type": "watch", "game": game, "version": 0}).to_string());
    let mut sockets = Vec::new();
    for address in 0..DEAF / DEAF_OF_ADDRESS {
        let address = format!("192.0.2.{address}");
        let player = Player::stranger(server).forwarded_for(&address).with_session().await;
        for _ in 0..DEAF_OF_ADDRESS {
            let how = Connect { is_slow: true, ..Connect::default() };
            let mut socket = Socket::open(&player, how).await.expect("this many sockets are allowed");
            socket.send_frames(vec![watch.clone(); 70]).await;
            sockets.push(socket);
        }
    }
    sockets
}

/// Repeats an honest player's command in another's name, without effect.
async fn repeats(intruder: &mut Socket, said: &Value) {
    for other in [json!("turn"), json!("draft"), json!("resign")] {
        let mut message = said.clone();
        if other == "resign" {
            let fields = message.as_object_mut().unwrap();
            fields.remove("actions");
            fields.remove("version");
        }
        message["type"] = other;
        let nack = intruder.ask(&message).await;
        assert_eq!(nack["type"], "nack", "{nack}");
    }
}

/// Plays a game to its end, and then again, until the hostile clients are done. Returns the latency of each turn.
async fn play_honestly(server: &Server, mut is_over: watch::Receiver<bool>, game: &Game) -> Vec<Duration> {
    let mut took = Vec::new();
    for number in 0_u16.. {
        let [high, low] = number.to_be_bytes();
        let home = Player::stranger(server).forwarded_for(&format!("203.0.{high}.{low}"));
        let players = [home.clone().with_session().await, home.clone().with_session().await];
        let mut pair = Pair::between(players, &game.ruleset).await;
        let id = pair.game.clone();
        let mut intruder = home.with_session().await.follow(&id).await;
        for actions in &game.turns {
            let (mover, other) = pair.by_turn();
            let said = turn(&id, mover.socket.record(&id).version(), actions);
            let sent = Instant::now();
            let answer = mover.socket.ask(&said).await;
            took.push(sent.elapsed());
            assert_eq!(answer["type"], "ack", "an honest turn is never refused: {answer}");
            let version = answer["version"].as_u64().unwrap();
            mover.socket.until_version(&id, version).await;
            other.socket.until_version(&id, version).await;
            repeats(&mut intruder, &said).await;
        }
        let document = pair.first.player.game(&id).await;
        assert_eq!(document["present"]["outcome"], game.outcome, "the game has its end");
        if *is_over.borrow_and_update() {
            break;
        }
    }
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn honest_players_play_on_despite_hostile_clients_and_the_memory_is_bounded() {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(OPEN_FILES, |maximum| maximum.min(OPEN_FILES));
    setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).expect("files may be open");
    let database = Database::sqlite();
    let options = ["--trusted-proxies", PROXY, "--address-factor", "1"];
    let server = Server::start_with(&database, &options).await;
    let game = Game::fibonacci();
    let mallory = Player::stranger(&server).forwarded_for("198.51.100.66").with_session().await;
    let victim = Player::enter(&server).await;
    let mut long = Pair::open(&server, &game.ruleset).await;
    long.play_turns(&game, 0..game.turns.len()).await;

    let (tell, is_over) = watch::channel(false);
    let hostile = async {
        let mut silent = Vec::new();
        for _ in 0..SILENT {
            silent.push(mallory.connect().await);
        }
        let (deaf, ..) = tokio::join!(
            deaf(&server, &long.game),
            huge_frames(&server, &mallory),
            floods(&mallory),
            half_open(&server),
            slow_bodies(&server, &mallory),
            broken_requests(&server, &mallory),
            forgers(&server, &victim),
        );
        tell.send_replace(true);
        (silent, deaf)
    };
    let ((_silent, deaf), mut took) = tokio::join!(hostile, play_honestly(&server, is_over, &game));
    let most = server.most_memory();
    took.sort_unstable();
    eprintln!(
        "{} honest turns beside {} deaf sockets: half within {:?}, all within {:?}; the server had {} MiB at most",
        took.len(),
        deaf.len(),
        took[took.len() / 2],
        took[took.len() - 1],
        most / MIB,
    );
    assert!(most <= MEMORY, "{} MiB are more than {}", most / MIB, MEMORY / MIB);
    assert_eq!(Player::stranger(&server).get("/readyz").await.status, 200);
}
