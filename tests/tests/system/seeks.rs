//! Seeks, which wait for a game while their players are away.

use futures_util::future::join_all;
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    nats::Nats,
    on_both_databases,
    player::{Answer, Player},
    server::Server,
};

use crate::{
    accounts::{PASSWORD, account, credentials},
    nodes::node,
};

on_both_databases![
    a_seek_waits_for_others_and_is_withdrawn_by_its_player_alone,
    a_matching_seek_is_paired_at_once_with_each_player_once,
    two_players_who_accept_the_last_game_at_once_get_one_game,
    blocked_players_do_not_find_each_others_seeks,
    a_player_who_has_not_begun_to_play_takes_few_seeks,
    requests_at_once_take_no_more_seeks_than_one_after_the_other,
    a_player_with_many_slow_games_keeps_the_seek_and_gets_no_game,
    the_seeks_of_an_account_end_with_it_and_are_in_its_export,
];

const SEEKS: &str = "/api/v1/seeks";

fn seek(days: u32, games: u32) -> Value {
    json!({"ruleset": "fenix", "clock": {"kind": "correspondence", "days": days}, "games": games})
}

async fn post(player: &Player, days: u32, games: u32) -> Value {
    player.post(SEEKS, &seek(days, games)).await.ok()
}

async fn waiting(player: &Player, days: u32, games: u32) -> String {
    let posted = post(player, days, games).await;
    assert_eq!(posted["games"], json!([]));
    posted["seek"]["id"].as_str().unwrap().to_owned()
}

async fn accept(player: &Player, seek: &str) -> Answer {
    player.post(&format!("{SEEKS}/{seek}/accept"), &Value::Null).await
}

/// The games that a player's only seek still wants; 0 if there is none.
async fn left(player: &Player) -> u64 {
    player.get(SEEKS).await.ok()["own"][0]["games"].as_u64().unwrap_or_default()
}

async fn a_seek_waits_for_others_and_is_withdrawn_by_its_player_alone(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let id = waiting(&ada, 3, 2).await;
    let listed = bob.get(SEEKS).await.ok();
    assert_eq!((&listed["own"], &listed["open"][0]["id"]), (&json!([]), &json!(id)));
    assert_eq!(listed["open"][0]["player"]["id"], ada.id());
    assert_eq!(ada.get(SEEKS).await.ok()["open"], json!([]));

    accept(&ada, &id).await.is_problem(409, "own_seek");
    bob.delete(&format!("{SEEKS}/{id}")).await.is_problem(409, "seek_gone");
    let game = accept(&bob, &id).await.ok();
    let players = ["first", "second"].map(|side| game["seats"][side]["id"].as_str().unwrap().to_owned());
    assert!(players.contains(&ada.id().to_owned()) && players.contains(&bob.id().to_owned()));
    assert_eq!((&game["status"], &game["clock"]["days"]), (&json!("playing"), &json!(3)));
    assert_eq!(left(&ada).await, 1);
    assert_eq!(ada.delete(&format!("{SEEKS}/{id}")).await.status, 204);
    accept(&bob, &id).await.is_problem(409, "seek_gone");
    assert_eq!(left(&ada).await, 0);

    for bad in [seek(3, 0), seek(3, 6)] {
        ada.post(SEEKS, &bad).await.is_problem(422, "invalid_body");
    }
    let live = json!({"kind": "real_time", "base_s": 60, "bonus_s": 1, "bonus": "per_turn"});
    let live = json!({"ruleset": "fenix", "clock": live, "games": 1});
    ada.post(SEEKS, &live).await.is_problem(422, "invalid_body");
    for days in 1..=10 {
        waiting(&ada, days, 1).await;
    }
    ada.post(SEEKS, &seek(11, 1)).await.is_problem(429, "too_many_seeks");
    let replacing = waiting(&ada, 3, 4).await;
    let own = ada.get(SEEKS).await.ok()["own"].as_array().unwrap().clone();
    assert_eq!(own.len(), 10);
    assert_eq!(
        (&own[9]["id"], &own[9]["games"]),
        (&json!(replacing), &json!(4)),
        "in the place of the equal one"
    );
}

async fn a_matching_seek_is_paired_at_once_with_each_player_once(database: Database) {
    let server = Server::start(&database).await;
    let [ada, bob, cleo] =
        [Player::enter(&server).await, Player::enter(&server).await, Player::enter(&server).await];
    waiting(&ada, 3, 5).await;
    waiting(&bob, 4, 1).await;
    let posted = post(&cleo, 3, 3).await;
    assert_eq!((posted["games"].as_array().unwrap().len(), &posted["seek"]["games"]), (1, &json!(2)));
    assert_eq!(left(&ada).await, 4);
    let posted = post(&bob, 3, 2).await;
    assert_eq!((posted["games"].as_array().unwrap().len(), &posted["seek"]), (2, &Value::Null));
    assert_eq!((left(&ada).await, left(&cleo).await), (3, 1));
    let turns = ada.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(turns["games"].as_array().unwrap().len(), 2, "its player was away");
}

async fn two_players_who_accept_the_last_game_at_once_get_one_game(database: Database) {
    let server = Server::start(&database).await;
    one_is_too_late([&server, &server]).await;
}

#[tokio::test]
async fn of_two_players_on_two_nodes_one_gets_the_last_game() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let [here, there] = [node(&database, &nats).await, node(&database, &nats).await];
    one_is_too_late([&here, &there]).await;
}

async fn one_is_too_late([here, there]: [&Server; 2]) {
    let ada = Player::enter(here).await;
    let takers = [Player::enter(here).await, Player::enter(there).await];
    for _ in 0..5 {
        let id = waiting(&ada, 3, 1).await;
        let (one, other) = tokio::join!(accept(&takers[0], &id), accept(&takers[1], &id));
        let (won, lost) = if one.status == 201 { (one, other) } else { (other, one) };
        assert_eq!(won.ok()["status"], "playing");
        lost.is_problem(409, "seek_gone");
        assert_eq!(left(&ada).await, 0);
    }
}

async fn blocked_players_do_not_find_each_others_seeks(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let block = ada.respond(reqwest::Method::PUT, &format!("/api/v1/blocks/{}", bob.id()), None).await;
    assert_eq!(block.status(), 204);
    let of_ada = waiting(&ada, 3, 1).await;
    let of_bob = waiting(&bob, 3, 1).await;
    for (player, others) in [(&ada, &of_bob), (&bob, &of_ada)] {
        assert_eq!(player.get(SEEKS).await.ok()["open"], json!([]));
        accept(player, others).await.is_problem(403, "blocked");
    }
}

async fn a_player_who_has_not_begun_to_play_takes_few_seeks(database: Database) {
    let server = Server::start(&database).await;
    let guest = Player::enter(&server).await;
    // Half of the games wait for the other player.
    for _ in 0..30 {
        let other = Player::enter(&server).await;
        let id = waiting(&other, 3, 1).await;
        let answer = accept(&guest, &id).await;
        if answer.status == 201 {
            other.delete(&format!("{SEEKS}/{id}")).await;
            continue;
        }
        answer.is_problem(409, "games_unplayed");
        let turns = guest.get("/api/v1/turns").await.ok();
        assert_eq!(turns["games"].as_array().unwrap().len(), 5);
        let posted = post(&guest, 3, 1).await;
        assert_eq!((&posted["games"], &posted["seek"]["games"]), (&json!([]), &json!(1)));
        return;
    }
    panic!("a player takes seek after seek");
}

async fn requests_at_once_take_no_more_seeks_than_one_after_the_other(database: Database) {
    let server = Server::start_with(&database, &["--address-factor", "100"]).await;
    let guest = Player::enter(&server).await;
    let n_waiting = async || guest.get("/api/v1/turns").await.ok()["games"].as_array().unwrap().len();
    // Half of the games wait for the other player.
    for _ in 0..16 {
        if n_waiting().await == 4 {
            break;
        }
        let id = waiting(&Player::enter(&server).await, 14, 1).await;
        accept(&guest, &id).await.ok();
    }
    let mut seeks = Vec::new();
    for days in 1..=12 {
        seeks.push(waiting(&Player::enter(&server).await, days, 1).await);
    }
    join_all(seeks.iter().map(|seek| accept(&guest, seek))).await;
    let n_waiting = n_waiting().await;
    assert!(n_waiting <= 5, "{n_waiting} games wait for a first turn");
}

async fn a_player_with_many_slow_games_keeps_the_seek_and_gets_no_game(database: Database) {
    let server = Server::start_with(&database, &["--address-factor", "100"]).await;
    let ada = Player::enter(&server).await;
    let id = waiting(&ada, 3, 5).await;
    let begin = async || {
        let room = json!({"ruleset": "focus"});
        ada.post("/api/v1/tables", &room).await.ok();
    };
    // A newcomer has at most twenty slow games.
    for _ in 0..20 {
        begin().await;
    }
    let bob = Player::enter(&server).await;
    accept(&bob, &id).await.is_problem(409, "seeker_full");
    let posted = post(&bob, 3, 1).await;
    assert_eq!((&posted["games"], &posted["seek"]["games"]), (&json!([]), &json!(1)));
    assert_eq!(left(&ada).await, 5);
}

async fn the_seeks_of_an_account_end_with_it_and_are_in_its_export(database: Database) {
    let server = Server::start(&database).await;
    let (mut ada, _) = account(&server, "Ada").await;
    let id = waiting(&ada, 3, 1).await;
    ada.signs_in("/api/v1/session/password", &credentials("Ada", PASSWORD)).await;
    let export = ada.get("/api/v1/session/export").await;
    assert!(export.text().contains(&id), "a seek is one's own");
    assert_eq!(ada.delete("/api/v1/account").await.status, 204);
    let bob = Player::enter(&server).await;
    assert_eq!(bob.get(SEEKS).await.ok()["open"], json!([]));
    accept(&bob, &id).await.is_problem(409, "seek_gone");
}
