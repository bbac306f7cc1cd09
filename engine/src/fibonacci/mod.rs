//! Fibonacci (RULES 1, in `docs/rules.md`), with groups of one kind, with mixed groups and with cards.

mod board;
pub(crate) mod cards;
mod invalid;
mod moves;
mod position;

pub use board::{Cell, Kind, NoSuchCell};
pub use cards::{Card, CardError, NotASeed, Seed, SeedHash, Unfair};
pub use invalid::Invalid;
pub use moves::{Action, Illegal};
pub use position::{Fibonacci, Key, Variant};
