//! The node among the others: it hears what they tell, tells who is here, and looks in the store for what was lost on
//! the way.

use std::{sync::Arc, time::Duration};

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

/// Looks between two times that a node tells all of itself, and compares its games with the store. What is lost on
/// the way is back after this.
const LOOKS: u32 = 5;

/// What of this node the others have to do with.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) bus: Bus,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) games: Games,
    pub(crate) lobby: Lobby,
    pub(crate) presence: Presence,
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

    fn hear(&self, news: NodeNews) {
        match news {
            NodeNews::Row { row } => self.lobby.hear(&row),
            NodeNews::Came { node, player } => self.presence.hear_came(node, player),
            NodeNews::Left { node, player } => self.presence.hear_left(node, player),
            NodeNews::Seen { player } => self.presence.hear_seen(player),
            NodeNews::Renamed { player } => self.presence.hear_name(&player),
            NodeNews::Watching { node, count } => self.lobby.hear_watching(node, count),
            NodeNews::Here { node, players, watching } => {
                self.presence.hear_all(node, players);
                self.lobby.hear_all_watching(node, &watching);
            }
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
        let mut heard = self.bus.hears();
        for look in 0_u32.. {
            tokio::select! {
                _ = ticks.tick() => {}
                () = stop.cancelled() => break,
            }
            let hears = self.bus.hears();
            let after_silence = hears && !heard;
            heard = hears;
            if after_silence {
                self.presence.forgive_silence();
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
            if (look % LOOKS == 0 || after_silence || !hears)
                && let Err(error) = self.compare(after_silence, !hears || after_silence).await
            {
                warn!(%error, "what other nodes have done cannot be read: {error}");
            }
        }
        self.bus.take_leave().await;
    }

    async fn compare(&self, after_silence: bool, with_lobby: bool) -> Result<(), StoreError> {
        for (game, version) in self.store.versions(&self.games.live()).await? {
            self.games.compare(game, version, after_silence);
        }
        if with_lobby {
            self.lobby.catch_up(&*self.store).await?;
        }
        Ok(())
    }
}
