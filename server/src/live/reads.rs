//! Logs read from the store for clients: page by page, few pages at once, and one at a time for each address.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use game::{
    ids::{GameId, PlayerId, Version},
    players_in,
};
use parking_lot::Mutex;
use store::{Log, Store, StoreError, StoredEvent, read_pages};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{
    compute::Requester,
    net::address::{Addresses, LimitedAction, Network},
};

/// Maximum number of pages that are read at once.
const PAGES_AT_ONCE: usize = 4;

/// Reads logs of games. The readers of one address, however many, take at most one permit.
#[derive(Clone, Debug)]
pub(super) struct LogReads(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    store: Arc<dyn Store>,
    addresses: Addresses,
    permits: Arc<Semaphore>,
    /// The semaphore of each subscriber with readers.
    of_address: Mutex<HashMap<Network, Weak<Semaphore>>>,
}

/// Permits for one page, held while it is read.
struct PagePermit {
    _of_address: Option<OwnedSemaphorePermit>,
    _of_all: OwnedSemaphorePermit,
}

/// Returns the players whom events mention.
pub(super) fn mentioned(events: &[StoredEvent]) -> impl Iterator<Item = PlayerId> {
    events.iter().flat_map(|event| players_in(&event.body))
}

impl LogReads {
    /// Returns a reader of logs in the store, which charges addresses.
    pub(super) fn new(store: Arc<dyn Store>, addresses: Addresses) -> Self {
        let permits = Arc::new(Semaphore::new(PAGES_AT_ONCE));
        Self(Arc::new(Shared { store, addresses, permits, of_address: Mutex::default() }))
    }

    /// Charges the address of a reader for a log that is about to be read, even if the request is abandoned.
    pub(super) fn charge(&self, requester: Requester, version: Version) {
        if let Some(address) = requester.address() {
            self.0.addresses.charge(address, LimitedAction::Events, version.get() as usize, Instant::now());
        }
    }

    /// Returns a game's events and draft, `None` if the game does not exist.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) async fn log(&self, game: GameId, requester: Requester) -> Result<Option<Log>, StoreError> {
        read_pages(&*self.0.store, game, Version::NONE, || self.enter(requester.subscriber())).await
    }

    async fn enter(&self, address: Option<Network>) -> PagePermit {
        let of_address = match address {
            Some(address) => Some(acquire(self.permit_of(address)).await),
            None => None,
        };
        PagePermit { _of_address: of_address, _of_all: acquire(self.0.permits.clone()).await }
    }

    fn permit_of(&self, address: Network) -> Arc<Semaphore> {
        let mut of_address = self.0.of_address.lock();
        if let Some(permit) = of_address.get(&address).and_then(Weak::upgrade) {
            return permit;
        }
        // Drops the semaphores of those without readers.
        of_address.retain(|_, permit| permit.strong_count() > 0);
        let permit = Arc::new(Semaphore::new(1));
        of_address.insert(address, Arc::downgrade(&permit));
        permit
    }
}

async fn acquire(permits: Arc<Semaphore>) -> OwnedSemaphorePermit {
    permits.acquire_owned().await.expect("it is never closed")
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use game::Terms;
    use tokio::pin;

    use super::*;
    use crate::{
        live::tests::sample::{log, node},
        net::{address::Address, limits::AddressLimits},
    };

    #[tokio::test]
    async fn the_readers_of_one_address_take_one_place_and_the_server_none_of_theirs() {
        let node = node(64 << 20).await;
        let row = node.store(&log(Terms::default(), 4)).await;
        let reads =
            LogReads::new(node.games.0.dependencies.store.clone(), Addresses::new(AddressLimits::times(1)));
        let [crowd, other] = [1, 2].map(|number| Requester::visitor(Address::of_tests(number)));

        let held = reads.enter(crowd.subscriber()).await;
        let waiting = reads.log(row.id, crowd);
        pin!(waiting);
        assert!(poll!(&mut waiting).is_pending());
        assert_eq!(
            reads.0.permits.available_permits(),
            PAGES_AT_ONCE - 1,
            "a waiting reader takes no permit"
        );
        assert!(reads.log(row.id, other).await.unwrap().is_some());
        assert!(reads.log(row.id, Requester::SERVER).await.unwrap().is_some());

        drop(held);
        assert!(waiting.await.unwrap().is_some());
        let _held = reads.enter(other.subscriber()).await;
        assert_eq!(reads.0.of_address.lock().len(), 1, "nothing is left of an address that reads no more");
    }
}
