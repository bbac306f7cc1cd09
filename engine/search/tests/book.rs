//! The openings that strong players know.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use engine::{AnyMatch, Ruleset};
use search::{Level, Limit, Opponent, Report, Searcher, Settings};

/// The turn of a player of full strength. It takes no nodes if it is from the book.
fn turn(game: &AnyMatch) -> Report {
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let full = Opponent::Level(Level::FULL);
    Searcher::new(0).search_as(full, game, &limit, &Settings::default(), &mut |_| {}).unwrap()
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
        let answer = turn(&game);
        assert_eq!(answer.nodes, 0, "{first}");
        game.play(&answer.turn).unwrap();
        assert!(turn(&game).nodes > 0, "the book ends with turn 2");
    }
}

#[test]
fn a_player_begins_with_the_turn_that_leaves_the_other_side_least() {
    let best = turn(&AnyMatch::new(Ruleset::Fibonacci));
    for (first, game) in first_turns() {
        let left = 1.0 - turn(&game).score;
        assert!(left <= best.score + 0.015, "{first} leaves {left}");
        assert!(first != best.turn.join(" ") || left >= best.score - 0.015, "{first} leaves {left}");
    }
}

#[test]
fn other_games_and_analysis_are_searched() {
    let start = "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 3 3/3";
    let other = AnyMatch::from_text(Ruleset::Fibonacci, start).unwrap();
    assert!(turn(&other).nodes > 0);
    for ruleset in
        Ruleset::ALL.into_iter().filter(|ruleset| !ruleset.has_cards() && *ruleset != Ruleset::Fibonacci)
    {
        assert!(turn(&AnyMatch::new(ruleset)).nodes > 0, "{ruleset}");
    }
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let plain = AnyMatch::new(Ruleset::Fibonacci);
    let report = Searcher::new(0).search(&plain, &limit, &Settings::default(), &mut |_| {}).unwrap();
    assert!(report.nodes > 0);
}

#[test]
fn a_level_knows_more_of_the_openings_than_the_one_below() {
    let start = AnyMatch::new(Ruleset::Fibonacci);
    let n_known = |level: Level| {
        let limit = Limit { nodes: Some(1), ..Limit::default() };
        let known = |seed: &u64| {
            let settings = Settings { seed: *seed, ..Settings::default() };
            let player = Opponent::Level(level);
            Searcher::new(0).search_as(player, &start, &limit, &settings, &mut |_| {}).unwrap().nodes == 0
        };
        (0..100).filter(known).count()
    };
    let counts = Level::ALL.map(n_known);
    assert_eq!((counts[..4].iter().sum::<usize>(), counts[7]), (0, 100), "{counts:?}");
    assert!(counts[3..].is_sorted_by(|a, b| a < b), "{counts:?}");
}
