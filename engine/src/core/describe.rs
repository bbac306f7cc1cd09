use super::{Budget, BySide, Card, CellName, Rules, Side, TurnNumber, Unlisted};

/// The choices of the side to move, as boards show them.
pub trait Choices {
    /// The legal actions, without regard to ko, in the bytewise order of their texts.
    ///
    /// # Errors
    /// There are more than `limit` actions, which is decided without listing them all, since a position of Fenix can
    /// have millions of captures. Or the search exceeds the budget.
    fn list(&self, limit: usize, budget: &mut Budget) -> Result<Vec<LegalAction>, Unlisted>;

    /// The groups that the pieces of the side to move belong to (RULES 1.11); empty in a
    /// game without groups.
    fn groups(&self) -> Vec<Vec<CellName>> {
        Vec::new()
    }

    /// Number of discs that each legal capture takes (RULES 2.7). Smaller captures, and moves, are then illegal. `None`
    /// if there is no capture to make.
    fn best_capture(&self) -> Option<u8> {
        None
    }
}

/// A position as boards show it. The rules do not depend on this.
pub trait Describe: Rules + Choices {
    /// The view of an action, which must be legal.
    fn view(&self, action: Self::Action) -> ActionView;

    /// The turn's allowance after `drafted` are played from here, if the game has one.
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

/// A legal action with its parts, as boards show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalAction {
    /// Its canonical text.
    pub text: String,
    pub kind: ActionKind,
    /// The cell that the piece leaves, or the cell of the side's own man in a switch; `None` for a drop and for `end`.
    pub from: Option<CellName>,
    /// The cell that it goes to; `None` for `end`.
    pub to: Option<CellName>,
    /// Number of men that move onto the target stack; `None` in a game without stacks, and for a switch.
    pub count: Option<u8>,
    /// The men that the target stack then loses; `None` if it loses none.
    pub overflow: Option<Overflow>,
    /// The pieces that a capture takes; `None` for other actions.
    pub capture: Option<Capture>,
}

impl LegalAction {
    /// The actions in the order of their texts, if there are at most `limit`.
    pub(crate) fn listed(mut actions: Vec<Self>, limit: usize) -> Result<Vec<Self>, Unlisted> {
        actions.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        if actions.len() <= limit { Ok(actions) } else { Err(Unlisted::TooMany { limit }) }
    }
}

/// The men that a stack loses from its bottom (RULES 3.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Overflow {
    /// The mover's men, which go to his reserve.
    pub reserved: u8,
    /// The other side's men, which are out of the game.
    pub captured: u8,
}

/// A capture, jump by jump.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// Its jumps, in order; the first one starts where the piece stands, the last one ends where it goes.
    pub jumps: Vec<Jump>,
    /// Total number of discs taken (RULES 2.7), the same for all legal captures of a position.
    pub n_discs: u8,
}

/// One jump of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Jump {
    /// The cell of the captured piece, which stays there and blocks the way until the capture is complete.
    pub over: CellName,
    /// The cell to land on.
    pub to: CellName,
}

/// An action that only ko forbids (RULES 4.4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KoForbidden {
    /// Its canonical text.
    pub text: String,
    /// The cell that the men leave; `None` for a drop.
    pub from: Option<CellName>,
    /// The cell that they go to.
    pub to: Option<CellName>,
    /// The turn in which the side played it before.
    pub turn: TurnNumber,
}

/// The view of a position, besides the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Present {
    /// Its canonical text.
    pub position: String,
    pub turn: TurnNumber,
    /// The side whose turn it is.
    pub side: Side,
    /// The allowance; `None` in a game whose turns have one action.
    pub allowance: Option<Allowance>,
    /// Number of men that each side can drop (RULES 3.5); `None` in a game without reserves.
    pub reserves: Option<BySide<u8>>,
    /// For each side, the sorted cells of the other side's strike pieces next to its centre (RULES 1.7); `None` in a
    /// game without threats.
    pub threats: Option<BySide<Vec<CellName>>>,
    /// Further counts. After a complete draft, they are those of the next turn.
    pub counts: Counts,
    /// The cards; `None` in a game without cards.
    pub cards: Option<Cards>,
}

/// The public knowledge of the cards (RULES 1.16, 1.17).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cards {
    /// The card of the turn; `None` until it is turned over.
    pub card: Option<Card>,
    /// The rest of each side's pack.
    pub packs: BySide<Pack>,
}

/// The rest of a pack. An empty pack is shuffled again when a card is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pack {
    /// For each value, from 1 to 6, the number of cards not known to have left the pack.
    pub left: [u8; 6],
    /// Number of these cards that have left it nevertheless, before the text that the match started from.
    pub unseen: u8,
}

/// The counts that a board shows beside its pieces. A count is `None` if the game, or the current phase, does not have
/// it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// The stackings of each side, during the set-up (RULES 2.3).
    pub set_up: Option<BySide<SetUp>>,
    /// The piece to be made in place of a captured one (RULES 2.8, 2.9).
    pub owed: Option<Owed>,
    /// The count of quiet turns, which leads to a draw (RULES 2.13).
    pub quiet_turns: Option<QuietTurns>,
}

/// The number of actions of a turn (RULES 1.6, 1.7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// Allowance before the loss to attackers.
    pub base: u8,
    /// Actions lost to attackers, base − allowance.
    pub lost: u8,
    /// The sorted cells of the attackers when the turn began; `None` if the match started in the middle of a turn, so
    /// that they are unknown.
    pub lost_to: Option<Vec<CellName>>,
    /// Number of actions at the beginning of the turn.
    pub allowance: u8,
    /// Number of moves made so far.
    pub used: u8,
    /// Number of remaining actions; 0 when the turn is complete.
    pub left: u8,
}

/// The pieces that a side has made by its stackings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetUp {
    /// Whether it has its king.
    pub king: bool,
    pub n_councillors: u8,
    /// Number of stackings that it still has to make.
    pub n_left: u8,
}

/// A piece that can be made only in this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owed {
    /// The side that makes it.
    pub side: Side,
    pub piece: OwedPiece,
    /// Whether the making is compulsory, so that nothing else is legal.
    pub must: bool,
}

/// The pieces that can be owed (RULES 2.8, 2.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OwedPiece {
    Councillor,
    King,
}

/// Turns without a capture or a making of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuietTurns {
    pub turns: u8,
    /// The number of turns at which the game is a draw.
    pub limit: u8,
}
