//! Views of a game for boards, as JSON: the numbers of a turn, its steps, and the legal next actions. The server sends
//! these views. A browser with the engine computes the same ones.

mod cell_name;
mod convert;
#[cfg(feature = "ts")]
mod declared_as;
#[cfg(feature = "openapi")]
pub mod schema;
mod turn;

pub use self::{
    cell_name::CellName,
    turn::{
        ActionKind, Allowance, Barred, Capture, Cards, Choices, Draft, Jump, LegalAction, Overflow, Owed,
        OwedKind, Pack, Quiet, Reserves, SetUp, SetUps, Step, Threats, Turn,
    },
};
