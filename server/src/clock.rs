//! The one place that asks what time it is. All else is told.

use std::{
    sync::OnceLock,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Milliseconds since 1970. Within a process they never run backwards, whatever happens to the machine's own clock, and jump
/// only over the time for which the machine was suspended: they measure players' time, and other nodes run on meanwhile.
#[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
pub(crate) fn now_ms() -> i64 {
    static BEGINNING: OnceLock<Duration> = OnceLock::new();
    let elapsed = elapsed();
    let since_1970 =
        BEGINNING.get_or_init(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
    i64::try_from((*since_1970 + elapsed).as_millis()).unwrap_or(i64::MAX)
}

/// Time since the first call, what a suspended machine has slept included.
#[cfg(not(any(test, fuzzing)))]
fn elapsed() -> Duration {
    use rustix::time::{ClockId, Timespec, clock_gettime};

    static BEGINNING: OnceLock<Timespec> = OnceLock::new();
    let since_boot = clock_gettime(ClockId::Boottime);
    // Another thread may have begun it a moment later than this one looked at the clock.
    Duration::try_from(since_boot - *BEGINNING.get_or_init(|| since_boot)).unwrap_or_default()
}

/// Time since the first call; on a runtime whose time is paused, it passes as that time does.
#[cfg(any(test, fuzzing))]
#[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
fn elapsed() -> Duration {
    static BEGINNING: OnceLock<tokio::time::Instant> = OnceLock::new();
    BEGINNING.get_or_init(|| std::time::Instant::now().into()).elapsed()
}

/// How long it is until then; nothing if it is over.
pub(crate) fn until(at_ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(at_ms - now_ms()).unwrap_or(0))
}
