//! What one does with a database besides serving: a file for each command of `towers`.

mod backup;
mod check;
mod database;
mod export;
mod games;
mod integrity;
mod migrate;
mod new_file;
mod restore;

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Subcommand;

use self::database::Database;

/// What to do with the database instead of serving.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Operation {
    /// Bring the tables up to date, as a server does when it starts. No server may have a SQLite file open.
    Migrate,
    /// Have the database verify itself, replay every game, and report each whose log does not fold or whose row is not what
    /// the log makes it.
    ///
    /// The exit status is 1 if anything is wrong. Nothing is changed, and a server may run meanwhile.
    Check,
    /// Write all that is in the database into a new file. A server may run meanwhile.
    ///
    /// A file of SQLite is copied as it is at one moment; of PostgreSQL `pg_dump` writes its custom format.
    Backup {
        /// The file to be made.
        file: PathBuf,
    },
    /// Fill a database that has nothing yet with what a backup has, and bring the tables up to date.
    Restore {
        /// What `backup` has written, of the same kind of database.
        file: PathBuf,
    },
    /// Write the record of each finished game into a directory, as `<id>.txt`. What is there stays as it is.
    Export {
        /// The directory; it is made if missing.
        dir: PathBuf,
    },
}

/// Carries an operation out and says on the standard output what was done.
///
/// # Errors
/// It was not done, or not all of it; what is there of a backup, a restored database or a record is whole.
pub async fn run(operation: Operation, database_url: &str) -> anyhow::Result<ExitCode> {
    let database = Database::of(database_url)?;
    match operation {
        Operation::Migrate => migrate::run(&database).await,
        Operation::Check => check::run(&database).await,
        Operation::Backup { file } => backup::run(&database, &file).await,
        Operation::Restore { file } => restore::run(&database, &file).await,
        Operation::Export { dir } => export::run(&database, &dir).await,
    }
}

/// Says something to who runs the operation.
fn say(line: impl std::fmt::Display) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{line}").context("cannot print")
}
