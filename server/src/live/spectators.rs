//! Connections to finished games without a task. Only new names of the players are sent to them, until a line is said or a
//! player returns; then the game's task takes them over.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use game::ids::{GameId, PlayerId, Version};
use parking_lot::{Mutex, MutexGuard};
use protocol::ServerMessage;

use crate::{
    directory::Held,
    metrics::{Counted, METRICS},
    net::outbox::{ConnectionId, Outbox},
};

/// The connections by game.
#[derive(Debug, Default)]
pub(super) struct Spectators(Mutex<HashMap<GameId, Here>>);

/// The connections to one game, at least one.
#[derive(Debug)]
struct Here {
    connections: Vec<Spectator>,
    /// The players of the game, whose new names are told.
    _players: Held,
}

/// A connection to a game without a task.
#[derive(Debug)]
pub(super) struct Spectator {
    pub(super) outbox: Outbox,
    pub(super) player: PlayerId,
    /// The version that the connection has.
    pub(super) version: Version,
    _counted: Counted,
}

impl Spectator {
    /// Returns a connection of a player who has the game up to `version`.
    pub(super) fn new(outbox: Outbox, player: PlayerId, version: Version) -> Self {
        Self { outbox, player, version, _counted: Counted::in_gauge(&METRICS.watches) }
    }
}

impl Spectators {
    /// Adds a connection to a game with these players, or keeps it. Returns the number of players connected to the game.
    pub(super) fn add(&self, game: GameId, spectator: Spectator, players: impl FnOnce() -> Held) -> usize {
        let mut all = self.locked();
        let new = || Here { connections: Vec::new(), _players: players() };
        let here = &mut all.entry(game).or_insert_with(new).connections;
        here.retain(|other| other.outbox.id != spectator.outbox.id && !other.outbox.is_closed());
        here.push(spectator);
        here.iter().map(|spectator| spectator.player).collect::<HashSet<_>>().len()
    }

    /// Sends a message to the connections of a game.
    pub(super) fn tell(&self, game: GameId, message: &ServerMessage) {
        let all = self.locked();
        let here = all.get(&game).into_iter().flat_map(|here| &here.connections);
        here.for_each(|spectator| spectator.outbox.send(message));
    }

    /// Whether a connection of a game is registered.
    pub(super) fn has(&self, game: GameId, connection: ConnectionId) -> bool {
        let is_here = |here: &Here| here.connections.iter().any(|other| other.outbox.id == connection);
        self.locked().get(&game).is_some_and(is_here)
    }

    /// Removes a connection of a game, if it is registered.
    pub(super) fn remove(&self, game: GameId, connection: ConnectionId) -> Option<Spectator> {
        let mut all = self.locked();
        let Entry::Occupied(mut here) = all.entry(game) else { return None };
        let index = here.get().connections.iter().position(|spectator| spectator.outbox.id == connection);
        let spectator = index.map(|index| here.get_mut().connections.swap_remove(index));
        if here.get().connections.is_empty() {
            here.remove();
        }
        spectator
    }

    /// Removes all connections of a game.
    pub(super) fn take(&self, game: GameId) -> Vec<Spectator> {
        self.locked().remove(&game).map(|here| here.connections).unwrap_or_default()
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<GameId, Here>> {
        self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use store::Memory;
    use uuid::Uuid;

    use super::*;
    use crate::directory::Directory;

    fn spectator(outbox: &Outbox, number: u128) -> Spectator {
        Spectator::new(outbox.clone(), PlayerId::new(Uuid::from_u128(number)), Version::NONE)
    }

    #[test]
    fn connections_and_players_count_once_and_leave_nothing_behind() {
        let game = GameId::new(Uuid::from_u128(9));
        let (spectators, directory) = (Spectators::default(), Directory::new(Arc::new(Memory::default())));
        let add = |spectator| spectators.add(game, spectator, || directory.hold(game, []));
        let open: Vec<_> = (0..3).map(|_| Outbox::open()).collect();
        let [one, tab, other] = [0, 1, 2].map(|index| &open[index].0);
        assert_eq!(add(spectator(one, 1)), 1);
        assert_eq!(add(spectator(one, 1)), 1);
        assert_eq!(add(spectator(tab, 1)), 1);
        assert_eq!(add(spectator(other, 2)), 2);
        assert!(spectators.has(game, tab.id));
        assert!(spectators.remove(game, tab.id).is_some());
        assert!(!spectators.has(game, tab.id) && spectators.remove(game, tab.id).is_none());
        assert_eq!(spectators.take(game).len(), 2);
        assert!(spectators.locked().is_empty());
        let (gone, outgoing) = Outbox::open();
        add(spectator(&gone, 3));
        drop(outgoing);
        assert_eq!(add(spectator(one, 1)), 1, "a connection that broke is no more");
        assert!(spectators.remove(game, one.id).is_some());
        assert!(spectators.locked().is_empty());
    }
}
