//! A short arena: full strength beats the baselines, so that nobody makes it weaker unseen. Nodes and seeds are fixed, so
//! each game is the same in every run. `docs/strength.md` has the matches of the program `arena`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use engine::{AnyMatch, Ruleset, Seed, Side};
use search::{Baseline, Level, Limit, Opponent, Random, Searcher, Settings};

/// Maximum number of turns of a game. It is a draw after them.
const MAX_TURNS: u16 = 300;

/// Nodes of each search of the player at full strength, and of its opponent.
struct Nodes {
    full: u64,
    opponent: u64,
}

/// Plays pairs of games with the same random opening and both distributions of sides. Returns twice the points of full
/// strength.
fn points(ruleset: Ruleset, opponent: Opponent, nodes: &Nodes, n_pairs: u64) -> u32 {
    let mut searchers = [Searcher::new(1 << 22), Searcher::new(1 << 22)];
    let pairs = (0..n_pairs).flat_map(|pair| Side::ALL.map(|side| (pair, side)));
    pairs
        .map(|(pair, full)| {
            let mut game = opening(ruleset, pair);
            let mut random = Random::new(pair);
            while game.outcome().is_none() && game.turn().get() <= MAX_TURNS {
                let is_full = game.to_move() == full;
                let (player, limit) = if is_full {
                    (Opponent::Level(Level::FULL), nodes.full)
                } else {
                    (opponent, nodes.opponent)
                };
                let limit = Limit { nodes: Some(limit), ..Limit::default() };
                let settings = Settings { seed: random.bits(), ..Settings::default() };
                let searcher = &mut searchers[usize::from(is_full)];
                let report = searcher.search_as(player, &game, &limit, &settings, &mut |_| {});
                game.play(&report.unwrap().turn).unwrap();
            }
            match game.outcome().and_then(|outcome| outcome.winner) {
                Some(winner) => 2 * u32::from(winner == full),
                None => 1,
            }
        })
        .sum()
}

/// A match after a few random turns.
fn opening(ruleset: Ruleset, seed: u64) -> AnyMatch {
    let n_turns = if ruleset == Ruleset::Fenix { 10 } else { 2 };
    let mut random = Random::new(seed ^ 0x5eed);
    let mut game = AnyMatch::new(ruleset).with_seed(Seed::new([seed as u8; 32]));
    let mut searcher = Searcher::new(0);
    for _ in 0..n_turns {
        let settings = Settings { seed: random.bits(), ..Settings::default() };
        let limit = Limit::default();
        let report =
            searcher.search_as(Opponent::Baseline(Baseline::Random), &game, &limit, &settings, &mut |_| {});
        game.play(&report.unwrap().turn).unwrap();
    }
    game
}

#[test]
fn full_strength_beats_uct() {
    for ruleset in Ruleset::ALL {
        let nodes = Nodes { full: 2_000, opponent: 2_000 };
        let points = points(ruleset, Opponent::Baseline(Baseline::Uct), &nodes, 4);
        println!("{ruleset}: {points} of 16");
        assert!(points >= 12, "{ruleset}: {points} half points of 16");
    }
}

#[test]
fn full_strength_beats_greedy() {
    for ruleset in Ruleset::ALL {
        let nodes = Nodes { full: 2_000, opponent: 1 };
        let points = points(ruleset, Opponent::Baseline(Baseline::Greedy), &nodes, 4);
        println!("{ruleset}: {points} of 16");
        assert!(points >= 15, "{ruleset}: {points} half points of 16");
    }
}
