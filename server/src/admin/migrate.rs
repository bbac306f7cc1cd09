//! `towers migrate`.

use std::process::ExitCode;

use super::{database::Database, say};

/// Runs `towers migrate`.
pub(super) async fn run(database: &Database) -> anyhow::Result<ExitCode> {
    database.migrate().await?;
    say("the tables are up to date")?;
    Ok(ExitCode::SUCCESS)
}
