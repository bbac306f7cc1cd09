//! Quick pairing: a player who seeks a game with a ruleset and a clock is paired with the first who wants the same.
//!
//! One task pairs one player after the other, so that no player is paired twice. It never waits for a game to begin:
//! its two players are reserved, and pairing continues for everyone else. The seekers are behind a lock that is held
//! only briefly, so that sockets never wait for the task.
//!
//! Among several nodes one pairs the players of all ([`cluster`]).

mod cluster;
mod peers;
mod retries;
mod seekers;

#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use futures_util::{
    StreamExt,
    future::{BoxFuture, FutureExt, join_all, ready},
    stream::FuturesUnordered,
};
use game::{
    Player, Terms,
    ids::{GameId, PlayerId},
};
use parking_lot::Mutex;
use protocol::{Fault, Pool, ServerMessage};
use store::{Store, StoreError, WriteError};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::error;

use self::{
    cluster::{CLAIM_TAKES, Claimed, Cluster},
    retries::Retries,
    seekers::{Seekers, TooManyPools, Waiting},
};
use crate::{
    admission::{Applicant, Denied, Why},
    cluster::bus::{Bus, PoolNews, Refusal},
    live::{BeginError, Beginner, CreateError, Games},
    net::{
        address::{Address, Network},
        limits::{MAX_POOLS, whole_ms},
        outbox::Outbox,
    },
    presence::Presence,
    space,
    tasks::Tasks,
};

/// Number of candidates whose blocks are queried at once. If the player may be paired with none of them, the next ones
/// are queried, so that blocked players at the head of a queue never hide the rest.
const ASKED: usize = 64;

/// Time until a failed pairing is retried.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// Maximum time from the claim of a seeker to the beginning of the game, in milliseconds: far less than homes keep the
/// seeker.
const GRANTED_FOR_MS: i64 = 5_000;

/// Maximum number of seekers of one address with precedence in a queue. Further ones come after all of other addresses:
/// guests of one address must not be the first partners of everybody.
const OF_ADDRESS: usize = 2;

/// The pools of this node, and as long as it is the owner, those of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Pools(Arc<Shared>);

/// State shared by the task of the pools and the sockets.
#[derive(Debug)]
struct Shared {
    games: Games,
    presence: Presence,
    bus: Bus,
    inner: Mutex<Inner>,
    /// Notified when a seeker has arrived, or has changed and is to be handed over.
    news: Notify,
}

#[derive(Debug)]
struct Inner {
    /// Those whose home is this node.
    seekers: Seekers,
    cluster: Cluster,
    retries: Retries,
    /// Players whose game is being begun, here or on a node that has claimed them. They are not paired again, and still
    /// count as seekers.
    beginning: HashSet<PlayerId>,
    n_rounds: usize,
    /// Tests that wait until the pools are idle.
    #[cfg(test)]
    settled: Vec<tokio::sync::oneshot::Sender<()>>,
}

/// A player who seeks a game, and the address of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seeker {
    pub(crate) player: PlayerId,
    pub(crate) address: Address,
}

impl Seeker {
    fn applicant(self) -> Applicant {
        Applicant { player: self.player, address: Some(self.address) }
    }
}

impl Pools {
    /// Returns empty pools, whose task runs on `tasks`.
    pub(crate) fn start(
        games: Games,
        store: Arc<dyn Store>,
        presence: Presence,
        bus: Bus,
        tasks: &Tasks,
    ) -> Self {
        let inner = Mutex::new(Inner::new(Cluster::new(bus.node())));
        let shared = Arc::new(Shared { games, presence, bus, inner, news: Notify::new() });
        let pairing = Pairing {
            shared: shared.clone(),
            store,
            begun: FuturesUnordered::new(),
            tasks: tasks.tracker().clone(),
        };
        tasks.spawn_core("pools", pairing.run(tasks.stop().clone()));
        let pools = Self(shared);
        if !pools.0.bus.is_alone() {
            tasks.spawn_core("pools: other nodes", pools.clone().listen(tasks.stop().clone()));
        }
        pools
    }

    /// Puts a player into a pool. All connections of the player are sent `seeking`, and `paired` once there is a game;
    /// `from` is sent the reason of a refusal.
    pub(crate) fn seek(&self, seeker: Seeker, pool: Pool, from: &Outbox) {
        let Shared { games, presence, news, .. } = &*self.0;
        let (player, now) = (seeker.player, Instant::now());
        if !presence.is_connected(player) {
            return;
        }
        let wait = games.admission_wait(seeker.applicant(), now);
        let mut inner = self.0.inner.lock();
        if inner.seekers.find(player, pool).is_some() {
            return self.0.broadcast_seeking(&inner, player);
        }
        if !wait.is_zero() {
            let why = Fault::PoolTooFast { pool, retry_ms: whole_ms(wait) };
            return from.send(&ServerMessage::Error { why });
        }
        match inner.seekers.add(Waiting { seeker, since: now, home: None }, pool) {
            Ok(()) => {
                self.0.changed(&mut inner, player);
                self.0.broadcast_seeking(&inner, player);
                news.notify_one();
            }
            Err(TooManyPools) => {
                from.send(&ServerMessage::Error { why: Fault::TooManyPools { pool, limit: MAX_POOLS } });
            }
        }
    }

    /// Takes a player out of a pool, and notifies all connections of the player.
    pub(crate) fn stop_seeking(&self, player: PlayerId, pool: Pool) {
        let mut inner = self.0.inner.lock();
        inner.seekers.remove(player, pool);
        self.0.changed(&mut inner, player);
        self.0.broadcast_seeking(&inner, player);
    }

    /// Takes a player without connections out of all pools.
    pub(crate) fn left(&self, player: PlayerId) {
        let mut inner = self.0.inner.lock();
        if !self.0.presence.is_connected(player) {
            inner.seekers.remove_from_all(player);
            self.0.changed(&mut inner, player);
        }
    }

    /// Sends one connection of a player the pools that the player waits in.
    pub(crate) fn send_status(&self, player: PlayerId, to: &Outbox) {
        to.send(&self.0.inner.lock().seeking(player));
    }

    /// Waits until the pools are idle.
    #[cfg(test)]
    async fn settled(&self) {
        let (sender, settled) = tokio::sync::oneshot::channel();
        self.0.inner.lock().settled.push(sender);
        self.0.news.notify_one();
        settled.await.expect("the task of the pools runs");
    }
}

impl Shared {
    fn broadcast_seeking(&self, inner: &Inner, player: PlayerId) {
        self.presence.send(player, &inner.seeking(player));
    }

    /// Returns a player's entry in a pool, unless a game of the player is being begun or another node pairs the player.
    fn find_to_pair(&self, player: PlayerId, pool: Pool) -> Option<Waiting> {
        let inner = self.inner.lock();
        inner.find(player, pool).filter(|waiting| waiting.home.is_some() || self.is_owner(&inner))
    }
}

impl Inner {
    fn new(cluster: Cluster) -> Self {
        Self {
            seekers: Seekers::default(),
            cluster,
            retries: Retries::default(),
            beginning: HashSet::new(),
            n_rounds: 0,
            #[cfg(test)]
            settled: Vec::new(),
        }
    }

    fn seeking(&self, player: PlayerId) -> ServerMessage {
        ServerMessage::Seeking { pools: self.seekers.pools_of(player).to_vec() }
    }

    /// Returns a player's entry in a pool, unless a game of the player is being begun.
    fn find(&self, player: PlayerId, pool: Pool) -> Option<Waiting> {
        let remote_seekers = || self.cluster.remote_seekers.find(player, pool);
        let found = self.seekers.find(player, pool).or_else(remote_seekers);
        found.filter(|_| !self.beginning.contains(&player))
    }

    /// Returns the free players in a pool who have already been through a first search, in the order of arrival at any
    /// node.
    fn candidates(&self, pool: Pool) -> Vec<Waiting> {
        let (own, remote_seekers) =
            (self.seekers.waiting_longer(pool), self.cluster.remote_seekers.waiting_longer(pool));
        let is_free = |other: &Waiting| !self.beginning.contains(&other.seeker.player);
        let mut candidates: Vec<_> = own.chain(remote_seekers).filter(is_free).collect();
        candidates.sort_by_key(|waiting| waiting.since);
        candidates
    }

    /// Returns the moment of the next pairing.
    fn next(&self) -> Option<Instant> {
        let has_arrived = self.seekers.has_arrived() || self.cluster.remote_seekers.has_arrived();
        if has_arrived { Some(Instant::now()) } else { self.retries.next() }
    }

    /// Returns the entries to be paired now: that of the first arrival, or those that are due, the latest in the queue
    /// first. Each seeker is paired with the first partner in the queue, so that the first to arrive is the first to be
    /// paired.
    ///
    /// The arrivals of this node, those of the others and the entries that are due have the first place in turns: none of
    /// them keeps the others waiting.
    fn take_due(&mut self) -> Vec<(PlayerId, Pool)> {
        let takes = [Self::take_own, Self::take_entrusted, Self::take_later];
        self.n_rounds = self.n_rounds.wrapping_add(1);
        let first = self.n_rounds % takes.len();
        let mut taken = (0..takes.len()).map(|nth| takes[(first + nth) % takes.len()](self));
        taken.find(|due| !due.is_empty()).unwrap_or_default()
    }

    fn take_own(&mut self) -> Vec<(PlayerId, Pool)> {
        self.seekers.take_arrived().into_iter().collect()
    }

    fn take_entrusted(&mut self) -> Vec<(PlayerId, Pool)> {
        self.cluster.remote_seekers.take_arrived().into_iter().collect()
    }

    fn take_later(&mut self) -> Vec<(PlayerId, Pool)> {
        let mut due = self.retries.take_due(Instant::now());
        due.sort_by_cached_key(|(player, pool)| {
            Reverse(self.find(*player, *pool).map(|waiting| waiting.since))
        });
        due
    }

    /// Schedules pairings of players at a later moment, in all of their pools: others may have arrived meanwhile.
    fn reschedule(&mut self, players: &[PlayerId], at: Instant) {
        for player in players {
            for pool in
                self.seekers.pools_of(*player).iter().chain(self.cluster.remote_seekers.pools_of(*player))
            {
                self.retries.add((*player, *pool), at);
            }
        }
    }
}

/// The task of the pools.
#[derive(Debug)]
struct Pairing {
    shared: Arc<Shared>,
    store: Arc<dyn Store>,
    /// Games that are being begun.
    begun: FuturesUnordered<BoxFuture<'static, Begun>>,
    tasks: TaskTracker,
}

/// The result of a pairing.
struct Begun {
    seekers: [Seeker; 2],
    /// The claims on those of other nodes.
    claimed: Vec<Claimed>,
    pool: Pool,
    game: GameId,
    /// `None` if the task that began it failed.
    result: Option<Result<(), NotBegun>>,
}

/// The reason why a pairing did not begin a game.
enum NotBegun {
    /// The homes of these players do not give them.
    NotGiven(Vec<PlayerId>),
    Refused(BeginError),
    /// The store cannot tell whether the game was stored.
    Unknown(WriteError),
}

/// The result of the search for a partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Partner(Seeker),
    /// None before this moment, at which the rate limits of the seeker and a candidate allow a pairing.
    NobodyBefore(Instant),
    Nobody,
}

impl Pairing {
    async fn run(mut self, stop: CancellationToken) {
        loop {
            #[cfg(test)]
            self.notify_settled();
            self.shared.hand_over();
            let next = self.shared.inner.lock().next();
            tokio::select! {
                Some(begun) = self.begun.next() => self.end(begun),
                () = self.shared.news.notified() => {}
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                    let due = self.shared.inner.lock().take_due();
                    for (player, pool) in due {
                        self.pair(player, pool).await;
                    }
                }
                () = stop.cancelled() => return,
            }
        }
    }

    #[cfg(test)]
    fn notify_settled(&self) {
        let mut inner = self.shared.inner.lock();
        let is_open = |player: &PlayerId| inner.cluster.kept_game(*player).is_some();
        if inner.beginning.iter().all(is_open) && inner.next().is_none_or(|next| next > Instant::now()) {
            for settled in inner.settled.drain(..) {
                let _ = settled.send(());
            }
        }
    }

    /// Begins a game between a seeker in a pool and the first partner allowed.
    async fn pair(&mut self, player: PlayerId, pool: Pool) {
        if self.shared.is_kept(&*self.store, player).await {
            return;
        }
        loop {
            let Some(waiting) = self.shared.find_to_pair(player, pool) else { return };
            match self.partner(waiting.seeker, pool).await {
                // A partner who has left meanwhile is not found again.
                Ok(Found::Partner(partner)) if !self.begin([partner, waiting.seeker], pool) => {}
                Ok(Found::Partner(_) | Found::Nobody) => return,
                Ok(Found::NobodyBefore(at)) => {
                    return self.shared.inner.lock().retries.add((player, pool), at);
                }
                Err(problem) => return self.fail(&problem, &[player], pool),
            }
        }
    }

    /// Begins a game between two seekers. Returns whether both are still present and free.
    fn begin(&mut self, seekers: [Seeker; 2], pool: Pool) -> bool {
        let Shared { games, presence, .. } = &*self.shared;
        let mut inner = self.shared.inner.lock();
        let found = seekers.map(|seeker| inner.find(seeker.player, pool));
        let [Some(one), Some(other)] = found else { return false };
        // A seeker who has just left is not paired.
        let is_present =
            |Waiting { seeker, home, .. }: &Waiting| home.is_some() || presence.is_connected(seeker.player);
        if ![one, other].iter().all(is_present) {
            return false;
        }
        inner.beginning.extend(seekers.map(|seeker| seeker.player));
        let game = GameId::new(games.env().id());
        let mut claimed = Vec::new();
        // Both play under their current names.
        let players = [one, other].map(|Waiting { seeker, home, .. }| {
            let Some(home) = home else { return ready(presence.player(seeker.player)).boxed() };
            let (claim, granted) = self.shared.claim(&mut inner, home, seeker.player, game, pool);
            claimed.push(claim);
            async move { timeout(CLAIM_TAKES, granted).await.ok()?.ok()? }.boxed()
        });
        drop(inner);
        let beginning = self.tasks.spawn(begin_when_given(games.clone(), game, seekers, players, pool));
        let begun = beginning.map(move |ended| Begun { seekers, claimed, pool, game, result: ended.ok() });
        self.begun.push(begun.boxed());
        true
    }

    /// Takes two players whose game has begun out of all pools. If it has not begun, they stay, and are paired later.
    fn end(&mut self, Begun { seekers, claimed, pool, game, result }: Begun) {
        let (players, now) = (seekers.map(|seeker| seeker.player), Instant::now());
        let mut inner = self.shared.inner.lock();
        if let Some(Ok(())) = result {
            for player in players {
                self.shared.leave_paired(&mut inner, player, game);
            }
            // An address that has just had its turn does not go before those who waited longer, guest after guest.
            for subscriber in seekers.map(|seeker| seeker.address.subscriber()) {
                inner.seekers.move_back(subscriber, pool, now);
                inner.cluster.remote_seekers.move_back(subscriber, pool, now);
            }
            return self.shared.bus.publish_to_pools(|| PoolNews::Paired { players, game });
        }
        if result.as_ref().is_none_or(|result| matches!(result, Err(NotBegun::Unknown(_)))) {
            if let Some(Err(NotBegun::Unknown(problem))) = &result {
                error!(error = problem as &dyn std::error::Error, "pools: game {game} may not have begun");
            }
            for player in players {
                self.shared.refuse(&mut inner, player, pool, Refusal::Unavailable);
            }
            return self.shared.mark_unknown(&mut inner, players, &claimed, game, pool);
        }
        for player in &players {
            inner.beginning.remove(player);
        }
        for claimed in claimed {
            self.shared.give_back(&mut inner, claimed);
        }
        let again_at = match result {
            Some(Err(NotBegun::NotGiven(missing))) => {
                for player in missing {
                    inner.cluster.remote_seekers.remove_from_all(player);
                }
                now
            }
            Some(Err(NotBegun::Refused(BeginError::Denied(Denied {
                why: Why::TooFast(wait) | Why::StoredTooMuch(wait),
                ..
            })))) => now + wait,
            Some(Err(NotBegun::Refused(BeginError::Denied(Denied { why: Why::NoSpace, .. })))) => {
                for player in players {
                    self.shared.refuse(&mut inner, player, pool, Refusal::Unavailable);
                }
                now + space::LOOK_EVERY
            }
            Some(Err(NotBegun::Refused(BeginError::Denied(Denied {
                player: full,
                why: Why::TooManyUnderWay { limit },
            })))) => {
                self.shared.refuse(&mut inner, full, pool, Refusal::TooManyUnderWay { limit });
                now
            }
            Some(Err(NotBegun::Refused(problem @ (BeginError::Counts(_) | BeginError::Create(_))))) => {
                drop(inner);
                return self.fail(&problem, &players, pool);
            }
            Some(Ok(()) | Err(NotBegun::Unknown(_))) | None => return,
        };
        inner.reschedule(&players, again_at);
    }

    /// Returns the first allowed partner in a pool: another player who is present, within the rate limits, and without
    /// a block in either direction. The first [`OF_ADDRESS`] of each address have precedence.
    async fn partner(&mut self, seeker: Seeker, pool: Pool) -> Result<Found, StoreError> {
        let now = Instant::now();
        let Shared { games, presence, .. } = &*self.shared;
        let wait = games.admission_wait(seeker.applicant(), now);
        if !wait.is_zero() {
            return Ok(Found::NobodyBefore(now + wait));
        }
        let others = self.shared.inner.lock().candidates(pool);
        let (mut candidates, mut beyond, mut least_wait) = (Vec::new(), Vec::new(), None);
        let mut of_address: HashMap<Network, usize> = HashMap::new();
        for other in others {
            let is_present = other.home.is_some() || presence.is_connected(other.seeker.player);
            if other.seeker.player == seeker.player || !is_present {
                continue;
            }
            let wait = games.admission_wait(other.seeker.applicant(), now);
            if !wait.is_zero() {
                least_wait = Some(least_wait.map_or(wait, |least: Duration| least.min(wait)));
                continue;
            }
            let n_before = of_address.entry(other.seeker.address.subscriber()).or_default();
            let queue = if *n_before < OF_ADDRESS { &mut candidates } else { &mut beyond };
            queue.push(other.seeker);
            *n_before += 1;
        }
        candidates.append(&mut beyond);
        for candidates in candidates.chunks(ASKED) {
            let players: Vec<_> = candidates.iter().map(|other| other.player).collect();
            let blocked: HashSet<_> =
                self.store.blocked_among(seeker.player, &players).await?.into_iter().collect();
            if let Some(partner) = candidates.iter().find(|other| !blocked.contains(&other.player)) {
                return Ok(Found::Partner(*partner));
            }
        }
        Ok(least_wait.map_or(Found::Nobody, |wait| Found::NobodyBefore(now + wait)))
    }

    /// Notifies players that they were not paired, and retries later. They stay in their pools.
    fn fail(&self, problem: &(dyn std::error::Error + 'static), players: &[PlayerId], pool: Pool) {
        error!(error = problem, "pools: pairing failed");
        let mut inner = self.shared.inner.lock();
        for player in players {
            self.shared.refuse(&mut inner, *player, pool, Refusal::Unavailable);
        }
        inner.reschedule(players, Instant::now() + TRY_AGAIN_AFTER);
    }
}

/// Begins a game between two seekers once their homes have given them.
async fn begin_when_given(
    games: Games,
    game: GameId,
    seekers: [Seeker; 2],
    players: [BoxFuture<'static, Option<Player>>; 2],
    pool: Pool,
) -> Result<(), NotBegun> {
    let claimed_ms = games.env().now_ms();
    let mut given = join_all(players).await;
    if games.env().now_ms() - claimed_ms > GRANTED_FOR_MS {
        // The process was suspended meanwhile, and the homes may have released the seekers.
        given.fill(None);
    }
    let missing = seekers.iter().zip(&given).filter(|(_, player)| player.is_none());
    let missing = missing.map(|(seeker, _)| seeker.player).collect();
    let beginners = seekers.iter().zip(given).filter_map(|(Seeker { address, .. }, player)| {
        player.map(|player| Beginner { player, address: *address })
    });
    let Ok(mut sides) = <[Beginner; 2]>::try_from(beginners.collect::<Vec<_>>()) else {
        return Err(NotBegun::NotGiven(missing));
    };
    if games.env().random() {
        sides.reverse();
    }
    let terms = Terms { clock: pool.clock.into(), ..Terms::default() };
    let begun = games.begin(game, pool.ruleset, terms, sides, games.env().seed()).await;
    begun.map(drop).map_err(|error| match error {
        BeginError::Create(CreateError::Store(error @ (WriteError::Unknown(_) | WriteError::Ended))) => {
            NotBegun::Unknown(error)
        }
        error => NotBegun::Refused(error),
    })
}
