//! Time and chance of a node. All other code takes them as arguments or from an [`Env`].

use std::{
    fmt,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use engine::Seed;
use parking_lot::Mutex;
use rand::{
    RngExt,
    distr::{Distribution, StandardUniform},
};
use rustix::time::{ClockId, Timespec, clock_gettime};
use uuid::Uuid;

/// The clock and the randomness of a node.
#[derive(Clone)]
pub(crate) struct Env(Arc<Inner>);

struct Inner {
    clock: Clock,
    /// A seeded generator for tests; `None` is the generator of the machine.
    chance: Option<Mutex<rand::rngs::StdRng>>,
    last_id: Mutex<LastId>,
}

enum Clock {
    /// Time since 1970 at the start of the process, and the machine's uptime then.
    Machine { since_1970: Duration, up: Timespec },
    /// tokio's clock, which tests pause and advance.
    #[cfg(any(test, fuzzing))]
    Virtual { since_1970: Duration, began: tokio::time::Instant },
}

/// Time of the last id, and a counter for ids of the same millisecond.
#[derive(Default)]
struct LastId {
    ms: u64,
    counter: u16,
}

/// Number of ids of one millisecond that a counter of 12 bits tells apart.
const IDS_EACH_MS: u16 = 1 << 12;

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env").finish_non_exhaustive()
    }
}

impl Env {
    /// Returns the clock and the randomness of the machine.
    #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
    pub(crate) fn of_machine() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::new(Clock::Machine { since_1970, up: clock_gettime(ClockId::Boottime) }, None)
    }

    /// Returns tokio's clock, which a test can pause, and randomness from a seed.
    #[cfg(any(test, fuzzing))]
    #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
    pub(crate) fn of_test(seed: u64) -> Self {
        use rand::SeedableRng;

        let clock = Clock::Virtual {
            since_1970: Duration::from_secs(1_800_000_000),
            began: std::time::Instant::now().into(),
        };
        Self::new(clock, Some(Mutex::new(rand::rngs::StdRng::seed_from_u64(seed))))
    }

    fn new(clock: Clock, chance: Option<Mutex<rand::rngs::StdRng>>) -> Self {
        Self(Arc::new(Inner { clock, chance, last_id: Mutex::default() }))
    }

    /// Milliseconds since 1970. Within a process they never run backwards, whatever happens to the machine's own clock,
    /// and jump only over the time for which the machine was suspended: they measure players' time, and other nodes
    /// keep running meanwhile.
    pub(crate) fn now_ms(&self) -> i64 {
        let since_1970 = match &self.0.clock {
            Clock::Machine { since_1970, up } => {
                let elapsed = clock_gettime(ClockId::Boottime) - *up;
                *since_1970 + Duration::try_from(elapsed).unwrap_or_default()
            }
            #[cfg(any(test, fuzzing))]
            Clock::Virtual { since_1970, began } => *since_1970 + began.elapsed(),
        };
        i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
    }

    /// Returns the time until a moment; zero if it has passed.
    pub(crate) fn until(&self, at_ms: i64) -> Duration {
        Duration::from_millis(u64::try_from(at_ms - self.now_ms()).unwrap_or(0))
    }

    /// Returns a random value.
    #[expect(clippy::disallowed_methods, reason = "this is where chance comes from")]
    pub(crate) fn random<T>(&self) -> T
    where
        StandardUniform: Distribution<T>,
    {
        match &self.0.chance {
            None => rand::random(),
            Some(chance) => chance.lock().random(),
        }
    }

    /// Returns a new secret for the cards of a game.
    pub(crate) fn seed(&self) -> Seed {
        Seed::new(self.random())
    }

    /// Returns a new id, a UUID of version 7: ids of a node sort in the order in which they were made.
    pub(crate) fn id(&self) -> Uuid {
        let now_ms = u64::try_from(self.now_ms()).unwrap_or_default();
        let (ms, counter) = {
            let mut last = self.0.last_id.lock();
            *last = if now_ms > last.ms {
                LastId { ms: now_ms, counter: 0 }
            } else if last.counter + 1 < IDS_EACH_MS {
                LastId { ms: last.ms, counter: last.counter + 1 }
            } else {
                LastId { ms: last.ms + 1, counter: 0 }
            };
            (last.ms, last.counter)
        };
        let mut random: [u8; 10] = self.random();
        random[..2].copy_from_slice(&counter.to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(ms, &random).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_in_the_order_in_which_they_were_made() {
        let env = Env::of_machine();
        let ids: Vec<Uuid> = (0..3 * usize::from(IDS_EACH_MS)).map(|_| env.id()).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert_eq!(ids[0].get_version_num(), 7);
    }

    #[tokio::test(start_paused = true)]
    async fn two_environments_of_one_seed_give_the_same_time_and_chance() {
        let [one, other] = [7, 7].map(Env::of_test);
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(one.id(), other.id());
        assert_eq!(one.random::<u64>(), other.random::<u64>());
        assert_ne!(one.random::<u64>(), one.random::<u64>());
        assert_eq!(one.until(one.now_ms() + 90), Duration::from_millis(90));
        assert_eq!(one.until(one.now_ms() - 1), Duration::ZERO);
    }
}
