//! Passkeys: a guest registers with one, signs in elsewhere without a name, and proves the account.

use serde_json::{Value, json};
use system_tests::{
    authenticator::Authenticator,
    database::Database,
    mail::MailServer,
    nats::Nats,
    on_both_databases,
    player::{Answer, Player},
    server::Server,
};

use crate::{
    accounts::{
        ACCOUNT, ANOTHER, PASSWORD, PROVE, RECOVER, SIGN_IN, account, credentials, has_session,
        let_proofs_age,
    },
    mail,
    nodes::node,
};

on_both_databases![
    a_guest_registers_with_a_passkey_and_signs_in_elsewhere_without_a_name,
    a_taken_name_is_refused_before_a_passkey_is_made,
    an_account_adds_uses_and_removes_passkeys,
    an_answer_counts_for_its_player_and_its_purpose_alone,
    a_passkey_that_goes_back_in_its_count_is_refused,
    a_guest_is_asked_before_games_are_left,
    a_recovery_removes_the_passkeys,
    an_address_begins_a_bounded_number_of_ceremonies,
    a_changed_host_is_told_at_the_start,
    a_mail_tells_the_owner_of_a_new_passkey,
];

pub(crate) const PASSKEYS: &str = "/api/v1/passkeys";
pub(crate) const OPTIONS: &str = "/api/v1/passkeys/options";
pub(crate) const BY_PASSKEY: &str = "/api/v1/session/passkey";

/// Origin of the pages, whose host passkeys are made for.
const ORIGIN: &str = "http://localhost:4000";

async fn options(player: &Player, purpose: &str) -> Value {
    player.post(OPTIONS, &json!({"purpose": purpose})).await.ok()
}

/// An account that a new passkey alone proves, and the answer that registers it.
async fn registered(server: &Server, name: &str) -> (Player, Authenticator, Value) {
    let mut player = Player::enter(server).await;
    let options = player.post(OPTIONS, &json!({"purpose": "register", "name": name})).await.ok();
    let (passkey, answer) = Authenticator::create(name, &options, ORIGIN);
    let account = player.signs_in(ACCOUNT, &json!({"name": name, "passkey": answer})).await;
    (player, passkey, account)
}

/// An attempt to sign in from a new browser.
async fn attempt(server: &Server, passkey: &Authenticator) -> Answer {
    let stranger = Player::stranger(server);
    let answer = passkey.answer(&options(&stranger, "sign_in").await);
    stranger.post(BY_PASSKEY, &json!({"passkey": answer})).await
}

async fn passkeys(player: &Player) -> Vec<Value> {
    player.get(PASSKEYS).await.ok()["passkeys"].as_array().unwrap().clone()
}

async fn add(player: &Player, seed: &str) -> Authenticator {
    let (passkey, answer) = Authenticator::create(seed, &options(player, "add").await, ORIGIN);
    player.post(PASSKEYS, &json!({"passkey": answer})).await.ok();
    passkey
}

async fn prove(player: &Player, passkey: &Authenticator) -> Answer {
    let answer = passkey.answer(&options(player, "prove").await);
    player.post(PROVE, &json!({"passkey": answer})).await
}

async fn a_guest_registers_with_a_passkey_and_signs_in_elsewhere_without_a_name(database: Database) {
    let server = Server::start(&database).await;
    let mut guest = Player::enter(&server).await;
    let other_session = guest.clone();
    let asked = guest.post(OPTIONS, &json!({"purpose": "register", "name": "Ada"})).await.ok();
    assert_eq!((&asked["rp"]["id"], &asked["user"]["name"]), (&json!("localhost"), &json!("Ada")));
    let selection = &asked["authenticatorSelection"];
    assert_eq!(
        (&selection["residentKey"], &selection["userVerification"]),
        (&json!("required"), &json!("required"))
    );
    let id = guest.id().to_owned();
    let (passkey, answer) = Authenticator::create("ada", &asked, ORIGIN);
    let account = guest.signs_in(ACCOUNT, &json!({"name": "Ada", "passkey": answer})).await;
    assert_eq!((guest.id(), &account["has_password"]), (id.as_str(), &json!(false)));
    assert!(account["recovery_code"].is_string() && !has_session(&other_session).await);
    guest.post(SIGN_IN, &credentials("Ada", PASSWORD)).await.is_problem(401, "wrong_credentials");

    let mut elsewhere = Player::stranger(&server);
    let asked = options(&elsewhere, "sign_in").await;
    assert_eq!((&asked["allowCredentials"], &asked["mediation"]), (&json!([]), &Value::Null));
    let answer = json!({"passkey": passkey.answer(&asked)});
    let session = elsewhere.signs_in(BY_PASSKEY, &answer).await;
    assert_eq!((elsewhere.id(), &session["player"]["name"]), (id.as_str(), &json!("Ada")));
    Player::stranger(&server).post(BY_PASSKEY, &answer).await.is_problem(409, "ceremony_over");
    assert!(has_session(&elsewhere).await && has_session(&guest).await);
    let [own] = &passkeys(&guest).await[..] else { panic!("one passkey") };
    assert_eq!(own["used_ms"].as_i64().unwrap() % 86_400_000, 0, "to the day");
}

async fn a_taken_name_is_refused_before_a_passkey_is_made(database: Database) {
    let server = Server::start(&database).await;
    let (ada, _) = account(&server, "Mark").await;
    let guest = Player::enter(&server).await;
    for name in ["rnark", "Guest 4711"] {
        let refused = guest.post(OPTIONS, &json!({"purpose": "register", "name": name})).await;
        refused.is_problem(409, "name_taken");
    }
    ada.post(OPTIONS, &json!({"purpose": "register", "name": "Ada"})).await.is_problem(409, "has_account");
    for purpose in ["add", "prove"] {
        guest.post(OPTIONS, &json!({"purpose": purpose})).await.is_problem(409, "no_account");
        let stranger = Player::stranger(&server);
        stranger.post(OPTIONS, &json!({"purpose": purpose})).await.is_problem(401, "no_session");
    }
    guest.get(PASSKEYS).await.is_problem(409, "no_account");
    guest.post(OPTIONS, &json!({"purpose": "play"})).await.is_problem(422, "invalid_body");
    // The name is taken while the authenticator asks its user.
    let asked = guest.post(OPTIONS, &json!({"purpose": "register", "name": "Ida"})).await.ok();
    account(&server, "lda").await;
    let (_, answer) = Authenticator::create("late", &asked, ORIGIN);
    guest.post(ACCOUNT, &json!({"name": "Ida", "passkey": answer})).await.is_problem(409, "name_taken");
    let both = json!({"name": "Eve", "passkey": answer, "password": PASSWORD});
    guest.post(ACCOUNT, &both).await.is_problem(422, "invalid_body");
}

async fn an_account_adds_uses_and_removes_passkeys(database: Database) {
    let server = Server::start(&database).await;
    let (ada, _) = account(&server, "Ada").await;
    assert_eq!(passkeys(&ada).await, [Value::Null; 0]);
    let phone = add(&ada, "phone").await;
    server.terminate();
    let (_, stopped) = server.ended().await;
    let_proofs_age(&database).await;
    let server = stopped.start().await;

    let [own] = &passkeys(&ada).await[..] else { panic!("one passkey") };
    let path = format!("{PASSKEYS}/{}", own["id"].as_str().unwrap());
    ada.post(OPTIONS, &json!({"purpose": "add"})).await.is_problem(403, "prove_again");
    ada.delete(&path).await.is_problem(403, "prove_again");
    assert_eq!(prove(&ada, &phone).await.ok()["player"]["name"], "Ada");
    let asked = options(&ada, "add").await;
    assert_eq!(asked["excludeCredentials"].as_array().unwrap().len(), 1, "the authenticator has one already");
    let (_, same) = Authenticator::create("phone", &asked, ORIGIN);
    ada.post(PASSKEYS, &json!({"passkey": same})).await.is_problem(422, "unusable_passkey");
    let laptop = add(&ada, "laptop").await;

    let renamed = ada.patch(&path, &json!({"label": "Old phone"})).await.ok();
    assert_eq!(renamed["passkeys"][0]["label"], "Old phone");
    for label in ["", " x", &"x".repeat(41)] {
        ada.patch(&path, &json!({"label": label})).await.is_problem(422, "invalid_body");
    }
    let (bob, _) = account(&server, "Bob").await;
    bob.patch(&path, &json!({"label": "Mine"})).await.is_problem(404, "no_such_resource");
    bob.delete(&path).await.is_problem(404, "no_such_resource");
    assert_eq!(ada.delete(&path).await.status, 204);
    ada.delete(&path).await.is_problem(404, "no_such_resource");
    attempt(&server, &phone).await.is_problem(401, "wrong_credentials");
    assert_eq!(attempt(&server, &laptop).await.ok()["player"]["id"], ada.id());

    let (eve, only, _) = registered(&server, "Eve").await;
    let path = format!("{PASSKEYS}/{}", passkeys(&eve).await[0]["id"].as_str().unwrap());
    eve.delete(&path).await.is_problem(409, "last_credential");
    eve.patch(ACCOUNT, &json!({"password": PASSWORD})).await.ok();
    assert_eq!(eve.delete(&path).await.status, 204);
    attempt(&server, &only).await.is_problem(401, "wrong_credentials");
    prove(&eve, &only).await.is_problem(401, "wrong_credentials");
    eve.post(PROVE, &json!({"password": PASSWORD})).await.ok();
}

async fn an_answer_counts_for_its_player_and_its_purpose_alone(database: Database) {
    let server = Server::start(&database).await;
    let (ada, of_ada, _) = registered(&server, "Ada").await;
    let (bob, of_bob, _) = registered(&server, "Bob").await;
    let stranger = Player::stranger(&server);
    let sign_in = async |answer: Value| stranger.post(BY_PASSKEY, &json!({"passkey": answer})).await;

    let proof = of_ada.answer(&options(&ada, "prove").await);
    bob.post(PROVE, &json!({"passkey": proof})).await.is_problem(409, "ceremony_over");
    ada.post(PROVE, &json!({"passkey": proof})).await.is_problem(409, "ceremony_over");
    sign_in(of_ada.answer(&options(&ada, "prove").await)).await.is_problem(409, "ceremony_over");
    let proof = of_ada.answer(&options(&stranger, "sign_in").await);
    ada.post(PROVE, &json!({"passkey": proof})).await.is_problem(409, "ceremony_over");
    let mut asked = options(&ada, "add").await;
    asked["rpId"] = json!("localhost");
    let proof = of_ada.answer(&asked);
    ada.post(PROVE, &json!({"passkey": proof})).await.is_problem(409, "ceremony_over");
    let proof = of_bob.answer(&options(&ada, "prove").await);
    ada.post(PROVE, &json!({"passkey": proof})).await.is_problem(401, "wrong_credentials");

    let asked = options(&stranger, "sign_in").await;
    let mut of_another_site = asked.clone();
    of_another_site["rpId"] = json!("elsewhere.example");
    sign_in(of_ada.answer(&of_another_site)).await.is_problem(401, "wrong_credentials");
    let mut altered = of_ada.answer(&options(&stranger, "sign_in").await);
    altered["response"]["signature"] = of_ada.answer(&asked)["response"]["signature"].clone();
    sign_in(altered).await.is_problem(401, "wrong_credentials");
    let mut of_bob_by_ada = of_ada.answer(&options(&stranger, "sign_in").await);
    of_bob_by_ada["response"]["userHandle"] = of_bob.answer(&asked)["response"]["userHandle"].clone();
    sign_in(of_bob_by_ada).await.is_problem(401, "wrong_credentials");
    let made_elsewhere =
        Authenticator::create("ada", &options(&ada, "add").await, "https://localhost.example").1;
    ada.post(PASSKEYS, &json!({"passkey": made_elsewhere})).await.is_problem(422, "unusable_passkey");

    for nonsense in [json!({}), json!({"response": null}), json!({"response": {"clientDataJSON": "e30"}})] {
        sign_in(nonsense).await.is_problem(422, "unusable_passkey");
    }
    for nonsense in [json!("x"), json!(null), json!([])] {
        sign_in(nonsense).await.is_problem(422, "invalid_body");
    }
    let mut incomplete = of_ada.answer(&options(&stranger, "sign_in").await);
    incomplete["response"]["signature"].take();
    sign_in(incomplete).await.is_problem(422, "invalid_body");
    attempt(&server, &of_ada).await.ok();
}

async fn a_passkey_that_goes_back_in_its_count_is_refused(database: Database) {
    let server = Server::start(&database).await;
    let (_, mut passkey, _) = registered(&server, "Ada").await;
    for counter in [0, 0, 7, 8] {
        passkey.counter = counter;
        attempt(&server, &passkey).await.ok();
    }
    attempt(&server, &passkey).await.is_problem(401, "wrong_credentials");
    passkey.counter = 9;
    attempt(&server, &passkey).await.ok();
}

async fn a_guest_is_asked_before_games_are_left(database: Database) {
    let server = Server::start(&database).await;
    let (ada, passkey, _) = registered(&server, "Ada").await;
    let mut guest = Player::enter(&server).await;
    let room = json!({"ruleset": "fibonacci", "seat": "first", "visibility": "link"});
    let game = guest.post("/api/v1/rooms", &room).await.ok();
    let answer = passkey.answer(&options(&guest, "sign_in").await);
    let asked = guest.post(BY_PASSKEY, &json!({"passkey": answer})).await;
    asked.is_problem(409, "guest_has_games");
    assert_eq!(asked.body["games"][0]["id"], game["id"]);
    guest.signs_in(BY_PASSKEY, &json!({"passkey": answer, "leave_guest": true})).await;
    assert_eq!(guest.id(), ada.id(), "the same answer was sent again");
}

async fn a_recovery_removes_the_passkeys(database: Database) {
    let server = Server::start(&database).await;
    let (_, passkey, account) = registered(&server, "Ada").await;
    let recovery = json!({"name": "Ada", "code": account["recovery_code"], "password": ANOTHER});
    let mut tablet = Player::stranger(&server);
    let recovered = tablet.signs_in(RECOVER, &recovery).await;
    assert_eq!(recovered["has_password"], true);
    assert_eq!(passkeys(&tablet).await, [Value::Null; 0]);
    attempt(&server, &passkey).await.is_problem(401, "wrong_credentials");
}

async fn an_address_begins_a_bounded_number_of_ceremonies(database: Database) {
    let server = Server::start_in_use(&database, &[]).await;
    let stranger = Player::stranger(&server);
    let mut n_begun = 0;
    let refused = loop {
        let answer = stranger.post(OPTIONS, &json!({"purpose": "sign_in"})).await;
        if answer.status != 200 || n_begun == 100 {
            break answer;
        }
        n_begun += 1;
    };
    refused.is_problem(429, "too_fast");
    assert!(n_begun >= 20, "{n_begun}");
}

async fn a_changed_host_is_told_at_the_start(database: Database) {
    let server = Server::start(&database).await;
    let (_, passkey, _) = registered(&server, "Ada").await;
    assert!(!server.log().contains("made for another host"));
    server.terminate();
    drop(server.ended().await);
    let server = Server::start_with(&database, &["--origin", "https://towers.example"]).await;
    assert!(server.log().contains("made for another host"), "{}", server.log());
    let asked = options(&Player::stranger(&server), "sign_in").await;
    assert_eq!(asked["rpId"], "towers.example");
    attempt(&server, &passkey).await.is_problem(401, "wrong_credentials");
    server.terminate();
    drop(server.ended().await);
    let server = Server::start_with(&database, &["--origin", "http://192.0.2.1:4000"]).await;
    let stranger = Player::stranger(&server);
    stranger.post(OPTIONS, &json!({"purpose": "sign_in"})).await.is_problem(409, "no_passkeys");
}

async fn a_mail_tells_the_owner_of_a_new_passkey(database: Database) {
    let mut mails = MailServer::start().await;
    let server = mail::server(&database, &mails).await;
    let (ada, _) = account(&server, "Ada").await;
    mail::confirmed(&mut mails, &ada, "ada@mail.example").await;
    // The pages of this server have another host.
    let (_, answer) = Authenticator::create("phone", &options(&ada, "add").await, "http://towers.example");
    ada.post(PASSKEYS, &json!({"passkey": answer})).await.ok();
    let told = mail::mail(&mut mails, "ada@mail.example").await;
    assert_eq!(told["headers"]["subject"], "A new passkey for Ada");
}

#[tokio::test]
async fn a_ceremony_that_begins_on_one_node_ends_on_another_once() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let mut ada = Player::enter(&one).await;
    let asked = ada.post(OPTIONS, &json!({"purpose": "register", "name": "Ada"})).await.ok();
    let (passkey, answer) = Authenticator::create("ada", &asked, ORIGIN);
    ada = ada.at(other.address());
    ada.signs_in(ACCOUNT, &json!({"name": "Ada", "passkey": answer})).await;
    let [here, there] = [&one, &other].map(Player::stranger);
    for _ in 0..5 {
        let answer = json!({"passkey": passkey.answer(&options(&here, "sign_in").await)});
        let (first, second) = tokio::join!(here.post(BY_PASSKEY, &answer), there.post(BY_PASSKEY, &answer));
        let (signed_in, refused) = if first.status == 200 { (first, second) } else { (second, first) };
        assert_eq!(signed_in.ok()["player"]["id"], ada.id());
        refused.is_problem(409, "ceremony_over");
    }
}

/// A node that is killed between the two requests takes no ceremony with it.
#[tokio::test]
async fn a_ceremony_outlives_its_node() {
    let database = Database::postgres();
    let (one, other) = (Server::start(&database).await, Server::start(&database).await);
    let (ada, passkey, _) = registered(&other, "Ada").await;
    let stranger = Player::stranger(&one);
    let answer = passkey.answer(&options(&stranger, "sign_in").await);
    drop(one.kill().await);
    let session = stranger.at(other.address()).post(BY_PASSKEY, &json!({"passkey": answer})).await.ok();
    assert_eq!(session["player"]["id"], ada.id());
}
