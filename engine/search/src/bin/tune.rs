//! Makes the networks of the evaluation of Fibonacci: samples from games, and the network that fits them.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::{Parser, Subcommand};
use engine::{AnyMatch, Ruleset, fibonacci::Variant, record::Record};
use search::tuning::{Games, Played, Sampler, fit};

/// Makes the networks of the evaluation of Fibonacci.
#[derive(Parser)]
struct Options {
    #[arg(long, default_value = "fibonacci")]
    ruleset: Ruleset,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prints positions of games with the chances that searches and the results give them.
    Sample {
        /// Number of games of the player against itself.
        #[arg(long, default_value_t = 0)]
        games: u64,
        /// Nodes of a search.
        #[arg(long, default_value_t = 60_000)]
        nodes: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Records of games by other players, as `arena --lost` keeps them.
        records: Vec<PathBuf>,
    },
    /// Fits a network to such positions, and writes its file.
    Fit {
        #[arg(required = true)]
        samples: Vec<PathBuf>,
        #[arg(long)]
        out: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    let Options { ruleset, command } = Options::parse();
    let variant = match ruleset {
        Ruleset::Fibonacci => Variant::Original,
        Ruleset::FibonacciMixed => Variant::Mixed,
        Ruleset::FibonacciCards => Variant::Cards,
        other => anyhow::bail!("{other} has no network"),
    };
    match command {
        Command::Sample { games, nodes, seed, records } => {
            let mut sampler = Sampler::new(Games { variant, nodes, seed });
            let mut out = BufWriter::new(io::stdout().lock());
            for _ in 0..games {
                sampler.play(&mut out)?;
            }
            for path in records {
                let in_file = || path.display().to_string();
                let played = read_game(&path, ruleset).with_context(in_file)?;
                sampler.replay(&played, &mut out).with_context(in_file)?;
            }
            out.flush().context("output")
        }
        Command::Fit { samples, out } => {
            let mut lines: Box<dyn Read> = Box::new(io::empty());
            for path in &samples {
                let file = File::open(path).with_context(|| path.display().to_string())?;
                lines = Box::new(lines.chain(file));
            }
            let mut progress = |text: &str| drop(writeln!(io::stderr(), "{text}"));
            let bytes = fit(variant, BufReader::new(lines), &mut progress)?;
            fs::write(&out, bytes).with_context(|| out.display().to_string())
        }
    }
}

fn read_game(path: &Path, ruleset: Ruleset) -> anyhow::Result<Played> {
    let record = Record::parse_text(&fs::read_to_string(path)?)?;
    anyhow::ensure!(record.ruleset == ruleset, "a game of {}", record.ruleset);
    anyhow::ensure!(record.start.is_none(), "games from a position of their own are not gone through");
    anyhow::ensure!(record.card_hash.is_none(), "games with cards are not gone through");
    let game: AnyMatch = record.replay()?;
    let turns = game.turns().iter().map(|turn| turn.actions().map(str::to_owned).collect()).collect();
    Ok(Played { turns, winner: game.outcome().and_then(|outcome| outcome.winner) })
}
