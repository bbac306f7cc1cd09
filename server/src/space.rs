//! The free space of the disk that the database is on. Below a minimum no new games begin, so that the games under way
//! have what is left.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use store::Store;
use tracing::{error, warn};

use crate::metrics::METRICS;

/// Interval of looks at the disk.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Handle to the result of the last look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Space(Arc<AtomicBool>);

impl Space {
    /// Whether the disk has less free space than the minimum. It is not known of PostgreSQL.
    pub(crate) fn is_low(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Looks at the disk of a database.
#[derive(Debug)]
pub(crate) struct Looking {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) min_bytes: u64,
    pub(crate) space: Space,
}

impl Looking {
    /// Looks at the disk for ever.
    pub(crate) async fn run(self) -> Infallible {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            self.look().await;
        }
    }

    /// Looks at the disk once. What is freed is enough when it exceeds the minimum by a quarter: free space that comes and
    /// goes is low once.
    pub(crate) async fn look(&self) {
        let free = match self.store.free_bytes().await {
            Ok(Some(free)) => free,
            Ok(None) => return,
            Err(error) => {
                warn!(%error, "free space of the disk is unknown: {error}");
                return;
            }
        };
        METRICS.disk_free_bytes.set(i64::try_from(free).unwrap_or(i64::MAX));
        let was_low = self.space.is_low();
        let enough = if was_low { self.min_bytes.saturating_add(self.min_bytes / 4) } else { self.min_bytes };
        let is_low = free < enough;
        self.space.0.store(is_low, Ordering::Relaxed);
        let free_mib = free / (1024 * 1024);
        match (was_low, is_low) {
            (false, true) => error!(free_mib, "disk nearly full, {free_mib} MiB free: refusing new games"),
            (true, false) => warn!(free_mib, "disk has space again, {free_mib} MiB free: new games begin"),
            (false, false) | (true, true) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use store::Memory;

    use super::*;

    #[tokio::test]
    async fn space_is_low_below_the_minimum_until_a_quarter_more_is_free() {
        let (store, space) = (Arc::new(Memory::default()), Space::default());
        let looking = Looking { store: store.clone(), min_bytes: 1_000, space: space.clone() };
        for (free, is_low) in [
            (None, false),
            (Some(1_000), false),
            (Some(999), true),
            (Some(1_249), true),
            (Some(1_250), false),
        ] {
            store.set_free_bytes(free);
            looking.look().await;
            assert_eq!(space.is_low(), is_low, "{free:?}");
        }
    }
}
