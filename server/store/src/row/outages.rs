//! Rows of outages.

use crate::Outage;

row! {
    /// A row of `outage`.
    OutageRow {
        from_ms: i64,
        to_ms: i64,
    }
}

impl From<OutageRow> for Outage {
    fn from(OutageRow { from_ms, to_ms }: OutageRow) -> Self {
        Self { from_ms, to_ms }
    }
}
