//! Focus and Crossfire (RULES 3 and 4, in `docs/rules.md`): one game of stacks on two boards.

mod board;
mod game;
mod invalid;
mod layout;
mod moves;
mod position;
mod read;
mod stack;
mod symmetry;

pub use board::Cell;
pub use game::Game;
pub use invalid::InvalidPosition;
use layout::Layout;
pub use moves::{Action, IllegalMove};
pub use position::{KoRecord, PositionKey, Stacks};
pub use stack::Stack;
