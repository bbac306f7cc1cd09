//! The main job: two people play to the end, others watch, the server crashes in between, the game replays.

use engine::{AnyMatch, Ruleset};
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::{Pair, Seat},
    player::Player,
    record::Record,
    server::Server,
    socket::command,
};

on_both_databases![fibonacci_is_played_to_its_end, fibonacci_mixed_is_played_to_its_end];

async fn fibonacci_is_played_to_its_end(database: Database) {
    play_through_a_crash(&database, &Game::fibonacci()).await;
}

async fn fibonacci_mixed_is_played_to_its_end(database: Database) {
    play_through_a_crash(&database, &Game::fibonacci_mixed()).await;
}

async fn play_through_a_crash(database: &Database, game: &Game) {
    let server = Server::start(database).await;
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let id = pair.game.clone();
    let spectator = Player::enter(&server).await;
    let mut spectator = Seat { socket: spectator.follow(&id).await, player: spectator };

    let middle = middle_turn(game);
    pair.play_turns(game, 0..middle).await;
    let begun = &game.turns[middle][..1];
    let (mover, _) = pair.by_turn();
    let options = mover.socket.draft(&id, begun).await;
    assert_eq!(options["type"], "options", "{options}");
    // What is said after a draft is stored after it.
    let said = mover.socket.ask(&command("say", &id, json!({"text": "a moment"}))).await;
    assert_eq!(said["type"], "ack", "{said}");

    let acknowledged = pair.version();
    let stopped = server.kill().await;
    let server = stopped.start().await;
    pair = pair.reconnect().await;
    spectator = spectator.reconnect().await;
    for socket in [&pair.first.socket, &pair.second.socket, &spectator.socket] {
        let record = socket.record(&id);
        assert_eq!(record.version(), acknowledged, "every acknowledged turn is there, and no other");
        assert_eq!(record.draft_actions(), begun, "the draft is there");
    }

    pair.play_turns(game, middle..game.turns.len()).await;
    let last = pair.version();
    spectator.socket.until_version(&id, last).await;
    is_the_whole_game(pair.first.socket.record(&id), game);
    for other in [&pair.second.socket, &spectator.socket] {
        assert_eq!(other.record(&id).events(), pair.first.socket.record(&id).events());
    }

    let newcomer = Player::enter(&server).await;
    let document = newcomer.game(&id).await;
    pair.first.socket.record(&id).assert_is(&document);
    assert_eq!(document["summary"]["status"], "finished");
    replays(&document, game);
}

/// A turn of several actions about the middle of the game.
fn middle_turn(game: &Game) -> usize {
    let half = game.turns.len() / 2;
    let long = |&index: &usize| game.turns[index].len() > 2;
    (half..game.turns.len()).find(long).expect("the game has a long turn")
}

fn is_the_whole_game(record: &Record, game: &Game) {
    assert_eq!(record.turns(), game.turns);
    let ended = record.events().last().expect("a game has events");
    assert_eq!((&ended["type"], &ended["outcome"]), (&json!("ended"), &game.outcome));
    assert_eq!(record.present()["status"], "finished");
    assert_eq!(record.position(), game.last_position);
}

/// Replays the document's turns by the rules, as any client can.
fn replays(document: &Value, game: &Game) {
    let events = document["events"].as_array().expect("a document has events");
    let ruleset: Ruleset = events[0]["ruleset"].as_str().expect("a game has a ruleset").parse().unwrap();
    let start = events[0]["start"].as_str().expect("a game has a start");
    let mut replay = AnyMatch::from_text(ruleset, start).unwrap();
    for turn in events.iter().filter(|event| event["type"] == "turn_played") {
        let steps = turn["steps"].as_array().expect("a turn has steps");
        let actions: Vec<&str> = steps.iter().map(|step| step["action"].as_str().unwrap()).collect();
        replay.play(&actions).unwrap();
        for (step, played) in steps.iter().zip(replay.last_steps()) {
            assert_eq!(step["position"], played.position, "the position after {}", played.action);
        }
    }
    assert_eq!(replay.position_text(), game.last_position);
    assert_eq!(document["present"]["turn"]["position"], game.last_position);
    let outcome = replay.outcome().expect("the game is over");
    assert_eq!(game.outcome["winner"], json!(outcome.winner.map(|side| side.id())));
    assert_eq!(game.outcome["reason"], outcome.reason.id());
}
