//! Laws of the players, over positions of random play.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use engine::{AnyMatch, Card, Ruleset, Side};
use search::{Baseline, Clock, Level, Limit, Opponent, Random, Report, Searcher, Settings, Time};

const TABLE_BYTES: usize = 1 << 22;

/// Plays a random turn; deals a random card before it if the match waits for one.
fn play_random(game: &mut AnyMatch, random: &mut Random) {
    deal(game, random);
    let mut turn: Vec<String> = Vec::new();
    loop {
        let draft = game.draft(&turn).unwrap();
        if draft.complete {
            break;
        }
        let legal = draft.legal();
        turn.push(legal[random.below(legal.len())].text.clone());
    }
    game.play(&turn).unwrap();
}

fn deal(game: &mut AnyMatch, random: &mut Random) {
    while game.outcome().is_none() && game.awaits_card() {
        let _ = game.turn_over(Card::ALL[random.below(6)]);
    }
}

/// Matches after some random turns, with a card if they need one.
fn positions(ruleset: Ruleset, n: usize, max_turns: usize, seed: u64) -> Vec<AnyMatch> {
    let mut random = Random::new(seed);
    let mut games = Vec::new();
    while games.len() < n {
        let mut game = AnyMatch::new(ruleset);
        for _ in 0..random.below(max_turns) {
            if game.outcome().is_none() {
                play_random(&mut game, &mut random);
            }
        }
        deal(&mut game, &mut random);
        if game.outcome().is_none() {
            games.push(game);
        }
    }
    games
}

fn search(game: &AnyMatch, nodes: u64, settings: &Settings) -> Report {
    let limit = Limit { nodes: Some(nodes), ..Limit::default() };
    Searcher::new(TABLE_BYTES).search(game, &limit, settings, &mut |_| {}).unwrap()
}

#[test]
fn a_turn_is_legal_and_a_score_is_a_chance() {
    for ruleset in Ruleset::ALL {
        let mut searcher = Searcher::new(TABLE_BYTES);
        for (index, game) in positions(ruleset, 12, 40, 1).into_iter().enumerate() {
            for level in Level::ALL {
                let nodes = [0, 1, 300, 3000][(index + usize::from(level.get())) % 4];
                let limit = Limit { nodes: Some(nodes), ..Limit::default() };
                let settings = Settings { level, seed: index as u64, lines: 3, ..Settings::default() };
                let mut check = |report: &Report| {
                    assert!((0.0..=1.0).contains(&report.score), "{report:?}");
                    assert!(game.draft(&report.turn).unwrap().complete, "{report:?}");
                    assert_eq!(report.lines[0].turns[0], report.turn);
                    assert!(report.lines.len() <= 3);
                };
                let report = searcher.search(&game, &limit, &settings, &mut check).unwrap();
                check(&report);
                assert!(game.clone().play(&report.turn).is_ok());
            }
        }
    }
}

#[test]
fn equal_seeds_and_nodes_find_equal_turns() {
    for ruleset in Ruleset::ALL {
        for game in positions(ruleset, 3, 20, 2) {
            for level in [Level::ALL[0], Level::ALL[3], Level::FULL] {
                let settings = Settings { level, seed: 5, lines: 2, ..Settings::default() };
                assert_eq!(search(&game, 4000, &settings), search(&game, 4000, &settings));
            }
        }
    }
}

#[test]
fn a_game_that_is_over_or_waits_for_a_card_has_no_turn() {
    let waiting = AnyMatch::new(Ruleset::FibonacciCards);
    let mut searcher = Searcher::new(TABLE_BYTES);
    let mut over = AnyMatch::new(Ruleset::Crossfire);
    while over.outcome().is_none() {
        let (limit, settings) = (Limit::default(), Settings::default());
        let report = searcher
            .search_as(Opponent::Baseline(Baseline::Random), &over, &limit, &settings, &mut |_| {})
            .unwrap();
        over.play(&report.turn).unwrap();
    }
    for game in [waiting, over] {
        let report = searcher.search(&game, &Limit::default(), &Settings::default(), &mut |_| {});
        assert_eq!(report, None);
    }
}

/// A clock that advances with each reading, and sets a flag at some reading.
struct CountingClock<'a> {
    n_readings: AtomicU64,
    stop_at: u64,
    stop: &'a AtomicBool,
}

impl Clock for CountingClock<'_> {
    fn elapsed(&self) -> Duration {
        let n_readings = self.n_readings.fetch_add(1, Ordering::Relaxed) + 1;
        if n_readings == self.stop_at {
            self.stop.store(true, Ordering::Relaxed);
        }
        Duration::from_micros(n_readings)
    }
}

/// Nodes that a search may still visit after it was stopped: less than 20 ms of work.
const NODES_AFTER_STOP: u64 = 5000;

/// Visits the positions of a game between players of a middle level.
fn for_each_position_of_a_game(ruleset: Ruleset, seed: u64, mut visit: impl FnMut(&AnyMatch)) {
    let mut random = Random::new(seed);
    let (mut game, mut searcher) = (AnyMatch::new(ruleset), Searcher::new(TABLE_BYTES));
    play_random(&mut game, &mut random);
    play_random(&mut game, &mut random);
    while game.outcome().is_none() {
        visit(&game);
        let settings = Settings { level: Level::ALL[3], seed: random.bits(), ..Settings::default() };
        let report = searcher.search(&game, &Limit::default(), &settings, &mut |_| {}).unwrap();
        game.play(&report.turn).unwrap();
    }
}

#[test]
fn a_line_of_fibonacci_is_legal_and_goes_on_after_its_first_turn() {
    for ruleset in [Ruleset::Fibonacci, Ruleset::FibonacciMixed] {
        let mut n_turns = 0;
        for_each_position_of_a_game(ruleset, 1, |game| {
            let report = search(game, 10_000, &Settings { lines: 3, ..Settings::default() });
            for line in report.lines {
                let mut game = game.clone();
                for turn in &line.turns {
                    game.play(turn).unwrap();
                }
                n_turns = n_turns.max(line.turns.len());
            }
        });
        assert!(n_turns > 1, "{ruleset}");
    }
}

/// Scores of lines can be compared only if all of them were read alike.
#[test]
fn the_second_line_of_fibonacci_is_read_as_deep_as_the_best() {
    let depth = |report: &Report, line: usize| report.lines.get(line).map_or(0, |line| line.turns.len());
    let (mut first, mut second) = (0, 0);
    for_each_position_of_a_game(Ruleset::Fibonacci, 1, |game| {
        let report = search(game, 100_000, &Settings { lines: 2, ..Settings::default() });
        if report.lines.len() == 2 {
            first += depth(&report, 0);
            second += depth(&report, 1);
        }
    });
    assert!(second * 10 >= first * 8, "turns of the lines of a game: {first}, {second}");
}

/// The scores of a depth that a limit cuts short cannot be compared with those of the depth before.
#[test]
fn several_lines_are_those_of_the_last_complete_depth() {
    let settings = Settings { lines: 3, ..Settings::default() };
    for ruleset in [Ruleset::Fenix, Ruleset::Focus, Ruleset::Crossfire] {
        let mut n_compared = 0;
        for game in positions(ruleset, 20, 20, 6) {
            let limit = Limit { nodes: Some(10_000), ..Limit::default() };
            let mut complete: Option<Report> = None;
            let mut keep = |report: &Report| complete = Some(report.clone());
            let last = Searcher::new(TABLE_BYTES).search(&game, &limit, &settings, &mut keep).unwrap();
            if let Some(complete) = complete {
                assert_eq!(
                    (last.lines, last.depth),
                    (complete.lines, complete.depth),
                    "{}",
                    game.position_text()
                );
                n_compared += 1;
            }
        }
        assert!(n_compared > 10, "{ruleset}: {n_compared}");
    }
}

#[test]
fn two_threads_search_one_tree() {
    let settings = Settings { threads: NonZeroUsize::new(2).unwrap(), lines: 2, ..Settings::default() };
    for ruleset in Ruleset::ALL {
        for game in positions(ruleset, 3, 20, 5) {
            let report = search(&game, 20_000, &settings);
            assert!(game.clone().play(&report.turn).is_ok(), "{report:?}");
            assert!(report.nodes < 20_000 + NODES_AFTER_STOP, "{report:?}");
            let single = search(&game, 20_000, &Settings::default());
            if (single.score, single.depth) == (1.0, 1) {
                assert_eq!(report.score, 1.0, "{}", game.position_text());
            }
        }
    }
}

#[test]
fn a_stop_ends_the_search_at_once() {
    for ruleset in Ruleset::ALL {
        for game in positions(ruleset, 2, 12, 3) {
            let nodes_until = |stop_at| {
                let stop = AtomicBool::new(stop_at == 0);
                let clock = CountingClock { n_readings: AtomicU64::new(0), stop_at, stop: &stop };
                let time = Time { clock: &clock, limit: Duration::from_secs(3600) };
                let limit =
                    Limit { time: Some(time), stop: Some(&stop), nodes: Some(100_000), ..Limit::default() };
                let mut searcher = Searcher::new(TABLE_BYTES);
                searcher.search(&game, &limit, &Settings::default(), &mut |_| {}).unwrap().nodes
            };
            assert!(nodes_until(0) <= NODES_AFTER_STOP);
            assert!(nodes_until(20) <= 20 * 64 + NODES_AFTER_STOP);
        }
    }
}

#[test]
fn time_ends_the_search() {
    for ruleset in Ruleset::ALL {
        for game in positions(ruleset, 2, 12, 4) {
            let stop = AtomicBool::new(false);
            let clock = CountingClock { n_readings: AtomicU64::new(0), stop_at: u64::MAX, stop: &stop };
            let time = Time { clock: &clock, limit: Duration::from_micros(50) };
            let limit = Limit { time: Some(time), ..Limit::default() };
            let mut searcher = Searcher::new(TABLE_BYTES);
            let report = searcher.search(&game, &limit, &Settings::default(), &mut |_| {}).unwrap();
            assert!(report.nodes <= 50 * 64 + NODES_AFTER_STOP);
        }
    }
}

/// Two strike pieces of the first side are next to the other centre, so that turn 2 is skipped (RULES 1.8).
#[test]
fn a_turn_after_which_the_other_side_skips_its_own_is_not_taken_for_its_answer() {
    let text = "CSSSss/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5S1/ssssSc 1 1 1/1";
    let game = AnyMatch::from_text(Ruleset::Fibonacci, text).unwrap();
    let report = search(&game, 20_000, &Settings { lines: 60, ..Settings::default() });
    let skipped = report.lines.iter().filter(|line| {
        let mut game = game.clone();
        game.play(&line.turns[0]).unwrap();
        game.to_move() == Side::First
    });
    let scores: Vec<f32> = skipped.map(|line| line.score).collect();
    assert!(!scores.is_empty() && scores.iter().all(|score| *score > 0.5), "{scores:?}");
}

/// Positions in which the side to move attacks strongly, and the other side is left with one or two moves. In the last one it
/// wins. In the others the ten best answers are lost, but not all.
const STRONG_ATTACKS: [&str; 5] = [
    "ss4/1Cs4/2s5/5S2c/2s3Spp1/7Sp2/1PPP1SpSs1/P1PP2pp1/5S2/7/6 2 18 6/6",
    "ss4/1Cs4/1ss5/5p2c/6SSS1/7pp2/1PPP1Spsp1/P1PP2p2/5SS1/7/6 2 20 5/5",
    "ss4/1Cs4/1ss4c/7Sp/6ppp1/6Spp2/1PPP1S1s2/P1PP1S3/5SS1/7/6 2 24 5/5",
    "ss4/sCs4/1s5c/6pS1/6pp2/6Sps2/1PPP1S1p2/P1PP1Sp2/5SS1/7/6 2 26 5/5",
    "ss4/sC5/1ss3Sc/9/7pp1/6Spp2/1PPP1Sps2/P1PP1Sp2/5SS1/7/6 2 36 5/5",
];

#[test]
fn a_win_once_proven_stays_proven() {
    let mut n_proven = 0;
    for text in STRONG_ATTACKS {
        let game = AnyMatch::from_text(Ruleset::Fibonacci, text).unwrap();
        let mut proven: Option<Vec<String>> = None;
        let mut check = |report: &Report| match &proven {
            Some(turn) => assert_eq!((report.score, &report.turn), (1.0, turn), "{text}"),
            None if report.score == 1.0 && report.depth > 1 => proven = Some(report.turn.clone()),
            None => {}
        };
        let limit = Limit { nodes: Some(400_000), ..Limit::default() };
        let last =
            Searcher::new(TABLE_BYTES).search(&game, &limit, &Settings::default(), &mut check).unwrap();
        check(&last);
        n_proven += u32::from(proven.is_some());
    }
    assert!(n_proven > 0);
}

#[test]
fn a_win_that_is_told_is_won() {
    const MAX_TURNS: usize = 12;
    let mut n_told = 0;
    for text in STRONG_ATTACKS {
        let mut game = AnyMatch::from_text(Ruleset::Fibonacci, text).unwrap();
        let attacker = game.to_move();
        let is_told = search(&game, 400_000, &Settings::default()).score == 1.0;
        let mut n_turns = 0;
        while is_told && game.outcome().is_none() && n_turns < MAX_TURNS {
            game.play(&search(&game, 400_000, &Settings::default()).turn).unwrap();
            n_turns += 1;
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, is_told.then_some(attacker), "{text}");
        n_told += u32::from(is_told);
    }
    assert!(n_told > 0);
}
