//! Messages between the nodes of one database.
//!
//! Nothing depends on them: the database orders the events of a game, and lost messages are recovered from there. They
//! make boards on other nodes update at once. No caller waits for them; a message that finds the queue full is dropped.

mod nats;
mod news;

use std::{marker::PhantomData, sync::Arc};

use bytes::Bytes;
use game::ids::{GameId, NodeId};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use self::nats::{ConnectError, Nats};
pub(crate) use self::news::{
    AtGame, Claim, GameNews, NodeNews, PlayersPart, PoolNews, Refusal, SaidLine, SeekerPools,
};
use crate::tasks::Tasks;

/// Capacity of a subscription. When it is full, messages are dropped and recovered from the database.
const SUBSCRIPTION_CAPACITY: usize = 256;

/// Subject of the messages to all nodes.
const NODES: &str = "towers.nodes";

/// Subject of the messages of the pools to all nodes.
const POOLS: &str = "towers.pools";

/// A node's connection to its peers.
#[derive(Clone, Debug)]
pub(crate) struct Bus {
    node: NodeId,
    /// Shared, since each client connection has clones of the bus.
    nats: Option<Arc<Nats>>,
}

/// A stream of the messages of one subject.
#[derive(Debug)]
pub(crate) struct Subscription<T> {
    /// `None` on a node that is alone.
    news: Option<(mpsc::Receiver<Bytes>, AbortOnDropHandle<()>)>,
    of: PhantomData<fn() -> T>,
}

impl Bus {
    /// Returns the bus of the only node on a database.
    pub(crate) fn of_only_node(node: NodeId) -> Self {
        Self { node, nats: None }
    }

    /// Returns the bus of a new node that is alone.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn alone() -> Self {
        Self::of_only_node(NodeId::new(uuid::Uuid::now_v7()))
    }

    /// Connects to NATS. The work is done on `tasks`. NATS need not be up yet: a node that cannot reach it serves all the
    /// same, and reconnects.
    ///
    /// # Errors
    /// The URL is invalid.
    pub(crate) async fn connect(node: NodeId, url: &str, tasks: &Tasks) -> Result<Self, ConnectError> {
        let nats = Nats::connect(url, tasks).await?;
        Ok(Self { node, nats: Some(Arc::new(nats)) })
    }

    /// The id of this node.
    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    /// Whether the node has no peers.
    pub(crate) fn is_alone(&self) -> bool {
        self.nats.is_none()
    }

    /// Whether peers are reachable now; always true of a node that is alone.
    pub(crate) fn is_connected(&self) -> bool {
        self.connection().is_some()
    }

    /// The number of the current connection to the peers, counted from 0; `None` while disconnected. Messages between
    /// two connections are lost, in both directions.
    pub(crate) fn connection(&self) -> Option<u64> {
        self.nats.as_ref().map_or(Some(0), |nats| nats.connection())
    }

    /// Publishes to the nodes that have a game in memory.
    pub(crate) fn publish_to_game(&self, game: GameId, news: impl FnOnce() -> GameNews) {
        if let Some(nats) = &self.nats {
            nats.post(subject_of(game), encoded(&news()));
        }
    }

    /// Publishes to all nodes.
    pub(crate) fn publish_to_nodes(&self, news: impl FnOnce() -> NodeNews) {
        if let Some(nats) = &self.nats {
            nats.post(NODES.to_owned(), encoded(&news()));
        }
    }

    /// Publishes news of the pools to all nodes.
    pub(crate) fn publish_to_pools(&self, news: impl FnOnce() -> PoolNews) {
        if let Some(nats) = &self.nats {
            nats.post(POOLS.to_owned(), encoded(&news()));
        }
    }

    /// Publishes news of the pools to one node.
    pub(crate) fn publish_to_pools_of(&self, node: NodeId, news: impl FnOnce() -> PoolNews) {
        if let Some(nats) = &self.nats {
            nats.post(pools_of(node), encoded(&news()));
        }
    }

    /// Subscribes to the messages about a game. The subscription is active on return, unless the peers are unreachable.
    pub(crate) async fn subscribe_to_game(&self, game: GameId) -> Subscription<GameNews> {
        self.subscribe(subject_of(game)).await
    }

    /// Subscribes to the messages to all nodes.
    pub(crate) async fn subscribe_to_nodes(&self) -> Subscription<NodeNews> {
        self.subscribe(NODES.to_owned()).await
    }

    /// Subscribes to the messages of the pools: those to all nodes, and those to this one.
    pub(crate) async fn subscribe_to_pools(&self) -> [Subscription<PoolNews>; 2] {
        [self.subscribe(POOLS.to_owned()).await, self.subscribe(pools_of(self.node)).await]
    }

    /// Announces to all nodes that this one shuts down.
    pub(crate) async fn announce_shutdown(&self) {
        if let Some(nats) = &self.nats {
            nats.send_last(POOLS.to_owned(), encoded(&PoolNews::Gone { node: self.node })).await;
            nats.send_last(NODES.to_owned(), encoded(&NodeNews::Gone { node: self.node })).await;
        }
    }

    async fn subscribe<T>(&self, subject: String) -> Subscription<T> {
        let news = match &self.nats {
            Some(nats) => Some(nats.subscribe(subject, SUBSCRIPTION_CAPACITY).await),
            None => None,
        };
        Subscription { news, of: PhantomData }
    }
}

impl<T: DeserializeOwned> Subscription<T> {
    /// Returns the next message; never returns if there are none to come.
    pub(crate) async fn next(&mut self) -> T {
        if let Some((news, _)) = &mut self.news {
            while let Some(news) = news.recv().await {
                match serde_json::from_slice(&news) {
                    Ok(news) => return news,
                    Err(error) => {
                        tracing::debug!(%error, "bus: message of another node not decoded: {error}")
                    }
                }
            }
        }
        std::future::pending().await
    }
}

fn encoded(news: &impl Serialize) -> Bytes {
    serde_json::to_vec(news).expect("news have string keys only").into()
}

fn subject_of(game: GameId) -> String {
    format!("towers.game.{game}")
}

fn pools_of(node: NodeId) -> String {
    format!("{POOLS}.{node}")
}
