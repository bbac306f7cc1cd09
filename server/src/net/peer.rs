//! The remote end of a connection, and its permits.

use std::{net::SocketAddr, sync::Arc};

use tokio::sync::OwnedSemaphorePermit;
#[cfg(any(test, fuzzing))]
use tokio::sync::Semaphore;

use super::address::Open;

/// The remote end of a connection. A WebSocket on the connection keeps it, and with it the connection's permit.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    _permit: Arc<ConnectionPermit>,
}

impl Peer {
    /// The remote end of a connection with its permits.
    pub(super) fn new(address: SocketAddr, of_all: OwnedSemaphorePermit, of_address: Option<Open>) -> Self {
        Self { address, _permit: Arc::new(ConnectionPermit { _of_all: of_all, _of_address: of_address }) }
    }

    /// The remote end of an imaginary connection, for tests.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn made_up() -> Self {
        let of_all = Arc::new(Semaphore::new(1)).try_acquire_owned().expect("it is free");
        Self::new(SocketAddr::from(([127, 0, 0, 1], 1)), of_all, None)
    }
}

/// Permit of a connection among all, and among those of its address unless a proxy stands between.
#[derive(Debug)]
struct ConnectionPermit {
    _of_all: OwnedSemaphorePermit,
    _of_address: Option<Open>,
}
