//! Fibonacci (RULES 1, in `docs/rules.md`), with groups of one kind, with mixed groups and with cards.

mod board;
pub(crate) mod cards;
mod invalid;
mod moves;
mod position;
#[cfg(feature = "cards")]
mod seed;

pub use board::{Cell, CellSet, NoSuchCell, PieceKind};
pub use cards::CardError;
pub use invalid::InvalidPosition;
pub use moves::{Action, IllegalMove};
pub use position::{Fibonacci, PositionKey, Variant};
#[cfg(feature = "cards")]
pub use seed::{NotASeed, Seed, SeedHash, Unfair};
