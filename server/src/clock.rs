//! The only source of time. All other code takes the time as an argument or asks here.

use std::{
    sync::OnceLock,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Milliseconds since 1970. Within a process they never run backwards, whatever happens to the machine's own clock, and
/// jump only over the time for which the machine was suspended: they measure players' time, and other nodes keep
/// running meanwhile.
#[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
pub(crate) fn now_ms() -> i64 {
    static BEGINNING: OnceLock<Duration> = OnceLock::new();
    let elapsed = elapsed();
    let since_1970 =
        BEGINNING.get_or_init(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
    i64::try_from((*since_1970 + elapsed).as_millis()).unwrap_or(i64::MAX)
}

/// Time since the first call, including the time for which the machine was suspended.
#[cfg(not(any(test, fuzzing)))]
fn elapsed() -> Duration {
    use rustix::time::{ClockId, Timespec, clock_gettime};

    static BEGINNING: OnceLock<Timespec> = OnceLock::new();
    let since_boot = clock_gettime(ClockId::Boottime);
    // Another thread may have set it a moment after this one read the clock.
    Duration::try_from(since_boot - *BEGINNING.get_or_init(|| since_boot)).unwrap_or_default()
}

/// Time since the first call; on a runtime with paused time, it advances with that time.
#[cfg(any(test, fuzzing))]
#[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
fn elapsed() -> Duration {
    static BEGINNING: OnceLock<tokio::time::Instant> = OnceLock::new();
    BEGINNING.get_or_init(|| std::time::Instant::now().into()).elapsed()
}

/// Time until a moment; zero if it has passed.
pub(crate) fn until(at_ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(at_ms - now_ms()).unwrap_or(0))
}
