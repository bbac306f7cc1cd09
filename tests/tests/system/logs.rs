//! The server's log: identified by request, connection and game, and without secrets.

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use system_tests::{
    database::Database, game::Game, nats::Nats, on_both_databases, pair::Pair, player::Player,
    server::Server, socket::command,
};

on_both_databases![no_log_line_contains_a_secret, lines_about_a_request_have_its_id];

async fn no_log_line_contains_a_secret(database: Database) {
    let url = database.url().replace("postgres://postgres@", "postgres://postgres:s3cret-1@");
    let is_file = url.starts_with("sqlite");
    let nats = if is_file { None } else { Some(Nats::start().await) };
    let nats_url = nats.as_ref().map(|nats| nats.url().replace("nats://", "nats://ada:s3cret-2@"));
    let arguments: Vec<&str> = nats_url.iter().flat_map(|url| ["--nats-url", url]).collect();
    let server = Server::start_tracing_with(&Database::at(&url), &arguments).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    let id = pair.game.clone();
    pair.first.socket.ask(&command("say", &id, json!({"text": "hello"}))).await;
    let player = &pair.first.player;
    player.patch("/api/v1/session", &json!({"name": "Ada"})).await.ok();
    player.post("/api/v1/rooms", &json!({"nonsense": true})).await.is_problem(422, "invalid_body");
    let mut account = pair.second.player.clone();
    let new = json!({"name": "Blaise", "password": "s3cret quartz marmalade"});
    let code = account.signs_in("/api/v1/account", &new).await["recovery_code"].clone();
    let wrong = json!({"name": "Blaise", "password": "s3cret and wrong"});
    player.post("/api/v1/session/password", &wrong).await.is_problem(409, "guest_has_games");
    Player::stranger(&server)
        .post("/api/v1/session/password", &wrong)
        .await
        .is_problem(401, "wrong_credentials");
    Player::stranger(&server)
        .post("/api/v1/account", &json!({"password": "s3cret"}))
        .await
        .is_problem(401, "no_session");
    player
        .post("/api/v1/account", &json!({"password": "s3cret", "name": [1]}))
        .await
        .is_problem(422, "invalid_body");
    // An unknown token is secret too: it may be valid on another server.
    let foreign = "s3cret-3-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let stranger = Player::stranger(&server).request(Method::GET, "/api/v1/games?list=mine");
    let stranger = stranger.header(header::COOKIE, format!("towers_session={foreign}"));
    assert_eq!(stranger.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);

    let log = server.log();
    assert!(log.contains(&id) && log.contains("TRACE"), "all is written:\n{log}");
    let tokens = [&pair.first.player, &pair.second.player, &account].map(Player::token);
    let others = [code.as_str().unwrap(), "s3cret", "towers_session", "towers_device", "argon2id"];
    for secret in tokens.into_iter().chain(others) {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "the log contains {secret}");
    }
}

async fn lines_about_a_request_have_its_id(database: Database) {
    let server = Server::start_tracing_with(&database, &["--log-format", "json"]).await;
    let player = Player::enter(&server).await;
    let request = player.request(Method::GET, "/api/v1/games?list=mine").header("x-request-id", "theirs");
    let response = request.send().await.unwrap();
    let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert_ne!(id, "theirs", "an id is the server's");
    let again = player.respond(Method::GET, "/api/v1/games?list=mine", None).await;
    assert_ne!(again.headers()["x-request-id"], id.as_str(), "each request has its own");

    let pair = Pair::open(&server, "fenix").await;
    let log = server.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let of_request: Vec<&Value> = lines.iter().filter(|line| line["span"]["id"] == id.as_str()).collect();
    assert!(!of_request.is_empty(), "{log}");
    for line in of_request {
        let span = &line["span"];
        assert_eq!((&span["method"], &span["path"]), (&json!("GET"), &json!("/api/v1/games")), "{line}");
    }
    let begun = lines.iter().find(|line| line["fields"]["player"] == pair.first.player.id());
    assert!(begun.is_some_and(|line| line["fields"]["connection"].is_string()), "{log}");
}
