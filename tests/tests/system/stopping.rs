//! The end of the server: a shutdown request, or a kill at the worst moment.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Connect, Socket, turn},
};
use tokio::{io::AsyncWriteExt, net::TcpStream};

on_both_databases![
    a_stop_is_graceful,
    no_client_delays_a_stop,
    turns_under_way_survive_a_stop,
    a_turn_without_its_answer_can_be_sent_again,
];

async fn a_stop_is_graceful(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    server.terminate();
    for socket in [&mut pair.first.socket, &mut pair.second.socket] {
        assert_eq!(socket.closed().await, Some(4002), "the server is going down");
        assert_eq!(socket.last_words(), Some("going down, come back in 1 s"));
    }
    let (status, stopped) = server.ended().await;
    assert_eq!(status.code(), Some(0), "{status}");

    let _server = stopped.start().await;
    let mut pair = pair.reconnect().await;
    assert_eq!(pair.version(), 4);
    pair.play_turns(&game, 2..4).await;
}

async fn no_client_delays_a_stop(database: Database) {
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "fenix").await;
    // A request that never ends, and a client that reads nothing and never says goodbye.
    let mut half = TcpStream::connect(server.address()).await.unwrap();
    half.write_all(b"POST /api/v1/rooms HTTP/1.1\r\nHost: towers\r\nContent-Length: 9\r\n").await.unwrap();
    let deaf = Player::enter(&server).await;
    let deaf = Socket::open(&deaf, Connect { is_slow: true, ..Connect::default() }).await.unwrap();
    pair.first.socket.settle().await;
    server.terminate();
    let (status, stopped) = server.ended().await;
    assert_eq!(status.code(), Some(0), "{status}");
    assert_eq!(pair.first.socket.closed().await, Some(4002), "others are told");
    drop((half, deaf));

    let _server = stopped.start().await;
    let mut pair = pair.reconnect().await;
    pair.play_turns(&Game::read("fenix"), 0..2).await;
}

async fn turns_under_way_survive_a_stop(database: Database) {
    const PAIRS: usize = 8;
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pairs = Vec::new();
    for _ in 0..PAIRS {
        pairs.push(Pair::open(&server, &game.ruleset).await);
    }
    let turns: Vec<Value> = pairs.iter().map(|pair| turn(&pair.game, 2, &game.turns[0])).collect();
    for (pair, turn) in pairs.iter_mut().zip(&turns) {
        pair.first.socket.send(turn).await;
    }
    server.terminate();
    let (status, stopped) = server.ended().await;
    assert_eq!(status.code(), Some(0), "{status}");
    let mut acknowledged = Vec::new();
    for pair in &mut pairs {
        assert_eq!(pair.first.socket.closed().await, Some(4002));
        acknowledged.push(pair.first.socket.waiting().any(|message| message["type"] == "ack"));
    }

    let _server = stopped.start().await;
    for ((pair, turn), acknowledged) in pairs.into_iter().zip(&turns).zip(acknowledged) {
        let document = pair.first.player.game(&pair.game).await;
        let stored = document["summary"]["version"] == 3;
        assert!(stored || !acknowledged, "an acknowledged turn is lost");
        let mut pair = pair.reconnect().await;
        has_one_effect(&mut pair, turn).await;
    }
}

/// Repeats a turn whose effect is unknown: it then has exactly one effect.
async fn has_one_effect(pair: &mut Pair, turn: &Value) {
    let answer = pair.first.socket.ask(turn).await;
    let expected = json!({"type": "ack", "command": turn["command"], "game": pair.game, "version": 3});
    assert_eq!(answer, expected);
    let document = pair.second.player.game(&pair.game).await;
    let played = document["events"].as_array().expect("a document has events").iter();
    assert_eq!(played.filter(|event| event["type"] == "turn_played").count(), 1);
}

async fn a_turn_without_its_answer_can_be_sent_again(database: Database) {
    const CRASHES: usize = 4;
    let mut server = Server::start(&database).await;
    let game = Game::fibonacci();
    for _ in 0..CRASHES {
        let mut pair = Pair::open(&server, &game.ruleset).await;
        let turn = turn(&pair.game, 2, &game.turns[0]);
        pair.first.socket.send(&turn).await;
        server = server.kill().await.start().await;
        let mut pair = pair.reconnect().await;
        has_one_effect(&mut pair, &turn).await;
        pair.first.socket.until_version(&pair.game, 3).await;
        pair.second.socket.until_version(&pair.game, 3).await;
        pair.play(&game.turns[1]).await;
    }
}
