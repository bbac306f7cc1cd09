//! A turn as a board shows it: its numbers, its actions, and the actions that are legal next.

use engine::Side;
use serde::{Deserialize, Serialize};

use super::CellName;

/// All numbers that a board shows of the present or final position. A client does not have to compute any.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Turn {
    /// Turn number of the position (RULES 0.4, 0.8).
    pub number: u16,
    /// Side to move.
    #[cfg_attr(feature = "ts", ts(type = "Side"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Side))]
    pub side: Side,
    /// Text of the position (RULES 0.3).
    pub position: String,
    /// Allowance of the turn; null except in the Fibonacci rulesets.
    pub allowance: Option<Allowance>,
    /// Attackers of each side's centre in this position; null except in the Fibonacci rulesets.
    pub threats: Option<Threats>,
    /// Men that each side can drop (RULES 3.5); null except in Focus and Crossfire.
    pub reserves: Option<Reserves>,
    /// Progress of each side's stackings (RULES 2.3); null when they are over, and except in Fenix.
    pub set_up: Option<SetUps>,
    /// Piece that can be made in place of a captured one (RULES 2.8, 2.9); null if there is none.
    pub owed: Option<Owed>,
    /// Count of quiet turns (RULES 2.13); null if the game does not count them now.
    pub quiet: Option<Quiet>,
    /// Public knowledge of the cards (RULES 1.16, 1.17); null in a ruleset without cards.
    pub cards: Option<Cards>,
}

/// Number of actions of a turn (RULES 1.6, 1.7).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Allowance {
    /// Actions that the turn would have without attackers, 1 to 6.
    pub base: u8,
    /// Actions lost to attackers: `base` − `allowance`.
    pub lost: u8,
    /// Cells of those attackers when the turn began; empty if the game started in the middle of this turn.
    pub lost_to: Vec<CellName>,
    /// Actions that the turn began with, at most 6.
    pub allowance: u8,
    /// Moves made so far.
    pub used: u8,
    /// Actions that can still be made; 0 when the turn is complete.
    pub left: u8,
}

/// Cells of the attackers of each side's centre (RULES 1.7).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Threats {
    /// Cells of the second side's pieces that attack the first side's centre.
    pub first: Vec<CellName>,
    /// Cells of the first side's pieces that attack the second side's centre.
    pub second: Vec<CellName>,
}

/// Number of men that each side can drop (RULES 3.5).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reserves {
    pub first: u8,
    pub second: u8,
}

/// Pieces that each side has made by its stackings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetUps {
    pub first: SetUp,
    pub second: SetUp,
}

/// Pieces that a side has made by its stackings (RULES 2.3).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetUp {
    /// Whether the side has made its king.
    pub king: bool,
    /// Number of councillors made.
    pub councillors: u8,
    /// Number of stackings still to be made.
    pub left: u8,
}

/// Piece that can be made in this turn and in no later one (RULES 2.8, 2.9).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Owed {
    pub kind: OwedKind,
    /// Whether nothing else is legal. If false, other actions are legal too.
    pub must: bool,
}

/// Kind of a piece that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OwedKind {
    Councillor,
    King,
}

/// Count of turns without a capture or the making of a piece (RULES 2.13).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quiet {
    /// Number of such turns in a row.
    pub turns: u8,
    /// Number of such turns at which the game is drawn.
    pub limit: u8,
}

/// Public knowledge of the cards (RULES 1.16, 1.17).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Cards {
    /// Card of the turn, 1 to 6; null while it is not turned over.
    pub card: Option<u8>,
    pub first: Pack,
    pub second: Pack,
}

/// Rest of a side's pack. The pack is shuffled again when a card is needed and none is left.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pack {
    /// For each value from 1 to 6, the number of cards that were not seen to leave the pack, 0 to 2.
    pub left: [u8; 6],
    /// Number of those that have left the pack unseen, before the position that the game started from.
    pub unseen: u8,
}

/// Action of a turn, with its effect as a board shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Step {
    /// Text of the action, as `b7-c7` or `end`.
    pub action: String,
    /// Text of the position after the action.
    pub position: String,
    /// Cells that the piece travels over, the first and the last included; empty for `end`.
    pub route: Vec<CellName>,
    /// Whether two pieces swapped cells.
    pub swap: bool,
    /// Number of men that moved; null in a ruleset without stacks, and for a switch.
    pub count: Option<u8>,
    /// Men that the stack at the target lost; null if none.
    pub overflow: Option<Overflow>,
    /// Cells of the captured pieces, in the order of the jumps over them.
    pub taken: Vec<CellName>,
    /// Attackers of each side's centre after the action; null except in the Fibonacci rulesets.
    pub threats: Option<Threats>,
}

/// Men that a stack loses from its bottom (RULES 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overflow {
    /// Number of the mover's men, which go to the mover's reserve.
    pub reserved: u8,
    /// Number of the other side's men, which leave the game.
    pub captured: u8,
}

/// Unfinished turn of the side to move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Draft {
    /// Actions so far, in order.
    pub steps: Vec<Step>,
    /// Numbers of the position after the steps.
    pub turn: Turn,
    /// Whether `end` is legal now.
    pub may_end: bool,
    /// Whether the steps are a whole turn, which can be sent as a `turn`.
    pub complete: bool,
}

/// Legal action, with its effect as a board shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LegalAction {
    /// Text of the action, to be sent as it is.
    pub text: String,
    pub kind: ActionKind,
    /// Cell that the piece leaves, in a switch that of the side's own man; null for `drop` and `end`.
    pub from: Option<CellName>,
    /// Cell that the piece goes to; null for `end`.
    pub to: Option<CellName>,
    /// Number of men that move; null in a ruleset without stacks, and for a switch.
    pub count: Option<u8>,
    /// Men that the stack at the target loses; null if none.
    pub overflow: Option<Overflow>,
    /// Jumps of a capture; null for all other actions.
    pub capture: Option<Capture>,
}

/// Kind of an action, by its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// A piece moves to an empty cell, or men of a stack move onto another cell.
    Move,
    /// Two pieces swap cells.
    Swap,
    /// A man of the reserve goes onto a cell (RULES 3.5).
    Drop,
    /// A man of the side and one of the other side swap cells before play begins (RULES 3.3).
    Switch,
    /// A piece steps onto another piece of its side, and the two become a higher piece (RULES 2.3, 2.8, 2.9).
    Make,
    /// A piece captures pieces of the other side by jumps (RULES 2.5).
    Capture,
    /// Ends the turn early.
    End,
}

/// Jumps of a capture (RULES 2.6).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Capture {
    /// Jumps in order. The first one starts from the cell of the piece, the last one ends on its target.
    pub jumps: Vec<Jump>,
    /// Total number of captured discs, the same for all legal captures (RULES 2.7).
    pub discs: u8,
}

/// Jump of a capture.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Jump {
    /// Cell of the captured piece, which stays there as an obstacle until the capture is complete.
    pub over: CellName,
    /// Cell that the piece lands on.
    pub to: CellName,
}

/// Action that only ko forbids: the side has made it before, with the same result (RULES 4.4).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Barred {
    /// Text of the action.
    pub text: String,
    /// Cell that the men leave; null for a drop.
    pub from: Option<CellName>,
    /// Cell that the men go to.
    pub to: Option<CellName>,
    /// Number of the turn in which the side made the action before.
    pub turn: u16,
}

/// Beginning of a turn, with the actions that may follow it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Choices {
    pub draft: Draft,
    /// Actions that may follow, in the bytewise order of their texts; empty if the draft is complete.
    pub actions: Vec<LegalAction>,
    /// Groups that the pieces of the side to move belong to, each a list of cells (RULES 1.11).
    pub groups: Vec<Vec<CellName>>,
    /// Actions that only ko forbids (RULES 4.4).
    pub barred: Vec<Barred>,
    /// Number of discs that each legal capture takes (RULES 2.7); `None` if nothing must be captured.
    pub best_capture: Option<u8>,
}
