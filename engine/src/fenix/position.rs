use std::{convert::Infallible, fmt, ops::ControlFlow};

use super::{
    Action, CaptureScratch, Due, IllegalMove, InvalidPosition, PieceKind, PositionKey, Square, SquareSet,
    board::{Board, FIRST_FREE_NUMBER, LENGTH, ranks},
    budgeted::{Stop, unlimited},
    captures::Each,
    making::N_STACKINGS,
};
use crate::core::{
    ActionKind, ActionView, Budget, BySide, Choices, Counts, Describe, GameHistory, LegalAction, Outcome,
    Owed, Progress, QuietTurns, Reason, Rule, Rules, Side, TooCostly, TurnNumber, Unlisted, Unreadable,
    piece_of, zobrist,
};

type Reader<'a> = crate::core::Reader<'a, InvalidPosition>;
type TextError = crate::core::TextError<InvalidPosition>;

const START: &str = "2SSSSSSS/3SSSSSS/s3SSSSS/ss3SSSS/sss3SSS/ssss3SS/sssss3S/ssssss3/sssssss2 1 1 - 0";
const POSITION_TEXT: Rule = Rule::new("2.2");

/// Maximum number of discs of a side (RULES 2.2).
pub(super) const N_DISCS: u8 = 28;
/// Number of turns of the first phase.
const N_SET_UP: u16 = 2 * N_STACKINGS;
/// Number of quiet turns after which the game is a draw (RULES 2.13).
const QUIET_LIMIT: u8 = 100;

/// A position of `fenix`.
///
/// The side to move follows from the turn. In the first phase nothing is due and `quiet` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fenix {
    pub(super) board: Board,
    /// The hash of the board.
    pub(super) hash: u64,
    pub(super) turn: TurnNumber,
    pub(super) due: Option<Due>,
    quiet_turns: u8,
    pub(super) best: KnownBest,
}

/// Cached maximum number of discs that a capture of the side to move takes; 0 if there is no capture. It follows from
/// the board, so equality of positions ignores it.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownBest(Option<u8>);

impl KnownBest {
    const UNKNOWN: Self = Self(None);

    pub(super) const fn get(self) -> Option<u8> {
        self.0
    }
}

impl PartialEq for KnownBest {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for KnownBest {}

/// The hashes of all but the pieces, by index.
#[inline]
const fn other_hash(index: usize) -> u64 {
    zobrist::number(FIRST_FREE_NUMBER + index as u64)
}
const SIDE_HASHES: usize = 0;
const DUE_HASHES: usize = 2;
/// Base index of the hashes of the turns of the first phase, which ends at a fixed turn. The second phase has none.
const SET_UP_HASHES: usize = 4;

impl Fenix {
    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<(Side, PieceKind)> {
        Side::ALL.into_iter().find_map(|side| Some((side, self.board.army(side).kind_at(square)?)))
    }

    /// The squares of a side's pieces of a kind.
    #[must_use]
    #[inline]
    pub const fn pieces(&self, side: Side, kind: PieceKind) -> SquareSet {
        self.board.army(side).of_kind(kind)
    }

    /// The square of a side's king, if it has one.
    #[must_use]
    #[inline]
    pub fn king(&self, side: Side) -> Option<Square> {
        self.board.army(side).king.first()
    }

    /// The squares without a piece.
    #[must_use]
    #[inline]
    pub fn empty(&self) -> SquareSet {
        self.board.empty()
    }

    /// The piece that the side to move may or must make (RULES 2.8, 2.9).
    #[must_use]
    #[inline]
    pub const fn due(&self) -> Option<Due> {
        self.due
    }

    /// Number of turns of the second phase since the last capture or making of a piece (RULES 2.13).
    #[must_use]
    #[inline]
    pub const fn quiet_turns(&self) -> u8 {
        self.quiet_turns
    }

    /// Whether a side could capture if it were to move and nothing were due.
    #[must_use]
    #[inline]
    pub fn can_capture(&self, side: Side) -> bool {
        self.board.can_capture(side)
    }

    /// Replaces the contents of the buffer with one action for each result: see [`Rules::try_for_each_result`]. A
    /// search that exceeds the budget leaves the buffer with a part of them.
    ///
    /// # Errors
    /// The search exceeds the budget.
    pub fn results_into(
        &self,
        scratch: &mut CaptureScratch,
        budget: &mut Budget,
        buffer: &mut Vec<Action>,
    ) -> Result<(), TooCostly> {
        buffer.clear();
        let visited = self.try_visit(Each::Result, scratch, budget, |action| {
            buffer.push(action);
            ControlFlow::<Infallible>::Continue(())
        });
        match visited {
            Ok(()) => Ok(()),
            Err(Stop::Broken(never)) => match never {},
            Err(Stop::TooCostly(error)) => Err(error),
        }
    }

    /// Whether this turn is a stacking (RULES 2.3).
    #[must_use]
    #[inline]
    pub const fn is_set_up(&self) -> bool {
        self.turn.get() <= N_SET_UP
    }

    /// Whether pieces move and capture in this turn.
    #[inline]
    fn is_open(&self) -> bool {
        !self.is_set_up() && self.due != Some(Due::King)
    }

    #[inline]
    fn has_action(&self) -> bool {
        let side = self.to_move();
        self.board.army(side).can_promote(self.promotable())
            || self.is_open() && (self.board.can_move(side) || self.board.can_capture(side))
    }

    /// The reason for which the side to move loses if it has no action (RULES 2.3, 2.9, 2.10).
    const fn loss(&self) -> Reason {
        match self.due {
            Some(Due::King) => Reason::King,
            None if self.is_set_up() => Reason::King,
            None | Some(Due::Councillor) => Reason::Blocked,
        }
    }

    /// The kind of the piece of the side to move on a square.
    pub(super) fn own(&self, from: Square, rule: Rule) -> Result<PieceKind, IllegalMove> {
        if let Some(kind) = self.board.army(self.to_move()).kind_at(from) {
            Ok(kind)
        } else if self.board.empty().contains(from) {
            Err(IllegalMove::NoPiece { from, rule })
        } else {
            Err(IllegalMove::NotOwn { from, rule })
        }
    }

    pub(super) fn check_open(&self) -> Result<(), IllegalMove> {
        if self.is_set_up() {
            Err(IllegalMove::NoStacking)
        } else if self.due == Some(Due::King) {
            Err(IllegalMove::KingDue)
        } else {
            Ok(())
        }
    }

    fn legal_action(&self, action: Action) -> LegalAction {
        let text = action.to_string();
        let (kind, (from, to)) = match action {
            Action::Move { from, to } => (ActionKind::Move, (from, to)),
            Action::Promote { from, to } => (ActionKind::Promote, (from, to)),
            Action::Capture(route) => (ActionKind::Capture, route.ends()),
        };
        let capture = match action {
            Action::Capture(route) => Some(self.capture_of(&route)),
            Action::Move { .. } | Action::Promote { .. } => None,
        };
        LegalAction {
            text,
            kind,
            from: Some(from.name()),
            to: Some(to.name()),
            count: None,
            overflow: None,
            capture,
        }
    }
}

impl Fenix {
    /// Maximum number of discs that a capture takes (RULES 2.7); 0 if there is no capture, or none is allowed.
    pub(super) fn most_discs(&self, budget: &mut Budget) -> Result<u8, TooCostly> {
        match self.best.get() {
            Some(best) => Ok(best),
            None if self.is_open() => {
                self.board.most_discs(self.to_move(), &mut CaptureScratch::default(), budget)
            }
            None => Ok(0),
        }
    }

    /// Visits the legal actions until `visit` breaks. Captures that are the same for `each` are visited once.
    #[inline]
    fn try_visit<B>(
        &self,
        each: Each,
        scratch: &mut CaptureScratch,
        budget: &mut Budget,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> Result<(), Stop<B>> {
        if let ControlFlow::Break(broken) = self.try_visit_promotions(&mut visit) {
            return Err(Stop::Broken(broken));
        }
        if !self.is_open() {
            return Ok(());
        }
        let side = self.to_move();
        if self.board.can_capture(side) {
            let capture = |route: &_| visit(Action::Capture(*route));
            let (best, memory) = (self.best.get(), (scratch, budget));
            return self.board.try_for_each_best_capture((side, each), best, memory, capture);
        }
        self.try_visit_moves(visit)
    }

    #[inline]
    fn try_visit_promotions<B>(&self, visit: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        let army = self.board.army(self.to_move());
        army.try_for_each_promotion(self.promotable(), |from, to| visit(Action::Promote { from, to }))
    }

    #[inline]
    fn try_visit_moves<B>(&self, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> Result<(), Stop<B>> {
        match self.board.try_for_each_move(self.to_move(), |from, to| visit(Action::Move { from, to })) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(broken) => Err(Stop::Broken(broken)),
        }
    }
}

impl Choices for Fenix {
    fn list(&self, limit: usize, budget: &mut Budget) -> Result<Vec<LegalAction>, Unlisted> {
        let mut actions = Vec::new();
        let visited = self.try_visit(Each::Way, &mut CaptureScratch::default(), budget, |action| {
            actions.push(self.legal_action(action));
            if actions.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match visited {
            Ok(()) | Err(Stop::Broken(())) => LegalAction::listed(actions, limit),
            Err(Stop::TooCostly(error)) => Err(error.into()),
        }
    }

    fn best_capture(&self) -> Option<u8> {
        self.most_discs(&mut Budget::unlimited()).ok().filter(|best| *best > 0)
    }
}

impl Rules for Fenix {
    type Variant = ();
    type Action = Action;
    type PositionKey = PositionKey;
    type KoRecord = Infallible;
    type IllegalMove = IllegalMove;
    type InvalidPosition = InvalidPosition;
    type Scratch = CaptureScratch;

    const WHOLE_TURN: Rule = Rule::TURN;

    fn start((): ()) -> Self {
        Self::parse((), START).expect("the start is valid")
    }

    fn parse((): (), text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let board = read_board(&mut reader)?;
        reader.skip(b' ', POSITION_TEXT, "a space and the side")?;
        let turn = reader.turn(POSITION_TEXT)?;
        reader.skip(b' ', POSITION_TEXT, "a space and what is due")?;
        let due_at = reader.at();
        let due = read_due(&mut reader)?;
        reader.skip(b' ', POSITION_TEXT, "a space and the quiet turns")?;
        let quiet_at = reader.at();
        let quiet = reader.number(POSITION_TEXT, "the number of quiet turns")?;
        reader.end(POSITION_TEXT)?;

        if due.is_some() && turn.get() <= N_SET_UP + 1 {
            return Err(InvalidPosition::DueTooSoon.at(due_at));
        }
        if due.is_some() && quiet > 0 {
            return Err(InvalidPosition::DueAndQuiet.at(quiet_at));
        }
        let most = turn.get().saturating_sub(N_SET_UP + 1).min(u16::from(QUIET_LIMIT) - 1);
        if quiet > most {
            return Err(InvalidPosition::QuietTooHigh { most }.at(quiet_at));
        }
        let position =
            Self { board, hash: board.hash(), turn, due, quiet_turns: quiet as u8, best: KnownBest::UNKNOWN };
        position.check_pieces().map_err(|invalid| invalid.at(0))?;
        if !position.has_action() {
            return Err(InvalidPosition::Lost { side: turn.side(), reason: position.loss() }.at(0));
        }
        Ok(position)
    }

    fn turn(&self) -> TurnNumber {
        self.turn
    }

    #[inline]
    fn hash(&self) -> u64 {
        let due = self.due.map_or(0, |due| other_hash(DUE_HASHES + due as usize));
        let set_up =
            if self.is_set_up() { other_hash(SET_UP_HASHES + usize::from(self.turn.get())) } else { 0 };
        self.hash ^ other_hash(SIDE_HASHES + self.to_move().index()) ^ due ^ set_up
    }

    #[inline]
    fn turn_key(&self) -> Option<PositionKey> {
        (!self.is_set_up()).then(|| PositionKey { board: self.board, side: self.to_move(), due: self.due })
    }

    fn read(&self, action: &str) -> Result<Action, Unreadable> {
        action.parse()
    }

    fn check(&self, action: Action) -> Result<(), IllegalMove> {
        match action {
            Action::Move { from, to } => self.check_move(from, to),
            Action::Promote { from, to } => self.check_promotion(from, to),
            Action::Capture(route) => self.check_capture(&route),
        }
    }

    fn check_played(&self, action: Action) -> Result<(), IllegalMove> {
        match action {
            Action::Capture(route) => self.check_jumps(&route).map(drop),
            Action::Move { .. } | Action::Promote { .. } => self.check(action),
        }
    }

    fn prepare(&mut self, budget: &mut Budget) -> Result<(), TooCostly> {
        self.best = KnownBest(Some(self.most_discs(budget)?));
        Ok(())
    }

    fn appraise(&self, budget: &mut Budget) -> Result<(), TooCostly> {
        let scratch = &mut CaptureScratch::default();
        Side::ALL.into_iter().try_for_each(|side| self.board.most_discs(side, scratch, budget).map(drop))
    }

    #[inline]
    fn play(&mut self, action: Action) -> Progress {
        debug_assert!(self.check_played(action).is_ok(), "{action} is illegal in {self}");
        let is_quiet = matches!(action, Action::Move { .. });
        self.due = match action {
            Action::Move { from, to } => {
                self.go(from, to);
                None
            }
            Action::Promote { from, to } => {
                self.promote(from, to);
                None
            }
            Action::Capture(route) => self.capture(&route),
        };
        self.quiet_turns = if is_quiet { self.quiet_turns + 1 } else { 0 };
        self.turn = self.turn.next();
        self.best = KnownBest::UNKNOWN;
        debug_assert_eq!(self.hash, self.board.hash(), "the hash of {self}");
        Progress::NewTurn
    }

    fn passed(&self) -> Self {
        Self { turn: self.turn.next(), due: None, best: KnownBest::UNKNOWN, ..*self }
    }

    #[inline]
    fn try_for_each_action<B>(
        &self,
        scratch: &mut CaptureScratch,
        visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        unlimited(self.try_visit(Each::Way, scratch, &mut Budget::unlimited(), visit))
    }

    /// Captures with the same start, taken pieces and end have the same result. There can be millions of ways between.
    #[inline]
    fn try_for_each_result<B>(
        &self,
        scratch: &mut CaptureScratch,
        visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        unlimited(self.try_visit(Each::Result, scratch, &mut Budget::unlimited(), visit))
    }

    #[inline]
    fn count(&self, scratch: &mut CaptureScratch) -> u64 {
        let side = self.to_move();
        let n_promotions = u64::from(self.board.army(side).n_promotions(self.promotable()));
        if !self.is_open() {
            return n_promotions;
        }
        if !self.board.can_capture(side) {
            return n_promotions + u64::from(self.board.n_moves(side));
        }
        let mut n_captures = 0;
        let memory = (scratch, &mut Budget::unlimited());
        let counted =
            self.board.try_for_each_best_capture((side, Each::Way), self.best.get(), memory, |_| {
                n_captures += 1;
                ControlFlow::<()>::Continue(())
            });
        let _ = unlimited(counted);
        n_promotions + n_captures
    }

    fn ko_hash(record: &Infallible) -> u64 {
        match *record {}
    }

    /// Checks the ends in the order of RULES 0.8.
    #[inline]
    fn outcome_at_turn_start(&self, history: &GameHistory<Self>) -> Option<Outcome> {
        if !self.has_action() {
            return Some(Outcome::won(self.to_move().other(), self.loss()));
        }
        if let Some(outcome) = self.third_time(history) {
            return Some(outcome);
        }
        if self.quiet_turns >= QUIET_LIMIT {
            return Some(Outcome::drawn(Reason::Quiet));
        }
        (self.turn > TurnNumber::LAST).then_some(Outcome::drawn(Reason::TurnLimit))
    }
}

impl Describe for Fenix {
    fn view(&self, action: Action) -> ActionView {
        let names = |squares: &[Square]| squares.iter().copied().map(Square::name).collect();
        match action {
            Action::Move { from, to } | Action::Promote { from, to } => {
                ActionView { route: names(&[from, to]), ..ActionView::default() }
            }
            Action::Capture(route) => {
                let taken: Vec<Square> = self.board.taken(self.to_move(), &route).collect();
                ActionView { route: names(route.squares()), taken: names(&taken), ..ActionView::default() }
            }
        }
    }

    fn counts(&self) -> Counts {
        let side = self.to_move();
        Counts {
            set_up: self.is_set_up().then(|| BySide::from_fn(|side| self.set_up(side))),
            owed: self.due.map(|due| Owed { side, piece: due.piece(), must: due == Due::King }),
            quiet_turns: (!self.is_set_up())
                .then_some(QuietTurns { turns: self.quiet_turns, limit: QUIET_LIMIT }),
        }
    }
}

impl Fenix {
    /// Checks the clauses of RULES 2.2 on pieces, except those that hold in every turn.
    fn check_pieces(&self) -> Result<(), InvalidPosition> {
        Side::ALL.into_iter().try_for_each(|side| {
            if self.is_set_up() { self.check_stackings(side) } else { self.check_king(side) }
        })
    }

    fn check_king(&self, side: Side) -> Result<(), InvalidPosition> {
        let has_king = !self.board.army(side).king.is_empty();
        let is_due = side == self.to_move() && self.due == Some(Due::King);
        match (has_king, is_due) {
            (true, false) | (false, true) => Ok(()),
            (true, true) => Err(InvalidPosition::KingNotMissing { side }),
            (false, false) => Err(InvalidPosition::NoKing { side }),
        }
    }
}

/// The text of RULES 2.2.
impl fmt::Display for Fenix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.to_move().digit();
        let due = match self.due {
            None => '-',
            Some(Due::Councillor) => 'C',
            Some(Due::King) => 'K',
        };
        write!(f, "{} {side} {} {due} {}", self.board, self.turn, self.quiet_turns)
    }
}

fn read_board(reader: &mut Reader<'_>) -> Result<Board, TextError> {
    let mut board = Board::EMPTY;
    for (index, rank) in ranks().enumerate() {
        if index > 0 {
            reader.skip(b'/', POSITION_TEXT, "`/` and a rank")?;
        }
        let rank: Vec<Square> = rank.collect();
        reader.row(POSITION_TEXT, LENGTH.into(), |reader, place, letter| {
            let (side, kind) = piece_of(letter, &PieceKind::ALL, PieceKind::letter)
                .ok_or_else(|| reader.expected(POSITION_TEXT, "a piece or a run of empty squares"))?;
            let _ = board.put(side, kind, rank[place]);
            let army = board.army(side);
            if army.n_discs(army.all()) > N_DISCS {
                return Err(InvalidPosition::TooManyDiscs { side }.at(reader.at()));
            }
            if army.king.len() > 1 {
                return Err(InvalidPosition::TooManyKings { side }.at(reader.at()));
            }
            Ok(())
        })?;
    }
    Ok(board)
}

fn read_due(reader: &mut Reader<'_>) -> Result<Option<Due>, TextError> {
    let due = match reader.peek() {
        Some(b'-') => None,
        Some(b'C') => Some(Due::Councillor),
        Some(b'K') => Some(Due::King),
        _ => return Err(reader.expected(POSITION_TEXT, "what is due, `-`, `C` or `K`")),
    };
    reader.advance();
    Ok(due)
}
