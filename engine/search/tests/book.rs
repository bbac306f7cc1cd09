//! The openings that strong players know.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use engine::{AnyMatch, Ruleset};
use search::{Level, Limit, Opponent, Report, Searcher, Settings};

const RULESETS: [Ruleset; 2] = [Ruleset::Fibonacci, Ruleset::FibonacciMixed];

/// Number of seeds that bring up each choice of a book.
const N_SEEDS: u64 = 200;

/// What a player of full strength finds; nothing but the book finds anything with no node.
fn turn(game: &AnyMatch, seed: u64) -> Report {
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let settings = Settings { seed, ..Settings::default() };
    let full = Opponent::Level(Level::FULL);
    Searcher::new(0).search_as(full, game, &limit, &settings, &mut |_| {}).unwrap()
}

/// The first turns that a player begins with, each with its chance.
fn beginnings(ruleset: Ruleset) -> BTreeMap<Vec<String>, f32> {
    let start = AnyMatch::new(ruleset);
    (0..N_SEEDS).map(|seed| turn(&start, seed)).map(|report| (report.turn, report.score)).collect()
}

#[test]
fn an_answer_to_every_first_turn_is_known_and_legal() {
    for ruleset in RULESETS {
        let start = AnyMatch::new(ruleset);
        for first in start.draft::<&str>(&[]).unwrap().legal() {
            let mut game = start.clone();
            game.play(&[&first.text]).unwrap();
            let answer = turn(&game, 1);
            assert_eq!(answer.nodes, 0, "{ruleset}: {}", first.text);
            game.play(&answer.turn).unwrap();
            assert!(turn(&game, 1).nodes > 0, "the book ends with turn 2");
        }
    }
}

#[test]
fn a_player_begins_with_one_of_several_turns_that_leave_the_other_side_least() {
    for ruleset in RULESETS {
        let (start, known) = (AnyMatch::new(ruleset), beginnings(ruleset));
        assert!(known.len() > 1, "{ruleset}: {known:?}");
        let least = known.values().copied().fold(1.0, f32::min);
        for first in start.draft::<&str>(&[]).unwrap().legal() {
            let first = vec![first.text];
            let mut game = start.clone();
            game.play(&first).unwrap();
            let left = 1.0 - turn(&game, 1).score;
            match known.get(&first) {
                Some(score) => assert!((left - score).abs() < 0.015, "{ruleset}: {first:?}"),
                None => assert!(left < least + 0.015, "{ruleset}: {first:?}"),
            }
        }
    }
}

#[test]
fn other_games_and_analysis_are_searched() {
    let other = AnyMatch::from_text(
        Ruleset::Fibonacci,
        "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 3 3/3",
    )
    .unwrap();
    assert!(turn(&other, 1).nodes > 0);
    let start = AnyMatch::new(Ruleset::Fibonacci);
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let report = Searcher::new(0).search(&start, &limit, &Settings::default(), &mut |_| {}).unwrap();
    assert!(report.nodes > 0);
}
