//! Iteration over all games of a database, and replay of each from its log.

use game::{BadLog, State, ids::GameId};
use store::{GameRow, Store, StoreError};

/// Number of game ids in memory at once. Of the games themselves only one is in memory.
const PAGE: u32 = 1000;

/// A fault of a single game, as opposed to the database.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// The store cannot decode its row or its events, or the database is damaged there.
    #[error("{0:#}")]
    Unreadable(anyhow::Error),
    #[error("it has no event")]
    NoEvent,
    #[error(transparent)]
    BadLog(#[from] BadLog),
    /// The log makes the replay panic. No server writes such a log.
    #[error("replaying its log panics")]
    Panics,
}

/// Calls a function for each game.
pub(super) async fn each(
    store: &dyn Store,
    mut work: impl AsyncFnMut(GameId) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut last = None;
    loop {
        let page = store.games_after(last, PAGE).await?;
        for &game in &page {
            work(game).await?;
        }
        match page.last() {
            Some(&game) => last = Some(game),
            None => return Ok(()),
        }
    }
}

/// Reads a game's row; `None` if the game has been deleted since its id was read.
pub(super) async fn row(
    store: &dyn Store,
    game: GameId,
) -> Result<Result<Option<GameRow>, Fault>, StoreError> {
    understood(store.game(game).await)
}

/// Replays the game of a row from its log and returns the result of `look`; `None` if the game has been deleted since, or in
/// part: a long log is deleted in parts, its last events first.
pub(super) async fn replay<T: Send + 'static>(
    store: &dyn Store,
    row: &GameRow,
    now_ms: i64,
    look: impl FnOnce(&State) -> T + Send + 'static,
) -> Result<Result<Option<T>, Fault>, StoreError> {
    let log = match understood(store.log(row.id).await)? {
        Ok(log) => log,
        Err(fault) => return Ok(Err(fault)),
    };
    let n_events = log.as_ref().map_or(0, |log| log.events.len());
    if n_events < row.version.get() as usize && row.may_be_deleted(now_ms) {
        return Ok(Ok(None));
    }
    let Some(log) = log else { return Ok(Err(Fault::NoEvent)) };
    let replayed = tokio::task::spawn_blocking(move || {
        let events = log.events.iter().map(|event| (event.at_ms, event.body.as_str()));
        State::of_log(events).map(|state| look(&state))
    });
    Ok(match replayed.await {
        Ok(seen) => seen.map(Some).map_err(Fault::BadLog),
        Err(_) => Err(Fault::Panics),
    })
}

/// Separates faults of stored data from failures of the database.
fn understood<T>(answer: Result<T, StoreError>) -> Result<Result<T, Fault>, StoreError> {
    match answer {
        Err(error) if error.is_unreadable() || error.is_damage() => Ok(Err(Fault::Unreadable(error.into()))),
        answer => answer.map(Ok),
    }
}
