//! Towers under load and under the axe, from outside: the real binary, real databases, many scripted clients.
//!
//! `load` measures what a server carries and what it costs (`docs/load.md`). `crash` kills it again and again while
//! games go on, and looks whether anything that was acknowledged is lost. `siege` attacks it from one address and
//! measures whether honest players are affected (`docs/siege.md`).

pub mod client;
pub mod connected;
pub mod crash;
pub mod figures;
pub mod host;
pub mod machine;
pub mod script;
pub mod siege;
pub mod wire;
pub mod workload;
