//! Measures the capacity of a Towers server: `load --help`, `docs/load.md`.

use std::{fs::File, path::PathBuf, time::Duration};

use anyhow::Context;
use clap::Parser;
use load::{figures::Report, machine, machine::Machine, script::Script, workload::Workload};

/// Turns of the game that is played: as many as the rules allow (RULES 0.7).
const TURNS: usize = 1_000;

/// Number of files of the largest workload: two connections for each of 4,000 games, and some more.
const OPEN_FILES: u64 = 10_000;

/// Measures the capacity and cost of a Towers server, and the latency of its clients.
///
/// The server is the program in `TOWERS_BIN`, by default the one that Cargo builds now.
#[derive(Debug, Parser)]
struct Arguments {
    /// Workloads to measure; by default all.
    workloads: Vec<Workload>,

    /// Number of games, spectators or readers, instead of the default.
    #[arg(long, value_delimiter = ',')]
    size: Vec<usize>,

    /// Number of games against bots of level 8 beside W1 to W5, with opponents that answer at once.
    #[arg(long, default_value_t = 0)]
    bots: usize,

    /// Duration of each measurement in seconds.
    #[arg(long, default_value_t = 15)]
    seconds: u64,

    /// Seed of the game.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// File for the figures as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[expect(clippy::print_stdout, reason = "the tool prints its table")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let Arguments { workloads, size, bots, seconds, seed, json } = Arguments::parse();
    machine::raise_open_files(OPEN_FILES)?;
    // It lives as long as the process, so that all games share it.
    let script: &'static Script = Box::leak(Box::new(Script::random(seed, TURNS)));
    let workloads = if workloads.is_empty() { Workload::ALL.to_vec() } else { workloads };
    let mut report =
        Report { machine: Machine::here(), figures: Vec::new(), overloads: Vec::new(), outages: Vec::new() };
    for workload in workloads {
        let sizes = if size.is_empty() { workload.sizes() } else { &size };
        for &size in sizes {
            let measured =
                workload.measure(size, bots, Duration::from_secs(seconds), script, &mut report).await;
            measured.with_context(|| format!("{workload:?} with {size}"))?;
        }
    }
    println!("{report}");
    if let Some(path) = json {
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        serde_json::to_writer_pretty(file, &report)?;
    }
    Ok(())
}
