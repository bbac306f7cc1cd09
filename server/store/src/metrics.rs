//! Metrics of the store in this process. Times are in seconds.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Registry, Unit},
};

/// The metrics of the store in this process.
pub(crate) static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::default);

/// All metrics of the store.
#[derive(Debug)]
pub(crate) struct Metrics {
    /// Duration of one transaction of the writer.
    pub(crate) commits: Histogram,
    /// Number of writes in one transaction.
    pub(crate) batches: Histogram,
    /// Number of writes that wait for the next transaction.
    pub(crate) writes_waiting: Gauge,
    /// Number of failed database calls, by operation.
    pub(crate) database_errors: Family<DoingLabel, Counter>,
}

/// Label of a failed database operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct DoingLabel {
    pub(crate) doing: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            // From 0.1 ms to some 13 s.
            commits: Histogram::new(exponential_buckets(0.000_1, 2.0, 18)),
            batches: Histogram::new(exponential_buckets(1.0, 2.0, 10)),
            writes_waiting: Gauge::default(),
            database_errors: Family::default(),
        }
    }
}

/// Registers the metrics of the store, under the prefix of the registry.
pub fn register(registry: &mut Registry) {
    let Metrics { commits, batches, writes_waiting, database_errors } = &*METRICS;
    registry.register_with_unit(
        "commit",
        "Duration of one transaction of the writer",
        Unit::Seconds,
        commits.clone(),
    );
    registry.register("commit_writes", "Writes in one transaction", batches.clone());
    registry.register("writes_waiting", "Writes that wait for a transaction", writes_waiting.clone());
    registry.register("database_errors", "Failed database calls", database_errors.clone());
}
