//! Numbers of spectators by node: each node counts its own and receives those of the others.

use std::collections::HashMap;

use game::ids::{GameId, NodeId};
use protocol::SpectatorCount;

/// The numbers of spectators of all games by node; never 0.
#[derive(Debug, Default)]
pub(super) struct SpectatorsByNode(HashMap<GameId, HashMap<NodeId, u32>>);

impl SpectatorsByNode {
    /// Sets a game's number of spectators on a node, and returns the total.
    pub(super) fn set(
        &mut self,
        node: NodeId,
        SpectatorCount { game, spectators }: SpectatorCount,
    ) -> SpectatorCount {
        let nodes = self.0.entry(game).or_default();
        if spectators == 0 {
            nodes.remove(&node);
        } else {
            nodes.insert(node, spectators);
        }
        let spectators = nodes.values().fold(0, |sum: u32, spectators| sum.saturating_add(*spectators));
        if nodes.is_empty() {
            self.0.remove(&game);
        }
        SpectatorCount { game, spectators }
    }

    /// Sets all numbers of spectators on a node, and returns the totals of the games that it had or has spectators of.
    pub(super) fn set_all(&mut self, node: NodeId, counts: &[SpectatorCount]) -> Vec<SpectatorCount> {
        let ended = self.of(node).into_iter().map(|before| SpectatorCount { spectators: 0, ..before });
        let mut told: HashMap<GameId, SpectatorCount> = HashMap::new();
        for count in ended.chain(counts.iter().copied()) {
            told.insert(count.game, self.set(node, count));
        }
        told.into_values().collect()
    }

    /// The numbers of spectators on a node.
    pub(super) fn of(&self, node: NodeId) -> Vec<SpectatorCount> {
        let here = |(game, nodes): (&GameId, &HashMap<NodeId, u32>)| {
            nodes.get(&node).map(|&spectators| SpectatorCount { game: *game, spectators })
        };
        self.0.iter().filter_map(here).collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_game_has_the_spectators_of_all_nodes() {
        let [one, other] = [1, 2].map(|id| NodeId::new(Uuid::from_u128(id)));
        let [game, next] = [3, 4].map(|id| GameId::new(Uuid::from_u128(id)));
        let count = |game, spectators| SpectatorCount { game, spectators };
        let mut watching = SpectatorsByNode::default();
        assert_eq!(watching.set(one, count(game, 2)), count(game, 2));
        assert_eq!(watching.set(other, count(game, 3)), count(game, 5));
        assert_eq!(watching.set(one, count(game, 1)), count(game, 4));
        let mut told = watching.set_all(other, &[count(next, 7)]);
        told.sort_by_key(|count| count.game);
        assert_eq!(
            told,
            [count(game, 1), count(next, 7)],
            "games that a node no longer names have no spectators there"
        );
        assert_eq!(watching.of(other), [count(next, 7)]);
        assert_eq!(watching.set_all(other, &[]), [count(next, 0)]);
        watching.set(one, count(game, 0));
        assert!(watching.0.is_empty());
    }

    #[test]
    fn no_reported_number_of_spectators_overflows_the_total() {
        let [one, other] = [1, 2].map(|id| NodeId::new(Uuid::from_u128(id)));
        let count = |spectators| SpectatorCount { game: GameId::new(Uuid::from_u128(3)), spectators };
        let mut watching = SpectatorsByNode::default();
        watching.set(one, count(u32::MAX));
        assert_eq!(watching.set(other, count(2)), count(u32::MAX));
    }
}
