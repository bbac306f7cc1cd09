//! The equations of `server/fuzz`, of the texts that fuzzing starts from and of very many that are made of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{fs, path::Path};

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};

#[path = "../fuzz/src/equations.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets are crates of their own")]
mod equations;

/// Texts that are made for each target.
const TEXTS: usize = 20_000;

/// What is put into texts beside parts of other texts.
const WORDS: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "-1",
    "1e999",
    "0.5",
    "18446744073709551616",
    "9223372036854775807",
    "_",
    "\0",
    "\u{feff}",
    "é",
    "\u{202e}",
    "\"type\":\"ping\"",
    "[[[[[[[[",
];

/// The texts that fuzzing of a target starts from.
fn seeds(target: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let files = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Tries an equation of each seed, and of texts that are made of them by a few cuts and pastes.
fn holds(target: &str, equation: fn(&str)) {
    let seeds = seeds(target);
    seeds.iter().for_each(|seed| equation(seed));
    let mut chance = StdRng::seed_from_u64(1202);
    for _ in 0..TEXTS {
        let mut text = some(&mut chance, &seeds).clone();
        for _ in 0..chance.random_range(1..=4) {
            let pasted = match chance.random_range(0..3) {
                0 => String::new(),
                1 => (*some(&mut chance, &WORDS)).to_owned(),
                _ => {
                    let other = some(&mut chance, &seeds);
                    let part = part(&mut chance, other);
                    other[part].to_owned()
                }
            };
            let cut = part(&mut chance, &text);
            text.replace_range(cut, &pasted);
        }
        equation(&text);
    }
}

fn some<'a, T>(chance: &mut impl Rng, of: &'a [T]) -> &'a T {
    &of[chance.random_range(0..of.len())]
}

/// A part of a text between two of its characters, often a short one.
fn part(chance: &mut impl Rng, text: &str) -> std::ops::Range<usize> {
    let place = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = chance.random_range(0..=text.len());
    let longest = if chance.random() { 4 } else { text.len() };
    let length = chance.random_range(0..=longest);
    place(start)..place(start + length)
}

#[test]
fn any_frame_is_a_message_or_has_a_fault() {
    holds("message", equations::message);
}

#[test]
fn any_body_is_a_room_or_is_refused() {
    holds("new_room", equations::new_room);
}

#[test]
fn any_cursor_is_a_place_or_is_refused() {
    holds("cursor", equations::cursor);
}

#[test]
fn fuzzing_starts_from_what_is_accepted() {
    for text in seeds("message") {
        assert!(towers::protocol::ClientMessage::parse(&text).is_ok(), "{text}");
    }
    for text in seeds("new_room") {
        let is_room = serde_json::from_str::<towers::protocol::NewRoom>(&text).is_ok();
        assert!(is_room || serde_json::from_str::<towers::protocol::Rename>(&text).is_ok(), "{text}");
    }
    for text in seeds("cursor") {
        assert!(text.parse::<towers::store::Cursor>().is_ok(), "{text}");
    }
}
