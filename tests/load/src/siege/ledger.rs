//! What honest clients wait for, and what goes wrong for them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::figures::Waits;

/// What an honest client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// From sending a turn until it is acknowledged and the other side has it.
    Turn,
    /// Anything else: what is legal next, and each step of a newcomer's visit.
    Step,
    /// A timer of this tool, whose wait is how late it fired: what the tool itself adds to all other waits.
    Timer,
}

/// The waits and the faults of all honest clients, with their times.
#[derive(Debug, Default)]
pub(super) struct Ledger {
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

/// A span of the measurement.
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

/// A wait that is not over. Dropped, it counts as long as it has lasted: a client that is still waiting when the
/// measurement ends must not be left out.
#[derive(Debug)]
struct Pending {
    ledger: Arc<Ledger>,
    what: Wait,
    began: Instant,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.ledger.wait(self.what, self.began, self.began.elapsed());
    }
}

impl Ledger {
    /// Measures how long something takes.
    pub(super) async fn time<T>(self: &Arc<Self>, what: Wait, work: impl Future<Output = T>) -> T {
        let _pending = Pending { ledger: self.clone(), what, began: Instant::now() };
        work.await
    }

    /// Enters a wait.
    pub(super) fn wait(&self, what: Wait, began: Instant, took: Duration) {
        self.locked().waits.push(Waited { what, began, took });
    }

    /// Enters what an honest client was refused, or did not find.
    pub(super) fn fault(&self, what: impl Into<String>) {
        self.locked().faults.push((Instant::now(), what.into()));
    }

    /// The waits of one kind that began in a span; `None` if there was none.
    ///
    /// A client does one thing after the other. While it waits for longer than `every`, what it would have begun meanwhile is
    /// not asked for, and would wait too; so each wait stands for those that it held up, each `every` later and so much
    /// shorter.
    pub(super) fn waits(&self, what: Wait, span: Span, every: Duration) -> Option<Waits> {
        let entries = self.locked();
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

    /// What went wrong in a span, and how often.
    pub(super) fn faults(&self, span: Span) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for (_, what) in self.locked().faults.iter().filter(|(at, _)| span.has(*at)) {
            *counts.entry(what.clone()).or_default() += 1;
        }
        counts
    }

    fn locked(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_wait_stands_for_what_it_held_up() {
        let ledger = Ledger::default();
        let from = Instant::now();
        let ms = Duration::from_millis;
        ledger.wait(Wait::Turn, from, ms(450));
        ledger.wait(Wait::Turn, from + ms(500), ms(10));
        ledger.wait(Wait::Step, from, ms(9_000));
        let of = |from, to| ledger.waits(Wait::Turn, Span { from, to }, ms(100));
        let all = of(from, from + ms(1_000)).unwrap();
        assert_eq!((all.longest_ms, all.p50_ms), (450.0, 150.0), "450, 350, 250, 150, 50 and 10");
        assert_eq!(of(from + ms(200), from + ms(1_000)).unwrap().longest_ms, 250.0);
        assert!(of(from + ms(2_000), from + ms(3_000)).is_none());
    }

    #[tokio::test]
    async fn a_wait_that_is_given_up_counts() {
        let ledger = Arc::new(Ledger::default());
        let from = Instant::now();
        let never = ledger.time(Wait::Turn, std::future::pending::<()>());
        assert!(tokio::time::timeout(Duration::from_millis(1), never).await.is_err());
        let span = Span { from, to: from + Duration::from_secs(60) };
        assert!(ledger.waits(Wait::Turn, span, Duration::from_secs(60)).unwrap().longest_ms >= 1.0);
    }
}
