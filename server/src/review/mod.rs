//! Reviews of finished games: the chance to win after each turn, and clearly better turns.
//!
//! A review is computed once, by the node that was asked first, and stored. The search takes a turn at a time, on the
//! threads of the bots: all reviews together have the share of one address there. A node knows only of the reviews that
//! it computes itself; if another computes the same one, the first to be stored stays. A review that was under way when
//! its node stopped is lost, and begins again with the next request.

mod body;
mod walk;

#[cfg(test)]
mod tests;

use std::{collections::HashMap, sync::Arc};

use engine::record::Record;
use game::{
    Status,
    ids::{GameId, PlayerId},
};
use parking_lot::Mutex;
use protocol::{Nack, Review, ReviewProgress};
use store::{ReviewRow, Store, StoreError, WriteError, Writer};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use tracing::{error, warn};

pub(crate) use self::walk::NODES;
use self::walk::{Flaw, Walk};
use crate::{
    bots::Thinking,
    compute::{Compute, ComputeError, Requester},
    live::Games,
    net::address::{Address, Addresses, LimitedAction, LimitedResource, ResourceGuard, TooMany},
    recent::Recent,
};

/// Maximum number of reviews that a node computes at once. They take turns.
const UNDER_WAY: usize = 32;

/// Capacity of each of the two generations of games whose review failed.
const FAILED: usize = 256;

/// The reviews of a node.
#[derive(Clone, Debug)]
pub(crate) struct Reviews(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    dependencies: Dependencies,
    known: Mutex<ReviewTable>,
}

/// The parts of a node that its reviews depend on. They run on `tasks`.
#[derive(Debug)]
pub(crate) struct Dependencies {
    pub(crate) games: Games,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) compute: Compute,
    pub(crate) thinking: Thinking,
    pub(crate) addresses: Addresses,
    pub(crate) tasks: TaskTracker,
    /// Number of nodes of each search.
    pub(crate) n_nodes: u64,
}

/// The reviews that a node has been asked for and that are not stored.
#[derive(Debug)]
struct ReviewTable {
    under_way: HashMap<GameId, ReviewProgress>,
    failed: Recent<GameId, ()>,
}

/// A review, or how far it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    UnderWay(ReviewProgress),
    Done(Review),
}

/// The reason why there is no review.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReviewError {
    #[error("the game cannot be read, or not now")]
    Unread(Nack),
    #[error("the game is not over")]
    NotOver,
    #[error("this node was not asked for the review")]
    NotAsked,
    #[error("a review for this address is being computed")]
    TooMany(TooMany),
    #[error("the node computes the maximum number of reviews")]
    Full,
    #[error("the review could not be computed")]
    Failed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The reason why a review under way ended without a result.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error(transparent)]
    Flaw(#[from] Flaw),
    #[error(transparent)]
    Compute(#[from] ComputeError),
    #[error("its body is too long")]
    TooLong,
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Reviews {
    pub(crate) fn new(dependencies: Dependencies) -> Self {
        let known = ReviewTable { under_way: HashMap::new(), failed: Recent::new(FAILED) };
        Self(Arc::new(Shared { dependencies, known: Mutex::new(known) }))
    }

    /// Returns the review of a game, or its progress, for a reader of the game.
    ///
    /// # Errors
    /// The reader may not see the game, it is not over, or the review is neither stored nor under way here.
    pub(crate) async fn read(&self, game: GameId, reader: Option<PlayerId>) -> Result<Asked, ReviewError> {
        let row = self.0.dependencies.games.row(game, reader).await.map_err(ReviewError::Unread)?;
        if row.status != Status::Finished {
            return Err(ReviewError::NotOver);
        }
        // A review is stored before it stops being under way.
        let progress = self.0.known.lock().under_way.get(&game).copied();
        if let Some(progress) = progress {
            return Ok(Asked::UnderWay(progress));
        }
        if let Some(stored) = self.0.dependencies.store.review(game).await? {
            return body::read(&stored).map(Asked::Done).map_err(|error| {
                error!(%game, %error, "reviews: review of game {game} is unreadable: {error}");
                ReviewError::Failed
            });
        }
        let has_failed = self.0.known.lock().failed.find(&game).is_some();
        Err(if has_failed { ReviewError::Failed } else { ReviewError::NotAsked })
    }

    /// Begins the review of a finished game that `reader` may see, unless it is under way. It counts for `address`.
    ///
    /// # Errors
    /// The address or the node has the maximum number of reviews under way, the game cannot be read now, or its record
    /// is not that of a game.
    pub(crate) async fn begin(
        &self,
        game: GameId,
        reader: Option<PlayerId>,
        address: Address,
    ) -> Result<ReviewProgress, ReviewError> {
        let under_way = match self.enter(game, address)? {
            Entered::Before(progress) => return Ok(progress),
            Entered::Now(under_way) => under_way,
        };
        let Dependencies { games, compute, tasks, n_nodes, .. } = &self.0.dependencies;
        let requester = Requester::visitor(address);
        let record = games.record(game, reader, requester).await.map_err(ReviewError::Unread)?;
        let n_nodes = *n_nodes;
        let begin = move || {
            let record = Record::from_json(&record.json.text()).map_err(Flaw::from)?;
            Walk::begin(&record, n_nodes)
        };
        let walk = match compute.run(requester, begin).await {
            Ok(Ok(walk)) => walk,
            Ok(Err(flaw)) => return Err(self.fail(game, &flaw.into())),
            Err(ComputeError::Panicked) => return Err(self.fail(game, &ComputeError::Panicked.into())),
            Err(error) => return Err(ReviewError::Unread(error.into())),
        };
        let progress = walk.progress();
        tasks.spawn(under_way.run(walk));
        Ok(progress)
    }

    /// Enters a game among those whose review is under way.
    fn enter(&self, game: GameId, address: Address) -> Result<Entered, ReviewError> {
        let mut known = self.0.known.lock();
        if let Some(progress) = known.under_way.get(&game) {
            return Ok(Entered::Before(*progress));
        }
        if known.under_way.len() >= UNDER_WAY {
            return Err(ReviewError::Full);
        }
        let place = self
            .0
            .dependencies
            .addresses
            .open(address, LimitedResource::Review)
            .map_err(ReviewError::TooMany)?;
        known.under_way.insert(game, ReviewProgress { done: 0, of: 0 });
        drop(known);
        Ok(Entered::Now(UnderWay { reviews: self.clone(), game, address, _place: place }))
    }

    /// Records that a review cannot be computed.
    fn fail(&self, game: GameId, error: &Broken) -> ReviewError {
        error!(%game, %error, "reviews: review of game {game} failed: {error}");
        self.0.known.lock().failed.get(game, || ());
        ReviewError::Failed
    }
}

/// A review that was entered before, or now.
enum Entered {
    Before(ReviewProgress),
    Now(UnderWay),
}

/// A review that is being computed. It is known as such until it is dropped.
struct UnderWay {
    reviews: Reviews,
    game: GameId,
    address: Address,
    _place: ResourceGuard,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.reviews.0.known.lock().under_way.remove(&self.game);
    }
}

impl UnderWay {
    async fn run(self, walk: Walk) {
        match self.compute(walk).await {
            Ok(()) | Err(Broken::Compute(ComputeError::GoingDown) | Broken::Write(WriteError::Ended)) => {}
            Err(error @ (Broken::Compute(ComputeError::Busy) | Broken::Write(_))) => {
                let game = self.game;
                warn!(%game, %error, "reviews: review of game {game} is given up for now: {error}");
            }
            Err(error) => drop(self.reviews.fail(self.game, &error)),
        }
    }

    async fn compute(&self, mut walk: Walk) -> Result<(), Broken> {
        let Dependencies { addresses, writer, thinking, .. } = &self.reviews.0.dependencies;
        while !walk.is_done() {
            self.reviews.0.known.lock().under_way.insert(self.game, walk.progress());
            walk = thinking.run_background(move |stop| walk.advanced(stop)).await??;
        }
        let body = body::write(&walk.review());
        if body.len() > store::MAX_REVIEW {
            return Err(Broken::TooLong);
        }
        let n_bytes = body.len();
        writer.add_review(ReviewRow { game: self.game, body }).await?;
        addresses.charge(self.address, LimitedAction::Store, n_bytes, Instant::now());
        Ok(())
    }
}
