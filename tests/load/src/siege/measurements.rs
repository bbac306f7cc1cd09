//! Latencies and faults that honest clients record.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::figures::Waits;

/// Kind of a latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// From sending a turn until it is acknowledged and received by the opponent.
    Turn,
    /// An `options` request, or one step of a newcomer's visit.
    Step,
    /// As [`Turn`](Self::Turn), to an opponent on a weak line.
    WeakTurn,
    /// From the first request to join a room, which the attacker may have taken, until the room is joined.
    Join,
    /// A registration, sign-in or recovery of an account's owner, for which a password is hashed.
    Owner,
    /// Lateness of a timer of this tool: the share of the tool itself in all other latencies.
    Timer,
}

/// Latencies and faults of all honest clients, with their times.
#[derive(Debug, Default)]
pub(super) struct Measurements {
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    waits: Vec<Waited>,
    faults: Vec<(Instant, String)>,
}

#[derive(Clone, Copy, Debug)]
struct Waited {
    what: Wait,
    began: Instant,
    took: Duration,
}

/// A span of time; `to` is exclusive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: Instant,
    pub(super) to: Instant,
}

impl Span {
    fn has(self, moment: Instant) -> bool {
        self.from <= moment && moment < self.to
    }
}

/// A running latency measurement. Dropping it records the time so far, so that a client that is still waiting at the end
/// of the run is counted.
#[derive(Debug)]
struct Pending {
    measurements: Arc<Measurements>,
    what: Wait,
    began: Instant,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.measurements.wait(self.what, self.began, self.began.elapsed());
    }
}

impl Measurements {
    /// Records how long `work` takes, even if it is dropped before it ends.
    pub(super) async fn time<T>(self: &Arc<Self>, what: Wait, work: impl Future<Output = T>) -> T {
        let _pending = Pending { measurements: self.clone(), what, began: Instant::now() };
        work.await
    }

    /// Records a latency.
    pub(super) fn wait(&self, what: Wait, began: Instant, took: Duration) {
        self.entries.lock().waits.push(Waited { what, began, took });
    }

    /// Records that an honest client was refused something, or did not find it.
    pub(super) fn fault(&self, what: impl Into<String>) {
        self.entries.lock().faults.push((Instant::now(), what.into()));
    }

    /// Statistics of the latencies of one kind that began in a span; `None` if there are none.
    ///
    /// Corrects for coordinated omission: a client that is due to do something each `every` cannot start it while it is
    /// blocked. A latency longer than `every` therefore also counts as those of the operations that it delayed, each
    /// `every` later and shorter by that.
    pub(super) fn waits(&self, what: Wait, span: Span, every: Duration) -> Option<Waits> {
        let entries = self.entries.lock();
        let of_kind = entries.waits.iter().filter(|waited| waited.what == what);
        let with_held_up = of_kind.flat_map(|&Waited { began, took, .. }| {
            (0..).map_while(move |missed| {
                let later = every * missed;
                let rest = took.checked_sub(later).filter(|rest| missed == 0 || !rest.is_zero())?;
                Some((began + later, rest))
            })
        });
        Waits::of(with_held_up.filter(|&(began, _)| span.has(began)).map(|(_, took)| took).collect())
    }

    /// Counts of faults in a span by kind.
    pub(super) fn faults(&self, span: Span) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for (_, what) in self.entries.lock().faults.iter().filter(|(at, _)| span.has(*at)) {
            *counts.entry(what.clone()).or_default() += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_wait_counts_for_the_requests_that_it_delayed() {
        let measurements = Measurements::default();
        let from = Instant::now();
        let ms = Duration::from_millis;
        measurements.wait(Wait::Turn, from, ms(450));
        measurements.wait(Wait::Turn, from + ms(500), ms(10));
        measurements.wait(Wait::Step, from, ms(9_000));
        let of = |from, to| measurements.waits(Wait::Turn, Span { from, to }, ms(100));
        let all = of(from, from + ms(1_000)).unwrap();
        assert_eq!((all.longest_ms, all.p50_ms), (450.0, 150.0), "450, 350, 250, 150, 50 and 10");
        assert_eq!(of(from + ms(200), from + ms(1_000)).unwrap().longest_ms, 250.0);
        assert!(of(from + ms(2_000), from + ms(3_000)).is_none());
    }

    #[tokio::test]
    async fn a_wait_that_is_given_up_counts() {
        let measurements = Arc::new(Measurements::default());
        let from = Instant::now();
        let never = measurements.time(Wait::Turn, std::future::pending::<()>());
        assert!(tokio::time::timeout(Duration::from_millis(1), never).await.is_err());
        let span = Span { from, to: from + Duration::from_secs(60) };
        assert!(measurements.waits(Wait::Turn, span, Duration::from_secs(60)).unwrap().longest_ms >= 1.0);
    }
}
