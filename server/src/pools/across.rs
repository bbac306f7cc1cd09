//! Pairing across nodes.
//!
//! Each seeker has a home, the node that the player seeks at, and one owner pairs the seekers of all homes. A home hands
//! its seekers over to the owner, and remains the authority over them: the owner claims each seeker of another node
//! before it begins a game, and a home keeps a seeker for one claim at a time. So no seeker is paired twice, even while
//! two nodes take themselves for the owner. A node that reaches no others is the owner of its own seekers.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use game::{
    Player,
    ids::{GameId, NodeId, PlayerId},
};
use protocol::{Fault, Pool, ServerMessage};
use store::{List, Paging, Store, StoreError};
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
use crate::cluster::bus::{Claim, PoolNews, Refusal, Sought};

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

/// Number of a player's latest games among which the game of a lost claim is searched.
const LATEST_GAMES: u32 = 32;

/// Maximum difference between the clocks of two nodes, as far as that search tolerates one.
const CLOCKS_DIFFER_MS: i64 = 5_000;

/// What a node knows of the others' pools, and what they know of its own.
#[derive(Debug)]
pub(super) struct Across {
    peers: Peers,
    /// The node that pairs this node's seekers.
    owner: NodeId,
    /// Seekers of other nodes that were handed over to this one.
    pub(super) entrusted: Seekers,
    /// Players whose pools have changed since they were handed over to the owner.
    unsent: HashSet<PlayerId>,
    /// Seekers of this node that are kept for a claim of another.
    kept: HashMap<PlayerId, Kept>,
    /// Claims of this node that await an answer, by number.
    claims: HashMap<u64, oneshot::Sender<Option<Player>>>,
    n_claims: u64,
}

/// A seeker kept for a claim.
#[derive(Clone, Copy, Debug)]
struct Kept {
    claim: Claim,
    /// The player to be paired with.
    with: PlayerId,
    pool: Pool,
    until: Instant,
    /// The time of the claim, milliseconds since 1970.
    since_ms: i64,
}

/// A claim of this node on a seeker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed {
    home: NodeId,
    claim: Claim,
    player: PlayerId,
}

impl Across {
    pub(super) fn new(this: NodeId) -> Self {
        Self {
            peers: Peers::new(this),
            owner: this,
            entrusted: Seekers::default(),
            unsent: HashSet::new(),
            kept: HashMap::new(),
            claims: HashMap::new(),
            n_claims: 0,
        }
    }

    fn is_owner(&self) -> bool {
        self.owner == self.peers.this
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
                    self.look_around(n_announcements.is_multiple_of(ANNOUNCEMENTS));
                }
                () = stop.cancelled() => return,
            }
        }
    }

    /// Drops silent nodes and chooses the owner. With `all`, hands all seekers over to it again.
    fn look_around(&self, all: bool) {
        let mut inner = self.0.locked();
        for node in inner.across.peers.take_silent(Instant::now()) {
            inner.across.entrusted.remove_home(node);
        }
        self.0.choose_owner(&mut inner);
        if all && !inner.across.is_owner() {
            let inner = &mut *inner;
            inner.across.unsent.extend(inner.seekers.players());
            self.0.news.notify_one();
        }
    }

    /// Applies a message of another node.
    pub(super) fn apply_remote(&self, news: PoolNews) {
        let Shared { games, bus, news: wake, .. } = &*self.0;
        let (mut inner, now) = (self.0.locked(), Instant::now());
        match news {
            PoolNews::Alive { node } => {
                if inner.across.peers.add(node, now) {
                    // A node that has just started knows this one without waiting for its next announcement.
                    bus.publish_to_pools(|| PoolNews::Alive { node: bus.node() });
                }
                self.0.choose_owner(&mut inner);
            }
            PoolNews::Gone { node } => {
                inner.across.peers.remove(node);
                inner.across.entrusted.remove_home(node);
                self.0.choose_owner(&mut inner);
            }
            PoolNews::Paired { players, game } => {
                for player in players {
                    self.0.leave_paired(&mut inner, player, game);
                }
            }
            PoolNews::Seekers { home, seekers } => {
                for sought in seekers {
                    inner.across.entrusted.replace(home, &sought, now);
                }
                wake.notify_one();
            }
            PoolNews::Claim { claim, player, with, pool } => {
                let kept = Kept { claim, with, pool, until: now + KEPT_FOR, since_ms: games.env().now_ms() };
                let player = self.0.keep(&mut inner, player, kept).map(Into::into);
                bus.publish_to_pools_of(claim.owner, || PoolNews::Granted { claim, player });
            }
            PoolNews::Granted { claim, player } => {
                if let Some(answer) = inner.across.claims.remove(&claim.number) {
                    let _ = answer.send(player.map(Into::into));
                }
            }
            PoolNews::Released { claim, player } => {
                if inner.across.kept.get(&player).is_some_and(|kept| kept.claim == claim) {
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
        inner.across.is_owner() || !self.bus.is_connected()
    }

    /// Chooses the owner among the nodes that are up. A new owner gets all seekers of this node.
    fn choose_owner(&self, inner: &mut Inner) {
        let peers = &inner.across.peers;
        let owner = if self.bus.is_connected() { peers.owner() } else { peers.this };
        if owner == inner.across.owner {
            return;
        }
        inner.across.owner = owner;
        let players: Vec<_> = inner.seekers.players().collect();
        if inner.across.is_owner() {
            inner.again(&players, Instant::now());
        } else {
            inner.across.entrusted = Seekers::default();
            inner.across.unsent.extend(players);
        }
        self.news.notify_one();
    }

    /// Schedules the handover of a player whose pools have changed, if another node pairs the player.
    pub(super) fn changed(&self, inner: &mut Inner, player: PlayerId) {
        if !inner.across.is_owner() {
            inner.across.unsent.insert(player);
            self.news.notify_one();
        }
    }

    /// Hands changed seekers over to the owner.
    pub(super) fn hand_over(&self) {
        let (inner, now) = (&mut *self.locked(), Instant::now());
        let (owner, unsent) = (inner.across.owner, std::mem::take(&mut inner.across.unsent));
        if inner.across.is_owner() {
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
        [player, with]: [PlayerId; 2],
        pool: Pool,
    ) -> (Claimed, oneshot::Receiver<Option<Player>>) {
        let (answer, answered) = oneshot::channel();
        let claim = Claim { owner: self.bus.node(), number: inner.across.n_claims };
        inner.across.n_claims += 1;
        inner.across.claims.insert(claim.number, answer);
        self.bus.publish_to_pools_of(home, || PoolNews::Claim { claim, player, with, pool });
        (Claimed { home, claim, player }, answered)
    }

    /// Gives a claimed seeker back to its home.
    pub(super) fn give_back(&self, inner: &mut Inner, Claimed { home, claim, player }: Claimed) {
        inner.across.claims.remove(&claim.number);
        self.bus.publish_to_pools_of(home, || PoolNews::Released { claim, player });
    }

    /// Keeps a free seeker of this node for a claim.
    fn keep(&self, inner: &mut Inner, player: PlayerId, kept: Kept) -> Option<Player> {
        let found = inner.seekers.find(player, kept.pool).filter(|_| !inner.beginning.contains(&player));
        let present = found.and_then(|_| self.presence.player(player))?;
        inner.beginning.insert(player);
        inner.across.kept.insert(player, kept);
        inner.later.add((player, kept.pool), kept.until);
        self.news.notify_one();
        Some(present)
    }

    /// Ends the claim for which a seeker is kept. The player is paired with another.
    fn release(&self, inner: &mut Inner, player: PlayerId) {
        inner.across.kept.remove(&player);
        inner.beginning.remove(&player);
        self.changed(inner, player);
        inner.again(&[player], Instant::now());
        self.news.notify_one();
    }

    /// Takes a player who is paired out of all pools. If this node had a part in it, it notifies the player's connections
    /// to it.
    pub(super) fn leave_paired(&self, inner: &mut Inner, player: PlayerId, game: GameId) {
        inner.across.entrusted.remove_from_all(player);
        inner.across.kept.remove(&player);
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
            None => inner.across.entrusted.find(player, pool).and_then(|waiting| waiting.home),
        };
        let Some(home) = home else { return self.refuse_here(inner, player, pool, why) };
        if let Refusal::TooManyUnderWay { .. } = why {
            inner.across.entrusted.remove_from_all(player);
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

    /// Whether a player is kept for a claim of another node. If the end of the claim is overdue, the store tells
    /// whether the game has begun.
    pub(super) async fn is_kept(&self, store: &dyn Store, player: PlayerId) -> bool {
        let Some(kept) = self.locked().across.kept.get(&player).copied() else { return false };
        if Instant::now() < kept.until {
            self.locked().later.add((player, kept.pool), kept.until);
            return true;
        }
        let begun = kept.game(store, player).await;
        let inner = &mut *self.locked();
        if inner.across.kept.get(&player).is_none_or(|now_kept| now_kept.claim != kept.claim) {
            return true;
        }
        match begun {
            Ok(Some(game)) => self.leave_paired(inner, player, game),
            Ok(None) => self.release(inner, player),
            Err(_) => {
                let until = Instant::now() + super::TRY_AGAIN_AFTER;
                inner.across.kept.insert(player, Kept { until, ..kept });
                inner.later.add((player, kept.pool), until);
            }
        }
        true
    }
}

impl Kept {
    /// Searches the game of the claim.
    async fn game(&self, store: &dyn Store, player: PlayerId) -> Result<Option<GameId>, StoreError> {
        let paging = Paging { before: None, limit: LATEST_GAMES };
        let page = store.list(List::GamesOf(player), paging).await?;
        let game = page.games.into_iter().find(|game| {
            game.seats.is_some()
                && game.is_of(self.with)
                && game.ruleset == self.pool.ruleset
                && game.clock == game::ClockRule::from(self.pool.clock)
                && game.created_ms >= self.since_ms - CLOCKS_DIFFER_MS
        });
        Ok(game.map(|game| game.id))
    }
}

impl Seekers {
    /// Returns a player with all of the player's pools, as they are handed over.
    fn sought(&self, player: PlayerId, now: Instant) -> Sought {
        let waiting = |pool: &Pool| self.find(player, *pool).map(|waiting| (*pool, waiting));
        let pools =
            self.pools_of(player).iter().filter_map(waiting).map(|(pool, Waiting { seeker, since, .. })| {
                let waited_ms = now.saturating_duration_since(since).as_millis();
                (pool, seeker.address, u64::try_from(waited_ms).unwrap_or(u64::MAX))
            });
        Sought { player, pools: pools.collect() }
    }

    /// Replaces the pools in which a player waits at a home.
    fn replace(&mut self, home: NodeId, Sought { player, pools }: &Sought, now: Instant) {
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
