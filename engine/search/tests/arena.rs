//! Matches of the program `arena` against other programs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};

use engine::record::{EndReason, Record};

/// An empty folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Plays two games of `random` against a program. Returns both outputs of the arena.
fn play(program: &str, options: &[&str]) -> (String, String) {
    let arena = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["--ruleset", "fibonacci", "--one", "random", "--games", "2", "--other-program", program])
        .args(options)
        .output()
        .unwrap();
    assert!(arena.status.success(), "{arena:?}");
    (String::from_utf8(arena.stdout).unwrap(), String::from_utf8(arena.stderr).unwrap())
}

#[test]
fn a_program_that_dies_stalls_or_answers_nonsense_loses_and_is_named() {
    let folder = folder("faults");
    let faults = [
        ("dies", "exit 1", "it has ended"),
        ("stalls", "while read -r line; do :; done", "no answer within"),
        ("talks-nonsense", "while read -r line; do echo nonsense; done", "not a turn: \"nonsense\""),
        ("plays-illegally", "while read -r line; do echo '{\"turn\":[\"a1-a2\"]}'; done", "illegal turn"),
    ];
    for (name, script, fault) in faults {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let program = path.to_str().unwrap();
        let (output, errors) = play(program, &["--time-ms", "200"]);
        assert!(output.contains("2 games: 2 won, 0 drawn, 0 lost"), "{output}{errors}");
        assert!(output.contains("2 games lost by faults"), "{output}");
        let named = errors.lines().filter(|line| line.starts_with(&format!("{program}: {fault}"))).count();
        assert_eq!(named, 2, "{errors}");
    }
}

#[test]
fn lost_games_are_kept_as_records() {
    let folder = folder("lost");
    let bot = concat!(env!("CARGO_BIN_EXE_bot"), " --level 8");
    play(bot, &["--nodes", "20000", "--lost", folder.to_str().unwrap()]);
    for side in 1..=2 {
        let text = fs::read_to_string(folder.join(format!("fibonacci-0-{side}.txt"))).unwrap();
        let record = Record::parse_text(&text).unwrap();
        let loser = if side == 1 { &record.players.first } else { &record.players.second };
        assert_eq!(loser.as_ref().unwrap().as_str(), "random");
        assert!(matches!(record.ending.unwrap().reason, EndReason::Rules(_)), "{text}");
        assert!(record.replay().is_ok(), "{text}");
    }
}
