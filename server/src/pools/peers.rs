use std::{collections::HashMap, time::Duration};

use game::ids::NodeId;
use tokio::time::Instant;

/// Time after which a silent node counts as down. Nodes announce themselves every second.
const SILENCE: Duration = Duration::from_secs(3);

/// This node, and the others that are up.
#[derive(Debug)]
pub(super) struct Peers {
    pub(super) this: NodeId,
    /// Time of the last announcement of each other node.
    heard: HashMap<NodeId, Instant>,
}

impl Peers {
    /// Returns a node that knows no others.
    pub(super) fn new(this: NodeId) -> Self {
        Self { this, heard: HashMap::new() }
    }

    /// Records that a node is up. Returns whether it was not known to be.
    pub(super) fn add(&mut self, node: NodeId, now: Instant) -> bool {
        self.heard.insert(node, now).is_none()
    }

    /// Removes a node that shuts down.
    pub(super) fn remove(&mut self, node: NodeId) {
        self.heard.remove(&node);
    }

    /// Removes and returns the nodes that have been silent for too long.
    pub(super) fn take_silent(&mut self, now: Instant) -> Vec<NodeId> {
        self.heard.extract_if(|_, heard| now >= *heard + SILENCE).map(|(node, _)| node).collect()
    }

    /// Returns the node that pairs the seekers of all nodes: the one with the lowest id. Ids sort by the start of their
    /// nodes, so a node that starts takes over from none.
    pub(super) fn owner(&self) -> NodeId {
        self.heard.keys().copied().fold(self.this, NodeId::min)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;
    use uuid::Uuid;

    use super::*;

    const MOMENT: Duration = Duration::from_millis(1);

    fn node(number: u128) -> NodeId {
        NodeId::new(Uuid::from_u128(number))
    }

    #[tokio::test(start_paused = true)]
    async fn all_nodes_choose_the_oldest_of_those_that_are_up() {
        let now = Instant::now();
        for this in 1..=3 {
            let mut peers = Peers::new(node(this));
            assert_eq!(peers.owner(), node(this), "a node that knows no others");
            for other in (1..=3).filter(|other| *other != this) {
                assert!(peers.add(node(other), now));
            }
            assert_eq!(peers.owner(), node(1));
            peers.add(node(4), now);
            assert_eq!(peers.owner(), node(1), "a node that starts takes over from none");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_next_oldest_follows_an_owner_that_shuts_down_or_is_silent() {
        let mut peers = Peers::new(node(3));
        for other in [1, 2] {
            peers.add(node(other), Instant::now());
        }
        peers.remove(node(1));
        assert_eq!(peers.owner(), node(2));
        advance(SILENCE - MOMENT).await;
        assert_eq!(peers.take_silent(Instant::now()), []);
        advance(MOMENT).await;
        assert_eq!(peers.take_silent(Instant::now()), [node(2)]);
        assert_eq!(peers.owner(), node(3));
        assert!(peers.add(node(2), Instant::now()), "it is up again");
        assert_eq!(peers.owner(), node(2));
    }
}
