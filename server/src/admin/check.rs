//! `towers check`.

use std::process::ExitCode;

use game::ids::GameId;
use serde_json::Value;
use store::{GameRow, Store, StoreError};

use super::{
    database::Database,
    games::{self, Fault},
    integrity, names, say, vacations,
};
use crate::{convert, directory::deleted, env::Env};

/// The columns of a row that are determined by its log. Times are not: those of a slow commit differ a little.
const DECIDED: [&str; 7] = ["ruleset", "status", "seats", "version", "turn", "to_move", "outcome"];

/// Runs `towers check`.
pub(super) async fn run(database: &Database) -> anyhow::Result<ExitCode> {
    database.must_exist()?;
    let is_sound = integrity::report(&integrity::of(database).await?)?;
    let store = database.open_to_read().await?;
    let are_names_right = names::check(&*store).await?;
    let are_vacations_right = vacations::check(&*store).await?;
    let now_ms = Env::of_machine().now_ms();
    let (mut n_games, mut n_wrong) = (0_u64, 0_u64);
    games::each(&*store, async |game| {
        n_games += 1;
        if let Some(what) = wrong_with(&*store, game, now_ms).await? {
            n_wrong += 1;
            say(format_args!("{game}: {what}"))?;
        }
        Ok(())
    })
    .await?;
    store.close().await;
    say(format_args!("games replayed: {n_games}; wrong: {n_wrong}"))?;
    let is_right = is_sound && are_names_right && are_vacations_right && n_wrong == 0;
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Describes the faults of a game; `None` if it has none.
async fn wrong_with(store: &dyn Store, game: GameId, now_ms: i64) -> Result<Option<String>, StoreError> {
    Ok(match differences(store, game, now_ms).await? {
        Ok(differences) if differences.is_empty() => None,
        Ok(differences) => Some(differences.join("; ")),
        Err(fault) => Some(fault.to_string()),
    })
}

/// Compares a game's row with the row that its log produces. A game that was deleted meanwhile has no differences.
async fn differences(
    store: &dyn Store,
    game: GameId,
    now_ms: i64,
) -> Result<Result<Vec<String>, Fault>, StoreError> {
    loop {
        let row = match games::row(store, game).await? {
            Ok(Some(row)) => row,
            Ok(None) => return Ok(Ok(Vec::new())),
            Err(fault) => return Ok(Err(fault)),
        };
        let folded =
            games::replay(store, &row, now_ms, move |state| decided(convert::row(game, state))).await?;
        // A game in progress may have had a turn between the two reads.
        let again = games::row(store, game).await?;
        if again.is_ok_and(|again| again.is_some_and(|again| again.version != row.version)) {
            continue;
        }
        return Ok(folded.map(|folded| {
            let Some(folded) = folded else { return Vec::new() };
            let row = decided(row);
            let differing = DECIDED.iter().zip(row.iter().zip(&folded)).filter(|(_, (row, log))| row != log);
            differing
                .map(|(name, (row, log))| format!("the {name} of its row is {row}, that of its log {log}"))
                .collect()
        }));
    }
}

/// The values of [`DECIDED`]. Of players, logs and rows have the ids.
fn decided(game: GameRow) -> [Value; DECIDED.len()] {
    let game = serde_json::to_value(convert::summary(game, &deleted)).expect("a summary is JSON");
    DECIDED.map(|name| game[name].clone())
}
