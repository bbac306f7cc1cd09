//! The opening and the closing of a WebSocket (RFC 6455), as bytes and as a library has them.

use std::{net::Ipv4Addr, time::Duration};

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    pair::Pair,
    player::Player,
    raw::{connect, exchange, status},
    server::Server,
    socket::resign,
    timeout,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::{
        CloseFrame,
        frame::{
            Frame, FrameHeader,
            coding::{Control, Data, OpCode},
        },
    },
};

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// A request that opens a WebSocket.
const OPENING: [&str; 4] = [
    "connection: keep-alive, Upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
];

/// The head of a request to `/ws`.
fn head(player: &Player, line: &str, headers: &[&str]) -> String {
    let cookie = format!("cookie: {}", player.cookie().unwrap());
    let lines: Vec<&str> = [line, "host: h", &cookie].into_iter().chain(headers.iter().copied()).collect();
    format!("{}\r\n\r\n", lines.join("\r\n"))
}

/// Opens a WebSocket as bytes.
async fn open(server: &Server, player: &Player) -> TcpStream {
    let mut tcp = connect(server, HERE).await;
    tcp.write_all(head(player, "GET /ws HTTP/1.1", &OPENING).as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout("the upgrade", async {
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(tcp.read_u8().await.unwrap());
        }
    })
    .await;
    assert_eq!(status(&String::from_utf8(answer).unwrap()), "101");
    tcp
}

/// The bytes of a frame as a client sends it.
fn masked(opcode: OpCode, payload: &[u8]) -> Vec<u8> {
    let header = FrameHeader { opcode, mask: Some([1, 2, 3, 4]), ..FrameHeader::default() };
    let mut bytes = Vec::new();
    Frame::from_payload(header, payload.to_vec().into()).format(&mut bytes).unwrap();
    bytes
}

fn text(text: &str) -> Vec<u8> {
    masked(OpCode::Data(Data::Text), text.as_bytes())
}

/// The opcodes and payloads of short frames of the server. None of them is masked.
fn frames(mut bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut frames = Vec::new();
    while let [first, length, rest @ ..] = bytes {
        let (payload, rest) = rest.split_at((*length).into());
        frames.push((first & 0x0f, payload.to_vec()));
        bytes = rest;
    }
    frames
}

/// Sends bytes in pieces, and returns all frames until the server closes the connection, without its pings. Of a message
/// only the type is returned.
async fn answers(server: &Server, player: &Player, pieces: &[&[u8]]) -> Vec<(u8, Vec<u8>)> {
    let mut tcp = open(server, player).await;
    for piece in pieces {
        tcp.write_all(piece).await.unwrap();
    }
    let mut answer = Vec::new();
    timeout("the end of the connection", tcp.read_to_end(&mut answer)).await.unwrap();
    let mut frames = frames(&answer);
    frames.retain(|(opcode, _)| *opcode != 0x9);
    for (_, payload) in frames.iter_mut().filter(|(opcode, _)| *opcode == 0x1) {
        let message: Value = serde_json::from_slice(payload).unwrap();
        *payload = message["type"].as_str().unwrap().into();
    }
    frames
}

#[tokio::test]
async fn a_client_that_closes_is_answered_first_and_then_told_its_own_code() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let ada = Player::enter(&server).await;
    let close = |payload: &[u8]| masked(OpCode::Control(Control::Close), payload);
    let (ping, pong) = (text(r#"{"type":"ping"}"#), (0x1, b"pong".to_vec()));
    let protocol_error = [3, 234];
    for (payload, expected) in [
        (&[3, 232][..], &[3, 232][..]),
        (b"\x10\xe1going to bed", b"\x10\xe1"),
        (&[], &[]),
        // No message may have such a code.
        (&[3, 238], &protocol_error),
        (&[3], &protocol_error),
    ] {
        let (close, told) = (close(payload), (0x8, expected.to_vec()));
        let at_once = [&ping[..], &ping, &close].concat();
        assert_eq!(answers(&server, &ada, &[&at_once]).await, [pong.clone(), pong.clone(), told.clone()]);
        assert_eq!(answers(&server, &ada, &[&close]).await, std::slice::from_ref(&told));
        let apart: Vec<&[u8]> = at_once.chunks(5).collect();
        assert_eq!(answers(&server, &ada, &apart).await, [pong.clone(), pong.clone(), told], "in pieces");
    }
    let control_ping = masked(OpCode::Control(Control::Ping), b"?");
    let found = answers(&server, &ada, &[&[&control_ping[..], &close(&[3, 232])].concat()]).await;
    assert_eq!(found, [(0xa, b"?".to_vec()), (0x8, vec![3, 232])], "the pong comes before the close frame");
}

#[tokio::test]
async fn a_command_before_the_close_frame_is_acknowledged() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "fenix").await;
    let resign = resign(&pair.game);
    let close = Message::Close(Some(CloseFrame { code: 1000.into(), reason: "".into() }));
    let socket = &mut pair.first.socket;
    socket.send_frames(vec![Message::text(resign.to_string()), close]).await;
    let command = resign["command"].as_str().unwrap();
    assert_eq!(socket.answer(command).await["type"], "ack");
    assert_eq!(socket.closed().await, Some(1000), "the connection ends cleanly");
}

#[tokio::test]
async fn a_client_that_closes_and_reads_nothing_is_soon_cut() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let ada = Player::enter(&server).await;
    let mut tcp = open(&server, &ada).await;
    let close = masked(OpCode::Control(Control::Close), &[3, 232]);
    tcp.write_all(&close).await.unwrap();
    let mut rest = Vec::new();
    let rest = tcp.read_to_end(&mut rest);
    tokio::time::timeout(Duration::from_secs(10), rest).await.expect("long before a silent one is").unwrap();
}

#[tokio::test]
async fn frames_that_are_not_valid_are_misuse() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let ada = Player::enter(&server).await;
    let mut unmasked = Vec::new();
    Frame::message("{}", OpCode::Data(Data::Text), true).format(&mut unmasked).unwrap();
    for bytes in [&unmasked[..], &masked(OpCode::Data(Data::Continue), b"{}"), &[0xf1, 0x80, 0, 0, 0, 0]] {
        let found = answers(&server, &ada, &[bytes]).await;
        assert!(
            matches!(&found[..], [(0x8, told)] if told.starts_with(&4003_u16.to_be_bytes())),
            "{found:?}"
        );
    }
}

#[tokio::test]
async fn a_request_that_opens_no_socket_learns_what_would() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let ada = Player::enter(&server).await;
    let is_told = |answer: &str, header: &str| answer.to_lowercase().contains(&format!("\r\n{header}\r\n"));
    for (what, line, headers, expected) in [
        ("no upgrade", "GET /ws HTTP/1.1", &["connection: close"][..], "426"),
        ("HTTP/1.0", "GET /ws HTTP/1.0", &OPENING, "426"),
        (
            "another version",
            "GET /ws HTTP/1.1",
            &[OPENING[0], OPENING[1], "sec-websocket-version: 8", OPENING[3]],
            "426",
        ),
        ("no key", "GET /ws HTTP/1.1", &OPENING[..3], "400"),
        ("HEAD", "HEAD /ws HTTP/1.1", &OPENING, "405"),
        ("POST", "POST /ws HTTP/1.1", &OPENING, "405"),
    ] {
        let close: Vec<String> = headers.iter().map(|header| header.replace("keep-alive", "close")).collect();
        let close: Vec<&str> = close.iter().map(String::as_str).collect();
        let answer = exchange(&server, HERE, head(&ada, line, &close).as_bytes()).await;
        assert_eq!(status(&answer), expected, "{what}: {answer}");
        match expected {
            "405" => assert!(answer.to_lowercase().contains("\r\nallow: get"), "{what}: {answer}"),
            _ => {
                assert!(is_told(&answer, "upgrade: websocket"), "{what}: {answer}");
                assert!(is_told(&answer, "sec-websocket-version: 13"), "{what}: {answer}");
            }
        }
    }
}

/// Removes a field of a message, or puts a value in its place that it cannot have.
fn broken(message: &Value, field: &str, value: Option<Value>) -> Value {
    let mut broken = message.clone();
    match value {
        Some(value) => broken[field] = value,
        None => drop(broken.as_object_mut().unwrap().remove(field)),
    }
    broken
}

#[tokio::test]
async fn a_message_that_cannot_be_read_is_answered_by_the_ids_that_can() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "fenix").await;
    let game = pair.game.clone();
    let socket = &mut pair.first.socket;
    let say = |text: &str| json!({"type": "say", "command": "c-1", "game": game, "text": text});
    let pool = json!({"ruleset": "fenix", "clock": {"kind": "none"}});
    let seek = json!({"type": "seek", "pool": pool});
    let half = say("Good luck!").to_string().replace('!', "\\ud83d");
    let cases = [
        // A line with nothing left, or with too much.
        (say("\u{200b}").to_string(), "invalid", json!({"command": "c-1", "game": game})),
        (say(&"x".repeat(301)).to_string(), "invalid", json!({"command": "c-1", "game": game})),
        // Half a character, which is no JSON.
        (half, "invalid", json!({"command": "c-1", "game": game})),
        (
            json!({"type": "turn", "command": "c-2", "game": game, "version": 1, "actions": ["é"]})
                .to_string(),
            "invalid",
            json!({"command": "c-2", "game": game}),
        ),
        (
            json!({"type": "undo", "command": "c-3", "game": game}).to_string(),
            "invalid",
            json!({"command": "c-3", "game": game}),
        ),
        (
            broken(&say("Good luck!"), "game", Some(json!("g"))).to_string(),
            "invalid_message",
            json!({"of": "say", "command": "c-1"}),
        ),
        (
            broken(&say("Good luck!"), "command", Some(json!("c 1"))).to_string(),
            "invalid_message",
            json!({"of": "say", "game": game}),
        ),
        (
            json!({"type": "watch", "game": game, "version": -1}).to_string(),
            "invalid_message",
            json!({"of": "watch", "game": game}),
        ),
        (broken(&seek, "pool", None).to_string(), "invalid_message", json!({"of": "seek"})),
        (
            broken(&seek, "rank", Some(json!(1))).to_string(),
            "invalid_message",
            json!({"of": "seek", "pool": pool}),
        ),
        (json!({"type": "dance"}).to_string(), "unknown_type", json!({"of": "dance"})),
        ("{\"type\":\"ping\"".to_owned(), "invalid_json", json!({"of": "ping"})),
        ("[]".to_owned(), "invalid_message", json!({})),
    ];
    for (text, code, ids) in cases {
        socket.send_frame(Message::text(text.clone())).await;
        let mut answer = socket.take("an answer", |message| message["code"] != Value::Null).await;
        let of = if code == "invalid" { "nack" } else { "error" };
        assert_eq!((&answer["type"], &answer["code"]), (&json!(of), &json!(code)), "{text}");
        let answer = answer.as_object_mut().unwrap();
        assert!(answer.remove("detail").is_some_and(|detail| detail != ""), "{text}");
        answer.retain(|name, _| name != "type" && name != "code");
        assert_eq!(Value::from(answer.clone()), ids, "{text}");
    }
}

#[tokio::test]
async fn a_message_that_comes_too_fast_is_refused_by_its_ids() {
    let database = Database::sqlite();
    let server = Server::start_with(&database, &["--messages-per-second", "1"]).await;
    let mut pair = Pair::open(&server, "fenix").await;
    let game = pair.game.clone();
    let pool = json!({"ruleset": "fenix", "clock": {"kind": "none"}});
    let socket = &mut pair.first.socket;
    socket.send_frames(vec![Message::text(json!({"type": "ping"}).to_string()); 20]).await;
    let is_refused = |message: &Value| message["code"] == "too_fast" && message["of"] != "ping";
    for (message, of, ids) in [
        (json!({"type": "watch", "game": game, "version": 0}), "error", json!({"of": "watch", "game": game})),
        (json!({"type": "unwatch_lobby"}), "error", json!({"of": "unwatch_lobby"})),
        (json!({"type": "seek", "pool": pool}), "error", json!({"of": "seek", "pool": pool})),
        (json!({"type": "stop_seeking", "pool": pool}), "error", json!({"of": "stop_seeking", "pool": pool})),
        (
            json!({"type": "hello", "protocol": 1, "games": [{"game": game, "version": 0}], "lobby": true}),
            "error",
            json!({"of": "hello"}),
        ),
        (resign(&game), "nack", json!({"game": game})),
    ] {
        socket.send(&message).await;
        let mut answer = socket.take("a refusal", is_refused).await;
        assert_eq!(answer["type"], of, "{message}");
        assert_eq!(answer["command"], message["command"]);
        let answer = answer.as_object_mut().unwrap();
        assert!(answer.remove("retry_ms").is_some_and(|wait| wait.as_u64() > Some(0)), "{message}");
        answer.retain(|name, _| !["type", "code", "command"].contains(&name.as_str()));
        assert_eq!(Value::from(answer.clone()), ids, "{message}");
    }
}
