//! Addresses for servers.

use std::{io, net::SocketAddr};

use socket2::{Domain, Socket, Type};

/// An address that nobody else on this machine is given, not even while no server listens there: a socket is bound
/// to it that never listens.
#[derive(Debug)]
pub struct ReservedAddress {
    pub address: SocketAddr,
    _held: Socket,
}

impl ReservedAddress {
    /// An address on this machine.
    ///
    /// # Errors
    /// There is none left.
    pub fn new() -> io::Result<Self> {
        let held = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        held.set_reuse_address(true)?;
        held.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())?;
        let address = held.local_addr()?.as_socket().expect("it is an address of TCP");
        Ok(Self { address, _held: held })
    }
}
