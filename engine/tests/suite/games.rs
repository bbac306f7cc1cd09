//! Tests of complete games: those of `tests/games`, and random ones.

use std::collections::BTreeSet;

use engine::{AnyMatch, Card, CellName, PlayedAction, Ruleset};
use serde_json::Value;

use crate::{dice::Dice, law, legal, new};

#[track_caller]
fn replay(file: &str) -> (AnyMatch, Vec<PlayedAction>) {
    let record: Value = serde_json::from_str(file).unwrap();
    let ruleset: Ruleset = record["ruleset"].as_str().unwrap().parse().unwrap();
    let mut game = match record["start"].as_str() {
        Some(start) => AnyMatch::from_text(ruleset, start).unwrap(),
        None => new(ruleset),
    };
    let recorded =
        record["cards"].as_array().map(|cards| cards.iter().map(|card| card.as_u64().unwrap() as u8));
    let recorded: Vec<u8> = recorded.into_iter().flatten().collect();
    let turns = record["turns"].as_array().unwrap();
    let mut steps = Vec::new();
    for turn in turns {
        assert_eq!(game.outcome(), None);
        if game.awaits_card() {
            let card = recorded[game.cards().len()];
            game.turn_over(Card::ALL[usize::from(card) - 1]).unwrap();
        }
        let actions: Vec<&str> =
            turn.as_array().unwrap().iter().map(|action| action.as_str().unwrap()).collect();
        game.play(&actions).unwrap();
        steps.extend(game.last_steps());
    }
    match game.outcome() {
        Some(outcome) => {
            assert_eq!(outcome.winner.unwrap().id(), record["outcome"]["winner"]);
            assert_eq!(outcome.reason.id(), record["outcome"]["reason"]);
        }
        None => assert_eq!(record["outcome"]["reason"], "resign"),
    }
    assert_eq!(game.position_text(), record["final"]);

    assert_eq!(game.turns().len(), turns.len());
    let cards: Vec<u8> = game.cards().iter().map(|(_, card)| card.get()).collect();
    assert_eq!(cards, recorded);
    assert_eq!(game.last_steps().last().unwrap().position, record["final"]);
    (game, steps)
}

#[test]
fn fibonacci() {
    let (_, steps) = replay(include_str!("../games/fibonacci.json"));
    assert!(steps.iter().any(|step| step.swap));
    assert!(steps.iter().any(|step| step.action == "end"));
}

#[test]
fn fibonacci_mixed() {
    let (_, steps) = replay(include_str!("../games/fibonacci-mixed.json"));
    assert!(steps.iter().any(|step| step.swap));
}

#[test]
fn fibonacci_cards() {
    let (game, _) = replay(include_str!("../games/fibonacci-cards.json"));
    assert!(game.turns().iter().all(|turn| turn.actions().count() <= turn.card.unwrap().get().into()));
}

#[test]
fn fenix() {
    let (_, steps) = replay(include_str!("../games/fenix.json"));
    assert!(steps.iter().any(|step| step.taken.len() > 3));
}

#[test]
fn the_end_of_a_game_with_any_cards() {
    replay(include_str!("../games/fibonacci-cards-end.json"));
}

#[test]
fn focus_with_its_switches() {
    let (_, steps) = replay(include_str!("../games/focus-switch.json"));
    assert!(steps.iter().take(2).all(|step| step.swap));
}

#[test]
fn the_ends_of_games_of_stacks() {
    for file in [
        include_str!("../games/focus.json"),
        include_str!("../games/focus-classic.json"),
        include_str!("../games/crossfire.json"),
    ] {
        let (game, steps) = replay(file);
        assert!(steps.iter().any(|step| step.action.starts_with('*')));
        assert!(steps.iter().any(|step| step.overflow.is_some_and(|overflow| overflow.reserved > 0)));
        assert_eq!(game.outcome().unwrap().reason.id(), "blocked");
    }
    let (_, small) = replay(include_str!("../games/crossfire.json"));
    let capacities = Ruleset::Crossfire.capacities();
    let is_small = |cell: &CellName| capacities.iter().any(|(name, most)| name == cell && *most == 3);
    assert!(small.iter().any(|step| step.overflow.is_some() && step.route.last().is_some_and(is_small)));
}

/// Plays a random game to its end, and checks that the text of each position can be read back.
fn play_out(ruleset: Ruleset, dice: &mut Dice) -> AnyMatch {
    let mut game = new(ruleset);
    while game.outcome().is_none() {
        law::a_parsed_text_prints_unchanged(&game);
        let mut turn: Vec<String> = Vec::new();
        let mut draft = game.draft(&turn).unwrap();
        while !draft.complete {
            let legal = draft.legal();
            turn.push(legal[dice.below(legal.len())].text.clone());
            draft = game.draft(&turn).unwrap();
        }
        game.play(&turn).unwrap();
        assert_eq!(game.outcome(), draft.outcome);
    }
    game
}

#[track_caller]
fn play_games_out(ruleset: Ruleset, n_games: usize, expected: &[&str]) {
    let mut dice = Dice(7);
    let mut ends = BTreeSet::new();
    for _ in 0..n_games {
        let game = play_out(ruleset, &mut dice);
        law::a_game_can_be_replayed(&game);
        assert_eq!(legal(&game), [""; 0]);
        ends.insert(game.outcome().unwrap().reason.id());
    }
    assert_eq!(ends, expected.iter().copied().collect(), "{ruleset}");
}

#[test]
fn random_games_come_to_an_end() {
    play_games_out(Ruleset::Fibonacci, 2, &["turn-limit"]);
    play_games_out(Ruleset::FibonacciMixed, 2, &["turn-limit"]);
    play_games_out(Ruleset::FibonacciCards, 2, &["turn-limit"]);
    play_games_out(Ruleset::Fenix, 100, &["king", "quiet"]);
}
