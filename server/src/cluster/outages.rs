//! Outages of the server: players get that time back.

use std::{sync::Arc, time::Duration};

use game::Period;
use parking_lot::Mutex;
use store::{Outage, Store, StoreError, WriteError, Writer};
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_util::sync::CancellationToken;

use super::stops::Suspensions;
use crate::env::Env;

/// Retention of outages in milliseconds: longer than any turn with a clock, at most 30 days and the vacations in them.
const KEPT_MS: i64 = 100 * 24 * 60 * 60 * 1_000;

/// Time that players get to reconnect after an outage, in milliseconds, in addition to the outage itself.
const RETURN_MS: i64 = 3_000;

/// Time after its last heartbeat for which this node knows of all outages, in milliseconds: no other node records one
/// for a shorter gap.
pub(crate) const GAP_MS: i64 = 5_000;

/// Interval at which the process checks whether it was suspended.
const TICK_EVERY: Duration = Duration::from_millis(250);

/// Maximum time for which a game with a running clock waits for the next heartbeat after a missed one.
const BEAT_TAKES: Duration = Duration::from_secs(2);

/// The reason why a heartbeat failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeatError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Read(#[from] StoreError),
}

/// The outages that may overlap turns under way.
#[derive(Clone, Debug)]
pub(crate) struct Outages {
    env: Env,
    known: Arc<Mutex<OutageList>>,
    /// Time of this node's last heartbeat, milliseconds since 1970.
    beat_ms: watch::Sender<i64>,
}

#[derive(Debug, Default)]
struct OutageList {
    /// Outages of all servers on the database, in order.
    outages: Vec<Outage>,
    /// Suspensions of this process.
    stops: Suspensions,
}

impl Outages {
    /// Returns an empty list of outages, before any heartbeat.
    pub(crate) fn new(env: Env) -> Self {
        Self { env, known: Arc::default(), beat_ms: watch::Sender::new(i64::MIN) }
    }

    /// Stores a heartbeat, and reads the outages recorded by any node.
    ///
    /// # Errors
    /// The store cannot be reached.
    pub(crate) async fn beat(
        &self,
        store: &dyn Store,
        writer: &Writer,
        gap_ms: i64,
    ) -> Result<Option<Outage>, BeatError> {
        let now_ms = self.env.now_ms();
        let found = writer.beat(now_ms, gap_ms).await?;
        if found.is_some() || !self.are_known() {
            let outages = store.outages_since(now_ms - KEPT_MS).await?;
            self.known.lock().outages = outages;
        }
        self.beat_ms.send_replace(now_ms);
        Ok(found)
    }

    /// Whether this node knows of all outages so far.
    pub(crate) fn are_known(&self) -> bool {
        self.env.now_ms().saturating_sub(*self.beat_ms.borrow()) <= GAP_MS
    }

    /// Waits a moment for the next heartbeat, if one was missed. Returns whether all outages are known then.
    pub(crate) async fn get_known(&self) -> bool {
        let mut beats = self.beat_ms.subscribe();
        timeout(BEAT_TAKES, beats.wait_for(|_| self.are_known())).await.is_ok()
    }

    /// Returns the milliseconds of outages and suspensions since a turn began.
    pub(crate) fn away_ms(&self, began_ms: i64) -> i64 {
        let mut known = self.known.lock();
        // A command may be the first event after a suspension.
        known.stops.tick(self.env.now_ms());
        let outages = known.outages.iter().filter(|outage| outage.to_ms > began_ms);
        let away_ms: i64 =
            outages.map(|outage| outage.to_ms - outage.from_ms.max(began_ms) + RETURN_MS).sum();
        away_ms + known.stops.away_ms(began_ms, &known.outages)
    }

    /// Returns the outages and suspensions that end after a turn began, each with the time to return. They may overlap.
    pub(crate) fn since(&self, began_ms: i64) -> Vec<Period> {
        let mut known = self.known.lock();
        known.stops.tick(self.env.now_ms());
        let outages = known.outages.iter().chain(known.stops.since(began_ms));
        let outages = outages.filter(|outage| outage.to_ms > began_ms);
        outages.map(|outage| Period { from_ms: outage.from_ms, to_ms: outage.to_ms + RETURN_MS }).collect()
    }

    /// Counts this process as running until then, however virtual time jumps.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn run_until(&self, then_ms: i64) {
        self.known.lock().stops.run_until(then_ms);
    }

    /// Detects suspensions of this process, until `stop`.
    pub(crate) async fn watch_process(self, stop: CancellationToken) {
        let mut ticks = interval(TICK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.known.lock().stops.tick(self.env.now_ms()),
                () = stop.cancelled() => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_credited_its_part_of_each_outage_and_the_time_to_return() {
        let outages = Outages::new(Env::of_test(1));
        outages.known.lock().outages =
            vec![Outage { from_ms: 1_000, to_ms: 5_000 }, Outage { from_ms: 60_000, to_ms: 61_500 }];
        let table =
            [(0, 11_500), (1_000, 11_500), (2_000, 10_500), (4_999, 7_501), (5_000, 4_500), (61_500, 0)];
        for (began_ms, away_ms) in table {
            assert_eq!(outages.away_ms(began_ms), away_ms, "a turn that began at {began_ms}");
        }
    }
}
