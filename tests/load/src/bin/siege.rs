//! Attacks a Towers server from one address, beside honest play: `siege --help`, `docs/siege.md`.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::ensure;
use clap::Parser;
use load::{
    host::Kind,
    machine::{self, Machine},
    siege::{Amounts, Attack, Bounds, Phases, Siege, Table, Verdict},
};
use system_tests::server::use_program;

/// Files that an attack and the server have open together.
const OPEN_FILES: u64 = 10_000;

/// Attacks a Towers server from one address beside honest play, and fails if it affects them.
#[derive(Debug, Parser)]
struct Arguments {
    /// The attacks to make; all if none is named.
    attacks: Vec<Attack>,

    /// Databases of the server; by default both.
    #[arg(long)]
    database: Option<Kind>,

    /// Program of the server; by default the one in TOWERS_BIN, or the one that Cargo builds now.
    #[arg(long)]
    server: Option<PathBuf>,

    /// An argument for the server, as `--server-argument=--overload-after-ms=300`; may be repeated.
    #[arg(long)]
    server_argument: Vec<String>,

    /// Seed of positions, rulesets and messages; by default random, and printed.
    #[arg(long)]
    seed: Option<u64>,

    /// Duration of each attack in seconds.
    #[arg(long, default_value_t = 12)]
    seconds: u64,

    /// Maximum memory of the server in MiB.
    #[arg(long, default_value_t = 768)]
    memory_mib: u32,

    /// Maximum growth of the database through an attack, in KiB per second.
    #[arg(long, default_value_t = 256)]
    disk_kib_per_second: u32,
}

#[expect(clippy::print_stdout, reason = "the tool prints its table")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    machine::raise_open_files(OPEN_FILES)?;
    if let Some(program) = arguments.server {
        let is_set = use_program(program.canonicalize()?);
        ensure!(is_set.is_ok(), "the server's program is chosen once");
    }
    let attacks = if arguments.attacks.is_empty() { Attack::ALL.to_vec() } else { arguments.attacks };
    let databases = arguments.database.map_or(vec![Kind::Sqlite, Kind::Postgres], |database| vec![database]);
    let seed = arguments.seed.unwrap_or_else(|| u64::from(rand::random::<u32>()));
    let Machine { processors, model, kernel, load_average } = Machine::here();
    println!("{processors} × {model}, Linux {kernel}, load average {load_average} before; --seed {seed}\n");
    println!("{}", Table::headings());
    let mut outcomes = Vec::new();
    for database in databases {
        let siege = Siege {
            database,
            seed,
            phases: Phases {
                before: Duration::from_secs(8),
                during: Duration::from_secs(arguments.seconds),
                after: Duration::from_secs(8),
            },
            amounts: Amounts { turns: 990, long_games: 256, many_games: 300_000 },
            bounds: Bounds {
                memory_mib: arguments.memory_mib.into(),
                disk_mib_per_second: f64::from(arguments.disk_kib_per_second) / 1024.0,
                ..Bounds::default()
            },
            server_arguments: arguments.server_argument.clone(),
        };
        outcomes.extend(siege.run(&attacks, |outcome| println!("{}", Table::line(outcome))).await?);
    }
    println!();
    for outcome in &outcomes {
        println!("{}", Table::details(outcome));
    }
    let failed = outcomes.iter().filter(|outcome| outcome.verdict() != Verdict::Passed).count();
    println!("\n{} attacks, {failed} failed", outcomes.len());
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
