//! The equations of `engine/fuzz`, of the texts that fuzzing starts from and of those with which it found something.

use std::{fs, path::Path};

use engine::{AnyMatch, Ruleset, record::Record};

use crate::equations;

/// Tries an equation of each seed of its target, and gives these.
fn seeds(target: &str, equation: fn(&str)) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let files = fs::read_dir(folder).unwrap();
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
fn record_seeds_are_records_that_do_not_lie() {
    for seed in seeds("record_text", equations::record_text) {
        assert!(Record::parse_text(&seed).and_then(|record| record.replay()).is_ok(), "{seed}");
    }
    for seed in seeds("record_json", equations::record_json) {
        assert!(Record::from_json(&seed).and_then(|record| record.replay()).is_ok(), "{seed}");
    }
}

/// The end of the text was taken for the empty line, and the error named a line behind the one that is missing.
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
