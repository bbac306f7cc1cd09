//! Every ruleset through the server: games, spectators, a crash, records, start positions.

use engine::{AnyMatch, Card, Ruleset, record::Record as Written};
use reqwest::{Method, header};
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::{Pair, Seat},
    player::{Answer, Player},
    record::Record,
    server::Server,
    socket::{command, resign},
};

on_both_databases![
    fibonacci_is_played,
    fibonacci_mixed_is_played,
    fibonacci_cards_is_played,
    fenix_is_played,
    focus_is_played,
    focus_classic_is_played,
    crossfire_is_played,
    fibonacci_ends_by_its_rules,
    fibonacci_mixed_ends_by_its_rules,
    fibonacci_cards_ends_by_its_rules,
    fenix_ends_by_its_rules,
    focus_ends_by_its_rules,
    focus_classic_ends_by_its_rules,
    crossfire_ends_by_its_rules,
    a_start_position_must_be_valid,
];

/// Maximum number of turns of a random game.
const N_TURNS: usize = 60;

async fn fibonacci_is_played(database: Database) {
    play_through_a_crash(&database, "fibonacci").await;
}

async fn fibonacci_mixed_is_played(database: Database) {
    play_through_a_crash(&database, "fibonacci-mixed").await;
}

async fn fibonacci_cards_is_played(database: Database) {
    play_through_a_crash(&database, "fibonacci-cards").await;
}

async fn fenix_is_played(database: Database) {
    play_through_a_crash(&database, "fenix").await;
}

async fn focus_is_played(database: Database) {
    play_through_a_crash(&database, "focus").await;
}

async fn focus_classic_is_played(database: Database) {
    play_through_a_crash(&database, "focus-classic").await;
}

async fn crossfire_is_played(database: Database) {
    play_through_a_crash(&database, "crossfire").await;
}

async fn fibonacci_ends_by_its_rules(database: Database) {
    play_to_the_end(&database, "fibonacci").await;
}

async fn fibonacci_mixed_ends_by_its_rules(database: Database) {
    play_to_the_end(&database, "fibonacci-mixed").await;
}

async fn fibonacci_cards_ends_by_its_rules(database: Database) {
    play_to_the_end(&database, "fibonacci-cards-end").await;
}

async fn fenix_ends_by_its_rules(database: Database) {
    play_to_the_end(&database, "fenix").await;
}

async fn focus_ends_by_its_rules(database: Database) {
    play_to_the_end(&database, "focus").await;
}

async fn focus_classic_ends_by_its_rules(database: Database) {
    play_to_the_end(&database, "focus-classic").await;
}

async fn crossfire_ends_by_its_rules(database: Database) {
    play_to_the_end(&database, "crossfire").await;
}

/// Deterministic pseudo-random choices.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number from 0 that is less than `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Returns a whole turn that does not end the game. With cards, it differs between runs.
    pub(crate) fn turn_in_the_game(&mut self, play: &AnyMatch) -> Vec<String> {
        loop {
            let turn = self.turn(play);
            if play.draft(&turn).unwrap().outcome.is_none() {
                return turn;
            }
        }
    }

    /// A whole turn, action by action.
    pub(crate) fn turn(&mut self, play: &AnyMatch) -> Vec<String> {
        let mut turn: Vec<String> = Vec::new();
        loop {
            let draft = play.draft(&turn).unwrap();
            if draft.complete {
                return turn;
            }
            let legal = draft.legal();
            turn.push(legal[self.below(legal.len())].text.clone());
        }
    }
}

/// The match at the beginning of a game, without any card of it.
pub(crate) fn opening(events: &[Value]) -> AnyMatch {
    let ruleset: Ruleset = events[0]["ruleset"].as_str().unwrap().parse().unwrap();
    let (usual, start) = (AnyMatch::new(ruleset), events[0]["start"].as_str().unwrap());
    if start == usual.start_text() { usual } else { AnyMatch::from_text(ruleset, start).unwrap() }
}

/// Turns over the card of the turn that begins, if the match waits for one.
pub(crate) fn turn_over(play: &mut AnyMatch, card: &Value) {
    if play.awaits_card() {
        let value = usize::try_from(card.as_u64().expect("a turn that has begun has its card")).unwrap();
        play.turn_over(Card::ALL[value - 1]).unwrap();
    }
}

async fn play_through_a_crash(database: &Database, ruleset: &str) {
    let mut server = Server::start(database).await;
    let mut pair = Pair::open(&server, ruleset).await;
    let id = pair.game.clone();
    let spectator = Player::enter(&server).await;
    let mut spectator = Seat { socket: spectator.follow(&id).await, player: spectator };
    let mut play = opening(pair.first.socket.record(&id).events());
    let mut dice = Dice(7);
    for number in 0..N_TURNS {
        turn_over(&mut play, pair.first.socket.record(&id).card());
        assert_eq!(pair.first.socket.record(&id).position(), play.position_text());
        let turn = dice.turn(&play);
        if number == N_TURNS / 2 {
            let (mover, _) = pair.by_turn();
            let options = mover.socket.draft(&id, &turn[..1]).await;
            assert_eq!(options["type"], "options", "{options}");
            // What is said after a draft is stored after it.
            let said = mover.socket.ask(&command("say", &id, json!({"text": "a moment"}))).await;
            assert_eq!(said["type"], "ack", "{said}");
            let version = pair.version();
            server = server.kill().await.start().await;
            pair = pair.reconnect().await;
            spectator = spectator.reconnect().await;
            for socket in [&pair.first.socket, &pair.second.socket, &spectator.socket] {
                assert_eq!(socket.record(&id).version(), version, "every acknowledged turn is there");
                assert_eq!(socket.record(&id).draft_actions(), &turn[..1], "the draft is there");
                assert_eq!(socket.record(&id).position(), play.position_text());
            }
        }
        pair.play(&turn).await;
        play.play(&turn).unwrap();
        if play.outcome().is_some() {
            break;
        }
    }
    if play.outcome().is_none() {
        let ack = pair.first.socket.ask(&resign(&id)).await;
        pair.first.socket.until_version(&id, ack["version"].as_u64().unwrap()).await;
    }
    is_over_for_all(&mut pair, &mut spectator).await;
    let document = Player::enter(&server).await.game(&id).await;
    is_the_game(&document, pair.first.socket.record(&id));
    the_record_replays_to_the_game(&pair.second.player, &id, &document).await;
}

async fn play_to_the_end(database: &Database, file: &str) {
    let game = Game::read(file);
    let has_cards = game.ruleset == "fibonacci-cards";
    let server = Server::start(database).await;
    let mut pair = Pair::open_from(&server, &game.ruleset, game.start.as_deref()).await;
    let id = pair.game.clone();
    if let Some(start) = &game.start {
        let record = pair.first.socket.record(&id);
        assert_eq!(record.events()[0]["start"], *start);
        assert_eq!(record.position(), start);
    }
    let spectator = Player::enter(&server).await;
    let mut spectator = Seat { socket: spectator.follow(&id).await, player: spectator };
    let mut play = opening(pair.first.socket.record(&id).events());
    for turn in &game.turns {
        turn_over(&mut play, pair.first.socket.record(&id).card());
        let mut turn = turn.clone();
        if has_cards && !play.draft(&turn).unwrap().complete {
            turn.push("end".to_owned());
        }
        pair.play(&turn).await;
        play.play(&turn).unwrap();
    }
    is_over_for_all(&mut pair, &mut spectator).await;
    let document = Player::enter(&server).await.game(&id).await;
    assert_eq!(document["summary"]["outcome"], game.outcome);
    if !has_cards {
        assert_eq!(document["present"]["turn"]["position"], game.last_position);
    }
    is_the_game(&document, pair.first.socket.record(&id));
    the_record_replays_to_the_game(&pair.first.player, &id, &document).await;
}

/// Both players and a spectator have seen the same, to the end.
async fn is_over_for_all(pair: &mut Pair, spectator: &mut Seat) {
    let id = pair.game.clone();
    let version = pair.version();
    pair.second.socket.until_version(&id, version).await;
    spectator.socket.until_version(&id, version).await;
    let seen = pair.first.socket.record(&id);
    assert_eq!(seen.present()["status"], "finished");
    assert_eq!(seen.events().last().unwrap()["type"], "ended");
    for other in [&pair.second.socket, &spectator.socket] {
        assert_eq!(other.record(&id).events(), seen.events());
        assert_eq!(other.record(&id).present(), seen.present());
    }
}

/// Asserts that the document equals the players' record, and replays by the rules.
fn is_the_game(document: &Value, seen: &Record) {
    seen.assert_is(document);
    for (field, value) in seen.present().as_object().expect("the game is over") {
        assert_eq!(document["present"][field], *value, "{field}");
    }
    let mut play = opening(seen.events());
    for turn in played(document) {
        turn_over(&mut play, &turn["card"]);
        assert_eq!(turn["turn"], play.turn().get());
        let actions = actions(turn);
        let before = play.clone();
        for (index, step) in turn["steps"].as_array().unwrap().iter().enumerate().take(actions.len() - 1) {
            let draft = before.draft(&actions[..=index]).unwrap();
            assert_eq!(step["position"], draft.present.position, "after {}", actions[index]);
        }
        play.play(&actions).unwrap();
    }
    if document["present"]["turn"]["cards"]["card"].is_u64() && play.outcome().is_none() {
        turn_over(&mut play, &document["present"]["turn"]["cards"]["card"]);
    }
    assert_eq!(document["present"]["turn"]["position"], play.position_text());
    let outcome = &document["summary"]["outcome"];
    match play.outcome() {
        Some(by_rules) => {
            assert_eq!(outcome["winner"], json!(by_rules.winner.map(|side| side.id())));
            assert_eq!(outcome["reason"], by_rules.reason.id());
        }
        None => assert_eq!(*outcome, json!({"winner": "second", "reason": "resign"})),
    }
}

/// The turns of a document.
pub(crate) fn played(document: &Value) -> impl Iterator<Item = &Value> {
    document["events"].as_array().unwrap().iter().filter(|event| event["type"] == "turn_played")
}

fn actions(turn: &Value) -> Vec<&str> {
    turn["steps"].as_array().unwrap().iter().map(|step| step["action"].as_str().unwrap()).collect()
}

async fn check(player: &Player, kind: &str, record: &str) -> Answer {
    let request = player.request(Method::POST, "/api/v1/records/check");
    player.send(request.header(header::CONTENT_TYPE, kind).body(record.to_owned())).await
}

/// Asserts that the game's record in both forms replays to the same game, and that falsified ones are refused.
async fn the_record_replays_to_the_game(player: &Player, id: &str, document: &Value) {
    let text = player.get(&format!("/api/v1/games/{id}/record.txt")).await;
    assert!(text.content_type.starts_with("text/plain"), "{text:?}");
    let text = text.text();
    let in_json = player.get(&format!("/api/v1/games/{id}/record.json")).await;
    let in_json = in_json.text();
    assert_eq!(Written::parse_text(text).unwrap(), Written::from_json(in_json).unwrap());

    let replay = check(player, "text/plain; charset=utf-8", text).await.ok();
    assert_eq!(check(player, "application/json", in_json).await.ok(), replay);
    for (there, here) in [(&replay["events"][0], &document["events"][0])] {
        for field in ["ruleset", "start", "seed_hash"] {
            assert_eq!(there[field], here[field], "{field}");
        }
    }
    for side in ["first", "second"] {
        let name = |game: &Value| game["events"][1]["seats"][side]["name"].clone();
        assert_eq!(name(&replay), name(document));
    }
    let turns = |game| played(game).map(without_time).collect::<Vec<_>>();
    assert_eq!(turns(&replay), turns(document));
    let end = |game: &Value| {
        let ended = game["events"].as_array().unwrap().last().unwrap().clone();
        (ended["outcome"].clone(), ended["seed"].clone())
    };
    assert_eq!(end(&replay), end(document));
    assert_eq!(without_time(&replay["present"]), without_time(&document["present"]));

    for lie in lies(text, document) {
        let answer = check(player, "text/plain", &lie.record).await;
        answer.is_problem(422, "bad_record");
        assert_eq!(answer.body["line"], lie.line, "{}: {answer:?}", lie.what);
        assert_eq!(answer.body["turn"], json!(lie.turn), "{}: {answer:?}", lie.what);
        assert!(answer.body["flaw"]["code"].is_string(), "{}: {answer:?}", lie.what);
        let written = Written::parse_text(&lie.record).unwrap();
        let answer = check(player, "application/json", &written.to_json()).await;
        answer.is_problem(422, "bad_record");
        assert_eq!(answer.body["turn"], json!(lie.turn), "{} in JSON: {answer:?}", lie.what);
    }
}

/// Removes the fields that a game has and its replay lacks: versions, and times between the turns.
fn without_time(value: &Value) -> Value {
    let mut value = value.clone();
    for field in ["version", "at_ms"] {
        value.as_object_mut().unwrap().remove(field);
    }
    value
}

/// A falsified record, and the place of the error.
struct Lie {
    what: &'static str,
    record: String,
    line: usize,
    turn: Option<u64>,
}

fn lies(text: &str, document: &Value) -> Vec<Lie> {
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| line.is_empty()).unwrap();
    let with = |index: usize, line: &str| {
        let mut lines = lines.clone();
        lines[index] = line;
        lines.join("\n") + "\n"
    };
    let header = |key: &str| lines[..head].iter().position(|line| line.starts_with(key));
    let mut lies = Vec::new();

    // The other side's turn before, where it is illegal.
    let turns: Vec<&Value> = played(document).collect();
    let mut play = opening(document["events"].as_array().unwrap());
    let mut wrong = None;
    for (index, turn) in turns.iter().enumerate() {
        turn_over(&mut play, &turn["card"]);
        if index > 0 && play.draft(&actions(turns[index - 1])).is_err() {
            wrong = Some(index);
        }
        play.play(&actions(turn)).unwrap();
    }
    let wrong = wrong.expect("some turn is not legal a turn later");
    let line = head + 1 + wrong;
    let (right, other) = (actions(turns[wrong]).join(" "), actions(turns[wrong - 1]).join(" "));
    lies.push(Lie {
        what: "an action",
        record: with(line, &lines[line].replacen(&right, &other, 1)),
        line: line + 1,
        turn: turns[wrong]["turn"].as_u64(),
    });

    let last = lines.len() - 1;
    let start = document["events"][0]["start"].as_str().unwrap();
    lies.push(Lie {
        what: "the final text",
        record: with(last, &format!("final: {start}")),
        line: last + 1,
        turn: None,
    });

    let result = header("result: ").unwrap();
    let (index, line) = match header("reason: resign") {
        Some(reason) => (reason, "reason: repetition"),
        None if lines[result] == "result: first" => (result, "result: second"),
        None => (result, "result: first"),
    };
    lies.push(Lie { what: "the result", record: with(index, line), line: result + 1, turn: None });

    if let Some(seed) = header("seed: ") {
        let wrong = turns.len() - 1;
        let line = head + 1 + wrong;
        let card = turns[wrong]["card"].as_u64().unwrap();
        lies.push(Lie {
            what: "a card",
            record: with(
                line,
                &lines[line].replacen(&format!("[{card}]"), &format!("[{}]", card % 6 + 1), 1),
            ),
            line: line + 1,
            turn: turns[wrong]["turn"].as_u64(),
        });
        let digit = if lines[seed].ends_with('0') { "1" } else { "0" };
        let other = format!("{}{digit}", &lines[seed][..lines[seed].len() - 1]);
        lies.push(Lie { what: "the seed", record: with(seed, &other), line: seed + 1, turn: None });
    }
    lies
}

async fn a_start_position_must_be_valid(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    let over = ["fibonacci", "fibonacci-mixed", "fenix", "focus", "focus-classic", "crossfire"]
        .map(|file| (Game::read(file).ruleset, Game::read(file).last_position));
    let cards = Game::read("fibonacci-cards-end");
    let broken = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    };
    let start = |ruleset: &str| AnyMatch::new(ruleset.parse().unwrap()).position_text();
    let cases = [
        ("fibonacci", broken(&start("fibonacci"), " 1 1 1/1", " 2 1 1/1")),
        ("fibonacci", start("fibonacci").replacen('S', "1", 1)),
        ("fibonacci-mixed", broken(&start("fibonacci-mixed"), "1/1", "1/2")),
        ("fibonacci-cards", start("fibonacci-cards")),
        ("fibonacci-cards", broken(cards.start.as_deref().unwrap(), "2/2", "7/7")),
        ("fibonacci-cards", cards.last_position.clone()),
        ("fenix", broken(&start("fenix"), " - 0", " K 0")),
        ("fenix", start("focus")),
        ("focus", broken(&start("focus"), "o,o,x,x,o,o", "oo,.,x,x,o,o")),
        ("focus-classic", broken(&start("focus-classic"), " 0 0", " 9 9")),
        ("crossfire", broken(&start("crossfire"), "./o,x", "xxx/o,x")),
        ("crossfire", "nonsense".to_owned()),
    ]
    .map(|(ruleset, text)| (ruleset.to_owned(), text));
    for (ruleset, text) in cases.into_iter().chain(over) {
        let room = json!({"ruleset": ruleset, "seat": "first", "visibility": "public", "start": text});
        let answer = player.post("/api/v1/rooms", &room).await;
        answer.is_problem(422, "invalid_start");
        let reason = AnyMatch::from_text(ruleset.parse().unwrap(), &text).unwrap_err().to_string();
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.contains(&reason), "{ruleset}, {text}: {detail} does not say `{reason}`");
        assert_eq!(answer.body["flaw"]["code"], "position", "{ruleset}, {text}: {answer:?}");
    }
    let rooms = player.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(rooms["games"], json!([]), "no room was made");
}
