//! Quick pairing: a player who looks for a game of a ruleset and a clock begins one with the first who wants the same.
//!
//! One task owns the pools and does one thing after the other, so that nobody is paired twice. A slow database
//! makes all pools slow; who looks for a game waits anyway.

mod later;
mod seekers;

#[cfg(test)]
mod tests;

use std::{collections::HashSet, sync::Arc, time::Duration};

use engine::Seed;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::error;

use self::{
    later::Later,
    seekers::{Seekers, TooManyPools, Waiting},
};
use crate::{
    address::Address,
    admission::{Applicant, Denied, Why},
    ids::PlayerId,
    limits::{MAX_POOLS, whole_ms},
    live::{BeginError, Beginner, Games},
    outbox::Outbox,
    presence::Presence,
    protocol::{Fault, Pool, ServerMessage, Terms},
    store::{Store, StoreError},
};

/// Requests that wait for the pools. Who asks when they are full waits for a place.
const MAILBOX: usize = 256;

/// Number of candidates whose blocks are queried at once. If the player may be paired with none of them, the next ones are
/// queried, so that blocked players at the head of a queue never hide the rest.
const ASKED: usize = 64;

/// How soon a pairing that failed is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// The pools of this node.
#[derive(Clone, Debug)]
pub struct Pools(mpsc::Sender<Request>);

/// A player who looks for a game, and the address that the wish came from.
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

#[derive(Debug)]
enum Request {
    Seek { seeker: Seeker, pool: Pool, from: Outbox },
    Stop { player: PlayerId, pool: Pool },
    Left { player: PlayerId },
    Tell { player: PlayerId, to: Outbox },
}

impl Pools {
    /// Empty pools, whose task runs on `tasks` until `stop`. Players of one address are paired with each other when both
    /// have waited for `neighbours_wait`.
    pub(crate) fn start(
        games: Games,
        store: Arc<dyn Store>,
        presence: Presence,
        neighbours_wait: Duration,
        tasks: &TaskTracker,
        stop: CancellationToken,
    ) -> Self {
        let (sender, requests) = mpsc::channel(MAILBOX);
        let (seekers, later) = (Seekers::default(), Later::default());
        let pairing = Pairing { games, store, presence, neighbours_wait, seekers, later };
        tasks.spawn(pairing.run(requests, stop));
        Self(sender)
    }

    /// Puts a player into a pool. All connections of the player are told what they look for by `seeking`, and of
    /// the game by `paired`; `from` is told why not.
    pub(crate) async fn seek(&self, seeker: Seeker, pool: Pool, from: Outbox) {
        self.ask(Request::Seek { seeker, pool, from }).await;
    }

    /// Takes a player out of a pool. All connections of the player are told.
    pub(crate) async fn stop_seeking(&self, player: PlayerId, pool: Pool) {
        self.ask(Request::Stop { player, pool }).await;
    }

    /// Takes a player out of all pools who has no connection any more.
    pub(crate) async fn left(&self, player: PlayerId) {
        self.ask(Request::Left { player }).await;
    }

    /// Tells one connection of a player what the player looks for.
    pub(crate) async fn tell(&self, player: PlayerId, to: Outbox) {
        self.ask(Request::Tell { player, to }).await;
    }

    async fn ask(&self, request: Request) {
        // The pools end with the server, which tells the clients itself.
        let _ = self.0.send(request).await;
    }
}

/// The task of the pools.
#[derive(Debug)]
struct Pairing {
    games: Games,
    store: Arc<dyn Store>,
    presence: Presence,
    neighbours_wait: Duration,
    seekers: Seekers,
    later: Later,
}

/// Whom a seeker may be paired with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Partner(Seeker),
    /// Nobody before this moment, at which the seeker or a candidate may be paired by the rates and the waiting times.
    NobodyBefore(Instant),
    Nobody,
}

impl Pairing {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>, stop: CancellationToken) {
        loop {
            let next = self.later.next();
            tokio::select! {
                request = requests.recv() => match request {
                    Some(request) => self.handle(request).await,
                    None => return,
                },
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                    for (player, pool) in self.later.take_due(Instant::now()) {
                        self.pair(player, pool).await;
                    }
                }
                () = stop.cancelled() => return,
            }
        }
    }

    async fn handle(&mut self, request: Request) {
        match request {
            Request::Seek { seeker, pool, from } => self.seek(seeker, pool, &from).await,
            Request::Stop { player, pool } => {
                self.seekers.remove(player, pool);
                self.tell_seeking(player);
            }
            Request::Left { player } => {
                if !self.presence.is_connected(player) {
                    self.seekers.remove_from_all(player);
                }
            }
            Request::Tell { player, to } => to.send(&self.seeking(player)),
        }
    }

    async fn seek(&mut self, seeker: Seeker, pool: Pool, from: &Outbox) {
        let Seeker { player, .. } = seeker;
        if !self.presence.is_connected(player) {
            return;
        }
        if self.seekers.find(player, pool).is_some() {
            return self.tell_seeking(player);
        }
        let now = Instant::now();
        let wait = self.games.admission_wait(seeker.applicant(), now);
        if !wait.is_zero() {
            let why = Fault::PoolTooFast { pool, retry_ms: whole_ms(wait) };
            return from.send(&ServerMessage::Error { why });
        }
        match self.seekers.add(Waiting { seeker, since: now }, pool) {
            Ok(()) => {
                self.tell_seeking(player);
                self.pair(player, pool).await;
            }
            Err(TooManyPools) => {
                from.send(&ServerMessage::Error { why: Fault::TooManyPools { limit: MAX_POOLS } });
            }
        }
    }

    /// Begins a game of somebody in a pool with the first in it who may be played with.
    async fn pair(&mut self, player: PlayerId, pool: Pool) {
        // Each round but the last takes a player out of the pool.
        while let Some(waiting) = self.seekers.find(player, pool) {
            let partner = match self.partner(waiting, pool).await {
                Ok(Found::Partner(partner)) => partner,
                Ok(Found::NobodyBefore(at)) => return self.later.add((player, pool), at),
                Ok(Found::Nobody) => return,
                Err(problem) => return self.fail(&problem, &[player], player, pool),
            };
            match self.begin([partner, waiting.seeker], pool).await {
                Ok(()) => return,
                Err(BeginError::Denied(Denied { why: Why::TooFast(wait), .. })) => {
                    return self.later.add((player, pool), Instant::now() + wait);
                }
                Err(BeginError::Denied(Denied { player: full, why: Why::TooManyUnderWay { limit } })) => {
                    self.seekers.remove_from_all(full);
                    let why = Fault::TooManyUnderWay { limit };
                    self.presence.send(full, &ServerMessage::Error { why });
                    self.tell_seeking(full);
                }
                Err(problem @ (BeginError::Counts(_) | BeginError::Create(_))) => {
                    return self.fail(&problem, &[partner.player, player], player, pool);
                }
            }
        }
    }

    /// Begins a game between two seekers, and takes them out of all pools.
    async fn begin(&mut self, seekers: [Seeker; 2], pool: Pool) -> Result<(), BeginError> {
        let terms = Terms { clock: pool.clock, ..Terms::default() };
        let seed = Seed::new(rand::random());
        // Both go by the names that they have now. Who has just left is not played with.
        let beginner = |Seeker { player, address }: Seeker| {
            self.presence.player(player).map(|player| Beginner { player, address })
        };
        let [Some(one), Some(other)] = seekers.map(beginner) else { return Ok(()) };
        let sides = if rand::random() { [one, other] } else { [other, one] };
        let game = self.games.begin(pool.ruleset, terms, sides, seed).await?;
        for Seeker { player, .. } in seekers {
            self.seekers.remove_from_all(player);
            self.presence.send(player, &ServerMessage::Paired { game: game.id });
            self.tell_seeking(player);
        }
        Ok(())
    }

    /// The first in a pool who is somebody else, is here, may begin a game by the rates, and has not blocked the seeker
    /// nor is blocked by them. Players of the seeker's own address come last, and only after both have waited: an address
    /// that pairs its own guests is not to do so faster than people do.
    async fn partner(&self, waiting: Waiting, pool: Pool) -> Result<Found, StoreError> {
        let (Waiting { seeker, since }, now) = (waiting, Instant::now());
        let wait = self.games.admission_wait(seeker.applicant(), now);
        if !wait.is_zero() {
            return Ok(Found::NobodyBefore(now + wait));
        }
        let (mut candidates, mut neighbours, mut may_be_at) = (Vec::new(), Vec::new(), None);
        for other in self.seekers.waiting(pool) {
            if other.seeker.player == seeker.player || self.presence.player(other.seeker.player).is_none() {
                continue;
            }
            let is_neighbour = other.seeker.address == seeker.address;
            let patient_at = if is_neighbour { since.max(other.since) + self.neighbours_wait } else { now };
            let ready_at = patient_at.max(now + self.games.admission_wait(other.seeker.applicant(), now));
            if ready_at > now {
                may_be_at = Some(may_be_at.map_or(ready_at, |at: Instant| at.min(ready_at)));
            } else if is_neighbour {
                neighbours.push(other.seeker);
            } else {
                candidates.push(other.seeker);
            }
        }
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

    /// Tells players that they were not paired, and tries again with one of them later. They stay in their pools.
    fn fail(
        &mut self,
        problem: &(dyn std::error::Error + 'static),
        told: &[PlayerId],
        player: PlayerId,
        pool: Pool,
    ) {
        error!(error = problem, "players who look for a game cannot be paired");
        for player in told {
            let why = Fault::PoolUnavailable { pool };
            self.presence.send(*player, &ServerMessage::Error { why });
        }
        self.later.add((player, pool), Instant::now() + TRY_AGAIN_AFTER);
    }

    fn seeking(&self, player: PlayerId) -> ServerMessage {
        ServerMessage::Seeking { pools: self.seekers.pools_of(player).to_vec() }
    }

    fn tell_seeking(&self, player: PlayerId) {
        self.presence.send(player, &self.seeking(player));
    }
}
