//! Fenix (RULES 2, in `docs/rules.md`).

mod action;
mod board;
mod budgeted;
mod capture_search;
mod captures;
mod illegal;
mod invalid;
mod making;
mod moves;
mod position;
mod repetition;

pub use action::{Action, Route};
pub use board::{NoSuchSquare, PieceKind, Square, SquareSet};
pub use captures::CaptureScratch;
pub use illegal::IllegalMove;
pub use invalid::InvalidPosition;
pub use making::Due;
pub use position::Fenix;
pub use repetition::PositionKey;
