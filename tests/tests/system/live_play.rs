//! Clocks, offers, rematches, chat, and the views of spectators.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Socket, command, draft, resign, turn},
    timeout,
};

on_both_databases![
    a_flag_falls_though_nobody_watches,
    an_outage_is_credited_to_the_side_to_move,
    a_suspension_is_credited_to_the_side_to_move,
    a_draw_is_offered_declined_and_agreed,
    an_offer_leaves_the_draft_of_the_turn_under_way,
    a_turn_is_taken_back_with_its_time,
    a_game_that_nobody_has_begun_is_aborted,
    a_rematch_changes_sides_and_takes_the_spectators_along,
    a_delayed_spectator_is_sent_nothing_newer,
    hidden_drafts_are_shown_to_their_author_only,
    a_game_for_its_players_only_is_shown_to_nobody_else,
    players_and_spectators_have_separate_stored_chats,
    who_follows_a_game_already_is_not_sent_its_chat_again,
    a_line_is_said_once_and_not_too_often,
    presence_is_sent_to_all_readers_of_the_game,
];

fn real_time(base_s: u32, bonus_s: u32) -> Value {
    json!({"kind": "real_time", "base_s": base_s, "bonus_s": bonus_s, "bonus": "per_turn"})
}

/// A game of which both sides have made a turn.
async fn under_way(server: &Server, terms: Value) -> (Pair, Game) {
    let game = Game::fibonacci();
    let mut pair = Pair::open_on(server, &game.ruleset, terms).await;
    pair.play_turns(&game, 0..2).await;
    (pair, game)
}

async fn event(socket: &mut Socket, game: &str, kind: &str) -> Value {
    let is_wanted = |event: &Value| event["type"] == kind;
    timeout(format!("the event {kind}"), async {
        loop {
            if let Some(event) = socket.record(game).events().iter().rev().find(|event| is_wanted(event)) {
                return event.clone();
            }
            let version = socket.record(game).version();
            socket.until_version(game, version + 1).await;
        }
    })
    .await
}

async fn give(socket: &mut Socket, message: Value) {
    let answer = socket.ask(&message).await;
    assert_eq!(answer["type"], "ack", "{message}: {answer}");
}

async fn refused(socket: &mut Socket, message: Value, code: &str) {
    let answer = socket.ask(&message).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("nack"), &json!(code)), "{message}: {answer}");
}

async fn a_flag_falls_though_nobody_watches(database: Database) {
    let server = Server::start(&database).await;
    let mut lobby = Player::enter(&server).await.connect().await;
    lobby.hello(&[], true).await;
    lobby.take_type("lobby").await;
    let (pair, _) = under_way(&server, json!({"clock": real_time(1, 0)})).await;
    let Pair { game, first, second } = pair;
    drop((first.socket, second.socket));
    let is_over = |message: &Value| {
        message["type"] == "lobby_changed"
            && message["game"]["id"] == game
            && message["game"]["status"] == "finished"
    };
    let news = lobby.take("the lobby's news that the flag fell", is_over).await;
    assert_eq!(news["game"]["outcome"], json!({"winner": "second", "reason": "time"}));
    let document = first.player.game(&game).await;
    let kinds: Vec<&str> = document["events"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .take(2)
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["ended", "flagged"]);
}

async fn an_outage_is_credited_to_the_side_to_move(database: Database) {
    let server = Server::start(&database).await;
    let (pair, game) = under_way(&server, json!({"clock": real_time(8, 0)})).await;
    let deadline_ms = pair.first.player.game(&pair.game).await["summary"]["deadline_ms"].as_u64().unwrap();
    let down = server.kill().await;
    // The outage must last beyond the deadline, so this sleeps instead of waiting for an event.
    let deadline = SystemTime::UNIX_EPOCH + Duration::from_millis(deadline_ms + 100);
    if let Ok(left) = deadline.duration_since(SystemTime::now()) {
        tokio::time::sleep(left).await;
    }
    let _server = down.start().await;
    let mut pair = pair.reconnect().await;
    let credit = event(&mut pair.first.socket, &pair.game, "time_credited").await;
    assert_eq!(credit["side"], "first");
    assert!(credit["ms"].as_u64().unwrap() > 0, "{credit}");
    pair.play(&game.turns[2]).await;
    let document = pair.second.player.game(&pair.game).await;
    assert_eq!(document["present"]["status"], "playing", "nobody has lost");
}

async fn a_suspension_is_credited_to_the_side_to_move(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = under_way(&server, json!({"clock": real_time(3, 0)})).await;
    let id = pair.game.clone();
    let deadline_ms = pair.first.player.game(&id).await["summary"]["deadline_ms"].as_u64().unwrap();
    server.pause().await;
    let turn = turn(&id, pair.version(), &game.turns[2]);
    pair.first.socket.send(&turn).await;
    // The suspension must last beyond the moment at which the flag would fall, so this sleeps instead of waiting for an
    // event.
    let deadline = SystemTime::UNIX_EPOCH + Duration::from_millis(deadline_ms + 600);
    if let Ok(left) = deadline.duration_since(SystemTime::now()) {
        tokio::time::sleep(left).await;
    }
    server.resume();
    let answer = pair.first.socket.answer(turn["command"].as_str().unwrap()).await;
    assert_eq!(answer["type"], "ack", "{answer}");
    let credit = event(&mut pair.second.socket, &id, "time_credited").await;
    assert_eq!(credit["side"], "first");
    assert!(credit["ms"].as_u64().unwrap() > 1_000, "{credit}");
    assert!(server.log().contains("process suspended for"), "{}", server.log());
}

async fn a_draw_is_offered_declined_and_agreed(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = under_way(&server, json!({})).await;
    let id = pair.game.clone();
    let offer = || command("offer", &id, json!({"what": "draw"}));
    let answer = |accept: bool| command("answer", &id, json!({"what": "draw", "accept": accept}));
    give(&mut pair.first.socket, offer()).await;
    event(&mut pair.second.socket, &id, "offered").await;
    let standing = json!([{"what": "draw", "side": "first"}]);
    assert_eq!(pair.second.socket.record(&id).present()["offers"], standing);
    give(&mut pair.second.socket, answer(false)).await;
    event(&mut pair.first.socket, &id, "declined").await;
    refused(&mut pair.first.socket, offer(), "offered_already").await;
    refused(&mut pair.second.socket, answer(true), "no_offer").await;
    pair.play(&game.turns[2]).await;
    give(&mut pair.second.socket, offer()).await;
    give(&mut pair.first.socket, answer(true)).await;
    for seat in [&mut pair.first, &mut pair.second] {
        let ended = event(&mut seat.socket, &id, "ended").await;
        assert_eq!(ended["outcome"], json!({"winner": null, "reason": "agreement"}));
    }
    let record = pair.first.player.get(&format!("/api/v1/games/{id}/record.txt")).await;
    assert!(record.text().contains("agreement"), "{}", record.text());
}

async fn an_offer_leaves_the_draft_of_the_turn_under_way(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = under_way(&server, json!({})).await;
    let id = pair.game.clone();
    let base = pair.version();
    let begun = &game.turns[2][..1];
    let kept = pair.first.socket.ask(&draft(&id, base, begun)).await;
    assert_eq!(kept["type"], "options", "{kept}");
    give(&mut pair.second.socket, command("offer", &id, json!({"what": "draw"}))).await;
    event(&mut pair.first.socket, &id, "offered").await;
    assert_eq!(pair.first.socket.record(&id).draft_actions(), begun, "it goes on");
    // A draft is stored within a second, and a server that ends in order stores the last one.
    server.terminate();
    let server = server.ended().await.1.start().await;
    let mut pair = pair.reconnect().await;
    assert_eq!(pair.first.player.follow(&id).await.record(&id).draft_actions(), begun, "it is stored");
    let turn = system_tests::socket::turn(&id, base, &game.turns[2]);
    give(&mut pair.first.socket, turn).await;
    drop(server);
}

async fn a_turn_is_taken_back_with_its_time(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = under_way(&server, json!({"clock": real_time(600, 5)})).await;
    let id = pair.game.clone();
    let before = pair.first.socket.record(&id).position().to_owned();
    pair.play(&game.turns[2]).await;
    assert_ne!(pair.first.socket.record(&id).position(), before);
    give(&mut pair.first.socket, command("offer", &id, json!({"what": "takeback"}))).await;
    give(&mut pair.second.socket, command("answer", &id, json!({"what": "takeback", "accept": true}))).await;
    event(&mut pair.first.socket, &id, "turns_taken_back").await;
    let record = pair.first.socket.record(&id);
    assert_eq!((record.position(), record.side()), (before.as_str(), "first"));
    let clock = &record.present()["clock"];
    assert_eq!((&clock["running"], &clock["second_ms"]), (&json!("first"), &json!(600_000)));
    assert!(clock["first_ms"].as_u64().is_some_and(|left| left <= 600_000), "without the bonus: {clock}");
    pair.play(&game.turns[2]).await;
    pair.play(&game.turns[3]).await;
    give(&mut pair.first.socket, resign(&id)).await;
    let text = pair.first.player.get(&format!("/api/v1/games/{id}/record.txt")).await.text().to_owned();
    let checked = pair.first.player.request(reqwest::Method::POST, "/api/v1/records/check");
    let checked = checked.header("content-type", "text/plain").body(text);
    pair.first.player.send(checked).await.ok();
}

async fn a_game_that_nobody_has_begun_is_aborted(database: Database) {
    let server = Server::start(&database).await;
    let mut pair = Pair::open_on(&server, "fibonacci", json!({"clock": real_time(60, 1)})).await;
    let id = pair.game.clone();
    let left = pair.first.socket.record(&id).present()["first_turn_ms"].clone();
    assert!(left.as_u64().is_some_and(|ms| ms <= 60_000), "{left}");
    give(&mut pair.first.socket, command("abort", &id, json!({}))).await;
    let aborted = event(&mut pair.second.socket, &id, "aborted").await;
    assert_eq!(aborted["side"], "first");
    assert_eq!(pair.second.socket.record(&id).present()["status"], "aborted");
    refused(&mut pair.second.socket, resign(&id), "game_over").await;

    let (mut pair, _) = under_way(&server, json!({})).await;
    let abort = command("abort", &pair.game, json!({}));
    refused(&mut pair.first.socket, abort, "too_late_to_abort").await;
}

async fn a_rematch_changes_sides_and_takes_the_spectators_along(database: Database) {
    let server = Server::start(&database).await;
    let terms = json!({"clock": real_time(600, 5), "delay": 1});
    let (mut pair, _) = under_way(&server, terms.clone()).await;
    let id = pair.game.clone();
    let mut spectator = Player::enter(&server).await.follow(&id).await;
    give(&mut pair.first.socket, resign(&id)).await;
    give(&mut pair.second.socket, command("offer", &id, json!({"what": "rematch"}))).await;
    let accept = command("answer", &id, json!({"what": "rematch", "accept": true}));
    give(&mut pair.first.socket, accept.clone()).await;
    let started = event(&mut spectator, &id, "rematch_started").await;
    let next = started["rematch"].as_str().unwrap().to_owned();
    let document = pair.first.player.game(&next).await;
    assert_eq!(document["summary"]["seats"]["first"]["id"], pair.second.player.id(), "the sides are changed");
    assert_eq!(document["events"][0]["terms"]["clock"], terms["clock"]);
    give(&mut pair.first.socket, accept).await;
    let mine = pair.first.player.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(mine["games"].as_array().unwrap().len(), 1, "the same command has one effect");
    spectator.watch(&next).await;
}

async fn a_delayed_spectator_is_sent_nothing_newer(database: Database) {
    const DELAY: usize = 2;
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open_on(&server, &game.ruleset, json!({"delay": DELAY})).await;
    let id = pair.game.clone();
    let stranger = Player::enter(&server).await;
    let mut spectator = stranger.follow(&id).await;
    let mut positions = Vec::new();
    for (n_played, actions) in game.turns[..6].iter().enumerate() {
        let draft = pair.by_turn().0.socket.draft(&id, &actions[..1]).await;
        assert_eq!(draft["type"], "options", "{draft}");
        pair.play(actions).await;
        positions.push(pair.first.socket.record(&id).position().to_owned());
        spectator.settle().await;
        let latecomer = stranger.follow(&id).await.take_frames().concat();
        let heard = spectator.take_frames().concat() + &latecomer + &stranger.game(&id).await.to_string();
        let shown = (n_played + 1).saturating_sub(DELAY);
        for (turn, position) in positions.iter().enumerate() {
            assert!(
                turn < shown || !heard.contains(position.as_str()),
                "after {n_played}: turn {turn} in {heard}"
            );
        }
        assert_eq!(spectator.record(&id).turns().len(), shown);
    }
    let loser = pair.by_turn().0;
    give(&mut loser.socket, resign(&id)).await;
    event(&mut spectator, &id, "ended").await;
    assert_eq!(spectator.record(&id).turns().len(), 6, "at the end all is shown");
    assert_eq!(spectator.record(&id).position(), positions[5]);
}

async fn hidden_drafts_are_shown_to_their_author_only(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, game) = under_way(&server, json!({"drafts": "hidden"})).await;
    let id = pair.game.clone();
    let mut other_tab = pair.first.player.follow(&id).await;
    let mut spectator = Player::enter(&server).await.follow(&id).await;
    let begun = &game.turns[2][..1];
    let kept = pair.first.socket.draft(&id, begun).await;
    assert_eq!(kept["type"], "options", "{kept}");
    other_tab.take_type("draft").await;
    give(&mut pair.second.socket, command("offer", &id, json!({"what": "draw"}))).await;
    for socket in [&mut pair.second.socket, &mut spectator] {
        event(socket, &id, "offered").await;
        assert_eq!(*socket.record(&id).draft(), Value::Null);
        assert!(socket.waiting().all(|message| message["type"] != "draft"), "it was not shown");
    }
    assert_eq!(*pair.second.player.follow(&id).await.record(&id).draft(), Value::Null);
    assert_eq!(pair.first.player.follow(&id).await.record(&id).draft_actions(), begun);
}

async fn a_game_for_its_players_only_is_shown_to_nobody_else(database: Database) {
    let server = Server::start(&database).await;
    let (maker, joiner, stranger) =
        (Player::enter(&server).await, Player::enter(&server).await, Player::enter(&server).await);
    let room =
        json!({"ruleset": "fenix", "seat": "first", "visibility": "link", "terms": {"watching": "nobody"}});
    let id = maker.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned();
    let mut spectator = stranger.follow(&id).await;
    joiner.join(&id).await.ok();
    let error = spectator.take_type("error").await;
    assert_eq!((&error["code"], &error["game"]), (&json!("private"), &json!(id)), "sent away when it begins");
    spectator.send(&json!({"type": "watch", "game": id, "version": 0})).await;
    assert_eq!(spectator.take_type("error").await["code"], "private");
    for path in ["", "/record.txt", "/record.json"] {
        stranger.get(&format!("/api/v1/games/{id}{path}")).await.is_problem(403, "private");
        assert!(joiner.get(&format!("/api/v1/games/{id}{path}")).await.status.is_success());
    }
    refused(&mut spectator, command("say", &id, json!({"text": "hello"})), "private").await;
}

async fn players_and_spectators_have_separate_stored_chats(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, _) = under_way(&server, json!({})).await;
    let id = pair.game.clone();
    let fan = Player::enter(&server).await;
    let mut spectator = fan.follow(&id).await;
    give(&mut pair.first.socket, command("say", &id, json!({"text": "Bonne chance !"}))).await;
    let heard = pair.second.socket.take_type("chat").await;
    let line = &heard["lines"][0];
    assert_eq!((&line["text"], &line["turn"]), (&json!("Bonne chance !"), &json!(3)), "{heard}");
    assert_eq!(line["who"]["id"], pair.first.player.id());
    give(&mut spectator, command("say", &id, json!({"text": "<b>who wins?</b>"}))).await;
    assert_eq!(spectator.take_type("chat").await["lines"][0]["text"], "<b>who wins?</b>", "plain text");
    spectator.settle().await;
    assert!(spectator.waiting().all(|message| message["type"] != "chat"), "the players' line is not for it");
    pair.second.socket.settle().await;
    assert!(pair.second.socket.waiting().all(|message| message["type"] != "chat"), "nor the other way");

    let _server = server.kill().await.start().await;
    let texts = async |player: &Player| {
        let mut socket = player.follow(&id).await;
        let chat = socket.take_type("chat").await;
        let lines = chat["lines"].as_array().unwrap().iter();
        lines.map(|line| line["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&pair.second.player).await, ["Bonne chance !"]);
    assert_eq!(texts(&fan).await, ["<b>who wins?</b>"]);
}

async fn who_follows_a_game_already_is_not_sent_its_chat_again(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, _) = under_way(&server, json!({})).await;
    let (id, version) = (pair.game.clone(), pair.version());
    give(&mut pair.first.socket, command("say", &id, json!({"text": "hello"}))).await;
    let mut socket = pair.second.player.follow(&id).await;
    socket.settle().await;
    for (known, is_sent) in [(version, false), (0, true), (version, false)] {
        socket.discard_waiting();
        socket.send(&json!({"type": "watch", "game": id, "version": known})).await;
        socket.settle().await;
        assert_eq!(socket.waiting().any(|message| message["type"] == "chat"), is_sent, "from {known}");
    }
    let fan = Player::enter(&server).await;
    let mut watching = fan.follow(&id).await;
    give(&mut watching, command("say", &id, json!({"text": "well played"}))).await;
    give(&mut pair.first.socket, command("resign", &id, json!({}))).await;
    let _server = server.kill().await.start().await;
    let mut archived = fan.connect().await;
    for (known, is_sent) in [(0, true), (version + 2, false)] {
        archived.discard_waiting();
        archived.send(&json!({"type": "watch", "game": id, "version": known})).await;
        archived.settle().await;
        let is_chat = |message: &Value| message["type"] == "chat";
        assert_eq!(archived.waiting().any(is_chat), is_sent, "a finished game from {known}");
    }
}

async fn a_line_is_said_once_and_not_too_often(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, _) = under_way(&server, json!({})).await;
    let id = pair.game.clone();
    let line = command("say", &id, json!({"text": "once"}));
    give(&mut pair.first.socket, line.clone()).await;
    give(&mut pair.first.socket, line).await;
    let lines: Vec<Value> = (0..20).map(|_| command("say", &id, json!({"text": "again"}))).collect();
    for line in &lines {
        pair.first.socket.send(line).await;
    }
    let mut n_refused = 0;
    for line in &lines {
        let answer = pair.first.socket.answer(line["command"].as_str().unwrap()).await;
        if answer["code"] == "too_fast" {
            assert!(answer["retry_ms"].as_u64().is_some_and(|wait| wait > 0));
            n_refused += 1;
        }
    }
    assert!(n_refused > 0, "twenty lines at once are too many");
    pair.second.socket.settle().await;
    let once = pair.second.socket.waiting().filter(|message| message["lines"][0]["text"] == "once").count();
    assert_eq!(once, 1);
    for text in ["", " ", "x".repeat(301).as_str(), "\u{3164}\n"] {
        refused(&mut pair.first.socket, command("say", &id, json!({"text": text})), "invalid").await;
    }
}

async fn presence_is_sent_to_all_readers_of_the_game(database: Database) {
    let server = Server::start(&database).await;
    let (mut pair, _) = under_way(&server, json!({"clock": real_time(600, 0)})).await;
    let id = pair.game.clone();
    let is_news = |first: bool, second: bool, spectators: u32| {
        move |message: &Value| {
            message["type"] == "presence"
                && message["first"] == first
                && message["second"] == second
                && message["watchers"] == spectators
        }
    };
    let fan = Player::enter(&server).await;
    let one = fan.follow(&id).await;
    let other_tab = fan.follow(&id).await;
    pair.first.socket.take("one spectator, in two tabs", is_news(true, true, 1)).await;
    drop((one, other_tab));
    pair.first.socket.take("no spectator", is_news(true, true, 0)).await;
    drop(pair.second.socket);
    let is_gone = is_news(true, false, 0);
    let is_offered = |message: &Value| is_gone(message) && message["claim"]["against"] == "second";
    pair.first.socket.take("the second side is gone", is_offered).await;
    refused(&mut pair.first.socket, command("claim", &id, json!({"what": "win"})), "not_gone").await;
    let here = pair.second.player.follow(&id).await;
    let back = pair.first.socket.take("the second side is back", is_news(true, true, 0)).await;
    assert_eq!(back["claim"], Value::Null);

    assert_eq!(pair.first.socket.ask(&resign(&id)).await["type"], "ack");
    drop(here);
    let left = pair.first.socket.take("the second side has left", is_news(true, false, 0)).await;
    assert_eq!(left["claim"], Value::Null, "nobody leaves a game that is over");
}
