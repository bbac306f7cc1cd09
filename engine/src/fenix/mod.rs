//! Fenix (RULES 2, in `docs/rules.md`).

mod action;
mod board;
mod captures;
mod hunt;
mod illegal;
mod invalid;
mod making;
mod moves;
mod position;
mod repetition;

pub use action::{Action, Route};
pub use board::{Kind, NoSuchSquare, Square};
pub use illegal::Illegal;
pub use invalid::Invalid;
pub use making::Due;
pub use position::Fenix;
pub use repetition::Key;
