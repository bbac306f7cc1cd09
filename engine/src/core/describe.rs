use super::{Budget, BySide, Card, CellName, Rules, Side, TurnNumber, Unlisted};

/// The choices of the side to move, as boards show them.
pub trait Choices {
    /// The legal actions, ko aside, in the bytewise order of their texts.
    ///
    /// # Errors
    /// They are more than `limit`, which is found out without listing them all: a capture of Fenix can have millions of
    /// ways. Or to find them takes more than the budget.
    fn list(&self, limit: usize, budget: &mut Budget) -> Result<Vec<LegalAction>, Unlisted>;

    /// The groups that the pieces of the side to move belong to (RULES 1.11); empty in a
    /// game without groups.
    fn groups(&self) -> Vec<Vec<CellName>> {
        Vec::new()
    }

    /// The discs that each legal capture takes (RULES 2.7): the reason for which smaller ones, and moves, are not legal.
    /// `None` if nothing must be captured.
    fn best_capture(&self) -> Option<u8> {
        None
    }
}

/// A position as boards show it. The rules need nothing of this.
pub trait Describe: Rules + Choices {
    /// The view of an action, which must be legal.
    fn view(&self, action: Self::Action) -> ActionView;

    /// The turn's allowance, if the game has one, when `drafted` are played from here.
    fn allowance(&self, _drafted: &[Self::Action]) -> Option<Allowance> {
        None
    }

    /// See [`Present::reserves`].
    fn reserves(&self) -> Option<BySide<u8>> {
        None
    }

    /// See [`Present::threats`].
    fn threats(&self) -> Option<BySide<Vec<CellName>>> {
        None
    }

    /// See [`Present::counts`].
    fn counts(&self) -> Counts {
        Counts::default()
    }
}

/// An action as boards show it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ActionView {
    /// See [`PlayedAction::route`](crate::PlayedAction::route).
    pub route: Vec<CellName>,
    /// Whether two pieces change places.
    pub swap: bool,
    /// See [`LegalAction::count`].
    pub count: Option<u8>,
    /// See [`LegalAction::overflow`].
    pub overflow: Option<Overflow>,
    /// See [`PlayedAction::taken`](crate::PlayedAction::taken).
    pub taken: Vec<CellName>,
}

/// The kind of an action, by its effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ActionKind {
    /// A piece goes to an empty cell.
    Move,
    /// Two pieces change places.
    Swap,
    /// A man of the reserve goes onto a cell (RULES 3.5).
    Drop,
    /// A man of the side and one of the other side change cells before the play begins (RULES 3.3).
    Switch,
    /// A piece steps onto another of its side, and they become a higher one.
    Promote,
    /// A piece takes pieces of the other side by jumps.
    Capture,
    /// The turn is ended early.
    End,
}

/// A legal action, taken apart for those who show it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LegalAction {
    /// Its canonical text.
    pub text: String,
    pub kind: ActionKind,
    /// The cell that the piece leaves, in a switch the side's own man; `None` for a drop and for `end`.
    pub from: Option<CellName>,
    /// The cell that it goes to; `None` for `end`.
    pub to: Option<CellName>,
    /// Number of men that go onto the stack there; `None` in a game without stacks, and for a switch.
    pub count: Option<u8>,
    /// The men that the stack there then loses; `None` if nothing.
    pub overflow: Option<Overflow>,
    /// The pieces that a capture takes on its way; `None` for everything else.
    pub capture: Option<Capture>,
}

impl LegalAction {
    /// The actions in the order of their texts, if they are no more than `limit`.
    pub(crate) fn listed(mut actions: Vec<Self>, limit: usize) -> Result<Vec<Self>, Unlisted> {
        actions.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        if actions.len() <= limit { Ok(actions) } else { Err(Unlisted::TooMany { limit }) }
    }
}

/// The men that a stack loses from its bottom (RULES 3.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Overflow {
    /// The mover's men, which go to his reserve.
    pub reserved: u8,
    /// The other side's men, which are out of the game.
    pub captured: u8,
}

/// A capture, jump by jump.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Capture {
    /// Its jumps, in order; the first one starts where the piece stands, the last one ends where it goes.
    pub jumps: Vec<Jump>,
    /// Discs taken in all (RULES 2.7): the same for all legal captures of a position.
    pub n_discs: u8,
}

/// One jump of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Jump {
    /// The cell of the captured piece, which stays there, in the way, until the capture is done.
    pub over: CellName,
    /// The cell to land on.
    pub to: CellName,
}

/// An action that is not legal only because the side has done the same before (RULES 4.4).
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KoForbidden {
    /// Its canonical text.
    pub text: String,
    /// The cell that the men leave; `None` for a drop.
    pub from: Option<CellName>,
    /// The cell that they go to.
    pub to: Option<CellName>,
    /// The turn in which the side did it.
    pub turn: TurnNumber,
}

/// A position as its readers need it besides the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Present {
    /// Its canonical text.
    pub position: String,
    pub turn: TurnNumber,
    /// Whose turn that is.
    pub side: Side,
    /// `None` in a game whose turns have one action.
    pub allowance: Option<Allowance>,
    /// The men that each side can drop (RULES 3.5); `None` in a game without reserves.
    pub reserves: Option<BySide<u8>>,
    /// For each side the cells, sorted, of the strike pieces of the other side that are next to its centre
    /// now (RULES 1.7); `None` in a game without.
    pub threats: Option<BySide<Vec<CellName>>>,
    /// Further counts; those of the position as it stands, so after a complete draft those of
    /// the turn that follows it.
    pub counts: Counts,
    /// `None` in a game without cards.
    pub cards: Option<Cards>,
}

/// The public knowledge of the cards (RULES 1.16, 1.17).
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cards {
    /// The card of the turn; `None` as long as it is not turned over.
    pub card: Option<Card>,
    /// The rest of each side's pack.
    pub packs: BySide<Pack>,
}

/// The rest of a pack, which is shuffled again when a card is needed and none is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pack {
    /// For each value, from 1 to 6, the number of cards that were not seen to leave it.
    pub left: [u8; 6],
    /// The number of those that went all the same, before the text that the match started from.
    pub unseen: u8,
}

/// The counts that a board shows beside its pieces; `None` where the game does not have one, or not now.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Counts {
    /// The stackings of each side, as long as these go on (RULES 2.3).
    pub set_up: Option<BySide<SetUp>>,
    /// The piece to be made in place of one that was taken (RULES 2.8, 2.9).
    pub owed: Option<Owed>,
    /// The nearness of a draw (RULES 2.13).
    pub quiet_turns: Option<QuietTurns>,
}

/// The number of actions of a turn (RULES 1.6, 1.7).
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Allowance {
    /// Actions that the turn has if nothing is lost.
    pub base: u8,
    /// Actions lost to attackers, base − allowance.
    pub lost: u8,
    /// The cells, sorted, of the attackers when the turn began; `None` if the position stands in the middle
    /// of a turn, when they are not known any more.
    pub lost_to: Option<Vec<CellName>>,
    /// Actions that the turn began with.
    pub allowance: u8,
    /// Moves made so far.
    pub used: u8,
    /// Actions that may still be made; 0 when the turn is complete.
    pub left: u8,
}

/// The pieces that a side has made by its stackings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SetUp {
    /// Whether it has its king.
    pub king: bool,
    pub n_councillors: u8,
    /// Stackings that it still has to make.
    pub n_left: u8,
}

/// A piece to be made in this turn and in no later one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Owed {
    /// The side that makes it.
    pub side: Side,
    pub piece: OwedPiece,
    /// Whether nothing else is legal; else it may be made beside all else.
    pub must: bool,
}

/// The pieces that can be owed (RULES 2.8, 2.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum OwedPiece {
    Councillor,
    King,
}

/// Turns without a capture or a making of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QuietTurns {
    pub turns: u8,
    /// The number of turns at which the game is a draw.
    pub limit: u8,
}
