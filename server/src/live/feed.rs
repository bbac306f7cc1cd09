//! The feed of what this node commits, for readers in the same process.
//!
//! The order of a game's events is that of their versions. A slow reader delays no game: it misses the oldest commits and
//! learns how many. A reader that must not miss one recovers from the store.

use store::Committed;
use tokio::sync::broadcast;

/// Capacity of the feed: some 0.2 s of a very busy node, at most 8 MiB of events of ordinary turns.
const CAPACITY: usize = 4096;

/// The writing end of the feed.
#[derive(Clone, Debug)]
pub(super) struct Feed(broadcast::Sender<Committed>);

/// A reader of the feed, from the moment of its subscription on.
#[derive(Debug)]
pub(crate) struct FeedReader(broadcast::Receiver<Committed>);

/// The number of commits that a reader has missed since it was too slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Missed(pub(crate) u64);

impl Feed {
    pub(super) fn new() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }

    /// Publishes a commit to all readers.
    pub(super) fn publish(&self, committed: Committed) {
        // Without readers there is nobody to miss it.
        let _ = self.0.send(committed);
    }

    pub(super) fn subscribe(&self) -> FeedReader {
        FeedReader(self.0.subscribe())
    }
}

impl FeedReader {
    /// Returns the next commit; `None` once the node's games have ended.
    ///
    /// # Errors
    /// The reader was too slow. The next call returns the oldest commit that is left.
    pub(crate) async fn next(&mut self) -> Result<Option<Committed>, Missed> {
        match self.0.recv().await {
            Ok(committed) => Ok(Some(committed)),
            Err(broadcast::error::RecvError::Closed) => Ok(None),
            Err(broadcast::error::RecvError::Lagged(missed)) => Err(Missed(missed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Ruleset, Seed};
    use game::{
        Command, Terms,
        ids::{GameId, Version},
    };
    use store::StoredEvent;

    use super::*;
    use crate::{
        compute::Requester,
        live::{Beginner, Request, tests::sample},
        net::address::Address,
    };

    async fn begin(node: &sample::Node) -> GameId {
        let sides = [1_u8, 2].map(|number| Beginner {
            player: sample::player(number.into()),
            address: Address::of_tests(number.into()),
        });
        let (id, seed) = (GameId::new(node.games.env().id()), Seed::new([0; 32]));
        node.games.begin(id, Ruleset::Fenix, Terms::default(), sides, seed).await.unwrap().id
    }

    fn versions(committed: &Committed) -> Vec<u32> {
        committed.events().iter().map(|StoredEvent { version, .. }| version.get()).collect()
    }

    #[tokio::test]
    async fn a_reader_gets_each_commit_since_its_subscription_with_the_row_after_it() {
        let node = sample::node(64 << 20).await;
        begin(&node).await;
        let mut reader = node.games.feed();
        let game = begin(&node).await;
        let resign = Request {
            id: sample::command(Version::new(3)),
            who: sample::player(2),
            requester: Requester::SERVER,
            command: Command::Resign,
            received_ms: 0,
            over_budget: None,
        };
        node.games.command(game, resign).await.unwrap();
        let begun = reader.next().await.unwrap().unwrap();
        assert_eq!((begun.game(), versions(&begun)), (game, vec![1, 2]));
        let resigned = reader.next().await.unwrap().unwrap();
        assert_eq!((resigned.game(), versions(&resigned)), (game, vec![3, 4]));
        assert!(resigned.row().is_over());
    }

    #[tokio::test]
    async fn a_slow_reader_learns_how_much_it_has_missed_and_goes_on_with_the_oldest_that_is_left() {
        let node = sample::node(64 << 20).await;
        let mut reader = node.games.feed();
        begin(&node).await;
        let committed = reader.next().await.unwrap().unwrap();
        let feed = Feed::new();
        let mut reader = feed.subscribe();
        for _ in 0..CAPACITY + 3 {
            feed.publish(committed.clone());
        }
        assert_eq!(reader.next().await.unwrap_err(), Missed(3));
        assert!(reader.next().await.unwrap().is_some());
    }
}
