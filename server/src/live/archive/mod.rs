//! Games that are over, for those who read them: each folded once for all who ask, kept in a small cache, and never a
//! task of its own.

mod archived;
mod cache;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::error;

pub(super) use self::archived::Archived;
pub(crate) use self::archived::WrittenRecord;
use self::{
    archived::Folding,
    cache::{Cache, Cell},
};
use super::{reads::LogReads, view::EVENTS_IN_PIECE};
use crate::{
    compute::{Asker, Compute, ComputeError},
    game::{BadLog, Corrupt},
    ids::GameId,
    protocol::Nack,
    store::{GameRow, StoreError, StoredEvent},
};

/// The games that are over.
#[derive(Debug)]
pub(super) struct Archive {
    cache: Mutex<Cache>,
    reads: LogReads,
    compute: Compute,
}

/// Why a game that is over could not be read.
#[derive(Debug, thiserror::Error)]
enum ReadError {
    #[error("no game has this id")]
    UnknownGame,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Compute(#[from] ComputeError),
    #[error(transparent)]
    Corrupt(#[from] BadLog),
}

impl Archive {
    /// An archive whose cache takes at most `limit` bytes.
    pub(super) fn new(limit: usize, reads: LogReads, compute: Compute) -> Self {
        Self { cache: Mutex::new(Cache::new(limit)), reads, compute }
    }

    /// The game of a row that says that it is over. All who ask for it at the same time wait for the same fold, which
    /// is the work of the first who asked.
    ///
    /// # Errors
    /// The game cannot be read just now, or too much work of the asker waits.
    pub(super) async fn get(&self, row: &GameRow, asker: Asker) -> Result<Arc<Archived>, Nack> {
        let cell = self.cache().cell(row.id, row.version);
        let _forgotten = Unread { archive: self, game: row.id, cell: &cell };
        let read = cell.get_or_try_init(|| self.read(row, asker)).await;
        let archived = read.map_err(|problem| refusal(row.id, &problem))?;
        self.cache().keep(row.id, &cell);
        Ok(archived.clone())
    }

    async fn read(&self, row: &GameRow, asker: Asker) -> Result<Arc<Archived>, ReadError> {
        let game = row.id;
        self.reads.charge(asker, row.version);
        let log = self.reads.log(game, asker).await?.ok_or(ReadError::UnknownGame)?;
        let first = log.events.first().ok_or(BadLog::Corrupt(Corrupt::NotCreated))?;
        let mut folding = Folding::begin(first)?;
        let mut rest = log.events.into_iter().skip(1);
        loop {
            let piece: Vec<StoredEvent> = rest.by_ref().take(EVENTS_IN_PIECE).collect();
            if piece.is_empty() {
                return Ok(Arc::new(self.compute.run(asker, move || folding.end(game)).await?));
            }
            folding = self.compute.run(asker, move || folding.fold(&piece)).await??;
        }
    }

    /// Work with a game that may take long.
    ///
    /// # Errors
    /// Too much work of the asker waits.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Nack> {
        Ok(self.compute.run(asker, work).await?)
    }

    /// The games in the cache, and their bytes.
    #[cfg(test)]
    pub(super) fn contents(&self) -> (usize, usize) {
        self.cache().contents()
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refusal(game: GameId, problem: &ReadError) -> Nack {
    match problem {
        ReadError::UnknownGame => Nack::UnknownGame,
        // The pool tells of a panic itself.
        ReadError::Compute(error) => (*error).into(),
        ReadError::Store(_) | ReadError::Corrupt(_) => {
            error!(%game, error = problem as &dyn std::error::Error, "archive: game {game} cannot be read");
            Nack::Unavailable
        }
    }
}

/// Takes the place of a game out of the cache that was not read, since its log does not fold or nobody waits any more.
struct Unread<'a> {
    archive: &'a Archive,
    game: GameId,
    cell: &'a Cell,
}

impl Drop for Unread<'_> {
    fn drop(&mut self) {
        if !self.cell.initialized() {
            self.archive.cache().forget(self.game, self.cell);
        }
    }
}
