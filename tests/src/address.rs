//! Addresses for servers.

use std::{io, net::SocketAddr};

use socket2::{Domain, Socket, Type};

/// A reserved address. A socket that never listens is bound to it, so no other process on this machine gets it, even
/// while no server listens there.
#[derive(Debug)]
pub struct ReservedAddress {
    pub address: SocketAddr,
    _held: Socket,
}

impl ReservedAddress {
    /// Reserves an address of this machine.
    ///
    /// # Errors
    /// No port is free.
    pub fn new() -> io::Result<Self> {
        let held = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        held.set_reuse_address(true)?;
        held.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())?;
        let address = held.local_addr()?.as_socket().expect("it is an address of TCP");
        Ok(Self { address, _held: held })
    }
}
