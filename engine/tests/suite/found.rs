//! Runs the equations of `engine/fuzz` on the seeds of the fuzz targets, on their corpus, and on the inputs that
//! revealed bugs.

use std::{fs, path::Path};

use engine::{AnyMatch, Ruleset, record::Record};

use crate::equations;

/// Reads the inputs in one of the folders of a target.
fn inputs(folder: &str, target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder).join(target);
    let files = fs::read_dir(folder).unwrap();
    files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}

/// Checks the equation of a target for each of its seeds and each input of its corpus. Returns the seeds.
fn seeds(target: &str, equation: fn(&str)) -> Vec<String> {
    for kept in inputs("corpus", target) {
        // A target reads the longest valid UTF-8 prefix of its input.
        equation(kept.utf8_chunks().next().map_or("", |chunk| chunk.valid()));
    }
    let seeds = inputs("seeds", target).into_iter().map(|seed| String::from_utf8(seed).unwrap());
    let seeds: Vec<String> = seeds.collect();
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
