//! What was measured, as a table and as JSON.

use std::{fmt, time::Duration};

use serde::Serialize;

use crate::machine::{CpuSeconds, Machine};

/// How long what was asked took to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Waits {
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub longest_ms: f64,
}

impl Waits {
    /// Of all waits; `None` if there was none.
    pub fn of(mut waits: Vec<Duration>) -> Option<Self> {
        waits.sort_unstable();
        let at = |percent: usize| {
            // The smallest wait that so many of a hundred do not exceed.
            let rank = (waits.len() * percent).div_ceil(100).max(1);
            waits[rank - 1].as_secs_f64() * 1e3
        };
        (!waits.is_empty()).then(|| Self {
            p50_ms: at(50),
            p95_ms: at(95),
            p99_ms: at(99),
            longest_ms: at(100),
        })
    }
}

/// Processor time that the three took while it was measured.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Costs {
    pub server: CpuSeconds,
    pub load_tool: CpuSeconds,
    /// `None` where the database is in the server's process.
    pub database: Option<CpuSeconds>,
}

/// What one workload of one size gave.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// As `W1`.
    pub workload: &'static str,
    pub database: &'static str,
    /// Games, watchers or readers.
    pub size: usize,
    /// For how long it was measured.
    pub seconds: f64,
    /// Turns that were acknowledged, or frames that were delivered.
    pub done: u64,
    /// From sending to the other side's receipt.
    pub waits: Option<Waits>,
    pub costs: Costs,
    /// KiB of memory that the server has at the end.
    pub memory_kib: u64,
    /// KiB of it that came with each connection.
    pub kib_per_connection: f64,
    /// Connections that the server cut, as those of slow readers.
    pub cut: usize,
    /// Processes that wanted to run in the minute before the end, those of others too.
    pub load_average: String,
}

impl Figures {
    fn done_per_second(&self) -> f64 {
        self.done as f64 / self.seconds
    }

    /// Milliseconds of the server's processor time for a thousand of what was done.
    fn server_ms_per_1000(&self) -> f64 {
        self.costs.server.0 * 1e6 / self.done as f64
    }
}

/// All that was measured, and where.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub figures: Vec<Figures>,
}

const HEADINGS: [&str; 14] = [
    "", "database", "size", "done/s", "p50 ms", "p95 ms", "p99 ms", "server", "tool", "database", "ms/1000",
    "MiB", "KiB/conn", "load",
];

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { processors, model, kernel, load_average } = &self.machine;
        writeln!(f, "{processors} × {model}, Linux {kernel}, load average {load_average} before\n")?;
        line(f, HEADINGS.map(str::to_owned))?;
        line(f, [(); 14].map(|()| "---".to_owned()))?;
        self.figures.iter().try_for_each(|figures| line(f, figures.cells()))
    }
}

fn line(f: &mut fmt::Formatter<'_>, cells: [String; 14]) -> fmt::Result {
    let cells = cells.map(|cell| format!("{cell:>8}"));
    writeln!(f, "| {} |", cells.join(" | "))
}

impl Figures {
    /// The cells of its line, in the order of the headings. What has no meaning is a dash.
    fn cells(&self) -> [String; 14] {
        let known = |is_known: bool, text: String| if is_known { text } else { "-".to_owned() };
        let ms =
            |of: fn(&Waits) -> f64| self.waits.as_ref().map_or("-".to_owned(), |w| format!("{:.1}", of(w)));
        let cores = |time: CpuSeconds| format!("{:.2}", time.0 / self.seconds);
        let has_done = self.done > 0;
        [
            self.workload.to_owned(),
            self.database.to_owned(),
            self.size.to_string(),
            known(has_done, format!("{:.0}", self.done_per_second())),
            ms(|waits| waits.p50_ms),
            ms(|waits| waits.p95_ms),
            ms(|waits| waits.p99_ms),
            cores(self.costs.server),
            cores(self.costs.load_tool),
            self.costs.database.map_or("-".to_owned(), cores),
            known(has_done, format!("{:.1}", self.server_ms_per_1000())),
            format!("{:.0}", self.memory_kib as f64 / 1024.0),
            format!("{:.1}", self.kib_per_connection),
            self.load_average.clone(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_smallest_wait_that_so_many_do_not_exceed() {
        let ms = |numbers: std::ops::RangeInclusive<u64>| numbers.rev().map(Duration::from_millis).collect();
        let waits = |p50_ms, p95_ms, p99_ms, longest_ms| Some(Waits { p50_ms, p95_ms, p99_ms, longest_ms });
        assert_eq!(Waits::of(ms(1..=100)), waits(50.0, 95.0, 99.0, 100.0));
        assert_eq!(Waits::of(ms(1..=4)), waits(2.0, 4.0, 4.0, 4.0));
        assert_eq!(Waits::of(ms(7..=7)), waits(7.0, 7.0, 7.0, 7.0));
        assert_eq!(Waits::of(Vec::new()), None);
    }
}
