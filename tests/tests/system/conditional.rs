//! Conditional turns: laid down while the other side is to move, played at once when their position comes, and secret.

use reqwest::Method;
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::{Pair, Seat},
    player::{Answer, Player},
    server::Server,
    socket::command,
    timeout,
};

use crate::accounts::execute;

on_both_databases![
    the_conditional_turns_of_both_sides_follow_each_other_at_once_and_cost_no_time,
    a_turn_that_leads_elsewhere_removes_them_and_nobody_else_is_shown_them,
    one_that_was_taken_back_is_not_played_again,
    only_whole_legal_turns_of_the_own_side_are_laid_down_and_only_where_days_pass,
    a_turn_that_was_left_by_a_crash_is_played_later,
];

fn days() -> Value {
    json!({"clock": {"kind": "correspondence", "days": 3}})
}

/// The positions of a game: the one before its first turn, and after each.
pub(crate) async fn positions(server: &Server, game: &Game, n_turns: usize) -> Vec<String> {
    let mut pair = Pair::open(server, &game.ruleset).await;
    let position = |pair: &Pair| pair.first.socket.record(&pair.game).position().to_owned();
    let mut positions = vec![position(&pair)];
    for actions in &game.turns[..n_turns] {
        pair.play(actions).await;
        positions.push(position(&pair));
    }
    positions
}

fn path(game: &str) -> String {
    format!("/api/v1/games/{game}/conditional")
}

pub(crate) async fn lay_down(player: &Player, game: &str, turns: &[Value]) -> Answer {
    let request = player.request(Method::PUT, &path(game)).json(&json!({ "turns": turns }));
    player.send(request).await
}

async fn laid_down(seat: &Seat, game: &str) -> Value {
    seat.player.get(&path(game)).await.ok()["turns"].clone()
}

async fn the_conditional_turns_of_both_sides_follow_each_other_at_once_and_cost_no_time(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let positions = positions(&server, &game, 6).await;
    let reply = |turn: usize| json!({"position": positions[turn], "actions": game.turns[turn]});
    let mut pair = Pair::open_on(&server, &game.ruleset, days()).await;
    pair.play_turns(&game, 0..2).await;
    let id = pair.game.clone();
    assert_eq!(lay_down(&pair.second.player, &id, &[reply(3), reply(5)]).await.status, 204);
    assert_eq!(lay_down(&pair.first.player, &id, &[reply(4)]).await.status, 204);
    assert_eq!(laid_down(&pair.second, &id).await, json!([reply(3), reply(5)]));
    let answer = pair.first.socket.turn(&id, &game.turns[2]).await;
    assert_eq!(answer["type"], "ack");
    let version = answer["version"].as_u64().unwrap() + 3;
    for seat in [&mut pair.first, &mut pair.second] {
        let record = seat.socket.until_version(&id, version).await;
        assert_eq!(record.turns(), game.turns[..6]);
        assert_eq!(record.position(), positions[6]);
    }
    let document = pair.first.player.game(&id).await;
    let turns = document["events"].as_array().unwrap().iter().filter(|event| event["type"] == "turn_played");
    let took: Vec<_> = turns.skip(3).map(|event| event["took_ms"].as_i64()).collect();
    assert_eq!(took, [Some(0); 3], "{document}");
    // In the own turn one is laid down for later: played now, it would cost no time.
    let own = json!({"position": positions[6], "actions": game.turns[6]});
    assert_eq!(lay_down(&pair.first.player, &id, std::slice::from_ref(&own)).await.status, 204);
    assert_eq!(laid_down(&pair.first, &id).await, json!([own]));
    // First leads to a position for which Second has nothing.
    pair.play(&game.turns[6]).await;
    let removed = async { while laid_down(&pair.second, &id).await != json!([]) {} };
    timeout("the removal of the turns", removed).await;
}

async fn a_turn_that_leads_elsewhere_removes_them_and_nobody_else_is_shown_them(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let positions = positions(&server, &game, 5).await;
    let mut pair = Pair::open_on(&server, &game.ruleset, days()).await;
    pair.play_turns(&game, 0..2).await;
    let id = pair.game.clone();
    // Of a position that does not come.
    let reply = json!({"position": positions[5], "actions": game.turns[5]});
    let Seat { player, .. } = &pair.second;
    assert_eq!(lay_down(player, &id, std::slice::from_ref(&reply)).await.status, 204);
    assert_eq!(laid_down(&pair.first, &id).await, json!([]));
    let line = json!({"type": "conditional", "game": id, "turns": [reply]});
    for (reader, has_it) in [(player, true), (&pair.first.player, false)] {
        let export = reader.get("/api/v1/session/export").await;
        let mut lines = export.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        assert_eq!(lines.any(|exported| exported == line), has_it, "{export:?}");
    }
    let stranger = Player::enter(&server).await;
    stranger.get(&path(&id)).await.is_problem(403, "not_a_player");
    lay_down(&stranger, &id, &[]).await.is_problem(403, "not_a_player");
    for reader in [&pair.first.player, &stranger] {
        let shown = reader.get(&format!("/api/v1/games/{id}")).await.text().to_owned();
        assert!(!shown.contains(&positions[5]), "{shown}");
    }
    pair.play_turns(&game, 2..3).await;
    let removed = async { while laid_down(&pair.second, &id).await != json!([]) {} };
    timeout("the removal of the turns", removed).await;
    pair.play_turns(&game, 3..5).await;
    assert_eq!(pair.first.player.game(&id).await["present"]["turn"]["number"], 6, "nothing was played");
}

async fn one_that_was_taken_back_is_not_played_again(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let positions = positions(&server, &game, 4).await;
    let mut pair = Pair::open_on(&server, &game.ruleset, days()).await;
    pair.play_turns(&game, 0..2).await;
    let id = pair.game.clone();
    let reply = json!({"position": positions[3], "actions": game.turns[3]});
    assert_eq!(lay_down(&pair.second.player, &id, std::slice::from_ref(&reply)).await.status, 204);
    let version = pair.first.socket.turn(&id, &game.turns[2]).await["version"].as_u64().unwrap() + 1;
    for seat in [&mut pair.first, &mut pair.second] {
        assert_eq!(seat.socket.until_version(&id, version).await.turns(), game.turns[..4]);
    }
    assert_eq!(laid_down(&pair.second, &id).await, json!([reply]), "it stays for the position");
    for (seat, kind, more) in [
        (&mut pair.second, "offer", json!({"what": "takeback"})),
        (&mut pair.first, "answer", json!({"what": "takeback", "accept": true})),
    ] {
        let answer = seat.socket.ask(&command(kind, &id, more)).await;
        assert_eq!(answer["type"], "ack", "{answer}");
    }
    assert_eq!(laid_down(&pair.second, &id).await, json!([]));
}

async fn only_whole_legal_turns_of_the_own_side_are_laid_down_and_only_where_days_pass(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let positions = positions(&server, &game, 4).await;
    let reply = |turn: usize, actions: Value| json!({"position": positions[turn], "actions": actions});
    let good = reply(3, json!(game.turns[3]));
    let mut pair = Pair::open_on(&server, &game.ruleset, days()).await;
    pair.play_turns(&game, 0..2).await;
    let id = pair.game.clone();
    let second = &pair.second.player;
    for (turns, code, turn) in [
        (vec![good.clone(), reply(3, json!([]))], "illegal_action", Some(1)),
        (vec![reply(3, json!([game.turns[3][0]]))], "illegal_action", Some(0)),
        (vec![reply(3, json!(["a1-a1"]))], "illegal_action", Some(0)),
        (vec![json!({"position": "nonsense", "actions": []})], "illegal_action", Some(0)),
        (vec![reply(2, json!(game.turns[2]))], "invalid_body", Some(0)),
        (vec![good.clone(); 65], "invalid_body", None),
        (vec![json!({"position": positions[3]})], "invalid_body", None),
    ] {
        let refused = lay_down(second, &id, &turns).await;
        refused.is_problem(422, code);
        let problem: Value = serde_json::from_str(refused.text()).unwrap();
        assert_eq!(problem["turn"].as_u64(), turn, "{problem}");
        assert_eq!(problem["flaw"].is_object(), code == "illegal_action", "{problem}");
    }
    assert_eq!(laid_down(&pair.second, &id).await, json!([]));
    second.get(&path("01890a5d-ac96-774b-bcce-b302099a8057")).await.is_problem(404, "unknown_game");

    for (ruleset, terms) in [("fibonacci", json!({})), ("fibonacci-cards", days())] {
        let pair = Pair::open_on(&server, ruleset, terms).await;
        lay_down(&pair.second.player, &pair.game, &[]).await.is_problem(409, "not_conditional");
    }
}

async fn a_turn_that_was_left_by_a_crash_is_played_later(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let positions = positions(&server, &game, 4).await;
    let mut left = Pair::open_on(&server, &game.ruleset, days()).await;
    left.play_turns(&game, 0..3).await;
    let mut other = Pair::open_on(&server, &game.ruleset, days()).await;
    other.play_turns(&game, 0..2).await;
    let reply = json!({"position": positions[3], "actions": game.turns[3]});
    assert_eq!(lay_down(&other.second.player, &other.game, &[reply]).await.status, 204);
    server.terminate();
    let (_, stopped) = server.ended().await;
    // What a server leaves that is killed between a turn and the reply.
    let moved = r#"update conditional set game = (
        select id from game where turn = 4 and clock like '{"kind":"correspondence"%'
    )"#;
    execute(&database, moved).await;
    let server = stopped.start().await;
    let version = left.version() + 1;
    let mut first = left.first.move_to(&server).await;
    assert_eq!(first.socket.until_version(&left.game, version).await.turns(), game.turns[..4]);
}
