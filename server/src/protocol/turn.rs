//! A turn as a board shows it: its numbers, its actions, what is legal next.

use engine::Side;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::CellName;

/// The turn under way, or the last one if the game is over: all the numbers that a board shows.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Turn {
    /// RULES 0.4.
    pub number: u16,
    #[serde(with = "crate::ids::side")]
    #[ts(type = "Side")]
    pub side: Side,
    /// The position's text.
    pub position: String,
    /// How many actions the turn has, where a ruleset counts them.
    pub allowance: Option<Allowance>,
    /// The cells that threaten each side's centre now, where a ruleset has a centre.
    pub threats: Option<Threats>,
    /// The men that each side can drop, where a ruleset has reserves (RULES 3.5).
    pub reserves: Option<Reserves>,
    /// How far each side is with its stackings, as long as these go on (RULES 2.3).
    pub set_up: Option<SetUps>,
    /// The piece to be made in place of one that was taken (RULES 2.8, 2.9).
    pub owed: Option<Owed>,
    /// How near the game is to a draw, where a ruleset counts it (RULES 2.13).
    pub quiet: Option<Quiet>,
    /// What is known of the cards, where a ruleset has cards (RULES 1.16).
    pub cards: Option<Cards>,
}

/// How many actions a turn has, and why (RULES 1.6, 1.7).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Allowance {
    pub base: u8,
    /// `base` less `allowance`: the moves lost to attackers.
    pub lost: u8,
    /// The cells of those attackers when the turn began; shorter than `lost` only where the game began mid-turn.
    pub lost_to: Vec<CellName>,
    pub allowance: u8,
    pub used: u8,
    pub left: u8,
}

/// The cells whose pieces stand next to each centre and attack it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Threats {
    pub first: Vec<CellName>,
    pub second: Vec<CellName>,
}

/// Men that may be dropped.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Reserves {
    pub first: u8,
    pub second: u8,
}

/// What each side has made by its stackings.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct SetUps {
    pub first: SetUp,
    pub second: SetUp,
}

/// What a side has made by its stackings (RULES 2.3).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct SetUp {
    /// Whether it has its king.
    pub king: bool,
    pub councillors: u8,
    /// Stackings that it still has to make.
    pub left: u8,
}

/// A piece to be made in this turn and in no later one.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Owed {
    pub kind: OwedKind,
    /// Whether nothing else is legal; else it may be made beside all else.
    pub must: bool,
}

/// What is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OwedKind {
    Councillor,
    King,
}

/// Turns without a capture or a making of a piece.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Quiet {
    pub turns: u8,
    /// The number of turns at which the game is a draw.
    pub limit: u8,
}

/// What everybody may know of the cards.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Cards {
    /// The card of the turn; null as long as it is not turned over.
    pub card: Option<u8>,
    pub first: Pack,
    pub second: Pack,
}

/// What is left of a side's pack; it is shuffled again when a card is needed and none is left.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Pack {
    /// How many cards of each value, 1 to 6, were not seen to leave it.
    pub left: [u8; 6],
    /// How many of those went all the same, before the text that the game started from.
    pub unseen: u8,
}

/// One action of a turn with what is seen of it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Step {
    /// The action's text, as `b7-c7` or `end`.
    pub action: String,
    /// The text of the position after it.
    pub position: String,
    /// The cells that the piece travels over, its first and last cell included; empty for `end`.
    pub route: Vec<CellName>,
    /// Whether two pieces changed places.
    pub swap: bool,
    /// How many men went, where a ruleset has stacks of them.
    pub count: Option<u8>,
    /// What the stack that they came to lost; null if nothing.
    pub overflow: Option<Overflow>,
    /// The cells of the pieces that were captured, in the order of the jumps over them.
    pub taken: Vec<CellName>,
    /// The cells that threaten each side's centre after it, where a ruleset has a centre.
    pub threats: Option<Threats>,
}

/// The men that a stack loses from its bottom (RULES 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Overflow {
    /// The mover's men, which go to his reserve.
    pub reserved: u8,
    /// The other side's men, which are out of the game.
    pub captured: u8,
}

/// The unfinished turn of the side to move.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Draft {
    pub steps: Vec<Step>,
    /// The turn with the draft's steps taken.
    pub turn: Turn,
    /// Whether `end` is legal now.
    pub may_end: bool,
    /// Whether the steps are a whole turn, ready to be confirmed.
    pub complete: bool,
}

/// An action that is legal now.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct LegalAction {
    /// What to send.
    pub text: String,
    pub kind: ActionKind,
    pub from: Option<CellName>,
    pub to: Option<CellName>,
    /// How many men go onto the stack there, where a ruleset has stacks of them.
    pub count: Option<u8>,
    /// What the stack there then loses; null if nothing.
    pub overflow: Option<Overflow>,
    /// What a capture takes on its way; null for everything else.
    pub capture: Option<Capture>,
}

/// What an action does, for a board to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// To an empty cell.
    Move,
    /// Two pieces change places.
    Swap,
    /// A man of the reserve goes onto a cell (RULES 3.5).
    Drop,
    /// A man of the side and one of the other side change cells before the play begins (RULES 3.3).
    Switch,
    /// A piece steps onto another of its side, and they become a higher one (RULES 2.3, 2.8, 2.9).
    Make,
    /// A piece takes pieces of the other side by jumps (RULES 2.5).
    Capture,
    /// Ends the turn early.
    End,
}

/// A capture, jump by jump (RULES 2.6).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Capture {
    /// The first one starts where the piece stands, the last one ends where it goes.
    pub jumps: Vec<Jump>,
    /// Discs taken in all, the same for all legal captures.
    pub discs: u8,
}

/// One jump of a capture.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Jump {
    /// The cell of the captured piece, which stays there, in the way, until the capture is done.
    pub over: CellName,
    /// The cell to land on.
    pub to: CellName,
}

/// An action that is not legal only because the side has done the same before (RULES 4.4).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Barred {
    pub text: String,
    /// Null for a drop.
    pub from: Option<CellName>,
    pub to: Option<CellName>,
    /// The turn in which the side did it.
    pub turn: u16,
}
