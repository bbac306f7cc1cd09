//! Load and crash tests of Towers from outside: the real binary, real databases, many scripted clients.
//!
//! `load` measures the capacity and cost of a server (`docs/load.md`). `crash` kills it repeatedly during play, and
//! checks that nothing acknowledged is lost. `siege` attacks it from one address and measures whether honest players
//! are affected (`docs/siege.md`).

pub mod bots;
pub mod client;
pub mod connected;
pub mod crash;
pub mod figures;
pub mod host;
pub mod machine;
pub mod messages;
pub mod script;
pub mod siege;
pub mod wire;
pub mod workload;
