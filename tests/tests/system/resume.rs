//! Reconnection: a client gets exactly the events that it lacks.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Connect, Socket, command},
};

on_both_databases![
    a_client_at_any_version_gets_exactly_the_missing_events,
    a_spectator_joins_in_the_middle_of_a_turn,
    an_unsubscribed_spectator_receives_nothing,
    a_slow_reader_is_dropped_and_resumes,
];

fn versions(message: &Value) -> Vec<u64> {
    let n_events = message["events"].as_array().expect("the message has events").len() as u64;
    let last = message["version"].as_u64().expect("the message has a version");
    (last + 1 - n_events..=last).collect()
}

async fn a_client_at_any_version_gets_exactly_the_missing_events(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..6).await;
    let (id, last) = (pair.game.clone(), pair.version());
    assert_eq!(last, 8);
    let spectator = Player::enter(&server).await;
    for known in 0..=last {
        let missing: Vec<u64> = (known + 1..=last).collect();
        let watch = json!({"type": "watch", "game": id, "version": known});
        let games = json!([{"game": id, "version": known}]);
        let hello = json!({"type": "hello", "protocol": 1, "games": games, "lobby": false});
        for (question, answers) in [(hello, &["welcome", "events"][..]), (watch, &["events"])] {
            let mut socket = spectator.connect().await;
            socket.know(&id, pair.first.socket.record(&id).up_to(known));
            socket.send(&question).await;
            socket.settle().await;
            let heard: Vec<&Value> =
                socket.waiting().filter(|message| message["type"] != "presence").collect();
            let kinds: Vec<&str> = heard.iter().filter_map(|message| message["type"].as_str()).collect();
            assert_eq!(kinds, answers, "from version {known}");
            assert_eq!(versions(heard[heard.len() - 1]), missing, "from version {known}");
            assert_eq!(socket.record(&id).events(), pair.first.socket.record(&id).events());
        }
    }

    let mut socket = spectator.connect().await;
    socket.hello(&[(&id, last + 1)], false).await;
    let whole = socket.take_type("events").await;
    assert_eq!(versions(&whole), (1..=last).collect::<Vec<_>>(), "a version that the game has not reached");
}

async fn a_spectator_joins_in_the_middle_of_a_turn(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..3).await;
    let id = pair.game.clone();
    let whole = &game.turns[3];
    pair.second.socket.draft(&id, &whole[..1]).await;

    let mut spectator = Player::enter(&server).await.follow(&id).await;
    assert_eq!(spectator.record(&id).version(), 5);
    assert_eq!(spectator.record(&id).draft_actions(), &whole[..1], "the draft came with the game");
    pair.second.socket.draft(&id, &whole[..2]).await;
    spectator.take_type("draft").await;
    assert_eq!(spectator.record(&id).draft_actions(), &whole[..2]);

    pair.play(whole).await;
    spectator.until_version(&id, 6).await;
    assert_eq!(spectator.record(&id).draft(), &Value::Null);
    assert_eq!(spectator.record(&id).events(), pair.first.socket.record(&id).events());
}

async fn an_unsubscribed_spectator_receives_nothing(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let mut spectator = Player::enter(&server).await.follow(&pair.game).await;
    spectator.send(&json!({"type": "unwatch", "game": pair.game})).await;
    spectator.settle().await;
    spectator.discard_waiting();
    pair.play(&game.turns[0]).await;
    spectator.settle().await;
    assert_eq!(spectator.waiting().count(), 0, "{:?}", spectator.waiting().collect::<Vec<_>>());

    spectator.send(&json!({"type": "watch", "game": pair.game, "version": 2})).await;
    let missed = spectator.take_type("events").await;
    assert_eq!(versions(&missed), [3]);
}

/// Capacity of an outbox, and a few messages in flight.
const WAITING: usize = 256 + 8;

async fn a_slow_reader_is_dropped_and_resumes(database: Database) {
    let server = Server::start_with(&database, &["--messages-per-second", "100000"]).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let id = pair.game.clone();
    let slow = Player::enter(&server).await;
    let how = Connect { is_slow: true, ..Connect::default() };
    let mut slow_socket = Socket::open(&slow, how).await.expect("the server takes the connection");
    slow_socket.hello(&[(&id, 0)], false).await;
    slow_socket.settle().await;

    pair.play_turns(&game, 0..4).await;
    // Answers to its own requests fill what the kernel accepts for the slow reader. From then on the server has to queue
    // what is sent to it. It does not wait long for the reader to accept its close frame, so this ends with the first
    // message too many.
    let (mut taken, mut unchanged) = (0, 0);
    while unchanged < 16 {
        slow_socket.send(&json!({"type": "watch", "game": id, "version": 0})).await;
        pair.first.socket.settle().await;
        let now = slow_socket.sent_but_unread();
        (taken, unchanged) = if now > taken { (now, 0) } else { (taken, unchanged + 1) };
    }
    for sent in (0..WAITING).step_by(MESSAGES) {
        // Signs of life often enough for the longest silence, and far too rarely for a flood of pongs.
        if sent % (16 * MESSAGES) == 0 {
            slow_socket.show_life().await;
        }
        play_and_take_back(&mut pair, &game.turns[4]).await;
    }
    slow_socket.widen();
    assert_eq!(slow_socket.closed().await, Some(4001), "too slow");
    let known = slow_socket.record(&id).version();
    assert!(known < pair.version(), "not everything was kept for the slow reader");

    pair.play_turns(&game, 4..6).await;
    let mut again = slow.connect().await;
    again.resume(slow_socket.into_records()).await;
    again.settle().await;
    assert_eq!(again.record(&id).events(), pair.first.socket.record(&id).events());
}

/// Number of messages about a turn that is taken back: the turn, the offer and its acceptance.
const MESSAGES: usize = 3;

/// The side to move plays a turn and takes it back; all spectators are sent the [`MESSAGES`] first.
async fn play_and_take_back(pair: &mut Pair, turn: &[String]) {
    let id = pair.game.clone();
    pair.play(turn).await;
    let (other, mover) = pair.by_turn();
    let offer = command("offer", &id, json!({"what": "takeback"}));
    assert_eq!(mover.socket.ask(&offer).await["type"], "ack");
    let accept = command("answer", &id, json!({"what": "takeback", "accept": true}));
    let version = other.socket.ask(&accept).await["version"].as_u64().expect("an ack has a version");
    for seat in [other, mover] {
        seat.socket.until_version(&id, version).await;
    }
}
