//! The time that the solver takes for positions of games, by the number of moves left:
//! `cargo bench -p search --bench solver`.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that measures and prints times"
)]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use engine::{AnyMatch, Ruleset, Seed, fibonacci::Fibonacci};
use search::{Answer, Baseline, Level, Limit, Opponent, Random, Searcher, Settings, Solver};

/// Number of positions of a ruleset with each number of moves left.
const POSITIONS: usize = 1000;

/// Numbers of moves left.
const LEFT: std::ops::RangeInclusive<u8> = 4..=6;

/// Nodes after which the solver gives up, as it does in the search of a turn. These positions count as undecided.
const MAX_NODES: u64 = 50_000;

#[derive(Default)]
struct Measured {
    times: Vec<Duration>,
    n_wins: usize,
    n_unknown: usize,
}

fn main() {
    println!("| ruleset | moves left | positions | wins | undecided | median | 99 % | longest |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for ruleset in [Ruleset::Fibonacci, Ruleset::FibonacciMixed, Ruleset::FibonacciCards] {
        for (left, mut measured) in measure(ruleset) {
            measured.times.sort_unstable();
            let at = |share: f64| measured.times[(measured.times.len() as f64 * share) as usize];
            println!(
                "| `{ruleset}` | {left} | {} | {} | {} | {:.2?} | {:.2?} | {:.2?} |",
                measured.times.len(),
                measured.n_wins,
                measured.n_unknown,
                at(0.5),
                at(0.99),
                measured.times.last().unwrap(),
            );
        }
    }
}

/// Times the solver at the beginning of turns, in games between players of the middle levels.
fn measure(ruleset: Ruleset) -> BTreeMap<u8, Measured> {
    let (mut searcher, mut solver) = (Searcher::new(0), Solver::default());
    let mut by_left: BTreeMap<u8, Measured> = LEFT.map(|left| (left, Measured::default())).collect();
    let mut random = Random::new(1);
    while by_left.values().any(|measured| measured.times.len() < POSITIONS) {
        let mut seed = [0; 32];
        seed.fill_with(|| random.bits() as u8);
        let mut game = AnyMatch::new(ruleset).with_seed(Seed::new(seed));
        while game.outcome().is_none() {
            if let AnyMatch::Fibonacci(game) = &game
                && let Some(measured) = by_left.get_mut(&game.position().actions_left())
                && measured.times.len() < POSITIONS
            {
                measured.add(&mut solver, game.position());
            }
            let opponent = if game.turns().len() < 4 {
                Opponent::Baseline(Baseline::Random)
            } else {
                Opponent::Level(Level::ALL[2 + random.below(3)])
            };
            let settings = Settings { seed: random.bits(), ..Settings::default() };
            let report =
                searcher.search_as(opponent, &game, &Limit::default(), &settings, &mut |_| {}).unwrap();
            game.play(&report.turn).unwrap();
        }
    }
    by_left
}

impl Measured {
    fn add(&mut self, solver: &mut Solver, position: &Fibonacci) {
        let limit = Limit { nodes: Some(MAX_NODES), ..Limit::default() };
        let start = Instant::now();
        let answer = solver.win(position, position.actions_left(), &limit);
        self.times.push(start.elapsed());
        self.n_wins += usize::from(answer == Answer::Win);
        self.n_unknown += usize::from(answer == Answer::Unknown);
    }
}
