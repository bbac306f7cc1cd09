//! The inbox: what players are told about slow games, challenges, vacations, reports and their accounts.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{PROTOCOL, resign},
};

use crate::{
    accounts::{ACCOUNT, ANOTHER, account, execute},
    moderation::moderator,
};

on_both_databases![
    the_end_of_a_slow_game_is_told_to_the_player_who_did_not_end_it,
    games_with_a_clock_for_all_turns_are_in_no_inbox,
    challenges_and_their_answers_are_told_to_the_other_player,
    a_challenge_that_is_answered_by_other_terms_is_told_once_and_leads_to_them,
    a_game_that_was_sought_is_told_to_the_player_who_waits_for_it,
    an_owner_is_told_of_a_new_password,
    the_author_of_a_report_is_told_that_it_was_answered,
    notices_are_paged_and_seen_up_to_one,
    what_a_newer_server_has_written_takes_no_other_notice_from_its_player,
    a_request_that_makes_no_sense_is_refused,
];

const INBOX: &str = "/api/v1/inbox";
const SEEN: &str = "/api/v1/inbox/seen";

/// Terms of a game of three days for each turn.
fn slow() -> Value {
    json!({"clock": {"kind": "correspondence", "days": 3}})
}

pub(crate) async fn notices(player: &Player) -> Vec<Value> {
    player.get(INBOX).await.ok()["notices"].as_array().unwrap().clone()
}

/// The kinds of the notices to a player, the last first.
async fn kinds(player: &Player) -> Vec<String> {
    let notices = notices(player).await;
    notices.iter().map(|notice| notice["kind"].as_str().unwrap().to_owned()).collect()
}

/// The number of unseen notices, as pages ask for it.
async fn unseen(player: &Player) -> u64 {
    player.get("/api/v1/turns").await.ok()["unseen"].as_u64().unwrap()
}

/// A challenge of a player to another one, on these terms.
async fn challenge(maker: &Player, challenged: &Player, terms: &Value) -> String {
    let room = json!({
        "ruleset": "fenix", "seat": "first", "visibility": "link", "for": challenged.id(), "terms": terms,
    });
    maker.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned()
}

async fn the_end_of_a_slow_game_is_told_to_the_player_who_did_not_end_it(database: Database) {
    let server = Server::start(&database).await;
    let mut pair = Pair::open_on(&server, "fibonacci", slow()).await;
    pair.play_turns(&Game::fibonacci(), 0..2).await;
    let (first, second) = (pair.first.player.clone(), pair.second.player.clone());
    assert_eq!((kinds(&first).await, unseen(&first).await), (vec![], 0));
    let resigned = pair.second.socket.ask(&resign(&pair.game)).await;
    assert_eq!(resigned["type"], "ack");
    let [notice] = &notices(&first).await[..] else { panic!("one is told") };
    for (field, expected) in [
        ("kind", json!("game_over")),
        ("game", json!(pair.game)),
        ("ruleset", json!("fibonacci")),
        ("result", json!("won")),
        ("reason", json!("resign")),
        ("seen", json!(false)),
    ] {
        assert_eq!(notice[field], expected, "{field}");
    }
    assert_eq!(notice["opponent"]["id"], second.id());
    assert_eq!((unseen(&first).await, unseen(&second).await), (1, 0));
    assert_eq!(kinds(&second).await, [""; 0]);
    let exported = first.get("/api/v1/session/export").await;
    assert!(exported.text().lines().any(|line| line.contains(r#"{"type":"notice","notice":{"#)));
}

async fn games_with_a_clock_for_all_turns_are_in_no_inbox(database: Database) {
    let server = Server::start(&database).await;
    let live = json!({"clock": {"kind": "real_time", "base_s": 600, "bonus_s": 5, "bonus": "per_turn"}});
    let mut pair = Pair::open_on(&server, "fibonacci", live.clone()).await;
    pair.play_turns(&Game::fibonacci(), 0..2).await;
    let resigned = pair.second.socket.ask(&resign(&pair.game)).await;
    assert_eq!(resigned["type"], "ack");
    let (first, second) = (pair.first.player, pair.second.player);
    challenge(&first, &second, &live).await;
    assert_eq!((kinds(&first).await, kinds(&second).await), (vec![], vec![]));
}

async fn challenges_and_their_answers_are_told_to_the_other_player(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut socket = bob.connect().await;
    socket
        .send(&json!({"type": "hello", "protocol": PROTOCOL, "games": [], "lobby": false, "turns": true}))
        .await;
    assert_eq!(socket.take_type("welcome").await["player"]["kind"], "guest");
    let accepted = challenge(&ada, &bob, &slow()).await;
    socket.take_type("turns").await;
    assert_eq!((kinds(&bob).await, unseen(&bob).await), (vec!["challenged".to_owned()], 1));
    let declined = challenge(&ada, &bob, &slow()).await;
    bob.join(&accepted).await.ok();
    let path = format!("/api/v1/rooms/{declined}/decline");
    assert_eq!(bob.post(&path, &Value::Null).await.status, 204);
    let to_ada = notices(&ada).await;
    let told =
        |notice: &Value| [&notice["kind"], &notice["game"], &notice["opponent"]["id"]].map(Value::clone);
    let expected = [
        ["challenge_declined", &declined, bob.id()].map(|text| json!(text)),
        ["challenge_accepted", &accepted, bob.id()].map(|text| json!(text)),
    ];
    assert_eq!(to_ada.iter().map(told).collect::<Vec<_>>(), expected);
    assert_eq!(kinds(&bob).await, ["challenged", "challenged"]);
}

async fn a_challenge_that_is_answered_by_other_terms_is_told_once_and_leads_to_them(database: Database) {
    let server = Server::start(&database).await;
    let [ada, bob, eve] = [(); 3].map(|()| Player::enter(&server));
    let (ada, bob, eve) = (ada.await, bob.await, eve.await);
    let asked = challenge(&ada, &bob, &slow()).await;
    let answer = |to: &Player, answered: &str| {
        json!({
            "ruleset": "focus", "seat": "first", "visibility": "link", "for": to.id(), "answers": answered,
            "terms": {"clock": {"kind": "correspondence", "days": 9}},
        })
    };
    // It is not Eve's to answer, nor Bob's to answer to somebody else.
    eve.post("/api/v1/rooms", &answer(&ada, &asked)).await.is_problem(403, "not_for_you");
    bob.post("/api/v1/rooms", &answer(&eve, &asked)).await.is_problem(422, "invalid_body");
    let other = bob.post("/api/v1/rooms", &answer(&ada, &asked)).await.ok();
    let [notice] = &notices(&ada).await[..] else { panic!("one is told") };
    for (field, expected) in [
        ("kind", json!("challenge_countered")),
        ("game", other["id"].clone()),
        ("ruleset", json!("focus")),
        ("clock", json!({"kind": "correspondence", "days": 9})),
    ] {
        assert_eq!(notice[field], expected, "{field}");
    }
    assert_eq!(notice["opponent"]["id"], bob.id());
    assert_eq!(kinds(&bob).await, ["challenged"]);
    let document = ada.get(&format!("/api/v1/games/{asked}")).await.ok();
    assert_eq!(document["summary"]["status"], "cancelled");
    let closed = document["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&closed["declined"], &closed["counter"]), (&json!(true), &other["id"]));
    bob.post("/api/v1/rooms", &answer(&ada, &asked)).await.is_problem(409, "room_cancelled");
}

async fn a_game_that_was_sought_is_told_to_the_player_who_waits_for_it(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob, eve) =
        (Player::enter(&server).await, Player::enter(&server).await, Player::enter(&server).await);
    let seek = json!({"ruleset": "fenix", "clock": {"kind": "correspondence", "days": 3}, "games": 2});
    let posted = ada.post("/api/v1/seeks", &seek).await.ok();
    let path = format!("/api/v1/seeks/{}/accept", posted["seek"]["id"].as_str().unwrap());
    let accepted = bob.post(&path, &Value::Null).await.ok();
    let paired = eve.post("/api/v1/seeks", &seek).await.ok();
    let told = notices(&ada).await;
    let told: Vec<_> =
        told.iter().map(|notice| [&notice["kind"], &notice["game"], &notice["opponent"]["id"]]).collect();
    let kind = json!("seek_accepted");
    let expected = [(&paired["games"][0]["id"], eve.id()), (&accepted["id"], bob.id())];
    let expected = expected.map(|(game, other)| [kind.clone(), game.clone(), json!(other)]);
    assert_eq!(told, expected.each_ref().map(|[kind, game, other]| [kind, game, other]));
    assert_eq!((kinds(&bob).await, kinds(&eve).await), (vec![], vec![]));
}

async fn an_owner_is_told_of_a_new_password(database: Database) {
    let server = Server::start(&database).await;
    let (ada, _) = account(&server, "Ada").await;
    let bob = account(&server, "Bob").await.0;
    ada.patch(ACCOUNT, &json!({"password": ANOTHER})).await.ok();
    let [notice] = &notices(&ada).await[..] else { panic!("one is told") };
    assert_eq!((&notice["kind"], &notice["what"]), (&json!("security"), &json!("password_set")));
    assert_eq!(kinds(&bob).await, [""; 0]);
}

async fn the_author_of_a_report_is_told_that_it_was_answered(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let (bob, _) = account(&server, "Bob").await;
    let pair = Pair::between([bob.clone(), Player::enter(&server).await], "fibonacci").await;
    let target = pair.second.player.id();
    let report = json!({"player": target, "kind": "chat", "game": pair.game});
    assert_eq!(bob.post("/api/v1/reports", &report).await.status, 204);
    assert_eq!(kinds(&bob).await, [""; 0]);
    let mute = json!({"kind": "mute", "player": target, "hours": 1});
    assert_eq!(ada.post("/api/v1/moderation/acts", &mute).await.status, 204);
    let [notice] = &notices(&bob).await[..] else { panic!("one is told") };
    let mut fields: Vec<_> = notice.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["at_ms", "game", "id", "kind", "seen"], "nothing about the decision");
    assert_eq!((&notice["kind"], &notice["game"]), (&json!("report_answered"), &json!(pair.game)));
    assert_eq!((kinds(&ada).await, kinds(&pair.second.player).await), (vec![], vec![]));
}

async fn notices_are_paged_and_seen_up_to_one(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(challenge(&ada, &bob, &slow()).await);
    }
    games.reverse();
    let (mut read, mut ids, mut path) = (Vec::new(), Vec::new(), format!("{INBOX}?limit=2"));
    loop {
        let page = bob.get(&path).await.ok();
        assert_eq!(page["unseen"], 3);
        for notice in page["notices"].as_array().unwrap() {
            read.push(notice["game"].as_str().unwrap().to_owned());
            ids.push(notice["id"].clone());
        }
        let Some(next) = page["next"].as_str() else { break };
        path = format!("{INBOX}?limit=2&before={next}");
    }
    assert_eq!(read, games);
    for _ in 0..2 {
        assert_eq!(bob.post(SEEN, &json!({"up_to": ids[1]})).await.status, 204, "twice is no error");
    }
    let seen: Vec<_> = notices(&bob).await.iter().map(|notice| notice["seen"].clone()).collect();
    assert_eq!(seen, [json!(false), json!(true), json!(true)]);
    assert_eq!((unseen(&bob).await, unseen(&ada).await), (1, 0));
}

async fn what_a_newer_server_has_written_takes_no_other_notice_from_its_player(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(challenge(&ada, &bob, &slow()).await);
    }
    games.reverse();
    // The newest one and two in a row.
    for sql in [
        "update notice set kind = 'tournament' where id = (select id from notice order by id desc limit 1)",
        "update notice set body = '{}' where id in (select id from notice order by id desc limit 2 offset 1)",
    ] {
        execute(&database, sql).await;
    }
    let told = |page: &Value| -> Vec<Value> {
        page["notices"].as_array().unwrap().iter().map(|notice| notice["game"].clone()).collect()
    };
    let other = challenge(&ada, &bob, &slow()).await;
    for limit in [1, 2, 20] {
        let (mut read, mut before) = (Vec::new(), String::new());
        loop {
            let page = bob.get(&format!("{INBOX}?limit={limit}{before}")).await.ok();
            read.extend(told(&page));
            match page["next"].as_str() {
                Some(next) => before = format!("&before={next}"),
                None => break,
            }
        }
        assert_eq!(read, [json!(other), json!(games[3])], "in pages of {limit}");
    }
    let exported = bob.get("/api/v1/session/export").await;
    let n_notices = exported.text().lines().filter(|line| line.starts_with(r#"{"type":"notice""#)).count();
    assert_eq!(n_notices, 2);
}

async fn a_request_that_makes_no_sense_is_refused(database: Database) {
    let server = Server::start(&database).await;
    let (ada, stranger) = (Player::enter(&server).await, Player::stranger(&server));
    stranger.get(INBOX).await.is_problem(401, "no_session");
    stranger.post(SEEN, &json!({"up_to": ada.id()})).await.is_problem(401, "no_session");
    for query in ["before=7", "limit=0", "limit=101", "after=7"] {
        ada.get(&format!("{INBOX}?{query}")).await.is_problem(400, "invalid_query");
    }
    ada.post(SEEN, &json!({"up_to": 7})).await.is_problem(422, "invalid_body");
    assert_eq!(ada.post(SEEN, &json!({"up_to": ada.id()})).await.status, 204, "there is none to be seen");
}
