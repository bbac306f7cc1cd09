//! The Towers server.
//!
//! A turn is received by [`socket`], decided in [`game`] by a task of [`live`], stored by [`store`], and only then
//! broadcast to the readers of the game. `ARCHITECTURE.md` at the root has the whole picture.

pub mod admin;
mod admission;
pub mod app;
mod bots;
mod cluster;
mod compute;
mod conditional;
pub mod config;
mod convert;
mod credentials;
mod deflate;
mod directory;
mod env;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod http;
mod identity;
mod live;
mod lobby;
mod machine;
mod mail;
mod metrics;
mod moderation;
mod mutes;
pub mod net;
mod notices;
mod overload;
mod pools;
mod presence;
mod problem;
pub mod push;
mod recent;
mod review;
mod socket;
mod space;
mod state;
mod tasks;
mod under_way;
mod upkeep;
