//! The openings that strong players know.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use engine::{AnyMatch, Ruleset};
use search::{Level, Limit, Opponent, Report, Searcher, Settings};

/// Number of seeds that bring up each choice of the book.
const N_SEEDS: u64 = 200;

/// What a player of full strength finds; nothing but the book finds anything with no node.
fn turn(game: &AnyMatch, seed: u64) -> Report {
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let settings = Settings { seed, ..Settings::default() };
    let full = Opponent::Level(Level::FULL);
    Searcher::new(0).search_as(full, game, &limit, &settings, &mut |_| {}).unwrap()
}

/// The games after each first turn.
fn first_turns() -> Vec<(String, AnyMatch)> {
    let start = AnyMatch::new(Ruleset::Fibonacci);
    let legal = start.draft::<&str>(&[]).unwrap().legal();
    let after = |first: &String| {
        let mut game = start.clone();
        game.play(&[first]).unwrap();
        game
    };
    legal.into_iter().map(|first| (first.text.clone(), after(&first.text))).collect()
}

#[test]
fn an_answer_to_every_first_turn_is_known_and_legal() {
    for (first, mut game) in first_turns() {
        let answer = turn(&game, 1);
        assert_eq!(answer.nodes, 0, "{first}");
        game.play(&answer.turn).unwrap();
        assert!(turn(&game, 1).nodes > 0, "the book ends with turn 2");
    }
}

#[test]
fn a_player_begins_with_one_of_several_turns_that_leave_the_other_side_least() {
    let start = AnyMatch::new(Ruleset::Fibonacci);
    let known: BTreeMap<String, f32> = (0..N_SEEDS)
        .map(|seed| turn(&start, seed))
        .map(|report| (report.turn.join(" "), report.score))
        .collect();
    assert!(known.len() > 1, "{known:?}");
    let least = known.values().copied().fold(1.0, f32::min);
    for (first, game) in first_turns() {
        let left = 1.0 - turn(&game, 1).score;
        match known.get(&first) {
            Some(score) => assert!((left - score).abs() < 0.015, "{first}"),
            None => assert!(left < least + 0.015, "{first}"),
        }
    }
}

#[test]
fn other_games_and_analysis_are_searched() {
    let start = "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 3 3/3";
    let other = AnyMatch::from_text(Ruleset::Fibonacci, start).unwrap();
    assert!(turn(&other, 1).nodes > 0);
    for ruleset in
        Ruleset::ALL.into_iter().filter(|ruleset| !ruleset.has_cards() && *ruleset != Ruleset::Fibonacci)
    {
        assert!(turn(&AnyMatch::new(ruleset), 1).nodes > 0, "{ruleset}");
    }
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let plain = AnyMatch::new(Ruleset::Fibonacci);
    let report = Searcher::new(0).search(&plain, &limit, &Settings::default(), &mut |_| {}).unwrap();
    assert!(report.nodes > 0);
}
