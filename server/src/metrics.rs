//! What a node counts of itself, for Prometheus. All names begin with `towers_`; times are in seconds.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Registry, Unit},
};

/// The counts of this process.
pub(crate) static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

/// What is counted, and under which names.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    /// From the receipt of a turn to its answer.
    pub(crate) turns: Histogram,
    /// One transaction of the writer.
    pub(crate) commits: Histogram,
    /// Writes in one transaction.
    pub(crate) batches: Histogram,
    /// Writes that wait for the next transaction.
    pub(crate) writes_waiting: Gauge,
    pub(crate) games: Gauge,
    /// Bytes of memory that the games in memory take.
    pub(crate) game_bytes: Gauge,
    /// Games that had to leave memory for others.
    pub(crate) games_evicted: Counter,
    /// Bytes of memory that games take that are over and were read lately.
    pub(crate) archive_bytes: Gauge,
    pub(crate) sockets: Gauge,
    /// Subscriptions of connections to games.
    pub(crate) watches: Gauge,
    /// Connections that the server has ended, by reason.
    pub(crate) sockets_dropped: Family<ReasonLabel, Counter>,
    /// Games read again from the database, by cause.
    pub(crate) resyncs: Family<CauseLabel, Counter>,
    /// 1 while there is more to do than the machine can carry.
    pub(crate) overloaded: Gauge,
    /// What an address asked for beyond its share, by kind.
    pub(crate) refused: Family<KindLabel, Counter>,
    /// Messages refused because a game's mailbox was full.
    pub(crate) busy: Counter,
    /// Seconds that one piece of work took on the compute pool.
    pub(crate) compute: Histogram,
    /// Pieces of work that wait for the compute pool.
    pub(crate) compute_waiting: Gauge,
    /// Pieces of work that the compute pool is at.
    pub(crate) compute_running: Gauge,
    /// Pieces of work refused because too many waited.
    pub(crate) compute_refused: Counter,
    /// Calls of the database that failed, by what was to be done.
    pub(crate) database_errors: Family<DoingLabel, Counter>,
    /// 1 while other nodes are heard.
    pub(crate) nats_up: Gauge,
    /// News for other nodes that were dropped because NATS was away or too slow.
    pub(crate) nats_dropped: Counter,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct ReasonLabel {
    pub(crate) reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct CauseLabel {
    pub(crate) cause: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct KindLabel {
    pub(crate) kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct DoingLabel {
    pub(crate) doing: &'static str,
}

/// Counts one in a gauge until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted(&'static Gauge);

impl Counted {
    pub(crate) fn in_gauge(gauge: &'static Gauge) -> Self {
        gauge.inc();
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    fn new() -> Self {
        // From 0.1 ms to some 13 s.
        let times = || Histogram::new(exponential_buckets(0.000_1, 2.0, 18));
        let metrics = Self {
            registry: Registry::with_prefix("towers"),
            turns: times(),
            commits: times(),
            batches: Histogram::new(exponential_buckets(1.0, 2.0, 10)),
            writes_waiting: Gauge::default(),
            games: Gauge::default(),
            game_bytes: Gauge::default(),
            games_evicted: Counter::default(),
            archive_bytes: Gauge::default(),
            sockets: Gauge::default(),
            watches: Gauge::default(),
            sockets_dropped: Family::default(),
            resyncs: Family::default(),
            overloaded: Gauge::default(),
            refused: Family::default(),
            busy: Counter::default(),
            compute: times(),
            compute_waiting: Gauge::default(),
            compute_running: Gauge::default(),
            compute_refused: Counter::default(),
            database_errors: Family::default(),
            nats_up: Gauge::default(),
            nats_dropped: Counter::default(),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let r = &mut self.registry;
        r.register_with_unit(
            "turn",
            "From a turn's receipt to its answer",
            Unit::Seconds,
            self.turns.clone(),
        );
        r.register_with_unit("commit", "One transaction of the writer", Unit::Seconds, self.commits.clone());
        r.register("commit_writes", "Writes in one transaction", self.batches.clone());
        r.register("writes_waiting", "Writes that wait for a transaction", self.writes_waiting.clone());
        r.register("games", "Games in memory", self.games.clone());
        r.register("game_bytes", "Memory that games in memory take", self.game_bytes.clone());
        r.register("games_evicted", "Games that left memory for others", self.games_evicted.clone());
        r.register("archive_bytes", "Memory that games take that are over", self.archive_bytes.clone());
        r.register("sockets", "Open WebSockets", self.sockets.clone());
        r.register("watches", "Subscriptions of sockets to games", self.watches.clone());
        r.register("sockets_dropped", "Sockets ended by the server", self.sockets_dropped.clone());
        r.register("resyncs", "Games read again from the database", self.resyncs.clone());
        r.register("overloaded", "Whether there is too much to do", self.overloaded.clone());
        r.register("refused", "What an address asked for beyond its share", self.refused.clone());
        r.register("busy", "Messages for a game whose mailbox was full", self.busy.clone());
        r.register_with_unit("compute", "One piece of work", Unit::Seconds, self.compute.clone());
        r.register("compute_waiting", "Work that waits for the compute pool", self.compute_waiting.clone());
        r.register("compute_running", "Work that the compute pool is at", self.compute_running.clone());
        r.register("compute_refused", "Work refused because too much waited", self.compute_refused.clone());
        r.register("database_errors", "Calls of the database that failed", self.database_errors.clone());
        r.register("nats_up", "Whether other nodes are heard", self.nats_up.clone());
        r.register("nats_dropped", "News for other nodes that were dropped", self.nats_dropped.clone());
        self
    }

    /// All counts as Prometheus reads them.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes all");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dashboard_asks_for_nothing_that_is_not_counted() {
        let metrics = Metrics::new();
        metrics.sockets_dropped.get_or_create(&ReasonLabel { reason: "" }).inc();
        metrics.resyncs.get_or_create(&CauseLabel { cause: "" }).inc();
        metrics.refused.get_or_create(&KindLabel { kind: "" }).inc();
        metrics.database_errors.get_or_create(&DoingLabel { doing: "" }).inc();
        let text = metrics.text();
        let told = |name: &str| text.lines().any(|line| line.strip_prefix(name).is_some_and(ends_name));
        let dashboard = include_str!("../../docs/operation/grafana.json");
        let words = dashboard.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let asked: Vec<&str> = words.filter(|word| word.starts_with("towers_")).collect();
        assert!(asked.len() > 10, "it asks for much: {asked:?}");
        for name in asked {
            assert!(told(name), "{name} is not among:\n{text}");
        }
    }

    fn ends_name(rest: &str) -> bool {
        rest.starts_with(['{', ' '])
    }
}
