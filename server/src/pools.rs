//! Quick pairing: who looks for a game of a ruleset and a clock begins one with the first who wants the same.
//!
//! One task owns the pools and does one thing after the other, so that nobody is paired twice. A slow database
//! makes all pools slow; who looks for a game waits anyway.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use engine::Seed;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::error;

use crate::{
    ids::PlayerId,
    limits::MAX_POOLS,
    live::Games,
    outbox::Outbox,
    presence::Presence,
    protocol::{Fault, Player, Pool, ServerMessage, Terms},
    store::{Store, StoreError},
};

/// Requests that wait for the pools. Who asks when they are full waits for a place.
const MAILBOX: usize = 256;

/// Players of a pool about whom the store is asked whether they may play with one who comes. Two who wait together
/// have blocked each other, so that nobody meets so many.
const MAX_ASKED: usize = 64;

/// How soon a pairing that failed is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// The pools of this node.
#[derive(Clone, Debug)]
pub struct Pools(mpsc::Sender<Request>);

#[derive(Debug)]
enum Request {
    Seek { player: PlayerId, pool: Pool, from: Outbox },
    Stop { player: PlayerId, pool: Pool },
    Left { player: PlayerId },
    Tell { player: PlayerId, to: Outbox },
}

impl Pools {
    /// Empty pools, whose task runs on `tasks` until `stop`.
    pub fn start(
        games: Games,
        store: Arc<dyn Store>,
        presence: Presence,
        tasks: &TaskTracker,
        stop: CancellationToken,
    ) -> Self {
        let (sender, requests) = mpsc::channel(MAILBOX);
        let (seekers, failed) = (Seekers::default(), Failed::default());
        tasks.spawn(Pairing { games, store, presence, seekers, failed }.run(requests, stop));
        Self(sender)
    }

    /// Puts a player into a pool. All connections of the player are told what they look for by `seeking`, and of
    /// the game by `paired`; `from` is told why not.
    pub async fn seek(&self, player: PlayerId, pool: Pool, from: Outbox) {
        self.ask(Request::Seek { player, pool, from }).await;
    }

    /// Takes a player out of a pool. All connections of the player are told.
    pub async fn stop_seeking(&self, player: PlayerId, pool: Pool) {
        self.ask(Request::Stop { player, pool }).await;
    }

    /// Takes a player out of all pools who has no connection any more.
    pub async fn left(&self, player: PlayerId) {
        self.ask(Request::Left { player }).await;
    }

    /// Tells one connection of a player what the player looks for.
    pub async fn tell(&self, player: PlayerId, to: Outbox) {
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
    seekers: Seekers,
    failed: Failed,
}

/// Players whose pairing failed, and when it is tried again.
#[derive(Debug, Default)]
struct Failed {
    again_at: Option<Instant>,
    seekers: HashSet<(PlayerId, Pool)>,
}

impl Pairing {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>, stop: CancellationToken) {
        loop {
            let again_at = self.failed.again_at;
            tokio::select! {
                request = requests.recv() => match request {
                    Some(request) => self.handle(request).await,
                    None => return,
                },
                () = sleep_until(again_at.unwrap_or_else(Instant::now)), if again_at.is_some() => {
                    self.try_again().await;
                }
                () = stop.cancelled() => return,
            }
        }
    }

    async fn handle(&mut self, request: Request) {
        match request {
            Request::Seek { player, pool, from } => self.seek(player, pool, &from).await,
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

    async fn seek(&mut self, player: PlayerId, pool: Pool, from: &Outbox) {
        if !self.presence.is_connected(player) {
            return;
        }
        match self.seekers.add(player, pool) {
            Ok(()) => {
                self.tell_seeking(player);
                self.pair(player, pool).await;
            }
            Err(TooManyPools) => {
                from.send(&ServerMessage::Error { why: Fault::TooManyPools { limit: MAX_POOLS } });
            }
        }
    }

    async fn try_again(&mut self) {
        for (player, pool) in std::mem::take(&mut self.failed).seekers {
            self.pair(player, pool).await;
        }
    }

    /// Begins a game of somebody in a pool with the first in it who may be played with.
    async fn pair(&mut self, player: PlayerId, pool: Pool) {
        if !self.seekers.pools_of(player).contains(&pool) {
            return;
        }
        let waiting = match self.partner(player, pool).await {
            Ok(Some(waiting)) => waiting,
            Ok(None) => return,
            Err(problem) => return self.fail(&problem, &[player], player, pool),
        };
        // Both go by the names that they have now. Who has just left is not played with.
        let Some(came) = self.presence.player(player) else { return };
        let players = [waiting.id, player];
        let (first, second) = if rand::random() { (waiting, came) } else { (came, waiting) };
        let terms = Terms { clock: pool.clock, ..Terms::default() };
        let seed = Seed::new(rand::random());
        match self.games.begin(pool.ruleset, terms, first, second, seed).await {
            Ok(game) => {
                for player in players {
                    self.seekers.remove_from_all(player);
                    self.presence.send(player, &ServerMessage::Paired { game: game.id });
                    self.tell_seeking(player);
                }
            }
            Err(problem) => self.fail(&problem, &players, player, pool),
        }
    }

    /// The first in a pool who is somebody else, is here, and has not blocked the player nor is blocked by them.
    async fn partner(&self, player: PlayerId, pool: Pool) -> Result<Option<Player>, StoreError> {
        let others = self.seekers.waiting(pool).filter(|other| *other != player);
        for other in others.filter_map(|other| self.presence.player(other)).take(MAX_ASKED) {
            if !self.store.is_blocked_between(player, other.id).await? {
                return Ok(Some(other));
            }
        }
        Ok(None)
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
        self.failed.seekers.insert((player, pool));
        self.failed.again_at.get_or_insert_with(|| Instant::now() + TRY_AGAIN_AFTER);
    }

    fn seeking(&self, player: PlayerId) -> ServerMessage {
        ServerMessage::Seeking { pools: self.seekers.pools_of(player).to_vec() }
    }

    fn tell_seeking(&self, player: PlayerId) {
        self.presence.send(player, &self.seeking(player));
    }
}

/// Who looks for what.
#[derive(Debug, Default)]
struct Seekers {
    /// Who came first stands first. No queue is empty.
    queues: HashMap<Pool, VecDeque<PlayerId>>,
    /// The same by player. No list is empty.
    pools: HashMap<PlayerId, Vec<Pool>>,
}

/// A player is in [`MAX_POOLS`] others.
#[derive(Debug, PartialEq, Eq)]
struct TooManyPools;

impl Seekers {
    /// Puts a player into a pool, at the end of its queue; who is in it keeps the place.
    fn add(&mut self, player: PlayerId, pool: Pool) -> Result<(), TooManyPools> {
        let pools = self.pools_of(player);
        if pools.contains(&pool) {
            return Ok(());
        }
        if pools.len() == MAX_POOLS {
            return Err(TooManyPools);
        }
        self.pools.entry(player).or_default().push(pool);
        self.queues.entry(pool).or_default().push_back(player);
        Ok(())
    }

    fn remove(&mut self, player: PlayerId, pool: Pool) {
        if let Some(pools) = self.pools.get_mut(&player) {
            pools.retain(|other| *other != pool);
            if pools.is_empty() {
                self.pools.remove(&player);
            }
        }
        if let Some(queue) = self.queues.get_mut(&pool) {
            queue.retain(|other| *other != player);
            if queue.is_empty() {
                self.queues.remove(&pool);
            }
        }
    }

    fn remove_from_all(&mut self, player: PlayerId) {
        for pool in self.pools_of(player).to_vec() {
            self.remove(player, pool);
        }
    }

    fn pools_of(&self, player: PlayerId) -> &[Pool] {
        self.pools.get(&player).map(Vec::as_slice).unwrap_or_default()
    }

    /// Those in a pool; who came first is first.
    fn waiting(&self, pool: Pool) -> impl Iterator<Item = PlayerId> {
        self.queues.get(&pool).into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use engine::Ruleset;
    use serde_json::Value;
    use sqlx::{Connection, SqliteConnection};
    use uuid::Uuid;

    use super::*;
    use crate::{bus::Bus, live::Parts};
    use crate::{ids::PlayerName, lobby::Lobby, outbox::Outgoing, protocol::ClockRule, store};

    fn player(number: u128) -> Player {
        let name = PlayerName::try_from(format!("Player {number}")).unwrap();
        Player { id: PlayerId::new(Uuid::from_u128(number)), name }
    }

    fn pool(ruleset: Ruleset) -> Pool {
        Pool { ruleset, clock: ClockRule::None }
    }

    fn days(days: u64) -> Pool {
        let clock = ClockRule::Correspondence { days: days.try_into().unwrap() };
        Pool { ruleset: Ruleset::Fenix, clock }
    }

    fn waiting(seekers: &Seekers, pool: Pool) -> Vec<PlayerId> {
        seekers.waiting(pool).collect()
    }

    fn ids<const N: usize>(numbers: [u128; N]) -> [PlayerId; N] {
        numbers.map(|number| player(number).id)
    }

    #[test]
    fn who_came_first_stands_first() {
        let mut seekers = Seekers::default();
        for number in 1..=3 {
            seekers.add(player(number).id, days(1)).unwrap();
        }
        assert_eq!(waiting(&seekers, days(1)), ids([1, 2, 3]));
        seekers.add(player(1).id, days(1)).unwrap();
        assert_eq!(waiting(&seekers, days(1)), ids([1, 2, 3]), "who asks again keeps the place");
        seekers.remove(player(1).id, days(1));
        seekers.add(player(1).id, days(1)).unwrap();
        assert_eq!(waiting(&seekers, days(1)), ids([2, 3, 1]), "who leaves loses it");
    }

    #[test]
    fn another_ruleset_or_clock_is_another_pool() {
        let mut seekers = Seekers::default();
        let fenix = pool(Ruleset::Fenix);
        seekers.add(player(1).id, fenix).unwrap();
        for other in [pool(Ruleset::Focus), days(3)] {
            seekers.add(player(2).id, other).unwrap();
            assert_eq!(waiting(&seekers, other), ids([2]));
        }
        assert_eq!(waiting(&seekers, fenix), ids([1]));
    }

    #[test]
    fn a_player_is_in_so_many_pools() {
        let mut seekers = Seekers::default();
        for number in 1..=5 {
            seekers.add(player(1).id, days(number)).unwrap();
        }
        assert_eq!(seekers.add(player(1).id, days(6)), Err(TooManyPools));
        assert_eq!(seekers.add(player(1).id, days(5)), Ok(()), "already in it");
        seekers.add(player(2).id, days(6)).unwrap();
        seekers.remove(player(1).id, days(1));
        seekers.add(player(1).id, days(6)).unwrap();
        assert_eq!(seekers.pools_of(player(1).id), [2, 3, 4, 5, 6].map(days));
    }

    #[test]
    fn who_leaves_leaves_nothing_behind() {
        let mut seekers = Seekers::default();
        for number in 1..=3 {
            seekers.add(player(1).id, days(number)).unwrap();
        }
        seekers.add(player(2).id, days(1)).unwrap();
        seekers.remove_from_all(player(1).id);
        assert_eq!(waiting(&seekers, days(1)), ids([2]));
        seekers.remove_from_all(player(2).id);
        assert!(seekers.queues.is_empty() && seekers.pools.is_empty());
    }

    /// Skips what comes before a message of this type.
    async fn hear(outgoing: &mut Outgoing, kind: &str) -> Value {
        system_tests::in_time(kind, async {
            loop {
                let frame = outgoing.next().await.expect("the connection is open");
                let message: Value = serde_json::from_str(&frame).unwrap();
                if message["type"] == kind {
                    return message;
                }
            }
        })
        .await
    }

    #[tokio::test]
    async fn who_cannot_be_paired_is_told_stays_and_is_paired_later() {
        let directory = tempfile::TempDir::new().unwrap();
        let url = format!("sqlite:{}/towers.db", directory.path().display());
        let store = store::open(&url).await.unwrap();
        let mut database = SqliteConnection::connect(&url).await.unwrap();
        let (presence, tasks, stop) =
            (Presence::new(Bus::alone()), TaskTracker::new(), CancellationToken::new());
        let (writer, writing) = store::writer(store.clone(), tokio::runtime::Handle::current());
        tasks.spawn(writing);
        let lobby = Lobby::load(&*store, Bus::alone(), presence.clone()).await.unwrap();
        let parts = Parts::alone(store.clone(), writer, lobby, tasks.clone(), stop.clone());
        let games = Games::new(parts);
        let pools = Pools::start(games, store, presence.clone(), &tasks, stop);

        let stop_writing = "create trigger full before insert on game begin select raise(abort, 'full'); end";
        sqlx::query(stop_writing).execute(&mut database).await.unwrap();
        let mut tabs = Vec::new();
        for number in 1..=2 {
            let (outbox, outgoing) = Outbox::open();
            tabs.push((outgoing, presence.enter(player(number), outbox.clone())));
            pools.seek(player(number).id, days(1), outbox).await;
        }
        for (outgoing, _) in &mut tabs {
            assert_eq!(hear(outgoing, "error").await["code"], "pool_unavailable");
        }
        sqlx::query("drop trigger full").execute(&mut database).await.unwrap();
        tokio::time::pause();
        tokio::time::advance(TRY_AGAIN_AFTER).await;
        tokio::time::resume();
        let mut games = Vec::new();
        for (outgoing, _) in &mut tabs {
            games.push(hear(outgoing, "paired").await["game"].clone());
            assert_eq!(hear(outgoing, "seeking").await["pools"], serde_json::json!([]));
        }
        assert_eq!(games[0], games[1]);
    }
}
