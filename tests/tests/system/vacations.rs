//! Vacations: the deadlines of slow games move, the opponent sees it, and a day is used when time runs out.

use reqwest::Method;
use serde_json::{Value, json};
use system_tests::{
    database::Database, game::Game, on_both_databases, pair::Pair, player::Player, server::Server,
    socket::Socket, timeout,
};

use crate::{accounts::execute, inbox::notices};

on_both_databases![
    a_vacation_moves_deadlines_and_shows_to_the_opponent,
    a_turn_that_begins_during_a_vacation_waits_for_its_end,
    a_day_is_used_when_time_runs_out_until_none_is_wanted,
    a_vacation_is_refused_beyond_what_is_left,
];

const VACATION: &str = "/api/v1/vacation";
const HOUR_MS: i64 = 60 * 60 * 1_000;
pub(crate) const DAY_MS: i64 = 24 * HOUR_MS;

/// Tolerance for times that are measured by two requests.
pub(crate) const ABOUT_MS: i64 = 60_000;

pub(crate) async fn take(player: &Player, days: u64) -> Value {
    let body = json!({ "days": days });
    player.send(player.request(Method::PUT, VACATION).json(&body)).await.ok()
}

async fn deadline_ms(player: &Player, game: &str) -> i64 {
    player.game(game).await["summary"]["deadline_ms"].as_i64().unwrap()
}

/// Waits until a game has this many credits of vacations, and returns the last one. A server that is slow to start again also
/// credits an outage.
async fn credit(socket: &mut Socket, game: &str, number: usize) -> Value {
    timeout(format!("{number} credits"), async {
        loop {
            let record = socket.record(game);
            let is_of_vacation =
                |event: &&Value| event["type"] == "time_credited" && !event["vacation_until_ms"].is_null();
            let credits: Vec<_> = record.events().iter().filter(is_of_vacation).collect();
            if credits.len() >= number {
                return credits[number - 1].clone();
            }
            let version = record.version();
            socket.until_version(game, version + 1).await;
        }
    })
    .await
}

async fn under_way(server: &Server, clock: Value) -> (Pair, Game) {
    let game = Game::fibonacci();
    let mut pair = Pair::open_on(server, &game.ruleset, json!({ "clock": clock })).await;
    pair.play_turns(&game, 0..2).await;
    (pair, game)
}

fn bank() -> Value {
    json!({"kind": "bank", "base_days": 2, "bonus_hours": 12})
}

fn is_about(ms: i64, expected_ms: i64) -> bool {
    (ms - expected_ms).abs() < ABOUT_MS
}

async fn a_vacation_moves_deadlines_and_shows_to_the_opponent(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = under_way(&server, bank()).await;
    let id = pair.game.clone();
    let live = json!({"kind": "real_time", "base_s": 600, "bonus_s": 5, "bonus": "per_turn"});
    let (in_real_time, _) = under_way(&server, live).await;
    let before_ms = deadline_ms(&pair.first.player, &id).await;

    let begun = take(&pair.first.player, 3).await;
    assert_eq!((&begun["days_left"], &begun["automatic"]), (&json!(7), &json!(true)));
    let until_ms = begun["present"]["until_ms"].as_i64().unwrap();
    let credited = credit(&mut pair.second.socket, &id, 1).await;
    assert_eq!((&credited["side"], &credited["vacation_until_ms"]), (&json!("first"), &json!(until_ms)));
    let present = pair.second.socket.record(&id).present().clone();
    assert_eq!(present["vacation_until_ms"], until_ms, "{present}");
    assert!(is_about(present["clock"]["first_ms"].as_i64().unwrap(), 2 * DAY_MS), "it stands: {present}");
    let after_ms = deadline_ms(&pair.first.player, &id).await;
    assert!(is_about(after_ms, before_ms + 3 * DAY_MS), "{before_ms} {after_ms}");
    let waiting = pair.first.player.get("/api/v1/turns").await.ok();
    assert_eq!(waiting["games"][0]["deadline_ms"], after_ms);
    let others = in_real_time.first.socket.record(&in_real_time.game).events();
    assert!(others.iter().all(|event| event["type"] != "time_credited"));

    let ended = pair.first.player.delete(VACATION).await.ok();
    assert_eq!((&ended["days_left"], &ended["present"]), (&json!(9), &Value::Null));
    let revoked = credit(&mut pair.second.socket, &id, 2).await;
    assert!(is_about(revoked["ms"].as_i64().unwrap(), -3 * DAY_MS), "{revoked}");
    assert_eq!(pair.second.socket.record(&id).present()["vacation_until_ms"], Value::Null);
    assert!(is_about(deadline_ms(&pair.first.player, &id).await, before_ms));
    pair.first.player.delete(VACATION).await.is_problem(409, "not_on_vacation");
    pair.play(&game.turns[2]).await;
}

async fn a_turn_that_begins_during_a_vacation_waits_for_its_end(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = under_way(&server, json!({"kind": "correspondence", "days": 1})).await;
    let id = pair.game.clone();
    let begun = take(&pair.second.player, 10).await;
    let until_ms = begun["present"]["until_ms"].as_i64().unwrap();
    pair.play(&game.turns[2]).await;
    let credited = credit(&mut pair.first.socket, &id, 1).await;
    assert_eq!((&credited["side"], &credited["vacation_until_ms"]), (&json!("second"), &json!(until_ms)));
    assert!(is_about(deadline_ms(&pair.first.player, &id).await, until_ms + DAY_MS));
    // Who is on vacation may play.
    pair.play(&game.turns[3]).await;
    pair.play(&game.turns[4]).await;
    credit(&mut pair.first.socket, &id, 2).await;
}

/// Lets time pass on a database, by moving all that is stored about games and players back. No server runs on it.
async fn pass_a_day_and_an_hour(database: &Database) {
    for statement in [
        "update event set at_ms = at_ms - 90000000",
        "update game set created_ms = created_ms - 90000000, updated_ms = updated_ms - 90000000,
            deadline_ms = deadline_ms - 90000000, check_ms = check_ms - 90000000",
        "update vacation set from_ms = from_ms - 90000000, to_ms = to_ms - 90000000",
    ] {
        execute(database, statement).await;
    }
}

async fn restart_later(server: Server, database: &Database) -> Server {
    server.terminate();
    let (_, stopped) = server.ended().await;
    pass_a_day_and_an_hour(database).await;
    stopped.start().await
}

async fn a_day_is_used_when_time_runs_out_until_none_is_wanted(database: Database) {
    let server = Server::start(&database).await;
    let (pair, _) = under_way(&server, json!({"kind": "correspondence", "days": 1})).await;
    let id = pair.game.clone();
    let not_begun =
        Pair::open_on(&server, "fibonacci", json!({"clock": {"kind": "correspondence", "days": 1}}))
            .await
            .game;
    let server = restart_later(server, &database).await;
    let (ada, bob) = (pair.first.player.at(server.address()), pair.second.player.at(server.address()));
    let mut socket = bob.follow(&id).await;
    let used = credit(&mut socket, &id, 1).await;
    let vacation = ada.get(VACATION).await.ok();
    assert_eq!((&vacation["days_left"], &vacation["present"]["automatic"]), (&json!(9), &json!(true)));
    assert_eq!(used["vacation_until_ms"], vacation["present"]["until_ms"]);
    let [told, ..] = &notices(&ada).await[..] else { panic!("the day is told") };
    assert_eq!(
        (&told["kind"], &told["until_ms"]),
        (&json!("vacation_used"), &vacation["present"]["until_ms"])
    );
    assert_eq!(ada.game(&id).await["present"]["status"], "playing");
    let untouched = timeout("the end of the game that did not begin", async {
        loop {
            let status =
                bob.get(&format!("/api/v1/games/{not_begun}")).await.body["present"]["status"].clone();
            if status != "playing" {
                return status;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(untouched, "aborted", "no first turn was made");

    let set = ada.patch(VACATION, &json!({"automatic": false})).await.ok();
    assert_eq!(set["automatic"], false);
    drop(socket);
    let server = restart_later(server, &database).await;
    let ada = ada.at(server.address());
    let mut socket = bob.at(server.address()).follow(&id).await;
    timeout("the flag", async {
        while socket.record(&id).events().last().is_none_or(|last| last["type"] != "ended") {
            let version = socket.record(&id).version();
            socket.until_version(&id, version + 1).await;
        }
    })
    .await;
    assert_eq!(ada.game(&id).await["present"]["outcome"], json!({"winner": "second", "reason": "time"}));
    assert_eq!(ada.get(VACATION).await.ok()["days_left"], 9);
}

async fn a_vacation_is_refused_beyond_what_is_left(database: Database) {
    let server = Server::start(&database).await;
    let guest = Player::enter(&server).await;
    let put = async |days: Value| {
        guest.send(guest.request(Method::PUT, VACATION).json(&json!({ "days": days }))).await
    };
    put(json!(11)).await.is_problem(409, "no_vacation_left");
    for days in [json!(0), json!(31), json!(1.5), json!("1")] {
        put(days).await.is_problem(422, "invalid_body");
    }
    put(json!(10)).await.ok();
    put(json!(1)).await.is_problem(409, "on_vacation");
    assert_eq!(guest.get(VACATION).await.ok()["days_left"], 0);
    Player::stranger(&server).get(VACATION).await.is_problem(401, "no_session");
}
