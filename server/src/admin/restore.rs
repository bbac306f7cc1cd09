//! `towers restore`.

use std::{fs::File, io, path::Path, process::ExitCode};

use anyhow::{Context, ensure};
use sqlx::{Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    database::{self, Backend, Database, Postgres, Program},
    new_file::NewFile,
    say,
};

/// Runs `towers restore`.
pub(super) async fn run(database: &Database, file: &Path) -> anyhow::Result<ExitCode> {
    let backup = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    match &database.backend {
        Backend::File(options) => copy(options, backup).await?,
        Backend::Postgres(postgres) => {
            ensure!(
                is_empty(database.url()).await?,
                "the database has tables: restore needs an empty database"
            );
            restore(postgres, backup)?;
        }
    }
    database.migrate().await?;
    say(format_args!("the database has what is in {}; its tables are up to date", file.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Creates an SQLite file from a backup, after verifying the backup.
async fn copy(options: &SqliteConnectOptions, mut backup: File) -> anyhow::Result<()> {
    let file = options.get_filename();
    store::refuse_if_in_use(file)?;
    // SQLite would take side files of another database for changes of this one.
    for side_file in database::side_files(file) {
        ensure!(!side_file.exists(), "{} exists: it belongs to another database", side_file.display());
    }
    let mut database = NewFile::at(file)?;
    io::copy(&mut backup, &mut database.unfinished).context("cannot copy the backup")?;
    verify(database.unfinished.path()).await?;
    database.keep()
}

/// Reads and verifies all of an SQLite file that has no writer.
async fn verify(file: &Path) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
    let mut connection =
        SqliteConnection::connect_with(&options).await.context("the backup cannot be opened")?;
    let faults: Vec<String> = sqlx::query_scalar("pragma integrity_check")
        .fetch_all(&mut connection)
        .await
        .context("the backup is not an SQLite database")?;
    ensure!(faults == ["ok"], "the backup is damaged: {}", faults.join("; "));
    let is_ours = database::has_table_of_games(&mut connection).await.context("the backup cannot be read")?;
    ensure!(is_ours, "the backup is not of Towers: it has no table of games");
    connection.close().await.context("the backup cannot be closed")
}

/// Whether a PostgreSQL database has no tables.
async fn is_empty(url: &str) -> anyhow::Result<bool> {
    let mut connection = PgConnection::connect(url).await.context("cannot connect to PostgreSQL")?;
    let is_empty = sqlx::query_scalar(
        "select not exists (select 1 from pg_tables where schemaname = any (current_schemas(false)))",
    )
    .fetch_one(&mut connection)
    .await
    .context("cannot list the tables of the database")?;
    connection.close().await.context("cannot close the connection to PostgreSQL")?;
    Ok(is_empty)
}

fn restore(postgres: &Postgres, backup: File) -> anyhow::Result<()> {
    let mut command = postgres.command(Program::Restore);
    command.args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]);
    Program::Restore.done(command.stdin(backup).status())
}
