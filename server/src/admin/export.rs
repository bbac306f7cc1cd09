//! `towers export`.

use std::{fs, io::Write, path::Path, process::ExitCode};

use anyhow::Context;
use game::{Status, ids::GameId, record};
use store::{Store, StoreError};

use super::{
    database::Database,
    games::{self, Fault},
    new_file::NewFile,
    say,
};
use crate::{convert, directory::deleted, env::Env};

/// Runs `towers export`.
pub(super) async fn run(database: &Database, dir: &Path) -> anyhow::Result<ExitCode> {
    let store = database.open_to_read().await?;
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let now_ms = Env::of_machine().now_ms();
    let (mut n_written, mut n_there, mut n_wrong) = (0_u64, 0_u64, 0_u64);
    games::each(&*store, async |game| {
        let path = dir.join(format!("{game}.txt"));
        // The record of a finished game never changes.
        if path.exists() {
            n_there += 1;
            return Ok(());
        }
        match record_of(&*store, game, now_ms).await? {
            Ok(Some(record)) => {
                n_written += 1;
                write(&path, &record)?;
            }
            Ok(None) => {}
            Err(fault) => {
                n_wrong += 1;
                say(format_args!("{game}: {fault}"))?;
            }
        }
        Ok(())
    })
    .await?;
    store.close().await;
    say(format_args!("records written: {n_written}; there already: {n_there}; wrong: {n_wrong}"))?;
    Ok(if n_wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The record of a game that is finished.
async fn record_of(
    store: &dyn Store,
    game: GameId,
    now_ms: i64,
) -> Result<Result<Option<String>, Fault>, StoreError> {
    match games::row(store, game).await? {
        Ok(Some(row)) if row.status == Status::Finished => {
            let players = convert::mentioned(&row).collect::<Vec<_>>();
            let named = store.named(&players).await?;
            let name = move |id| {
                let player = named.iter().find(|(player, _)| player.id == id);
                player.map_or_else(|| deleted(id).name, |(player, _)| player.name.clone())
            };
            games::replay(store, &row, now_ms, |state| record::of(state, name).to_text()).await
        }
        Ok(_) => Ok(Ok(None)),
        Err(fault) => Ok(Err(fault)),
    }
}

fn write(path: &Path, record: &str) -> anyhow::Result<()> {
    let mut file = NewFile::at(path)?;
    file.unfinished
        .write_all(record.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    file.keep()
}
