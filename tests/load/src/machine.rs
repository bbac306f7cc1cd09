//! What the kernel says of processes and of the machine.

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

/// What a process has used of the processors so far, in user and system mode.
///
/// # Errors
/// There is no such process.
pub fn cpu(process: u32) -> anyhow::Result<CpuSeconds> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let Stat { ticks, .. } = Stat::read(&stat).context("no line of /proc/PID/stat")?;
    Ok(CpuSeconds(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// The same of a process and its children together; those that are gone do not count.
///
/// # Errors
/// There is no such process.
pub fn cpu_of_family(parent: u32) -> anyhow::Result<CpuSeconds> {
    let all = fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        Stat::read(&stat).is_some_and(|stat| stat.parent == parent)
    };
    // A child may end while it is looked at.
    let children: CpuSeconds = all.filter(is_child).filter_map(|process| cpu(process).ok()).sum();
    Ok([cpu(parent)?, children].into_iter().sum())
}

/// The same of the first thread of this process alone.
///
/// # Errors
/// The kernel does not tell.
pub fn cpu_of_first_thread() -> anyhow::Result<CpuSeconds> {
    let this = std::process::id();
    let stat = fs::read_to_string(format!("/proc/{this}/task/{this}/stat"))?;
    let Stat { ticks, .. } = Stat::read(&stat).context("no line of /proc/PID/task/TID/stat")?;
    Ok(CpuSeconds(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// Gives the calling thread, and what it starts from now on, a place before or behind all else on this machine: -20 is
/// the first, 19 the last. Whether it was given: only root is put before others.
pub fn prioritize(niceness: i32) -> bool {
    setpriority_process(None, niceness).is_ok()
}

/// KiB of memory that a process has.
///
/// # Errors
/// There is no such process.
pub fn memory_kib(process: u32) -> anyhow::Result<u64> {
    memory_of(process, "VmRSS:")
}

/// KiB of memory that a process had at its fullest.
///
/// # Errors
/// There is no such process.
pub fn most_memory_kib(process: u32) -> anyhow::Result<u64> {
    memory_of(process, "VmHWM:")
}

fn memory_of(process: u32, key: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    kib_in(&status, key).with_context(|| format!("no {key} in /proc/PID/status"))
}

/// What is read of `/proc/PID/stat`.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    parent: u32,
    /// Of the kernel's clock, in user and system mode.
    ticks: u64,
}

impl Stat {
    fn read(line: &str) -> Option<Self> {
        // The program's name is in brackets and may hold anything.
        let fields: Vec<&str> = line.rsplit_once(") ")?.1.split(' ').collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        Some(Self { parent: u32::try_from(number(1)?).ok()?, ticks: number(11)? + number(12)? })
    }
}

fn kib_in(status: &str, key: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Lets this process, and those that it starts, open as many files as it may.
///
/// # Errors
/// That is fewer than are needed.
pub fn raise_open_files(needed: u64) -> anyhow::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    // Who may raise the upper limit too gets what is needed; who may not gets all below it.
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

/// The machine that was measured on.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub processors: usize,
    pub model: String,
    pub kernel: String,
    /// Of the last minute, when the measurement began: what others did too.
    pub load_average: String,
}

impl Machine {
    /// This machine, now.
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

/// The processes that wanted to run in the last minute, as the kernel counts them.
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
