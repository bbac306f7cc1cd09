//! Fibonacci (RULES 1, in `docs/rules.md`), with groups of one kind, with mixed groups and with cards.

mod board;
pub(crate) mod cards;
mod invalid;
mod moves;
mod position;

pub use board::{Cell, NoSuchCell, PieceKind};
pub use cards::{Card, CardError, NotASeed, Seed, SeedHash, Unfair};
pub use invalid::InvalidPosition;
pub use moves::{Action, IllegalMove};
pub use position::{Fibonacci, PositionKey, Variant};
