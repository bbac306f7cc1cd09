//! Code common to all games. Nothing here depends on a game.

mod bits;
mod budget;
mod card;
mod cell_name;
mod describe;
mod game_history;
mod hash_index;
mod history;
mod line;
mod outcome;
mod rule;
mod rules;
mod serial;
mod side;
mod text;
mod turn;
pub(crate) mod zobrist;

pub use bits::{BitCell, BitSet, Bits};
pub use budget::{Budget, TooCostly, Unlisted};
pub use card::Card;
pub use cell_name::{CellName, NotACellName};
pub use describe::{
    ActionKind, ActionView, Allowance, Capture, Cards, Choices, Counts, Describe, Jump, KoForbidden,
    LegalAction, Overflow, Owed, OwedPiece, Pack, Present, QuietTurns, SetUp,
};
pub use game_history::GameHistory;
pub use history::History;
pub use line::Line;
pub use outcome::{Outcome, Reason};
pub use rule::Rule;
pub use rules::{Progress, Rules};
pub(crate) use serial::serialized_as_text;
pub use side::{BySide, Side, UnknownSide};
pub(crate) use text::{Reader, piece_of, write_row};
pub use text::{TextError, TextErrorKind, Unreadable};
pub use turn::TurnNumber;
