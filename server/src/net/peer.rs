//! The remote end of a connection, and its place.

use std::{net::SocketAddr, sync::Arc};

#[cfg(any(test, fuzzing))]
use super::places::Places;
use super::{address::ResourceGuard, places::Place};

/// The remote end of a connection. A WebSocket on the connection keeps it, and with it the connection's place.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    pub(crate) place: Arc<Place>,
    /// Guard among the connections of the address, unless a proxy stands between.
    _of_address: Option<Arc<ResourceGuard>>,
}

impl Peer {
    /// The remote end of a connection at its place.
    pub(super) fn new(address: SocketAddr, place: Place, of_address: Option<ResourceGuard>) -> Self {
        Self { address, place: Arc::new(place), _of_address: of_address.map(Arc::new) }
    }

    /// The remote end of an imaginary connection, for tests.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn made_up() -> Self {
        let place = Places::new(1).try_take().expect("it is free");
        Self::new(SocketAddr::from(([127, 0, 0, 1], 1)), place, None)
    }
}
