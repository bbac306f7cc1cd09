//! Metrics of a node, for Prometheus. All names begin with `towers_`; times are in seconds.

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

/// The metrics of this process.
pub(crate) static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

/// All metrics with their names.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    /// Time from the receipt of a turn to its answer.
    pub(crate) turns: Histogram,
    pub(crate) games: Gauge,
    /// Bytes of memory of the games in memory.
    pub(crate) game_bytes: Gauge,
    /// Number of evicted games.
    pub(crate) games_evicted: Counter,
    /// Bytes of memory of cached finished games.
    pub(crate) archive_bytes: Gauge,
    /// Number of open connections, WebSockets included.
    pub(crate) connections: Gauge,
    /// Number of connections that were closed to make room for others.
    pub(crate) connections_displaced: Counter,
    pub(crate) sockets: Gauge,
    /// Number of subscriptions of connections to games.
    pub(crate) watches: Gauge,
    /// Number of connections ended by the server, by reason.
    pub(crate) sockets_dropped: Family<ReasonLabel, Counter>,
    /// Number of games read again from the database, by cause.
    pub(crate) resyncs: Family<CauseLabel, Counter>,
    /// Number of versions of games that the database had and has no more.
    pub(crate) versions_lost: Counter,
    /// 1 during overload.
    pub(crate) overloaded: Gauge,
    /// Free bytes of the disk of an SQLite file.
    pub(crate) disk_free_bytes: Gauge,
    /// Bytes charged to addresses for what they had stored.
    pub(crate) stored_bytes: Counter,
    /// Number of requests of addresses beyond their limits, by kind.
    pub(crate) refused: Family<KindLabel, Counter>,
    /// Number of messages refused because a game's mailbox was full.
    pub(crate) busy: Counter,
    /// Duration of one piece of work on the compute pool.
    pub(crate) compute: Histogram,
    /// Number of queued pieces of work of the compute pool.
    pub(crate) compute_waiting: Gauge,
    /// Number of running pieces of work of the compute pool.
    pub(crate) compute_running: Gauge,
    /// Number of pieces of work refused because too many were queued.
    pub(crate) compute_refused: Counter,
    /// 1 while connected to NATS.
    pub(crate) nats_up: Gauge,
    /// Number of messages to other nodes dropped because NATS was unreachable or too slow.
    pub(crate) nats_dropped: Counter,
}

/// Label of the reason for closing a socket.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct ReasonLabel {
    pub(crate) reason: &'static str,
}

/// Label of the cause of a reload.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct CauseLabel {
    pub(crate) cause: &'static str,
}

/// Label of the kind of a refused action or resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct KindLabel {
    pub(crate) kind: &'static str,
}

/// Guard that counts one in a gauge until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted(&'static Gauge);

impl Counted {
    /// Increments a gauge until the guard is dropped.
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
            games: Gauge::default(),
            game_bytes: Gauge::default(),
            games_evicted: Counter::default(),
            archive_bytes: Gauge::default(),
            connections: Gauge::default(),
            connections_displaced: Counter::default(),
            sockets: Gauge::default(),
            watches: Gauge::default(),
            sockets_dropped: Family::default(),
            resyncs: Family::default(),
            versions_lost: Counter::default(),
            overloaded: Gauge::default(),
            disk_free_bytes: Gauge::default(),
            stored_bytes: Counter::default(),
            refused: Family::default(),
            busy: Counter::default(),
            compute: times(),
            compute_waiting: Gauge::default(),
            compute_running: Gauge::default(),
            compute_refused: Counter::default(),
            nats_up: Gauge::default(),
            nats_dropped: Counter::default(),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let r = &mut self.registry;
        store::metrics::register(r);
        r.register_with_unit(
            "turn",
            "Time from the receipt of a turn to its answer",
            Unit::Seconds,
            self.turns.clone(),
        );
        r.register("games", "Games in memory", self.games.clone());
        r.register("game_bytes", "Memory of the games in memory", self.game_bytes.clone());
        r.register("games_evicted", "Evicted games", self.games_evicted.clone());
        r.register("archive_bytes", "Memory of cached finished games", self.archive_bytes.clone());
        r.register("connections", "Open connections", self.connections.clone());
        r.register(
            "connections_displaced",
            "Connections closed to make room for others",
            self.connections_displaced.clone(),
        );
        r.register("sockets", "Open WebSockets", self.sockets.clone());
        r.register("watches", "Subscriptions of sockets to games", self.watches.clone());
        r.register("sockets_dropped", "Sockets ended by the server", self.sockets_dropped.clone());
        r.register("resyncs", "Games read again from the database", self.resyncs.clone());
        r.register("versions_lost", "Versions that the database has no more", self.versions_lost.clone());
        r.register("overloaded", "1 during overload", self.overloaded.clone());
        r.register(
            "disk_free_bytes",
            "Free space of the disk of an SQLite file",
            self.disk_free_bytes.clone(),
        );
        r.register(
            "stored_bytes",
            "Bytes stored for addresses, as their budgets count them",
            self.stored_bytes.clone(),
        );
        r.register("refused", "Requests of addresses beyond their limits", self.refused.clone());
        r.register("busy", "Messages refused by a full mailbox of a game", self.busy.clone());
        r.register_with_unit("compute", "Duration of one piece of work", Unit::Seconds, self.compute.clone());
        r.register("compute_waiting", "Queued work of the compute pool", self.compute_waiting.clone());
        r.register("compute_running", "Running work of the compute pool", self.compute_running.clone());
        r.register("compute_refused", "Work refused by a full queue", self.compute_refused.clone());
        r.register("nats_up", "1 while connected to NATS", self.nats_up.clone());
        r.register("nats_dropped", "Dropped messages to other nodes", self.nats_dropped.clone());
        self
    }

    /// Returns all metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes all");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_dashboard_queries_only_existing_metrics() {
        let metrics = Metrics::new();
        metrics.sockets_dropped.get_or_create(&ReasonLabel { reason: "" }).inc();
        metrics.resyncs.get_or_create(&CauseLabel { cause: "" }).inc();
        metrics.refused.get_or_create(&KindLabel { kind: "" }).inc();
        store::open_to_read("sqlite:///nowhere/towers.db").await.unwrap_err();
        let text = metrics.text();
        let told = |name: &str| text.lines().any(|line| line.strip_prefix(name).is_some_and(ends_name));
        let dashboard = include_str!("../../docs/operation/grafana.json");
        let words = dashboard.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let asked: Vec<&str> = words.filter(|word| word.starts_with("towers_")).collect();
        assert!(asked.len() > 10, "the dashboard queries many metrics: {asked:?}");
        for name in asked {
            assert!(told(name), "{name} is not among:\n{text}");
        }
    }

    fn ends_name(rest: &str) -> bool {
        rest.starts_with(['{', ' '])
    }
}
