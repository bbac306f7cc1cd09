//! How the nodes on one database tell each other what they have done.
//!
//! Nothing depends on it: the database orders the events of a game, and whatever is lost on the way is had from there.
//! It makes the boards on other nodes move at once. Nobody ever waits for it; what finds the queue full is dropped.

mod nats;
mod news;

use std::{marker::PhantomData, sync::Arc};

use bytes::Bytes;
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use self::nats::{ConnectError, Nats};
pub(crate) use self::news::{AtGame, GameNews, NodeNews};
use crate::{
    ids::{GameId, NodeId},
    tasks::Tasks,
};

/// News that wait for who hears them. What comes when they are full is lost, and had from the database.
const SUBSCRIPTION_CAPACITY: usize = 256;

/// The subject of what all nodes want to know.
const NODES: &str = "towers.nodes";

/// A node's way to the others.
#[derive(Clone, Debug)]
pub struct Bus {
    node: NodeId,
    /// Shared: each connection of a client has copies of a bus.
    nats: Option<Arc<Nats>>,
}

/// News of one kind, as they come.
#[derive(Debug)]
pub(crate) struct Subscription<T> {
    /// None for a node that is alone.
    news: Option<(mpsc::Receiver<Bytes>, AbortOnDropHandle<()>)>,
    of: PhantomData<fn() -> T>,
}

impl Bus {
    /// The bus of a node that is the only one on its database.
    pub fn alone() -> Self {
        Self { node: NodeId::new(uuid::Uuid::now_v7()), nats: None }
    }

    /// A bus over NATS, whose work is done on `tasks`. NATS need not be there yet: a node that cannot
    /// reach it serves all the same, and tries again.
    ///
    /// # Errors
    /// The URL cannot be understood.
    pub(crate) async fn connect(url: &str, tasks: &Tasks) -> Result<Self, ConnectError> {
        let nats = Nats::connect(url, tasks).await?;
        Ok(Self { nats: Some(Arc::new(nats)), ..Self::alone() })
    }

    /// This node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Whether there are no other nodes.
    pub fn is_alone(&self) -> bool {
        self.nats.is_none()
    }

    /// Whether other nodes, if there are any, are heard now.
    pub fn is_connected(&self) -> bool {
        self.connection().is_some()
    }

    /// Which connection, counted from 0, other nodes are heard by, if they are. What was told before it and after the
    /// one before is lost, on both ways.
    pub(crate) fn connection(&self) -> Option<u64> {
        self.nats.as_ref().map_or(Some(0), |nats| nats.connection())
    }

    /// Tells the nodes that have a game in memory.
    pub(crate) fn publish_to_game(&self, game: GameId, news: impl FnOnce() -> GameNews) {
        if let Some(nats) = &self.nats {
            nats.post(subject_of(game), encoded(&news()));
        }
    }

    /// Tells all nodes.
    pub(crate) fn publish_to_nodes(&self, news: impl FnOnce() -> NodeNews) {
        if let Some(nats) = &self.nats {
            nats.post(NODES.to_owned(), encoded(&news()));
        }
    }

    /// What other nodes tell of a game. They are heard when this returns, unless they cannot be heard now.
    pub(crate) async fn subscribe_to_game(&self, game: GameId) -> Subscription<GameNews> {
        self.subscribe(subject_of(game)).await
    }

    /// What other nodes tell all.
    pub(crate) async fn subscribe_to_nodes(&self) -> Subscription<NodeNews> {
        self.subscribe(NODES.to_owned()).await
    }

    /// Tells all nodes that this one goes down.
    pub(crate) async fn announce_shutdown(&self) {
        if let Some(nats) = &self.nats {
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
    /// The next news; for ever waiting, if there are none to come.
    pub(crate) async fn next(&mut self) -> T {
        if let Some((news, _)) = &mut self.news {
            while let Some(news) = news.recv().await {
                match serde_json::from_slice(&news) {
                    Ok(news) => return news,
                    Err(error) => tracing::debug!(%error, "news of another node are not understood: {error}"),
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
