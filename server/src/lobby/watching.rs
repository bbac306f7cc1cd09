//! How many watch each game, by node: each node knows its own watchers and hears of the others'.

use std::collections::HashMap;

use crate::{
    ids::{GameId, NodeId},
    protocol::WatcherCount,
};

/// The watchers of all games that have any.
#[derive(Debug, Default)]
pub(super) struct WatchersByNode(HashMap<GameId, HashMap<NodeId, u32>>);

impl WatchersByNode {
    /// Takes note of a game's watchers on a node, and tells those on all.
    pub(super) fn set(
        &mut self,
        node: NodeId,
        WatcherCount { game, watchers }: WatcherCount,
    ) -> WatcherCount {
        let nodes = self.0.entry(game).or_default();
        if watchers == 0 {
            nodes.remove(&node);
        } else {
            nodes.insert(node, watchers);
        }
        let watchers = nodes.values().fold(0, |sum: u32, watchers| sum.saturating_add(*watchers));
        if nodes.is_empty() {
            self.0.remove(&game);
        }
        WatcherCount { game, watchers }
    }

    /// Takes note of all watchers on a node, and tells those on all for the games that it had or has watchers of.
    pub(super) fn set_all(&mut self, node: NodeId, counts: &[WatcherCount]) -> Vec<WatcherCount> {
        let ended = self.of(node).into_iter().map(|before| WatcherCount { watchers: 0, ..before });
        let mut told: HashMap<GameId, WatcherCount> = HashMap::new();
        for count in ended.chain(counts.iter().copied()) {
            told.insert(count.game, self.set(node, count));
        }
        told.into_values().collect()
    }

    /// The watchers on a node.
    pub(super) fn of(&self, node: NodeId) -> Vec<WatcherCount> {
        let here = |(game, nodes): (&GameId, &HashMap<NodeId, u32>)| {
            nodes.get(&node).map(|&watchers| WatcherCount { game: *game, watchers })
        };
        self.0.iter().filter_map(here).collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_game_has_the_watchers_of_all_nodes() {
        let [one, other] = [1, 2].map(|id| NodeId::new(Uuid::from_u128(id)));
        let [game, next] = [3, 4].map(|id| GameId::new(Uuid::from_u128(id)));
        let count = |game, watchers| WatcherCount { game, watchers };
        let mut watching = WatchersByNode::default();
        assert_eq!(watching.set(one, count(game, 2)), count(game, 2));
        assert_eq!(watching.set(other, count(game, 3)), count(game, 5));
        assert_eq!(watching.set(one, count(game, 1)), count(game, 4));
        let mut told = watching.set_all(other, &[count(next, 7)]);
        told.sort_by_key(|count| count.game);
        assert_eq!(told, [count(game, 1), count(next, 7)], "what a node names no more nobody watches there");
        assert_eq!(watching.of(other), [count(next, 7)]);
        assert_eq!(watching.set_all(other, &[]), [count(next, 0)]);
        watching.set(one, count(game, 0));
        assert!(watching.0.is_empty());
    }

    #[test]
    fn no_number_of_watchers_that_a_node_tells_is_too_large_to_be_added() {
        let [one, other] = [1, 2].map(|id| NodeId::new(Uuid::from_u128(id)));
        let count = |watchers| WatcherCount { game: GameId::new(Uuid::from_u128(3)), watchers };
        let mut watching = WatchersByNode::default();
        watching.set(one, count(u32::MAX));
        assert_eq!(watching.set(other, count(2)), count(u32::MAX));
    }
}
