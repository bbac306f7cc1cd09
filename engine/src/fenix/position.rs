use std::{convert::Infallible, fmt};

use super::{
    Action, Due, IllegalMove, InvalidPosition, PieceKind, PositionKey, Square,
    board::{Board, LENGTH, ranks},
    making::N_STACKINGS,
};
use crate::{
    ActionKind, ActionView, Allowance, Budget, BySide, CellName, Choices, Counts, GameHistory, LegalAction,
    Outcome, Owed, Position, Progress, QuietTurns, Reason, Rule, Ruleset, Side, TextError, TooCostly,
    TurnNumber, Unlisted, Unreadable, text::Reader,
};

const START: &str = "2SSSSSSS/3SSSSSS/s3SSSSS/ss3SSSS/sss3SSS/ssss3SS/sssss3S/ssssss3/sssssss2 1 1 - 0";
const POSITION_TEXT: Rule = Rule::new("2.2");

/// Why a search without a limit ends well.
pub(super) const UNLIMITED: &str = "an unlimited budget is never used up";

/// What a side has at most (RULES 2.2).
pub(super) const N_DISCS: u8 = 28;
/// Turns of the first phase.
const N_SET_UP: u16 = 2 * N_STACKINGS;
/// Quiet turns after which the game is a draw (RULES 2.13).
const QUIET_LIMIT: u8 = 100;

/// A position of `fenix`.
///
/// The side to move follows from the turn. In the first phase nothing is due and `quiet` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fenix {
    pub(super) board: Board,
    pub(super) turn: TurnNumber,
    pub(super) due: Option<Due>,
    quiet_turns: u8,
    pub(super) best: KnownBest,
}

/// The most discs that a capture of the side to move takes, 0 if there is none, once that is known. It says nothing that
/// the board does not: positions are the same with it and without.
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

impl Fenix {
    pub(super) const fn is_set_up(&self) -> bool {
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

    /// What the side to move loses by if it has no action (RULES 2.3, 2.9, 2.10).
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
    /// The most discs that a capture takes (RULES 2.7); 0 if there is no capture, or none may be made.
    pub(super) fn most_discs(&self, budget: &mut Budget) -> Result<u8, TooCostly> {
        match self.best.get() {
            Some(best) => Ok(best),
            None if self.is_open() => self.board.most_discs(self.to_move(), budget),
            None => Ok(0),
        }
    }

    /// Visits the legal actions, but no more than so many captures.
    #[inline]
    fn visit(
        &self,
        max_captures: usize,
        budget: &mut Budget,
        mut visit: impl FnMut(Action),
    ) -> Result<(), TooCostly> {
        let side = self.to_move();
        let army = self.board.army(side);
        army.for_each_promotion(self.promotable(), |from, to| visit(Action::Promote { from, to }));
        if !self.is_open() {
            return Ok(());
        }
        if self.board.can_capture(side) {
            self.board.for_each_best_capture(side, self.best.get(), max_captures, budget, visit)
        } else {
            self.board.for_each_move(side, |from, to| visit(Action::Move { from, to }));
            Ok(())
        }
    }
}

impl Choices for Fenix {
    fn list(&self, limit: usize, budget: &mut Budget) -> Result<Vec<LegalAction>, Unlisted> {
        let mut actions = Vec::new();
        self.visit(limit.saturating_add(1), budget, |action| actions.push(self.legal_action(action)))?;
        LegalAction::listed(actions, limit)
    }

    fn groups(&self) -> Vec<Vec<CellName>> {
        Vec::new()
    }

    fn best_capture(&self) -> Option<u8> {
        self.most_discs(&mut Budget::unlimited()).ok().filter(|best| *best > 0)
    }
}

impl Position for Fenix {
    type Variant = ();
    type Action = Action;
    type PositionKey = PositionKey;
    type KoRecord = Infallible;
    type IllegalMove = IllegalMove;

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
        let position = Self { board, turn, due, quiet_turns: quiet as u8, best: KnownBest::UNKNOWN };
        position.check_pieces().map_err(|invalid| invalid.at(0))?;
        if !position.has_action() {
            return Err(InvalidPosition::Lost { side: turn.side(), reason: position.loss() }.at(0));
        }
        Ok(position)
    }

    fn ruleset(&self) -> Ruleset {
        Ruleset::Fenix
    }

    fn turn(&self) -> TurnNumber {
        self.turn
    }

    fn key(&self) -> Option<PositionKey> {
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
        Side::ALL.into_iter().try_for_each(|side| self.board.most_discs(side, budget).map(drop))
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
        Progress::NewTurn
    }

    #[inline]
    fn for_each_action(&self, visit: impl FnMut(Action)) {
        self.visit(usize::MAX, &mut Budget::unlimited(), visit).expect(UNLIMITED);
    }

    #[inline]
    fn count(&self) -> u64 {
        let side = self.to_move();
        let n_promotions = u64::from(self.board.army(side).n_promotions(self.promotable()));
        if !self.is_open() {
            return n_promotions;
        }
        let mut n_captures = 0;
        let budget = &mut Budget::unlimited();
        let counted = self.board.for_each_best_capture(side, None, usize::MAX, budget, |_| n_captures += 1);
        counted.expect(UNLIMITED);
        let n_others = if n_captures > 0 { n_captures } else { u64::from(self.board.n_moves(side)) };
        n_promotions + n_others
    }

    /// In the order of RULES 0.8.
    #[inline]
    fn outcome_at_turn_start(&self, past: &impl GameHistory<Self>) -> Option<Outcome> {
        if !self.has_action() {
            return Some(Outcome::won(self.to_move().other(), self.loss()));
        }
        if let Some(outcome) = self.key().and_then(|key| key.third_time(past.turn_keys())) {
            return Some(outcome);
        }
        if self.quiet_turns >= QUIET_LIMIT {
            return Some(Outcome::drawn(Reason::Quiet));
        }
        (self.turn > TurnNumber::LAST).then_some(Outcome::drawn(Reason::TurnLimit))
    }

    fn may_end(&self) -> bool {
        false
    }

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

    fn allowance(&self, _: &[Action]) -> Option<Allowance> {
        None
    }

    fn threats(&self) -> Option<BySide<Vec<CellName>>> {
        None
    }

    fn counts(&self) -> Counts {
        let side = self.to_move();
        Counts {
            set_up: self.is_set_up().then(|| BySide::from_fn(|side| self.set_up(side))),
            owed: self.due.map(|due| Owed { side, kind: due.kind(), must: due == Due::King }),
            quiet_turns: (!self.is_set_up())
                .then_some(QuietTurns { turns: self.quiet_turns, limit: QUIET_LIMIT }),
        }
    }
}

impl Fenix {
    /// The clauses of RULES 2.2 on pieces, but for those that hold in every turn.
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
        let side = match self.to_move() {
            Side::First => 1,
            Side::Second => 2,
        };
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
            let (side, kind) = piece(letter)
                .ok_or_else(|| reader.expected(POSITION_TEXT, "a piece or a run of empty squares"))?;
            board.put(side, kind, rank[place]);
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

fn piece(letter: u8) -> Option<(Side, PieceKind)> {
    Side::ALL
        .into_iter()
        .flat_map(|side| PieceKind::ALL.map(|kind| (side, kind)))
        .find(|(side, kind)| kind.letter(*side) == letter)
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
