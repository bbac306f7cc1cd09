//! The review of a finished game: asked for, computed once, and kept.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::{Answer, Player},
    server::Server,
    socket::resign,
    timeout,
};
use tokio::time::sleep;

on_both_databases![
    a_game_is_reviewed_after_its_end_and_never_before,
    a_review_that_a_restart_has_lost_begins_again,
    a_game_that_only_its_players_may_see_is_reviewed_for_them_alone,
    an_address_has_one_review_under_way,
];

fn path(game: &str) -> String {
    format!("/api/v1/games/{game}/review")
}

async fn ask(player: &Player, game: &str) -> Answer {
    player.send(player.request(Method::POST, &path(game))).await
}

/// Reads a review until it is computed.
async fn reviewed(player: &Player, game: &str) -> Value {
    timeout("the review", async {
        loop {
            let answer = player.get(&path(game)).await;
            if answer.status == 200 {
                return answer.ok();
            }
            assert_eq!(answer.status, 202, "{answer:?}");
            assert!(answer.body["done"].as_u64() <= answer.body["of"].as_u64(), "{answer:?}");
            sleep(Duration::from_millis(50)).await;
        }
    })
    .await
}

/// Plays the first turns of a game, after which the second side resigns.
async fn resigned(pair: &mut Pair, game: &Game, n_turns: usize) {
    pair.play_turns(game, 0..n_turns).await;
    let answer = pair.second.socket.ask(&resign(&pair.game)).await;
    assert_eq!(answer["type"], "ack", "{answer}");
}

async fn a_game_is_reviewed_after_its_end_and_never_before(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let stranger = Player::stranger(&server);
    let unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
    ask(&stranger, unknown).await.is_problem(404, "unknown_game");
    stranger.get(&path(unknown)).await.is_problem(404, "unknown_game");

    let (last, before) = (game.turns.len(), game.turns.len() - 1);
    for range in [0..1, 1..before] {
        pair.play_turns(&game, range).await;
        for player in [&pair.first.player, &pair.second.player, &stranger] {
            ask(player, &pair.game).await.is_problem(409, "not_over");
            player.get(&path(&pair.game)).await.is_problem(409, "not_over");
        }
    }
    pair.play_turns(&game, before..last).await;
    stranger.get(&path(&pair.game)).await.is_problem(404, "no_review");
    let answer = ask(&stranger, &pair.game).await;
    assert_eq!((answer.status.as_u16(), &answer.body), (202, &json!({"done": 0, "of": last})));

    let review = reviewed(&pair.first.player, &pair.game).await;
    let turns = review["turns"].as_array().unwrap();
    assert_eq!(turns.len(), last);
    for turn in turns {
        let score = turn["score"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&score), "{turn}");
    }
    assert_eq!(turns[last - 1], json!({"score": 1.0, "better": null}), "the first side has won");
    let again = ask(&stranger, &pair.game).await;
    assert_eq!((again.status.as_u16(), again.body), (200, review));
}

async fn a_review_that_a_restart_has_lost_begins_again(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    resigned(&mut pair, &game, 5).await;
    let stranger = Player::stranger(&server);
    assert_eq!(ask(&stranger, &pair.game).await.status, 202);
    let server = server.kill().await.start().await;
    let stranger = stranger.at(server.address());
    // It may have been stored just before.
    if stranger.get(&path(&pair.game)).await.status != 200 {
        stranger.get(&path(&pair.game)).await.is_problem(404, "no_review");
        assert_eq!(ask(&stranger, &pair.game).await.status, 202);
    }
    let review = reviewed(&stranger, &pair.game).await;
    assert_eq!(review["turns"].as_array().unwrap().len(), 5);

    let server = server.kill().await.start().await;
    let answer = ask(&stranger.at(server.address()), &pair.game).await;
    assert_eq!((answer.status.as_u16(), answer.body), (200, review), "it is kept");
}

async fn a_game_that_only_its_players_may_see_is_reviewed_for_them_alone(database: Database) {
    let server = Server::start(&database).await;
    let terms = json!({"watching": "nobody", "drafts": "hidden", "delay": 0, "clock": {"kind": "none"}});
    let mut pair = Pair::open_on(&server, "fibonacci", terms).await;
    resigned(&mut pair, &Game::fibonacci(), 2).await;
    let stranger = Player::enter(&server).await;
    ask(&stranger, &pair.game).await.is_problem(403, "private");
    assert_eq!(ask(&pair.second.player, &pair.game).await.status, 202);
    reviewed(&pair.first.player, &pair.game).await;
    ask(&stranger, &pair.game).await.is_problem(403, "private");
    stranger.get(&path(&pair.game)).await.is_problem(403, "private");
}

async fn an_address_has_one_review_under_way(database: Database) {
    let server = Server::start_in_use(&database, &[]).await;
    let game = Game::fibonacci();
    let mut games = Vec::new();
    for _ in 0..2 {
        let mut pair = Pair::open(&server, &game.ruleset).await;
        resigned(&mut pair, &game, 5).await;
        games.push(pair.game);
    }
    let stranger = Player::stranger(&server);
    let first = ask(&stranger, &games[0]).await;
    let second = ask(&stranger, &games[1]).await;
    assert_eq!(first.status, 202);
    second.is_problem(429, "too_many_reviews");
    reviewed(&stranger, &games[0]).await;
    timeout("the place", async {
        while ask(&stranger, &games[1]).await.status == 429 {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    reviewed(&stranger, &games[1]).await;
}
