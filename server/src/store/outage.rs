/// A time in which no server was up, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When the last one was known to be up.
    pub from_ms: i64,
    /// When the first one was up again.
    pub to_ms: i64,
}

impl Outage {
    /// What lies between two beats that follow one another, if it is more than a gap that they may have.
    pub(super) fn between(before_ms: i64, now_ms: i64, gap_ms: i64) -> Option<Self> {
        let is_long = now_ms > before_ms && now_ms.saturating_sub(before_ms) > gap_ms;
        is_long.then_some(Self { from_ms: before_ms, to_ms: now_ms })
    }
}
