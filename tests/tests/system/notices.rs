//! Messages to players who are away. Time passes by moving the stored times between two runs of the server.

use std::collections::HashMap;

use reqwest::Method;
use serde_json::{Value, json};
use system_tests::{
    database::Database, mail::MailServer, on_both_databases, player::Player, server::Server, socket::resign,
    timeout,
};

use crate::{
    accounts::{account, execute},
    mail::{confirmed, mail, server},
};

on_both_databases![
    a_turn_that_waits_is_mailed_and_one_click_stops_the_mails,
    nobody_is_mailed_of_a_game_that_no_longer_waits_or_in_quiet_hours,
    an_account_whose_zone_is_known_has_the_quiet_hours_that_it_sets,
    an_address_that_refuses_a_mail_about_turns_is_marked,
    kills_of_the_sender_lose_no_mail_and_repeat_at_most_one_each,
];

const ACCOUNT: &str = "/api/v1/account";

/// Settings by which a mail is sent ten minutes after a turn, at any hour.
fn soon() -> Value {
    json!({"turn_mails": "soon", "hour": 8, "quiet_from": 0, "quiet_to": 0, "zone": "Europe/Paris"})
}

/// An account whose address is confirmed, with settings.
async fn mailed(server: &Server, mails: &mut MailServer, name: &str, notices: Value) -> Player {
    let (player, _) = account(server, name).await;
    confirmed(mails, &player, &format!("{}@mail.example", name.to_lowercase())).await;
    let changed = player.patch(ACCOUNT, &json!({"notices": notices})).await.ok();
    assert_eq!(changed["notices"], notices);
    player
}

async fn an_address_that_refuses_a_mail_about_turns_is_marked(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let ada = mailed(&server, &mut mails, "Gone-Ada", soon()).await;
    slow_game(&ada, &Player::enter(&server).await).await;
    let server = after_ten_minutes(server, &database).await;
    assert_eq!(mails.event().await["event"], "refused");
    let ada = ada.at(server.address());
    timeout("the mark", async { while ada.get(ACCOUNT).await.ok()["mail"]["refused"] != true {} }).await;
}

async fn an_account_whose_zone_is_known_has_the_quiet_hours_that_it_sets(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let ends = |account: &Value| ["quiet_from", "quiet_to"].map(|end| account["notices"][end].clone());
    let (ada, bob) = (account(&server, "Ada").await.0, account(&server, "Bob").await.0);
    let quiet = async |player: &Player| ends(&player.get(ACCOUNT).await.ok());
    let [none, night] = [(0, 0), (22, 8)].map(|(from, to)| [json!(from), json!(to)]);
    assert_eq!(quiet(&ada).await, none, "there are none by the clocks of a zone that nobody named");
    confirmed(&mut mails, &ada, "ada@mail.example").await;
    assert_eq!(quiet(&ada).await, none, "nor with a mail address");
    for (player, zone) in [(&ada, "UTC"), (&bob, "Europe/Paris")] {
        let address = json!({"address": "other@mail.example", "zone": zone});
        assert_eq!(player.respond(Method::PUT, "/api/v1/account/mail", Some(&address)).await.status(), 202);
        assert_eq!(quiet(player).await, night, "the browser's zone is known");
    }
    let mut early = soon();
    (early["quiet_from"], early["quiet_to"]) = (json!(21), json!(7));
    for zone in ["UTC", "Europe/Paris"] {
        early["zone"] = json!(zone);
        assert_eq!(ends(&ada.patch(ACCOUNT, &json!({"notices": early})).await.ok()), [json!(21), json!(7)]);
    }
}

/// Begins a game of three days for each turn, in which the first player is to move.
async fn slow_game(first: &Player, second: &Player) -> String {
    let clock = json!({"kind": "correspondence", "days": 3});
    let room =
        json!({"ruleset": "fenix", "seat": "first", "visibility": "public", "terms": {"clock": clock}});
    let id = first.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned();
    second.join(&id).await.ok();
    id
}

/// Stops the server, has ten minutes pass for what is to be sent, and starts it again.
async fn after_ten_minutes(server: Server, database: &Database) -> Server {
    let stopped = server.kill().await;
    execute(database, "update outbox set due_ms = due_ms - 600000, since_ms = since_ms - 600000").await;
    execute(database, "update event set at_ms = at_ms - 600000").await;
    stopped.start().await
}

async fn a_turn_that_waits_is_mailed_and_one_click_stops_the_mails(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let ada = mailed(&server, &mut mails, "Ada", soon()).await;
    let bob = Player::enter(&server).await;
    let game = slow_game(&ada, &bob).await;
    let server = after_ten_minutes(server, &database).await;
    let sent = mail(&mut mails, "ada@mail.example").await;
    let (headers, text) = (&sent["headers"], sent["text"].as_str().unwrap());
    assert_eq!(headers["subject"], "It is your turn");
    assert_eq!(headers["auto-submitted"], "auto-generated");
    assert_eq!(headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.contains(&&*format!("http://towers.example/game/{game}")), "{text}");
    assert!(
        lines.iter().any(|line| line.starts_with("Fenix, against ") && line.ends_with(": 2 days left")),
        "{text}"
    );

    let link = headers["list-unsubscribe"].as_str().unwrap();
    let link = link.trim_matches(['<', '>']).strip_prefix("http://towers.example").unwrap();
    assert!(text.contains(link), "{text}");
    let stranger = Player::stranger(&server);
    let void = format!("/unsubscribe?link={}", "0".repeat(32));
    for wrong in ["/unsubscribe", "/unsubscribe?link=x", &void] {
        stranger.post(wrong, &Value::Null).await.is_problem(410, "link_void");
    }
    let notices = async || ada.get(ACCOUNT).await.ok()["notices"]["turn_mails"].clone();
    assert_eq!(notices().await, "soon");
    for _ in 0..2 {
        assert_eq!(stranger.respond(Method::POST, link, None).await.status(), 204);
    }
    assert_eq!(notices().await, "off");
    let shown = stranger.respond(Method::GET, link, None).await;
    assert_eq!(shown.url().path(), "/", "a page asks about it");
}

async fn nobody_is_mailed_of_a_game_that_no_longer_waits_or_in_quiet_hours(database: Database) {
    let mut mails = MailServer::start().await;
    let server = server(&database, &mails).await;
    let ada = mailed(&server, &mut mails, "Ada", soon()).await;
    // It is quiet but for one hour, which is another one than now.
    let hour = (now_s() / 3_600 + 12) % 24;
    let quiet = json!({
        "turn_mails": "soon", "hour": 8, "quiet_from": (hour + 1) % 24, "quiet_to": hour, "zone": "UTC",
    });
    let cleo = mailed(&server, &mut mails, "Cleo", quiet).await;
    let dora = mailed(&server, &mut mails, "Dora", soon()).await;
    let bob = Player::enter(&server).await;
    let over = slow_game(&ada, &bob).await;
    slow_game(&cleo, &bob).await;
    let mut socket = bob.follow(&over).await;
    assert_eq!(socket.ask(&resign(&over)).await["type"], "ack");
    slow_game(&dora, &bob).await;
    let server = after_ten_minutes(server, &database).await;
    // What is due is looked at in order, so the others were looked at before.
    mail(&mut mails, "dora@mail.example").await;
    drop(server);
}

/// Seconds since 1970.
fn now_s() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

async fn kills_of_the_sender_lose_no_mail_and_repeat_at_most_one_each(database: Database) {
    const KILLS: usize = 10;
    let mut mails = MailServer::start().await;
    let mut server = server(&database, &mails).await;
    let ada = mailed(&server, &mut mails, "Ada", soon()).await;
    let bob = Player::enter(&server).await;
    let mut sent: HashMap<String, usize> = HashMap::new();
    for _ in 0..KILLS {
        let game = slow_game(&ada, &bob).await;
        // An hour passes for the limit too.
        let stopped = server.kill().await;
        execute(&database, "update outbox set due_ms = 0, since_ms = since_ms - 600000").await;
        execute(&database, "update event set at_ms = at_ms - 600000").await;
        execute(
            &database,
            "update mail set tried_ms = tried_ms - 3600000, created_ms = created_ms - 3600000",
        )
        .await;
        server = stopped.start().await;
        loop {
            let mail = mail(&mut mails, "ada@mail.example").await;
            let id = mail["headers"]["message-id"].as_str().unwrap().to_owned();
            *sent.entry(id).or_default() += 1;
            if mail["text"].as_str().unwrap().contains(&game) {
                break;
            }
        }
    }
    let n_sent: usize = sent.values().sum();
    assert!((KILLS..=2 * KILLS).contains(&n_sent), "{sent:?}");
    assert!(sent.values().all(|n| *n <= 2), "{sent:?}");
}
