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

/// Files that a game needs here, of which there may be many.
const OPEN_FILES_EACH: u64 = 4;

/// Kills a Towers server, or its database, again and again while games go on, and looks whether anything that was
/// acknowledged is lost.
///
/// The server is what `TOWERS_BIN` names or, without it, what Cargo builds now.
#[derive(Debug, Parser)]
struct Arguments {
    /// What is killed.
    #[arg(long, default_value = "server")]
    victim: Victim,

    /// Where the server keeps its games.
    #[arg(long, default_value = "sqlite")]
    database: Kind,

    #[arg(long, default_value_t = 100)]
    kills: usize,

    #[arg(long, default_value_t = 200)]
    games: usize,

    /// What the game and the moments of the kills are chosen by.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[expect(clippy::print_stdout, reason = "the verdict is what the tool is for")]
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
