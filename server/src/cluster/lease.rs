//! The lease of the one node that sweeps.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use crate::env::Env;

/// This node's lease to sweep. It ends by itself, as in the database: a node whose heartbeat fails or that was
/// suspended does not go on as if it still held the lease.
#[derive(Clone, Debug)]
pub(crate) struct Lease {
    env: Env,
    /// Milliseconds since 1970.
    until_ms: Arc<AtomicI64>,
}

impl Lease {
    /// Returns a lease that is not held yet.
    pub(crate) fn new(env: Env) -> Self {
        Self { env, until_ms: Arc::new(AtomicI64::new(i64::MIN)) }
    }

    /// Whether this node holds the lease now. Ask again after each wait.
    pub(crate) fn is_held(&self) -> bool {
        self.env.now_ms() < self.until_ms.load(Ordering::Relaxed)
    }

    /// Holds the lease until then, as stored in the database.
    pub(crate) fn hold_until(&self, until_ms: i64) {
        self.until_ms.store(until_ms, Ordering::Relaxed);
    }

    /// Ends the lease: another node holds it.
    pub(crate) fn end(&self) {
        self.hold_until(i64::MIN);
    }
}
