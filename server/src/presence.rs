//! Who is here: the players with a connection to this node, and those who had one a moment ago.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    ids::PlayerId,
    outbox::{ConnectionId, Outbox, frame},
    protocol::{Player, ServerMessage},
};

/// How long a player without a connection is not gone yet: a page is loaded again, a network fails for a moment.
const GONE_AFTER: Duration = Duration::from_secs(30);

/// The players of this node.
#[derive(Clone, Debug)]
pub struct Presence(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    /// When everybody counts as seen who was here before the server stopped.
    started: Instant,
    connected: HashMap<PlayerId, Connected>,
    /// When those without a connection were last seen, unless they are gone.
    seen: HashMap<PlayerId, Instant>,
}

/// A player with a connection.
#[derive(Debug)]
struct Connected {
    /// By the present name.
    player: Arc<Mutex<Player>>,
    /// Of all connections; never none.
    outboxes: Vec<Outbox>,
}

/// A connection of a player; it counts until this is dropped.
#[derive(Debug)]
pub struct Here {
    presence: Presence,
    pub player: PlayerId,
    who: Arc<Mutex<Player>>,
    connection: ConnectionId,
    /// Whether the player was gone before, or was not seen since the server started.
    pub came: bool,
}

impl Presence {
    /// Nobody is here yet, and nobody is gone yet.
    pub fn new() -> Self {
        let (connected, seen) = (HashMap::new(), HashMap::new());
        Self(Arc::new(Mutex::new(Inner { started: Instant::now(), connected, seen })))
    }

    /// Counts a connection of a player.
    pub fn enter(&self, player: Player, outbox: Outbox) -> Here {
        let (id, connection) = (player.id, outbox.id);
        let mut inner = self.locked();
        let came = inner.is_new(id, Instant::now());
        inner.seen.remove(&id);
        let connected = inner
            .connected
            .entry(id)
            .or_insert_with(|| Connected { player: Arc::new(Mutex::new(player)), outboxes: Vec::new() });
        connected.outboxes.push(outbox);
        Here { presence: self.clone(), player: id, who: connected.player.clone(), connection, came }
    }

    /// Has all connections of a player go on under another name.
    pub fn rename(&self, player: &Player) {
        if let Some(connected) = self.locked().connected.get(&player.id) {
            locked(&connected.player).clone_from(player);
        }
    }

    /// A player with a connection, by the present name.
    pub fn player(&self, player: PlayerId) -> Option<Player> {
        self.locked().connected.get(&player).map(|connected| locked(&connected.player).clone())
    }

    /// Takes note of a player who asks for something without a connection. Tells whether they were gone before, or
    /// were not seen since the server started.
    pub fn see(&self, player: PlayerId) -> bool {
        let (mut inner, now) = (self.locked(), Instant::now());
        let came = inner.is_new(player, now);
        if !inner.connected.contains_key(&player) {
            inner.seen.insert(player, now);
        }
        came
    }

    /// Whether the player has a connection.
    pub fn is_connected(&self, player: PlayerId) -> bool {
        self.locked().connected.contains_key(&player)
    }

    /// Whether the player has had no connection for 30 s.
    pub fn is_gone(&self, player: PlayerId) -> bool {
        self.locked().is_gone(player, Instant::now())
    }

    /// Players with a connection.
    pub fn count(&self) -> u32 {
        u32::try_from(self.locked().connected.len()).unwrap_or(u32::MAX)
    }

    /// Queues a message on all connections of a player.
    pub fn send(&self, player: PlayerId, message: &ServerMessage) {
        if let Some(connected) = self.locked().connected.get(&player) {
            let frame = frame(message);
            for outbox in &connected.outboxes {
                outbox.push(frame.clone());
            }
        }
    }

    /// Frees the memory of those who are gone.
    pub fn forget_gone(&self) {
        let now = Instant::now();
        self.locked().seen.retain(|_, seen| now < *seen + GONE_AFTER);
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        locked(&self.0)
    }
}

impl Here {
    /// The player by the present name.
    pub fn who(&self) -> Player {
        locked(&self.who).clone()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    fn is_gone(&self, player: PlayerId, now: Instant) -> bool {
        let seen = self.seen.get(&player).copied().unwrap_or(self.started);
        !self.connected.contains_key(&player) && now >= seen + GONE_AFTER
    }

    fn is_new(&self, player: PlayerId, now: Instant) -> bool {
        let is_known = self.connected.contains_key(&player) || self.seen.contains_key(&player);
        !is_known || self.is_gone(player, now)
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        let mut inner = self.presence.locked();
        if let Some(connected) = inner.connected.get_mut(&self.player) {
            connected.outboxes.retain(|outbox| outbox.id != self.connection);
            if connected.outboxes.is_empty() {
                inner.connected.remove(&self.player);
                inner.seen.insert(self.player, Instant::now());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;
    use uuid::Uuid;

    use super::*;
    use crate::ids::PlayerName;

    const ADA: PlayerId = PlayerId::new(Uuid::from_u128(1));
    const BLAISE: PlayerId = PlayerId::new(Uuid::from_u128(2));
    const MOMENT: Duration = Duration::from_millis(1);

    fn called(id: PlayerId, name: &str) -> Player {
        Player { id, name: PlayerName::try_from(name.to_owned()).unwrap() }
    }

    fn enter(presence: &Presence, player: PlayerId) -> Here {
        presence.enter(called(player, "Guest"), Outbox::open().0)
    }

    #[tokio::test]
    async fn who_takes_another_name_has_it_on_all_connections_at_once() {
        let presence = Presence::new();
        let here = [enter(&presence, ADA), enter(&presence, ADA), enter(&presence, BLAISE)];
        presence.rename(&called(ADA, "Ada"));
        let names = here.each_ref().map(|here| here.who().name.to_string());
        assert_eq!(names, ["Ada", "Ada", "Guest"]);
        assert_eq!(presence.player(ADA), Some(called(ADA, "Ada")));
        assert_eq!(
            enter(&presence, ADA).who(),
            called(ADA, "Ada"),
            "a connection that began under the old name"
        );
        drop(here);
        presence.rename(&called(ADA, "Nobody"));
        assert_eq!(presence.player(ADA), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_is_gone_when_the_last_connection_has_been_gone_for_30_seconds() {
        let presence = Presence::new();
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
        let presence = Presence::new();
        advance(GONE_AFTER - MOMENT).await;
        assert!(!presence.is_gone(ADA));
        advance(MOMENT).await;
        assert!(presence.is_gone(ADA));
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_gone_comes_and_who_was_not_stays() {
        let presence = Presence::new();
        let here = enter(&presence, ADA);
        assert!(here.came, "not seen since the start");
        assert!(!enter(&presence, ADA).came);
        drop(here);
        advance(GONE_AFTER - MOMENT).await;
        let here = enter(&presence, ADA);
        assert!(!here.came);
        drop(here);
        advance(GONE_AFTER).await;
        assert!(enter(&presence, ADA).came);
    }

    #[tokio::test(start_paused = true)]
    async fn who_asks_for_something_is_not_gone_for_30_seconds() {
        let presence = Presence::new();
        advance(GONE_AFTER).await;
        assert!(presence.see(ADA));
        assert!(!presence.see(ADA));
        advance(GONE_AFTER - MOMENT).await;
        assert!(!presence.is_gone(ADA));
        advance(MOMENT).await;
        assert!(presence.is_gone(ADA));
    }

    #[tokio::test(start_paused = true)]
    async fn players_are_counted_once_and_forgotten_when_they_are_gone() {
        let presence = Presence::new();
        let here = [enter(&presence, ADA), enter(&presence, ADA), enter(&presence, BLAISE)];
        assert_eq!(presence.count(), 2);
        drop(here);
        assert_eq!(presence.count(), 0);
        presence.forget_gone();
        assert_eq!(presence.locked().seen.len(), 2, "they may still come back");
        advance(GONE_AFTER).await;
        presence.forget_gone();
        assert!(presence.locked().seen.is_empty());
    }
}
