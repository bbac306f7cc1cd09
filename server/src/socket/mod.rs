//! A WebSocket connection: frames in, frames out. Received messages are dispatched to the game or the lobby; outgoing frames
//! wait in the [`outbox`](crate::net::outbox).

mod dispatch;
mod frames;
mod handshake;
mod inbox;
mod transport;
mod wake_filter;

pub(crate) use self::transport::upgrade;
