//! Finished games for their readers: folded once for concurrent requests, kept in a small cache, and never in a task.

mod archived;
mod cache;

use std::sync::Arc;

use game::{BadLog, Corrupt, ids::GameId};
use parking_lot::{Mutex, MutexGuard};
use protocol::Nack;
use store::{GameRow, StoreError, StoredEvent};
use tracing::error;

pub(super) use self::archived::Archived;
pub(crate) use self::archived::WrittenRecord;
use self::{
    archived::Folding,
    cache::{Cache, Cell},
};
use super::{
    document::Document,
    reads::{LogReads, mentioned},
    view::EVENTS_IN_PIECE,
};
use crate::{
    compute::{Compute, ComputeError, Requester},
    deflate::Gzipped,
    directory::Directory,
};

/// The archive of finished games.
#[derive(Debug)]
pub(super) struct Archive {
    cache: Mutex<Cache>,
    reads: LogReads,
    compute: Compute,
    directory: Directory,
}

/// The reason why a finished game could not be read.
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
    /// Returns an archive whose cache takes at most `limit` bytes.
    pub(super) fn new(limit: usize, reads: LogReads, compute: Compute, directory: Directory) -> Self {
        Self { cache: Mutex::new(Cache::new(limit)), reads, compute, directory }
    }

    /// Returns the game of a row that is over. Concurrent requests share one fold, which counts as work of the first
    /// requester.
    ///
    /// # Errors
    /// The game cannot be read now, or too much work of the requester is queued.
    pub(super) async fn get(&self, row: &GameRow, requester: Requester) -> Result<Arc<Archived>, Nack> {
        let cell = self.cache().cell(row.id, row.last_change());
        let _forgotten = Unread { archive: self, game: row.id, cell: &cell };
        let read = cell.get_or_try_init(|| self.read(row, requester)).await;
        let archived = read.map_err(|problem| refusal(row.id, &problem))?;
        self.cache().keep(row.id, &cell);
        Ok(archived.clone())
    }

    async fn read(&self, row: &GameRow, requester: Requester) -> Result<Arc<Archived>, ReadError> {
        let game = row.id;
        let folding = self.fold(row, requester).await?;
        Ok(Arc::new(self.compute.run(requester, move || folding.end(game)).await?))
    }

    /// Returns the document of a game that is not over.
    ///
    /// # Errors
    /// The game cannot be read now, or too much work of the requester is queued.
    pub(super) async fn document(&self, document: Document, requester: Requester) -> Result<Gzipped, Nack> {
        let game = document.row.id;
        let written = async {
            let folding = self.fold(&document.row, requester).await?;
            Ok(self.compute.run(requester, move || folding.document(document)).await?)
        };
        written.await.map_err(|problem| refusal(game, &problem))
    }

    /// Reads the log of a game from the store, and folds it up to the version of a row.
    async fn fold(&self, row: &GameRow, requester: Requester) -> Result<Folding, ReadError> {
        self.reads.charge(requester, row.version);
        let log = self.reads.log(row.id, requester).await?.ok_or(ReadError::UnknownGame)?;
        // Held first, so that a new name is not missed.
        let players = self.directory.hold(row.id, mentioned(&log.events));
        players.load().await?;
        let mut events = log.events.into_iter().take(row.version.get() as usize);
        let first = events.next().ok_or(BadLog::Corrupt(Corrupt::NotCreated))?;
        let mut folding = Folding::begin(&first, self.directory.clone(), players)?;
        loop {
            let piece: Vec<StoredEvent> = events.by_ref().take(EVENTS_IN_PIECE).collect();
            if piece.is_empty() {
                return Ok(folding);
            }
            folding = self.compute.run(requester, move || folding.fold(&piece)).await??;
        }
    }

    /// Removes a game from the cache, since one of its players has a new name.
    pub(super) fn forget(&self, game: GameId) {
        self.cache().forget(game);
    }

    /// Does work that may take long with a game.
    ///
    /// # Errors
    /// Too much work of the requester is queued.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        requester: Requester,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Nack> {
        Ok(self.compute.run(requester, work).await?)
    }

    /// The games in the cache, and their bytes.
    #[cfg(test)]
    pub(super) fn contents(&self) -> (usize, usize) {
        self.cache().contents()
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock()
    }
}

fn refusal(game: GameId, problem: &ReadError) -> Nack {
    match problem {
        ReadError::UnknownGame => Nack::UnknownGame,
        // The pool logs a panic itself.
        ReadError::Compute(error) => (*error).into(),
        ReadError::Store(_) | ReadError::Corrupt(_) => {
            error!(%game, error = problem as &dyn std::error::Error, "archive: reading game {game} failed");
            Nack::Unavailable
        }
    }
}

/// Removes the cell of a game from the cache on drop, since its log cannot be folded or the request was abandoned.
struct Unread<'a> {
    archive: &'a Archive,
    game: GameId,
    cell: &'a Cell,
}

impl Drop for Unread<'_> {
    fn drop(&mut self) {
        if !self.cell.initialized() {
            self.archive.cache().remove(self.game, self.cell);
        }
    }
}
