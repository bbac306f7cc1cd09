//! Tests of the equations with the seeds and corpora of fuzzing, and with many inputs derived from them.

use std::{fs, ops::Range, path::PathBuf};

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};

use crate::fuzzing;

/// Number of texts derived for each target.
const TEXTS: usize = 20_000;

/// Words inserted into texts, besides parts of other texts.
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

/// Number of derived requests and node messages, each of which needs a server.
const REQUESTS: usize = 300;

/// Number of derived schedules.
const SCHEDULES: usize = 500;

/// Returns the corpus of a target: a JSON string in each line, with a character up to U+00FF for each byte of an input.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let lines = fs::read_to_string(folder("corpus").join(target).with_extension("jsonl")).unwrap();
    let inputs = lines.lines().map(|line| serde_json::from_str::<String>(line).unwrap());
    inputs.map(|input| input.chars().map(|byte| byte.try_into().unwrap()).collect()).collect()
}

/// Returns the inputs from which fuzzing of a target starts, each a file.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(folder("seeds").join(target)).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn folder(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "fuzz", name].iter().collect()
}

/// Returns the seeds of a target that reads texts.
fn texts(target: &str) -> Vec<String> {
    seeds(target).into_iter().map(|seed| String::from_utf8(seed).unwrap()).collect()
}

/// Applies an equation to each stored input, and to texts derived from the seeds by a few cuts and pastes.
fn holds(target: &str, n_made: usize, equation: impl Fn(&[u8])) {
    corpus(target).iter().for_each(|kept| equation(kept));
    let seeds = texts(target);
    seeds.iter().for_each(|seed| equation(seed.as_bytes()));
    let mut chance = StdRng::seed_from_u64(1202);
    for _ in 0..n_made {
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
        equation(text.as_bytes());
    }
}

/// Turns an equation of texts into one of bytes, which are read as UTF-8 up to the first invalid byte.
fn of_text(equation: fn(&str)) -> impl Fn(&[u8]) {
    move |bytes| equation(bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid()))
}

fn some<'a, T>(chance: &mut impl Rng, of: &'a [T]) -> &'a T {
    &of[chance.random_range(0..of.len())]
}

/// Returns a random part of a text, on character boundaries and often short.
fn part(chance: &mut impl Rng, text: &str) -> Range<usize> {
    let place = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = chance.random_range(0..=text.len());
    let longest = if chance.random() { 4 } else { text.len() };
    let length = chance.random_range(0..=longest);
    place(start)..place(start + length)
}

#[test]
fn any_frame_is_a_message_or_has_a_fault() {
    holds("message", TEXTS, of_text(fuzzing::message));
}

#[test]
fn any_body_is_a_new_room_or_is_refused() {
    holds("new_room", TEXTS, of_text(fuzzing::new_room));
}

#[test]
fn any_cursor_is_a_place_or_is_refused() {
    holds("cursor", TEXTS, of_text(fuzzing::cursor));
}

#[test]
fn any_name_is_visible_or_is_refused() {
    holds("name", TEXTS, of_text(fuzzing::name));
}

#[test]
fn any_headers_identify_the_client_behind_trusted_proxies_and_the_origin() {
    holds("headers", TEXTS, fuzzing::headers);
}

#[test]
fn any_request_is_answered_as_its_cookie_permits() {
    holds("requests", REQUESTS, fuzzing::requests);
}

#[test]
fn any_log_can_be_folded_and_continued_or_is_refused() {
    holds("stored", TEXTS, of_text(fuzzing::stored));
}

#[test]
fn any_message_from_another_node_is_applied_or_ignored() {
    holds("news", REQUESTS, fuzzing::news);
}

#[test]
fn any_schedule_keeps_the_invariants_of_a_game() {
    for schedule in corpus("play").iter().chain(&seeds("play")) {
        fuzzing::play(schedule);
    }
    let mut chance = StdRng::seed_from_u64(1202);
    for _ in 0..SCHEDULES {
        let schedule: Vec<u8> = (0..chance.random_range(1..200)).map(|_| chance.random()).collect();
        fuzzing::play(&schedule);
    }
}

#[test]
fn the_seeds_of_fuzzing_are_accepted() {
    for text in texts("message") {
        assert!(protocol::ClientMessage::parse(&text).is_ok(), "{text}");
    }
    for text in texts("new_room") {
        let is_room = serde_json::from_str::<protocol::NewRoom>(&text).is_ok();
        assert!(is_room || serde_json::from_str::<protocol::Rename>(&text).is_ok(), "{text}");
    }
    for text in texts("cursor") {
        assert!(text.parse::<store::Cursor>().is_ok(), "{text}");
    }
}
