//! The puzzles: every one is proven again, and its solution is judged to solve it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use engine::{AnyMatch, Ruleset};
use search::puzzle::{Puzzle, Refused, Verdict, prove};

/// Maximum number of nodes of a proof.
const MAX_NODES: u64 = 400_000;

/// Minimum number of puzzles of a ruleset that has any.
const MIN_PUZZLES: usize = 20;

#[test]
fn every_puzzle_is_proven() {
    for ruleset in Ruleset::ALL {
        for puzzle in Puzzle::all(ruleset) {
            let proof = prove(&puzzle.game(ruleset).unwrap(), MAX_NODES).unwrap();
            assert_eq!(proof.solution, puzzle.solution, "{ruleset} {}", puzzle.id);
            assert_eq!((proof.gain, proof.nodes), (puzzle.gain, puzzle.nodes), "{ruleset} {}", puzzle.id);
        }
    }
}

/// The rulesets that have puzzles.
fn rulesets() -> impl Iterator<Item = Ruleset> {
    Ruleset::ALL.into_iter().filter(|ruleset| !Puzzle::all(*ruleset).is_empty())
}

#[test]
fn there_are_enough_puzzles_of_a_ruleset_and_of_each_grade() {
    let mut ids = BTreeSet::new();
    for ruleset in rulesets() {
        let puzzles = Puzzle::all(ruleset);
        assert!(puzzles.len() >= MIN_PUZZLES, "{ruleset}: {}", puzzles.len());
        for grade in 1..=5 {
            assert!(puzzles.iter().any(|puzzle| puzzle.grade == grade), "{ruleset}: grade {grade}");
        }
        for puzzle in puzzles {
            assert!((1..=5).contains(&puzzle.grade));
            assert_eq!(puzzle.game(ruleset).unwrap().position_text(), puzzle.position);
            ids.insert(&puzzle.id);
        }
    }
    let n_puzzles: usize = Ruleset::ALL.iter().map(|ruleset| Puzzle::all(*ruleset).len()).sum();
    assert!(n_puzzles >= 300, "{n_puzzles}");
    assert_eq!(ids.len(), n_puzzles, "two have the same id");
}

/// The own turns of the solution.
fn own_turns(ruleset: Ruleset, puzzle: &Puzzle) -> Vec<Vec<String>> {
    let n_own = if ruleset.has_drops() { 2 } else { 1 };
    puzzle.solution.iter().step_by(2).take(n_own).cloned().collect()
}

#[test]
fn the_solution_solves_the_puzzle() {
    for ruleset in Ruleset::ALL {
        for puzzle in Puzzle::all(ruleset) {
            let turns = own_turns(ruleset, puzzle);
            for n in 1..turns.len() {
                let reply = puzzle.solution[2 * n - 1].clone();
                assert_eq!(puzzle.judge(ruleset, &turns[..n]).unwrap(), Verdict::Continues { reply });
                let next = puzzle.game_after(ruleset, &turns[..n]).unwrap();
                assert!(next.draft(&turns[n]).unwrap().complete);
            }
            assert_eq!(puzzle.judge(ruleset, &turns).unwrap(), Verdict::Solved, "{ruleset} {}", puzzle.id);
        }
    }
}

/// Legal turns of a match: each first action, followed by the first legal ones.
fn turns(game: &AnyMatch) -> Vec<Vec<String>> {
    let complete = |first: String| {
        let mut turn = vec![first];
        loop {
            let draft = game.draft(&turn).unwrap();
            match draft.legal().first() {
                Some(next) => turn.push(next.text.clone()),
                None => return turn,
            }
        }
    };
    game.draft::<&str>(&[]).unwrap().legal().into_iter().map(|action| complete(action.text)).collect()
}

#[test]
fn most_turns_do_not_solve_a_puzzle() {
    for ruleset in rulesets() {
        let puzzle = &Puzzle::all(ruleset)[7];
        let turns = turns(&puzzle.game(ruleset).unwrap());
        let failing = |turn: &&Vec<String>| {
            matches!(puzzle.judge(ruleset, &[(*turn).clone()]).unwrap(), Verdict::Failed { .. })
        };
        let n_failing = turns.iter().filter(failing).count();
        assert!(n_failing < turns.len() || !ruleset.has_drops(), "{ruleset}: nothing solves it");
        assert!(3 * n_failing >= turns.len(), "{ruleset}: {n_failing} of {}", turns.len());
    }
}

#[test]
fn a_failed_first_turn_of_two_is_refuted() {
    for ruleset in [Ruleset::Focus, Ruleset::FocusClassic, Ruleset::Crossfire] {
        let puzzle = &Puzzle::all(ruleset)[3];
        let mut n_refuted = 0;
        for turn in turns(&puzzle.game(ruleset).unwrap()) {
            let attempt = vec![turn];
            if let Verdict::Failed { reply } = puzzle.judge(ruleset, &attempt).unwrap() {
                n_refuted += 1;
                let mut game = puzzle.game(ruleset).unwrap();
                let side = game.to_move();
                game.play(&attempt[0]).unwrap();
                game.play(&reply.unwrap()).unwrap();
                let wins = |turn: Vec<String>| {
                    let mut after = game.clone();
                    after.play(&turn).unwrap();
                    after.outcome().is_some_and(|outcome| outcome.winner == Some(side))
                };
                assert!(game.outcome().is_some() || !turns(&game).into_iter().any(wins));
            }
        }
        assert!(n_refuted > 3, "{ruleset}");
    }
}

#[test]
fn attempts_that_are_none_are_refused() {
    for ruleset in rulesets() {
        let puzzle = &Puzzle::all(ruleset)[0];
        assert!(matches!(puzzle.judge(ruleset, &[]), Err(Refused::NumberOfTurns)));
        let illegal = [vec!["z9-z8".to_owned()]];
        assert!(matches!(puzzle.judge(ruleset, &illegal), Err(Refused::Turn { index: 0, .. })));
        let mut many = own_turns(ruleset, puzzle);
        many.push(many[0].clone());
        assert!(matches!(puzzle.judge(ruleset, &many), Err(Refused::NumberOfTurns)));
    }
}
