use std::{
    fmt, iter,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Nodes between two readings of the clock.
const NODES_PER_READING: u64 = 64;

/// A clock of the caller. A search reads no clock of its own.
pub trait Clock: Sync {
    /// Returns the time since the search was asked for.
    fn elapsed(&self) -> Duration;
}

/// Time that a search may take.
#[derive(Clone, Copy)]
pub struct Time<'a> {
    pub clock: &'a dyn Clock,
    pub limit: Duration,
}

impl fmt::Debug for Time<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Time").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Limits of a search, which ends at the first one reached. Without any it ends when the game tree is exhausted, which
/// may be never.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limit<'a> {
    pub time: Option<Time<'a>>,
    /// Maximum number of positions visited.
    pub nodes: Option<u64>,
    /// Maximum depth: plies in games of one action a turn, and in Fibonacci the number of turns whose answers were searched.
    pub depth: Option<u32>,
    /// Flag that ends the search as soon as it is set.
    pub stop: Option<&'a AtomicBool>,
}

/// Count of the nodes of a search, compared with its limits.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limit: &'a Limit<'a>,
    /// Maximum number of nodes.
    max_nodes: u64,
    nodes: u64,
    next_reading: u64,
    is_over: bool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limit: &'a Limit<'a>) -> Self {
        let max_nodes = limit.nodes.unwrap_or(u64::MAX);
        let mut meter = Self { limit, max_nodes, nodes: 0, next_reading: 0, is_over: false };
        meter.read_clock();
        meter
    }

    /// Ends the search after `max_nodes`, if no limit ends it before.
    pub(crate) fn cap_nodes(&mut self, max_nodes: u64) {
        self.max_nodes = self.max_nodes.min(max_nodes);
    }

    /// Creates meters for `n_threads` other threads, each of which gets an equal part of the nodes that are left.
    pub(crate) fn split(&mut self, n_threads: usize) -> Vec<Self> {
        let part = self.max_nodes.saturating_sub(self.nodes) / (n_threads as u64 + 1);
        self.max_nodes -= part * n_threads as u64;
        iter::repeat_with(|| {
            let mut meter = Self::new(self.limit);
            meter.cap_nodes(part);
            meter
        })
        .take(n_threads)
        .collect()
    }

    /// Takes back meters of other threads: the nodes that they have counted, and those that they have left.
    pub(crate) fn join(&mut self, others: &[Self]) {
        self.max_nodes += others.iter().map(|other| other.max_nodes).sum::<u64>();
        self.count_many(others.iter().map(|other| other.nodes).sum());
    }

    /// Number of nodes counted so far.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Maximum depth of the search.
    pub(crate) fn max_depth(&self) -> u32 {
        self.limit.depth.unwrap_or(u32::MAX)
    }

    /// Whether a limit is reached, so that the search must end. Once true, it stays true.
    #[inline]
    pub(crate) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Counts a node. Returns whether the search must end.
    #[inline]
    pub(crate) fn count(&mut self) -> bool {
        self.count_many(1)
    }

    /// Counts `n_nodes` nodes. Returns whether the search must end.
    #[inline]
    pub(crate) fn count_many(&mut self, n_nodes: u64) -> bool {
        self.nodes += n_nodes;
        if self.nodes >= self.max_nodes {
            self.is_over = true;
        }
        if self.nodes >= self.next_reading {
            self.read_clock();
        }
        self.is_over
    }

    /// Share of the time or of the nodes that is used up, from 0 to 1; 0 without such a limit.
    pub(crate) fn used(&self) -> f32 {
        let of_time = self
            .limit
            .time
            .map_or(0.0, |time| time.clock.elapsed().as_secs_f32() / time.limit.as_secs_f32().max(1e-6));
        let of_nodes = self.nodes as f32 / self.max_nodes.max(1) as f32;
        of_time.max(of_nodes).min(1.0)
    }

    /// Projected number of nodes of the whole search; `u64::MAX` without a limit.
    pub(crate) fn capacity(&self) -> u64 {
        let by_time = self.limit.time.map(|time| {
            let elapsed = time.clock.elapsed().as_micros().max(1);
            let n_nodes = u128::from(self.nodes) * time.limit.as_micros() / elapsed;
            u64::try_from(n_nodes).unwrap_or(u64::MAX)
        });
        by_time.unwrap_or(u64::MAX).min(self.max_nodes)
    }

    /// Compares the time and the flag with the limits.
    pub(crate) fn read_clock(&mut self) {
        self.next_reading = self.nodes + NODES_PER_READING;
        if self.limit.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.is_over = true;
        }
        if self.limit.time.is_some_and(|time| time.clock.elapsed() >= time.limit) {
            self.is_over = true;
        }
    }
}
