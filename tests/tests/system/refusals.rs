//! A client that continues after refusals loses its own connection, and costs others nothing.

use std::net::Ipv4Addr;

use system_tests::{
    database::Database,
    game::Game,
    player::Player,
    raw::{connect, exchange},
    server::Server,
    socket::{Connect, Socket},
    table::Table,
    timeout,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::frame::{
        Frame, FrameHeader,
        coding::{Control, Data, OpCode},
    },
};

/// Source address of the hostile clients. The honest ones come from 127.0.0.1.
const MALLORY: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);

/// Burst of requests of one address, and number of refusals after which a connection is closed.
const AT_ONCE: usize = 400;
const REFUSALS: usize = 16;

async fn start() -> (Server, Database) {
    let database = Database::sqlite();
    (Server::start_with(&database, &["--address-factor", "1"]).await, database)
}

/// Counts the answers of a connection by status, and returns whether the last one announced the close.
fn counted(answers: &str) -> (usize, usize, bool) {
    let with = |status: &str| answers.matches(&format!("HTTP/1.1 {status} ")).count();
    let last = answers.rfind("HTTP/1.1 ").map_or("", |start| &answers[start..]);
    (with("200"), with("429"), last.contains("connection: close"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipeline_that_keeps_being_refused_is_closed_and_nobody_else_is() {
    let ((server, _database), game) = (start().await, Game::fibonacci());
    let mut table = Table::open(&server, "fibonacci").await;
    let request = "GET /healthz HTTP/1.1\r\nhost: h\r\n\r\n".repeat(10 * AT_ONCE);
    let (answers, ()) =
        tokio::join!(exchange(&server, MALLORY, request.as_bytes()), table.play_turns(&game, 0..4));
    let (served, refused, is_closed) = counted(&answers);
    assert!(served >= AT_ONCE, "{served} were served");
    assert!(refused >= REFUSALS, "{refused} were refused");
    assert!(is_closed, "the last answer says that the connection closes");
    assert!(served + refused < 9 * AT_ONCE, "most were never answered: {served}, {refused}");
    for _ in 0..3 {
        let (served, refused, is_closed) = counted(&exchange(&server, MALLORY, request.as_bytes()).await);
        assert!(is_closed, "the next connections are closed too: {served}, {refused}");
    }
    assert_eq!(Player::stranger(&server).get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_opens_connections_without_end_is_cut_before_it_is_read() {
    let ((server, _database), game) = (start().await, Game::fibonacci());
    let mut table = Table::open(&server, "fibonacci").await;
    let connect = async {
        timeout("a connection that is refused", async {
            loop {
                let mut connection = connect(&server, MALLORY).await;
                // The client sends no request, and closes its sending half at once.
                let _ = connection.shutdown().await;
                let mut answer = String::new();
                let _ = connection.read_to_string(&mut answer).await;
                if answer.contains("\"too_fast\"") {
                    return;
                }
            }
        })
        .await;
    };
    tokio::join!(connect, table.play_turns(&game, 0..4));
    assert_eq!(Player::stranger(&server).get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_of_pongs_and_of_fragments_are_misuse_and_the_others_play_on() {
    let ((server, _database), game) = (start().await, Game::fibonacci());
    let header = FrameHeader { opcode: OpCode::Control(Control::Pong), ..FrameHeader::default() };
    let pong = Frame::from_payload(header, Default::default());
    let begun = Frame::message(b"{".to_vec(), OpCode::Data(Data::Text), false);
    let empty = Frame::message(Vec::new(), OpCode::Data(Data::Continue), false);
    let mut table = Table::open(&server, "fibonacci").await;
    let mallory = Player::enter(&server).await;
    for (beginning, flood) in [(pong.clone(), pong), (begun, empty)] {
        let mut socket =
            Socket::open(&mallory, Connect { from: Some(MALLORY), ..Connect::default() }).await.unwrap();
        socket.hello(&[], false).await;
        let mut frames = vec![Message::Frame(beginning)];
        frames.resize(2_000, Message::Frame(flood));
        socket.send_frames(frames).await;
        assert_eq!(socket.closed().await, Some(4003));
    }
    table.play_turns(&game, 0..4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_in_fragments_is_a_message() {
    let (server, _database) = start().await;
    let mut socket = Player::enter(&server).await.connect().await;
    socket.hello(&[], false).await;
    let pieces = [
        (&b"{\"type\""[..], Data::Text, false),
        (b":\"pi", Data::Continue, false),
        (b"ng\"}", Data::Continue, true),
    ];
    for (piece, data, is_final) in pieces {
        let frame = Frame::message(piece.to_vec(), OpCode::Data(data), is_final);
        socket.send_frame(Message::Frame(frame)).await;
        socket.send_frame(Message::Pong(Vec::new().into())).await;
    }
    socket.take_type("pong").await;
}
