//! Mails to the owners of accounts: an address is confirmed, and an account recovered by it.

use reqwest::{Method, header};
use serde_json::{Value, json};
use system_tests::{
    database::Database, mail::MailServer, nats::Nats, on_both_databases, player::Player, server::Server,
    timeout,
};

use crate::accounts::{ANOTHER, BY_LINK, PASSWORD, account, attempt, browser, execute, has_session};

on_both_databases![
    an_address_is_confirmed_and_recovers_its_account_once,
    another_address_is_told_to_the_former_one,
    a_name_and_an_address_are_answered_alike_whether_or_not_they_belong_together,
    an_account_is_sent_three_links_a_day,
    mails_that_are_not_taken_at_once_are_sent_later,
    a_mail_that_was_asked_for_outlives_the_server,
    a_server_that_sends_no_mail_offers_none,
    an_address_that_refuses_a_mail_is_shown_to_the_owner,
];

const ACCOUNT: &str = "/api/v1/account";
const MAIL: &str = "/api/v1/account/mail";
const CONFIRM: &str = "/api/v1/account/mail/confirm";
const RECOVER: &str = "/api/v1/account/recover/mail";

/// The password in the SMTP server's URL.
pub(crate) const SMTP: &str = "s3cret%20word";

pub(crate) async fn server(database: &Database, mails: &MailServer) -> Server {
    let options = mails.options(SMTP);
    Server::start_with(database, &options.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// Waits for a mail to an address, which must be the next event.
pub(crate) async fn mail(mails: &mut MailServer, to: &str) -> Value {
    let event = mails.event().await;
    assert_eq!((&event["event"], &event["to"]), (&json!("mail"), &json!(to)), "{event}");
    event
}

/// The secret in the link of a mail.
pub(crate) fn secret(mail: &Value, purpose: &str) -> String {
    let start = format!("http://towers.example/#{purpose}=");
    let mut lines = mail["text"].as_str().unwrap().lines();
    lines.find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("no link: {mail}")).to_owned()
}

pub(crate) async fn set(player: &Player, address: &str) {
    let answer = player.respond(Method::PUT, MAIL, Some(&json!({"address": address}))).await;
    assert_eq!(answer.status(), 202, "{address}");
}

/// Gives an account an address.
pub(crate) async fn confirmed(mails: &mut MailServer, player: &Player, address: &str) {
    set(player, address).await;
    let link = secret(&mail(mails, address).await, "confirm");
    assert_eq!(player.post(CONFIRM, &json!({"link": link})).await.status, 204);
}

fn recovery(name: &str, mail: &str) -> Value {
    json!({"name": name, "mail": mail})
}

async fn an_address_is_confirmed_and_recovers_its_account_once(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let (ada, _) = account(&server, "Ada").await;
    let session = ada.post("/api/v1/session", &Value::Null).await.ok();
    assert_eq!(session["mail"], true);
    for wrong in ["", "ada", "ada@towers.example\r\nBcc: eve@towers.example"] {
        let answer = ada.send(ada.request(Method::PUT, MAIL).json(&json!({"address": wrong}))).await;
        answer.is_problem(422, "invalid_body");
    }
    set(&ada, "Ada@mail.example").await;
    let sent = mail(&mut mails, "Ada@mail.example").await;
    assert_eq!(sent["is_encrypted"], true);
    let headers = &sent["headers"];
    assert_eq!(headers["subject"], "Confirm your address");
    assert_eq!(headers["from"], "Towers <towers@towers.example>");
    assert_eq!(headers["auto-submitted"], "auto-generated");
    assert!(headers["message-id"].as_str().unwrap().ends_with("@towers.example>"), "{headers}");
    assert!(
        !sent["text"].as_str().unwrap().contains("Ada"),
        "a stranger reads no word of the sender's: {sent}"
    );
    assert_eq!(ada.get(ACCOUNT).await.ok().get("mail"), None, "before the link is opened");
    let stranger = Player::stranger(&server);
    assert_eq!(stranger.post(RECOVER, &recovery("Ada", "ada@mail.example")).await.status, 202);
    // Requests are looked at in their order, so that of Ada gives no mail.
    let (bob, _) = account(&server, "Bob").await;
    set(&bob, "bob@mail.example").await;
    mail(&mut mails, "bob@mail.example").await;

    let link = secret(&sent, "confirm");
    stranger.post(BY_LINK, &json!({"link": link, "password": ANOTHER})).await.is_problem(410, "link_void");
    assert_eq!(stranger.post(CONFIRM, &json!({"link": link})).await.status, 204);
    stranger.post(CONFIRM, &json!({"link": link})).await.is_problem(410, "link_void");
    let own = ada.get(ACCOUNT).await.ok();
    assert_eq!(own["mail"], json!({"address": "Ada@mail.example", "recovers": true, "refused": false}));

    // The case of an address does not matter; the mail goes to the one that was confirmed.
    let request = stranger.request(Method::POST, RECOVER).header(header::ACCEPT_LANGUAGE, "fr");
    assert_eq!(stranger.send(request.json(&recovery("ADA", "ada@MAIL.example"))).await.status, 202);
    let sent = mail(&mut mails, "Ada@mail.example").await;
    assert_eq!(sent["headers"]["subject"], "Un nouveau mot de passe pour Ada");
    let recovering = json!({"link": secret(&sent, "recover"), "password": ANOTHER});
    let mut tablet = Player::stranger(&server);
    tablet.signs_in(BY_LINK, &recovering).await;
    assert_eq!(tablet.id(), ada.id());
    assert!(!has_session(&ada).await && has_session(&tablet).await);
    stranger.post(BY_LINK, &recovering).await.is_problem(410, "link_void");
    attempt(&server, "Ada", PASSWORD).await.is_problem(401, "wrong_credentials");

    let forbidden = tablet.patch(MAIL, &json!({"recovers": false})).await.ok();
    assert_eq!(
        forbidden["mail"],
        json!({"address": "Ada@mail.example", "recovers": false, "refused": false})
    );
    assert_eq!(stranger.post(RECOVER, &recovery("Ada", "ada@mail.example")).await.status, 202);
    set(&bob, "bob.b@mail.example").await;
    mail(&mut mails, "bob.b@mail.example").await;
    let removed = tablet.delete(MAIL).await.ok();
    assert_eq!(removed.get("mail"), None);
    let notice = mail(&mut mails, "Ada@mail.example").await;
    assert_eq!(
        notice["headers"]["subject"], "The address of the account Ada has changed",
        "no other mail was sent"
    );
    let log = server.log();
    let line =
        log.lines().find(|line| line.to_lowercase().contains("mail.example") || line.contains("s3cret"));
    assert_eq!(line, None, "the log has no address and no password");
}

async fn another_address_is_told_to_the_former_one(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let (ada, _) = account(&server, "Ada").await;
    confirmed(&mut mails, &ada, "one@mail.example").await;
    let stranger = Player::stranger(&server);
    stranger.post(RECOVER, &recovery("Ada", "one@mail.example")).await;
    let recovering = secret(&mail(&mut mails, "one@mail.example").await, "recover");
    confirmed(&mut mails, &ada, "other@mail.example").await;
    mail(&mut mails, "one@mail.example").await;
    let late = json!({"link": recovering, "password": ANOTHER});
    stranger.post(BY_LINK, &late).await.is_problem(410, "link_void");
    assert_eq!(ada.get(ACCOUNT).await.ok()["mail"]["address"], "other@mail.example");

    // A change needs a recent proof of the owner.
    let laptop = browser(&server, "Ada", PASSWORD).await;
    let guest = Player::enter(&server).await;
    guest.delete(MAIL).await.is_problem(409, "no_account");
    server.terminate();
    let (_, stopped) = server.ended().await;
    execute(&database, "update session set proved_ms = proved_ms - 600000").await;
    let server = stopped.start().await;
    let laptop = laptop.at(server.address());
    laptop.delete(MAIL).await.is_problem(403, "prove_again");
    laptop.patch(MAIL, &json!({"recovers": false})).await.is_problem(403, "prove_again");
    let set =
        laptop.send(laptop.request(Method::PUT, MAIL).json(&json!({"address": "eve@mail.example"}))).await;
    set.is_problem(403, "prove_again");
}

async fn a_name_and_an_address_are_answered_alike_whether_or_not_they_belong_together(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let (ada, _) = account(&server, "Ada").await;
    account(&server, "Blaise").await;
    confirmed(&mut mails, &ada, "ada@mail.example").await;
    let shape = async |name: &str, address: &str| {
        let stranger = Player::stranger(&server);
        let response = stranger.respond(Method::POST, RECOVER, Some(&recovery(name, address))).await;
        let (status, mut headers) = (response.status().as_u16(), Vec::new());
        for (name, value) in response.headers() {
            // These two differ between any two answers.
            let is_own = ["date", "x-request-id"].contains(&name.as_str());
            headers.push((name.to_string(), (!is_own).then(|| value.clone())));
        }
        (status, headers, response.text().await.unwrap())
    };
    let known = shape("Ada", "ada@mail.example").await;
    assert_eq!((known.0, known.2.as_str()), (202, ""));
    for (name, address) in [
        ("Ada", "blaise@mail.example"),
        ("Blaise", "ada@mail.example"),
        ("Nobody", "ada@mail.example"),
        ("Nobody", "nobody@mail.example"),
    ] {
        assert_eq!(shape(name, address).await, known, "{name}, {address}");
    }
    mail(&mut mails, "ada@mail.example").await;
    shape("Ada", "ADA@mail.example").await;
    mail(&mut mails, "ada@mail.example").await;
}

async fn an_account_is_sent_three_links_a_day(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let (ada, _) = account(&server, "Ada").await;
    confirmed(&mut mails, &ada, "ada@mail.example").await;
    for number in [2, 3] {
        set(&ada, &format!("ada-{number}@mail.example")).await;
        mail(&mut mails, &format!("ada-{number}@mail.example")).await;
    }
    let refused =
        ada.send(ada.request(Method::PUT, MAIL).json(&json!({"address": "ada-4@mail.example"}))).await;
    refused.is_problem(429, "too_many_mails");
    // Mails to recover are counted apart, and nobody is told which of them are not sent.
    let stranger = Player::stranger(&server);
    for number in 1..=4 {
        assert_eq!(stranger.post(RECOVER, &recovery("Ada", "ada@mail.example")).await.status, 202);
        if number <= 3 {
            mail(&mut mails, "ada@mail.example").await;
        }
    }
    let (bob, _) = account(&server, "Bob").await;
    confirmed(&mut mails, &bob, "bob@mail.example").await;

    // A day later.
    server.terminate();
    let (_, stopped) = server.ended().await;
    execute(&database, "update mail set created_ms = created_ms - 86400000").await;
    let server = stopped.start().await;
    let stranger = stranger.at(server.address());
    assert_eq!(stranger.post(RECOVER, &recovery("Ada", "ada@mail.example")).await.status, 202);
    mail(&mut mails, "ada@mail.example").await;
}

async fn mails_that_are_not_taken_at_once_are_sent_later(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let mut players = Vec::new();
    for name in ["Ada", "Bob", "Cleo"] {
        players.push(account(&server, name).await.0);
    }
    for (player, address) in
        players.iter().zip(["stall-ada@mail.example", "never-bob@mail.example", "later-cleo@mail.example"])
    {
        set(player, address).await;
    }
    let mut events = Vec::new();
    for _ in 0..5 {
        let event = mails.event().await;
        events.push((event["event"].as_str().unwrap().to_owned(), event["to"].as_str().unwrap().to_owned()));
    }
    let of = |address: &str| -> Vec<&str> {
        events.iter().filter(|(_, to)| to == address).map(|(event, _)| event.as_str()).collect()
    };
    assert_eq!(of("stall-ada@mail.example"), ["stalled", "mail"]);
    assert_eq!(of("never-bob@mail.example"), ["refused"]);
    assert_eq!(of("later-cleo@mail.example"), ["delayed", "mail"]);
    let log = server.log();
    assert!(log.contains("mail: given up: the SMTP server refuses it for good: 550"), "{log}");
    assert!(!log.contains("mail.example"), "{log}");
}

async fn a_mail_that_was_asked_for_outlives_the_server(database: Database) {
    let mut mails = MailServer::start().await;
    let wrong = mails.options("wrong");
    let server = Server::start_with(&database, &wrong.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let (ada, _) = account(&server, "Ada").await;
    set(&ada, "ada@mail.example").await;
    assert_eq!(mails.event().await["event"], "wrong password");
    drop(server.kill().await);
    let server = self::server(&database, &mails).await;
    let link = secret(&mail(&mut mails, "ada@mail.example").await, "confirm");
    assert_eq!(Player::stranger(&server).post(CONFIRM, &json!({"link": link})).await.status, 204);
}

async fn a_server_that_sends_no_mail_offers_none(database: Database) {
    let server = Server::start(&database).await;
    let (ada, _) = account(&server, "Ada").await;
    assert_eq!(ada.post("/api/v1/session", &Value::Null).await.ok()["mail"], false);
    let set = ada.send(ada.request(Method::PUT, MAIL).json(&json!({"address": "ada@mail.example"}))).await;
    set.is_problem(404, "no_such_resource");
    ada.post(CONFIRM, &json!({"link": "0".repeat(32)})).await.is_problem(404, "no_such_resource");
    ada.post(RECOVER, &recovery("Ada", "ada@mail.example")).await.is_problem(404, "no_such_resource");
}

async fn an_address_that_refuses_a_mail_is_shown_to_the_owner(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let (ada, _) = account(&server, "Ada").await;
    confirmed(&mut mails, &ada, "gone-ada@mail.example").await;
    assert_eq!(ada.get(ACCOUNT).await.ok()["mail"]["refused"], false);
    ada.post(RECOVER, &recovery("Ada", "gone-ada@mail.example")).await;
    assert_eq!(mails.event().await["event"], "refused");
    timeout("the mark", async { while ada.get(ACCOUNT).await.ok()["mail"]["refused"] != true {} }).await;
    confirmed(&mut mails, &ada, "ada@mail.example").await;
    assert_eq!(ada.get(ACCOUNT).await.ok()["mail"]["refused"], false);
}

#[tokio::test]
async fn a_link_that_one_node_sent_counts_on_another() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let mut mails = MailServer::start().await;
    let mut options = mails.options(SMTP);
    options.extend(["--nats-url".to_owned(), nats.url().to_owned()]);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let one = Server::start_with(&database, &options).await;
    let other = Server::start_with(&database, &options).await;
    let (ada, _) = account(&one, "Ada").await;
    confirmed(&mut mails, &ada.at(other.address()), "ada@mail.example").await;
    let stranger = Player::stranger(&other);
    assert_eq!(stranger.post(RECOVER, &recovery("Ada", "ada@mail.example")).await.status, 202);
    let link = secret(&mail(&mut mails, "ada@mail.example").await, "recover");
    let mut tablet = Player::stranger(&one);
    tablet.signs_in(BY_LINK, &json!({"link": link, "password": ANOTHER})).await;
    assert!(has_session(&tablet.at(other.address())).await && !has_session(&ada).await);
}
