//! The line protocol of the program `bot`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use engine::{AnyMatch, Ruleset};
use serde_json::{Value, json};

struct Bot {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bot {
    fn start(options: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_bot"))
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { process, input, output: BufReader::new(output) }
    }

    fn ask(&mut self, request: &str) -> Value {
        writeln!(self.input, "{request}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    fn end(self) {
        let Self { mut process, input, .. } = self;
        drop(input);
        assert!(process.wait().unwrap().success());
    }
}

fn turn(answer: &Value) -> Vec<String> {
    let actions = answer["turn"].as_array().unwrap_or_else(|| panic!("{answer}"));
    actions.iter().map(|action| action.as_str().unwrap().to_owned()).collect()
}

#[test]
fn it_plays_every_ruleset() {
    for options in [&["--level", "8"] as &[&str], &["--level", "1"], &["--name", "random"]] {
        let mut bot = Bot::start(options);
        for ruleset in Ruleset::ALL {
            let mut game = AnyMatch::new(ruleset);
            if game.awaits_card() {
                game.turn_over(engine::Card::ALL[2]).unwrap();
            }
            let start = game.position_text();
            let answer = bot.ask(
                &json!({ "ruleset": ruleset.id(), "start": start, "turns": [], "nodes": 500 }).to_string(),
            );
            assert!(game.play(&turn(&answer)).is_ok(), "{answer}");
            assert!(
                answer["score"].is_number() && answer["nodes"].is_number() && answer["depth"].is_number()
            );
        }
        bot.end();
    }
}

#[test]
fn it_plays_on_after_bad_input() {
    let mut bot = Bot::start(&[]);
    for request in [
        "",
        "[]",
        "{",
        "\u{1}",
        r#"{"ruleset":"chess","turns":[],"nodes":10}"#,
        r#"{"ruleset":"fibonacci","turns":[]}"#,
        r#"{"ruleset":"fibonacci","turns":[["a1-a2"]],"nodes":10}"#,
        r#"{"ruleset":"fibonacci","start":"nothing","nodes":10}"#,
        r#"{"ruleset":"fibonacci-cards","turns":[],"nodes":10}"#,
    ] {
        assert!(bot.ask(request)["error"].is_string(), "{request}");
    }
    let answer = bot.ask(r#"{"ruleset":"fibonacci","start":null,"turns":[["b7-c7"]],"movetime_ms":20}"#);
    assert_eq!(turn(&answer).len(), 2);
    bot.end();
}
