//! Reports, and the acts of moderators: what players notice of them, on every node.

use serde_json::{Value, json};
use system_tests::{
    admin::run, database::Database, nats::Nats, on_both_databases, pair::Pair, player::Player,
    server::Server, socket::command, timeout,
};

use crate::{
    accounts::{PASSWORD, SIGN_IN, account, attempt, credentials, execute, has_session, let_proofs_age},
    nodes::node,
};

on_both_databases![
    a_report_reaches_a_moderator_with_the_chat_that_it_is_about,
    guests_and_strangers_of_a_game_report_nobody,
    an_act_needs_a_role_and_a_proof,
    a_hidden_name_is_shown_nowhere,
    an_account_that_a_moderator_closes_stays_closed,
    acts_are_read_by_administrators_and_by_their_target,
    a_player_who_left_a_room_that_opened_again_is_not_reported,
    mistakes_use_up_no_reports_and_one_act_dismisses_all,
    a_muted_player_keeps_the_name,
];

pub(crate) const REPORTS: &str = "/api/v1/reports";
const OPEN: &str = "/api/v1/moderation/reports";
pub(crate) const ACTS: &str = "/api/v1/moderation/acts";
const AUDIT: &str = "/api/v1/moderation/audit";
const OWN: &str = "/api/v1/account/acts";

/// An account with a role, by the command line.
pub(crate) async fn moderator(database: &Database, server: &Server, name: &str, role: &str) -> Player {
    let (player, _) = account(server, name).await;
    let said = run(database, &["role", name, role]).await.ok();
    assert!(said[0].contains(name), "{said:?}");
    player
}

/// A game of the account Bob and of a guest, in which the guest has said something.
async fn rude_game(server: &Server) -> Pair {
    let (bob, _) = account(server, "Bob").await;
    let mut pair = Pair::between([bob, Player::enter(server).await], "fibonacci").await;
    let said = command("say", &pair.game, json!({"text": "you play like a fool"}));
    assert_eq!(pair.second.socket.ask(&said).await["type"], "ack");
    pair
}

fn report(pair: &Pair, kind: &str) -> Value {
    json!({"player": pair.second.player.id(), "kind": kind, "game": pair.game})
}

async fn a_report_reaches_a_moderator_with_the_chat_that_it_is_about(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let session = ada.post("/api/v1/session", &Value::Null).await.ok();
    assert_eq!(session["role"], "moderator");
    let pair = rude_game(&server).await;
    let bob = &pair.first.player;
    let mut chat = report(&pair, "chat");
    chat["text"] = json!("see the first line");
    for _ in 0..2 {
        assert_eq!(bob.post(REPORTS, &chat).await.status, 204);
    }
    assert_eq!(bob.post(REPORTS, &report(&pair, "name")).await.status, 204);
    let export = bob.get("/api/v1/session/export").await;
    assert!(export.text().contains("see the first line"), "what one reports is one's own");
    let listed = ada.get(OPEN).await.ok();
    let reports = listed["reports"].as_array().unwrap();
    assert_eq!(reports.len(), 2, "a report about the same matter is the same report");
    assert_eq!((&reports[0]["kind"], &reports[0]["text"]), (&json!("chat"), &json!("see the first line")));
    assert_eq!(reports[0]["by"]["name"], "Bob");
    assert_eq!(reports[0]["name"], reports[0]["player"]["name"]);
    let id = reports[0]["id"].as_str().unwrap();
    assert_eq!(reports[0]["lines"][0]["text"], "you play like a fool");
    assert_eq!(reports[1]["lines"], json!([]), "it is not about the chat");

    let dismissed = ada.post(ACTS, &json!({"kind": "dismiss", "report": id})).await;
    assert_eq!(dismissed.status, 204);
    let again = ada.post(ACTS, &json!({"kind": "dismiss", "report": id})).await;
    again.is_problem(409, "nothing_to_do");
    let listed = ada.get(OPEN).await.ok();
    let kinds: Vec<_> = listed["reports"].as_array().unwrap().iter().map(|report| &report["kind"]).collect();
    assert_eq!(kinds, ["name", "chat"], "open reports come first");
}

async fn guests_and_strangers_of_a_game_report_nobody(database: Database) {
    let server = Server::start(&database).await;
    let pair = rude_game(&server).await;
    let (stranger, _) = account(&server, "Cleo").await;
    let guest = &pair.second.player;
    guest.post(REPORTS, &report(&pair, "chat")).await.is_problem(409, "no_account");
    let bob = &pair.first.player;
    let himself = json!({"player": bob.id(), "kind": "play", "game": pair.game});
    bob.post(REPORTS, &himself).await.is_problem(409, "oneself");
    let absent = json!({"player": stranger.id(), "kind": "play", "game": pair.game});
    bob.post(REPORTS, &absent).await.is_problem(404, "unknown_player");
    let nowhere = json!({"player": guest.id(), "kind": "play", "game": guest.id()});
    bob.post(REPORTS, &nowhere).await.is_problem(404, "unknown_game");
    let terms = json!({"watching": "nobody", "clock": {"kind": "none"}, "drafts": "shown", "delay": 0});
    let room = json!({"ruleset": "focus", "seat": "first", "visibility": "link", "terms": terms});
    let private = guest.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned();
    bob.join(&private).await.ok();
    let private = json!({"player": guest.id(), "kind": "play", "game": private});
    stranger.post(REPORTS, &private).await.is_problem(403, "private");
    assert_eq!(bob.post(REPORTS, &private).await.status, 204);
}

async fn an_act_needs_a_role_and_a_proof(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let boss = moderator(&database, &server, "Boss", "admin").await;
    let (bob, _) = account(&server, "Bob").await;
    let mute = |player: &Player| json!({"kind": "mute", "player": player.id(), "hours": 1});
    for path in [OPEN, AUDIT] {
        bob.get(path).await.is_problem(403, "not_moderator");
    }
    bob.post(ACTS, &mute(&ada)).await.is_problem(403, "not_moderator");
    ada.get(AUDIT).await.is_problem(403, "not_moderator");
    ada.post(ACTS, &mute(&boss)).await.is_problem(403, "on_moderator");
    ada.post(ACTS, &mute(&ada)).await.is_problem(409, "oneself");
    assert_eq!(boss.post(ACTS, &mute(&ada)).await.status, 204);

    // The session has not been proved lately.
    server.terminate();
    let (_, stopped) = server.ended().await;
    let_proofs_age(&database).await;
    let _server = stopped.start().await;
    ada.post(ACTS, &mute(&bob)).await.is_problem(403, "prove_again");
    assert_eq!(ada.get(OPEN).await.status, 200, "reading needs no proof");
    ada.post("/api/v1/session/prove", &json!({"password": PASSWORD})).await.ok();
    assert_eq!(ada.post(ACTS, &mute(&bob)).await.status, 204);

    run(&database, &["role", "Ada", "none"]).await.ok();
    ada.post(ACTS, &mute(&bob)).await.is_problem(403, "not_moderator");
    run(&database, &["role", "Nobody", "admin"]).await.is_refused("no account has the name");
}

#[tokio::test]
async fn a_mute_holds_on_all_nodes_at_once() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let ada = moderator(&database, &one, "Ada", "moderator").await;
    let terms = json!({"clock": {"kind": "none"}, "watching": "everybody", "drafts": "shown", "delay": 0});
    let mut pair = Pair::open_across([&one, &other], "fibonacci", terms).await;
    let guest = pair.second.player.id().to_owned();
    let say = |pair: &Pair| command("say", &pair.game, json!({"text": "hello"}));
    assert_eq!(ada.post(ACTS, &json!({"kind": "mute", "player": guest, "hours": 2})).await.status, 204);
    // The message to the other node may be on its way.
    let refused = timeout("the mute on the other node", async {
        loop {
            let answer = pair.second.socket.ask(&say(&pair)).await;
            if answer["code"] == "muted" {
                break answer;
            }
        }
    })
    .await;
    let until_ms = refused["until_ms"].as_i64().unwrap();
    assert_eq!(pair.first.socket.ask(&say(&pair)).await["type"], "ack", "of the other player");

    // A node that starts knows it too.
    let third = node(&database, &nats).await;
    let mut pair = Pair { second: pair.second.move_to(&third).await, ..pair };
    let refused = pair.second.socket.ask(&say(&pair)).await;
    assert_eq!((&refused["code"], refused["until_ms"].as_i64()), (&json!("muted"), Some(until_ms)));
    assert_eq!(pair.second.player.get(OWN).await.ok()["acts"][0]["until_ms"].as_i64(), Some(until_ms));
}

async fn a_hidden_name_is_shown_nowhere(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let (rude, _) = account(&server, "Rude Name").await;
    let mut pair = Pair::between([rude.clone(), Player::enter(&server).await], "fibonacci").await;
    assert_eq!(
        ada.post(ACTS, &json!({"kind": "hide_name", "player": rude.id(), "name": "rude name"})).await.status,
        204
    );
    let renamed = pair.second.socket.take_type("renamed").await;
    assert!(renamed["player"]["name"].as_str().unwrap().starts_with("Anon "), "{renamed}");
    assert_eq!(ada.game(&pair.game).await["summary"]["creator"]["name"], renamed["player"]["name"]);
    let taking = json!({"name": "RUDE NAME"});
    ada.patch("/api/v1/account", &taking).await.is_problem(409, "name_taken");
    rude.patch("/api/v1/account", &taking).await.is_problem(403, "keeps_name");
    pair.second
        .player
        .patch("/api/v1/session", &json!({"name": "Rude Name"}))
        .await
        .is_problem(409, "name_taken");
    let mut again = Player::stranger(&server);
    again.signs_in(SIGN_IN, &credentials("Rude Name", PASSWORD)).await;
    assert_eq!(again.id(), rude.id());
    let polite = json!({"name": "Polite Name"});
    again.patch("/api/v1/account", &polite).await.is_problem(403, "keeps_name");
    assert_eq!(run(&database, &["role", "rude name", "none"]).await.ok().len(), 1, "the name still names it");
    server.terminate();
    let (_, stopped) = server.ended().await;
    run(&database, &["check"]).await.ok();
    execute(&database, "update audit set at_ms = at_ms - 604800000").await;
    let server = stopped.start().await;
    assert_eq!(
        again.at(server.address()).patch("/api/v1/account", &polite).await.status,
        200,
        "a week later"
    );
}

async fn a_player_who_left_a_room_that_opened_again_is_not_reported(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let (bob, _) = account(&server, "Bob").await;
    let game = bob.open_room("fenix", "link").await;
    let rude = Player::enter(&server).await;
    rude.join(&game).await.ok();
    let mut socket = rude.follow(&game).await;
    let say = |text: &str| command("say", &game, json!({"text": text}));
    assert_eq!(socket.ask(&say("to Bob alone")).await["type"], "ack");
    assert_eq!(socket.ask(&command("abort", &game, json!({}))).await["type"], "ack");
    let report = |player: &Player| json!({"player": player.id(), "kind": "chat", "game": game});
    bob.post(REPORTS, &report(&rude)).await.is_problem(404, "unknown_player");
    let other = Player::enter(&server).await;
    other.join(&game).await.ok();
    let mut socket = other.follow(&game).await;
    assert_eq!(socket.ask(&say("hello")).await["type"], "ack");
    assert_eq!(bob.post(REPORTS, &report(&other)).await.status, 204);
    let listed = ada.get(OPEN).await.ok();
    let lines: Vec<_> =
        listed["reports"][0]["lines"].as_array().unwrap().iter().map(|line| &line["text"]).collect();
    assert_eq!(lines, ["hello"]);
}

async fn mistakes_use_up_no_reports_and_one_act_dismisses_all(database: Database) {
    let server = Server::start_with(&database, &["--address-factor", "1"]).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let pair = rude_game(&server).await;
    let bob = &pair.first.player;
    let absent = json!({"player": ada.id(), "kind": "play", "game": pair.game});
    for _ in 0..41 {
        bob.post(REPORTS, &absent).await.is_problem(404, "unknown_player");
    }
    for kind in ["chat", "play"] {
        assert_eq!(bob.post(REPORTS, &report(&pair, kind)).await.status, 204);
    }
    let all = json!({"kind": "dismiss_all", "player": pair.second.player.id()});
    assert_eq!(ada.post(ACTS, &all).await.status, 204);
    ada.post(ACTS, &all).await.is_problem(409, "nothing_to_do");
    let listed = ada.get(OPEN).await.ok();
    assert!(listed["reports"].as_array().unwrap().iter().all(|report| report["settled_ms"].is_i64()));
}

async fn a_muted_player_keeps_the_name(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let guest = Player::enter(&server).await;
    let mute = |kind: &str| match kind {
        "mute" => json!({"kind": "mute", "player": guest.id(), "hours": 2}),
        _ => json!({"kind": kind, "player": guest.id()}),
    };
    assert_eq!(ada.post(ACTS, &mute("mute")).await.status, 204);
    let until_ms = guest.get(OWN).await.ok()["acts"][0]["until_ms"].clone();
    let renamed = guest.patch("/api/v1/session", &json!({"name": "You fool"})).await;
    assert_eq!(serde_json::from_str::<Value>(renamed.text()).unwrap()["until_ms"], until_ms);
    renamed.is_problem(403, "keeps_name");
    assert_eq!(ada.post(ACTS, &mute("unmute")).await.status, 204);
    guest.patch("/api/v1/session", &json!({"name": "Polite"})).await.ok();
}

async fn an_account_that_a_moderator_closes_stays_closed(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let mut pair = rude_game(&server).await;
    let bob = pair.first.player.clone();
    let act = |kind: &str, player: &Player| json!({"kind": kind, "player": player.id()});
    assert_eq!(ada.post(ACTS, &act("close", &bob)).await.status, 204);
    assert!(!has_session(&bob).await);
    assert_eq!(pair.first.socket.closed().await, Some(4005));
    let shown = pair.second.socket.take_type("renamed").await;
    assert_eq!(shown["player"]["kind"], "deleted");
    attempt(&server, "Bob", PASSWORD).await.is_problem(403, "account_barred");
    let reopening = json!({"name": "Bob", "password": PASSWORD, "reopen": true});
    Player::stranger(&server).post(SIGN_IN, &reopening).await.is_problem(403, "account_barred");
    ada.post(ACTS, &act("close", &pair.second.player)).await.is_problem(409, "nothing_to_do");
    assert_eq!(ada.post(ACTS, &act("reopen", &bob)).await.status, 204);
    assert_eq!(attempt(&server, "Bob", PASSWORD).await.status, 200);
}

async fn acts_are_read_by_administrators_and_by_their_target(database: Database) {
    let server = Server::start(&database).await;
    let ada = moderator(&database, &server, "Ada", "moderator").await;
    let boss = moderator(&database, &server, "Boss", "admin").await;
    let guest = Player::enter(&server).await;
    let name = guest.post("/api/v1/session", &Value::Null).await.ok()["player"]["name"].clone();
    for act in [
        json!({"kind": "mute", "player": guest.id(), "hours": 3}),
        json!({"kind": "unmute", "player": guest.id()}),
        json!({"kind": "hide_name", "player": guest.id(), "name": name}),
    ] {
        assert_eq!(ada.post(ACTS, &act).await.status, 204, "{act}");
    }
    let own = guest.get(OWN).await.ok();
    let told: Vec<_> = own["acts"].as_array().unwrap().iter().map(|act| &act["kind"]).collect();
    assert_eq!(told, ["name_hidden", "unmuted", "muted"]);
    assert_eq!(own["acts"][0]["name"], name);
    assert!(own["acts"].as_array().unwrap().iter().all(|act| act.get("by").is_none()));
    let export = guest.get("/api/v1/session/export").await;
    assert_eq!(export.text().matches(r#""type":"act""#).count(), 3);
    assert!(!export.text().contains("Ada"));
    let own = ada.get("/api/v1/session/export").await;
    assert_eq!(own.text().matches(r#""type":"moderated""#).count(), 3, "a moderator's own acts");

    let audit = boss.get(AUDIT).await.ok();
    let acts = audit["acts"].as_array().unwrap();
    assert_eq!(acts[0]["by"]["name"], "Ada");
    let kinds: Vec<_> = acts.iter().map(|act| &act["kind"]).collect();
    assert_eq!(kinds, ["name_hidden", "unmuted", "muted", "role_given", "role_given"]);
    assert_eq!((&acts[3]["by"], &acts[3]["role"]), (&Value::Null, &json!("admin")));
    let act = &own.text().lines().last().unwrap().to_owned();
    assert!(act.contains(guest.id()), "{act}");
    for _ in 0..20 {
        let mute = json!({"kind": "mute", "player": guest.id(), "hours": 1});
        assert_eq!(ada.post(ACTS, &mute).await.status, 204);
    }
    let first = boss.get(AUDIT).await.ok();
    let next = first["next"].as_str().unwrap();
    let second = boss.get(&format!("{AUDIT}?before={next}")).await.ok();
    assert_eq!((second["acts"].as_array().unwrap().len(), &second["next"]), (5, &Value::Null));
}
