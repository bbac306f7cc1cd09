//! Workloads, a file for each.

mod idle;
mod lobby;
mod nodes;
mod overload;
mod play;
mod watch;

use std::time::Duration;

use anyhow::ensure;
use clap::ValueEnum;
use parking_lot::Mutex;

use crate::{
    bots::Bots,
    figures::{Figures, Report, Waits},
    host::{Host, Kind, Mark},
    machine,
    script::Script,
};

/// Duration of a workload before its measurement begins.
const WARM_UP: Duration = Duration::from_secs(2);

/// The workloads, by their names in tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// Games whose two sides play as fast as answers come, on SQLite.
    W1,
    /// Spectators of one game of ten turns a second.
    W2,
    /// Spectators of a game in which nothing happens.
    W3,
    /// As W1, on PostgreSQL.
    W4,
    /// Readers of a lobby in which fifty rooms are opened per second.
    W5,
    /// Games with three times as many turns as the machine carries, on SQLite and on PostgreSQL.
    W6,
    /// Games between players of two nodes, whose connection is cut for a while.
    W7,
}

impl Workload {
    /// All workloads, in order.
    pub const ALL: [Self; 7] = [Self::W1, Self::W2, Self::W3, Self::W4, Self::W5, Self::W6, Self::W7];

    /// Default numbers of games, spectators or readers.
    pub const fn sizes(self) -> &'static [usize] {
        match self {
            Self::W1 | Self::W4 => &[50, 500, 2_000],
            Self::W2 => &[100, 1_000, 5_000],
            Self::W3 => &[5_000],
            Self::W5 => &[2_000],
            Self::W6 => &[4_000],
            Self::W7 => &[2_000],
        }
    }

    /// Runs the workload on a server of its own, beside some games against bots, and reports the figures.
    ///
    /// # Errors
    /// The server does not start, or refuses something; W6 and W7 have no bots.
    pub async fn measure(
        self,
        size: usize,
        bots: usize,
        run: Duration,
        script: &'static Script,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        ensure!(size > 0 && !run.is_zero(), "nothing to measure");
        ensure!(bots == 0 || !matches!(self, Self::W6 | Self::W7), "W6 and W7 have no bots");
        let figures = match self {
            Self::W1 => {
                figures("W1", Kind::Sqlite, size, bots, async |host| {
                    play::measure(host, size, run, script).await
                })
                .await?
            }
            Self::W2 => {
                figures("W2", Kind::Sqlite, size, bots, async |host| {
                    watch::measure(host, size, run, script).await
                })
                .await?
            }
            Self::W3 => {
                figures("W3", Kind::Sqlite, size, bots, async |host| idle::measure(host, size).await).await?
            }
            Self::W4 => {
                figures("W4", Kind::Postgres, size, bots, async |host| {
                    play::measure(host, size, run, script).await
                })
                .await?
            }
            Self::W5 => {
                figures("W5", Kind::Sqlite, size, bots, async |host| lobby::measure(host, size, run).await)
                    .await?
            }
            Self::W6 => {
                for kind in [Kind::Sqlite, Kind::Postgres] {
                    report.overloads.push(overload::measure(kind, size, run, script).await?);
                }
                return Ok(());
            }
            Self::W7 => {
                report.outages.push(nodes::measure(size, run, script).await?);
                return Ok(());
            }
        };
        report.figures.push(figures);
        Ok(())
    }
}

/// Runs a workload on a server of its own.
async fn figures(
    workload: &'static str,
    kind: Kind,
    size: usize,
    bots: usize,
    measure: impl AsyncFnOnce(&Host) -> anyhow::Result<Measured>,
) -> anyhow::Result<Figures> {
    let host = Host::start(kind).await?;
    let mut thinking = Bots::start(&host.http, bots);
    let Measured { began, ended, tally, connections, cut } = tokio::select! {
        measured = measure(&host) => measured?,
        error = thinking.failure() => return Err(error),
    };
    let (seconds, costs) = ended.since(began);
    let memory_kib = host.memory_kib()?;
    Ok(Figures {
        workload,
        database: kind.name(),
        size,
        bots,
        seconds,
        done: tally.done,
        bytes_per_turn: (tally.frames > 0).then(|| tally.bytes as f64 / tally.frames as f64),
        waits: Waits::of(tally.waits),
        costs,
        memory_kib,
        kib_per_connection: memory_kib.saturating_sub(host.bare_kib) as f64 / connections as f64,
        cut,
        load_average: machine::load_average(),
    })
}

/// The raw result of a workload.
#[derive(Debug)]
struct Measured {
    began: Mark,
    ended: Mark,
    tally: Tally,
    connections: usize,
    cut: usize,
}

/// The number of operations, and their latencies.
#[derive(Debug, Default)]
struct Tally {
    done: u64,
    /// Number of frames with a turn, and their bytes.
    frames: u64,
    bytes: u64,
    waits: Vec<Duration>,
}

/// A tally that counts only during the measurement.
#[derive(Debug, Default)]
struct Counter(Mutex<Option<Tally>>);

impl Counter {
    fn begin(&self) {
        *self.0.lock() = Some(Tally::default());
    }

    fn end(&self) -> Tally {
        self.0.lock().take().unwrap_or_default()
    }

    fn done(&self) {
        if let Some(tally) = &mut *self.0.lock() {
            tally.done += 1;
        }
    }

    fn carried(&self, bytes: usize) {
        if let Some(tally) = &mut *self.0.lock() {
            tally.frames += 1;
            tally.bytes += bytes as u64;
        }
    }

    fn came_after(&self, wait: Duration) {
        if let Some(tally) = &mut *self.0.lock() {
            tally.waits.push(wait);
        }
    }
}

/// Lets a running workload warm up, and measures it.
async fn measure_running(
    host: &Host,
    counter: &Counter,
    run: Duration,
) -> anyhow::Result<(Mark, Mark, Tally)> {
    tokio::time::sleep(WARM_UP).await;
    let began = host.mark()?;
    counter.begin();
    tokio::time::sleep(run).await;
    let tally = counter.end();
    Ok((began, host.mark()?, tally))
}
