//! Runs the equations of `engine/fuzz` on the seeds of the fuzz targets, on their corpus, and on the inputs that
//! revealed bugs.

use std::{fs, path::PathBuf};

use engine::{AnyMatch, Ruleset, record::Record};

use crate::equations;

/// Reads the corpus of a target: a JSON string in each line, with a character up to U+00FF for each byte of an input.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let lines = fs::read_to_string(folder("corpus").join(target).with_extension("jsonl")).unwrap();
    let inputs = lines.lines().map(|line| serde_json::from_str::<String>(line).unwrap());
    inputs.map(|input| input.chars().map(|byte| byte.try_into().unwrap()).collect()).collect()
}

fn folder(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "fuzz", name].iter().collect()
}

/// Checks the equation of a target for each of its seeds and each input of its corpus. Returns the seeds.
fn seeds(target: &str, equation: fn(&str)) -> Vec<String> {
    for kept in corpus(target) {
        // A target reads the longest valid UTF-8 prefix of its input.
        equation(kept.utf8_chunks().next().map_or("", |chunk| chunk.valid()));
    }
    let files = fs::read_dir(folder("seeds").join(target)).unwrap();
    let seeds: Vec<String> = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    seeds.iter().for_each(|seed| equation(seed));
    seeds
}

#[test]
fn position_seeds_are_positions() {
    for seed in seeds("position", equations::position) {
        assert!(Ruleset::ALL.iter().any(|ruleset| AnyMatch::from_text(*ruleset, &seed).is_ok()), "{seed}");
    }
}

#[test]
fn turns_seeds_start_from_positions() {
    for seed in seeds("turns", equations::turns) {
        let (ruleset, text) = seed.lines().next().unwrap().split_once(' ').unwrap();
        assert!(AnyMatch::from_text(ruleset.parse().unwrap(), text).is_ok(), "{seed}");
    }
}

#[test]
fn record_seeds_are_valid_records() {
    for seed in seeds("record_text", equations::record_text) {
        assert!(Record::parse_text(&seed).and_then(|record| record.replay()).is_ok(), "{seed}");
    }
    for seed in seeds("record_json", equations::record_json) {
        assert!(Record::from_json(&seed).and_then(|record| record.replay()).is_ok(), "{seed}");
    }
}

/// Regression test: the end of the text was read as the empty line, and the error named the line after the missing one.
#[test]
fn a_record_that_ends_in_its_headers_lacks_the_empty_line() {
    for (text, expected) in [
        (
            "towers-record 1\nruleset: fenix\n",
            "line 3: expected another header, each in its place and once, or an empty line",
        ),
        ("towers-record 1\n", "line 2: expected a header `ruleset`"),
        ("\n", "line 1: expected towers-record 1"),
    ] {
        assert_eq!(Record::parse_text(text).unwrap_err().to_string(), expected);
        equations::record_text(text);
    }
}
