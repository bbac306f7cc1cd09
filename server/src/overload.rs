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
//! games would not help. A database that does not answer is no overload either: its callers get `unavailable`.

use std::time::Duration;

use store::{Writer, WriterLoad};
use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval},
};
use tracing::warn;

use crate::{metrics::METRICS, net::outbox::ConnectionId};

/// Interval of observations: short enough that a second has a majority.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Number of observations with slow writes, less those without, that make an overload: a second of nothing else, or
/// longer of mostly that. A disk that stalls for a moment is no overload.
const SLOW_LOOKS: u32 = 10;

/// Minimum number of games that wait, or were answered slowly, in one observation. A machine that carries only 200
/// turns a second has 30 turns of 150 ms in flight at once; with fewer games the cause is not the number of turns.
const MIN_GAMES: usize = 32;

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
}

impl Load {
    /// Whether new games and spectators are refused.
    pub(crate) fn is_too_much(&self) -> bool {
        *self.level.borrow() != Level::Carried
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
pub(crate) fn measure(writer: Writer, too_long: Duration) -> (Load, impl Future<Output = ()> + Send) {
    let (level, load) = watch::channel(Level::default());
    let measuring = async move {
        let mut measure = Measure::new(too_long);
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            let found = measure.observe(writer.load(), Instant::now());
            level.send_if_modified(|level| {
                let before = std::mem::replace(level, found);
                report(before, found);
                before != found
            });
        }
    };
    (Load { level: load }, measuring)
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

    fn observe(&mut self, found: WriterLoad, now: Instant) -> Level {
        let is_too_long = match found {
            WriterLoad::Away => {
                self.slow_looks = 0;
                false
            }
            // Undecided until the next answer. Consecutive slow transactions are an overload; the first slow one may be
            // a disk that stalls for a moment, so it counts for half of one.
            WriterLoad::Silent => {
                self.slow_looks = self.slow_looks.min(SLOW_LOOKS / 2);
                return self.level();
            }
            WriterLoad::Answering { wait, n_games } => wait > self.too_long && n_games >= MIN_GAMES,
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
    const QUICK: WriterLoad = many(Duration::from_millis(3));
    const SLOW: WriterLoad = many(Duration::from_millis(1_001));

    const fn many(wait: Duration) -> WriterLoad {
        WriterLoad::Answering { wait, n_games: MIN_GAMES }
    }

    /// Makes the same observation every tenth of a second for a while; returns the last level.
    fn observe(measure: &mut Measure, now: &mut Instant, found: WriterLoad, lasts: Duration) -> Level {
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
        let few = WriterLoad::Answering { wait: Duration::from_secs(9), n_games: MIN_GAMES - 1 };
        assert_eq!(observe(&mut measure, &mut now, few, Duration::from_secs(60)), Level::Carried);
    }

    #[test]
    fn a_database_that_answers_nothing_is_no_load_before_nor_after() {
        let (mut measure, mut now) = (Measure::new(TOO_LONG), Instant::now());
        for _ in 0..10 {
            observe(&mut measure, &mut now, SLOW, LOOK_EVERY * (SLOW_LOOKS - 2));
            assert_eq!(
                observe(&mut measure, &mut now, WriterLoad::Away, Duration::from_secs(10)),
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
                measure.observe(WriterLoad::Silent, *now);
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
        let load = Load { level: load };
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
