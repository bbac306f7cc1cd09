//! Figures of the kernel about processes and the machine.

use std::{fs, iter::Sum, ops::Sub};

use anyhow::{Context, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use serde::Serialize;

/// Processor time, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
pub struct CpuSeconds(pub f64);

impl Sub for CpuSeconds {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self(self.0 - earlier.0)
    }
}

impl Sum for CpuSeconds {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        Self(times.map(|time| time.0).sum())
    }
}

/// Returns the processor time of a process, in user and system mode.
///
/// # Errors
/// The process does not exist.
pub fn cpu(process: u32) -> anyhow::Result<CpuSeconds> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let Stat { ticks, .. } = Stat::read(&stat).context("no line of /proc/PID/stat")?;
    Ok(CpuSeconds(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// Returns the processor time of a process and its running children.
///
/// # Errors
/// The process does not exist.
pub fn cpu_of_family(parent: u32) -> anyhow::Result<CpuSeconds> {
    let all = fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        Stat::read(&stat).is_some_and(|stat| stat.parent == parent)
    };
    // A child may end meanwhile.
    let children: CpuSeconds = all.filter(is_child).filter_map(|process| cpu(process).ok()).sum();
    Ok([cpu(parent)?, children].into_iter().sum())
}

/// Returns the processor time of the first thread of this process.
///
/// # Errors
/// The kernel does not report it.
pub fn cpu_of_first_thread() -> anyhow::Result<CpuSeconds> {
    let this = std::process::id();
    let stat = fs::read_to_string(format!("/proc/{this}/task/{this}/stat"))?;
    let Stat { ticks, .. } = Stat::read(&stat).context("no line of /proc/PID/task/TID/stat")?;
    Ok(CpuSeconds(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// Sets the priority of the calling thread, and of those that it starts later: -20 is the highest, 19 the lowest.
/// Returns whether it was set: only root may raise it.
pub fn prioritize(niceness: i32) -> bool {
    setpriority_process(None, niceness).is_ok()
}

/// Memory of a process in KiB.
///
/// # Errors
/// The process does not exist.
pub fn memory_kib(process: u32) -> anyhow::Result<u64> {
    memory_of(process, "VmRSS:")
}

/// Peak memory of a process in KiB.
///
/// # Errors
/// The process does not exist.
pub fn most_memory_kib(process: u32) -> anyhow::Result<u64> {
    memory_of(process, "VmHWM:")
}

fn memory_of(process: u32, key: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    kib_in(&status, key).with_context(|| format!("no {key} in /proc/PID/status"))
}

/// The parsed fields of `/proc/PID/stat`.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    parent: u32,
    /// Clock ticks in user and system mode.
    ticks: u64,
}

impl Stat {
    fn read(line: &str) -> Option<Self> {
        // The program's name is in brackets and may contain anything.
        let fields: Vec<&str> = line.rsplit_once(") ")?.1.split(' ').collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        Some(Self { parent: u32::try_from(number(1)?).ok()?, ticks: number(11)? + number(12)? })
    }
}

fn kib_in(status: &str, key: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Raises the limit of open files of this process and its children.
///
/// # Errors
/// The limit is lower than needed.
pub fn raise_open_files(needed: u64) -> anyhow::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    // A process that may raise the hard limit gets what is needed; others get all below the hard limit.
    let wanted = limit.maximum.map_or(needed, |maximum| maximum.max(needed));
    let raised = Rlimit { current: Some(wanted), maximum: Some(wanted) };
    if setrlimit(Resource::Nofile, raised).is_err() {
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?;
    }
    let allowed = getrlimit(Resource::Nofile).current;
    ensure!(
        allowed.is_none_or(|allowed| allowed >= needed),
        "{needed} open files are needed, the limit is {}: raise it with `ulimit -n`",
        allowed.unwrap_or_default()
    );
    Ok(())
}

/// The machine of a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub processors: usize,
    pub model: String,
    pub kernel: String,
    /// Load average of the last minute at the beginning, other processes included.
    pub load_average: String,
}

impl Machine {
    /// Describes this machine.
    pub fn here() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let information = read("/proc/cpuinfo");
        let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        Self {
            processors: std::thread::available_parallelism().map_or(1, Into::into),
            model: model.map_or("unknown", |(_, model)| model).to_owned(),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            load_average: load_average(),
        }
    }
}

/// Load average of the last minute.
pub fn load_average() -> String {
    let averages = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    averages.split(' ').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_lines_are_read_whatever_the_program_is_called() {
        let line = "1234 (a) b (c) S 77 1234 1234 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 1 1 1";
        assert_eq!(Stat::read(line), Some(Stat { parent: 77, ticks: 300 }));
        assert_eq!(Stat::read("1234 (towers) S 77"), None);
        assert_eq!(kib_in("VmPeak:\t  900 kB\nVmRSS:\t   512 kB\n", "VmRSS:"), Some(512));
        assert_eq!(kib_in("Name:\ttowers\n", "VmRSS:"), None);
    }

    #[test]
    fn this_process_has_used_time_and_has_memory() {
        let this = std::process::id();
        assert!(cpu(this).unwrap() <= cpu_of_family(this).unwrap());
        assert!(memory_kib(this).unwrap() > 0);
        assert!(cpu(u32::MAX).is_err());
    }
}
