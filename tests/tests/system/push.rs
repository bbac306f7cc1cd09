//! Notifications of browsers whose pages are closed: subscriptions, and messages to a push service.

use reqwest::Method;
use serde_json::{Value, json};
use system_tests::{
    admin::run,
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::{Answer, Player},
    push::{Browser, PushService},
    server::Server,
};
use tempfile::TempDir;

use crate::accounts::{ACCOUNT, PASSWORD, account, browser, count, execute};

on_both_databases![
    a_browser_subscribes_with_the_key_of_the_deployment,
    an_endpoint_elsewhere_and_keys_that_are_none_are_refused,
    a_subscription_ends_with_its_session,
    the_key_of_the_deployment_is_in_a_backup,
    a_turn_that_waits_for_ten_minutes_is_told_and_the_end_of_its_time_too,
];

pub(crate) const PUSH: &str = "/api/v1/push";

/// A server that sends messages to a push service of tests.
async fn server(database: &Database, service: &PushService) -> Server {
    Server::start_with(database, &["--push-hosts", service.origin()]).await
}

pub(crate) async fn subscribe(player: &Player, browser: &Browser) -> Answer {
    player.send(player.request(Method::PUT, PUSH).json(&browser.subscription())).await
}

/// The subscriptions in an export, of which a player may have one a day.
async fn subscriptions(player: &Player) -> Vec<Value> {
    let export = player.get("/api/v1/session/export").await;
    let message = r#"{"type":"message","purpose":"deadline","channel":"push","since_ms":"#;
    let lines = export.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<_> =
        lines.filter(|line| line["type"] == "push").map(|line| line["push"].clone()).collect();
    assert!(found.is_empty() || export.text().contains(message), "what is told first: {export:?}");
    found
}

/// The number of subscriptions of all players.
async fn stored(database: &Database) -> i64 {
    count(database, "select count(*) from push").await
}

async fn a_browser_subscribes_with_the_key_of_the_deployment(database: Database) {
    let service = PushService::start().await;
    let server = server(&database, &service).await;
    let stranger = Player::stranger(&server);
    let key = stranger.get(PUSH).await.ok()["key"].clone();
    let [phone, laptop] = ["phone", "laptop"].map(|name| service.browser(&format!("201/{name}"), name));
    subscribe(&stranger, &phone).await.is_problem(401, "no_session");
    let guest = Player::enter(&server).await;
    for browser in [&phone, &phone, &laptop] {
        assert_eq!(subscribe(&guest, browser).await.ok()["key"], key);
        assert_eq!(stored(&database).await, 1, "a session has one subscription");
    }
    let [own] = &subscriptions(&guest).await[..] else { panic!("it is in the export") };
    assert_eq!(own["service"], service.origin(), "and what names it is a secret");
    assert!(own["session"].is_string() && own.as_object().unwrap().len() == 2, "{own}");
    let other = Player::enter(&server).await;
    subscribe(&other, &laptop).await.ok();
    assert_eq!(stored(&database).await, 1, "a browser belongs to its last session");
    assert_eq!(subscriptions(&other).await.len(), 1);
    for _ in 0..2 {
        assert_eq!(other.delete(PUSH).await.status, 204);
        assert_eq!(stored(&database).await, 0);
    }

    server.terminate();
    let (_, stopped) = server.ended().await;
    let server = stopped.start().await;
    assert_eq!(Player::stranger(&server).get(PUSH).await.ok()["key"], key, "a restart changes no key");
}

async fn an_endpoint_elsewhere_and_keys_that_are_none_are_refused(database: Database) {
    let service = PushService::start().await;
    let server = server(&database, &service).await;
    let guest = Player::enter(&server).await;
    let browser = service.browser("201/phone", "phone");
    let put = async |body: &Value| guest.send(guest.request(Method::PUT, PUSH).json(body)).await;
    let [public, secret] = browser.keys();
    for endpoint in [
        "",
        "http://127.0.0.1/201/phone",
        "https://fcm.googleapis.com/fcm/send/abc",
        &service.origin().replace("http", "https"),
        &service.origin().replace("//", "//ada@"),
    ] {
        let elsewhere = json!({"endpoint": endpoint, "keys": {"p256dh": public, "auth": secret}});
        put(&elsewhere).await.is_problem(422, "unusable_push");
    }
    for (public, secret) in
        [("", secret.as_str()), (&public, ""), (&secret, &public), (&public[4..], &secret)]
    {
        let wrong = json!({"endpoint": browser.endpoint(), "keys": {"p256dh": public, "auth": secret}});
        put(&wrong).await.is_problem(422, "unusable_push");
    }
    put(&json!({"endpoint": browser.endpoint()})).await.is_problem(422, "invalid_body");
    put(&json!("x".repeat(3_000))).await.is_problem(422, "invalid_body");
    assert_eq!(subscriptions(&guest).await, [Value::Null; 0]);
}

async fn a_subscription_ends_with_its_session(database: Database) {
    let service = PushService::start().await;
    let server = server(&database, &service).await;
    let (ada, _) = account(&server, "Ada").await;
    let subscribed = async |name: &str| {
        let player = browser(&server, "Ada", PASSWORD).await;
        subscribe(&player, &service.browser(&format!("201/{name}"), name)).await.ok();
        player
    };
    let [phone, laptop] = [subscribed("phone").await, subscribed("laptop").await];
    assert_eq!(stored(&database).await, 2);
    assert_eq!(phone.delete("/api/v1/session").await.status, 204);
    assert_eq!(stored(&database).await, 1);
    let change = json!({"password": "marmalade quartz violin"});
    ada.patch(ACCOUNT, &change).await.ok();
    assert_eq!(stored(&database).await, 0, "a new password ends other sessions");
    assert_eq!(laptop.get(ACCOUNT).await.status, 401);
    subscribe(&ada, &service.browser("201/desk", "desk")).await.ok();
    assert_eq!(ada.delete("/api/v1/sessions").await.status, 204);
    assert_eq!(stored(&database).await, 0);
}

async fn the_key_of_the_deployment_is_in_a_backup(database: Database) {
    let server = Server::start(&database).await;
    let key = Player::stranger(&server).get(PUSH).await.ok()["key"].clone();
    let directory = TempDir::new().unwrap();
    let backup = directory.path().join("towers.backup");
    let backup = backup.to_str().unwrap();
    run(&database, &["backup", backup]).await.ok();
    let elsewhere = if database.file().is_some() { Database::sqlite() } else { Database::postgres() };
    run(&elsewhere, &["restore", backup]).await.ok();
    let restored = Server::start(&elsewhere).await;
    assert_eq!(Player::stranger(&restored).get(PUSH).await.ok()["key"], key);
    assert_ne!(key, Value::Null);
}

/// Stops a server, executes statements, and starts the server again.
async fn with(server: Server, database: &Database, statements: &[&'static str]) -> Server {
    server.terminate();
    let (_, stopped) = server.ended().await;
    for sql in statements {
        execute(database, sql).await;
    }
    stopped.start().await
}

async fn a_turn_that_waits_for_ten_minutes_is_told_and_the_end_of_its_time_too(database: Database) {
    const MINUTES_PASS: &str =
        "update outbox set since_ms = since_ms - 600000, due_ms = due_ms - 600000 where purpose = 'turns'";
    const BEGAN_EARLIER: &str = "update event set at_ms = at_ms - 600000";
    const DAYS_PASS: &str =
        "update outbox set since_ms = since_ms - 86400000, due_ms = 0 where purpose = 'deadline'";
    const TIME_RUNS_OUT: &str =
        "update game set deadline_ms = deadline_ms - 82800000, check_ms = check_ms - 82800000";
    const SINCE_IT_BEGAN: &str = "update event set at_ms = at_ms - 82800000";
    let mut service = PushService::start().await;
    let server = server(&database, &service).await;
    let terms = json!({"clock": {"kind": "correspondence", "days": 1}});
    let mut pair = Pair::open_on(&server, "fibonacci", terms).await;
    let phone = service.browser("201/phone", "phone");
    let key = subscribe(&pair.second.player, &phone).await.ok()["key"].clone();
    pair.play_turns(&Game::fibonacci(), 0..1).await;
    let name = pair.first.player.post("/api/v1/session", &Value::Null).await.ok()["player"]["name"].clone();

    let server = with(server, &database, &[MINUTES_PASS, BEGAN_EARLIER]).await;
    let pushed = service.next().await;
    let told: Value = serde_json::from_str(&phone.read(&pushed)).unwrap();
    let deadline_ms = told["deadline_ms"].as_i64().unwrap();
    assert_eq!(
        told,
        json!({
            "purpose": "turns", "waiting": 1, "game": pair.game, "ruleset": "fibonacci", "opponent": name,
            "deadline_ms": deadline_ms, "tag": told["tag"],
        })
    );
    assert_eq!(pushed.verified().1, key);
    let ttl: i64 = pushed.header("ttl").parse().unwrap();
    assert!((80_000..=86_400).contains(&ttl), "it counts until the deadline: {ttl}");

    // Of the day an hour is left, so both times at which a deadline is told have passed.
    let server = with(server, &database, &[TIME_RUNS_OUT, SINCE_IT_BEGAN, DAYS_PASS]).await;
    let pushed = service.next().await;
    let told: Value = serde_json::from_str(&phone.read(&pushed)).unwrap();
    assert_eq!((&told["purpose"], &told["game"]), (&json!("deadline"), &json!(pair.game)));
    assert_eq!(pushed.header("urgency"), "high");
    drop(server);
    service.has_nothing();
}
