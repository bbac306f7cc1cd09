//! `towers migrate`.

use std::process::ExitCode;

use super::{place::Place, say};

pub(super) async fn run(place: &Place) -> anyhow::Result<ExitCode> {
    place.migrate().await?;
    say("the tables are up to date")?;
    Ok(ExitCode::SUCCESS)
}
