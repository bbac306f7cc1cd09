//! The engine that browsers load answers like the native one: perft of all rulesets, and random games. Runs it in Node.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    io::{BufRead, BufReader, BufWriter, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use engine::Ruleset;
use engine_wasm::{Engine, Refusal, State, json};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Random games of each ruleset.
const N_GAMES: u64 = 1000;

/// Maximum number of turns of a random game: play without a plan can go on for hundreds. Those of Fibonacci have more
/// actions than others.
fn max_turns(ruleset: Ruleset) -> usize {
    if ruleset.id().starts_with("fibonacci") { 6 } else { 30 }
}

/// The native engine, and the process of the other one, which gets the same calls.
struct Both {
    native: Engine,
    digest: Sha256,
    process: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Both {
    fn start() -> Self {
        let mut process = Command::new("node")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/answers.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node is installed");
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self {
            native: Engine::default(),
            digest: Sha256::new(),
            process,
            input: BufWriter::new(input),
            output: BufReader::new(output),
        }
    }

    /// Calls a function of both engines. Returns the answer of the native one.
    fn call<T: Serialize>(
        &mut self,
        line: &str,
        native: impl FnOnce(&mut Engine) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        writeln!(self.input, "{line}").unwrap();
        let answer = native(&mut self.native);
        self.digest.update(json(answer.as_ref().map_err(Clone::clone)));
        answer
    }

    fn open(&mut self, ruleset: Ruleset) -> State {
        self.call(&format!("open\t\t{ruleset}"), |engine| engine.open(ruleset.id(), "")).unwrap()
    }

    fn close(&mut self, State { id, .. }: &State) {
        writeln!(self.input, "close\t{id}\t").unwrap();
        self.native.close(*id);
    }

    /// Asserts that both engines gave the same answers since the last time.
    fn assert_same(&mut self, of: &str) {
        writeln!(self.input).unwrap();
        self.input.flush().unwrap();
        let mut other = String::new();
        self.output.read_line(&mut other).unwrap();
        let own: String = self.digest.finalize_reset().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(other.trim(), own, "{of}");
    }
}

impl Drop for Both {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn perft_is_that_of_the_native_engine() {
    let mut both = Both::start();
    for ruleset in Ruleset::ALL {
        let state = both.open(ruleset);
        let id = state.id;
        if ruleset.has_cards() {
            both.call(&format!("turn_over\t{id} 4\t"), |engine| engine.turn_over(id, 4)).unwrap();
        }
        for depth in 1..=3 {
            both.call(&format!("perft\t{id} {depth}\t"), |engine| engine.perft(id, depth)).unwrap();
        }
        both.assert_same(ruleset.id());
    }
}

#[test]
fn random_games_are_those_of_the_native_engine() {
    let mut both = Both::start();
    for ruleset in Ruleset::ALL {
        for game in 0..N_GAMES {
            play(&mut both, ruleset, game);
            both.assert_same(&format!("{ruleset}, game {game}"));
        }
    }
}

/// Plays a game by random actions, with all choices on the way, an illegal action, and a turn taken back.
fn play(both: &mut Both, ruleset: Ruleset, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut state = both.open(ruleset);
    let id = state.id;
    let n_turns = random.random_range(1..=max_turns(ruleset));
    while state.outcome.is_none() && state.n_turns < n_turns {
        if state.turn.cards.as_ref().is_some_and(|cards| cards.card.is_none()) {
            let card = random.random_range(1..=6);
            // Both refuse a card that the pack no longer has.
            let _ = both.call(&format!("turn_over\t{id} {card}\t"), |engine| engine.turn_over(id, card));
            state = both.call(&format!("show\t{id}\t"), |engine| engine.show(id)).unwrap();
            continue;
        }
        if let Ok(passed) = both.call(&format!("passed\t{id}\t"), |engine| engine.passed(id)) {
            both.call(&format!("choices\t{}\t", passed.id), |engine| engine.choices(passed.id, &[])).unwrap();
            both.close(&passed);
        }
        let mut turn: Vec<String> = Vec::new();
        let text = loop {
            let actions: Vec<&str> = turn.iter().map(String::as_str).collect();
            let text = actions.join(" ");
            let choices =
                both.call(&format!("choices\t{id}\t{text}"), |engine| engine.choices(id, &actions)).unwrap();
            let legal = choices.choices.actions;
            if legal.is_empty() {
                break text;
            }
            turn.push(legal[random.random_range(0..legal.len())].text.clone());
        };
        let actions: Vec<&str> = turn.iter().map(String::as_str).collect();
        state = both.call(&format!("play\t{id}\t{text}"), |engine| engine.play(id, &actions)).unwrap();
    }
    let illegal = both.call(&format!("play\t{id}\ta1-a1"), |engine| engine.play(id, &["a1-a1"]));
    assert!(illegal.is_err());
    let last = state.n_turns.saturating_sub(1);
    both.call(&format!("rewind\t{id} {last}\t"), |engine| engine.rewind(id, last)).unwrap();
    both.close(&state);
}
