//! The Towers server.
//!
//! A turn comes in through [`socket`], is decided in [`game`] by a task of [`live`], stored by [`store`], and
//! only then told to those who watch. `ARCHITECTURE.md` at the root has the whole picture.

mod address;
mod ahead;
pub mod app;
mod bus;
mod clock;
pub mod config;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod game;
mod http;
mod identity;
pub mod ids;
mod limits;
mod listener;
mod live;
mod load;
mod lobby;
mod metrics;
mod nodes;
pub mod operation;
pub mod origin;
mod outages;
mod outbox;
mod pools;
mod presence;
pub mod protocol;
mod socket;
pub mod store;
mod sweep;
