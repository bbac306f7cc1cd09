use std::{convert::Infallible, fmt, ops::ControlFlow};

use super::{
    Action, Cell, CellSet, IllegalMove, InvalidPosition, PieceKind,
    board::{Board, FIRST_FREE_NUMBER, PackedBoard, rows},
    moves,
};
use crate::core::{
    ActionView, Allowance, BySide, Card, CellName, Describe, Outcome, Progress, Reason, Rule, Rules, Side,
    TurnNumber, Unreadable, piece_of, zobrist,
};

type Reader<'a> = crate::core::Reader<'a, InvalidPosition>;
type TextError = crate::core::TextError<InvalidPosition>;

const START: &str = "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1";
const POSITION_TEXT: Rule = Rule::new("1.4");

/// One of the three rulesets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// `fibonacci`: groups are pieces of one side and one kind (RULES 1.11).
    Original,
    /// `fibonacci-mixed`: groups are pieces of one side.
    Mixed,
    /// `fibonacci-cards`: groups as in `fibonacci`, allowances from cards.
    Cards,
}

impl Variant {
    /// Whether a turn can be ended before its allowance is used up (RULES 1.9).
    #[inline]
    pub(super) const fn has_early_end(self) -> bool {
        match self {
            Self::Original | Self::Cards => true,
            Self::Mixed => false,
        }
    }
}

/// A position of `fibonacci`, `fibonacci-mixed` or `fibonacci-cards`.
///
/// Invariant: `1 <= left <= allowance <= 6`, and `allowance` is at most the base, if there is one. Exceptions: after a
/// surround `left` may be 0, and until the card of the turn is turned over both are 0. The side to move follows from
/// the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fibonacci {
    pub(super) variant: Variant,
    pub(super) board: Board,
    turn: TurnNumber,
    left: u8,
    allowance: u8,
}

/// The part of a position that makes a turn the same as an earlier one (RULES 1.15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionKey {
    base: u8,
    side: Side,
    board: PackedBoard,
}

/// The allowance of a turn without attackers (RULES 1.6).
fn base(turn: TurnNumber) -> u8 {
    turn.get().min(6) as u8
}

/// The allowance of a turn that begins on this board (RULES 1.7).
fn allowance(board: &Board, turn: TurnNumber) -> u8 {
    base(turn).saturating_sub(board.attackers(turn.side()).len() as u8)
}

/// The hashes of all but the pieces, by index.
#[inline]
const fn other_hash(index: usize) -> u64 {
    zobrist::number(FIRST_FREE_NUMBER + index as u64)
}
const SIDE_HASHES: usize = 0;
const LEFT_HASHES: usize = 2;
const BASE_HASHES: usize = 10;
const BEGINNING_HASH: usize = 18;

impl Fibonacci {
    /// The ruleset.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The piece on a cell.
    #[must_use]
    pub fn piece_at(&self, cell: Cell) -> Option<(Side, PieceKind)> {
        Side::ALL.into_iter().find_map(|side| Some((side, self.board.kind_at(side, cell)?)))
    }

    /// The cells of a side's pieces of a kind.
    #[must_use]
    #[inline]
    pub fn pieces(&self, side: Side, kind: PieceKind) -> CellSet {
        self.board.army(side).of_kind(kind)
    }

    /// The cells with a piece.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> CellSet {
        self.board.occupied()
    }

    /// The cell of a side's centre.
    #[must_use]
    #[inline]
    pub const fn centre(&self, side: Side) -> Cell {
        self.board.army(side).centre
    }

    /// The strike pieces of the other side that are next to this side's centre (RULES 1.7).
    #[must_use]
    #[inline]
    pub fn attackers(&self, side: Side) -> CellSet {
        self.board.attackers(side)
    }

    /// The group of the piece of the side to move on a cell (RULES 1.11); empty if it has no piece there.
    #[must_use]
    pub fn group(&self, cell: Cell) -> CellSet {
        self.group_at(cell)
    }

    /// The number of actions left in the turn.
    #[must_use]
    #[inline]
    pub const fn actions_left(&self) -> u8 {
        self.left
    }

    /// The number of actions at the beginning of the turn (RULES 1.7, 1.16).
    #[must_use]
    #[inline]
    pub const fn turn_allowance(&self) -> u8 {
        self.allowance
    }

    /// The allowance of a turn if it began on this board; unknown from the board with cards.
    #[must_use]
    pub fn allowance_at(&self, turn: TurnNumber) -> u8 {
        allowance(&self.board, turn)
    }

    const fn is_beginning(&self) -> bool {
        self.left == self.allowance
    }

    /// The winner after a move of `mover`, if there is one (RULES 1.14, 1.16).
    fn winner(&self, mover: Side) -> Option<Side> {
        [mover, mover.other()].into_iter().find(|side| self.has_surrounded(*side))
    }

    #[inline]
    fn has_surrounded(&self, side: Side) -> bool {
        match self.variant {
            Variant::Original | Variant::Mixed => self.board.is_surrounded(side.other()),
            Variant::Cards => self.board.is_besieged(side.other()),
        }
    }

    /// The allowance of this turn before the loss to attackers (RULES 1.6, 1.16).
    fn base(&self) -> u8 {
        match self.variant {
            Variant::Original | Variant::Mixed => base(self.turn),
            Variant::Cards => self.allowance,
        }
    }

    /// The attackers that lower the allowance of a turn which begins here (RULES 1.7, 1.16).
    fn lost_to(&self) -> CellSet {
        match self.variant {
            Variant::Original | Variant::Mixed => self.board.attackers(self.to_move()),
            Variant::Cards => CellSet::EMPTY,
        }
    }

    /// Begins the next turn. With cards, it waits for its card.
    fn pass(&mut self) {
        match self.variant {
            Variant::Original | Variant::Mixed => self.pass_skipping(),
            Variant::Cards => (self.turn, self.allowance) = (self.turn.next(), 0),
        }
        self.left = self.allowance;
    }

    /// Advances to the next turn that is not skipped (RULES 1.8). There is one within six turns: from then on the base
    /// is 6, which only six attackers reduce to 0, and they would have won.
    fn pass_skipping(&mut self) {
        loop {
            self.turn = self.turn.next();
            self.allowance = allowance(&self.board, self.turn);
            if self.allowance > 0 {
                break;
            }
        }
    }
}

impl Rules for Fibonacci {
    type Variant = Variant;
    type Action = Action;
    type PositionKey = PositionKey;
    type KoRecord = Infallible;
    type IllegalMove = IllegalMove;
    type InvalidPosition = InvalidPosition;
    type Scratch = ();

    const WHOLE_TURN: Rule = Rule::new("1.9");

    fn start(variant: Variant) -> Self {
        if variant == Variant::Cards {
            let original = Self::start(Variant::Original);
            return Self { variant, left: 0, allowance: 0, ..original };
        }
        Self::parse(variant, START).expect("the start is valid")
    }

    fn parse(variant: Variant, text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let board = read_board(&mut reader)?;
        reader.skip(b' ', POSITION_TEXT, "a space and the side")?;
        let turn = reader.turn(POSITION_TEXT)?;
        reader.skip(b' ', POSITION_TEXT, "a space and `left/allowance`")?;
        let left_at = reader.at();
        let left = reader.number(POSITION_TEXT, "the number of actions left")?;
        reader.skip(b'/', POSITION_TEXT, "`/` and the allowance")?;
        let allowance_at = reader.at();
        let allowed = reader.number(POSITION_TEXT, "the allowance")?;
        reader.end(POSITION_TEXT)?;

        let base = base(turn);
        match variant {
            Variant::Original | Variant::Mixed if allowed > base.into() => {
                return Err(InvalidPosition::AllowanceAboveBase { turn, base }.at(allowance_at));
            }
            Variant::Cards if allowed > 6 => return Err(InvalidPosition::NoSuchCard.at(allowance_at)),
            Variant::Original | Variant::Mixed | Variant::Cards => {}
        }
        if left < 1 || left > allowed {
            return Err(InvalidPosition::LeftOutOfRange.at(left_at));
        }
        let due = allowance(&board, turn);
        if variant != Variant::Cards && left == allowed && allowed != u16::from(due) {
            return Err(InvalidPosition::AllowanceNotDue { due }.at(allowance_at));
        }
        // A side always has a move here: some cell next to a group has no piece of its side and kind.
        let position = Self { variant, board, turn, left: left as u8, allowance: allowed as u8 };
        match (position.winner(turn.side()), variant) {
            (None, _) => Ok(position),
            (Some(side), Variant::Cards) => Err(InvalidPosition::Won { side }.at(0)),
            (Some(winner), Variant::Original | Variant::Mixed) => {
                Err(InvalidPosition::Surrounded { side: winner.other() }.at(0))
            }
        }
    }

    fn turn(&self) -> TurnNumber {
        self.turn
    }

    #[inline]
    fn hash(&self) -> u64 {
        let base = match self.variant {
            Variant::Original | Variant::Mixed => base(self.turn),
            Variant::Cards => 0,
        };
        let beginning = if self.is_beginning() { other_hash(BEGINNING_HASH) } else { 0 };
        self.board.hash()
            ^ other_hash(SIDE_HASHES + self.to_move().index())
            ^ other_hash(LEFT_HASHES + usize::from(self.left))
            ^ other_hash(BASE_HASHES + usize::from(base))
            ^ beginning
    }

    #[inline]
    fn turn_key(&self) -> Option<PositionKey> {
        if self.variant == Variant::Cards || !self.is_beginning() {
            return None;
        }
        Some(PositionKey { base: base(self.turn), side: self.to_move(), board: self.board.packed() })
    }

    fn read(&self, action: &str) -> Result<Action, Unreadable> {
        moves::read(action)
    }

    fn check(&self, action: Action) -> Result<(), IllegalMove> {
        if self.awaits_card() {
            return Err(IllegalMove::NoCardYet);
        }
        match action {
            Action::Move { from, to } => self.check_move(from, to),
            Action::End if !self.variant.has_early_end() => Err(IllegalMove::NoEnd),
            Action::End if self.is_beginning() => Err(IllegalMove::EndBeforeMove),
            Action::End => Ok(()),
        }
    }

    #[inline]
    fn play(&mut self, action: Action) -> Progress {
        debug_assert!(self.check(action).is_ok(), "{action} is illegal in {self}");
        if let Action::Move { from, to } = action {
            let mover = self.to_move();
            self.board.exchange(mover, from, to);
            self.left -= 1;
            if let Some(winner) = self.winner(mover) {
                return Progress::Over(Outcome::won(winner, Reason::Surround));
            }
            if self.left > 0 {
                return Progress::SameTurn;
            }
        }
        self.pass();
        Progress::NewTurn
    }

    fn passed(&self) -> Self {
        let mut next = *self;
        next.pass();
        next
    }

    #[inline]
    fn try_for_each_action<B>(
        &self,
        (): &mut (),
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.awaits_card() {
            return ControlFlow::Continue(());
        }
        self.try_for_each_move(|from, to| visit(Action::Move { from, to }))?;
        if self.may_end() { visit(Action::End) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn count(&self, (): &mut ()) -> u64 {
        if self.awaits_card() {
            return 0;
        }
        u64::from(self.n_moves()) + u64::from(self.may_end())
    }

    #[inline]
    fn may_end(&self) -> bool {
        self.variant.has_early_end() && !self.is_beginning()
    }

    fn has_cards(&self) -> bool {
        self.variant == Variant::Cards
    }

    fn ko_hash(record: &Infallible) -> u64 {
        match *record {}
    }

    /// Only a turn that waits for its card has an allowance of 0.
    #[inline]
    fn awaits_card(&self) -> bool {
        self.allowance == 0
    }

    fn card(&self) -> Option<Card> {
        if self.has_cards() { Card::from_value(self.allowance) } else { None }
    }

    fn deal(&mut self, card: Card) {
        debug_assert!(self.awaits_card(), "a card for {self}, which has one");
        self.allowance = card.get();
        self.left = card.get();
    }
}

impl Describe for Fibonacci {
    fn view(&self, action: Action) -> ActionView {
        match action {
            Action::Move { from, to } => self.view_of_move(from, to),
            Action::End => ActionView::default(),
        }
    }

    fn allowance(&self, drafted: &[Action]) -> Option<Allowance> {
        let n_moves = drafted.iter().filter(|action| **action != Action::End).count() as u8;
        let base = self.base();
        let attackers = || moves::names(self.lost_to());
        Some(Allowance {
            base,
            lost: base - self.allowance,
            lost_to: self.is_beginning().then(attackers),
            allowance: self.allowance,
            used: self.allowance - self.left + n_moves,
            left: self.left - n_moves,
        })
    }

    fn threats(&self) -> Option<BySide<Vec<CellName>>> {
        Some(BySide::from_fn(|side| moves::names(self.board.attackers(side))))
    }
}

/// The text of RULES 1.4.
impl fmt::Display for Fibonacci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.to_move().digit();
        write!(f, "{} {side} {} {}/{}", self.board, self.turn, self.left, self.allowance)
    }
}

fn read_board(reader: &mut Reader<'_>) -> Result<Board, TextError> {
    let mut pieces = BySide { first: [CellSet::EMPTY; 3], second: [CellSet::EMPTY; 3] };
    for (index, row) in rows().enumerate() {
        if index > 0 {
            reader.skip(b'/', POSITION_TEXT, "`/` and a row")?;
        }
        let row: Vec<Cell> = row.collect();
        reader.row(POSITION_TEXT, row.len(), |reader, place, letter| {
            let (side, kind) = piece_of(letter, &PieceKind::ALL, PieceKind::letter)
                .ok_or_else(|| reader.expected(POSITION_TEXT, "a piece or a run of empty cells"))?;
            let same = &mut pieces[side][kind as usize];
            if same.len() == kind.n_pieces() {
                return Err(InvalidPosition::TooManyPieces { side, kind }.at(reader.at()));
            }
            *same = *same | row[place].set();
            Ok(())
        })?;
    }
    for side in Side::ALL {
        for kind in PieceKind::ALL {
            let found = pieces[side][kind as usize].len();
            if found < kind.n_pieces() {
                return Err(InvalidPosition::TooFewPieces { side, kind, found }.at(reader.at()));
            }
        }
    }
    Ok(Board::new(&pieces).expect("each side has its centre"))
}
