//! When the server was away: nobody loses time by it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::store::{Outage, Store, StoreError};

/// Longer than any turn may take whose time is measured, in milliseconds: older outages are nobody's business.
const KEPT_MS: i64 = 15 * 24 * 60 * 60 * 1_000;

/// Milliseconds that players are given to come back after an outage, besides the outage itself.
const RETURN_MS: i64 = 3_000;

/// The outages that turns under way may have seen.
#[derive(Clone, Debug, Default)]
pub struct Outages(Arc<Mutex<Vec<Outage>>>);

impl Outages {
    /// Those that the store knows of.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn load(store: &dyn Store, now_ms: i64) -> Result<Self, StoreError> {
        Ok(Self(Arc::new(Mutex::new(store.outages_since(now_ms - KEPT_MS).await?))))
    }

    /// Takes note of another one.
    pub(crate) fn note(&self, outage: Outage) {
        let mut outages = self.locked();
        outages.retain(|known| known.to_ms > outage.to_ms - KEPT_MS);
        outages.push(outage);
    }

    /// Milliseconds for which the server was away since a turn began.
    pub(crate) fn away_ms(&self, began_ms: i64) -> i64 {
        self.locked()
            .iter()
            .filter(|outage| outage.to_ms > began_ms)
            .map(|outage| outage.to_ms - outage.from_ms.max(began_ms) + RETURN_MS)
            .sum()
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Outage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_given_what_it_saw_of_each_outage_and_the_time_to_come_back() {
        let outages = Outages::default();
        outages.note(Outage { from_ms: 1_000, to_ms: 5_000 });
        outages.note(Outage { from_ms: 60_000, to_ms: 61_500 });
        let table = [(0, 11_500), (1_000, 11_500), (2_000, 10_500), (4_999, 7_501), (5_000, 4_500), (61_500, 0)];
        for (began_ms, away_ms) in table {
            assert_eq!(outages.away_ms(began_ms), away_ms, "a turn that began at {began_ms}");
        }
    }
}
