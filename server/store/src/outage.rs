/// A period in which no server was up. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// Time of the last heartbeat before the outage.
    pub from_ms: i64,
    /// Time of the first heartbeat after the outage.
    pub to_ms: i64,
}

impl Outage {
    /// Returns the outage between two consecutive heartbeats, if they are more than `gap_ms` apart.
    pub(super) fn between(before_ms: i64, now_ms: i64, gap_ms: i64) -> Option<Self> {
        let is_long = now_ms > before_ms && now_ms.saturating_sub(before_ms) > gap_ms;
        is_long.then_some(Self { from_ms: before_ms, to_ms: now_ms })
    }
}
