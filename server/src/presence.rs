//! Presence: the players with a connection to any node, and those who had one recently.

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    ops::Bound,
    sync::Arc,
    time::Duration,
};

use game::{
    Player,
    ids::{NodeId, PlayerId, PlayerName, SessionId},
};
use parking_lot::Mutex;
use protocol::ServerMessage;
use store::EndedSessions;
use tokio::time::Instant;

use crate::{
    cluster::bus::{Bus, NodeNews, PlayersPart},
    net::{
        address::Address,
        outbox::{CloseReason, ConnectionId, Outbox, frame},
    },
};

/// Time for which a player without a connection still counts as present: a page reloads, a network fails for a moment.
const GONE_AFTER: Duration = Duration::from_secs(30);

/// Time after which the presence on a silent node expires. Nodes publish it every 5 s.
const SILENCE: Duration = Duration::from_secs(15);

/// The players of all nodes, as far as this node knows.
#[derive(Clone, Debug)]
pub(crate) struct Presence {
    bus: Bus,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    /// Start of the server: the last time seen of all players who were present before.
    started: Instant,
    /// Players with a connection to this node.
    connected: HashMap<PlayerId, Connected>,
    /// Players of the other nodes.
    elsewhere: HashMap<NodeId, Elsewhere>,
    /// Number of nodes, this one included, to which a player has a connection; never 0.
    n_nodes: HashMap<PlayerId, u32>,
    /// Time last seen of the players without a connection, unless they are gone.
    seen: HashMap<PlayerId, Instant>,
    /// Last address of the players who are present on this node, or were recently.
    addresses: HashMap<PlayerId, Address>,
}

/// A player with a connection to this node.
#[derive(Debug)]
struct Connected {
    /// The player under the current name.
    player: Arc<Mutex<Player>>,
    /// The outboxes of all connections, each with the session that opened it; never empty.
    outboxes: Vec<(SessionId, Outbox)>,
}

/// The players of another node.
#[derive(Debug)]
struct Elsewhere {
    players: BTreeSet<PlayerId>,
    /// Time of the node's last message.
    heard: Instant,
}

/// Guard of a player's connection, which counts until it is dropped.
#[derive(Debug)]
pub(crate) struct PresenceGuard {
    presence: Presence,
    pub(crate) player: PlayerId,
    who: Arc<Mutex<Player>>,
    connection: ConnectionId,
    /// Whether the player was gone before, or not seen since the server started.
    pub(crate) is_new: bool,
}

impl Presence {
    /// Returns the presence at startup: no player is present, and none is gone.
    pub(crate) fn new(bus: Bus) -> Self {
        let inner = Inner {
            started: Instant::now(),
            connected: HashMap::new(),
            elsewhere: HashMap::new(),
            n_nodes: HashMap::new(),
            seen: HashMap::new(),
            addresses: HashMap::new(),
        };
        Self { bus, inner: Arc::new(Mutex::new(inner)) }
    }

    /// Counts a connection of a player, which a session has opened.
    pub(crate) fn enter(
        &self,
        player: Player,
        session: SessionId,
        address: Address,
        outbox: Outbox,
    ) -> PresenceGuard {
        let (id, connection) = (player.id, outbox.id);
        let mut inner = self.inner.lock();
        let is_new = inner.is_new(id, Instant::now());
        inner.addresses.insert(id, address);
        let connected = inner
            .connected
            .entry(id)
            .or_insert_with(|| Connected { player: Arc::new(Mutex::new(player)), outboxes: Vec::new() });
        connected.outboxes.push((session, outbox));
        let who = connected.player.clone();
        if connected.outboxes.len() == 1 {
            inner.arrive(id);
            self.bus.publish_to_nodes(|| NodeNews::Came { node: self.bus.node(), player: id });
        }
        drop(inner);
        PresenceGuard { presence: self.clone(), player: id, who, connection, is_new }
    }

    /// Applies a player's new name on this node.
    pub(crate) fn apply_name(&self, player: PlayerId, name: &PlayerName) {
        if let Some(connected) = self.inner.lock().connected.get(&player) {
            connected.player.lock().name.clone_from(name);
        }
    }

    /// Closes the connections of sessions that have ended, on all nodes.
    pub(crate) fn sign_out(&self, player: PlayerId, ended: EndedSessions) {
        self.apply_sign_out(player, ended);
        self.bus.publish_to_nodes(|| NodeNews::SignedOut { player, ended });
    }

    /// Closes the connections to this node of sessions that have ended.
    pub(crate) fn apply_sign_out(&self, player: PlayerId, ended: EndedSessions) {
        if let Some(connected) = self.inner.lock().connected.get(&player) {
            let outboxes = connected.outboxes.iter().filter(|(session, _)| ended.include(*session));
            outboxes.for_each(|(_, outbox)| outbox.end(CloseReason::SignedOut));
        }
    }

    /// Returns the sessions that have opened the connections to this node.
    pub(crate) fn sessions(&self) -> BTreeSet<(PlayerId, SessionId)> {
        let inner = self.inner.lock();
        let opened = inner.connected.iter().flat_map(|(player, connected)| {
            connected.outboxes.iter().map(|(session, _)| (*player, *session))
        });
        opened.collect()
    }

    /// Returns a player with a connection to this node, under the current name.
    pub(crate) fn player(&self, player: PlayerId) -> Option<Player> {
        self.inner.lock().connected.get(&player).map(|connected| connected.player.lock().clone())
    }

    /// Records a request of a player without a connection. Returns whether the player was gone before, or not seen
    /// since the server started.
    pub(crate) fn see(&self, player: PlayerId, address: Address) -> bool {
        let (mut inner, now) = (self.inner.lock(), Instant::now());
        let is_new = inner.is_new(player, now);
        inner.addresses.insert(player, address);
        if !inner.is_here(player) {
            inner.seen.insert(player, now);
            self.bus.publish_to_nodes(|| NodeNews::Seen { player });
        }
        is_new
    }

    /// Returns the last address of a player who is present on this node, or was recently.
    pub(crate) fn address(&self, player: PlayerId) -> Option<Address> {
        self.inner.lock().addresses.get(&player).copied()
    }

    /// Whether the player has a connection to this node.
    pub(crate) fn is_connected(&self, player: PlayerId) -> bool {
        self.inner.lock().connected.contains_key(&player)
    }

    /// Whether the player has had no connection for 30 s.
    pub(crate) fn is_gone(&self, player: PlayerId) -> bool {
        self.inner.lock().is_gone(player, Instant::now())
    }

    /// Number of players with a connection to any node.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.inner.lock().n_nodes.len()).unwrap_or(u32::MAX)
    }

    /// The players with a connection to this node.
    pub(crate) fn players(&self) -> Vec<PlayerId> {
        self.inner.lock().connected.keys().copied().collect()
    }

    /// Replaces the players of another node whose ids are in the range of a part of its state. A part without a range
    /// is ignored.
    pub(crate) fn apply_remote_players(&self, node: NodeId, part: PlayersPart) {
        if part.after.zip(part.until).is_some_and(|(after, until)| after >= until) {
            return;
        }
        let (inner, now) = (&mut *self.inner.lock(), Instant::now());
        let range = (
            part.after.map_or(Bound::Unbounded, Bound::Excluded),
            part.until.map_or(Bound::Unbounded, Bound::Included),
        );
        let there = inner.players_of(node, now);
        let players: BTreeSet<_> = part.players.into_iter().collect();
        let left: Vec<_> = there.range(range).filter(|player| !players.contains(player)).copied().collect();
        let came: Vec<_> = players.into_iter().filter(|player| there.insert(*player)).collect();
        for player in &left {
            there.remove(player);
        }
        came.into_iter().for_each(|player| inner.arrive(player));
        left.into_iter().for_each(|player| inner.depart(player, now));
    }

    /// Records a player's first connection to another node.
    pub(crate) fn apply_remote_arrival(&self, node: NodeId, player: PlayerId) {
        let inner = &mut *self.inner.lock();
        if inner.players_of(node, Instant::now()).insert(player) {
            inner.arrive(player);
        }
    }

    /// Records the end of a player's last connection to another node.
    pub(crate) fn apply_remote_departure(&self, node: NodeId, player: PlayerId) {
        let (inner, now) = (&mut *self.inner.lock(), Instant::now());
        if inner.elsewhere.get_mut(&node).is_some_and(|there| there.players.remove(&player)) {
            inner.depart(player, now);
        } else {
            inner.record_sighting(player, now);
        }
    }

    /// Records a player's request to another node.
    pub(crate) fn apply_remote_sighting(&self, player: PlayerId) {
        self.inner.lock().record_sighting(player, Instant::now());
    }

    /// Removes a node that shuts down.
    pub(crate) fn apply_remote_shutdown(&self, node: NodeId) {
        let (inner, now) = (&mut *self.inner.lock(), Instant::now());
        for player in inner.elsewhere.remove(&node).into_iter().flat_map(|gone| gone.players) {
            inner.depart(player, now);
        }
    }

    /// Returns the nodes that have been silent for too long and count as down.
    pub(crate) fn silent_nodes(&self) -> Vec<NodeId> {
        let now = Instant::now();
        let inner = self.inner.lock();
        inner
            .elsewhere
            .iter()
            .filter(|(_, there)| now >= there.heard + SILENCE)
            .map(|(node, _)| *node)
            .collect()
    }

    /// Restarts the silence of all other nodes: this node was disconnected from them.
    pub(crate) fn forgive_silence(&self) {
        let now = Instant::now();
        for there in self.inner.lock().elsewhere.values_mut() {
            there.heard = now;
        }
    }

    /// Queues a message on all connections of a player to this node.
    pub(crate) fn send(&self, player: PlayerId, message: &ServerMessage) {
        if let Some(connected) = self.inner.lock().connected.get(&player) {
            let frame = frame(message);
            for (_, outbox) in &connected.outboxes {
                outbox.push(frame.clone());
            }
        }
    }

    /// Drops the state of players who are gone.
    pub(crate) fn evict_gone(&self) {
        let (inner, now) = (&mut *self.inner.lock(), Instant::now());
        inner.seen.retain(|_, seen| now < *seen + GONE_AFTER);
        let (connected, seen) = (&inner.connected, &inner.seen);
        inner.addresses.retain(|player, _| connected.contains_key(player) || seen.contains_key(player));
    }
}

impl PresenceGuard {
    /// The player under the current name.
    pub(crate) fn who(&self) -> Player {
        self.who.lock().clone()
    }
}

impl Inner {
    fn is_gone(&self, player: PlayerId, now: Instant) -> bool {
        let seen = self.seen.get(&player).copied().unwrap_or(self.started);
        !self.is_here(player) && now >= seen + GONE_AFTER
    }

    fn is_here(&self, player: PlayerId) -> bool {
        self.n_nodes.contains_key(&player)
    }

    /// The players of another node, whose silence ends.
    fn players_of(&mut self, node: NodeId, now: Instant) -> &mut BTreeSet<PlayerId> {
        let there =
            self.elsewhere.entry(node).or_insert_with(|| Elsewhere { players: BTreeSet::new(), heard: now });
        there.heard = now;
        &mut there.players
    }

    /// Counts a player on one more node.
    fn arrive(&mut self, player: PlayerId) {
        *self.n_nodes.entry(player).or_default() += 1;
        self.seen.remove(&player);
    }

    /// Counts a player on one node less.
    fn depart(&mut self, player: PlayerId, now: Instant) {
        if let Entry::Occupied(mut n_nodes) = self.n_nodes.entry(player) {
            *n_nodes.get_mut() -= 1;
            if *n_nodes.get() == 0 {
                n_nodes.remove();
                self.seen.insert(player, now);
            }
        }
    }

    /// Records the time last seen of a player, unless the player has a connection.
    fn record_sighting(&mut self, player: PlayerId, now: Instant) {
        if !self.is_here(player) {
            self.seen.insert(player, now);
        }
    }

    fn is_new(&self, player: PlayerId, now: Instant) -> bool {
        let is_known = self.is_here(player) || self.seen.contains_key(&player);
        !is_known || self.is_gone(player, now)
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        let mut inner = self.presence.inner.lock();
        if let Some(connected) = inner.connected.get_mut(&self.player) {
            connected.outboxes.retain(|(_, outbox)| outbox.id != self.connection);
            if connected.outboxes.is_empty() {
                inner.connected.remove(&self.player);
                inner.depart(self.player, Instant::now());
                let bus = &self.presence.bus;
                bus.publish_to_nodes(|| NodeNews::Left { node: bus.node(), player: self.player });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;
    use uuid::Uuid;

    use super::*;

    const ADA: PlayerId = PlayerId::new(Uuid::from_u128(1));
    const BLAISE: PlayerId = PlayerId::new(Uuid::from_u128(2));
    const MOMENT: Duration = Duration::from_millis(1);

    fn called(id: PlayerId, name: &str) -> Player {
        Player { id, name: PlayerName::try_from(name.to_owned()).unwrap() }
    }

    fn session(number: u128) -> SessionId {
        SessionId::new(Uuid::from_u128(number))
    }

    fn enter(presence: &Presence, player: PlayerId) -> PresenceGuard {
        presence.enter(called(player, "Guest"), session(1), Address::of_tests(1), Outbox::open().0)
    }

    #[tokio::test]
    async fn connections_end_with_the_session_that_opened_them() {
        for (ended, expected) in [
            (EndedSessions::All, [true, true, true]),
            (EndedSessions::AllBut(session(1)), [false, false, true]),
            (EndedSessions::One(session(1)), [true, true, false]),
            (EndedSessions::One(session(3)), [false, false, false]),
        ] {
            let presence = Presence::new(Bus::alone());
            let opened = [1, 1, 2].map(|number| {
                let (outbox, outgoing) = Outbox::open();
                let guard = presence.enter(called(ADA, "Ada"), session(number), Address::of_tests(1), outbox);
                (guard, outgoing)
            });
            presence.sign_out(BLAISE, EndedSessions::All);
            presence.sign_out(ADA, ended);
            let closed = opened.each_ref().map(|(_, outgoing)| outgoing.ending.get().is_some());
            assert_eq!(closed, expected, "{ended:?}");
        }
    }

    #[tokio::test]
    async fn a_new_name_holds_on_all_connections_at_once() {
        let presence = Presence::new(Bus::alone());
        let here = [enter(&presence, ADA), enter(&presence, ADA), enter(&presence, BLAISE)];
        presence.apply_name(ADA, &called(ADA, "Ada").name);
        let names = here.each_ref().map(|here| here.who().name.to_string());
        assert_eq!(names, ["Ada", "Ada", "Guest"]);
        assert_eq!(presence.player(ADA), Some(called(ADA, "Ada")));
        assert_eq!(
            enter(&presence, ADA).who(),
            called(ADA, "Ada"),
            "a connection that began under the old name"
        );
        drop(here);
        presence.apply_name(ADA, &called(ADA, "Nobody").name);
        assert_eq!(presence.player(ADA), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_is_gone_when_the_last_connection_has_been_gone_for_30_seconds() {
        let presence = Presence::new(Bus::alone());
        let (one, other) = (enter(&presence, ADA), enter(&presence, ADA));
        advance(GONE_AFTER * 2).await;
        assert!(!presence.is_gone(ADA));
        drop(one);
        advance(GONE_AFTER).await;
        assert!(presence.is_connected(ADA) && !presence.is_gone(ADA), "the other connection is there");
        drop(other);
        assert!(!presence.is_connected(ADA) && !presence.is_gone(ADA));
        advance(GONE_AFTER - MOMENT).await;
        assert!(!presence.is_gone(ADA));
        advance(MOMENT).await;
        assert!(presence.is_gone(ADA));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_is_gone_in_the_first_30_seconds_of_the_server() {
        let presence = Presence::new(Bus::alone());
        advance(GONE_AFTER - MOMENT).await;
        assert!(!presence.is_gone(ADA));
        advance(MOMENT).await;
        assert!(presence.is_gone(ADA));
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_counts_as_new_after_an_absence() {
        let presence = Presence::new(Bus::alone());
        let here = enter(&presence, ADA);
        assert!(here.is_new, "not seen since the start");
        assert!(!enter(&presence, ADA).is_new);
        drop(here);
        advance(GONE_AFTER - MOMENT).await;
        let here = enter(&presence, ADA);
        assert!(!here.is_new);
        drop(here);
        advance(GONE_AFTER).await;
        assert!(enter(&presence, ADA).is_new);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_counts_as_presence_for_30_seconds() {
        let presence = Presence::new(Bus::alone());
        advance(GONE_AFTER).await;
        assert!(presence.see(ADA, Address::of_tests(1)));
        assert!(!presence.see(ADA, Address::of_tests(1)));
        advance(GONE_AFTER - MOMENT).await;
        assert!(!presence.is_gone(ADA));
        advance(MOMENT).await;
        assert!(presence.is_gone(ADA));
    }

    #[tokio::test(start_paused = true)]
    async fn players_are_counted_once_and_forgotten_when_they_are_gone() {
        let presence = Presence::new(Bus::alone());
        let here = [enter(&presence, ADA), enter(&presence, ADA), enter(&presence, BLAISE)];
        assert_eq!(presence.count(), 2);
        drop(here);
        assert_eq!(presence.count(), 0);
        presence.evict_gone();
        assert_eq!(presence.inner.lock().seen.len(), 2, "they may still come back");
        advance(GONE_AFTER).await;
        presence.evict_gone();
        assert!(presence.inner.lock().seen.is_empty());
    }

    fn player(number: u128) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number))
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_on_several_nodes_is_present_until_the_last_connection_ends() {
        let presence = Presence::new(Bus::alone());
        let [one, other] = [1, 2].map(|id| NodeId::new(Uuid::from_u128(id)));
        let here = enter(&presence, ADA);
        presence.apply_remote_arrival(one, ADA);
        presence.apply_remote_arrival(one, ADA);
        presence.apply_remote_arrival(other, ADA);
        assert_eq!(presence.count(), 1);
        drop(here);
        presence.apply_remote_departure(one, ADA);
        advance(GONE_AFTER * 2).await;
        assert_eq!((presence.count(), presence.is_gone(ADA)), (1, false), "the other node has a connection");
        presence.apply_remote_shutdown(other);
        assert_eq!((presence.count(), presence.is_gone(ADA)), (0, false));
        advance(GONE_AFTER).await;
        assert!(presence.is_gone(ADA));
    }

    #[tokio::test(start_paused = true)]
    async fn the_state_of_another_node_replaces_its_players_part_by_part() {
        const N_PLAYERS: u128 = 25_000;
        let presence = Presence::new(Bus::alone());
        let node = NodeId::new(Uuid::from_u128(1));
        let parts = |players: &dyn Fn(u128) -> bool| {
            PlayersPart::all((1..=N_PLAYERS).rev().filter(|number| players(*number)).map(player).collect())
        };
        let all = parts(&|_| true);
        assert_eq!(all.len(), 3);
        for part in all.iter().rev() {
            presence.apply_remote_players(node, part.clone());
        }
        assert_eq!(presence.count(), 25_000);
        let odd = parts(&|number| number % 2 == 1);
        assert_eq!(odd.len(), 2);
        presence.apply_remote_players(node, odd[0].clone());
        assert_eq!(presence.count(), 15_001, "a lost part changes nothing in its range");
        advance(GONE_AFTER).await;
        assert!(presence.is_gone(player(2)) && !presence.is_gone(player(1)));
        presence.apply_remote_players(node, odd[1].clone());
        assert_eq!(presence.count(), 12_500);
        let (after, until) = (Some(player(2)), Some(player(1)));
        presence.apply_remote_players(node, PlayersPart { players: vec![player(9)], after, until });
        assert_eq!(presence.count(), 12_500, "no range ends before it begins");
        presence.apply_remote_players(node, PlayersPart::all(vec![]).remove(0));
        assert_eq!(presence.count(), 0);
    }
}
