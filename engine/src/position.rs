use std::fmt;

use crate::{
    Budget, BySide, Card, CellName, GameHistory, IllegalAction, Outcome, Rule, Ruleset, Side, TextError,
    TooCostly, TurnNumber, Unlisted, Unreadable, fenix,
};

/// What a player can choose from.
pub trait Choices {
    /// The legal actions, the past aside, in the bytewise order of their texts.
    ///
    /// # Errors
    /// They are more than `limit`, which is found out without listing them all: a capture of Fenix can have millions of
    /// ways. Or to find them takes more than the budget.
    fn list(&self, limit: usize, budget: &mut Budget) -> Result<Vec<LegalAction>, Unlisted>;

    /// The groups that the pieces of the side to move belong to (RULES 1.11); empty in a
    /// game without groups.
    fn groups(&self) -> Vec<Vec<CellName>>;

    /// The discs that each legal capture takes (RULES 2.7): why smaller ones, and moves, are not legal; `None` if
    /// nothing must be captured.
    fn best_capture(&self) -> Option<u8> {
        None
    }
}

/// What a game must be able to say of itself. Everything else is written once, over this.
///
/// A position is all that its text says, and is legal: the only ways to one are `start`, `parse`, `play` and
/// `deal`.
/// It is printed as its canonical text.
pub trait Position: Choices + Clone + fmt::Debug + fmt::Display {
    /// Which of the game's rulesets.
    type Variant: Copy;
    /// The smallest thing that a player does (RULES 0.2), printed as its canonical text.
    type Action: Copy + Eq + fmt::Debug + fmt::Display;
    /// What must be the same for a turn to count as begun once more (RULES 0.6).
    type PositionKey: Clone + Eq + fmt::Debug + 'static;
    /// What a side may do only once in a game (RULES 4.4); no value at all in a game without ko.
    type KoRecord: Clone + fmt::Debug + 'static;
    /// Why an action is not legal, the past aside.
    type IllegalMove: Into<IllegalAction>;

    /// The clause that says when a turn is whole.
    const WHOLE_TURN: Rule;

    /// The position that a game of the ruleset starts from.
    fn start(variant: Self::Variant) -> Self;

    /// # Errors
    /// Anything but the canonical text of a valid position in which the game is not over (RULES 0.9).
    fn parse(variant: Self::Variant, text: &str) -> Result<Self, TextError>;

    /// The ruleset that it is played by.
    fn ruleset(&self) -> Ruleset;

    /// The number in the position's text (RULES 0.4).
    fn turn(&self) -> TurnNumber;

    /// The side whose turn that is.
    fn to_move(&self) -> Side {
        self.turn().side()
    }

    /// The key of the turn that begins here; `None` in the middle of a turn and where repetition does not
    /// count.
    fn key(&self) -> Option<Self::PositionKey>;

    /// # Errors
    /// Anything but the canonical text of an action of this game.
    fn read(&self, action: &str) -> Result<Self::Action, Unreadable>;

    /// # Errors
    /// An action that is not legal here, whatever was done before. Looks at this one action only.
    fn check(&self, action: Self::Action) -> Result<(), Self::IllegalMove>;

    /// The same of an action that was played here once, and so was legal: what is costly to find out is taken for
    /// granted.
    ///
    /// # Errors
    /// An action that cannot have been played here.
    fn check_played(&self, action: Self::Action) -> Result<(), Self::IllegalMove> {
        self.check(action)
    }

    /// Finds out, and keeps, what `check` needs to know and may be costly to find. Without it `check` finds it out each
    /// time, whatever that costs.
    ///
    /// # Errors
    /// It takes more than the budget.
    fn prepare(&mut self, _budget: &mut Budget) -> Result<(), TooCostly> {
        Ok(())
    }

    /// Finds out what `prepare` does, for both sides as if either were to move, and keeps nothing.
    ///
    /// # Errors
    /// It takes more than the budget.
    fn appraise(&self, _budget: &mut Budget) -> Result<(), TooCostly> {
        Ok(())
    }

    /// Does what an action does, which must be legal: see `check`. The turn passes on when it is over.
    fn play(&mut self, action: Self::Action) -> Progress;

    /// Visits each legal action once, the past aside.
    fn for_each_action(&self, visit: impl FnMut(Self::Action));

    /// The number of legal actions, the past aside.
    fn count(&self) -> u64;

    /// What the side to move does with an action that leads to `after` and may not do again; `None` where it
    /// may.
    ///
    /// In a game with ko a turn is one action, so no action of a turn forbids another one of it.
    fn ko_record(&self, _action: Self::Action, _after: &Self) -> Option<Self::KoRecord> {
        None
    }

    /// The action that would repeat the record here, and is therefore forbidden (RULES 4.4).
    fn repeats(&self, _record: &Self::KoRecord) -> Option<Self::Action> {
        None
    }

    /// The end of the game, if it ends as this turn begins, its own beginning being no part of the past.
    fn outcome_at_turn_start(&self, past: &impl GameHistory<Self>) -> Option<Outcome> {
        past.draw(self)
    }

    /// Whether the turn may be ended here, though more actions could belong to it.
    fn may_end(&self) -> bool;

    /// How an action, which must be legal, is to be shown.
    fn view(&self, action: Self::Action) -> ActionView;

    /// What became of the turn's allowance, if the game has one, when `drafted` are played from here.
    fn allowance(&self, drafted: &[Self::Action]) -> Option<Allowance>;

    /// The card that lies face up (RULES 1.16); `None` in a game without cards and as long as the card of the turn
    /// is not turned over.
    fn card(&self) -> Option<Card> {
        None
    }

    /// Whether the turn that begins here waits for its card: nothing is legal before it is turned over.
    fn awaits_card(&self) -> bool {
        false
    }

    /// Turns over the card that the position waits for: see `awaits_card`.
    fn deal(&mut self, _card: Card) {}

    /// See [`Present::reserves`].
    fn reserves(&self) -> Option<BySide<u8>> {
        None
    }

    /// See [`Present::threats`].
    fn threats(&self) -> Option<BySide<Vec<CellName>>>;

    /// See [`Present::counts`].
    fn counts(&self) -> Counts {
        Counts::default()
    }
}

/// What an action led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The turn goes on.
    SameTurn,
    /// The turn is over, and the next one that is not skipped begins.
    NewTurn,
    /// The action won the game, for either side (RULES 0.8).
    Over(Outcome),
}

/// How an action is to be shown.
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

/// What an action does, for those who show it.
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

/// A legal action, taken apart for those who show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalAction {
    /// Its canonical text.
    pub text: String,
    pub kind: ActionKind,
    /// The cell that the piece leaves, in a switch the side's own man; `None` for a drop and for `end`.
    pub from: Option<CellName>,
    /// The cell that it goes to; `None` for `end`.
    pub to: Option<CellName>,
    /// How many men go onto the stack there; `None` in a game without stacks, and for a switch.
    pub count: Option<u8>,
    /// What the stack there then loses; `None` if nothing.
    pub overflow: Option<Overflow>,
    /// What a capture takes on its way; `None` for everything else.
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
    /// Discs taken in all (RULES 2.7): the same for all legal captures of a position.
    pub n_discs: u8,
}

/// One jump of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Jump {
    /// The cell of the captured piece, which stays there, in the way, until the capture is done.
    pub over: CellName,
    /// The cell to land on.
    pub to: CellName,
}

/// An action that is not legal only because the side has done the same before (RULES 4.4).
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// What a reader needs of a position besides its board.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// What there is to count besides; those of the position as it stands, so after a complete draft those of
    /// the turn that follows it.
    pub counts: Counts,
    /// `None` in a game without cards.
    pub cards: Option<Cards>,
}

/// What everybody may know of the cards (RULES 1.16, 1.17).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cards {
    /// The card of the turn; `None` as long as it is not turned over.
    pub card: Option<Card>,
    /// What is left in the pack of each side.
    pub packs: BySide<Pack>,
}

/// What is left of a pack, which is shuffled again when a card is needed and none is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pack {
    /// How many cards of each value, from 1 to 6, were not seen to leave it.
    pub left: [u8; 6],
    /// How many of those went all the same, before the text that the match started from.
    pub unseen: u8,
}

/// What a board shows beside its pieces. What a game does not have, or not now, is `None`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// How far each side is with its stackings, as long as these go on (RULES 2.3).
    pub set_up: Option<BySide<SetUp>>,
    /// The piece to be made in place of one that was taken (RULES 2.8, 2.9).
    pub owed: Option<Owed>,
    /// How near the game is to a draw (RULES 2.13).
    pub quiet_turns: Option<QuietTurns>,
}

/// How many actions a turn has (RULES 1.6, 1.7).
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// What a side has made by its stackings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetUp {
    /// Whether it has its king.
    pub king: bool,
    pub n_councillors: u8,
    /// Stackings that it still has to make.
    pub n_left: u8,
}

/// A piece to be made in this turn and in no later one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owed {
    /// The side that makes it.
    pub side: Side,
    pub kind: fenix::PieceKind,
    /// Whether nothing else is legal; else it may be made beside all else.
    pub must: bool,
}

/// Turns without a capture or a making of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuietTurns {
    pub turns: u8,
    /// The number of turns at which the game is a draw.
    pub limit: u8,
}
