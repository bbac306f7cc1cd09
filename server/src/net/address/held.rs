//! Resources that addresses hold.

use std::{collections::hash_map::Entry, sync::Arc};

use super::{Address, Addresses, Shared, count_refused};
use crate::net::limits::AddressLimits;

/// A resource of which an address may hold a limited number at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LimitedResource {
    Connection,
    /// A request that a trusted proxy carries. The client decides how long it lasts, as with a connection of its own.
    Carried,
    Socket,
    /// A list that is being read, or is waiting to be read.
    List,
    /// A game or a record that is being read over HTTP.
    Document,
    /// A game that a socket follows.
    Watch,
    /// A review of a game that is being computed.
    Review,
}

/// The address holds the maximum number of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany {
    pub(crate) limit: u32,
}

impl LimitedResource {
    const fn limit(self, limits: &AddressLimits) -> u32 {
        match self {
            Self::Connection | Self::Carried => limits.connections,
            Self::Socket => limits.sockets,
            Self::List => limits.reads,
            Self::Document => limits.documents,
            Self::Watch => limits.watches,
            Self::Review => limits.reviews,
        }
    }

    /// Name among the refusals.
    const fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Carried => "carried",
            Self::Socket => "socket",
            Self::List => "list",
            Self::Document => "document",
            Self::Watch => "watch",
            Self::Review => "review",
        }
    }
}

impl Addresses {
    /// Whether an address, or a network around it, holds at least so many of a resource, times the network's
    /// [multiple](super::NetworkSize::multiple).
    pub(crate) fn holds(&self, address: Address, kind: LimitedResource, number: u32) -> bool {
        let known = self.0.known.lock();
        address.networks().any(|network| {
            let n_held = known.open.get(&(network, kind)).copied().unwrap_or_default();
            n_held >= number * network.size.multiple()
        })
    }

    /// Counts a resource that an address holds until the returned guard is dropped.
    ///
    /// # Errors
    /// The address, or a network around it, holds the maximum number already.
    pub(crate) fn open(&self, address: Address, kind: LimitedResource) -> Result<ResourceGuard, TooMany> {
        let mut known = self.0.known.lock();
        for network in address.networks() {
            let limit = kind.limit(self.0.limits(network));
            if known.open.get(&(network, kind)).is_some_and(|open| *open >= limit) {
                drop(known);
                count_refused(kind.name());
                return Err(TooMany { limit });
            }
        }
        for network in address.networks() {
            *known.open.entry((network, kind)).or_default() += 1;
        }
        Ok(ResourceGuard { shared: self.0.clone(), address, kind })
    }
}

/// Guard of a resource that an address holds.
#[derive(Debug)]
pub(crate) struct ResourceGuard {
    shared: Arc<Shared>,
    address: Address,
    kind: LimitedResource,
}

impl Drop for ResourceGuard {
    fn drop(&mut self) {
        let mut known = self.shared.known.lock();
        for network in self.address.networks() {
            if let Entry::Occupied(mut open) = known.open.entry((network, self.kind)) {
                *open.get_mut() -= 1;
                if *open.get() == 0 {
                    open.remove();
                }
            }
        }
    }
}
