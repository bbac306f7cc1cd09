//! Pairing across nodes.
//!
//! Each seeker has a home, the node that the player seeks at, and one owner pairs the seekers of all homes. A home hands
//! its seekers over to the owner, and remains the authority over them: the owner claims each seeker of another node
//! before it begins a game, and a home keeps a seeker for one claim at a time. So no seeker is paired twice, even while
//! two nodes both believe they are the owner. A node that reaches no others is the owner of its own seekers.
//!
//! A seeker as its home sees it:
//!
//! ```text
//!   seek ──▶ free ──── Claim: Granted ────▶ kept ──── Paired, or the store has the game ────▶ paired
//!             ▲                              │ ▲                                            │
//!             │                              │ └── the store has no game yet: asked again ──┘
//!             └─ Released, or 45 s without a game ─┘
//! ```
//!
//! Ada seeks at node 1, Ben at node 2, and node 1 is the owner. Node 2 hands Ben over (`Seekers`). Node 1 finds that
//! they fit, keeps Ada and sends `Claim` to node 2, which keeps Ben and answers `Granted`. Node 1 stores the game and
//! sends `Paired` to all; node 2 sends Ben's page there. If node 1 is killed before that, node 2 asks the store every
//! 3 s whether the game exists, and releases Ben after 45 s. If Ben was kept for another claim, the answer is a
//! `Granted` without a player, and Ada stays free.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use game::{
    Player,
    ids::{GameId, NodeId, PlayerId},
};
use protocol::{Fault, Pool, ServerMessage};
use store::Store;
use tokio::{
    sync::oneshot,
    time::{Instant, MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

use super::{
    Inner, Pools, Seeker, Shared,
    peers::Peers,
    seekers::{Seekers, Waiting},
};
use crate::cluster::bus::{Claim, PoolNews, Refusal, SeekerPools};

/// Interval at which a node announces itself.
const ANNOUNCE_EVERY: Duration = Duration::from_secs(1);

/// Number of announcements between two handovers of all seekers, after which lost messages are recovered.
const ANNOUNCEMENTS: u32 = 5;

/// Maximum number of seekers in a message. Each takes less than 1 KiB, and NATS carries 1 MiB.
const SEEKERS_A_MESSAGE: usize = 512;

/// Maximum time for the answer to a claim.
pub(super) const CLAIM_TAKES: Duration = Duration::from_secs(1);

/// Time for which a seeker is kept for a claim whose end is not known: longer than the store takes to begin a game, or
/// to say that it cannot.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(45);

/// Interval at which the store is asked whether the game of a claim has begun.
pub(super) const ASK_EVERY: Duration = Duration::from_secs(3);

/// Time for which the release of a seeker is repeated, since the message may be lost.
const RELEASED_FOR: Duration = Duration::from_secs(5);

/// The part of a node's pools that concerns other nodes: their seekers here, and its own seekers there.
#[derive(Debug)]
pub(super) struct Cluster {
    peers: Peers,
    /// The node that pairs this node's seekers.
    owner: NodeId,
    /// Seekers of other nodes that were handed over to this one.
    pub(super) remote_seekers: Seekers,
    /// Players whose pools have changed since they were handed over to the owner.
    unsent: HashSet<PlayerId>,
    /// Seekers of this node that are kept for a claim of another.
    kept: HashMap<PlayerId, Reservation>,
    /// Claims of this node that await an answer, by number.
    claims: HashMap<u64, oneshot::Sender<Option<Player>>>,
    /// Claims of this node whose seekers were given back lately.
    given_back: Vec<(Claimed, Instant)>,
    n_claims: u64,
}

/// A seeker kept for a claim, or for a game of which this node does not know whether it has begun.
#[derive(Clone, Copy, Debug)]
struct Reservation {
    claim: Claim,
    game: GameId,
    pool: Pool,
    until: Instant,
}

/// A claim of this node on a seeker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed {
    home: NodeId,
    claim: Claim,
    player: PlayerId,
}

impl Cluster {
    pub(super) fn new(this: NodeId) -> Self {
        Self {
            peers: Peers::new(this),
            owner: this,
            remote_seekers: Seekers::default(),
            unsent: HashSet::new(),
            kept: HashMap::new(),
            claims: HashMap::new(),
            given_back: Vec::new(),
            n_claims: 0,
        }
    }

    fn is_owner(&self) -> bool {
        self.owner == self.peers.this
    }

    /// Returns the game that a player is kept for.
    #[cfg(test)]
    pub(super) fn kept_game(&self, player: PlayerId) -> Option<GameId> {
        self.kept.get(&player).map(|kept| kept.game)
    }

    /// Returns the numbers of the claims that await an answer.
    #[cfg(test)]
    pub(super) fn open_claims(&self) -> Vec<u64> {
        self.claims.keys().copied().collect()
    }
}

impl Pools {
    /// Applies messages of the other nodes and announces this one, until `stop`.
    pub(super) async fn listen(self, stop: CancellationToken) {
        let bus = &self.0.bus;
        let [mut to_all, mut to_this] = bus.subscribe_to_pools().await;
        let mut ticks = interval(ANNOUNCE_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut n_announcements = 0_u32;
        loop {
            tokio::select! {
                news = to_all.next() => self.apply_remote(news),
                news = to_this.next() => self.apply_remote(news),
                _ = ticks.tick() => {
                    bus.publish_to_pools(|| PoolNews::Alive { node: bus.node() });
                    n_announcements = n_announcements.wrapping_add(1);
                    self.refresh_peers(n_announcements.is_multiple_of(ANNOUNCEMENTS));
                }
                () = stop.cancelled() => return,
            }
        }
    }

    /// Drops silent nodes and chooses the owner. With `all`, hands all seekers over to it again.
    fn refresh_peers(&self, all: bool) {
        let mut inner = self.0.inner.lock();
        for node in inner.cluster.peers.take_silent(Instant::now()) {
            inner.cluster.remote_seekers.remove_home(node);
        }
        self.0.choose_owner(&mut inner);
        self.0.repeat_releases(&mut inner);
        if all && !inner.cluster.is_owner() {
            let inner = &mut *inner;
            inner.cluster.unsent.extend(inner.seekers.players());
            self.0.news.notify_one();
        }
    }

    /// Applies a message of another node.
    pub(super) fn apply_remote(&self, news: PoolNews) {
        let Shared { bus, news: wake, .. } = &*self.0;
        let (mut inner, now) = (self.0.inner.lock(), Instant::now());
        match news {
            PoolNews::Alive { node } => {
                if inner.cluster.peers.add(node, now) {
                    // A node that has just started knows this one without waiting for its next announcement.
                    bus.publish_to_pools(|| PoolNews::Alive { node: bus.node() });
                }
                self.0.choose_owner(&mut inner);
            }
            PoolNews::Gone { node } => {
                inner.cluster.peers.remove(node);
                inner.cluster.remote_seekers.remove_home(node);
                self.0.choose_owner(&mut inner);
            }
            PoolNews::Paired { players, game } => {
                for player in players {
                    // A game that this node begins is not undone by an earlier one.
                    let begins_here =
                        inner.beginning.contains(&player) && !inner.cluster.kept.contains_key(&player);
                    if !begins_here {
                        self.0.leave_paired(&mut inner, player, game);
                    }
                }
            }
            PoolNews::Seekers { home, seekers } => {
                for sought in seekers {
                    inner.cluster.remote_seekers.replace(home, &sought, now);
                }
                wake.notify_one();
            }
            PoolNews::Claim { claim, player, game, pool } => {
                let kept = Reservation { claim, game, pool, until: now + KEPT_FOR };
                let player = self.0.keep(&mut inner, player, kept).map(Into::into);
                bus.publish_to_pools_of(claim.owner, || PoolNews::Granted { claim, player });
            }
            PoolNews::Granted { claim, player } => {
                if let Some(answer) = inner.cluster.claims.remove(&claim.number) {
                    let _ = answer.send(player.map(Into::into));
                }
            }
            PoolNews::Released { claim, player } => {
                if inner.cluster.kept.get(&player).is_some_and(|kept| kept.claim == claim) {
                    self.0.release(&mut inner, player);
                }
            }
            PoolNews::Refused { player, pool, why } => self.0.refuse_here(&mut inner, player, pool, why),
        }
    }
}

impl Shared {
    /// Whether this node pairs its own seekers.
    pub(super) fn is_owner(&self, inner: &Inner) -> bool {
        inner.cluster.is_owner() || !self.bus.is_connected()
    }

    /// Chooses the owner among the nodes that are up. A new owner gets all seekers of this node.
    fn choose_owner(&self, inner: &mut Inner) {
        let peers = &inner.cluster.peers;
        let owner = if self.bus.is_connected() { peers.owner() } else { peers.this };
        if owner == inner.cluster.owner {
            return;
        }
        inner.cluster.owner = owner;
        let players: Vec<_> = inner.seekers.players().collect();
        if inner.cluster.is_owner() {
            inner.reschedule(&players, Instant::now());
        } else {
            inner.cluster.remote_seekers = Seekers::default();
            inner.cluster.unsent.extend(players);
        }
        self.news.notify_one();
    }

    /// Schedules the handover of a player whose pools have changed, if another node pairs the player.
    pub(super) fn changed(&self, inner: &mut Inner, player: PlayerId) {
        if !inner.cluster.is_owner() {
            inner.cluster.unsent.insert(player);
            self.news.notify_one();
        }
    }

    /// Hands changed seekers over to the owner.
    pub(super) fn hand_over(&self) {
        let (inner, now) = (&mut *self.inner.lock(), Instant::now());
        let (owner, unsent) = (inner.cluster.owner, std::mem::take(&mut inner.cluster.unsent));
        if inner.cluster.is_owner() {
            return;
        }
        let sought: Vec<_> = unsent.into_iter().map(|player| inner.seekers.sought(player, now)).collect();
        for seekers in sought.chunks(SEEKERS_A_MESSAGE) {
            let (home, seekers) = (self.bus.node(), seekers.to_vec());
            self.bus.publish_to_pools_of(owner, || PoolNews::Seekers { home, seekers });
        }
    }

    /// Claims a seeker of another node. The answer is the player under the current name, or `None`.
    pub(super) fn claim(
        &self,
        inner: &mut Inner,
        home: NodeId,
        player: PlayerId,
        game: GameId,
        pool: Pool,
    ) -> (Claimed, oneshot::Receiver<Option<Player>>) {
        let (answer, answered) = oneshot::channel();
        let claim = self.next_claim(inner);
        inner.cluster.claims.insert(claim.number, answer);
        self.bus.publish_to_pools_of(home, || PoolNews::Claim { claim, player, game, pool });
        (Claimed { home, claim, player }, answered)
    }

    fn next_claim(&self, inner: &mut Inner) -> Claim {
        let claim = Claim { owner: self.bus.node(), number: inner.cluster.n_claims };
        inner.cluster.n_claims += 1;
        claim
    }

    /// Gives a claimed seeker back to its home.
    pub(super) fn give_back(&self, inner: &mut Inner, claimed: Claimed) {
        inner.cluster.claims.remove(&claimed.claim.number);
        inner.cluster.given_back.push((claimed, Instant::now()));
        self.publish_release(claimed);
    }

    /// Releases the seekers again that were given back lately. A home ignores the release of a claim that is over.
    fn repeat_releases(&self, inner: &mut Inner) {
        let now = Instant::now();
        inner.cluster.given_back.retain(|(_, since)| now < *since + RELEASED_FOR);
        for (claimed, _) in &inner.cluster.given_back {
            self.publish_release(*claimed);
        }
    }

    fn publish_release(&self, Claimed { home, claim, player }: Claimed) {
        self.bus.publish_to_pools_of(home, || PoolNews::Released { claim, player });
    }

    /// Leaves a pairing open whose outcome is unknown: each home node polls the store for the game. This node keeps its
    /// own seekers as for a claim, and polls too.
    pub(super) fn mark_unknown(
        &self,
        inner: &mut Inner,
        players: [PlayerId; 2],
        claimed: &[Claimed],
        game: GameId,
        pool: Pool,
    ) {
        for player in players {
            match claimed.iter().find(|claimed| claimed.player == player) {
                Some(Claimed { claim, .. }) => {
                    inner.cluster.claims.remove(&claim.number);
                    inner.beginning.remove(&player);
                    inner.cluster.remote_seekers.remove_from_all(player);
                }
                None => {
                    let claim = self.next_claim(inner);
                    let now = Instant::now();
                    inner
                        .cluster
                        .kept
                        .insert(player, Reservation { claim, game, pool, until: now + KEPT_FOR });
                    inner.retries.add((player, pool), now + ASK_EVERY);
                }
            }
        }
    }

    /// Keeps a free seeker of this node for a claim.
    fn keep(&self, inner: &mut Inner, player: PlayerId, kept: Reservation) -> Option<Player> {
        let found = inner.seekers.find(player, kept.pool).filter(|_| !inner.beginning.contains(&player));
        let present = found.and_then(|_| self.presence.player(player))?;
        inner.beginning.insert(player);
        inner.cluster.kept.insert(player, kept);
        inner.retries.add((player, kept.pool), Instant::now() + ASK_EVERY);
        self.news.notify_one();
        Some(present)
    }

    /// Ends the claim for which a seeker is kept. The player is paired with another.
    fn release(&self, inner: &mut Inner, player: PlayerId) {
        inner.cluster.kept.remove(&player);
        inner.beginning.remove(&player);
        self.changed(inner, player);
        inner.reschedule(&[player], Instant::now());
        self.news.notify_one();
    }

    /// Takes a player who is paired out of all pools. If this node had a part in it, it notifies the player's connections
    /// to it.
    pub(super) fn leave_paired(&self, inner: &mut Inner, player: PlayerId, game: GameId) {
        inner.cluster.remote_seekers.remove_from_all(player);
        inner.cluster.kept.remove(&player);
        if inner.beginning.remove(&player) || !inner.seekers.pools_of(player).is_empty() {
            inner.seekers.remove_from_all(player);
            self.changed(inner, player);
            self.presence.send(player, &ServerMessage::Paired { game });
            self.broadcast_seeking(inner, player);
        }
    }

    /// Notifies a player, at whatever home, of the reason why a pairing failed.
    pub(super) fn refuse(&self, inner: &mut Inner, player: PlayerId, pool: Pool, why: Refusal) {
        let home = match inner.seekers.find(player, pool) {
            Some(_) => None,
            None => inner.cluster.remote_seekers.find(player, pool).and_then(|waiting| waiting.home),
        };
        let Some(home) = home else { return self.refuse_here(inner, player, pool, why) };
        if let Refusal::TooManyUnderWay { .. } = why {
            inner.cluster.remote_seekers.remove_from_all(player);
        }
        self.bus.publish_to_pools_of(home, || PoolNews::Refused { player, pool, why });
    }

    fn refuse_here(&self, inner: &mut Inner, player: PlayerId, pool: Pool, why: Refusal) {
        match why {
            Refusal::TooManyUnderWay { limit } => {
                inner.seekers.remove_from_all(player);
                self.changed(inner, player);
                let why = Fault::TooManyUnderWay { limit };
                self.presence.send(player, &ServerMessage::Error { why });
                self.broadcast_seeking(inner, player);
            }
            Refusal::Unavailable => {
                let why = Fault::PoolUnavailable { pool };
                self.presence.send(player, &ServerMessage::Error { why });
            }
        }
    }

    /// Whether a player is kept for a game that may have begun. The store tells whether it has. When it has not in time,
    /// the player is released.
    pub(super) async fn is_kept(&self, store: &dyn Store, player: PlayerId) -> bool {
        let Some(kept) = self.inner.lock().cluster.kept.get(&player).copied() else { return false };
        let has_begun = store.game(kept.game).await.map(|row| row.is_some());
        let (inner, now) = (&mut *self.inner.lock(), Instant::now());
        if inner.cluster.kept.get(&player).is_none_or(|now_kept| now_kept.claim != kept.claim) {
            return true;
        }
        match has_begun {
            Ok(true) => self.leave_paired(inner, player, kept.game),
            Ok(false) if now >= kept.until => self.release(inner, player),
            Ok(false) | Err(_) => inner.retries.add((player, kept.pool), now + ASK_EVERY),
        }
        true
    }
}

impl Seekers {
    /// Returns a player with all of the player's pools, as they are handed over.
    fn sought(&self, player: PlayerId, now: Instant) -> SeekerPools {
        let waiting = |pool: &Pool| self.find(player, *pool).map(|waiting| (*pool, waiting));
        let pools =
            self.pools_of(player).iter().filter_map(waiting).map(|(pool, Waiting { seeker, since, .. })| {
                let waited_ms = now.saturating_duration_since(since).as_millis();
                (pool, seeker.address, u64::try_from(waited_ms).unwrap_or(u64::MAX))
            });
        SeekerPools { player, pools: pools.collect() }
    }

    /// Replaces the pools in which a player waits at a home.
    fn replace(&mut self, home: NodeId, SeekerPools { player, pools }: &SeekerPools, now: Instant) {
        for pool in self.pools_of(*player).to_vec() {
            let is_of_home = self.find(*player, pool).is_some_and(|waiting| waiting.home == Some(home));
            if is_of_home && !pools.iter().any(|(sought, ..)| *sought == pool) {
                self.remove(*player, pool);
            }
        }
        for (pool, address, waited_ms) in pools {
            let since = now.checked_sub(Duration::from_millis(*waited_ms)).unwrap_or(now);
            let seeker = Seeker { player: *player, address: *address };
            // A home lets no player into too many pools.
            let _ = self.add(Waiting { seeker, since, home: Some(home) }, *pool);
        }
    }
}
