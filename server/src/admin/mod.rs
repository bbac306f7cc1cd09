//! Administration of the database: a file for each command of `towers`.

mod backup;
mod check;
mod database;
mod export;
mod games;
mod integrity;
mod migrate;
mod names;
mod new_file;
mod recover;
mod restore;
mod role;
mod vacations;

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Subcommand;
use futures_util::future::LocalBoxFuture;
use game::ids::PlayerName;

use self::database::Database;
pub use self::role::NewRole;

/// Administration command to run instead of the server.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Operation {
    /// Run all migrations, as a server does at startup. No server may have an SQLite file open.
    Migrate,
    /// Verify the database, compute the keys of all names, replay every game, and report each account whose keys are
    /// others, each vacation that overlaps another or is too long, and each game whose log cannot be replayed or does not
    /// match its row.
    ///
    /// The exit status is 1 if anything is wrong. Nothing is changed, and servers may run meanwhile.
    Check,
    /// Write the whole database into a new file. Servers may run meanwhile.
    ///
    /// An SQLite file is copied as of one moment; for PostgreSQL, `pg_dump` writes its custom format.
    Backup {
        /// The file to create.
        file: PathBuf,
    },
    /// Fill an empty database from a backup, and run all migrations.
    Restore {
        /// A file written by `backup` from the same kind of database.
        file: PathBuf,
    },
    /// Write the record of each finished game into a directory, as `<id>.txt`. Existing files are kept.
    Export {
        /// The directory; created if missing.
        dir: PathBuf,
    },
    /// Administer accounts.
    #[command(subcommand)]
    Account(OfAccounts),
    /// Give an account a role in moderation, or take it away. Servers may keep running.
    Role {
        /// The name of the account, or a former one.
        #[arg(value_parser = |text: &str| PlayerName::try_from(text.to_owned()))]
        name: PlayerName,
        role: NewRole,
    },
}

/// Command about an account.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum OfAccounts {
    /// Print a link with which the account's owner sets a new password, once and within half an hour. Servers may run
    /// meanwhile.
    ///
    /// The link begins with the value of `--origin`, by default with the address that a server listens on.
    Recover {
        /// The name of the account, or a former one.
        #[arg(value_parser = |text: &str| PlayerName::try_from(text.to_owned()))]
        name: PlayerName,
    },
}

/// Runs an administration command and prints a summary to standard output. Links in it begin with `origin`.
///
/// # Errors
/// The command failed or is incomplete. Any backup, restored database or record that it has left behind is complete.
///
/// The future is boxed so that this crate compiles the commands, and the program does not do so again.
pub fn run<'a>(
    operation: Operation,
    database_url: &'a str,
    origin: &'a str,
) -> LocalBoxFuture<'a, anyhow::Result<ExitCode>> {
    Box::pin(async {
        let database = Database::of(database_url)?;
        match operation {
            Operation::Migrate => migrate::run(&database).await,
            Operation::Check => check::run(&database).await,
            Operation::Backup { file } => backup::run(&database, &file).await,
            Operation::Restore { file } => restore::run(&database, &file).await,
            Operation::Export { dir } => export::run(&database, &dir).await,
            Operation::Account(OfAccounts::Recover { name }) => recover::run(&database, origin, &name).await,
            Operation::Role { name, role } => role::run(&database, &name, role).await,
        }
    })
}

/// Prints a line for the administrator.
fn say(line: impl std::fmt::Display) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{line}").context("cannot print")
}
