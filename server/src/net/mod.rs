//! The network under HTTP and the sockets: connections, the addresses behind them, and every limit on a client.

pub(crate) mod address;
pub(crate) mod cookies;
pub(crate) mod gate;
pub(crate) mod headers;
pub(crate) mod limits;
pub(crate) mod listener;
pub mod origin;
pub(crate) mod outbox;
pub(crate) mod peer;
pub(crate) mod places;
pub(crate) mod sent;
pub(crate) mod stored;
