//! Quick pairing: a player who seeks a game with a ruleset and a clock is paired with the first who wants the same.
//!
//! One task pairs one player after the other, so that no player is paired twice. It never waits for a game to begin:
//! its two players are set apart meanwhile, and the others go on. The seekers are behind a lock that is held only
//! briefly, so that sockets never wait for the task.

mod later;
mod seekers;

#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{
    StreamExt,
    future::{BoxFuture, FutureExt},
    stream::FuturesUnordered,
};
use game::{
    Terms,
    ids::{GameId, PlayerId},
};
use protocol::{Fault, Pool, ServerMessage};
use store::{Store, StoreError};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::error;

use self::{
    later::Later,
    seekers::{Seekers, TooManyPools, Waiting},
};
use crate::{
    admission::{Applicant, Denied, Why},
    live::{BeginError, Beginner, Games},
    net::{
        address::Address,
        limits::{MAX_POOLS, RateLimit, TokenBucket, whole_ms},
        outbox::Outbox,
    },
    presence::Presence,
    recent::Recent,
    tasks::Tasks,
};

/// Number of candidates whose blocks are queried at once. If the player may be paired with none of them, the next ones
/// are queried, so that blocked players at the head of a queue never hide the rest.
const ASKED: usize = 64;

/// Time until a failed pairing is retried.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// Maximum number of seekers of one address with precedence in a queue. Further ones come after all of other addresses:
/// guests of one address must not be the first partners of everybody.
const OF_ADDRESS: usize = 2;

/// Time for which a paired game counts against its address; the times of several games add up. Between two candidates
/// the one whose address has fewer games comes first.
const COUNTED_FOR: Duration = Duration::from_secs(60);

/// Capacity of each of the two generations of addresses with counted games.
const REMEMBERED: usize = 1024;

/// The pools of this node.
#[derive(Clone, Debug)]
pub(crate) struct Pools(Arc<Shared>);

/// State shared by the task of the pools and the sockets.
#[derive(Debug)]
struct Shared {
    games: Games,
    presence: Presence,
    inner: Mutex<Inner>,
    /// Notified when a seeker has arrived.
    news: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    seekers: Seekers,
    later: Later,
    /// Players whose game is being begun. They are not paired again, and still count as seekers.
    beginning: HashSet<PlayerId>,
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
    /// Returns empty pools, whose task runs on `tasks`. Players of one address are paired with each other when both have
    /// waited for `neighbours_wait`.
    pub(crate) fn start(
        games: Games,
        store: Arc<dyn Store>,
        presence: Presence,
        neighbours_wait: Duration,
        tasks: &Tasks,
    ) -> Self {
        let shared = Arc::new(Shared { games, presence, inner: Mutex::default(), news: Notify::new() });
        let pairing = Pairing {
            shared: shared.clone(),
            store,
            neighbours_wait,
            lately: Recent::new(REMEMBERED),
            begun: FuturesUnordered::new(),
            tasks: tasks.tracker().clone(),
        };
        tasks.spawn_core("pools", pairing.run(tasks.stop().clone()));
        Self(shared)
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
        let mut inner = self.0.locked();
        if inner.seekers.find(player, pool).is_some() {
            return self.0.broadcast_seeking(&inner, player);
        }
        if !wait.is_zero() {
            let why = Fault::PoolTooFast { pool, retry_ms: whole_ms(wait) };
            return from.send(&ServerMessage::Error { why });
        }
        match inner.seekers.add(Waiting { seeker, since: now }, pool) {
            Ok(()) => {
                self.0.broadcast_seeking(&inner, player);
                news.notify_one();
            }
            Err(TooManyPools) => {
                from.send(&ServerMessage::Error { why: Fault::TooManyPools { limit: MAX_POOLS } });
            }
        }
    }

    /// Takes a player out of a pool, and notifies all connections of the player.
    pub(crate) fn stop_seeking(&self, player: PlayerId, pool: Pool) {
        let mut inner = self.0.locked();
        inner.seekers.remove(player, pool);
        self.0.broadcast_seeking(&inner, player);
    }

    /// Takes a player without connections out of all pools.
    pub(crate) fn left(&self, player: PlayerId) {
        let mut inner = self.0.locked();
        if !self.0.presence.is_connected(player) {
            inner.seekers.remove_from_all(player);
        }
    }

    /// Sends one connection of a player the pools that the player waits in.
    pub(crate) fn send_status(&self, player: PlayerId, to: &Outbox) {
        to.send(&self.0.locked().seeking(player));
    }

    /// Waits until the pools are idle.
    #[cfg(test)]
    async fn settled(&self) {
        let (sender, settled) = tokio::sync::oneshot::channel();
        self.0.locked().settled.push(sender);
        self.0.news.notify_one();
        settled.await.expect("the task of the pools runs");
    }
}

impl Shared {
    fn broadcast_seeking(&self, inner: &Inner, player: PlayerId) {
        self.presence.send(player, &inner.seeking(player));
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn seeking(&self, player: PlayerId) -> ServerMessage {
        ServerMessage::Seeking { pools: self.seekers.pools_of(player).to_vec() }
    }

    /// Returns a player's entry in a pool, unless a game of the player is being begun.
    fn find(&self, player: PlayerId, pool: Pool) -> Option<Waiting> {
        self.seekers.find(player, pool).filter(|_| !self.beginning.contains(&player))
    }

    /// Returns the moment of the next pairing.
    fn next(&self) -> Option<Instant> {
        if self.seekers.has_arrived() { Some(Instant::now()) } else { self.later.next() }
    }

    /// Returns the entries to be paired now: that of the first arrival, or those that are due, the latest in the queue
    /// first. Each seeker is paired with the first partner in the queue, so that the first to arrive is the first to be
    /// paired.
    fn take_due(&mut self) -> Vec<(PlayerId, Pool)> {
        if let Some(arrived) = self.seekers.take_arrived() {
            return vec![arrived];
        }
        let mut due = self.later.take_due(Instant::now());
        due.sort_by_key(|(player, pool)| {
            Reverse(self.seekers.find(*player, *pool).map(|waiting| waiting.since))
        });
        due
    }

    /// Schedules pairings of players at a later moment, in all of their pools: others may have arrived meanwhile.
    fn again(&mut self, players: &[PlayerId], at: Instant) {
        for player in players {
            for pool in self.seekers.pools_of(*player) {
                self.later.add((*player, *pool), at);
            }
        }
    }
}

/// The task of the pools.
#[derive(Debug)]
struct Pairing {
    shared: Arc<Shared>,
    store: Arc<dyn Store>,
    neighbours_wait: Duration,
    /// Recent paired games of each address.
    lately: Recent<Address, TokenBucket>,
    /// Games that are being begun.
    begun: FuturesUnordered<BoxFuture<'static, Begun>>,
    tasks: TaskTracker,
}

/// The result of a pairing.
struct Begun {
    seekers: [Seeker; 2],
    pool: Pool,
    /// `None` if the task that began it failed.
    game: Option<Result<GameId, BeginError>>,
}

/// The result of the search for a partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Partner(Seeker),
    /// None before this moment, at which the rate limits and waiting times of the seeker and a candidate allow a
    /// pairing.
    NobodyBefore(Instant),
    Nobody,
}

impl Pairing {
    async fn run(mut self, stop: CancellationToken) {
        loop {
            #[cfg(test)]
            self.notify_settled();
            let next = self.shared.locked().next();
            tokio::select! {
                Some(begun) = self.begun.next() => self.end(begun),
                () = self.shared.news.notified() => {}
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                    let due = self.shared.locked().take_due();
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
        let mut inner = self.shared.locked();
        if inner.beginning.is_empty() && inner.next().is_none_or(|next| next > Instant::now()) {
            for settled in inner.settled.drain(..) {
                let _ = settled.send(());
            }
        }
    }

    /// Begins a game between a seeker in a pool and the first partner allowed.
    async fn pair(&mut self, player: PlayerId, pool: Pool) {
        loop {
            let Some(waiting) = self.shared.locked().find(player, pool) else { return };
            match self.partner(waiting, pool).await {
                // A partner who has left meanwhile is not found again.
                Ok(Found::Partner(partner)) if !self.begin([partner, waiting.seeker], pool) => {}
                Ok(Found::Partner(_) | Found::Nobody) => return,
                Ok(Found::NobodyBefore(at)) => return self.shared.locked().later.add((player, pool), at),
                Err(problem) => return self.fail(&problem, &[player], pool),
            }
        }
    }

    /// Begins a game between two seekers. Returns whether both are still present and free.
    fn begin(&mut self, seekers: [Seeker; 2], pool: Pool) -> bool {
        let Shared { games, presence, .. } = &*self.shared;
        let mut inner = self.shared.locked();
        // Both play under their current names. A seeker who has just left is not paired.
        let beginner = |Seeker { player, address }: Seeker| {
            let player = inner.find(player, pool).and_then(|_| presence.player(player));
            player.map(|player| Beginner { player, address })
        };
        let [Some(one), Some(other)] = seekers.map(beginner) else { return false };
        inner.beginning.extend(seekers.map(|seeker| seeker.player));
        let sides = if games.env().random() { [one, other] } else { [other, one] };
        let (games, seed) = (games.clone(), games.env().seed());
        let terms = Terms { clock: pool.clock.into(), ..Terms::default() };
        let beginning = self.tasks.spawn(async move { games.begin(pool.ruleset, terms, sides, seed).await });
        let begun = beginning.map(move |ended| {
            let game = ended.ok().map(|begun| begun.map(|game| game.id));
            Begun { seekers, pool, game }
        });
        self.begun.push(begun.boxed());
        true
    }

    /// Takes two players whose game has begun out of all pools. If it has not begun, they stay, and are paired later.
    fn end(&mut self, Begun { seekers, pool, game }: Begun) {
        let (players, now) = (seekers.map(|seeker| seeker.player), Instant::now());
        let mut inner = self.shared.locked();
        for player in &players {
            inner.beginning.remove(player);
        }
        let again_at = match game {
            Some(Ok(game)) => {
                for Seeker { player, address } in seekers {
                    inner.seekers.remove_from_all(player);
                    self.shared.presence.send(player, &ServerMessage::Paired { game });
                    self.shared.broadcast_seeking(&inner, player);
                    self.lately.get(address, || new_bucket(now)).charge(1, now);
                }
                return;
            }
            Some(Err(BeginError::Denied(Denied { why: Why::TooFast(wait), .. }))) => now + wait,
            Some(Err(BeginError::Denied(Denied { player: full, why: Why::TooManyUnderWay { limit } }))) => {
                inner.seekers.remove_from_all(full);
                let why = Fault::TooManyUnderWay { limit };
                self.shared.presence.send(full, &ServerMessage::Error { why });
                self.shared.broadcast_seeking(&inner, full);
                now
            }
            Some(Err(problem @ (BeginError::Counts(_) | BeginError::Create(_)))) => {
                drop(inner);
                return self.fail(&problem, &players, pool);
            }
            None => now + TRY_AGAIN_AFTER,
        };
        inner.again(&players, again_at);
    }

    /// Returns the first allowed partner in a pool: another player who is present, within the rate limits, and without
    /// a block in either direction. The first [`OF_ADDRESS`] of each address have precedence, those first whose
    /// addresses have begun the fewest games recently. Players of the seeker's own address come last, and only after
    /// both have waited: an address must not pair its own guests faster than people are paired.
    async fn partner(&mut self, waiting: Waiting, pool: Pool) -> Result<Found, StoreError> {
        let (Waiting { seeker, since }, now) = (waiting, Instant::now());
        let Shared { games, presence, .. } = &*self.shared;
        let wait = games.admission_wait(seeker.applicant(), now);
        if !wait.is_zero() {
            return Ok(Found::NobodyBefore(now + wait));
        }
        let others: Vec<Waiting> = {
            let inner = self.shared.locked();
            let is_free = |other: &Waiting| !inner.beginning.contains(&other.seeker.player);
            inner.seekers.waiting_longer(pool).filter(is_free).collect()
        };
        let (mut candidates, mut neighbours, mut may_be_at) = (Vec::new(), Vec::new(), None);
        let mut of_address: HashMap<Address, usize> = HashMap::new();
        for other in others {
            if other.seeker.player == seeker.player || presence.player(other.seeker.player).is_none() {
                continue;
            }
            let is_neighbour = other.seeker.address == seeker.address;
            let patient_at = if is_neighbour { since.max(other.since) + self.neighbours_wait } else { now };
            let ready_at = patient_at.max(now + games.admission_wait(other.seeker.applicant(), now));
            if ready_at > now {
                may_be_at = Some(may_be_at.map_or(ready_at, |at: Instant| at.min(ready_at)));
            } else if is_neighbour {
                neighbours.push(other.seeker);
            } else {
                let n_before = of_address.entry(other.seeker.address).or_default();
                *n_before += 1;
                let lately = self.lately.get(other.seeker.address, || new_bucket(now)).rests_in(now);
                let n_lately = lately.as_millis().div_ceil(COUNTED_FOR.as_millis());
                candidates.push((*n_before > OF_ADDRESS, n_lately, other.seeker));
            }
        }
        // The sort is stable, which keeps the order of the queue among equals.
        candidates.sort_by_key(|(is_beyond, n_lately, _)| (*is_beyond, *n_lately));
        let mut candidates: Vec<Seeker> = candidates.into_iter().map(|(.., other)| other).collect();
        candidates.append(&mut neighbours);
        for candidates in candidates.chunks(ASKED) {
            let players: Vec<_> = candidates.iter().map(|other| other.player).collect();
            let blocked: HashSet<_> =
                self.store.blocked_among(seeker.player, &players).await?.into_iter().collect();
            if let Some(partner) = candidates.iter().find(|other| !blocked.contains(&other.player)) {
                return Ok(Found::Partner(*partner));
            }
        }
        Ok(may_be_at.map_or(Found::Nobody, Found::NobodyBefore))
    }

    /// Notifies players that they were not paired, and retries later. They stay in their pools.
    fn fail(&self, problem: &(dyn std::error::Error + 'static), players: &[PlayerId], pool: Pool) {
        error!(error = problem, "pools: pairing failed");
        for player in players {
            let why = Fault::PoolUnavailable { pool };
            self.shared.presence.send(*player, &ServerMessage::Error { why });
        }
        self.shared.locked().again(players, Instant::now() + TRY_AGAIN_AFTER);
    }
}

/// Returns the counter of an address's paired games.
fn new_bucket(now: Instant) -> TokenBucket {
    TokenBucket::new(RateLimit::every(COUNTED_FOR, 1), now)
}
