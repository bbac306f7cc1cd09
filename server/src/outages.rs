//! When the server was away: nobody loses time by it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    clock,
    stops::Stops,
    store::{Outage, Store, StoreError, WriteError, Writer},
};

/// Longer than any turn may take whose time is measured, in milliseconds: older outages are nobody's business.
const KEPT_MS: i64 = 15 * 24 * 60 * 60 * 1_000;

/// Milliseconds that players are given to come back after an outage, besides the outage itself.
const RETURN_MS: i64 = 3_000;

/// Milliseconds after its last beat for which this node knows of all outages: no other node finds one in a shorter
/// gap.
pub(crate) const GAP_MS: i64 = 5_000;

/// How often is looked whether this process stood still.
const TICK_EVERY: Duration = Duration::from_millis(250);

/// How long a game whose clock runs waits for the next beat after one was missed.
const BEAT_TAKES: Duration = Duration::from_secs(2);

/// Why a beat failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeatError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Read(#[from] StoreError),
}

/// The outages that turns under way may have seen.
#[derive(Clone, Debug)]
pub(crate) struct Outages {
    known: Arc<Mutex<Known>>,
    /// When this node's heart last beat, milliseconds since 1970.
    beat_ms: watch::Sender<i64>,
}

#[derive(Debug, Default)]
struct Known {
    /// Of all servers on the database, in order.
    outages: Vec<Outage>,
    /// Of this process.
    stops: Stops,
}

impl Outages {
    /// None, and no beat yet.
    pub(crate) fn new() -> Self {
        Self { known: Arc::default(), beat_ms: watch::Sender::new(i64::MIN) }
    }

    /// Notes that this node is up, and learns of the outages that end with it, whichever node has found them.
    ///
    /// # Errors
    /// The store cannot be reached.
    pub(crate) async fn beat(
        &self,
        store: &dyn Store,
        writer: &Writer,
        gap_ms: i64,
    ) -> Result<Option<Outage>, BeatError> {
        let now_ms = clock::now_ms();
        let found = writer.beat(now_ms, gap_ms).await?;
        if found.is_some() || !self.are_known() {
            let outages = store.outages_since(now_ms - KEPT_MS).await?;
            self.locked().outages = outages;
        }
        self.beat_ms.send_replace(now_ms);
        Ok(found)
    }

    /// Whether there can be no outage now that this node has not heard of.
    pub(crate) fn are_known(&self) -> bool {
        clock::now_ms().saturating_sub(*self.beat_ms.borrow()) <= GAP_MS
    }

    /// Waits a moment for the next beat, if one was missed. Tells whether all outages are known then.
    pub(crate) async fn get_known(&self) -> bool {
        let mut beats = self.beat_ms.subscribe();
        timeout(BEAT_TAKES, beats.wait_for(|_| self.are_known())).await.is_ok()
    }

    /// Milliseconds for which the server was away, or this process stood still, since a turn began.
    pub(crate) fn away_ms(&self, began_ms: i64) -> i64 {
        let mut known = self.locked();
        // A command may be the first that is carried out after a stop.
        known.stops.tick(clock::now_ms());
        let outages = known.outages.iter().filter(|outage| outage.to_ms > began_ms);
        let away_ms: i64 =
            outages.map(|outage| outage.to_ms - outage.from_ms.max(began_ms) + RETURN_MS).sum();
        away_ms + known.stops.away_ms(began_ms, &known.outages)
    }

    /// Has this process count as running until then, however virtual time jumps.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn run_until(&self, then_ms: i64) {
        self.locked().stops.run_until(then_ms);
    }

    /// Notices when this process stands still, until `stop`.
    pub(crate) async fn watch_process(self, stop: CancellationToken) {
        let mut ticks = interval(TICK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.locked().stops.tick(clock::now_ms()),
                () = stop.cancelled() => return,
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_given_what_it_saw_of_each_outage_and_the_time_to_come_back() {
        let outages = Outages::new();
        outages.locked().outages =
            vec![Outage { from_ms: 1_000, to_ms: 5_000 }, Outage { from_ms: 60_000, to_ms: 61_500 }];
        let table =
            [(0, 11_500), (1_000, 11_500), (2_000, 10_500), (4_999, 7_501), (5_000, 4_500), (61_500, 0)];
        for (began_ms, away_ms) in table {
            assert_eq!(outages.away_ms(began_ms), away_ms, "a turn that began at {began_ms}");
        }
    }
}
