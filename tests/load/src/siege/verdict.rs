//! The figures of an attack and the verdict on them.

use std::{collections::BTreeMap, iter};

use super::{attacker::End, attacks::Attack};
use crate::{
    figures::Waits,
    host::Kind,
    machine::{self, CpuSeconds},
};

/// Limits that an attack must not push the server over.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Factor by which the 99th percentile of a latency may grow.
    pub times: f64,
    /// Milliseconds below which a 99th percentile always passes: half of a noticeable delay, and the time that a disk
    /// sync and a time slice of another process may take together.
    pub floor_ms: f64,
    /// Milliseconds over which a 99th percentile always fails.
    pub most_ms: f64,
    /// Maximum resident memory of the server process.
    pub memory_mib: f64,
    /// Maximum growth of the database, in excess of that before the attack.
    pub disk_mib_per_second: f64,
    /// Maximum time of a turn to an opponent on a weak line.
    pub weak_turn_ms: f64,
    /// Maximum time for which a public room cannot be joined after the attacker has left it.
    pub join_ms: f64,
    /// Maximum time of a registration, sign-in or recovery.
    pub owner_ms: f64,
    /// Bytes that an address may receive at once, and a second, MiB.
    pub received_mib: f64,
    pub received_mib_per_second: f64,
    /// Maximum growth of the database for each byte that was charged to the budgets of addresses.
    pub growth_per_charged_byte: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            times: 3.0,
            floor_ms: 50.0,
            most_ms: 500.0,
            memory_mib: 768.0,
            disk_mib_per_second: 0.25,
            weak_turn_ms: 7_000.0,
            join_ms: 2_000.0,
            owner_ms: 1_000.0,
            received_mib: 110.0,
            received_mib_per_second: 5.5,
            growth_per_charged_byte: 1.5,
        }
    }
}

/// Latencies of honest clients in one phase; `None` if there were none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stretch {
    pub turns: Option<Waits>,
    /// Steps of newcomers and `options` requests of players.
    pub steps: Option<Waits>,
    /// Lateness of timers of this tool.
    pub timer: Option<Waits>,
}

/// Resources used up to a moment, in processor seconds; or between two moments, per second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    /// The server process.
    pub server: f64,
    /// PostgreSQL; `None` with SQLite, which runs in the server process.
    pub database: Option<f64>,
    pub attacker: f64,
    pub honest: f64,
    /// Size of the database, MiB.
    pub disk_mib: f64,
    /// Bytes charged to the budgets of all addresses for what they had stored, MiB.
    pub charged_mib: f64,
    /// Bytes received by the attacker, MiB.
    pub received_mib: f64,
}

/// Bytes up to a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes {
    pub(super) disk: u64,
    pub(super) charged: u64,
    pub(super) received: u64,
}

const MIB: f64 = 1_048_576.0;

impl Costs {
    pub(super) fn now(server: u32, database: Option<u32>, bytes: Bytes) -> anyhow::Result<Self> {
        let (all, honest) = (machine::cpu(std::process::id())?, machine::cpu_of_first_thread()?);
        Ok(Self {
            server: machine::cpu(server)?.0,
            database: database.map(machine::cpu_of_family).transpose()?.map(|CpuSeconds(seconds)| seconds),
            attacker: (all - honest).0,
            honest: honest.0,
            disk_mib: bytes.disk as f64 / MIB,
            charged_mib: bytes.charged as f64 / MIB,
            received_mib: bytes.received as f64 / MIB,
        })
    }

    pub(super) fn since(self, earlier: Self, seconds: f64) -> Self {
        Self {
            server: (self.server - earlier.server) / seconds,
            database: self.database.zip(earlier.database).map(|(now, then)| (now - then) / seconds),
            attacker: (self.attacker - earlier.attacker) / seconds,
            honest: (self.honest - earlier.honest) / seconds,
            disk_mib: (self.disk_mib - earlier.disk_mib) / seconds,
            charged_mib: (self.charged_mib - earlier.charged_mib) / seconds,
            received_mib: (self.received_mib - earlier.received_mib) / seconds,
        }
    }
}

/// A figure that only one attack has, with its limit.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The quantity with its unit.
    pub name: &'static str,
    /// `None` if there was nothing to measure.
    pub value: Option<f64>,
    pub most: f64,
}

impl Figure {
    fn failure(&self) -> Option<String> {
        let Self { name, value, most } = self;
        match value {
            None => Some(format!("{name}: not measured")),
            Some(value) => (value > most).then(|| format!("{name}: {value:.1}, over {most:.1}")),
        }
    }
}

/// The verdict on one run of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// Nothing but latencies went over their limits.
    Slow,
    Failed,
}

/// Figures and verdict of one run of an attack.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub attack: Attack,
    pub database: &'static str,
    /// Before, during and after.
    pub stretches: [Stretch; 3],
    /// Faults of honest clients before the attack, by kind.
    pub faults_before: BTreeMap<String, u64>,
    /// Faults of honest clients since the attack began, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Peak resident memory of the server process, MiB; `None` if it has ended.
    pub memory_mib: Option<f64>,
    /// Resources used during the attack, per second.
    pub costs: Option<Costs>,
    /// Resources used before the attack, per second.
    pub costs_before: Costs,
    /// The figure of this attack alone, if it has one.
    pub figure: Option<Figure>,
    /// The end of the attack.
    pub end: End,
    /// Number of requests, messages and frames that the attacker sent.
    pub sent: u64,
    /// Refusals of the attacker by kind.
    pub refused: BTreeMap<String, u64>,
    /// Latencies that went over their limits.
    pub slow: Vec<String>,
    /// Other reasons why the server failed.
    pub failures: Vec<String>,
}

impl Outcome {
    /// The outcome of an attack that could not be run.
    pub(super) fn broken(attack: Attack, database: Kind, error: &anyhow::Error) -> Self {
        Self {
            attack,
            database: database.name(),
            stretches: [Stretch::default(); 3],
            faults_before: BTreeMap::new(),
            faults: BTreeMap::new(),
            memory_mib: None,
            costs: None,
            costs_before: Costs::default(),
            figure: None,
            end: End::Cut,
            sent: 0,
            refused: BTreeMap::new(),
            slow: Vec::new(),
            failures: vec![format!("not run: {error:#}")],
        }
    }

    pub fn verdict(&self) -> Verdict {
        match (&self.slow[..], &self.failures[..]) {
            ([], []) => Verdict::Passed,
            (_, []) => Verdict::Slow,
            _ => Verdict::Failed,
        }
    }

    /// Growth of the database in excess of that before the attack, MiB per second.
    pub fn disk_mib_per_second(&self) -> Option<f64> {
        Some((self.costs?.disk_mib - self.costs_before.disk_mib).max(0.0))
    }

    /// Compares all figures with the limits and records the failures.
    pub(super) fn judge(&mut self, bounds: &Bounds) {
        let [before, during, after] = &self.stretches;
        let waits = [
            ("turns", before.turns, during.turns, after.turns),
            ("steps", before.steps, during.steps, after.steps),
        ];
        let (mut slow, mut failures) = (Vec::new(), Vec::new());
        for (what, before, during, after) in waits {
            let Some(before) = before else {
                failures.push(format!("no {what} before the attack"));
                continue;
            };
            let most = (before.p99_ms * bounds.times).max(bounds.floor_ms).min(bounds.most_ms);
            for (when, waits) in [("during", during), ("after", after)] {
                match waits {
                    None => failures.push(format!("no {what} {when} the attack")),
                    Some(waits) if waits.p99_ms > most => {
                        slow.push(format!("{what} {when}: p99 {:.0} ms, over {most:.0} ms", waits.p99_ms));
                    }
                    Some(_) => {}
                }
            }
        }
        let late =
            [before, during, after].into_iter().filter_map(|stretch| stretch.timer).map(|waits| waits.p99_ms);
        let late = late.fold(0.0, f64::max);
        if late > bounds.floor_ms {
            slow.push(format!(
                "timers of this tool were late by p99 {late:.0} ms: its latencies are not the server's"
            ));
        }
        let counted = |faults: &BTreeMap<String, u64>| -> Vec<String> {
            faults.iter().map(|(what, count)| format!("{count} × {what}")).collect()
        };
        failures.extend(
            counted(&self.faults_before).into_iter().map(|fault| format!("before the attack: {fault}")),
        );
        failures.extend(counted(&self.faults));
        failures.extend(self.judge_resources(bounds));
        failures.extend(self.figure.iter().filter_map(Figure::failure));
        if self.sent == 0 && self.attack != Attack::None {
            failures.push("nothing was sent: this was no attack".to_owned());
        }
        (self.slow, self.failures) = (slow, failures);
    }

    fn judge_resources(&self, bounds: &Bounds) -> impl Iterator<Item = String> {
        let memory = match self.memory_mib {
            None => Some("the server has ended".to_owned()),
            Some(mib) => (mib > bounds.memory_mib)
                .then(|| format!("memory: {mib:.0} MiB, over {:.0}", bounds.memory_mib)),
        };
        let disk = self.disk_mib_per_second().filter(|&rate| rate > bounds.disk_mib_per_second);
        let disk = disk.map(|rate| format!("disk: {rate:.1} MiB/s, over {:.1}", bounds.disk_mib_per_second));
        memory.into_iter().chain(iter::once(disk).flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(p99_ms: f64) -> Stretch {
        let waits = Some(Waits { p50_ms: 1.0, p95_ms: p99_ms, p99_ms, longest_ms: p99_ms });
        Stretch { turns: waits, steps: waits, timer: None }
    }

    fn outcome(p99_ms: [f64; 3]) -> Outcome {
        let nothing = Outcome::broken(Attack::Dear, Kind::Sqlite, &anyhow::anyhow!("-"));
        let costs = Some(Costs::default());
        Outcome { stretches: p99_ms.map(stretch), memory_mib: Some(100.0), costs, sent: 1, ..nothing }
    }

    fn passed(mut outcome: Outcome) -> bool {
        outcome.judge(&Bounds::default());
        outcome.verdict() == Verdict::Passed
    }

    #[test]
    fn waits_may_grow_by_a_factor_from_a_floor_on_and_have_a_bound() {
        assert!(passed(outcome([30.0, 89.0, 89.0])));
        assert!(!passed(outcome([30.0, 91.0, 30.0])));
        assert!(!passed(outcome([30.0, 30.0, 91.0])), "also after the attack");
        let mut slow = outcome([30.0, 91.0, 30.0]);
        slow.judge(&Bounds::default());
        assert_eq!(slow.verdict(), Verdict::Slow);
        assert!(passed(outcome([1.0, 50.0, 50.0])), "a floor");
        assert!(!passed(outcome([400.0, 501.0, 400.0])), "a bound");
    }

    #[test]
    fn a_refusal_of_an_honest_client_is_too_much_and_so_are_memory_disk_and_silence() {
        let good = outcome([1.0; 3]);
        assert!(passed(good.clone()));
        let fault = BTreeMap::from([("newcomer: room: 503 overloaded".to_owned(), 1)]);
        assert!(!passed(Outcome { faults: fault, ..good.clone() }));
        assert!(!passed(Outcome { memory_mib: Some(1e6), ..good.clone() }));
        assert!(!passed(Outcome { memory_mib: None, ..good.clone() }));
        let grows = Some(Costs { disk_mib: 2.0, ..Costs::default() });
        assert!(!passed(Outcome { costs: grows, ..good.clone() }));
        assert!(!passed(Outcome {
            stretches: [stretch(1.0), Stretch::default(), stretch(1.0)],
            ..good.clone()
        }));
        assert!(!passed(Outcome { sent: 0, ..good }));
    }

    #[test]
    fn a_figure_of_one_attack_has_a_limit_and_must_be_measured() {
        let with =
            |value| Outcome { figure: Some(Figure { name: "bytes", value, most: 2.0 }), ..outcome([1.0; 3]) };
        assert!(passed(with(Some(2.0))));
        assert!(!passed(with(Some(2.1))));
        assert!(!passed(with(None)));
    }
}
