//! Rooms: how they are found, taken, closed and listed.

use std::collections::HashSet;

use reqwest::StatusCode;
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    in_time, on_both_databases,
    player::Player,
    server::Server,
    socket::{Socket, resign},
    table::Table,
};

on_both_databases![
    a_room_appears_goes_live_and_leaves,
    a_private_room_never_appears,
    a_maker_cancels_a_room,
    a_room_is_taken_once,
    a_maker_cannot_join_the_own_room,
    finished_games_are_paged_without_gaps_or_doubles,
    a_player_finds_the_own_games,
];

async fn lobby(server: &Server) -> (Socket, Value) {
    let mut socket = Player::enter(server).await.connect().await;
    socket.hello(&[], true).await;
    let lobby = socket.take_type("lobby").await;
    (socket, lobby)
}

fn ids(games: &Value) -> Vec<&str> {
    let games = games.as_array().expect("a list of games");
    games.iter().map(|game| game["id"].as_str().expect("a game has an id")).collect()
}

async fn changed(socket: &mut Socket, game: &str, status: &str) -> Value {
    let what = format!("the lobby's news that the game is {status}");
    let change = socket
        .take(&what, |message| {
            message["type"] == "lobby_changed"
                && message["game"]["id"] == game
                && message["game"]["status"] == status
        })
        .await;
    change["game"].clone()
}

async fn a_room_appears_goes_live_and_leaves(database: Database) {
    let server = Server::start(&database).await;
    let (mut socket, empty) = lobby(&server).await;
    assert_eq!((&empty["rooms"], &empty["live"]), (&json!([]), &json!([])));

    let (maker, joiner) = (Player::enter(&server).await, Player::enter(&server).await);
    let game = maker.open_room("fibonacci", "public").await;
    let room = changed(&mut socket, &game, "open").await;
    assert_eq!((&room["ruleset"], &room["creator"]["id"]), (&json!("fibonacci"), &json!(maker.id())));
    assert_eq!(room["seats"], Value::Null);
    assert_eq!(ids(&lobby(&server).await.1["rooms"]), [&game]);
    assert_eq!(ids(&joiner.get("/api/rooms").await.ok()["games"]), [&game]);

    let joined = joiner.join(&game).await.ok();
    assert_eq!(joined["status"], "playing");
    let live = changed(&mut socket, &game, "playing").await;
    assert_eq!(live["seats"]["first"]["id"], maker.id(), "the maker asked for the first seat");
    assert_eq!(live["seats"]["second"]["id"], joiner.id());
    let (_, now) = lobby(&server).await;
    assert_eq!((ids(&now["rooms"]), ids(&now["live"])), (vec![], vec![game.as_str()]));
    assert_eq!(joiner.get("/api/rooms").await.ok()["games"], json!([]));

    let mut player = maker.follow(&game).await;
    player.ask(&resign(&game)).await;
    let over = changed(&mut socket, &game, "finished").await;
    assert_eq!(over["outcome"], json!({"winner": "second", "reason": "resign"}));
    let (_, now) = lobby(&server).await;
    assert_eq!((&now["rooms"], &now["live"]), (&json!([]), &json!([])));

    socket.send(&json!({"type": "unwatch_lobby"})).await;
    socket.settle().await;
    socket.forget_waiting();
    maker.open_room("fibonacci-mixed", "public").await;
    socket.settle().await;
    assert_eq!(socket.waiting().count(), 0, "who left the lobby hears no more of it");
}

async fn a_private_room_never_appears(database: Database) {
    let server = Server::start(&database).await;
    let (mut socket, _) = lobby(&server).await;
    let (maker, friend) = (Player::enter(&server).await, Player::enter(&server).await);
    let hidden = maker.open_room("fibonacci", "link").await;
    friend.join(&hidden).await.ok();
    let (_, now) = lobby(&server).await;
    assert_eq!((&now["rooms"], &now["live"]), (&json!([]), &json!([])));
    let mut player = maker.follow(&hidden).await;
    player.ask(&resign(&hidden)).await;

    let shown = maker.open_room("fibonacci", "public").await;
    changed(&mut socket, &shown, "open").await;
    let others: Vec<&Value> = socket.waiting().collect();
    assert!(others.is_empty(), "the lobby tells of nothing but the public room: {others:?}");
    let stranger = Player::enter(&server).await;
    assert_eq!(ids(&stranger.get("/api/rooms").await.ok()["games"]), [&shown]);
    assert_eq!(stranger.get("/api/games?list=finished").await.ok()["games"], json!([]));
    assert_eq!(stranger.game(&hidden).await["summary"]["status"], "finished", "who has the link may look");
}

async fn a_maker_cancels_a_room(database: Database) {
    let server = Server::start(&database).await;
    let (mut socket, _) = lobby(&server).await;
    let (maker, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let game = maker.open_room("fibonacci", "public").await;
    let mut waiting = maker.follow(&game).await;
    let room = format!("/api/rooms/{game}");
    other.delete(&room).await.is_problem(403, "not_yours");
    assert_eq!(maker.delete(&room).await.status, StatusCode::NO_CONTENT);
    changed(&mut socket, &game, "cancelled").await;
    let record = waiting.until_version(&game, 2).await;
    assert_eq!(record.present()["status"], "cancelled");
    other.join(&game).await.is_problem(409, "room_cancelled");
    assert_eq!(lobby(&server).await.1["rooms"], json!([]));

    let taken = maker.open_room("fibonacci", "public").await;
    other.join(&taken).await.ok();
    maker.delete(&format!("/api/rooms/{taken}")).await.is_problem(409, "room_taken");
}

async fn a_room_is_taken_once(database: Database) {
    const CROWD: usize = 20;
    let server = Server::start(&database).await;
    let game = Player::enter(&server).await.open_room("fibonacci", "public").await;
    let mut joins = tokio::task::JoinSet::new();
    for _ in 0..CROWD {
        let (player, game) = (Player::enter(&server).await, game.clone());
        joins.spawn(async move { (player.id().to_owned(), player.join(&game).await) });
    }
    let mut seated = Vec::new();
    for (player, answer) in in_time("everybody's answer", joins.join_all()).await {
        if answer.status == StatusCode::OK {
            seated.push(player);
        } else {
            answer.is_problem(409, "room_taken");
        }
    }
    let [seated] = &seated[..] else { panic!("not one but {} were seated", seated.len()) };
    let document = Player::enter(&server).await.game(&game).await;
    assert_eq!(document["summary"]["seats"]["second"]["id"], *seated);
    assert_eq!(document["summary"]["version"], 2, "created, started");
}

async fn a_maker_cannot_join_the_own_room(database: Database) {
    let server = Server::start(&database).await;
    let maker = Player::enter(&server).await;
    let game = maker.open_room("fibonacci", "public").await;
    maker.join(&game).await.is_problem(409, "own_room");
    Player::enter(&server).await.join(&game).await.ok();
}

/// Plays a game as short as can be, and returns its id.
async fn finish_a_game(server: &Server) -> String {
    let mut table = Table::open(server, "fibonacci").await;
    let ack = table.first.socket.ask(&resign(&table.game)).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    table.game
}

async fn finished_games_are_paged_without_gaps_or_doubles(database: Database) {
    const GAMES: usize = 11;
    let server = Server::start(&database).await;
    let mut finished = Vec::new();
    for _ in 0..GAMES {
        finished.push(finish_a_game(&server).await);
    }
    finished.reverse();
    let reader = Player::enter(&server).await;
    for limit in [1, 4, 11, 100] {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = reader.get(&format!("/api/games?list=finished&limit={limit}{cursor}")).await.ok();
            listed.extend(ids(&page["games"]).into_iter().map(str::to_owned));
            assert!(ids(&page["games"]).len() <= limit);
            match page["next"].as_str() {
                Some(next) => cursor = format!("&before={next}"),
                None => break,
            }
        }
        assert_eq!(listed, finished, "newest first, in pages of {limit}");
    }

    let first = reader.get("/api/games?list=finished&limit=5").await.ok();
    finish_a_game(&server).await;
    let cursor = first["next"].as_str().expect("there is another page");
    let rest = reader.get(&format!("/api/games?list=finished&limit=100&before={cursor}")).await.ok();
    assert_eq!(ids(&rest["games"]), finished[5..], "a game that ends meanwhile moves no page");
}

async fn a_player_finds_the_own_games(database: Database) {
    let server = Server::start(&database).await;
    let (player, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let open = player.open_room("fibonacci", "link").await;
    let playing = other.open_room("fibonacci", "public").await;
    player.join(&playing).await.ok();
    finish_a_game(&server).await;
    let page = player.get("/api/games?list=mine").await.ok();
    let mine: HashSet<&str> = ids(&page["games"]).into_iter().collect();
    assert_eq!(mine, HashSet::from([open.as_str(), playing.as_str()]));
    Player::stranger(&server).get("/api/games?list=mine").await.is_problem(401, "no_session");
}
