//! Resources for visitors before their first game: example games, small boards in lists.

use engine::Ruleset;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use system_tests::{
    database::Database, game::Game, on_both_databases, pair::Pair, player::Player, server::Server,
    socket::resign,
};

on_both_databases![
    every_ruleset_has_an_example_game_and_a_page_that_replays_it,
    lists_have_the_current_position_of_each_game,
    the_position_of_a_delayed_game_is_for_its_players_until_it_is_over,
];

/// Asserts that a public answer may be cached, and is not sent again to a client that has it.
async fn may_be_kept(player: &Player, path: &str) {
    let answer = player.respond(Method::GET, path, None).await;
    let kept = answer.headers()[header::CACHE_CONTROL].to_str().unwrap();
    assert!(kept.starts_with("public, max-age="), "{path}: {kept}");
    let tag = answer.headers()[header::ETAG].clone();
    let again = player.request(Method::GET, path).header(header::IF_NONE_MATCH, &tag).send().await.unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
    assert_eq!(again.headers()[header::ETAG], tag);
    assert!(again.bytes().await.unwrap().is_empty());
    let other = player.request(Method::GET, path).header(header::IF_NONE_MATCH, "\"other\"");
    assert_eq!(other.send().await.unwrap().status(), StatusCode::OK);
}

async fn every_ruleset_has_an_example_game_and_a_page_that_replays_it(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    for ruleset in Ruleset::ALL {
        let path = format!("/api/v1/examples/{ruleset}");
        let game = visitor.get(&path).await.ok();
        assert_eq!(game["summary"]["ruleset"], ruleset.id());
        assert_eq!(game["present"]["status"], "finished");
        let events = game["events"].as_array().unwrap();
        assert_eq!((&events[0]["type"], &events[1]["type"]), (&json!("created"), &json!("started")));
        assert_eq!(events.last().unwrap()["outcome"], game["present"]["outcome"]);
        let id = game["summary"]["id"].as_str().unwrap();
        visitor.get(&format!("/api/v1/games/{id}")).await.is_problem(404, "unknown_game");
        may_be_kept(&visitor, &path).await;

        let page = visitor.respond(Method::GET, &format!("/example/{ruleset}"), None).await;
        assert_eq!(page.status(), 200);
        assert!(page.text().await.unwrap().contains("/replay"));
    }
    visitor.get("/api/v1/examples/chess").await.is_problem(404, "no_such_resource");
    visitor.get("/example/chess").await.is_problem(404, "no_such_page");
}

/// The one game of a list.
fn only(games: &Value) -> &Value {
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), 1, "{games:?}");
    &games[0]
}

async fn shown(server: &Server, list: &str) -> Value {
    let mut socket = Player::enter(server).await.connect().await;
    socket.hello(&[], true).await;
    only(&socket.take_type("lobby").await[list]).clone()
}

async fn lists_have_the_current_position_of_each_game(database: Database) {
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "fibonacci").await;
    for turn in 0..3 {
        let now = pair.first.socket.record(&pair.game).position().to_owned();
        let mine = pair.first.player.get("/api/v1/games?list=mine").await.ok();
        assert_eq!(only(&mine["games"])["position"], now, "before turn {turn}");
        assert_eq!(shown(&server, "live").await["position"], now, "before turn {turn}");
        pair.play_turns(&Game::fibonacci(), turn..turn + 1).await;
    }
    let last = pair.first.socket.record(&pair.game).position().to_owned();
    let ack = pair.first.socket.ask(&resign(&pair.game)).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    let server = server.kill().await.start().await;
    let listed = Player::stranger(&server).get("/api/v1/games?list=finished").await.ok();
    assert_eq!(only(&listed["games"])["position"], last);
    assert_eq!(shown(&server, "finished").await["position"], last);
}

async fn the_position_of_a_delayed_game_is_for_its_players_until_it_is_over(database: Database) {
    let server = Server::start(&database).await;
    let mut pair = Pair::open_on(&server, "fibonacci", json!({"delay": 2})).await;
    pair.play_turns(&Game::fibonacci(), 0..1).await;
    let now = pair.first.socket.record(&pair.game).position().to_owned();
    let mine = pair.second.player.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(only(&mine["games"])["position"], now);
    assert_eq!(shown(&server, "live").await["position"], Value::Null);
    let start = pair.first.socket.record(&pair.game).events()[0]["start"].clone();
    let document = Player::stranger(&server).game(&pair.game).await;
    assert_eq!(document["summary"]["position"], start, "two turns behind");
    let ack = pair.first.socket.ask(&resign(&pair.game)).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    assert_eq!(shown(&server, "finished").await["position"], now);
}
