//! Accounts: a guest becomes one, signs in elsewhere, and is kept out by nobody.

use std::collections::HashSet;

use reqwest::{Method, header};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, SqliteConnection};
use system_tests::{
    admin::run,
    database::Database,
    game::Game,
    nats::Nats,
    on_both_databases,
    pair::{Pair, Seat},
    player::{Answer, Player},
    server::Server,
    socket::{Connect, Socket, command},
};

use crate::nodes::{is_ready, node};

on_both_databases![
    a_guest_becomes_an_account_and_plays_on,
    a_game_goes_on_in_another_browser,
    a_guest_is_asked_before_games_are_left,
    nobody_takes_a_name_that_looks_like_that_of_an_account,
    a_former_name_stays_with_its_account,
    a_wrong_name_is_answered_like_a_wrong_password,
    strangers_who_try_passwords_do_not_keep_the_owner_out,
    a_recovery_ends_all_sessions_and_may_be_sent_again,
    a_closed_account_leaves_its_games_and_comes_back_with_its_player,
    all_that_is_stored_about_a_player_is_exported,
    a_link_of_the_command_line_recovers_an_account_once,
    a_new_password_needs_a_recent_proof_and_ends_other_sessions,
    sessions_are_listed_and_ended_one_by_one_or_all,
    weak_passwords_are_refused,
];

pub(crate) const ACCOUNT: &str = "/api/v1/account";
const SESSIONS: &str = "/api/v1/sessions";
pub(crate) const SIGN_IN: &str = "/api/v1/session/password";
pub(crate) const PROVE: &str = "/api/v1/session/prove";
pub(crate) const RECOVER: &str = "/api/v1/account/recover";
pub(crate) const BY_LINK: &str = "/api/v1/account/recover/link";
const CODE: &str = "/api/v1/account/code";
const EXPORT: &str = "/api/v1/session/export";
pub(crate) const PASSWORD: &str = "quartz violin marmalade";
pub(crate) const ANOTHER: &str = "marmalade quartz violin";

pub(crate) fn credentials(name: &str, password: &str) -> Value {
    json!({"name": name, "password": password})
}

/// A new account, and its recovery code.
pub(crate) async fn account(server: &Server, name: &str) -> (Player, Value) {
    let mut player = Player::enter(server).await;
    let account = player.signs_in(ACCOUNT, &credentials(name, PASSWORD)).await;
    (player, account["recovery_code"].clone())
}

/// A new browser that has signed in.
pub(crate) async fn browser(server: &Server, name: &str, password: &str) -> Player {
    let mut browser = Player::stranger(server);
    browser.signs_in(SIGN_IN, &credentials(name, password)).await;
    browser
}

pub(crate) async fn has_session(player: &Player) -> bool {
    player.get("/api/v1/blocks").await.status == 200
}

/// The status of an attempt to sign in from a new browser.
pub(crate) async fn attempt(server: &Server, name: &str, password: &str) -> Answer {
    Player::stranger(server).post(SIGN_IN, &credentials(name, password)).await
}

async fn a_guest_becomes_an_account_and_plays_on(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    let guest = pair.first.player.clone();
    guest.get(ACCOUNT).await.is_problem(409, "no_account");
    let session = guest.post("/api/v1/session", &Value::Null).await.ok();
    assert_eq!(session["player"]["kind"], "guest");

    let account = pair.first.player.signs_in(ACCOUNT, &credentials("Ada", PASSWORD)).await;
    let ada = &pair.first.player;
    assert_eq!(account["player"], json!({"id": guest.id(), "name": "Ada", "kind": "account"}));
    assert_eq!(account["former_names"], json!([]));
    assert_ne!(ada.token(), guest.token(), "the token is new");
    assert!(!has_session(&guest).await && has_session(ada).await);
    let again = ada.post("/api/v1/session", &Value::Null).await.ok();
    assert_eq!(again["player"], account["player"]);
    let read = ada.get(ACCOUNT).await.ok();
    assert_eq!(read.get("recovery_code"), None, "the code is shown once");
    assert_eq!(read["player"], account["player"]);

    // The sockets of the browser stay open.
    pair.play_turns(&game, 2..game.turns.len()).await;
    let played = pair.first.player.get("/api/v1/games?list=played").await.ok();
    assert_eq!(played["games"][0]["id"], pair.game);
    pair.first.player.post(ACCOUNT, &credentials("Bea", PASSWORD)).await.is_problem(409, "has_account");
    let renamed = pair.first.player.patch("/api/v1/session", &json!({"name": "Bea"})).await;
    renamed.is_problem(409, "has_account");
}

async fn a_game_goes_on_in_another_browser(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let (phone, _) = account(&server, "Ada").await;
    let mut pair = Pair::between([phone, Player::enter(&server).await], &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    for name in ["Ada", "ADA", "ａｄａ"] {
        let laptop = browser(&server, name, PASSWORD).await;
        assert_eq!(laptop.id(), pair.first.player.id(), "{name}");
    }
    let laptop = browser(&server, "ada", PASSWORD).await;
    let mine = laptop.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(mine["games"][0]["id"], pair.game);
    pair.first = Seat { socket: laptop.follow(&pair.game).await, player: laptop };
    pair.play_turns(&game, 2..game.turns.len()).await;
}

async fn a_guest_is_asked_before_games_are_left(database: Database) {
    let server = Server::start(&database).await;
    let (ada, code) = account(&server, "Ada").await;
    let mut guest = Player::enter(&server).await;
    let room = guest.open_room("fenix", "link").await;
    let mut socket = guest.connect().await;
    socket.hello(&[], false).await;
    let refused = guest.post(SIGN_IN, &credentials("Ada", PASSWORD)).await;
    refused.is_problem(409, "guest_has_games");
    assert_eq!(refused.body["games"][0]["id"], room);
    guest.post(RECOVER, &recovery("Ada", &code)).await.is_problem(409, "guest_has_games");
    assert!(has_session(&guest).await);

    let before = guest.clone();
    let leaving = json!({"name": "Ada", "password": PASSWORD, "leave_guest": true});
    let session = guest.signs_in(SIGN_IN, &leaving).await;
    assert_eq!(session["player"], json!({"id": ada.id(), "name": "Ada", "kind": "account"}));
    assert!(!has_session(&before).await && has_session(&guest).await);
    assert_eq!(socket.closed().await, Some(4005));
    // A session of the account that the browser had ends too.
    let before = guest.clone();
    guest.signs_in(SIGN_IN, &credentials("Ada", PASSWORD)).await;
    assert!(!has_session(&before).await && has_session(&guest).await && has_session(&ada).await);
}

/// Names that look like those of the accounts in the next test.
const LOOK_ALIKES: [&str; 44] = [
    "Ida Mark",
    "ida mark",
    "IDA MARK",
    "Ida rnark",
    "lda Mark",
    "1da Mark",
    "|da Mark",
    "Ida Маrk",
    "ＩＤＡ ｍａｒｋ",
    "ida Mark",
    "paypal",
    "PayPal",
    "PAYPAL",
    "PaypaI",
    "paypa1",
    "paypaI",
    "paypa|",
    "PaYpAl",
    "ｐａｙｐａｌ",
    "𝓹𝓪𝔂𝓹𝓪𝓵",
    "Ολυμπία",
    "ολυμπία",
    "ΟΛΥΜΠΊΑ",
    "ολυμπΊα",
    "Иван",
    "иван",
    "ИВАН",
    "ИваН",
    "O’Brien",
    "O'Brien",
    "o'brien",
    "0'Brien",
    "O`Brien",
    "O‘Brien",
    "Bill 10",
    "BiII 10",
    "bill IO",
    "Bill lo",
    "bi11 1o",
    "BILL l0",
    "Léonie",
    "Le\u{301}onie",
    "LÉONIE",
    "LéonIe",
];

async fn nobody_takes_a_name_that_looks_like_that_of_an_account(database: Database) {
    let server = Server::start(&database).await;
    for name in ["Ida Mark", "paypal", "Ολυμπία", "Иван", "O’Brien", "Bill 10", "Léonie"] {
        account(&server, name).await;
    }
    let guest = Player::enter(&server).await;
    // Nobody may have a name of mixed scripts at all.
    let mixed = ["Ida Маrk"];
    for name in LOOK_ALIKES {
        let answer = guest.post(ACCOUNT, &credentials(name, PASSWORD)).await;
        let renamed = guest.patch("/api/v1/session", &json!({"name": name})).await;
        if mixed.contains(&name) {
            answer.is_problem(422, "invalid_body");
            renamed.is_problem(422, "invalid_body");
        } else {
            answer.is_problem(409, "name_taken");
            renamed.is_problem(409, "name_taken");
        }
    }
    for name in ["Guest 4711", "Invité 1234", "Moderator", "towers"] {
        guest.post(ACCOUNT, &credentials(name, PASSWORD)).await.is_problem(409, "name_taken");
    }
    for name in ["Ida", "Mark", "payal", "Bill 11", "Leonie"] {
        guest.patch("/api/v1/session", &json!({"name": name})).await.ok();
    }
    let mut guest = guest;
    guest.signs_in(ACCOUNT, &credentials("Leonie", PASSWORD)).await;
}

async fn a_former_name_stays_with_its_account(database: Database) {
    let server = Server::start(&database).await;
    let (ada, _) = account(&server, "Ada").await;
    let (bob, _) = account(&server, "Bob").await;
    ada.patch(ACCOUNT, &json!({"name": "bob"})).await.is_problem(409, "name_taken");
    let renamed = ada.patch(ACCOUNT, &json!({"name": "Countess"})).await.ok();
    assert_eq!((&renamed["player"]["name"], &renamed["former_names"]), (&json!("Countess"), &json!(["Ada"])));
    bob.patch(ACCOUNT, &json!({"name": "ADA"})).await.is_problem(409, "name_taken");
    assert_eq!(browser(&server, "ada", PASSWORD).await.id(), ada.id(), "it signs in by either name");
    assert_eq!(browser(&server, "countess", PASSWORD).await.id(), ada.id());
    let back = ada.patch(ACCOUNT, &json!({"name": "Ada"})).await.ok();
    assert_eq!((&back["player"]["name"], &back["former_names"]), (&json!("Ada"), &json!(["Countess"])));
    for number in 0..9 {
        ada.patch(ACCOUNT, &json!({"name": format!("Ada {number}x")})).await.ok();
    }
    ada.patch(ACCOUNT, &json!({"name": "Ada 9x"})).await.is_problem(429, "too_many_names");
    ada.patch(ACCOUNT, &json!({"name": "Countess"})).await.ok();
}

/// The status, the body and the names of the headers of an answer.
async fn shape(server: &Server, path: &str, body: &Value) -> (u16, String, Vec<String>) {
    let response = Player::stranger(server).respond(Method::POST, path, Some(body)).await;
    let (status, mut headers) = (response.status().as_u16(), Vec::new());
    headers.extend(response.headers().keys().map(|name| name.as_str().to_owned()));
    (status, response.text().await.unwrap(), headers)
}

async fn a_wrong_name_is_answered_like_a_wrong_password(database: Database) {
    let server = Server::start(&database).await;
    account(&server, "Ada").await;
    for password in [ANOTHER, "x"] {
        let known = shape(&server, SIGN_IN, &credentials("Ada", password)).await;
        assert_eq!(known.0, 401);
        assert_eq!(known, shape(&server, SIGN_IN, &credentials("Nobody", password)).await);
    }
    let code = json!("00000-00000-00000-00000");
    let known = shape(&server, RECOVER, &recovery("Ada", &code)).await;
    assert_eq!(known.0, 401);
    assert_eq!(known, shape(&server, RECOVER, &recovery("Nobody", &code)).await);
}

async fn strangers_who_try_passwords_do_not_keep_the_owner_out(database: Database) {
    let server = Server::start(&database).await;
    let (mut ada, code) = account(&server, "Countess").await;
    ada.patch(ACCOUNT, &json!({"name": "Ada"})).await.ok();
    for name in ["Ada", "Nobody"] {
        for _ in 0..10 {
            attempt(&server, name, ANOTHER).await.is_problem(401, "wrong_credentials");
        }
        let refused = Player::stranger(&server)
            .respond(Method::POST, SIGN_IN, Some(&credentials(name, PASSWORD)))
            .await;
        assert_eq!(refused.status(), 429, "{name}");
        let seconds: u32 = refused.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
        assert!((300..=360).contains(&seconds), "{seconds}");
    }
    attempt(&server, "Blaise", ANOTHER).await.is_problem(401, "wrong_credentials");
    attempt(&server, "Countess", ANOTHER).await.is_problem(429, "too_fast");
    ada.post(PROVE, &json!({"password": PASSWORD})).await.ok();
    assert_eq!(ada.delete("/api/v1/session").await.status, 204);
    assert!(!has_session(&ada).await);
    let session = ada.signs_in(SIGN_IN, &credentials("Ada", PASSWORD)).await;
    assert_eq!(session["player"]["name"], "Ada", "the browser is known");
    for _ in 0..9 {
        ada.post(SIGN_IN, &credentials("Ada", ANOTHER)).await.is_problem(401, "wrong_credentials");
    }
    ada.post(SIGN_IN, &credentials("Ada", PASSWORD)).await.is_problem(429, "too_fast");
    let mut elsewhere = Player::stranger(&server);
    elsewhere.signs_in(RECOVER, &recovery("Ada", &code)).await;
    assert_eq!(elsewhere.id(), ada.id(), "a code counts apart");
}

/// The body of a recovery that sets [`ANOTHER`] password.
fn recovery(name: &str, code: &Value) -> Value {
    json!({"name": name, "code": code, "password": ANOTHER})
}

async fn a_recovery_ends_all_sessions_and_may_be_sent_again(database: Database) {
    let server = Server::start(&database).await;
    let (phone, code) = account(&server, "Ada").await;
    let laptop = browser(&server, "Ada", PASSWORD).await;
    let mut socket = laptop.connect().await;
    socket.hello(&[], false).await;
    let mut tablet = Player::stranger(&server);
    tablet.post(RECOVER, &recovery("ada", &json!("short"))).await.is_problem(422, "invalid_body");
    let weak = json!({"name": "ada", "code": code, "password": "password"});
    tablet.post(RECOVER, &weak).await.is_problem(422, "weak_password");
    assert!(has_session(&phone).await);

    let typed = json!(code.as_str().unwrap().to_lowercase().replace('-', " "));
    let recovered = tablet.signs_in(RECOVER, &recovery("ada", &typed)).await;
    assert_eq!((tablet.id(), &recovered["recovery_code"]), (phone.id(), &Value::Null));
    assert!(!has_session(&phone).await && !has_session(&laptop).await && has_session(&tablet).await);
    assert_eq!(socket.closed().await, Some(4005));
    attempt(&server, "Ada", PASSWORD).await.is_problem(401, "wrong_credentials");
    browser(&server, "Ada", ANOTHER).await;

    let mut again = Player::stranger(&server);
    again.signs_in(RECOVER, &recovery("Ada", &code)).await;
    assert!(!has_session(&tablet).await, "its answer might have been lost");
    let renewed = again.post(CODE, &json!({})).await.ok();
    assert_eq!((renewed["player"]["name"].as_str(), renewed["recovery_code"] == code), (Some("Ada"), false));
    Player::stranger(&server)
        .post(RECOVER, &recovery("Ada", &code))
        .await
        .is_problem(401, "wrong_credentials");
    let mut last = Player::stranger(&server);
    last.signs_in(RECOVER, &recovery("Ada", &renewed["recovery_code"])).await;
    assert_eq!(last.id(), phone.id());
    let guest = Player::enter(&server).await;
    guest.post(CODE, &json!({})).await.is_problem(409, "no_account");
}

async fn a_closed_account_leaves_its_games_and_comes_back_with_its_player(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let (phone, _) = account(&server, "Ada").await;
    let laptop = browser(&server, "Ada", PASSWORD).await;
    let room = phone.open_room(&game.ruleset, "public").await;
    let mut pair = Pair::between([laptop, Player::enter(&server).await], &game.ruleset).await;
    pair.play_turns(&game, 0..4).await;
    let ada = pair.first.player.clone();
    let opponent = pair.second.player.clone();
    let guest = Player::enter(&server).await;
    guest.delete(ACCOUNT).await.is_problem(409, "no_account");

    let closed = ada.respond(Method::DELETE, ACCOUNT, None).await;
    assert_eq!(closed.status(), 204);
    assert!(closed.headers().contains_key(header::SET_COOKIE), "the cookie is taken away");
    assert!(!has_session(&ada).await && !has_session(&phone).await);
    let path = format!("/api/v1/games/{}", pair.game);
    let seat = async || {
        let games = opponent.get("/api/v1/games?list=played").await.ok();
        assert_eq!(games["games"][0]["outcome"]["reason"], "resign");
        games["games"][0]["seats"]["first"].clone()
    };
    assert_eq!(seat().await["kind"], "deleted");
    let page = format!("/game/{}", pair.game);
    for path in [&path, &format!("{path}/events"), "/api/v1/games?list=played", &page] {
        let answer = opponent.get(path).await;
        assert!(!answer.text().contains("Ada") && !answer.text().contains(ada.id()), "{}", answer.text());
    }
    let rooms = opponent.get("/api/v1/rooms").await.ok();
    assert!(!rooms.to_string().contains(&room), "{rooms}");

    attempt(&server, "Ada", "wrong wrong wrong").await.is_problem(401, "wrong_credentials");
    attempt(&server, "Ada", PASSWORD).await.is_problem(409, "account_closed");
    let mut back = Player::stranger(&server);
    let reopened = json!({"name": "ada", "password": PASSWORD, "reopen": true});
    back.signs_in(SIGN_IN, &reopened).await;
    assert_eq!(back.id(), ada.id());
    assert_eq!(seat().await["name"], "Ada");
    browser(&server, "Ada", PASSWORD).await;
}

async fn all_that_is_stored_about_a_player_is_exported(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let (ada, _) = account(&server, "Ada").await;
    browser(&server, "Ada", PASSWORD).await;
    let room = ada.open_room(&game.ruleset, "link").await;
    let pair = Pair::between([ada.clone(), Player::enter(&server).await], &game.ruleset).await;
    let (mut ada, mut bob) = (pair.first, pair.second);
    ada.socket.ask(&command("say", &pair.game, json!({"text": "Good luck!"}))).await;
    bob.socket.ask(&command("say", &pair.game, json!({"text": "Thanks"}))).await;
    let block = format!("/api/v1/blocks/{}", bob.player.id());
    assert_eq!(ada.player.respond(Method::PUT, &block, None).await.status(), 204);
    let vacation = Some(&json!({"days": 1}));
    assert_eq!(ada.player.respond(Method::PUT, "/api/v1/vacation", vacation).await.status(), 200);

    let export = async |player: &Player| {
        let answer = player.get(EXPORT).await;
        assert_eq!((answer.status.as_u16(), answer.content_type.as_str()), (200, "application/x-ndjson"));
        let lines = answer.text().lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect::<Vec<Value>>()
    };
    let lines = export(&ada.player).await;
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    assert_eq!(
        lines[0],
        json!({"type": "player", "player": {"id": ada.player.id(), "name": "Ada", "kind": "account"}})
    );
    assert_eq!(of("account")[0]["account"]["has_password"], true);
    assert_eq!(of("session").len(), 2);
    assert_eq!(of("device").len(), 2);
    assert_eq!(of("blocked")[0]["player"]["id"], bob.player.id());
    let vacations = of("vacations")[0];
    assert_eq!((vacations["taken"].as_array().unwrap().len(), &vacations["automatic"]), (1, &json!(true)));
    let games: Vec<_> = of("game").iter().map(|line| line["game"]["id"].clone()).collect();
    assert_eq!(games.iter().collect::<HashSet<_>>(), HashSet::from([&json!(room), &json!(pair.game)]));
    let said = of("line");
    assert_eq!(
        (said.len(), &said[0]["text"], &said[0]["game"]),
        (1, &json!("Good luck!"), &json!(pair.game))
    );

    let of_guest = export(&bob.player).await;
    assert_eq!(of_guest[0]["player"]["kind"], "guest");
    assert!(!of_guest.iter().any(|line| line["type"] == "account" || line.to_string().contains("Good luck")));
    let refused = ada.player.get(EXPORT).await;
    let until_ms = serde_json::from_str::<Value>(refused.text()).unwrap()["until_ms"].as_i64().unwrap();
    refused.is_problem(429, "too_many_exports");
    let day_ms = 24 * 60 * 60 * 1_000;
    let used_ms = of("session")[0]["session"]["used_ms"].as_i64().unwrap();
    assert!((used_ms..used_ms + 2 * day_ms).contains(&until_ms), "{until_ms}");
    Player::stranger(&server).get(EXPORT).await.is_problem(401, "no_session");

    server.terminate();
    let (_, stopped) = server.ended().await;
    let_proofs_age(&database).await;
    let server = stopped.start().await;
    ada.player.at(server.address()).get(EXPORT).await.is_problem(403, "prove_again");
}

/// The secret in a new link of the command line for the account of a name.
async fn link(database: &Database, name: &str) -> String {
    let said = run(database, &["account", "recover", name, "--origin", "https://towers.example"]).await.ok();
    let secret = said[0].strip_prefix("https://towers.example/#recover=").expect("a link is said");
    secret.to_owned()
}

async fn a_link_of_the_command_line_recovers_an_account_once(database: Database) {
    let refused = run(&database, &["account", "recover", "Ada"]).await;
    assert_eq!(refused.code, Some(1), "there is no database, or none with tables: {refused:?}");
    let server = Server::start(&database).await;
    let (phone, _) = account(&server, "Ada").await;
    phone.patch(ACCOUNT, &json!({"name": "Countess"})).await.ok();
    let mut socket = phone.connect().await;
    socket.hello(&[], false).await;
    run(&database, &["account", "recover", "Blaise"]).await.is_refused("no account has the name \"Blaise\"");
    let said = run(&database, &["account", "recover", "ada"]).await.ok();
    assert!(said[0].starts_with("http://127.0.0.1:8080/#recover="), "{said:?}");
    assert!(said[1].contains("\"Countess\""), "the present name: {said:?}");

    // While the server runs.
    let [one, other] = [link(&database, "ADA").await, link(&database, "Countess").await];
    let recovery = |link: &str, password: &str| json!({"link": link, "password": password});
    let mut laptop = Player::stranger(&server);
    let unknown = "0".repeat(32);
    laptop.post(BY_LINK, &recovery(&unknown, ANOTHER)).await.is_problem(410, "link_void");
    laptop.post(BY_LINK, &recovery("short", ANOTHER)).await.is_problem(422, "invalid_body");
    laptop.post(BY_LINK, &recovery(&one, "Countess1")).await.is_problem(422, "weak_password");
    assert!(has_session(&phone).await, "a link that was refused still counts");
    let recovered = laptop.signs_in(BY_LINK, &recovery(&one, ANOTHER)).await;
    assert_eq!((laptop.id(), &recovered["player"]["name"]), (phone.id(), &json!("Countess")));
    assert_eq!(socket.closed().await, Some(4005));
    assert!(!has_session(&phone).await && has_session(&laptop).await);
    laptop.post(CODE, &json!({})).await.ok();
    for link in [&one, &other] {
        let again = Player::stranger(&server).post(BY_LINK, &recovery(link, PASSWORD)).await;
        again.is_problem(410, "link_void");
    }
    attempt(&server, "Ada", PASSWORD).await.is_problem(401, "wrong_credentials");
    browser(&server, "Ada", ANOTHER).await;

    let late = link(&database, "Ada").await;
    server.terminate();
    let (_, stopped) = server.ended().await;
    let stored = database.everything_stored();
    assert!(!stored.windows(late.len()).any(|part| part == late.as_bytes()), "its hash alone is stored");
    execute(&database, "update one_time set expires_ms = expires_ms - 1800000").await;
    let server = stopped.start().await;
    let refused = Player::stranger(&server).post(BY_LINK, &recovery(&late, PASSWORD)).await;
    refused.is_problem(410, "link_void");
}

/// Makes all proofs older by ten minutes. No server may run on the database.
pub(crate) async fn let_proofs_age(database: &Database) {
    execute(database, "update session set proved_ms = proved_ms - 600000").await;
}

/// Returns the number that a statement counts.
pub(crate) async fn count(database: &Database, sql: &'static str) -> i64 {
    if database.file().is_some() {
        let mut connection = SqliteConnection::connect(database.url()).await.unwrap();
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
    } else {
        let mut connection = PgConnection::connect(database.url()).await.unwrap();
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
    }
}

/// Executes a statement. No server may run on the database.
pub(crate) async fn execute(database: &Database, sql: &'static str) {
    if database.file().is_some() {
        let mut connection = SqliteConnection::connect(database.url()).await.unwrap();
        sqlx::query(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    } else {
        let mut connection = PgConnection::connect(database.url()).await.unwrap();
        sqlx::query(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }
}

async fn a_new_password_needs_a_recent_proof_and_ends_other_sessions(database: Database) {
    let server = Server::start(&database).await;
    let (phone, _) = account(&server, "Ada").await;
    let laptop = browser(&server, "Ada", PASSWORD).await;
    server.terminate();
    let (_, stopped) = server.ended().await;
    let_proofs_age(&database).await;
    let server = stopped.start().await;

    let new = json!({"password": ANOTHER});
    phone.patch(ACCOUNT, &new).await.is_problem(403, "prove_again");
    phone.post(CODE, &json!({})).await.is_problem(403, "prove_again");
    phone.post(PROVE, &json!({"password": ANOTHER})).await.is_problem(401, "wrong_credentials");
    phone.patch(ACCOUNT, &new).await.is_problem(403, "prove_again");
    let proved = phone.post(PROVE, &json!({"password": PASSWORD})).await.ok();
    assert_eq!(proved["player"]["name"], "Ada");
    laptop.patch(ACCOUNT, &new).await.is_problem(403, "prove_again");
    let mut socket = laptop.connect().await;
    socket.hello(&[], false).await;
    let mut own = phone.connect().await;
    own.hello(&[], false).await;
    phone.patch(ACCOUNT, &new).await.ok();
    assert_eq!(socket.closed().await, Some(4005));
    assert!(has_session(&phone).await && !has_session(&laptop).await);
    assert!(Socket::open(&laptop, Connect::default()).await.is_err());
    own.hello(&[], false).await;
    attempt(&server, "Ada", PASSWORD).await.is_problem(401, "wrong_credentials");
    browser(&server, "Ada", ANOTHER).await;
    let guest = Player::enter(&server).await;
    guest.post(PROVE, &json!({"password": PASSWORD})).await.is_problem(409, "no_account");
    guest.patch(ACCOUNT, &json!({"name": "Eve"})).await.is_problem(409, "no_account");
}

async fn sessions_are_listed_and_ended_one_by_one_or_all(database: Database) {
    let server = Server::start(&database).await;
    let (phone, _) = account(&server, "Ada").await;
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
    let request = Player::stranger(&server).request(Method::POST, SIGN_IN).header(header::USER_AGENT, agent);
    assert_eq!(phone.send(request.json(&credentials("Ada", PASSWORD))).await.status, 200);
    let laptop = browser(&server, "Ada", PASSWORD).await;
    let sessions =
        async |player: &Player| player.get(SESSIONS).await.ok()["sessions"].as_array().unwrap().clone();
    let all = sessions(&laptop).await;
    assert_eq!(all.len(), 3);
    assert_eq!(all.iter().filter(|session| session["is_current"] == true).count(), 1);
    assert_eq!(all.iter().filter(|session| session["label"] == "Firefox, Linux").count(), 1);
    let own = sessions(&phone).await.into_iter().find(|session| session["is_current"] == true).unwrap();

    let mut sockets = [phone.connect().await, laptop.connect().await];
    for socket in &mut sockets {
        socket.hello(&[], false).await;
    }
    let [on_phone, on_laptop] = &mut sockets;
    let path = format!("{SESSIONS}/{}", own["id"].as_str().unwrap());
    Player::enter(&server).await.delete(&path).await.is_problem(404, "no_such_resource");
    assert!(has_session(&phone).await, "of another player");
    assert_eq!(laptop.delete(&path).await.status, 204);
    assert_eq!(on_phone.closed().await, Some(4005));
    assert!(!has_session(&phone).await && has_session(&laptop).await);
    laptop.delete(&path).await.is_problem(404, "no_such_resource");
    on_laptop.hello(&[], false).await;
    assert_eq!(sessions(&laptop).await.len(), 2);

    let again = browser(&server, "Ada", PASSWORD).await;
    assert_eq!(again.delete("/api/v1/session").await.status, 204);
    assert!(has_session(&laptop).await, "an account is signed out here alone");
    let left = laptop.respond(Method::DELETE, SESSIONS, None).await;
    assert_eq!(left.status(), 204);
    assert!(left.headers().contains_key(header::SET_COOKIE), "the cookie is taken away");
    assert_eq!(on_laptop.closed().await, Some(4005));
    assert!(!has_session(&laptop).await);
    assert_eq!(sessions(&browser(&server, "Ada", PASSWORD).await).await.len(), 1);
}

async fn weak_passwords_are_refused(database: Database) {
    let server = Server::start(&database).await;
    let mut guest = Player::enter(&server).await;
    for weak in ["password", "12345678", "Lovelace1", "Ada Lovelace", "towers2026"] {
        guest.post(ACCOUNT, &credentials("Ada Lovelace", weak)).await.is_problem(422, "weak_password");
    }
    for invalid in ["", "short", &"x".repeat(129)] {
        guest.post(ACCOUNT, &credentials("Ada Lovelace", invalid)).await.is_problem(422, "invalid_body");
    }
    guest.signs_in(ACCOUNT, &credentials("Ada Lovelace", PASSWORD)).await;
    guest.patch(ACCOUNT, &json!({"password": "Lovelace1"})).await.is_problem(422, "weak_password");
    browser(&server, "Ada Lovelace", PASSWORD).await;
}

#[tokio::test]
async fn an_account_signs_in_on_one_node_and_out_on_another() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let (phone, _) = account(&one, "Ada").await;
    let laptop = browser(&other, "Ada", PASSWORD).await;
    assert_eq!(laptop.id(), phone.id());
    let mut sockets = [phone.connect().await, laptop.connect().await];
    for socket in &mut sockets {
        socket.hello(&[], false).await;
    }
    let [on_phone, on_laptop] = &mut sockets;
    laptop.at(one.address()).patch(ACCOUNT, &json!({"password": ANOTHER})).await.ok();
    assert_eq!(on_phone.closed().await, Some(4005));
    on_laptop.hello(&[], false).await;
    phone.at(other.address()).get(SESSIONS).await.is_problem(401, "no_session");
    assert_eq!(laptop.at(one.address()).delete(SESSIONS).await.status, 204);
    assert_eq!(on_laptop.closed().await, Some(4005), "on the other node");
}

#[tokio::test]
async fn nodes_that_missed_the_end_of_a_session_close_its_sockets_when_they_are_back() {
    let (database, mut nats) = (Database::postgres(), Nats::start().await);
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let (phone, _) = account(&one, "Ada").await;
    let laptop = browser(&other, "Ada", PASSWORD).await;
    let mut sockets = [phone.connect().await, laptop.connect().await];
    for socket in &mut sockets {
        socket.hello(&[], false).await;
    }
    let [on_phone, on_laptop] = &mut sockets;
    nats.stop().await;
    for server in [&one, &other] {
        is_ready(server, "ready, disconnected from other nodes\n").await;
    }
    phone.patch(ACCOUNT, &json!({"password": ANOTHER})).await.ok();
    on_laptop.hello(&[], false).await;
    nats.restart().await;
    assert_eq!(on_laptop.closed().await, Some(4005));
    on_phone.hello(&[], false).await;
}

/// An account and its sessions outlive the node that acknowledged them: another node knows them, and so does that node when
/// it is started again.
#[tokio::test]
async fn a_node_that_is_killed_takes_no_account_with_it() {
    let database = Database::postgres();
    let (one, other) = (Server::start(&database).await, Server::start(&database).await);
    let (phone, code) = account(&one, "Ada").await;
    let stopped = one.kill().await;
    let elsewhere = phone.at(other.address());
    assert!(has_session(&elsewhere).await);
    let mut laptop = Player::stranger(&other);
    laptop.signs_in(SIGN_IN, &credentials("Ada", PASSWORD)).await;
    let one = stopped.start().await;
    drop(other);
    assert!(has_session(&laptop.at(one.address())).await);
    let mut tablet = Player::stranger(&one);
    tablet.signs_in(RECOVER, &recovery("Ada", &code)).await;
    assert!(!has_session(&laptop.at(one.address())).await);
}
