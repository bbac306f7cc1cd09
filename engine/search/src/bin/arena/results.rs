//! The results of a match.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
    time::Duration,
};

use anyhow::{Context, ensure};
use engine::Side;

use crate::{Options, entrant::Entrant, game::Game};

/// Probability of each of the two errors of the sequential test.
const ERROR: f64 = 0.05;

/// The two hypotheses of a sequential probability ratio test: differences of strength in Elo points, one of which it
/// rejects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sprt {
    elo0: f64,
    elo1: f64,
}

impl FromStr for Sprt {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (elo0, elo1) = text.split_once(',').context("expected two numbers, such as `0,10`")?;
        let sprt = Self { elo0: elo0.trim().parse()?, elo1: elo1.trim().parse()? };
        ensure!(sprt.elo0 < sprt.elo1, "the first number must be the smaller one");
        Ok(sprt)
    }
}

#[derive(Default)]
pub(crate) struct Results {
    games: Vec<Game>,
    /// Points of the first player in each pair, in the order in which they were played.
    pairs: Vec<f64>,
}

impl Results {
    pub(crate) fn add(&mut self, pair: [Game; 2], options: &Options) {
        self.pairs.push(pair.iter().map(|game| game.points).sum());
        self.games.extend(pair);
        if !options.markdown && self.games.len().is_multiple_of(20) {
            let (score, error) = self.score();
            eprintln!("{:5} games: {:.1} ± {:.1} %", self.games.len(), 100.0 * score, 100.0 * error);
        }
    }

    /// The mean of the points of a game, and half of its 95 % interval. The games of a pair are not independent, so
    /// pairs are counted.
    fn score(&self) -> (f64, f64) {
        let n = self.pairs.len().max(1) as f64;
        let mean = self.pairs.iter().sum::<f64>() / n / 2.0;
        (mean, quantile(n - 1.0) * (self.variance(mean) / n).sqrt())
    }

    /// The variance of the points of a game as the mean of its pair.
    fn variance(&self, mean: f64) -> f64 {
        let n = self.pairs.len() as f64;
        let squares: f64 = self.pairs.iter().map(|pair| (pair / 2.0 - mean).powi(2)).sum();
        // One pair lost by half a point more keeps the interval open when all pairs are equal.
        (squares + 0.0625) / (n - 1.0).max(1.0)
    }

    /// The logarithm of the likelihood ratio of the two differences of a sequential test.
    fn likelihood(&self, sprt: Sprt) -> f64 {
        let n = self.pairs.len() as f64;
        let (mean, _) = self.score();
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (low, high) = (expected(sprt.elo0), expected(sprt.elo1));
        n * (high - low) * (2.0 * mean - low - high) / (2.0 * self.variance(mean))
    }

    pub(crate) fn is_decided(&self, sprt: Sprt) -> bool {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        self.pairs.len() >= 10 && self.likelihood(sprt).abs() >= bound
    }

    fn count(&self, points: f64) -> usize {
        self.games.iter().filter(|game| game.points == points).count()
    }

    fn wins_of_first(&self) -> f64 {
        let won = self.games.iter().filter(|game| game.winner == Some(Side::First)).count();
        let decided = self.games.iter().filter(|game| game.winner.is_some()).count();
        won as f64 / decided.max(1) as f64
    }

    fn mean_length(&self) -> f64 {
        let n_turns: usize = self.games.iter().map(|game| game.record.turns.len()).sum();
        n_turns as f64 / self.games.len().max(1) as f64
    }

    fn ends(&self) -> String {
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        for game in &self.games {
            *ends.entry(&game.end).or_default() += 1;
        }
        let mut ends: Vec<(&str, usize)> = ends.into_iter().collect();
        ends.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        ends.iter().map(|(end, n)| format!("{end} {n}")).collect::<Vec<_>>().join(", ")
    }

    /// Median and maximum of the time of a turn of a player.
    fn times(&self, player: usize) -> (Duration, Duration) {
        let mut times: Vec<Duration> =
            self.games.iter().flat_map(|game| game.times[player].iter().copied()).collect();
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        (median, times.last().copied().unwrap_or_default())
    }

    #[expect(clippy::print_stdout, reason = "the output of the program")]
    pub(crate) fn print(&self, options: &Options, entrants: &[Entrant; 2]) {
        let (score, error) = self.score();
        println!("{}: {} against {}", options.ruleset, entrants[0], entrants[1]);
        println!(
            "{} games: {} won, {} drawn, {} lost; score {:.1} ± {:.1} %",
            self.games.len(),
            self.count(1.0),
            self.count(0.5),
            self.count(0.0),
            100.0 * score,
            100.0 * error
        );
        println!(
            "first side wins {:.1} % of decided games; mean length {:.1} turns; {}",
            100.0 * self.wins_of_first(),
            self.mean_length(),
            self.ends()
        );
        for (player, entrant) in entrants.iter().enumerate() {
            let (median, longest) = self.times(player);
            println!("{entrant}: median {median:.1?}, longest {longest:.1?} a turn");
        }
        let n_faults = self.games.iter().filter(|game| game.is_fault).count();
        if n_faults > 0 {
            println!("{n_faults} games lost by faults");
        }
        if let Some(sprt) = options.sprt {
            let likelihood = self.likelihood(sprt);
            let verdict = match (self.is_decided(sprt), likelihood > 0.0) {
                (false, _) => "undecided".to_owned(),
                (true, true) => format!("{} Elo rejected", sprt.elo0),
                (true, false) => format!("{} Elo rejected", sprt.elo1),
            };
            println!("sequential test of {},{}: {likelihood:.2}, {verdict}", sprt.elo0, sprt.elo1);
        }
        let distinct: BTreeSet<String> = self.games.iter().map(Game::turns_text).collect();
        println!("{} different games", distinct.len());
    }

    #[expect(clippy::print_stdout, reason = "the output of the program")]
    pub(crate) fn print_row(&self, options: &Options, entrants: &[Entrant; 2]) {
        let (score, error) = self.score();
        let limit = match (options.time_ms, options.nodes) {
            (Some(ms), _) => format!("{ms} ms"),
            (None, Some(nodes)) => format!("{nodes} nodes"),
            (None, None) => String::new(),
        };
        println!(
            "| `{}` | {} – {} | {limit} | {} | {} / {} / {} | {:.1} ± {:.1} % | {:.0} % | {:.0} | {} |",
            options.ruleset,
            entrants[0],
            entrants[1],
            self.games.len(),
            self.count(1.0),
            self.count(0.5),
            self.count(0.0),
            100.0 * score,
            100.0 * error,
            100.0 * self.wins_of_first(),
            self.mean_length(),
            self.ends()
        );
    }
}

/// The quantile of Student's t distribution that cuts off 2.5 %, to within 2 % from 9 degrees of freedom.
fn quantile(freedom: f64) -> f64 {
    const NORMAL: f64 = 1.96;
    NORMAL + (NORMAL.powi(3) + NORMAL) / (4.0 * freedom.max(1.0))
}
