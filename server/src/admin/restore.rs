//! `towers restore`.

use std::{fs::File, io, path::Path, process::ExitCode};

use anyhow::{Context, ensure};
use sqlx::{Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    database::{self, Backend, Database, Postgres, Program},
    new_file::{NewFile, Readers},
    say,
};
use crate::store;

pub(super) async fn run(database: &Database, file: &Path) -> anyhow::Result<ExitCode> {
    let backup = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    match &database.backend {
        Backend::File(options) => copy(options, backup).await?,
        Backend::Postgres(postgres) => {
            ensure!(
                is_empty(database.url()).await?,
                "the database has tables: restore fills one that has nothing yet"
            );
            restore(postgres, backup)?;
        }
    }
    database.migrate().await?;
    say(format_args!("the database has what is in {}; its tables are up to date", file.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Makes a file of SQLite of a backup, once that is known to be whole.
async fn copy(options: &SqliteConnectOptions, mut backup: File) -> anyhow::Result<()> {
    let file = options.get_filename();
    store::refuse_if_in_use(file)?;
    // What another database has left would be taken for changes of this one.
    for side_file in database::side_files(file) {
        ensure!(!side_file.exists(), "{} is there: it belongs to another database", side_file.display());
    }
    let mut database = NewFile::at(file, Readers::Owner)?;
    io::copy(&mut backup, &mut database.unfinished).context("cannot copy the backup")?;
    verify(database.unfinished.path()).await?;
    database.keep()
}

/// Reads all of a file of SQLite, which nobody writes.
async fn verify(file: &Path) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
    let mut connection =
        SqliteConnection::connect_with(&options).await.context("the backup cannot be opened")?;
    let faults: Vec<String> = sqlx::query_scalar("pragma integrity_check")
        .fetch_all(&mut connection)
        .await
        .context("the backup is no database of SQLite")?;
    ensure!(faults == ["ok"], "the backup is damaged: {}", faults.join("; "));
    let is_ours: bool = sqlx::query_scalar(
        "select exists (select 1 from sqlite_schema where type = 'table' and name = 'game')",
    )
    .fetch_one(&mut connection)
    .await
    .context("the backup cannot be read")?;
    ensure!(is_ours, "the backup is not one of Towers: it has no games");
    connection.close().await.context("the backup cannot be closed")
}

/// Whether a database of PostgreSQL has no table.
async fn is_empty(url: &str) -> anyhow::Result<bool> {
    let mut connection = PgConnection::connect(url).await.context("cannot connect to PostgreSQL")?;
    let is_empty = sqlx::query_scalar(
        "select not exists (select 1 from pg_tables where schemaname = any (current_schemas(false)))",
    )
    .fetch_one(&mut connection)
    .await
    .context("cannot see what the database has")?;
    connection.close().await.context("cannot leave PostgreSQL")?;
    Ok(is_empty)
}

fn restore(postgres: &Postgres, backup: File) -> anyhow::Result<()> {
    let mut command = postgres.command(Program::Restore);
    command.args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]);
    Program::Restore.done(command.stdin(backup).status())
}
