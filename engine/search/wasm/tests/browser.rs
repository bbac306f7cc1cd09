//! The search that browsers load finds the turns of the native one, with the same number of positions and the same seed.
//! Runs it in Node.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use engine::{AnyMatch, Card, Ruleset};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use search::{
    Clock, Searcher,
    puzzle::{Puzzle, Verdict},
};
use search_wasm::{Attempt, Question, Refusal, Turn};
use serde_json::{Value, json};

/// Positions of each ruleset.
const N_POSITIONS: usize = 4;

/// The process that answers questions by the other search.
struct Browser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Browser {
    fn start() -> Self {
        let mut process = Command::new("node")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/answers.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node is installed");
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { process, input, output: BufReader::new(output) }
    }

    fn ask(&mut self, question: &Question) -> Value {
        let Question { ruleset, start, turns, card, level, seed, lines, nodes } = question;
        let turns: Vec<Value> =
            turns.iter().map(|turn| json!({ "card": turn.card, "actions": turn.actions })).collect();
        let question = json!({
            "ruleset": ruleset, "start": start, "turns": turns, "card": card,
            "level": level, "seed": seed, "lines": lines, "nodes": nodes,
        });
        self.call("search", &question)
    }

    fn call(&mut self, name: &str, question: &Value) -> Value {
        writeln!(self.input, "{}", json!({ "name": name, "question": question })).unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A clock for searches that nodes alone limit.
struct Unread;

impl Clock for Unread {
    fn elapsed(&self) -> Duration {
        unreachable!("no search of this test has a time")
    }
}

fn question(ruleset: Ruleset) -> Question {
    Question {
        ruleset: ruleset.id().to_owned(),
        start: None,
        turns: Vec::new(),
        card: None,
        level: 8,
        seed: 1,
        lines: 2,
        nodes: Some(1_500),
    }
}

/// Plays a random turn of a question's game, and turns over the card of the next.
fn play(question: &mut Question, game: &mut AnyMatch, random: &mut StdRng) {
    let mut actions: Vec<String> = Vec::new();
    while !game.draft(&actions).unwrap().complete {
        let legal = game.draft(&actions).unwrap().legal();
        actions.push(legal[random.random_range(0..legal.len())].text.clone());
    }
    game.play(&actions).unwrap();
    question.turns.push(Turn { card: question.card, actions });
    turn_over(question, game, random);
}

fn turn_over(question: &mut Question, game: &mut AnyMatch, random: &mut StdRng) {
    question.card = None;
    while game.awaits_card() && game.outcome().is_none() {
        let value = random.random_range(1..=6);
        // A card that the pack no longer has is refused.
        if game.turn_over(Card::from_value(value).unwrap()).is_ok() {
            question.card = Some(value);
        }
    }
}

#[test]
fn the_same_nodes_and_seed_give_the_turn_of_the_native_search() {
    let mut browser = Browser::start();
    for ruleset in Ruleset::ALL {
        let mut random = StdRng::seed_from_u64(7);
        let (mut question, mut game) = (question(ruleset), AnyMatch::new(ruleset));
        turn_over(&mut question, &mut game, &mut random);
        for position in 0..N_POSITIONS {
            for level in [1, 4, 8] {
                question.level = level;
                let native = question.answer(&mut Searcher::new(32 << 20), &Unread).unwrap();
                let other = browser.ask(&question);
                let of = format!("{ruleset}, position {position}, level {level}");
                assert_eq!(other["turn"], json!(native.turn), "{of}");
                assert_eq!(other["nodes"], json!(native.nodes), "{of}");
                assert_eq!(other["lines"].as_array().unwrap().len(), native.lines.len(), "{of}");
                // The mathematical functions of two platforms differ in the last digits.
                let score = other["score"].as_f64().unwrap();
                assert!((score - f64::from(native.score)).abs() < 1e-5, "{of}");
            }
            play(&mut question, &mut game, &mut random);
        }
    }
}

#[test]
fn an_attempt_at_a_puzzle_gets_the_judgement_of_the_server() {
    let mut browser = Browser::start();
    for ruleset in Ruleset::ALL {
        for puzzle in Puzzle::all(ruleset).iter().take(N_POSITIONS) {
            let right = puzzle.solution[0].clone();
            let after_reply = puzzle.solution.iter().step_by(2).take(2).cloned().collect();
            for turns in [vec![right], vec![any_turn(ruleset, puzzle)], after_reply] {
                // Puzzles of one turn have no second one.
                let Ok(native) = puzzle.judge(ruleset, &turns) else { continue };
                let attempt = json!({ "ruleset": ruleset.id(), "puzzle": puzzle, "turns": turns });
                assert_eq!(browser.call("judge", &attempt), json!(native), "{ruleset} {turns:?}");
            }
        }
    }
}

/// Some turn from a puzzle's position.
fn any_turn(ruleset: Ruleset, puzzle: &Puzzle) -> Vec<String> {
    let game = puzzle.game(ruleset).unwrap();
    let mut actions: Vec<String> = Vec::new();
    while !game.draft(&actions).unwrap().complete {
        actions.push(game.draft(&actions).unwrap().legal()[0].text.clone());
    }
    actions
}

#[test]
fn an_attempt_without_turns_or_with_an_illegal_one_is_refused() {
    let puzzle = Puzzle::all(Ruleset::Crossfire)[0].clone();
    let judged = |turns: &[&str]| {
        let turns = turns.iter().map(|action| vec![(*action).to_owned()]).collect();
        Attempt { ruleset: "crossfire".to_owned(), puzzle: puzzle.clone(), turns }.judge()
    };
    assert_eq!(judged(&[]), Err(Refusal::NumberOfTurns));
    assert_eq!(judged(&["a1-z9"]), Err(Refusal::IllegalTurn { index: 0 }));
    assert!(matches!(judged(&[&puzzle.solution[0][0]]), Ok(Verdict::Continues { .. })));
}

#[test]
fn a_card_that_is_not_turned_over_is_no_part_of_a_question() {
    let mut question = question(Ruleset::FibonacciCards);
    let answer = question.answer(&mut Searcher::new(1 << 20), &Unread);
    assert_eq!(answer, Err(Refusal::NoTurn), "the turn waits for its card");
    question.card = Some(7);
    assert_eq!(question.answer(&mut Searcher::new(1 << 20), &Unread), Err(Refusal::InvalidCard));
    let unknown = br#"{"ruleset":"fibonacci-cards","start":null,"turns":[],"card":1,"level":1,"seed":1,"lines":1,"nodes":1,"deck":[1]}"#;
    assert!(matches!(Question::read(unknown), Err(Refusal::InvalidQuestion { .. })));
}

#[test]
fn a_turn_that_was_not_legal_is_named() {
    let mut question = question(Ruleset::Crossfire);
    question.turns = vec![
        Turn { card: None, actions: vec!["a5-b4".to_owned()] },
        Turn { card: None, actions: vec!["a5-b4".to_owned()] },
    ];
    let answer = question.answer(&mut Searcher::new(1 << 20), &Unread);
    assert_eq!(answer, Err(Refusal::IllegalTurn { index: 1 }));
}
