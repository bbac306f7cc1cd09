//! Tunes the weights of the evaluation of Fibonacci by games of the player against itself, and prints their source.

use clap::Parser;
use engine::{Ruleset, fibonacci::Variant};
use search::tuning::{Tuning, tune};

/// Tunes the weights of the evaluation of Fibonacci.
#[derive(Parser)]
struct Options {
    #[arg(long, default_value = "fibonacci")]
    ruleset: String,
    #[arg(long, default_value_t = 4)]
    rounds: u32,
    /// Games of a round.
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Nodes of a search.
    #[arg(long, default_value_t = 3000)]
    nodes: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Share of the game's result in the target, in percent.
    #[arg(long, default_value_t = 50)]
    result_percent: u32,
}

fn main() -> anyhow::Result<()> {
    let Options { ruleset, rounds, games, nodes, seed, result_percent } = Options::parse();
    let variant = match ruleset.parse::<Ruleset>().map_err(anyhow::Error::msg)? {
        Ruleset::Fibonacci => Variant::Original,
        Ruleset::FibonacciMixed => Variant::Mixed,
        Ruleset::FibonacciCards => Variant::Cards,
        other => anyhow::bail!("{other} has no weights to tune"),
    };
    let tuning = Tuning { variant, n_rounds: rounds, n_games: games, nodes, seed, result_percent };
    let weights = tune(&tuning, &mut |text| eprintln!("{text}"));
    anyhow::Context::context(
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{weights}\n")),
        "output",
    )
}
