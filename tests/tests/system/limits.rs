//! Clients that break limits, by mistake or on purpose: each gets a typed answer and affects nobody else.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Socket, draft},
};
use tokio_tungstenite::tungstenite::Message;

on_both_databases![
    a_frame_that_is_no_message_is_answered_with_an_error,
    a_frame_that_is_too_long_closes_the_connection,
    a_client_of_another_protocol_is_answered_with_an_error,
    an_unknown_game_cannot_be_watched,
    the_games_that_a_connection_follows_are_limited,
    the_open_rooms_of_a_player_are_limited,
    a_flood_of_pings_is_slowed_and_stopped,
    a_flood_of_drafts_is_refused_and_the_game_goes_on,
];

/// The longest frame that the server takes.
const MAX_FRAME: usize = 16 * 1024;

async fn visitor(server: &Server) -> Socket {
    let mut socket = Player::enter(server).await.connect().await;
    socket.hello(&[], false).await;
    socket
}

async fn fault(socket: &mut Socket, frame: Message) -> Value {
    socket.send_frame(frame).await;
    socket.take_type("error").await
}

async fn a_frame_that_is_no_message_is_answered_with_an_error(database: Database) {
    let server = Server::start(&database).await;
    let mut socket = visitor(&server).await;
    let id = "01890a5d-ac96-774b-bcce-b302099a8057";
    let cases = [
        (Message::binary(b"{\"type\":\"ping\"}".to_vec()), "not_text"),
        (Message::text(""), "invalid_json"),
        (Message::text("{\"type\":\"ping\""), "invalid_json"),
        (Message::text("nonsense"), "invalid_json"),
        (Message::text("[1, 2]"), "invalid_message"),
        (Message::text("{}"), "invalid_message"),
        (Message::text("[\"ping\"]"), "invalid_message"),
        (Message::text(json!({"type": "fly"}).to_string()), "unknown_type"),
        (Message::text(json!({"type": "watch", "version": 0}).to_string()), "invalid_message"),
        (Message::text(json!({"type": "watch", "game": "me", "version": 0}).to_string()), "invalid_message"),
        (Message::text(json!({"type": "watch", "game": id, "version": -1}).to_string()), "invalid_message"),
        (Message::text(json!({"type": "ping", "more": 1}).to_string()), "invalid_message"),
        (Message::text(json!({"type": "resign", "game": id, "command": ""}).to_string()), "invalid_message"),
        (Message::text("[".repeat(MAX_FRAME)), "invalid_json"),
    ];
    for (frame, code) in cases {
        let shown = frame.to_string().chars().take(80).collect::<String>();
        socket.send_frame(frame).await;
        socket.settle().await;
        let answers: Vec<&Value> = socket.waiting().map(|message| &message["code"]).collect();
        assert_eq!(answers, [code], "{shown}");
        socket.discard_waiting();
    }
    socket.settle().await;
    play_a_turn(&server).await;
}

/// Plays a turn in another game.
async fn play_a_turn(server: &Server) {
    let game = Game::fibonacci();
    let mut pair = Pair::open(server, &game.ruleset).await;
    pair.play_turns(&game, 0..1).await;
}

async fn a_frame_that_is_too_long_closes_the_connection(database: Database) {
    let server = Server::start(&database).await;
    let mut just_short_enough = visitor(&server).await;
    let mut ping = json!({"type": "ping"}).to_string();
    ping.push_str(&" ".repeat(MAX_FRAME - ping.len()));
    just_short_enough.send_frame(Message::text(ping.clone())).await;
    just_short_enough.take_type("pong").await;

    let mut too_long = visitor(&server).await;
    ping.push(' ');
    let error = fault(&mut too_long, Message::text(ping)).await;
    assert_eq!((&error["code"], &error["limit"]), (&json!("frame_too_large"), &json!(MAX_FRAME)), "{error}");
    assert_eq!(too_long.closed().await, Some(4003), "misuse of the protocol");
    just_short_enough.settle().await;
    play_a_turn(&server).await;
}

async fn a_client_of_another_protocol_is_answered_with_an_error(database: Database) {
    let server = Server::start(&database).await;
    let mut socket = Player::enter(&server).await.connect().await;
    socket.send(&json!({"type": "hello", "protocol": 999, "games": [], "lobby": false})).await;
    let error = socket.take_type("error").await;
    assert_eq!((&error["code"], &error["protocol"]), (&json!("wrong_protocol"), &json!(1)), "{error}");
}

async fn an_unknown_game_cannot_be_watched(database: Database) {
    let server = Server::start(&database).await;
    let mut socket = visitor(&server).await;
    let nowhere = "01890a5d-ac96-774b-bcce-b302099a8057";
    socket.send(&json!({"type": "watch", "game": nowhere, "version": 0})).await;
    let error = socket.take_type("error").await;
    assert_eq!((&error["code"], &error["game"]), (&json!("unknown_game"), &json!(nowhere)), "{error}");
    Player::enter(&server)
        .await
        .get(&format!("/api/v1/games/{nowhere}"))
        .await
        .is_problem(404, "unknown_game");
    socket.settle().await;
}

async fn the_games_that_a_connection_follows_are_limited(database: Database) {
    const GAMES: usize = 64;
    let server = Server::start_with(&database, &["--messages-per-second", "1000"]).await;
    let mut games = Vec::new();
    while games.len() <= GAMES {
        let maker = Player::enter(&server).await;
        for _ in 0..OPEN_ROOMS {
            games.push(maker.open_room("fibonacci", "link").await);
        }
    }
    let mut socket = visitor(&server).await;
    for game in &games[..GAMES] {
        socket.watch(game).await;
    }
    let watch = json!({"type": "watch", "game": games[GAMES], "version": 0});
    let error = fault(&mut socket, Message::text(watch.to_string())).await;
    assert_eq!((&error["code"], &error["limit"]), (&json!("too_many_games"), &json!(GAMES)), "{error}");
    socket.watch(&games[0]).await;
    socket.send(&json!({"type": "unwatch", "game": games[0]})).await;
    socket.watch(&games[GAMES]).await;
}

/// Maximum number of open rooms of one player.
const OPEN_ROOMS: usize = 8;

async fn the_open_rooms_of_a_player_are_limited(database: Database) {
    let server = Server::start(&database).await;
    let (maker, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut rooms = Vec::new();
    for _ in 0..OPEN_ROOMS {
        rooms.push(maker.open_room("fibonacci", "public").await);
    }
    let room = json!({"ruleset": "fibonacci", "seat": "first", "visibility": "public"});
    maker.post("/api/v1/rooms", &room).await.is_problem(429, "too_many_rooms");
    other.open_room("fibonacci", "public").await;
    maker.delete(&format!("/api/v1/rooms/{}", rooms[0])).await;
    maker.open_room("fibonacci", "public").await;
    other.join(&rooms[1]).await.ok();
    maker.open_room("fibonacci", "public").await;
}

/// Number of messages refused for coming too fast before the connection is closed.
const TOO_FAST: usize = 200;

async fn a_flood_of_pings_is_slowed_and_stopped(database: Database) {
    // Far more than the burst, so that it is too much even if the server takes a minute to read it.
    const FLOOD: usize = 2500;
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let mut flooder = visitor(&server).await;
    let flood = async {
        flooder.send_frames(vec![Message::text(json!({"type": "ping"}).to_string()); FLOOD]).await;
        flooder.closed().await
    };
    let (code, ()) = tokio::join!(flood, pair.play_turns(&game, 0..6));
    assert_eq!(code, Some(4003), "misuse of the protocol, not the slowness of a reader");
    let faults: Vec<&Value> = flooder.waiting().filter(|message| message["type"] != "pong").collect();
    assert!(faults.len() >= TOO_FAST, "told {} times before the end", faults.len());
    for fault in faults {
        assert_eq!(fault["code"], "too_fast", "{fault}");
        assert!(fault["retry_ms"].as_u64().is_some_and(|wait| wait > 0), "{fault}");
    }
    assert_eq!(pair.version(), 8, "the others have played their six turns");
}

async fn a_flood_of_drafts_is_refused_and_the_game_goes_on(database: Database) {
    // The server processes only some of these, even if it needs a minute for them.
    const FLOOD: usize = TOO_FAST;
    let server = Server::start_with(&database, &["--messages-per-second", "2"]).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play(&game.turns[0]).await;
    let id = pair.game.clone();
    let mut flooder = pair.second.player.follow(&id).await;
    let mut slowed = 0;
    let drafts: Vec<Value> = (0..FLOOD).map(|_| draft(&id, 3, &game.turns[1][..1])).collect();
    flooder.send_frames(drafts.iter().map(|draft| Message::text(draft.to_string())).collect()).await;
    for message in &drafts {
        let answer = flooder.answer(message["command"].as_str().unwrap()).await;
        match answer["code"].as_str() {
            None => assert_eq!(answer["type"], "options"),
            Some("too_fast") => slowed += 1,
            Some("busy") => {}
            Some(_) => panic!("{answer}"),
        }
    }
    assert!(slowed > 0, "the flooder was told to slow down");
    pair.play_turns(&game, 1..4).await;
}
