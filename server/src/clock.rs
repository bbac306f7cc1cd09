//! The one place that asks what time it is. All else is told.

use std::{
    sync::OnceLock,
    time::{self, Duration, SystemTime, UNIX_EPOCH},
};

use tokio::time::Instant;

/// Milliseconds since 1970. Within a process they never run backwards or jump, whatever becomes of the machine's
/// own clock: players' time is measured by them. On a runtime whose time is paused, they pass as that time does.
#[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
pub(crate) fn now_ms() -> i64 {
    static BEGINNING: OnceLock<(Duration, Instant)> = OnceLock::new();
    let (since_1970, then) = BEGINNING.get_or_init(|| {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (since_1970, Instant::from_std(time::Instant::now()))
    });
    i64::try_from((*since_1970 + then.elapsed()).as_millis()).unwrap_or(i64::MAX)
}

/// How long it is until then; nothing if it is over.
pub(crate) fn until(at_ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(at_ms - now_ms()).unwrap_or(0))
}
