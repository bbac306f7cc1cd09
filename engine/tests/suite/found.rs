//! The equations of `engine/fuzz`, of the texts that fuzzing starts from, of those that it has kept, and of those with
//! which it found something.

use std::{fs, path::Path};

use engine::{AnyMatch, Ruleset, record::Record};

use crate::equations;

/// The inputs in one of the folders of a target.
fn inputs(folder: &str, target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder).join(target);
    let files = fs::read_dir(folder).unwrap();
    files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}

/// Tries an equation of each seed of its target, and of all inputs that fuzzing has kept. Returns the seeds.
fn seeds(target: &str, equation: fn(&str)) -> Vec<String> {
    for kept in inputs("corpus", target) {
        // To a target, bytes are a text up to the first that is none.
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
