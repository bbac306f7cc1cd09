//! Connections to finished games without a task. Nothing is sent to them until a line is said or a player returns; then
//! the game's task takes them over.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use game::ids::{GameId, PlayerId, Version};
use parking_lot::{Mutex, MutexGuard};

use crate::{
    metrics::{Counted, METRICS},
    net::outbox::{ConnectionId, Outbox},
};

/// The connections by game; no list is empty.
#[derive(Debug, Default)]
pub(super) struct Spectators(Mutex<HashMap<GameId, Vec<Spectator>>>);

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
    /// Adds a connection to a game, or keeps it. Returns the number of players connected to the game.
    pub(super) fn add(&self, game: GameId, spectator: Spectator) -> usize {
        let mut all = self.locked();
        let here = all.entry(game).or_default();
        here.retain(|other| other.outbox.id != spectator.outbox.id && !other.outbox.is_closed());
        here.push(spectator);
        here.iter().map(|spectator| spectator.player).collect::<HashSet<_>>().len()
    }

    /// Whether a connection of a game is registered.
    pub(super) fn has(&self, game: GameId, connection: ConnectionId) -> bool {
        self.locked().get(&game).is_some_and(|here| here.iter().any(|other| other.outbox.id == connection))
    }

    /// Removes a connection of a game, if it is registered.
    pub(super) fn remove(&self, game: GameId, connection: ConnectionId) -> Option<Spectator> {
        let mut all = self.locked();
        let Entry::Occupied(mut here) = all.entry(game) else { return None };
        let index = here.get().iter().position(|spectator| spectator.outbox.id == connection);
        let spectator = index.map(|index| here.get_mut().swap_remove(index));
        if here.get().is_empty() {
            here.remove();
        }
        spectator
    }

    /// Removes all connections of a game.
    pub(super) fn take(&self, game: GameId) -> Vec<Spectator> {
        self.locked().remove(&game).unwrap_or_default()
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<GameId, Vec<Spectator>>> {
        self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn spectator(outbox: &Outbox, number: u128) -> Spectator {
        Spectator::new(outbox.clone(), PlayerId::new(Uuid::from_u128(number)), Version::NONE)
    }

    #[test]
    fn connections_and_players_count_once_and_leave_nothing_behind() {
        let spectators = Spectators::default();
        let game = GameId::new(Uuid::from_u128(9));
        let open: Vec<_> = (0..3).map(|_| Outbox::open()).collect();
        let [one, tab, other] = [0, 1, 2].map(|index| &open[index].0);
        assert_eq!(spectators.add(game, spectator(one, 1)), 1);
        assert_eq!(spectators.add(game, spectator(one, 1)), 1);
        assert_eq!(spectators.add(game, spectator(tab, 1)), 1);
        assert_eq!(spectators.add(game, spectator(other, 2)), 2);
        assert!(spectators.has(game, tab.id));
        assert!(spectators.remove(game, tab.id).is_some());
        assert!(!spectators.has(game, tab.id) && spectators.remove(game, tab.id).is_none());
        assert_eq!(spectators.take(game).len(), 2);
        assert!(spectators.locked().is_empty());
        let (gone, outgoing) = Outbox::open();
        spectators.add(game, spectator(&gone, 3));
        drop(outgoing);
        assert_eq!(spectators.add(game, spectator(one, 1)), 1, "a connection that broke is no more");
        assert!(spectators.remove(game, one.id).is_some());
        assert!(spectators.locked().is_empty());
    }
}
