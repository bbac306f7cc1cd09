//! Work in progress for addresses.

use std::{collections::hash_map::Entry, sync::Arc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Address, Addresses, NetworkSize, Shared};
use crate::net::limits::AddressLimits;

/// Work of which a bounded number of pieces of one address is in progress. Further pieces wait: however many connections
/// an address has, only a few of its tasks compete with those of other addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SlottedWork {
    /// An HTTP request.
    Request,
    /// The start of following a game.
    Follow,
    /// A message of a socket.
    Message,
}

impl Addresses {
    /// Waits until a piece of work of an address may be processed. The number of waiting pieces is bounded by the number
    /// of its connections and [carried requests](LimitedResource::Carried).
    pub(crate) async fn slot(&self, address: Address, work: SlottedWork) -> Slot {
        let slots = self.slots(address, work);
        Slot { _permits: slots.acquire().await, _slots: slots }
    }

    /// Returns the slots of an address for some work, for a client that needs one again and again.
    pub(crate) fn slots(&self, address: Address, work: SlottedWork) -> Slots {
        let mut known = self.0.known.lock();
        let mut of_networks = [const { None }; NetworkSize::OF_IPV6.len()];
        for (slots, network) in of_networks.iter_mut().zip(address.networks()) {
            let n_slots = work.n_slots(self.0.limits(network));
            let entry = known.slots.entry((network, work));
            *slots = Some(entry.or_insert_with(|| Arc::new(Semaphore::new(n_slots))).clone());
        }
        Slots { shared: self.0.clone(), address, work, of_networks }
    }
}

impl SlottedWork {
    const fn n_slots(self, limits: &AddressLimits) -> usize {
        match self {
            Self::Request => limits.requests_at_once,
            Self::Follow => limits.follows_at_once,
            Self::Message => limits.messages_at_once,
        }
    }
}

/// The slot of a piece of work in progress. The permits are released before the slots, which are forgotten with the last
/// owner.
#[derive(Debug)]
pub(crate) struct Slot {
    _permits: SlotPermits,
    _slots: Slots,
}

/// Permits of a piece of work: of its address, and of each network around it.
#[derive(Debug)]
pub(crate) struct SlotPermits {
    _of_networks: [Option<OwnedSemaphorePermit>; NetworkSize::OF_IPV6.len()],
}

/// The slots of an address for some work.
#[derive(Debug)]
pub(crate) struct Slots {
    shared: Arc<Shared>,
    address: Address,
    work: SlottedWork,
    /// Those of its networks, smallest first; taken on drop only.
    of_networks: [Option<Arc<Semaphore>>; NetworkSize::OF_IPV6.len()],
}

impl Slots {
    /// Waits for a slot, which is free again when the permits are dropped. The permits must be dropped before these slots,
    /// or their entries are never removed.
    pub(crate) async fn acquire(&self) -> SlotPermits {
        let mut of_networks = [const { None }; NetworkSize::OF_IPV6.len()];
        // All clients take the smaller network's permit first, so that none waits for another in a circle.
        for (permit, slots) in of_networks.iter_mut().zip(self.of_networks.iter().flatten()) {
            *permit = slots.clone().acquire_owned().await.ok();
        }
        SlotPermits { _of_networks: of_networks }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        let mut known = self.shared.known.lock();
        for (slots, network) in self.of_networks.iter_mut().zip(self.address.networks()) {
            drop(slots.take());
            if let Entry::Occupied(entry) = known.slots.entry((network, self.work))
                && Arc::strong_count(entry.get()) == 1
            {
                entry.remove();
            }
        }
    }
}
