//! A client that continues after refusals loses its own connection, and costs others nothing.

use std::net::Ipv4Addr;

use futures_util::future::join_all;
use system_tests::{
    database::Database,
    game::Game,
    pair::Pair,
    player::Player,
    raw::{connect, exchange},
    server::Server,
    socket::{Connect, Socket},
    timeout,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};
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

const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: h\r\n\r\n";

/// The answers of one connection to requests that are sent one at a time, until the server closes it.
#[derive(Debug, Default)]
struct Answers {
    served: usize,
    refused: usize,
    /// Whether the last answer announced the close.
    is_closed: bool,
}

/// Sends requests until the connection is closed. Each waits for the answer before it, so no data is unread when the
/// server closes the connection, and no answer is lost.
async fn continue_until_closed(server: &Server) -> Answers {
    let mut connection = BufReader::new(connect(server, MALLORY).await);
    let mut answers = Answers::default();
    while connection.get_mut().write_all(REQUEST).await.is_ok() {
        let Some(head) = timeout("an answer", answer(&mut connection)).await else { break };
        answers.served += usize::from(head.starts_with("http/1.1 200 "));
        answers.refused += usize::from(head.starts_with("http/1.1 429 "));
        answers.is_closed = head.contains("\r\nconnection: close\r\n");
    }
    answers
}

/// Reads an answer, and returns its head in lower case; `None` if the connection is closed.
async fn answer(connection: &mut BufReader<TcpStream>) -> Option<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if connection.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let head = head.to_ascii_lowercase();
    let (_, rest) = head.split_once("content-length: ").expect("an answer has a length");
    let length = rest.split("\r\n").next().unwrap().parse().unwrap();
    connection.read_exact(&mut vec![0; length]).await.ok()?;
    Some(head)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_keeps_being_refused_loses_its_connection_and_nobody_else_does() {
    let ((server, _database), game) = (start().await, Game::fibonacci());
    let mut pair = Pair::open(&server, "fibonacci").await;
    // Several at once, so that they are faster than their rate also on a busy machine.
    let flood = || join_all((0..8).map(|_| continue_until_closed(&server)));
    let flooding = timeout("the end of all connections", flood());
    let (answers, ()) = tokio::join!(flooding, pair.play_turns(&game, 0..4));
    assert!(answers.iter().map(|each| each.served).sum::<usize>() >= AT_ONCE, "{answers:?}");
    let is_right = |each: &Answers| each.refused >= REFUSALS && each.is_closed;
    assert!(answers.iter().all(is_right), "{answers:?}");
    let answers = timeout("the end of all connections", flood()).await;
    assert!(answers.iter().all(is_right), "the next connections are closed too: {answers:?}");
    assert_eq!(Player::stranger(&server).get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn most_of_a_pipeline_that_keeps_being_refused_is_never_answered() {
    let ((server, _database), game) = (start().await, Game::fibonacci());
    let mut pair = Pair::open(&server, "fibonacci").await;
    let requests = REQUEST.repeat(10 * AT_ONCE);
    // The connection ends with unread requests, which may cost the client the last answers.
    let (answers, ()) = tokio::join!(exchange(&server, MALLORY, &requests), pair.play_turns(&game, 0..4));
    let n_answers = answers.matches("HTTP/1.1 ").count();
    assert!(n_answers < 9 * AT_ONCE, "{n_answers}");
    assert_eq!(Player::stranger(&server).get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_opens_connections_without_end_is_cut_before_it_is_read() {
    let ((server, _database), game) = (start().await, Game::fibonacci());
    let mut pair = Pair::open(&server, "fibonacci").await;
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
    tokio::join!(connect, pair.play_turns(&game, 0..4));
    assert_eq!(Player::stranger(&server).get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_of_pongs_and_of_fragments_are_misuse_and_the_others_play_on() {
    let ((server, _database), game) = (start().await, Game::fibonacci());
    let header = FrameHeader { opcode: OpCode::Control(Control::Pong), ..FrameHeader::default() };
    let pong = Frame::from_payload(header, Default::default());
    let begun = Frame::message(b"{".to_vec(), OpCode::Data(Data::Text), false);
    let empty = Frame::message(Vec::new(), OpCode::Data(Data::Continue), false);
    let mut pair = Pair::open(&server, "fibonacci").await;
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
    pair.play_turns(&game, 0..4).await;
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
