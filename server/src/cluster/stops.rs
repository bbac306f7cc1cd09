//! Suspensions of this process: by the machine, by a signal, or by starvation of processor time. It received nothing
//! then, so players get that time back.

use std::collections::VecDeque;

use store::Outage;
use tracing::warn;

/// Time without a tick that counts as a suspension, in milliseconds. Ticks come four times a second and with each
/// command of a game, so a machine that is merely busy stays far below this.
const STOP_MS: i64 = 1_000;

/// Maximum number of recorded suspensions. On any usable machine they cover a turn with a clock of minutes.
const KEPT: usize = 1_000;

/// The suspensions of this process.
#[derive(Debug, Default)]
pub(crate) struct Suspensions {
    /// In order, without overlaps.
    seen: VecDeque<Outage>,
    /// Time of the last tick, milliseconds since 1970.
    ticked_ms: Option<i64>,
}

impl Suspensions {
    /// Records that the process runs. A long time since the last tick is a suspension.
    pub(crate) fn tick(&mut self, now_ms: i64) {
        let Some(from_ms) = self.ticked_ms.replace(now_ms) else { return };
        if now_ms - from_ms <= STOP_MS {
            return;
        }
        let stood_ms = now_ms - from_ms;
        warn!(from_ms, to_ms = now_ms, "process suspended for {stood_ms} ms: games get that time back");
        if self.seen.len() == KEPT {
            self.seen.pop_front();
        }
        self.seen.push_back(Outage { from_ms, to_ms: now_ms });
    }

    /// Records that the process will have run until then, however virtual time jumps.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn run_until(&mut self, then_ms: i64) {
        self.ticked_ms = Some(then_ms);
    }

    /// Returns the suspensions that ended after a turn began, the last one first.
    pub(crate) fn since(&self, began_ms: i64) -> impl Iterator<Item = &Outage> {
        self.seen.iter().rev().take_while(move |stop| stop.to_ms > began_ms)
    }

    /// Returns the milliseconds of suspensions since a turn began, without those that `outages` count already.
    /// `outages` do not overlap.
    pub(crate) fn away_ms(&self, began_ms: i64, outages: &[Outage]) -> i64 {
        self.since(began_ms)
            .map(|stop| {
                let from_ms = stop.from_ms.max(began_ms);
                let counted: i64 = outages.iter().map(|outage| overlap_ms(outage, from_ms, stop.to_ms)).sum();
                (stop.to_ms - from_ms - counted).max(0)
            })
            .sum()
    }
}

fn overlap_ms(outage: &Outage, from_ms: i64, to_ms: i64) -> i64 {
    (outage.to_ms.min(to_ms) - outage.from_ms.max(from_ms)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The suspensions found by ticks at these moments.
    fn ticked(moments: &[i64]) -> Suspensions {
        let mut stops = Suspensions::default();
        moments.iter().for_each(|now_ms| stops.tick(*now_ms));
        stops
    }

    #[test]
    fn late_ticks_are_no_suspension_and_very_late_ones_are() {
        let late = ticked(&[0, 250, 500, 500 + STOP_MS, 1_750]);
        assert_eq!(late.away_ms(0, &[]), 0);
        let stopped = ticked(&[0, 250, 4_450, 4_700, 4_701 + STOP_MS]);
        for (began_ms, away_ms) in
            [(0, 4_200 + 1_001), (1_250, 3_200 + 1_001), (4_450, 1_001), (4_700 + STOP_MS, 1), (9_000, 0)]
        {
            assert_eq!(stopped.away_ms(began_ms, &[]), away_ms, "a turn that began at {began_ms}");
        }
    }

    #[test]
    fn time_in_both_a_suspension_and_an_outage_counts_once() {
        let stops = ticked(&[0, 250, 20_250]);
        for (outage, away_ms) in [
            (Outage { from_ms: 0, to_ms: 20_300 }, 0),
            (Outage { from_ms: 1_250, to_ms: 20_300 }, 1_000),
            (Outage { from_ms: 0, to_ms: 19_250 }, 1_000),
            (Outage { from_ms: 30_000, to_ms: 40_000 }, 20_000),
        ] {
            assert_eq!(stops.away_ms(0, &[outage]), away_ms, "{outage:?}");
        }
    }

    #[test]
    fn only_the_latest_suspensions_are_kept() {
        let each_ms = STOP_MS + 1;
        let moments: Vec<i64> = (0..=2 * i64::try_from(KEPT).unwrap()).map(|tick| tick * each_ms).collect();
        let stops = ticked(&moments);
        assert_eq!(stops.seen.len(), KEPT);
        assert_eq!(stops.away_ms(moments[moments.len() - 11], &[]), 10 * each_ms);
    }
}
