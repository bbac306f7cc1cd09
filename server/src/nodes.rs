//! The node among the others: it hears what they tell, tells who is here, and looks in the store for what was lost on
//! the way.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{
    bus::{Bus, NodeNews},
    ids::NodeId,
    live::Games,
    lobby::Lobby,
    presence::Presence,
    store::{Store, StoreError},
};

/// How often it is looked whether the other nodes are heard; while they are not, games are compared as often.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Looks between two times that a node tells all of itself, and compares its games and its lobby with the store. What
/// is lost on the way is back after this.
const LOOKS: u32 = 5;

/// What of this node the others have to do with.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) bus: Bus,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) games: Games,
    pub(crate) lobby: Lobby,
    pub(crate) presence: Presence,
    /// Whether another node was not heard for a while.
    pub(crate) has_missed: Arc<AtomicBool>,
}

impl Node {
    /// Takes note of what the others tell, until `stop`.
    pub(crate) async fn listen(self, stop: CancellationToken) {
        let mut hearing = self.bus.hear_nodes().await;
        loop {
            tokio::select! {
                news = hearing.next() => self.hear(news),
                () = stop.cancelled() => return,
            }
        }
    }

    /// Takes note of what another node tells.
    pub(crate) fn hear(&self, news: NodeNews) {
        match news {
            NodeNews::Row { row } => self.lobby.hear(&row),
            NodeNews::Came { node, player } => self.presence.hear_came(node, player),
            NodeNews::Left { node, player } => self.presence.hear_left(node, player),
            NodeNews::Seen { player } => self.presence.hear_seen(player),
            NodeNews::Renamed { player } => self.presence.hear_name(&player),
            NodeNews::SignedOut { player } => self.presence.hear_signed_out(player),
            NodeNews::Watching { node, count } => self.lobby.hear_watching(node, count),
            NodeNews::Here { node, players, watching } => {
                self.presence.hear_all(node, players);
                self.lobby.hear_all_watching(node, &watching);
            }
            NodeNews::Back => self.has_missed.store(true, Ordering::Relaxed),
            NodeNews::Gone { node } => self.lose(node),
        }
    }

    /// Forgets who was on a node.
    fn lose(&self, node: NodeId) {
        self.presence.hear_gone(node);
        self.lobby.hear_all_watching(node, &[]);
    }

    /// Compares with the store what this node knows, and tells the others of it, until `stop`.
    pub(crate) async fn keep_up(self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut known = self.bus.connection();
        for look in 0_u32.. {
            tokio::select! {
                _ = ticks.tick() => {}
                () = stop.cancelled() => break,
            }
            let connection = self.bus.connection();
            let hears = connection.is_some();
            let after_silence = hears && connection != known;
            if after_silence {
                known = connection;
                self.presence.forgive_silence();
                self.bus.tell_nodes(|| NodeNews::Back);
            }
            if hears {
                for node in self.presence.silent_nodes() {
                    self.lose(node);
                }
            }
            if look % LOOKS == 0 || after_silence {
                let (players, watching) = (self.presence.players(), self.lobby.watching());
                self.bus.tell_nodes(|| NodeNews::Here { node: self.bus.node(), players, watching });
            }
            let has_missed = self.has_missed.swap(false, Ordering::Relaxed) || after_silence;
            if (look % LOOKS == 0 || has_missed || !hears)
                && let Err(error) = self.compare(has_missed).await
            {
                warn!(%error, "what other nodes have done cannot be read: {error}");
                self.has_missed.fetch_or(has_missed, Ordering::Relaxed);
            }
        }
        self.bus.take_leave().await;
    }

    /// `has_missed` tells whether news were lost that only the store still has.
    async fn compare(&self, has_missed: bool) -> Result<(), StoreError> {
        for (game, version) in self.store.versions(&self.games.live()).await? {
            self.games.compare(game, version, has_missed);
        }
        self.lobby.catch_up(&*self.store).await
    }
}
