//! What an attack has done, and whether that is too much.

use std::{collections::BTreeMap, iter};

use super::{attacker::End, attacks::Attack};
use crate::{
    figures::Waits,
    host::Kind,
    machine::{self, CpuSeconds},
};

/// What honest players have to be spared.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The 99th percentile of waits may grow by this factor, ...
    pub times: f64,
    /// ... and is no harm below so many milliseconds. Half of what people notice of a move; what a sync of a disk and
    /// a slice of a processor that somebody else has may take together.
    pub floor_ms: f64,
    /// It may never be more than this.
    pub most_ms: f64,
    /// Memory of the server's process.
    pub memory_mib: f64,
    /// By which the database may grow for the attack.
    pub disk_mib_per_second: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { times: 3.0, floor_ms: 50.0, most_ms: 500.0, memory_mib: 768.0, disk_mib_per_second: 0.25 }
    }
}

/// What honest clients waited for in one stretch of time; `None` is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stretch {
    pub turns: Option<Waits>,
    /// Of newcomers, and questions of players.
    pub steps: Option<Waits>,
    /// How late the timers of this tool were.
    pub timer: Option<Waits>,
}

/// What has been used up to a moment; between two moments, what was used in each second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    /// Processors.
    pub server: f64,
    /// Processors; `None` where the database is in the server's process.
    pub database: Option<f64>,
    pub attacker: f64,
    pub honest: f64,
    /// MiB that the database takes.
    pub disk_mib: f64,
}

impl Costs {
    pub(super) fn now(server: u32, database: Option<u32>, bytes: u64) -> anyhow::Result<Self> {
        let (all, honest) = (machine::cpu(std::process::id())?, machine::cpu_of_first_thread()?);
        Ok(Self {
            server: machine::cpu(server)?.0,
            database: database.map(machine::cpu_of_family).transpose()?.map(|CpuSeconds(seconds)| seconds),
            attacker: (all - honest).0,
            honest: honest.0,
            disk_mib: bytes as f64 / 1_048_576.0,
        })
    }

    pub(super) fn since(self, earlier: Self, seconds: f64) -> Self {
        Self {
            server: (self.server - earlier.server) / seconds,
            database: self.database.zip(earlier.database).map(|(now, then)| (now - then) / seconds),
            attacker: (self.attacker - earlier.attacker) / seconds,
            honest: (self.honest - earlier.honest) / seconds,
            disk_mib: (self.disk_mib - earlier.disk_mib) / seconds,
        }
    }
}

/// What one attack has done.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub attack: Attack,
    pub database: &'static str,
    /// Before, during and after.
    pub stretches: [Stretch; 3],
    /// What honest clients were refused, or did not find, before the attack.
    pub faults_before: BTreeMap<String, u64>,
    /// The same since the attack began.
    pub faults: BTreeMap<String, u64>,
    /// That the server's process had at its fullest; `None` if it has ended.
    pub memory_mib: Option<f64>,
    /// In each second of the attack.
    pub costs: Option<Costs>,
    /// In each second before.
    pub costs_before: Costs,
    /// How the attack ended.
    pub end: End,
    /// Requests, messages and frames of the attacker.
    pub sent: u64,
    /// What the attacker was refused.
    pub refused: BTreeMap<String, u64>,
    /// Why the server has not held; nothing if it has.
    pub failures: Vec<String>,
}

impl Outcome {
    /// That of an attack that could not be made.
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
            end: End::Cut,
            sent: 0,
            refused: BTreeMap::new(),
            failures: vec![format!("not made: {error:#}")],
        }
    }

    /// Whether honest players were spared.
    pub fn is_held(&self) -> bool {
        self.failures.is_empty()
    }

    /// MiB a second by which the database grew more than before the attack.
    pub fn disk_mib_per_second(&self) -> Option<f64> {
        Some((self.costs?.disk_mib - self.costs_before.disk_mib).max(0.0))
    }

    /// Compares everything with what is allowed.
    pub(super) fn judge(&mut self, bounds: &Bounds) {
        let [before, during, after] = &self.stretches;
        let waits = [
            ("turns", before.turns, during.turns, after.turns),
            ("steps", before.steps, during.steps, after.steps),
        ];
        let mut failures = Vec::new();
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
                        failures
                            .push(format!("{what} {when}: p99 {:.0} ms, over {most:.0} ms", waits.p99_ms));
                    }
                    Some(_) => {}
                }
            }
        }
        let late =
            [before, during, after].into_iter().filter_map(|stretch| stretch.timer).map(|waits| waits.p99_ms);
        let late = late.fold(0.0, f64::max);
        if late > bounds.floor_ms {
            failures.push(format!("this tool itself was held up, p99 {late:.0} ms: its figures say nothing"));
        }
        let counted = |faults: &BTreeMap<String, u64>| -> Vec<String> {
            faults.iter().map(|(what, count)| format!("{count} × {what}")).collect()
        };
        failures.extend(
            counted(&self.faults_before).into_iter().map(|fault| format!("before the attack: {fault}")),
        );
        failures.extend(counted(&self.faults));
        failures.extend(self.judge_resources(bounds));
        if self.sent == 0 && self.attack != Attack::None {
            failures.push("nothing was sent: this was no attack".to_owned());
        }
        self.failures = failures;
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

    fn is_held(mut outcome: Outcome) -> bool {
        outcome.judge(&Bounds::default());
        outcome.is_held()
    }

    #[test]
    fn waits_may_grow_by_a_factor_from_a_floor_on_and_have_a_bound() {
        assert!(is_held(outcome([30.0, 89.0, 89.0])));
        assert!(!is_held(outcome([30.0, 91.0, 30.0])));
        assert!(!is_held(outcome([30.0, 30.0, 91.0])), "also after the attack");
        assert!(is_held(outcome([1.0, 50.0, 50.0])), "a floor");
        assert!(!is_held(outcome([400.0, 501.0, 400.0])), "a bound");
    }

    #[test]
    fn a_refusal_of_an_honest_client_is_too_much_and_so_are_memory_disk_and_silence() {
        let good = outcome([1.0; 3]);
        assert!(is_held(good.clone()));
        let fault = BTreeMap::from([("newcomer: room: 503 overloaded".to_owned(), 1)]);
        assert!(!is_held(Outcome { faults: fault, ..good.clone() }));
        assert!(!is_held(Outcome { memory_mib: Some(1e6), ..good.clone() }));
        assert!(!is_held(Outcome { memory_mib: None, ..good.clone() }));
        let grows = Some(Costs { disk_mib: 2.0, ..Costs::default() });
        assert!(!is_held(Outcome { costs: grows, ..good.clone() }));
        assert!(!is_held(Outcome {
            stretches: [stretch(1.0), Stretch::default(), stretch(1.0)],
            ..good.clone()
        }));
        assert!(!is_held(Outcome { sent: 0, ..good }));
    }
}
