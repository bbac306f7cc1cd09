use std::collections::{HashMap, HashSet, VecDeque};

use game::ids::{NodeId, PlayerId};
use protocol::Pool;
use tokio::time::Instant;

use super::Seeker;
use crate::net::{address::Network, limits::MAX_POOLS};

/// A seeker in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) seeker: Seeker,
    pub(super) since: Instant,
    /// The other node that the player seeks at; `None` if it is this one.
    pub(super) home: Option<NodeId>,
}

/// The waiting players, by pool.
#[derive(Debug, Default)]
pub(super) struct Seekers {
    /// In the order of arrival. No queue is empty.
    queues: HashMap<Pool, VecDeque<Waiting>>,
    /// The pools of each player. No list is empty.
    pools: HashMap<PlayerId, Vec<Pool>>,
    /// Players whose first search for a partner is due, in the order of arrival.
    arrived: VecDeque<(PlayerId, Pool)>,
}

/// The player is in [`MAX_POOLS`] other pools.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooManyPools;

impl Seekers {
    /// Puts a player into a pool, at the end of its queue; one who is in it stays in place.
    pub(super) fn add(&mut self, waiting: Waiting, pool: Pool) -> Result<(), TooManyPools> {
        let player = waiting.seeker.player;
        let pools = self.pools_of(player);
        if pools.contains(&pool) {
            return Ok(());
        }
        if pools.len() == MAX_POOLS {
            return Err(TooManyPools);
        }
        self.pools.entry(player).or_default().push(pool);
        self.queues.entry(pool).or_default().push_back(waiting);
        self.arrived.push_back((player, pool));
        Ok(())
    }

    /// Removes a player from a pool.
    pub(super) fn remove(&mut self, player: PlayerId, pool: Pool) {
        if let Some(pools) = self.pools.get_mut(&player) {
            pools.retain(|other| *other != pool);
            if pools.is_empty() {
                self.pools.remove(&player);
            }
        }
        if let Some(queue) = self.queues.get_mut(&pool) {
            queue.retain(|other| other.seeker.player != player);
            if queue.is_empty() {
                self.queues.remove(&pool);
            }
        }
        self.arrived.retain(|arrived| *arrived != (player, pool));
    }

    /// Removes a player from all pools.
    pub(super) fn remove_from_all(&mut self, player: PlayerId) {
        for pool in self.pools_of(player).to_vec() {
            self.remove(player, pool);
        }
    }

    /// Moves the players of a subscriber to the end of a pool's queue, in their order.
    pub(super) fn move_back(&mut self, subscriber: Network, pool: Pool, now: Instant) {
        let Some(queue) = self.queues.get_mut(&pool) else { return };
        let (own, others): (Vec<_>, Vec<_>) =
            queue.drain(..).partition(|waiting| waiting.seeker.address.subscriber() == subscriber);
        queue.extend(others);
        queue.extend(own.into_iter().map(|waiting| Waiting { since: now, ..waiting }));
    }

    /// Removes the players of a home from all pools.
    pub(super) fn remove_home(&mut self, home: NodeId) {
        let queues = self.queues.iter();
        let of_home = queues.flat_map(|(pool, queue)| {
            let of_home = queue.iter().filter(|waiting| waiting.home == Some(home));
            of_home.map(|waiting| (waiting.seeker.player, *pool))
        });
        for (player, pool) in of_home.collect::<Vec<_>>() {
            self.remove(player, pool);
        }
    }

    /// Returns all players who wait in any pool.
    pub(super) fn players(&self) -> impl Iterator<Item = PlayerId> {
        self.pools.keys().copied()
    }

    /// Whether the first search for a partner is due for any player.
    pub(super) fn has_arrived(&self) -> bool {
        !self.arrived.is_empty()
    }

    /// Removes and returns the first player whose first search for a partner is due.
    pub(super) fn take_arrived(&mut self) -> Option<(PlayerId, Pool)> {
        self.arrived.pop_front()
    }

    /// Returns the pools that a player waits in.
    pub(super) fn pools_of(&self, player: PlayerId) -> &[Pool] {
        self.pools.get(&player).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns a player's entry in a pool.
    pub(super) fn find(&self, player: PlayerId, pool: Pool) -> Option<Waiting> {
        if !self.pools_of(player).contains(&pool) {
            return None;
        }
        self.waiting(pool).find(|waiting| waiting.seeker.player == player)
    }

    /// Returns the players in a pool who have already been through a first search, in the order of arrival.
    pub(super) fn waiting_longer(&self, pool: Pool) -> impl Iterator<Item = Waiting> {
        let arrived: HashSet<_> = self.arrived.iter().copied().collect();
        self.waiting(pool).filter(move |waiting| !arrived.contains(&(waiting.seeker.player, pool)))
    }

    /// Returns the players in a pool, in the order of arrival.
    pub(super) fn waiting(&self, pool: Pool) -> impl Iterator<Item = Waiting> {
        self.queues.get(&pool).into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use engine::Ruleset;
    use protocol::ClockRule;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number))
    }

    fn waits(number: u128) -> Waiting {
        let address = std::net::IpAddr::from([192, 0, 2, 1]).into();
        Waiting { seeker: Seeker { player: id(number), address }, since: Instant::now(), home: None }
    }

    fn pool(ruleset: Ruleset) -> Pool {
        Pool { ruleset, clock: ClockRule::None {} }
    }

    fn days(days: u64) -> Pool {
        let clock = ClockRule::Correspondence { days: days.try_into().unwrap() };
        Pool { ruleset: Ruleset::Fenix, clock }
    }

    fn queue(seekers: &Seekers, pool: Pool) -> Vec<PlayerId> {
        seekers.waiting(pool).map(|waiting| waiting.seeker.player).collect()
    }

    fn ids<const N: usize>(numbers: [u128; N]) -> [PlayerId; N] {
        numbers.map(id)
    }

    #[test]
    fn a_queue_is_in_order_of_arrival() {
        let mut seekers = Seekers::default();
        for number in 1..=3 {
            seekers.add(waits(number), days(1)).unwrap();
        }
        assert_eq!(queue(&seekers, days(1)), ids([1, 2, 3]));
        seekers.add(waits(1), days(1)).unwrap();
        assert_eq!(queue(&seekers, days(1)), ids([1, 2, 3]), "who asks again keeps the place");
        seekers.remove(id(1), days(1));
        seekers.add(waits(1), days(1)).unwrap();
        assert_eq!(queue(&seekers, days(1)), ids([2, 3, 1]), "who leaves loses it");
    }

    #[test]
    fn another_ruleset_or_clock_is_another_pool() {
        let mut seekers = Seekers::default();
        let fenix = pool(Ruleset::Fenix);
        seekers.add(waits(1), fenix).unwrap();
        for other in [pool(Ruleset::Focus), days(3)] {
            seekers.add(waits(2), other).unwrap();
            assert_eq!(queue(&seekers, other), ids([2]));
        }
        assert_eq!(queue(&seekers, fenix), ids([1]));
    }

    #[test]
    fn a_player_is_in_a_bounded_number_of_pools() {
        let mut seekers = Seekers::default();
        for number in 1..=5 {
            seekers.add(waits(1), days(number)).unwrap();
        }
        assert_eq!(seekers.add(waits(1), days(6)), Err(TooManyPools));
        assert_eq!(seekers.add(waits(1), days(5)), Ok(()), "already in it");
        seekers.add(waits(2), days(6)).unwrap();
        seekers.remove(id(1), days(1));
        seekers.add(waits(1), days(6)).unwrap();
        assert_eq!(seekers.pools_of(id(1)), [2, 3, 4, 5, 6].map(days));
    }

    #[test]
    fn a_departed_seeker_leaves_nothing_behind() {
        let mut seekers = Seekers::default();
        for number in 1..=3 {
            seekers.add(waits(1), days(number)).unwrap();
        }
        seekers.add(waits(2), days(1)).unwrap();
        seekers.remove_from_all(id(1));
        assert_eq!(queue(&seekers, days(1)), ids([2]));
        seekers.remove_from_all(id(2));
        assert!(seekers.queues.is_empty() && seekers.pools.is_empty() && seekers.arrived.is_empty());
    }
}
