//! `towers backup`.

use std::{path::Path, process::ExitCode};

use anyhow::{Context, ensure};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use store::StoreError;

use super::{
    database::{Backend, Database, Postgres, Program},
    new_file::NewFile,
    say,
};

/// Runs `towers backup`.
pub(super) async fn run(database: &Database, file: &Path) -> anyhow::Result<ExitCode> {
    database.must_exist()?;
    ensure!(database.has_tables().await?, "{}", StoreError::NoTables);
    let backup = NewFile::at(file)?;
    match &database.backend {
        Backend::File(options) => copy(options, backup.unfinished.path()).await?,
        Backend::Postgres(postgres) => dump(postgres, &backup)?,
    }
    backup.keep()?;
    say(format_args!("the backup is in {}", file.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Copies a database as of one moment. Servers continue to write; their write-ahead log grows until the copy is
/// complete.
async fn copy(options: &SqliteConnectOptions, file: &Path) -> anyhow::Result<()> {
    let file = file.to_str().context("the path of the backup is not UTF-8")?;
    let mut connection = SqliteConnection::connect_with(options).await.context("cannot open the database")?;
    sqlx::query("vacuum into $1")
        .bind(file)
        .execute(&mut connection)
        .await
        .context("cannot copy the database")?;
    connection.close().await.context("cannot close the database")
}

fn dump(postgres: &Postgres, backup: &NewFile) -> anyhow::Result<()> {
    let output = backup.unfinished.reopen().context("cannot write the backup")?;
    let status = postgres.command(Program::Dump).arg("--format=custom").stdout(output).status();
    Program::Dump.done(status)
}
