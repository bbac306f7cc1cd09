//! Kills a Towers server, or its database, again and again while games go on: `crash --help`, `docs/load.md`.

use anyhow::ensure;
use clap::Parser;
use load::{
    crash::{Trial, Victim},
    host::Kind,
    machine,
    script::Script,
};
use system_tests::{database::Database, postgres::Postgres};

/// Turns of the game that is played: as many as the rules allow (RULES 0.7).
const TURNS: usize = 1_000;

/// Number of files per game; there may be many games.
const OPEN_FILES_EACH: u64 = 4;

/// Kills a Towers server, or its database, repeatedly during play, and checks that nothing acknowledged is lost.
///
/// The server is the program in `TOWERS_BIN`, by default the one that Cargo builds now.
#[derive(Debug, Parser)]
struct Arguments {
    /// The process to kill.
    #[arg(long, default_value = "server")]
    victim: Victim,

    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    database: Kind,

    #[arg(long, default_value_t = 100)]
    kills: usize,

    #[arg(long, default_value_t = 200)]
    games: usize,

    /// Seed of the game and of the moments of the kills.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[expect(clippy::print_stdout, reason = "the tool prints its verdict")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let Arguments { victim, database, kills, games, seed } = Arguments::parse();
    machine::raise_open_files(1_000 + OPEN_FILES_EACH * games as u64)?;
    let script: &'static Script = Box::leak(Box::new(Script::random(seed, TURNS)));
    let postgres = (database == Kind::Postgres).then(Postgres::start_durable).transpose()?;
    let place =
        postgres.as_ref().map_or_else(Database::sqlite, |postgres| Database::at(&postgres.database()));
    let trial = Trial { victim, kills, games, seed };
    let verdict = trial.run(place, postgres.as_ref(), script).await?;
    println!("{verdict}");
    ensure!(verdict.is_good(), "something that was acknowledged is not there once and in order");
    Ok(())
}
