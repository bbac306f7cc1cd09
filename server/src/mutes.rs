//! Players whose chat lines are refused, in memory on each node: a line waits for no read of the database.

use std::{collections::HashMap, sync::Arc};

use game::ids::PlayerId;
use parking_lot::Mutex;
use store::{Store, StoreError};

/// The mutes in force. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mutes(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// The end of each mute, in milliseconds since 1970.
    until_ms: HashMap<PlayerId, i64>,
    /// Number of changes since the start.
    n_changes: u64,
}

impl Mutes {
    /// Returns the mutes of a store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn load(store: &dyn Store, now_ms: i64) -> Result<Self, StoreError> {
        let mutes = Self::default();
        mutes.compare(store, now_ms).await?;
        Ok(mutes)
    }

    /// Returns the end of a player's mute, in milliseconds since 1970; `None` if the player may speak.
    pub(crate) fn until(&self, player: PlayerId, now_ms: i64) -> Option<i64> {
        self.0.lock().until_ms.get(&player).copied().filter(|until_ms| *until_ms > now_ms)
    }

    /// Mutes a player until a time, in milliseconds since 1970, or not any more. A mute that ends later stays.
    pub(crate) fn set(&self, player: PlayerId, until_ms: Option<i64>) {
        let known = &mut *self.0.lock();
        known.n_changes += 1;
        match until_ms {
            Some(until_ms) => {
                let end_ms = known.until_ms.entry(player).or_insert(until_ms);
                *end_ms = until_ms.max(*end_ms);
            }
            None => drop(known.until_ms.remove(&player)),
        }
    }

    /// Takes the mutes of a store for those in force, unless one changes while they are read.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn compare(&self, store: &dyn Store, now_ms: i64) -> Result<(), StoreError> {
        let n_changes = self.0.lock().n_changes;
        let muted = store.muted(now_ms).await?;
        let known = &mut *self.0.lock();
        if known.n_changes == n_changes {
            known.until_ms = muted.into_iter().collect();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use store::Memory;
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_mute_ends_by_itself_and_one_that_the_store_does_not_have_is_forgotten() {
        let (mutes, store) = (Mutes::default(), Memory::default());
        let [ada, blaise] = [1, 2].map(|number| PlayerId::new(Uuid::from_u128(number)));
        mutes.set(ada, Some(1_000));
        mutes.set(ada, Some(500));
        assert_eq!((mutes.until(ada, 999), mutes.until(blaise, 999)), (Some(1_000), None));
        assert_eq!(mutes.until(ada, 1_000), None);
        mutes.set(blaise, Some(1_000));
        mutes.set(blaise, None);
        assert_eq!(mutes.until(blaise, 0), None);
        mutes.compare(&store, 0).await.unwrap();
        assert_eq!(mutes.until(ada, 0), None);
    }
}
