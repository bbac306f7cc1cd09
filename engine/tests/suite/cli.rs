//! Tests of the command-line tool `rules`.

use std::process::{Command, Stdio};

use engine::{Ruleset, Seed};

use crate::{ALMOST, START, new, position, start_at};

/// Runs the tool and returns its exit status, standard output and standard error.
fn rules(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_rules")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn check(arguments: &[&str], expected: &str) {
    assert_eq!(rules(arguments), (Some(0), expected.to_owned(), String::new()));
}

#[test]
fn start() {
    check(&["start", "fibonacci"], &format!("{START}\n"));
    check(&["start", "fibonacci-mixed"], &format!("{START}\n"));
}

#[test]
fn every_ruleset_is_known() {
    for ruleset in Ruleset::ALL {
        let start = new(ruleset).position_text();
        let hex = Seed::new([7; 32]).reveal();
        let seed: &[&str] = if ruleset.has_cards() { &["--seed", &hex] } else { &[] };
        check(&[&["start", ruleset.id()], seed].concat(), &format!("{start}\n"));
        let (_, moves, _) = rules(&[&["moves", ruleset.id()], seed].concat());
        let perft = ["perft", ruleset.id(), "1", "--position", &start];
        check(&[&perft, seed].concat(), &format!("{}\n", moves.lines().count()));
    }
}

#[test]
fn play_applies_the_ko_rule() {
    let play = [
        "play",
        "crossfire",
        "--position",
        "./.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,x,.,.,o,./.,.,.,.,.,.,./.,.,.,./. 1 1 0 0",
    ];
    let round = ["d4-f4", "j4-l4", "f4-d4", "l4-j4"];
    let (status, out, _) = rules(&[&play[..], &round].concat());
    assert_eq!((status, out.lines().count()), (Some(0), 4));
    let (status, _, error) = rules(&[&play[..], &round, &["d4-f4"]].concat());
    assert_eq!(status, Some(2));
    assert_eq!(
        error,
        "rules: action 5, `d4-f4`, breaks rule 4.4: the same action led to the same position in turn 1\n"
    );
}

#[test]
fn moves_are_sorted() {
    let (status, out, _) = rules(&["moves", "fibonacci"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((status, lines.len()), (Some(0), 132));
    assert!(lines.is_sorted());
    let (_, out, _) = rules(&["moves", "fibonacci", "--position", &start_at("2 4 3/4")]);
    assert!(out.lines().any(|line| line == "end"));
}

#[test]
fn perft() {
    check(&["perft", "fibonacci", "3"], "2153316\n");
    check(&["perft", "fibonacci", "3", "--played"], "2153316\n");
    check(&["perft", "fibonacci-mixed", "0"], "1\n");
    let last = start_at("2 1000 1/6");
    check(&["perft", "--position", &last, "fibonacci", "2"], "0\n");
    check(&["perft", "fibonacci", "2", &format!("--position={last}")], "0\n");
}

#[test]
fn fenix_is_known() {
    let (status, start, _) = rules(&["start", "fenix"]);
    assert_eq!((status, start.contains("/3SSSSSS/")), (Some(0), true));
    check(&["perft", "fenix", "3"], "530208\n");
    let kings = "K8/9/9/9/9/9/9/9/8k";
    let (text, after) = (format!("{kings} 1 201 - 99"), kings.replace("K8/9", "9/K8"));
    let line = format!("a9-a8\t{after} 2 202 - 100\tdraw quiet\n");
    check(&["play", "fenix", "--position", &text, "a9-a8"], &line);
}

#[test]
fn cards_come_from_the_seed() {
    let seed = "0".repeat(64);
    check(&["start", "fibonacci-cards", "--seed", &seed], &format!("{}\n", start_at("1 1 5/5")));
    check(&["perft", "fibonacci-cards", "2", &format!("--seed={seed}")], "16313\n");
    let after = start_at("2 2 4/4").replace("CSSSSS/1S5", "C1SSSS/1SS4");
    let (_, out, _) = rules(&["play", "--seed", &seed, "fibonacci-cards", "b7-c7", "end"]);
    assert_eq!(out.lines().last(), Some(format!("end\t{after}\tongoing").as_str()));
    // Without a seed, a turn can be played from a position, but not the next one.
    let position = start_at("1 21 1/1");
    let without = ["play", "fibonacci-cards", "--position", &position, "b7-c7"];
    let (status, out, _) = rules(&without);
    assert_eq!((status, out.ends_with(" 2 22 0/0\tongoing\n")), (Some(0), true));
    let (status, _, error) = rules(&[&without[..], &["j5-i5"]].concat());
    assert_eq!((status, error.contains("rule 1.16")), (Some(2), true));
    let (status, out, _) = rules(&["moves", "fibonacci-cards", "--position", &position]);
    assert_eq!((status, out.lines().count()), (Some(0), 132));
}

#[test]
fn play_prints_each_action() {
    let after = |rest| START.replace("CSSSSS/1S5", "C1SSSS/1SS4").replace("1 1 1/1", rest);
    check(&["play", "fibonacci", "b7-c7"], &format!("b7-c7\t{}\tongoing\n", after("2 2 2/2")));
    check(&["play", "fibonacci"], "");
    let lines = [
        format!("b7-c7\t{}\tongoing\n", after("1 999 1/6")),
        format!("end\t{}\tongoing\n", after("2 1000 6/6")),
        format!("j5-i5\t{}\tongoing\n", after("2 1000 5/6").replace("5s1/sssss", "4ss1/ssss1")),
    ];
    let position = start_at("1 999 2/6");
    check(&["play", "fibonacci", "--position", &position, "b7-c7", "end", "j5-i5"], &lines.concat());
}

#[test]
fn an_illegal_action_is_an_error_after_the_legal_ones() {
    let (status, out, error) = rules(&["play", "fibonacci", "b7-c7", "j5-i5", "end", "k6-k7"]);
    assert_eq!((status, out.lines().count()), (Some(2), 3));
    assert_eq!(error, "rules: action 4, `k6-k7`, breaks rule 1.10: the piece on k6 is the other side's\n");
}

#[test]
fn play_shows_how_the_game_ends() {
    let last = |arguments: &[&str]| {
        let (status, out, error) = rules(arguments);
        assert_eq!((status, error.as_str()), (Some(0), ""));
        out.trim_end().rsplit('\t').next().unwrap().to_owned()
    };
    let round = ["b7-c7", "end", "j5-i5", "end", "c7-b7", "end", "i5-j5", "end"];
    let play = ["play", "fibonacci", "--position"];
    let beginning = start_at("1 21 6/6");
    assert_eq!(last(&[&play[..], &[&beginning], &round, &round].concat()), "draw repetition");
    let end = start_at("2 1000 1/6");
    assert_eq!(last(&[&play[..], &[&end, "j5-i5"]].concat()), "draw turn-limit");
    let almost = position(ALMOST, "1 7 6/6");
    assert_eq!(last(&[&play[..], &[&almost, "h7-g6"]].concat()), "first surround");
    assert_eq!(last(&[&play[..], &[&almost, "h7-h6"]].concat()), "ongoing");
}

#[test]
fn bad_requests_exit_with_status_2_and_a_message() {
    for arguments in [
        &[][..],
        &["start"],
        &["start", "chess"],
        &["start", "fibonacci", "more"],
        &["moves", "fibonacci", "--position"],
        &["moves", "fibonacci", "--position", "nonsense"],
        &["moves", "fibonacci", "--depth", "2"],
        &["perft", "fibonacci"],
        &["perft", "fibonacci", "-1"],
        &["perft", "fibonacci", "two"],
        &["dance", "fibonacci"],
        &["start", "fibonacci-cards"],
        &["start", "fibonacci-cards", "--seed", "00"],
        &["start", "fibonacci", "--seed", &"0".repeat(64)],
        &["perft", "fibonacci-cards", "2", "--position", &start_at("1 21 1/1")],
        &["start", "fenix", "--seed"],
    ] {
        let (status, out, error) = rules(arguments);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(error.len() > 10, "{arguments:?}");
    }
}

/// A reader that closes the pipe early, such as `head`, does not make the tool panic.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rules"))
        .args(["moves", "fibonacci"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
