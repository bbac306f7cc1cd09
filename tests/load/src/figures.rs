//! The figures of a measurement, as a table and as JSON.

use std::{fmt, time::Duration};

use serde::Serialize;

use crate::machine::{CpuSeconds, Machine};

/// Latencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Waits {
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub longest_ms: f64,
}

impl Waits {
    /// Returns the statistics of some latencies; `None` if there are none.
    pub fn of(mut waits: Vec<Duration>) -> Option<Self> {
        waits.sort_unstable();
        let at = |percent: usize| {
            // The smallest latency that is not exceeded by this many percent.
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

/// Processor time of the three processes during the measurement.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Costs {
    pub server: CpuSeconds,
    pub load_tool: CpuSeconds,
    /// `None` if the database is in the server's process.
    pub database: Option<CpuSeconds>,
}

/// Figures of one workload of one size.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Name, as `W1`.
    pub workload: &'static str,
    pub database: &'static str,
    /// Number of games, spectators or readers.
    pub size: usize,
    /// Number of games against bots beside them.
    pub bots: usize,
    /// Duration of the measurement.
    pub seconds: f64,
    /// Number of turns acknowledged, or frames delivered.
    pub done: u64,
    /// Mean bytes of a frame with a turn; `None` if none arrived.
    pub bytes_per_turn: Option<f64>,
    /// Latency from sending to the other side's receipt.
    pub waits: Option<Waits>,
    pub costs: Costs,
    /// Memory of the server at the end, in KiB.
    pub memory_kib: u64,
    /// Memory per connection, in KiB.
    pub kib_per_connection: f64,
    /// Number of connections closed by the server, as those of slow readers.
    pub cut: usize,
    /// Load average of the minute before the end, other processes included.
    pub load_average: String,
}

impl Figures {
    fn done_per_second(&self) -> f64 {
        self.done as f64 / self.seconds
    }

    /// Milliseconds of the server's processor time per thousand of `done`.
    fn server_ms_per_1000(&self) -> f64 {
        self.costs.server.0 * 1e6 / self.done as f64
    }
}

/// Figures of an overload.
#[derive(Clone, Debug, Serialize)]
pub struct Overload {
    pub database: &'static str,
    pub games: usize,
    /// Turns acknowledged per second while games played as fast as answers came.
    pub carried_per_second: f64,
    /// Turns due per second during the overload.
    pub due_per_second: f64,
    /// Duration of the overload.
    pub seconds: f64,
    /// Number of turns acknowledged meanwhile.
    pub done: u64,
    /// Latency of those turns, from sending to the other side's receipt.
    pub waits: Option<Waits>,
    pub costs: Costs,
    /// Number of rooms requested during the overload, and of those refused as overloaded.
    pub rooms_asked: usize,
    pub rooms_refused: usize,
    /// Time from the beginning of the overload to the first refused room.
    pub refused_after_s: Option<f64>,
    #[serde(rename = "watchers")]
    pub spectators: usize,
    /// Number of spectators disconnected as overloaded.
    #[serde(rename = "watchers_sent_away")]
    pub spectators_sent_away: usize,
    pub players: usize,
    /// Number of players disconnected as overloaded.
    pub players_sent_away: usize,
    /// Other errors of spectators and games, each kind once.
    pub other_faults: Vec<String>,
    /// Peak memory of the server, in KiB.
    pub most_memory_kib: u64,
    /// Latency of one quiet game before the overload.
    pub before: Option<Waits>,
    /// Recovery after the overload.
    pub recovery: Recovery,
    /// Load average of the minute before the end, other processes included.
    pub load_average: String,
}

/// Seconds from the end of an overload until the normal state; `None` if it was not reached.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Recovery {
    /// Until a room requested after the end was made.
    pub room_s: Option<f64>,
    /// Until a new spectator was admitted.
    #[serde(rename = "watcher_s")]
    pub spectator_s: Option<f64>,
    /// Until turns of the quiet game were as fast as before.
    pub turn_s: Option<f64>,
}

/// Figures of two nodes before, during and after an interruption of their connection.
#[derive(Clone, Debug, Serialize)]
pub struct Outage {
    pub games: usize,
    /// Before, during and after.
    pub phases: Vec<Phase>,
    /// Load average of the minute before the end, other processes included.
    pub load_average: String,
}

/// Figures of a phase of an outage.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Phase {
    /// Duration of the phase.
    pub seconds: f64,
    /// Number of turns sent.
    pub turns: usize,
    /// Latency from sending to the acknowledgement.
    pub acks: Option<Waits>,
    /// Latency from sending to the receipt by the player of the other node.
    pub arrivals: Option<Waits>,
    /// Transactions of the database.
    pub transactions: i64,
    /// Processor time of both nodes.
    pub nodes: CpuSeconds,
    pub database: CpuSeconds,
}

/// All measurements, with the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub figures: Vec<Figures>,
    pub overloads: Vec<Overload>,
    pub outages: Vec<Outage>,
}

const HEADINGS: [&str; 16] = [
    "", "database", "size", "bots", "done/s", "B/turn", "p50 ms", "p95 ms", "p99 ms", "server", "tool",
    "database", "ms/1000", "MiB", "KiB/conn", "load",
];

const OVERLOAD_HEADINGS: [&str; 17] = [
    "W6", "games", "carried", "due", "done/s", "p50 ms", "p99 ms", "server", "tool", "rooms no", "after s",
    "watchers", "players", "MiB", "room s", "watch s", "turn s",
];

const OUTAGE_HEADINGS: [&str; 9] =
    ["W7", "turns/s", "ack p50", "ack p99", "p50 ms", "p99 ms", "trans/s", "nodes", "database"];

const PHASES: [&str; 3] = ["before", "cut", "after"];

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { processors, model, kernel, load_average } = &self.machine;
        writeln!(f, "{processors} × {model}, Linux {kernel}, load average {load_average} before")?;
        table(f, HEADINGS, self.figures.iter().map(Figures::cells))?;
        table(f, OVERLOAD_HEADINGS, self.overloads.iter().map(Overload::cells))?;
        for Overload { database, other_faults, .. } in &self.overloads {
            if let Some(first) = other_faults.first() {
                writeln!(f, "{database}: {} broke off otherwise, the first: {first}", other_faults.len())?;
            }
        }
        let phases = self.outages.iter().flat_map(|outage| outage.phases.iter().zip(PHASES));
        let lines: Vec<_> = phases.map(|(phase, name)| phase.cells(name)).collect();
        table(f, OUTAGE_HEADINGS, lines.into_iter())
    }
}

/// Formats a table, unless it is empty.
fn table<const COLUMNS: usize>(
    f: &mut fmt::Formatter<'_>,
    headings: [&str; COLUMNS],
    lines: impl ExactSizeIterator<Item = [String; COLUMNS]>,
) -> fmt::Result {
    if lines.len() == 0 {
        return Ok(());
    }
    writeln!(f)?;
    line(f, headings.map(str::to_owned))?;
    line(f, [(); COLUMNS].map(|()| "---".to_owned()))?;
    lines.into_iter().try_for_each(|cells| line(f, cells))
}

fn line<const COLUMNS: usize>(f: &mut fmt::Formatter<'_>, cells: [String; COLUMNS]) -> fmt::Result {
    let cells = cells.map(|cell| format!("{cell:>8}"));
    writeln!(f, "| {} |", cells.join(" | "))
}

impl Overload {
    /// Returns the cells of a row in the order of the headings. Missing values are dashes.
    fn cells(&self) -> [String; 17] {
        let ms =
            |of: fn(&Waits) -> f64| self.waits.as_ref().map_or("-".to_owned(), |w| format!("{:.0}", of(w)));
        let seconds = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{s:.1}"));
        let cores = |time: CpuSeconds| format!("{:.2}", time.0 / self.seconds);
        [
            self.database.to_owned(),
            self.games.to_string(),
            format!("{:.0}", self.carried_per_second),
            format!("{:.0}", self.due_per_second),
            format!("{:.0}", self.done as f64 / self.seconds),
            ms(|waits| waits.p50_ms),
            ms(|waits| waits.p99_ms),
            cores(self.costs.server),
            cores(self.costs.load_tool),
            format!("{}/{}", self.rooms_refused, self.rooms_asked),
            seconds(self.refused_after_s),
            format!("{}/{}", self.spectators_sent_away, self.spectators),
            format!("{}/{}", self.players_sent_away, self.players),
            format!("{:.0}", self.most_memory_kib as f64 / 1024.0),
            seconds(self.recovery.room_s),
            seconds(self.recovery.spectator_s),
            seconds(self.recovery.turn_s),
        ]
    }
}

impl Phase {
    /// Returns the cells of a row in the order of the headings. Missing values are dashes.
    fn cells(&self, name: &str) -> [String; 9] {
        let ms = |waits: Option<Waits>, of: fn(&Waits) -> f64| {
            waits.as_ref().map_or("-".to_owned(), |waits| format!("{:.1}", of(waits)))
        };
        let cores = |time: CpuSeconds| format!("{:.2}", time.0 / self.seconds);
        [
            name.to_owned(),
            format!("{:.0}", self.turns as f64 / self.seconds),
            ms(self.acks, |waits| waits.p50_ms),
            ms(self.acks, |waits| waits.p99_ms),
            ms(self.arrivals, |waits| waits.p50_ms),
            ms(self.arrivals, |waits| waits.p99_ms),
            format!("{:.0}", self.transactions as f64 / self.seconds),
            cores(self.nodes),
            cores(self.database),
        ]
    }
}

impl Figures {
    /// Returns the cells of a row in the order of the headings. Values without meaning are dashes.
    fn cells(&self) -> [String; 16] {
        let known = |is_known: bool, text: String| if is_known { text } else { "-".to_owned() };
        let ms =
            |of: fn(&Waits) -> f64| self.waits.as_ref().map_or("-".to_owned(), |w| format!("{:.1}", of(w)));
        let cores = |time: CpuSeconds| format!("{:.2}", time.0 / self.seconds);
        let has_done = self.done > 0;
        [
            self.workload.to_owned(),
            self.database.to_owned(),
            self.size.to_string(),
            self.bots.to_string(),
            known(has_done, format!("{:.0}", self.done_per_second())),
            self.bytes_per_turn.map_or("-".to_owned(), |bytes| format!("{bytes:.0}")),
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
    fn a_percentile_is_the_smallest_wait_that_its_share_does_not_exceed() {
        let ms = |numbers: std::ops::RangeInclusive<u64>| numbers.rev().map(Duration::from_millis).collect();
        let waits = |p50_ms, p95_ms, p99_ms, longest_ms| Some(Waits { p50_ms, p95_ms, p99_ms, longest_ms });
        assert_eq!(Waits::of(ms(1..=100)), waits(50.0, 95.0, 99.0, 100.0));
        assert_eq!(Waits::of(ms(1..=4)), waits(2.0, 4.0, 4.0, 4.0));
        assert_eq!(Waits::of(ms(7..=7)), waits(7.0, 7.0, 7.0, 7.0));
        assert_eq!(Waits::of(Vec::new()), None);
    }
}
