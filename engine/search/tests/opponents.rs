//! Laws of every opponent in Fenix, Focus and Crossfire, and of the baselines in all games.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

use engine::{AnyMatch, Ruleset, Seed};
use search::{Baseline, Clock, Level, Limit, Opponent, Random, Report, Searcher, Settings, Time};

const STACKS_AND_FENIX: [Ruleset; 4] =
    [Ruleset::Fenix, Ruleset::Focus, Ruleset::FocusClassic, Ruleset::Crossfire];

fn search(game: &AnyMatch, opponent: Opponent, nodes: u64, seed: u64) -> Report {
    let limit = Limit { nodes: Some(nodes), ..Limit::default() };
    let settings = Settings { seed, ..Settings::default() };
    Searcher::new(1 << 20).search_as(opponent, game, &limit, &settings, &mut |_| {}).unwrap()
}

/// Visits the positions of a random game.
fn for_each_position(ruleset: Ruleset, seed: u64, n_turns: usize, mut visit: impl FnMut(&AnyMatch)) {
    let mut random = Random::new(seed);
    let mut game = AnyMatch::new(ruleset).with_seed(Seed::new([seed as u8; 32]));
    for _ in 0..n_turns {
        if game.outcome().is_some() {
            return;
        }
        visit(&game);
        let turn = search(&game, Opponent::Baseline(Baseline::Random), 1, random.bits()).turn;
        game.play(&turn).unwrap();
    }
}

#[test]
fn every_opponent_finds_a_legal_turn() {
    for (index, ruleset) in Ruleset::ALL.into_iter().enumerate() {
        let mut n_positions = 0;
        for_each_position(ruleset, index as u64, 60, |game| {
            n_positions += 1;
            let mut opponents = vec![Opponent::Baseline(Baseline::Greedy), Opponent::Baseline(Baseline::Uct)];
            if STACKS_AND_FENIX.contains(&ruleset) {
                opponents.extend(Level::ALL.map(Opponent::Level));
            }
            let opponent = opponents[n_positions % opponents.len()];
            let report = search(game, opponent, 300, n_positions as u64);
            assert!(game.clone().play(&report.turn).is_ok(), "{opponent}: {:?}", report.turn);
            assert!((0.0..=1.0).contains(&report.score));
        });
        assert!(n_positions > 20);
    }
}

#[test]
fn lines_are_different_legal_turns_in_order() {
    for ruleset in STACKS_AND_FENIX {
        for_each_position(ruleset, 3, 24, |game| {
            let limit = Limit { depth: Some(3), ..Limit::default() };
            let settings = Settings { lines: 3, ..Settings::default() };
            let mut reports = Vec::new();
            let last = Searcher::new(1 << 20)
                .search(game, &limit, &settings, &mut |report| reports.push(report.clone()))
                .unwrap();
            assert!(reports.iter().all(|report| report.nodes <= last.nodes));
            assert_eq!(last.turn, last.lines[0].turns[0]);
            assert!(last.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
            for (index, line) in last.lines.iter().enumerate() {
                assert!(last.lines[..index].iter().all(|other| other.turns[0] != line.turns[0]));
                let mut game = game.clone();
                for turn in &line.turns {
                    game.play(turn).unwrap();
                }
            }
        });
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_report() {
    for ruleset in STACKS_AND_FENIX {
        for_each_position(ruleset, 4, 16, |game| {
            for opponent in [
                Opponent::Level(Level::FULL),
                Opponent::Level(Level::ALL[2]),
                Opponent::Baseline(Baseline::Uct),
            ] {
                assert_eq!(search(game, opponent, 500, 7), search(game, opponent, 500, 7));
            }
            let mut used = Searcher::new(1 << 20);
            let limit = Limit { nodes: Some(500), ..Limit::default() };
            let mut again = || used.search(game, &limit, &Settings::default(), &mut |_| {});
            assert_eq!(again(), again(), "a used table does not change the result");
        });
    }
}

/// Games shortly before their end.
const WINS: [(Ruleset, &str); 3] = [
    (Ruleset::Fenix, "k8/9/9/9/4s4/9/9/S6S1/8K 1 13 - 0"),
    (
        Ruleset::FocusClassic,
        ".,.,.,./.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,xx,.,oo,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,. 1 3 0 0",
    ),
    (
        Ruleset::Crossfire,
        "./.,.,.,./.,.,.,.,.,.,./.,.,.,x,o,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,./. 1 1 0 0",
    ),
];

#[test]
fn a_win_in_one_turn_is_taken() {
    let mut n_wins = 0;
    for (ruleset, text) in WINS {
        for seed in 0..30 {
            let mut game = AnyMatch::from_text(ruleset, text).unwrap();
            let mut random = Random::new(seed);
            for _ in 0..60 {
                if game.outcome().is_some() {
                    break;
                }
                let side = game.to_move();
                let wins = |turn: &str| {
                    let mut game = game.clone();
                    game.play(&[turn]).unwrap();
                    game.outcome().is_some_and(|outcome| outcome.winner == Some(side))
                };
                let legal = game.draft::<&str>(&[]).unwrap().legal();
                if legal.iter().any(|action| wins(&action.text)) {
                    n_wins += 1;
                    for opponent in [Opponent::Level(Level::FULL), Opponent::Baseline(Baseline::Greedy)] {
                        let report = search(&game, opponent, 1, seed);
                        assert!(wins(&report.turn[0]), "{opponent} in {}", game.position_text());
                    }
                }
                game.play(&search(&game, Opponent::Baseline(Baseline::Random), 1, random.bits()).turn)
                    .unwrap();
            }
        }
    }
    assert!(n_wins > 20, "{n_wins} positions with a win");
}

struct Steps(AtomicU32);

impl Clock for Steps {
    /// A millisecond passes with each reading.
    fn elapsed(&self) -> Duration {
        Duration::from_millis((self.0.fetch_add(1, Ordering::Relaxed) + 1).into())
    }
}

#[test]
fn a_search_ends_at_its_limits() {
    for ruleset in STACKS_AND_FENIX {
        let game = AnyMatch::new(ruleset);
        for opponent in [Opponent::Level(Level::FULL), Opponent::Baseline(Baseline::Uct)] {
            let mut searcher = Searcher::new(1 << 20);
            let mut nodes = |limit: &Limit<'_>| {
                let report =
                    searcher.search_as(opponent, &game, limit, &Settings::default(), &mut |_| {}).unwrap();
                assert!(game.clone().play(&report.turn).is_ok());
                report.nodes
            };
            let stop = AtomicBool::new(true);
            let stopped = Limit { stop: Some(&stop), ..Limit::default() };
            assert!(nodes(&stopped) < 100);
            stop.store(false, Ordering::Relaxed);
            let clock = Steps(0.into());
            let time = Time { clock: &clock, limit: Duration::from_millis(20) };
            assert!(nodes(&Limit { time: Some(time), ..stopped }) < 10_000);
            assert!(nodes(&Limit { nodes: Some(1000), ..stopped }) < 1100);
        }
    }
}

#[test]
fn a_capture_that_is_too_costly_does_not_block() {
    let text = "C1Cs3s1/1C1Cs1sK1/2s4s1/ss1ssss1s/2s4s1/2s2s1Cs/2s4s1/s1CsssC1C/2k3s1C 1 13 - 0";
    let game = AnyMatch::from_text(Ruleset::Fenix, text).unwrap();
    let report = search(&game, Opponent::Level(Level::FULL), 1000, 1);
    assert!(game.clone().play(&report.turn).is_ok());
}

#[test]
fn names_of_opponents_are_read_as_they_are_printed() {
    let levels = Level::ALL.map(Opponent::Level);
    for opponent in levels.into_iter().chain([
        Opponent::Baseline(Baseline::Random),
        Opponent::Baseline(Baseline::Greedy),
        Opponent::Baseline(Baseline::Uct),
    ]) {
        assert_eq!(opponent.to_string().parse(), Ok(opponent));
    }
    assert!("level-9".parse::<Opponent>().is_err());
}
