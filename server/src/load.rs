//! Detection of overload, and load shedding: first new games and new spectators are refused; if that does not help,
//! spectators are disconnected, a quarter of them each second. Players play on.
//!
//! The measure is the time for which games under way wait for their writes, and the number of games that wait. It shows
//! a slow disk as well as a busy processor, since the tasks of the writer and of the games wait for the processor too.
//! A game has one write at a time, so thousands of games at full speed wait only for each other: some tenths of a
//! second. Deferrable writes and new games do not count: an address with many names or rooms to store delays nobody
//! else.
//!
//! A few waiting games are no overload, however long they wait: the machine is busy with something else, and refusing
//! games would not help. The games of one address count for a part of an overload only, so that no address can cause
//! one alone. Neither is a database that does not answer an overload: its callers get `unavailable`.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use game::ids::GameId;
use parking_lot::Mutex;
use store::{Writer, WriterLoad};
use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval},
};
use tracing::warn;

use crate::{
    metrics::METRICS,
    net::{
        address::{Address, Network},
        outbox::ConnectionId,
    },
    recent::Recent,
};

/// Interval of observations: short enough that a second has a majority.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Number of observations with slow writes, less those without, that make an overload: a second of nothing else, or
/// longer of mostly that. A disk that stalls for a moment is no overload.
const SLOW_LOOKS: u32 = 10;

/// Minimum number of games that wait, or were answered slowly, in one observation. A machine that carries only 200
/// turns a second has 30 turns of 150 ms in flight at once; with fewer games the cause is not the number of turns.
const MIN_GAMES: u32 = 32;

/// Maximum number of games of one address that count, times the factor of the command line.
const GAMES_OF_ADDRESS: u32 = 7;

/// Capacity of each of the two generations of the map from games to addresses.
const REMEMBERED: usize = 8192;

/// Time for which writes must be quick again until the overload is over: one that comes and goes is one overload.
const CALM_AFTER: Duration = Duration::from_secs(2);

/// Time until the first spectators are disconnected, and interval between further parts of them.
const SHED_EVERY: Duration = Duration::from_secs(1);

/// Number of parts into which spectators are divided.
const PARTS: u64 = 4;

/// The level of load shedding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Level {
    #[default]
    Carried,
    /// No new games and spectators, and this many parts of the spectators are disconnected.
    TooMuch { parts_shed: u64 },
}

impl Level {
    /// Whether a connection of a spectator is to be disconnected.
    const fn sheds(self, connection: ConnectionId) -> bool {
        match self {
            Self::Carried => false,
            Self::TooMuch { parts_shed } => connection.number() % PARTS < parts_shed,
        }
    }
}

/// Handle to the current level.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    level: watch::Receiver<Level>,
    origins: Origins,
}

/// The subscriber from whose addresses each game was last played.
#[derive(Clone, Debug)]
struct Origins {
    of_address: u32,
    addresses: Arc<Mutex<Recent<GameId, Network>>>,
}

impl Origins {
    fn new(address_factor: u32) -> Self {
        let of_address = GAMES_OF_ADDRESS.saturating_mul(address_factor);
        Self { of_address, addresses: Arc::new(Mutex::new(Recent::new(REMEMBERED))) }
    }

    fn record(&self, game: GameId, address: Address) {
        *self.addresses.lock().get(game, || address.subscriber()) = address.subscriber();
    }

    /// Counts games; those of one address count up to its limit. The address of a game that nobody plays now, as when
    /// its time is up, is unknown.
    fn count(&self, games: &HashSet<GameId>) -> u32 {
        let addresses = self.addresses.lock();
        let mut counts: HashMap<Option<Network>, u32> = HashMap::new();
        for game in games {
            *counts.entry(addresses.find(game).copied()).or_default() += 1;
        }
        let counted = counts.into_iter().map(|(address, n_games)| match address {
            Some(_) => n_games.min(self.of_address),
            None => n_games,
        });
        counted.fold(0, u32::saturating_add)
    }
}

impl Load {
    /// Whether new games and spectators are refused.
    pub(crate) fn is_too_much(&self) -> bool {
        *self.level.borrow() != Level::Carried
    }

    /// Records the address from which a game is played.
    pub(crate) fn record(&self, game: GameId, address: Address) {
        self.origins.record(game, address);
    }

    /// Whether the address from which a game is played is known.
    #[cfg(test)]
    pub(crate) fn is_recorded(&self, game: GameId) -> bool {
        self.origins.addresses.lock().find(&game).is_some()
    }

    /// Whether a connection of a spectator is to be disconnected.
    pub(crate) fn is_shed(&self, connection: ConnectionId) -> bool {
        self.level.borrow().sheds(connection)
    }

    /// Waits until a connection of a spectator is to be disconnected.
    pub(crate) async fn sheds(&mut self, connection: ConnectionId) {
        if self.level.wait_for(|level| level.sheds(connection)).await.is_err() {
            // The measuring task has ended: the server shuts down, which ends connections by itself.
            std::future::pending().await
        }
    }
}

/// Measures the load for ever, and publishes its level. Writes of many games that all wait for longer than `too_long`
/// mean overload.
pub(crate) fn measure(
    writer: Writer,
    too_long: Duration,
    address_factor: u32,
) -> (Load, impl Future<Output = ()> + Send) {
    let (level, load) = watch::channel(Level::default());
    let origins = Origins::new(address_factor);
    let known = origins.clone();
    let measuring = async move {
        let mut measure = Measure::new(too_long);
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            let found = measure.observe(Observation::of(&writer.load(), &known), Instant::now());
            level.send_if_modified(|level| {
                let before = std::mem::replace(level, found);
                report(before, found);
                before != found
            });
        }
    };
    (Load { level: load, origins }, measuring)
}

/// The result of one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Observation {
    /// The database does not answer.
    Away,
    /// There was no answer for a while.
    Silent,
    Answering {
        wait: Duration,
        /// Games that wait or were answered, as far as they count.
        games: u32,
    },
}

impl Observation {
    fn of(load: &WriterLoad, origins: &Origins) -> Self {
        match load {
            WriterLoad::Away => Self::Away,
            WriterLoad::Silent => Self::Silent,
            WriterLoad::Answering { wait, games } => {
                Self::Answering { wait: *wait, games: origins.count(games) }
            }
        }
    }
}

/// Logs the beginning and the end of an overload.
fn report(before: Level, now: Level) {
    match (before, now) {
        (Level::Carried, Level::TooMuch { .. }) => {
            METRICS.overloaded.set(1);
            warn!("overloaded: refusing new games, shedding spectators");
        }
        (Level::TooMuch { .. }, Level::Carried) => {
            METRICS.overloaded.set(0);
            warn!("overload ended");
        }
        (Level::Carried, Level::Carried) | (Level::TooMuch { .. }, Level::TooMuch { .. }) => {}
    }
}

/// The observations so far.
#[derive(Debug)]
struct Measure {
    too_long: Duration,
    /// Number of observations with a slow write, less those without, before an overload.
    slow_looks: u32,
    /// `None` without overload.
    under_load: Option<UnderLoad>,
}

#[derive(Debug)]
struct UnderLoad {
    since: Instant,
    /// Time of the last slow write.
    last_seen: Instant,
    parts_shed: u64,
}

impl Measure {
    const fn new(too_long: Duration) -> Self {
        Self { too_long, slow_looks: 0, under_load: None }
    }

    fn observe(&mut self, found: Observation, now: Instant) -> Level {
        let is_too_long = match found {
            Observation::Away => {
                self.slow_looks = 0;
                false
            }
            // Undecided until the next answer. Consecutive slow transactions are an overload; the first slow one may be
            // a disk that stalls for a moment, so it counts for half of one.
            Observation::Silent => {
                self.slow_looks = self.slow_looks.min(SLOW_LOOKS / 2);
                return self.level();
            }
            Observation::Answering { wait, games } => wait > self.too_long && games >= MIN_GAMES,
        };
        match &mut self.under_load {
            None if is_too_long && self.slow_looks + 1 == SLOW_LOOKS => {
                self.slow_looks = 0;
                self.under_load = Some(UnderLoad { since: now, last_seen: now, parts_shed: 0 });
            }
            None if is_too_long => self.slow_looks += 1,
            None => self.slow_looks = self.slow_looks.saturating_sub(1),
            Some(load) if is_too_long => {
                load.last_seen = now;
                let parts = (now - load.since).as_nanos() / SHED_EVERY.as_nanos();
                load.parts_shed = u64::try_from(parts).unwrap_or(PARTS).min(PARTS);
            }
            Some(load) if now - load.last_seen >= CALM_AFTER => self.under_load = None,
            Some(_) => {}
        }
        self.level()
    }

    fn level(&self) -> Level {
        match &self.under_load {
            None => Level::Carried,
            Some(load) => Level::TooMuch { parts_shed: load.parts_shed },
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::net::outbox::Outbox;

    const TOO_LONG: Duration = Duration::from_secs(1);
    const QUICK: Observation = many(Duration::from_millis(3));
    const SLOW: Observation = many(Duration::from_millis(1_001));

    const fn many(wait: Duration) -> Observation {
        Observation::Answering { wait, games: MIN_GAMES }
    }

    /// Makes the same observation every tenth of a second for a while; returns the last level.
    fn observe(measure: &mut Measure, now: &mut Instant, found: Observation, lasts: Duration) -> Level {
        let until = *now + lasts;
        let mut level = measure.observe(found, *now);
        while *now < until {
            *now += LOOK_EVERY;
            level = measure.observe(found, *now);
        }
        level
    }

    #[test]
    fn a_machine_that_keeps_up_carries_its_load() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        assert_eq!(observe(&mut measure, &mut now, QUICK, Duration::from_secs(60)), Level::Carried);
        assert_eq!(observe(&mut measure, &mut now, many(TOO_LONG), Duration::from_secs(60)), Level::Carried);
    }

    #[test]
    fn a_few_games_that_wait_are_no_load_however_long_they_do() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        let few = Observation::Answering { wait: Duration::from_secs(9), games: MIN_GAMES - 1 };
        assert_eq!(observe(&mut measure, &mut now, few, Duration::from_secs(60)), Level::Carried);
    }

    #[test]
    fn no_single_address_is_an_overload_however_many_games_it_plays() {
        let origins = Origins::new(1);
        let games = |numbers: std::ops::Range<u128>| -> HashSet<GameId> {
            numbers.map(|number| GameId::new(uuid::Uuid::from_u128(number))).collect()
        };
        assert_eq!(origins.count(&games(0..40)), 40);
        for game in games(0..1_000) {
            origins.record(game, Address::of_tests(1));
        }
        for (number, game) in games(5_000..6_000).into_iter().enumerate() {
            origins.record(game, Address::of_slash_32(number as u32));
        }
        assert_eq!(origins.count(&games(5_000..6_000)), GAMES_OF_ADDRESS, "all are of one /48");
        let n_unknown = 3 * REMEMBERED as u32;
        assert_eq!(origins.count(&games(10_000..10_000 + u128::from(n_unknown))), n_unknown);
        assert_eq!(
            origins.count(&games(5_000..6_000)),
            GAMES_OF_ADDRESS,
            "games that were counted displace none"
        );
        let load = |games| WriterLoad::Answering { wait: TOO_LONG, games };
        let found = |games| Observation::Answering { wait: TOO_LONG, games };
        assert_eq!(Observation::of(&load(games(0..1_000)), &origins), found(GAMES_OF_ADDRESS));
        for number in 0..u128::from(MIN_GAMES) {
            let address = Address::of_tests(2 + number as u32 / 7);
            games(2_000 + number..2_001 + number).into_iter().for_each(|game| origins.record(game, address));
        }
        let of_five = games(2_000..2_000 + u128::from(MIN_GAMES));
        assert_eq!(Observation::of(&load(of_five), &origins), found(MIN_GAMES), "more than four addresses");
    }

    #[test]
    fn a_database_that_answers_nothing_is_no_load_before_nor_after() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        for _ in 0..10 {
            observe(&mut measure, &mut now, SLOW, LOOK_EVERY * (SLOW_LOOKS - 2));
            assert_eq!(
                observe(&mut measure, &mut now, Observation::Away, Duration::from_secs(10)),
                Level::Carried
            );
            assert_eq!(
                measure.observe(SLOW, now),
                Level::Carried,
                "the writes that waited meanwhile are answered late"
            );
            observe(&mut measure, &mut now, QUICK, LOOK_EVERY * 2);
        }
    }

    /// Makes observations during transactions that each take this long. The waiting writes are answered after each of
    /// them.
    fn observe_transactions(measure: &mut Measure, now: &mut Instant, take: Duration, n: u32) -> Level {
        let mut level = Level::Carried;
        for _ in 0..n {
            observe(measure, now, SLOW, take.min(Duration::from_millis(800)));
            for _ in 9..take.as_millis() / LOOK_EVERY.as_millis() {
                *now += LOOK_EVERY;
                measure.observe(Observation::Silent, *now);
            }
            *now += LOOK_EVERY;
            level = measure.observe(SLOW, *now);
        }
        level
    }

    #[test]
    fn transactions_that_all_take_a_second_and_more_are_a_load_for_as_long_as_they_do() {
        for take_ms in [900, 1_200, 3_000, 4_900] {
            let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
            let take = Duration::from_millis(take_ms);
            let level = observe_transactions(&mut measure, &mut now, take, 2);
            assert_ne!(level, Level::Carried, "two transactions of {take_ms} ms");
            for _ in 0..10 {
                let level = observe_transactions(&mut measure, &mut now, take, 1);
                assert_ne!(level, Level::Carried, "it goes on with {take_ms} ms");
            }
        }
    }

    #[test]
    fn one_transaction_of_seconds_is_a_disk_that_stops_for_a_moment() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        for _ in 0..100 {
            let level = observe_transactions(&mut measure, &mut now, Duration::from_secs(3), 1);
            assert_eq!(level, Level::Carried);
            observe(&mut measure, &mut now, QUICK, LOOK_EVERY * SLOW_LOOKS);
        }
    }

    #[test]
    fn a_load_is_detected_within_a_second_and_a_half_though_some_observations_are_not_slow() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        let began = now;
        let looks = [SLOW, SLOW, SLOW, SLOW, SLOW, many(Duration::ZERO)];
        let mut looks = looks.iter().cycle();
        while measure.observe(*looks.next().unwrap(), now) == Level::Carried {
            now += LOOK_EVERY;
        }
        assert!(now - began <= Duration::from_millis(1_500), "{:?}", now - began);
    }

    #[test]
    fn a_disk_that_stops_for_a_moment_is_no_load_however_often_it_does() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        for _ in 0..100 {
            let level = observe(&mut measure, &mut now, SLOW, LOOK_EVERY * (SLOW_LOOKS - 2));
            assert_eq!(level, Level::Carried);
            observe(&mut measure, &mut now, QUICK, LOOK_EVERY * SLOW_LOOKS);
        }
    }

    #[test]
    fn a_load_is_seen_though_nothing_waits_between_two_transactions() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        let mut level = Level::Carried;
        for _ in 0..4 {
            observe(&mut measure, &mut now, SLOW, LOOK_EVERY * 3);
            level = measure.observe(many(Duration::ZERO), now);
        }
        assert_eq!(level, Level::TooMuch { parts_shed: 0 });
    }

    #[test]
    fn new_games_give_way_first_and_then_spectators_part_by_part() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        let level = observe(&mut measure, &mut now, SLOW, LOOK_EVERY * (SLOW_LOOKS - 1));
        assert_eq!(level, Level::TooMuch { parts_shed: 0 });
        for parts_shed in [1, 2, 3, 4, 4] {
            let level = observe(&mut measure, &mut now, SLOW, SHED_EVERY);
            assert_eq!(level, Level::TooMuch { parts_shed });
        }
    }

    #[test]
    fn the_server_recovers_within_five_seconds_of_the_end_of_the_load() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        observe(&mut measure, &mut now, SLOW, Duration::from_secs(60));
        let end = now;
        while measure.observe(QUICK, now) != Level::Carried {
            now += LOOK_EVERY;
        }
        assert!(now - end <= Duration::from_secs(5), "{:?}", now - end);
    }

    #[test]
    fn a_load_that_comes_and_goes_is_one_overload() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        observe(&mut measure, &mut now, SLOW, LOOK_EVERY * SLOW_LOOKS);
        for _ in 0..10 {
            observe(&mut measure, &mut now, SLOW, LOOK_EVERY);
            let level = observe(&mut measure, &mut now, QUICK, Duration::from_secs(1));
            assert_ne!(level, Level::Carried);
        }
        assert_eq!(observe(&mut measure, &mut now, QUICK, CALM_AFTER), Level::Carried);
    }

    #[tokio::test(start_paused = true)]
    async fn each_connection_goes_in_its_turn() {
        let (level, load) = watch::channel(Level::TooMuch { parts_shed: 1 });
        let load = Load { level: load, origins: Origins::new(1) };
        let connections: Vec<ConnectionId> = (0..20).map(|_| Outbox::open().0.id).collect();
        for parts_shed in 0..=PARTS {
            level.send_replace(Level::TooMuch { parts_shed });
            for connection in &connections {
                let mut load = load.clone();
                let sheds = timeout(Duration::ZERO, load.sheds(*connection)).await.is_ok();
                assert_eq!(sheds, connection.number() % PARTS < parts_shed, "{connection} with {parts_shed}");
            }
        }
        level.send_replace(Level::Carried);
        assert!(timeout(Duration::ZERO, load.clone().sheds(connections[0])).await.is_err());
    }
}
