//! Two people at one screen: one player has both seats.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    player::Player,
    server::Server,
    socket::{Socket, command, resign},
};

on_both_databases![
    a_whole_game_is_played_at_one_table_and_replayed,
    offers_at_one_table_are_accepted_at_once,
    nobody_can_leave_the_table_and_those_who_watch_are_counted,
    a_game_at_one_table_is_in_its_players_list_alone_and_once,
    an_invalid_start_is_refused_at_one_table_too,
    games_at_one_table_are_admitted_like_rooms,
];

/// A new guest begins a game at one table and follows it.
async fn sit_down(server: &Server, ruleset: &str) -> (Player, Socket, String) {
    let player = Player::enter(server).await;
    let summary = player.post("/api/v1/tables", &json!({"ruleset": ruleset})).await.ok();
    let game = summary["id"].as_str().unwrap().to_owned();
    let socket = player.follow(&game).await;
    (player, socket, game)
}

async fn play(socket: &mut Socket, game: &str, actions: &[impl AsRef<str>]) {
    let answer = socket.turn(game, actions).await;
    assert_eq!(answer["type"], "ack", "{answer}");
    socket.until_version(game, answer["version"].as_u64().unwrap()).await;
}

/// Sends a command that must be acknowledged.
async fn give(socket: &mut Socket, game: &str, kind: &str, more: Value) {
    let answer = socket.ask(&command(kind, game, more)).await;
    assert_eq!(answer["type"], "ack", "{answer}");
    socket.until_version(game, answer["version"].as_u64().unwrap()).await;
}

async fn a_whole_game_is_played_at_one_table_and_replayed(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let player = Player::enter(&server).await;
    let answer = player.post("/api/v1/tables", &json!({"ruleset": game.ruleset})).await;
    assert_eq!(answer.status, 201);
    let summary = answer.ok();
    assert_eq!((&summary["status"], &summary["visibility"]), (&json!("playing"), &json!("link")));
    assert_eq!(summary["seats"]["first"], summary["seats"]["second"]);
    assert_eq!(summary["seats"]["first"]["id"], player.id());
    assert_eq!(summary["clock"], json!({"kind": "none"}));

    let id = summary["id"].as_str().unwrap();
    let mut socket = player.follow(id).await;
    for turn in &game.turns {
        let options = socket.draft(id, &turn[..1]).await;
        assert_eq!(options["type"], "options", "a draft of the side to move: {options}");
        play(&mut socket, id, turn).await;
    }
    let record = socket.record(id);
    assert_eq!(record.turns(), game.turns);
    assert_eq!(record.events().last().unwrap()["outcome"], game.outcome);
    assert_eq!(record.position(), game.last_position);

    let document = Player::enter(&server).await.game(id).await;
    record.assert_is(&document);
    let name = summary["seats"]["first"]["name"].as_str().unwrap();
    let written = player.get(&format!("/api/v1/games/{id}/record.txt")).await;
    assert!(written.text().contains(&format!("first: {name}\nsecond: {name}\n")), "{}", written.text());
}

async fn offers_at_one_table_are_accepted_at_once(database: Database) {
    let server = Server::start(&database).await;
    let (player, mut socket, game) = sit_down(&server, "fibonacci").await;
    let turns = Game::fibonacci().turns;
    for turn in &turns[..3] {
        play(&mut socket, &game, turn).await;
    }
    for left in [2, 1] {
        give(&mut socket, &game, "offer", json!({"what": "takeback"})).await;
        let present = player.game(&game).await["present"].clone();
        assert_eq!(present["turn"]["number"], left + 1, "the last turn is taken back: {present}");
        assert_eq!(socket.record(&game).present()["offers"], json!([]));
    }
    let answer = json!({"what": "draw", "accept": true});
    let refused = socket.ask(&command("answer", &game, answer)).await;
    assert_eq!(refused["code"], "no_offer", "{refused}");
    give(&mut socket, &game, "offer", json!({"what": "draw"})).await;
    let outcome = &socket.record(&game).present()["outcome"];
    assert_eq!(*outcome, json!({"winner": null, "reason": "agreement"}));

    give(&mut socket, &game, "offer", json!({"what": "rematch"})).await;
    let rematch = socket.record(&game).present()["rematch"].as_str().unwrap().to_owned();
    let next = player.game(&rematch).await["summary"].clone();
    assert_eq!((&next["status"], &next["visibility"]), (&json!("playing"), &json!("link")));
    assert_eq!(next["seats"]["first"], next["seats"]["second"]);
    let mut socket = player.follow(&rematch).await;
    play(&mut socket, &rematch, &turns[0]).await;
    let ack = socket.ask(&resign(&rematch)).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    let outcome = player.game(&rematch).await["summary"]["outcome"].clone();
    assert_eq!(outcome, json!({"winner": "first", "reason": "resign"}), "for the side to move");
}

async fn nobody_can_leave_the_table_and_those_who_watch_are_counted(database: Database) {
    let server = Server::start(&database).await;
    let (player, mut socket, game) = sit_down(&server, "fibonacci").await;
    for turn in &Game::fibonacci().turns[..2] {
        play(&mut socket, &game, turn).await;
    }
    let mut spectator = Player::enter(&server).await.follow(&game).await;
    let counted = |message: &Value| message["type"] == "presence" && message["watchers"] == 1;
    let presence = spectator.take("the presence", counted).await;
    assert_eq!((&presence["first"], &presence["second"]), (&json!(true), &json!(true)));
    assert_eq!(presence["claim"], Value::Null);
    drop(socket);
    let left = |message: &Value| message["type"] == "presence" && message["first"] == false;
    let presence = spectator.take("the player has left", left).await;
    assert_eq!((&presence["second"], &presence["claim"]), (&json!(false), &Value::Null));

    let mut socket = player.connect().await;
    socket.hello(&[], false).await;
    for what in ["win", "draw"] {
        let refused = socket.ask(&command("claim", &game, json!({"what": what}))).await;
        assert_eq!(refused["code"], "not_gone", "{refused}");
    }
    let refused = spectator.ask(&resign(&game)).await;
    assert_eq!(refused["code"], "not_seated", "{refused}");
}

async fn a_game_at_one_table_is_in_its_players_list_alone_and_once(database: Database) {
    let server = Server::start(&database).await;
    let (player, mut socket, game) = sit_down(&server, "focus").await;
    let ids = |games: &Value| -> Vec<String> {
        games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
    };
    let list = async |name: &str| {
        let page = player.get(&format!("/api/v1/games?list={name}")).await.ok();
        ids(&page["games"])
    };
    assert_eq!(list("mine").await, [game.as_str()]);
    let mut lobby = player.connect().await;
    lobby.hello(&[], true).await;
    let shown = lobby.take_type("lobby").await;
    assert_eq!(ids(&shown["mine"]), [game.as_str()]);
    assert_eq!((&shown["live"], &shown["rooms"]), (&json!([]), &json!([])));

    let ack = socket.ask(&resign(&game)).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    let changed = lobby.take_type("lobby_changed").await;
    assert_eq!((&changed["game"]["id"], &changed["game"]["status"]), (&json!(game), &json!("finished")));
    lobby.settle().await;
    let again = lobby.waiting().filter(|message| message["type"] == "lobby_changed").count();
    assert_eq!(again, 0, "the lobby is notified once");
    assert_eq!(list("played").await, [game.as_str()]);
    assert_eq!([list("mine").await, list("finished").await], [[""; 0]; 2]);
}

async fn an_invalid_start_is_refused_at_one_table_too(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    let table = json!({"ruleset": "crossfire", "start": "no position"});
    player.post("/api/v1/tables", &table).await.is_problem(422, "invalid_start");
    player.post("/api/v1/tables", &json!({"ruleset": "go"})).await.is_problem(422, "invalid_body");
    let stranger = Player::stranger(&server);
    stranger.post("/api/v1/tables", &json!({"ruleset": "focus"})).await.is_problem(401, "no_session");
    let start =
        "x/.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,./o 1 1 0 0";
    let table = json!({"ruleset": "crossfire", "start": start});
    let summary = player.post("/api/v1/tables", &table).await.ok();
    assert_eq!(summary["custom_start"], true);
}

async fn games_at_one_table_are_admitted_like_rooms(database: Database) {
    let server = Server::start_with(&database, &["--address-factor", "1"]).await;
    let player = Player::enter(&server).await;
    let mut n_begun = 0;
    let refused = loop {
        let answer = player.post("/api/v1/tables", &json!({"ruleset": "focus"})).await;
        if answer.status != 201 {
            break answer;
        }
        n_begun += 1;
        assert!(n_begun < 40, "no player begins this many at once");
    };
    refused.is_problem(429, "too_fast");
    assert!(n_begun >= 20, "{n_begun}");
    let room = json!({"ruleset": "focus", "seat": "first", "visibility": "link"});
    player.post("/api/v1/rooms", &room).await.is_problem(429, "too_fast");
}
