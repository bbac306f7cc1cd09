//! Nobody learns a card before it is turned over, and afterwards everybody can check that all were fixed before the
//! game (RULES 1.16 to 1.18).

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use system_tests::{
    database::Database,
    on_both_databases,
    pair::{Pair, Seat},
    player::Player,
    server::Server,
    socket::{draft, resign},
};

use crate::rulesets::{Dice, opening, played, turn_over};

on_both_databases![no_card_is_known_before_its_turn];

/// More than the 24 turns of both sides' packs twice, so that both are shuffled again twice.
const N_TURNS: u64 = 52;

async fn no_card_is_known_before_its_turn(database: Database) {
    let server = Server::start_tracing(&database).await;
    let maker = Player::enter(&server).await;
    let id = maker.open_room("fibonacci-cards", "public").await;
    let mut early = maker.follow(&id).await;
    let mut said = Said::default();
    let record = early.record(&id);
    assert_eq!(record.card(), &Value::Null, "no card is turned over in an open room");
    let hash = record.events()[0]["seed_hash"].as_str().expect("the hash is published").to_owned();
    said.check_frames(0, early.take_frames());
    said.read(0, &maker, &id).await;
    said.log(0, &server);

    let other = Player::enter(&server).await;
    other.join(&id).await.ok();
    early.until_version(&id, 2).await;
    let second = Seat { socket: other.follow(&id).await, player: other };
    let mut pair = Pair { game: id.clone(), first: Seat { player: maker, socket: early }, second };
    let stranger = Player::enter(&server).await;
    let mut spectator = Seat { socket: stranger.follow(&id).await, player: stranger };
    let mut play = opening(pair.first.socket.record(&id).events());
    let mut dice = Dice(11);
    let mut shown = Vec::new();
    for number in 1..=N_TURNS {
        let present = pair.first.player.game(&id).await["present"]["turn"].clone();
        assert_eq!(present["number"], number);
        assert_eq!(present["cards"]["card"], *pair.first.socket.record(&id).card());
        shown.push(present["cards"].clone());
        turn_over(&mut play, &present["cards"]["card"]);
        let turn = dice.turn_in_the_game(&play);
        let (version, (mover, _)) = (pair.version(), pair.by_turn());
        let options = mover.socket.ask(&draft(&id, version, &turn)).await;
        let drafted = options["draft"]["turn"]["position"].as_str().expect("the draft is legal");
        let whole = options["draft"]["complete"] == true;
        assert!(whole && drafted.ends_with(" 0/0"), "{options}");
        assert_eq!(options["draft"]["turn"]["cards"]["card"], present["cards"]["card"]);
        spectator.socket.settle().await;
        said.read(number, &spectator.player, &id).await;
        for seat in [&mut pair.first, &mut pair.second, &mut spectator] {
            said.check_frames(number, seat.socket.take_frames());
        }
        said.log(number, &server);

        play.play(&turn).unwrap();
        pair.play(&turn).await;
        spectator.socket.until_version(&id, version + 1).await;
    }
    shown.push(pair.first.player.game(&id).await["present"]["turn"]["cards"].clone());
    said.read(N_TURNS + 1, &spectator.player, &id).await;
    for seat in [&mut pair.first, &mut pair.second, &mut spectator] {
        said.check_frames(N_TURNS + 1, seat.socket.take_frames());
    }
    said.log(N_TURNS + 1, &server);

    let ack = pair.first.socket.ask(&resign(&id)).await;
    let record = spectator.socket.until_version(&id, ack["version"].as_u64().unwrap()).await;
    let seed =
        record.events().last().unwrap()["seed"].as_str().expect("the end publishes the seed").to_owned();
    let bytes = bytes_of(&seed);
    assert_eq!(hex(&Sha256::digest(&bytes)), hash, "the seed keeps the promise");
    said.never_tells(&seed, &bytes);

    let document = spectator.player.game(&id).await;
    let turns: Vec<&Value> = played(&document).collect();
    assert_eq!(turns.len() as u64, N_TURNS);
    for turn in turns {
        assert_eq!(turn["card"], dealt(&bytes, turn["turn"].as_u64().unwrap()), "{turn}");
    }
    for (number, cards) in (1..).zip(&shown) {
        assert_eq!(cards["card"], dealt(&bytes, number), "the card of turn {number}");
        assert_eq!(cards["first"], pack(&bytes, 1, number), "the first side's pack in turn {number}");
        assert_eq!(cards["second"], pack(&bytes, 2, number), "the second side's pack in turn {number}");
    }
}

/// Everything that anyone could read before the game was over.
#[derive(Default)]
struct Said {
    everything: Vec<String>,
    read_of_log: usize,
}

impl Said {
    /// Checks frames received during a turn.
    fn check_frames(&mut self, turn: u64, frames: Vec<String>) {
        for frame in frames {
            self.check_text(turn, frame);
        }
    }

    /// Reads and checks all resources about the game during a turn.
    async fn read(&mut self, turn: u64, player: &Player, id: &str) {
        let game = format!("/api/v1/games/{id}");
        let paths = [
            game.clone(),
            format!("{game}/record.txt"),
            format!("{game}/record.json"),
            "/api/v1/rooms".to_owned(),
            "/api/v1/games?list=mine".to_owned(),
            "/api/v1/games?list=played".to_owned(),
            "/api/v1/games?list=finished".to_owned(),
        ];
        for path in paths {
            let answer = player.get(&path).await;
            assert!(answer.status.is_success(), "{path}: {answer:?}");
            self.check_text(turn, answer.text().to_owned());
        }
    }

    /// Checks the new log lines of the server.
    fn log(&mut self, turn: u64, server: &Server) {
        let log = server.log();
        let fresh = log[self.read_of_log..].to_owned();
        self.read_of_log = log.len();
        assert!(turn == 0 || !fresh.is_empty(), "the server logs all that it does");
        self.check_text(turn, fresh);
    }

    /// Asserts that a text reveals no card of a later turn, in a position or in a field.
    fn check_text(&mut self, turn: u64, text: String) {
        let words: Vec<&str> =
            text.split(|letter: char| letter.is_whitespace() || "\"\\,".contains(letter)).collect();
        for window in words.windows(3) {
            let [side @ ("1" | "2"), number, allowance] = window else { continue };
            let Some((left, all)) = allowance.split_once('/') else { continue };
            if left.parse::<u8>().is_err() || all.parse::<u8>().is_err() {
                continue;
            }
            if number.parse::<u64>().is_ok_and(|number| number > turn) {
                assert_eq!(*allowance, "0/0", "in turn {turn}, side {side}: {text}");
            }
        }
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            no_card_to_come(turn, &value);
        }
        self.everything.push(text);
    }

    /// Asserts that the seed occurs in no text, in any notation.
    fn never_tells(&self, seed: &str, bytes: &[u8]) {
        let list = bytes.iter().map(u8::to_string).collect::<Vec<_>>();
        let (spaced, dense) = (list.join(", "), list.join(","));
        let base64 = base64::Engine::encode(&base64::engine::general_purpose::STANDARD_NO_PAD, bytes);
        let url = base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, bytes);
        let upper = seed.to_uppercase();
        for text in &self.everything {
            for secret in [seed, &upper, &spaced, &dense, &base64, &url] {
                assert!(!text.contains(secret), "the seed, as {secret}, is in: {text}");
            }
        }
    }
}

/// Asserts that no value beside the number of a later turn is a card.
fn no_card_to_come(turn: u64, value: &Value) {
    match value {
        Value::Object(fields) => {
            let number = fields.get("turn").or_else(|| fields.get("number")).and_then(Value::as_u64);
            if number.is_some_and(|number| number > turn) {
                let card =
                    fields.get("card").or_else(|| fields.get("cards").and_then(|cards| cards.get("card")));
                assert!(card.is_none_or(Value::is_null), "a card to come in turn {turn}: {value}");
            }
            if fields.contains_key("seed") {
                assert_eq!(fields["seed"], Value::Null, "{value}");
            }
            fields.values().for_each(|field| no_card_to_come(turn, field));
        }
        Value::Array(list) => list.iter().for_each(|item| no_card_to_come(turn, item)),
        _ => {}
    }
}

/// RULES 1.18, read once more.
fn shuffle(seed: &[u8], side: u8, round: u32) -> [u64; 12] {
    let mut cards = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
    for i in (1..12_u8).rev() {
        let message = [seed, &[side], &round.to_be_bytes(), &[i]].concat();
        let hash = Sha256::digest(&message);
        let v = u64::from_be_bytes(hash[..8].try_into().unwrap());
        let j = v % (u64::from(i) + 1);
        cards.swap(usize::from(i), usize::try_from(j).unwrap());
    }
    cards
}

/// The card of a turn (RULES 1.17).
fn dealt(seed: &[u8], turn: u64) -> u64 {
    let (side, k) = (if turn % 2 == 1 { 1 } else { 2 }, turn.div_ceil(2));
    let round = u32::try_from((k - 1) / 12).unwrap();
    shuffle(seed, side, round)[usize::try_from((k - 1) % 12).unwrap()]
}

/// Returns the remaining cards of a side's pack in a turn, by value.
fn pack(seed: &[u8], side: u64, turn: u64) -> Value {
    let of_side: Vec<u64> = (1..=turn).filter(|turn| 2 - turn % 2 == side).collect();
    let in_round = if of_side.is_empty() { 0 } else { (of_side.len() - 1) % 12 + 1 };
    let mut left = [2; 6];
    for turn in &of_side[of_side.len() - in_round..] {
        left[usize::try_from(dealt(seed, *turn)).unwrap() - 1] -= 1;
    }
    json!({"left": left, "unseen": 0})
}

fn bytes_of(hex: &str) -> Vec<u8> {
    assert_eq!(hex.len(), 64);
    (0..32).map(|index| u8::from_str_radix(&hex[2 * index..2 * index + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
