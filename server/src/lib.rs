//! The Towers server.
//!
//! A turn is received by [`socket`], decided in [`game`] by a task of [`live`], stored by [`store`], and only then
//! broadcast to the readers of the game. `ARCHITECTURE.md` at the root has the whole picture.

mod address;
pub mod admin;
mod admission;
pub mod app;
mod bus;
mod clock;
mod compute;
pub mod config;
mod deflate;
mod edge;
mod frames;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod game;
mod gate;
mod handshake;
mod housekeeping;
mod http;
mod identity;
pub mod ids;
mod inbox;
mod limits;
mod listener;
mod live;
mod load;
mod lobby;
mod memory;
mod metrics;
mod nodes;
pub mod origin;
mod outages;
mod outbox;
mod pools;
mod presence;
pub mod protocol;
mod recent;
mod socket;
mod stops;
pub mod store;
mod sweep;
mod tasks;
mod visible;
