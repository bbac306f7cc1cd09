//! A node among its peers: it applies their messages, publishes its presence, and recovers missed messages from the
//! store.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use game::ids::{NodeId, PlayerId};
use protocol::Player;
use store::{EndedSessions, Store, StoreError};
use tokio::time::{MissedTickBehavior, sleep};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{
    cluster::bus::{Bus, GameNews, NodeNews},
    convert,
    directory::Directory,
    live::{FeedReader, Games, Missed},
    lobby::Lobby,
    mutes::Mutes,
    presence::Presence,
};

/// Interval at which the connection to the peers is checked; while disconnected, games are compared as often.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Number of checks between two publications of the node's full state, and comparisons of its games and its lobby with
/// the store. Lost messages are recovered after this.
const LOOKS: u32 = 5;

/// Interval at which the sessions of the connections, and the names and the mutes of players, are compared with the store. Where the
/// message about a session's end, a new name or a mute was lost, or the answer to its write, it takes effect after this.
const LOOK_AT_PLAYERS_EVERY: Duration = Duration::from_secs(60);

/// Time over which nodes that reconnect at the same moment spread their recovery of missed messages.
const READING_SPREADS_OVER: Duration = Duration::from_millis(500);

/// The parts of this node that messages from its peers act on.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) bus: Bus,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) games: Games,
    pub(crate) lobby: Lobby,
    pub(crate) presence: Presence,
    pub(crate) directory: Directory,
    pub(crate) mutes: Mutes,
    /// Whether a peer was disconnected for a while.
    pub(crate) has_missed: Arc<AtomicBool>,
}

impl Node {
    /// Applies messages of the peers, until `stop`.
    pub(crate) async fn listen(self, stop: CancellationToken) {
        let mut subscription = self.bus.subscribe_to_nodes().await;
        loop {
            tokio::select! {
                news = subscription.next() => self.apply_remote(news),
                () = stop.cancelled() => return,
            }
        }
    }

    /// Publishes what this node commits to the peers, until `stop`.
    pub(crate) async fn publish_commits(self, mut feed: FeedReader, stop: CancellationToken) {
        loop {
            let next = tokio::select! {
                biased;
                next = feed.next() => next,
                () = stop.cancelled() => return,
            };
            match next {
                Ok(Some(committed)) => {
                    self.bus.publish_to_game(committed.game(), || GameNews::events(&committed));
                    let names = |id| self.directory.player_with_id(id);
                    self.bus.publish_to_nodes(|| NodeNews::row(committed.row().clone(), &names));
                }
                Ok(None) => return,
                Err(Missed(number)) => {
                    warn!(number, "nodes: {number} commits not published in time");
                    self.bus.publish_to_nodes(|| NodeNews::Back);
                }
            }
        }
    }

    /// Applies a message of a peer.
    pub(crate) fn apply_remote(&self, news: NodeNews) {
        match news {
            NodeNews::Row { row } => {
                let seats = row.seats.clone().into_iter().flat_map(|seats| [seats.first, seats.second]);
                [row.creator.clone()]
                    .into_iter()
                    .chain(seats)
                    .for_each(|player| self.directory.learn(player));
                if let Some(row) = convert::row_in_full(*row) {
                    self.lobby.update(&row);
                }
            }
            NodeNews::Came { node, player } => self.presence.apply_remote_arrival(node, player),
            NodeNews::Left { node, player } => self.presence.apply_remote_departure(node, player),
            NodeNews::Seen { player } => self.presence.apply_remote_sighting(player),
            NodeNews::Renamed { id, player } => self.rename(id, player),
            NodeNews::Muted { player, until_ms } => self.mutes.set(player, until_ms),
            NodeNews::Joined { game, player, address } => self.games.apply_remote_join(game, player, address),
            NodeNews::SignedOut { player, ended } => self.presence.apply_sign_out(player, ended),
            NodeNews::Watching { node, count } => self.lobby.apply_remote_count(node, count),
            NodeNews::Here { node, part, watching } => {
                self.presence.apply_remote_players(node, part);
                if let Some(watching) = watching {
                    self.lobby.apply_remote_counts(node, &watching);
                }
            }
            NodeNews::Back => self.has_missed.store(true, Ordering::Relaxed),
            NodeNews::Gone { node } => {
                // Its last commits may not have been published.
                self.has_missed.store(true, Ordering::Relaxed);
                self.drop_node(node);
            }
        }
    }

    /// Shows a player under a new name, or of another kind.
    fn rename(&self, id: PlayerId, player: Player) {
        self.presence.apply_name(id, &player.name);
        self.games.rename(id, player);
    }

    /// Removes the presence on a node.
    fn drop_node(&self, node: NodeId) {
        self.presence.apply_remote_shutdown(node);
        self.lobby.apply_remote_counts(node, &[]);
    }

    /// Compares the players of this node with the store now and then, until `stop`: also on a node alone, which may not know what
    /// was stored.
    pub(crate) async fn keep_up_with_players(self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(LOOK_AT_PLAYERS_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = stop.cancelled() => return,
            }
            self.compare_players().await;
        }
    }

    /// Compares this node with the store, and publishes its state to the peers, until `stop`.
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
            let is_connected = connection.is_some();
            let after_silence = is_connected && connection != known;
            if after_silence {
                known = connection;
                self.presence.forgive_silence();
                self.bus.publish_to_nodes(|| NodeNews::Back);
            }
            if is_connected {
                for node in self.presence.silent_nodes() {
                    self.drop_node(node);
                }
            }
            if look % LOOKS == 0 || after_silence {
                self.publish_state();
            }
            let has_missed = self.has_missed.swap(false, Ordering::Relaxed) || after_silence;
            if has_missed {
                tokio::select! {
                    () = sleep(turn_to_read(self.bus.node())) => {}
                    () = stop.cancelled() => break,
                }
            }
            if (look % LOOKS == 0 || has_missed || !is_connected)
                && let Err(error) = self.compare(has_missed).await
            {
                warn!(%error, "nodes: comparison with the store failed: {error}");
                self.has_missed.fetch_or(has_missed, Ordering::Relaxed);
            }
            if has_missed {
                self.compare_players().await;
            }
        }
        self.bus.announce_shutdown().await;
    }

    /// Publishes the players and the spectators of this node.
    fn publish_state(&self) {
        if self.bus.is_alone() {
            return;
        }
        for news in NodeNews::state(self.bus.node(), self.presence.players(), self.lobby.watching()) {
            self.bus.publish_to_nodes(|| news);
        }
    }

    /// Compares the names, the mutes and the sessions of players with the store.
    async fn compare_players(&self) {
        if let Err(error) = self.compare_names().await {
            warn!(%error, "nodes: names not compared with the store: {error}");
        }
        if let Err(error) = self.mutes.compare(&*self.store, self.games.env().now_ms()).await {
            warn!(%error, "nodes: mutes not compared with the store: {error}");
        }
        if let Err(error) = self.compare_sessions().await {
            warn!(%error, "nodes: sessions not compared with the store: {error}");
        }
    }

    /// Closes the connections of sessions that have ended.
    async fn compare_sessions(&self) -> Result<(), StoreError> {
        let opened = self.presence.sessions();
        let players: BTreeSet<PlayerId> = opened.iter().map(|(player, _)| *player).collect();
        let players: Vec<PlayerId> = players.into_iter().collect();
        let living = self.store.sessions_among(&players).await?;
        for (player, session) in opened.difference(&living) {
            self.presence.apply_sign_out(*player, EndedSessions::One(*session));
        }
        Ok(())
    }

    /// Shows the names that have changed in the store.
    async fn compare_names(&self) -> Result<(), StoreError> {
        self.directory.renamed().await?.into_iter().for_each(|(id, player)| self.rename(id, player));
        Ok(())
    }

    /// Compares all games and the lobby with the store. `has_missed`: whether messages may have been lost.
    async fn compare(&self, has_missed: bool) -> Result<(), StoreError> {
        if has_missed {
            self.games.compare_after_silence().await?;
        } else {
            self.games.compare_last_changes().await?;
        }
        self.lobby.catch_up(&*self.store).await
    }
}

/// Returns the delay before a node recovers missed messages. It follows from the random id, so nodes that reconnect at
/// the same moment have different delays.
fn turn_to_read(node: NodeId) -> Duration {
    let part = u32::from(node.uuid().as_bytes()[15]);
    READING_SPREADS_OVER * part / 256
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn nodes_that_reconnect_at_the_same_moment_read_at_different_ones() {
        let turns: HashSet<Duration> = (0..64).map(|_| turn_to_read(Bus::alone().node())).collect();
        assert!(turns.len() > 16, "{turns:?}");
        assert!(turns.iter().all(|turn| *turn < READING_SPREADS_OVER));
    }
}
