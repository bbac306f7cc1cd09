//! Commands: their effects, their refusals, and their answers.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    new_command, on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Socket, draft, resign, turn},
};

on_both_databases![
    the_same_command_twice_has_one_effect,
    a_command_id_names_one_command,
    a_turn_on_another_version_is_stale,
    of_two_turns_on_one_version_one_is_taken,
    an_illegal_action_is_named_with_its_rule,
    a_turn_must_be_whole,
    only_the_side_to_move_plays,
    only_a_player_with_a_seat_plays,
    nothing_is_played_before_the_start,
    nothing_is_played_after_the_end,
    resigning_ends_the_game,
    a_command_to_no_game_is_refused,
    a_draft_can_be_taken_back,
    a_question_changes_no_draft,
];

/// The reason fields of a nack.
fn why(nack: &Value) -> Value {
    assert_eq!(nack["type"], "nack", "{nack}");
    let mut why = nack.as_object().expect("a message is an object").clone();
    for field in ["type", "command", "game"] {
        why.remove(field).expect("a nack names its command and its game");
    }
    Value::Object(why)
}

async fn is_refused(socket: &mut Socket, message: &Value, expected: Value) {
    let answer = socket.ask(message).await;
    assert_eq!(why(&answer), expected, "the answer to {message}");
}

/// A pair at a game of `fibonacci` with some turns played, and the turns of the game that it follows.
async fn pair(server: &Server, turns: usize) -> (Pair, Game) {
    let game = Game::fibonacci();
    let mut pair = Pair::open(server, &game.ruleset).await;
    pair.play_turns(&game, 0..turns).await;
    (pair, game)
}

async fn the_same_command_twice_has_one_effect(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 0).await;
    let message = turn(&pair.game, pair.version(), &game.turns[0]);
    let first = pair.first.socket.ask(&message).await;
    assert_eq!(first["type"], "ack", "{first}");
    assert_eq!(pair.first.socket.ask(&message).await, first, "on the same connection");
    let mut other = pair.first.player.follow(&pair.game).await;
    assert_eq!(other.ask(&message).await, first, "on another connection");

    pair.second.socket.until_version(&pair.game, 3).await;
    pair.second.socket.turn(&pair.game, &game.turns[1]).await;
    assert_eq!(other.ask(&message).await, first, "after the next turn");

    let server = server.kill().await.start().await;
    let mut pair = pair.reconnect().await;
    assert_eq!(pair.first.socket.ask(&message).await, first, "after a crash");
    let document = Player::enter(&server).await.game(&pair.game).await;
    assert_eq!(document["events"].as_array().map(Vec::len), Some(4), "created, started, two turns");
}

async fn a_command_id_names_one_command(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 0).await;
    let message = turn(&pair.game, pair.version(), &game.turns[0]);
    let first = pair.first.socket.ask(&message).await;
    let mut other = resign(&pair.game);
    other["command"] = message["command"].clone();
    is_refused(&mut pair.second.socket, &other, json!({"code": "command_reused"})).await;
    is_refused(&mut pair.first.socket, &other, json!({"code": "command_reused"})).await;
    assert_eq!(pair.first.socket.ask(&message).await, first, "the command itself keeps its answer");
    pair.second.socket.until_version(&pair.game, 3).await;
    pair.play(&game.turns[1]).await;
}

async fn a_turn_on_another_version_is_stale(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 2).await;
    let version = pair.version();
    for wrong in [0, 1, version - 1, version + 1, 4_000_000_000] {
        let message = turn(&pair.game, wrong, &game.turns[2]);
        let stale = json!({"code": "stale", "version": version});
        is_refused(&mut pair.first.socket, &message, stale.clone()).await;
        let message = draft(&pair.game, wrong, &game.turns[2]);
        is_refused(&mut pair.first.socket, &message, stale).await;
    }
    pair.play(&game.turns[2]).await;
}

async fn of_two_turns_on_one_version_one_is_taken(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 0).await;
    let mut other = pair.first.player.follow(&pair.game).await;
    let (one, two) = (turn(&pair.game, 2, &game.turns[0]), turn(&pair.game, 2, &game.turns[0]));
    pair.first.socket.send(&one).await;
    other.send(&two).await;
    let one = pair.first.socket.answer(one["command"].as_str().unwrap()).await;
    let two = other.answer(two["command"].as_str().unwrap()).await;
    let (ack, nack) = if one["type"] == "ack" { (one, two) } else { (two, one) };
    assert_eq!((&ack["type"], &ack["version"]), (&json!("ack"), &json!(3)), "{ack}");
    assert_eq!(why(&nack), json!({"code": "stale", "version": 3}));
    pair.first.socket.until_version(&pair.game, 3).await;
    pair.second.socket.until_version(&pair.game, 3).await;
    pair.play(&game.turns[1]).await;
}

async fn an_illegal_action_is_named_with_its_rule(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 1).await;
    let legal = game.turns[1][0].as_str();
    let cases: [(&[&str], usize, &str); 6] = [
        (&["k6-k7"], 0, "1.10"),
        (&["b6-b5"], 0, "1.10"),
        (&["f6-f7"], 0, "1.10"),
        (&["j6-a1"], 0, "1.12"),
        (&[legal, "k6-k7"], 1, "1.10"),
        (&["end"], 0, "1.9"),
    ];
    for (actions, index, rule) in cases {
        let refusal = json!({"code": "illegal", "index": index, "rule": rule});
        let message = turn(&pair.game, pair.version(), actions);
        is_refused(&mut pair.second.socket, &message, refusal.clone()).await;
        let message = draft(&pair.game, pair.version(), actions);
        is_refused(&mut pair.second.socket, &message, refusal).await;
    }
    let mut long = game.turns[1].clone();
    long.push(legal.to_owned());
    let message = turn(&pair.game, pair.version(), &long);
    let nack = pair.second.socket.ask(&message).await;
    assert_eq!((&nack["code"], &nack["index"]), (&json!("illegal"), &json!(long.len() - 1)), "{nack}");
    pair.play(&game.turns[1]).await;
    assert_eq!(pair.version(), 4, "nothing of the refused turns was applied");
}

async fn a_turn_must_be_whole(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 1).await;
    let whole = &game.turns[1];
    for length in 0..whole.len() {
        let message = turn(&pair.game, pair.version(), &whole[..length]);
        let refusal = json!({"code": "incomplete", "index": length, "rule": "1.9"});
        is_refused(&mut pair.second.socket, &message, refusal).await;
    }
    pair.play(whole).await;
}

async fn only_the_side_to_move_plays(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 1).await;
    for message in [turn(&pair.game, 3, &game.turns[1]), draft(&pair.game, 3, &game.turns[1])] {
        is_refused(&mut pair.first.socket, &message, json!({"code": "not_your_turn"})).await;
    }
    pair.play(&game.turns[1]).await;
}

async fn only_a_player_with_a_seat_plays(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 1).await;
    let mut third = Player::enter(&server).await.follow(&pair.game).await;
    let id = &pair.game;
    for message in [turn(id, 3, &game.turns[1]), draft(id, 3, &game.turns[1]), resign(id)] {
        is_refused(&mut third, &message, json!({"code": "not_seated"})).await;
    }
    pair.play(&game.turns[1]).await;
}

async fn nothing_is_played_before_the_start(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let maker = Player::enter(&server).await;
    let id = maker.open_room(&game.ruleset, "public").await;
    let mut socket = maker.follow(&id).await;
    for message in [turn(&id, 1, &game.turns[0]), draft(&id, 1, &game.turns[0]), resign(&id)] {
        is_refused(&mut socket, &message, json!({"code": "not_started"})).await;
    }
    Player::enter(&server).await.join(&id).await.ok();
    socket.until_version(&id, 2).await;
    assert_eq!(socket.turn(&id, &game.turns[0]).await["type"], "ack");
}

async fn nothing_is_played_after_the_end(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 1).await;
    let ack = pair.first.socket.ask(&resign(&pair.game)).await;
    let version = ack["version"].as_u64().expect("an ack has a version");
    let id = pair.game.clone();
    for message in [turn(&id, version, &game.turns[1]), draft(&id, version, &game.turns[1]), resign(&id)] {
        is_refused(&mut pair.second.socket, &message, json!({"code": "game_over"})).await;
    }
    let document = pair.second.player.game(&id).await;
    assert_eq!(document["summary"]["version"], version, "the log is closed");
}

async fn resigning_ends_the_game(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, _) = pair(&server, 1).await;
    let ack = pair.first.socket.ask(&resign(&pair.game)).await;
    assert_eq!(ack["type"], "ack", "a player may resign when the other is to move: {ack}");
    let version = ack["version"].as_u64().expect("an ack has a version");
    let lost = json!({"winner": "second", "reason": "resign"});
    for socket in [&mut pair.first.socket, &mut pair.second.socket] {
        let record = socket.until_version(&pair.game, version).await;
        let [.., resigned, ended] = record.events() else { panic!("too few events") };
        assert_eq!((&resigned["type"], &resigned["side"]), (&json!("resigned"), &json!("first")));
        assert_eq!((&ended["type"], &ended["outcome"]), (&json!("ended"), &lost));
        assert_eq!(record.present()["status"], "finished");
        assert_eq!(record.present()["outcome"], lost);
    }
    let document = pair.second.player.game(&pair.game).await;
    assert_eq!(document["summary"]["outcome"], lost);
}

async fn a_command_to_no_game_is_refused(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut socket = Player::enter(&server).await.connect().await;
    socket.hello(&[], false).await;
    let nowhere = "01890a5d-ac96-774b-bcce-b302099a8057";
    for message in [turn(nowhere, 2, &game.turns[0]), draft(nowhere, 2, &game.turns[0]), resign(nowhere)] {
        is_refused(&mut socket, &message, json!({"code": "unknown_game"})).await;
    }
}

async fn a_draft_can_be_taken_back(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 3).await;
    let id = pair.game.clone();
    let whole = &game.turns[3];
    let options = pair.second.socket.draft(&id, &whole[..2]).await;
    assert_eq!(options["draft"]["steps"].as_array().map(Vec::len), Some(2), "{options}");
    assert!(!options["actions"].as_array().expect("there are options").is_empty());
    let seen = pair.first.socket.take("the draft", |message| message["type"] == "draft").await;
    assert_eq!(seen["draft"], json!(whole[..2]), "the other side sees the same draft");

    let empty: [&str; 0] = [];
    let options = pair.second.socket.draft(&id, &empty).await;
    assert_eq!(options["draft"]["steps"], json!([]));
    let seen = pair.first.socket.take("its end", |message| message["type"] == "draft").await;
    assert_eq!(seen["draft"], Value::Null, "the draft is gone: {seen}");

    let command = new_command();
    let complete = json!({"type": "draft", "command": command, "game": id, "version": 5, "actions": whole});
    let options = pair.second.socket.ask(&complete).await;
    assert_eq!((&options["draft"]["complete"], &options["actions"]), (&json!(true), &json!([])));
    pair.play(whole).await;
    assert_eq!(pair.first.socket.record(&id).draft(), &Value::Null, "the turn ends the draft");
    let late = Player::enter(&server).await.follow(&id).await;
    assert_eq!(late.record(&id).draft(), &Value::Null, "also for a client that connects later");
}

async fn a_question_changes_no_draft(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = pair(&server, 3).await;
    let (id, version) = (pair.game.clone(), pair.version());
    let whole = &game.turns[3];
    pair.second.socket.draft(&id, &whole[..2]).await;

    let mut question = draft(&id, version, &whole[..1]);
    question["type"] = json!("options");
    let mut other = pair.second.player.follow(&id).await;
    let answer = other.ask(&question).await;
    assert_eq!(answer["type"], "options", "{answer}");
    assert_eq!(answer["draft"]["steps"].as_array().map(Vec::len), Some(1), "{answer}");
    let late = Player::enter(&server).await.follow(&id).await;
    assert_eq!(late.record(&id).draft_actions(), &whole[..2], "the draft is the one that was kept");

    question["command"] = json!(new_command());
    is_refused(&mut pair.first.socket, &question, json!({"code": "not_your_turn"})).await;
}
