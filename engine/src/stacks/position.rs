use std::fmt;

use super::{Action, Game, IllegalMove, Layout, read};
use crate::{
    ActionView, Allowance, BySide, CellName, GameHistory, Outcome, Position, Progress, Reason, Rule, Ruleset,
    Side, TextError, TurnNumber, Unreadable,
};

/// A position of `focus`, `focus-classic` or `crossfire`. The side to move follows from the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stacks {
    pub(super) game: Game,
    pub(super) turn: TurnNumber,
    pub(super) layout: Layout,
}

/// What makes a turn the same as an earlier one (RULES 3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionKey {
    side: Side,
    layout: Layout,
}

/// What a side may not do again (RULES 4.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KoRecord {
    side: Side,
    action: Action,
    after: Layout,
}

impl Stacks {
    /// Whether this turn is a switch (RULES 3.3).
    pub(super) const fn is_switch_turn(&self) -> bool {
        self.game.has_switch() && self.turn.get() <= 2
    }

    /// Whether this turn must not lead to a symmetric position (RULES 3.3).
    pub(super) const fn must_break_symmetry(&self) -> bool {
        self.game.has_switch() && self.turn.get() == 2
    }

    #[inline]
    pub(super) fn after(&self, action: Action) -> Layout {
        let mut layout = self.layout;
        layout.act(self.to_move(), action);
        layout
    }

    /// Whether the side to move has no legal action, `n_forbidden` being forbidden by ko (RULES 3.7, 4.5).
    pub(super) fn is_blocked(&self, n_forbidden: usize) -> bool {
        self.count() == n_forbidden as u64
    }

    fn count_switches(&self) -> u64 {
        let mut n_switches = 0;
        self.for_each_switch(|_| n_switches += 1);
        n_switches
    }
}

impl Position for Stacks {
    type Variant = Game;
    type Action = Action;
    type PositionKey = PositionKey;
    type KoRecord = KoRecord;
    type IllegalMove = IllegalMove;

    const WHOLE_TURN: Rule = Rule::TURN;

    fn start(game: Game) -> Self {
        Self::parse(game, game.start_text()).expect("the start is valid")
    }

    fn parse(game: Game, text: &str) -> Result<Self, TextError> {
        read::position(game, text)
    }

    fn ruleset(&self) -> Ruleset {
        self.game.ruleset()
    }

    fn turn(&self) -> TurnNumber {
        self.turn
    }

    fn key(&self) -> Option<PositionKey> {
        let counts = !self.game.has_ko() && !self.is_switch_turn();
        counts.then_some(PositionKey { side: self.to_move(), layout: self.layout })
    }

    fn read(&self, action: &str) -> Result<Action, Unreadable> {
        self.read_action(action)
    }

    fn check(&self, action: Action) -> Result<(), IllegalMove> {
        match action {
            Action::Move { from, to } => self.check_move(from, to),
            Action::Drop { .. } => self.check_drop(),
            Action::Switch { own, other } => self.check_switch(own, other),
        }
    }

    #[inline]
    fn play(&mut self, action: Action) -> Progress {
        debug_assert!(self.check(action).is_ok(), "{action} is illegal in {self}");
        self.layout.act(self.to_move(), action);
        self.turn = self.turn.next();
        Progress::NewTurn
    }

    #[inline]
    fn for_each_action(&self, mut visit: impl FnMut(Action)) {
        if self.is_switch_turn() {
            return self.for_each_switch(visit);
        }
        self.for_each_move(&mut visit);
        self.for_each_drop(visit);
    }

    #[inline]
    fn count(&self) -> u64 {
        if self.is_switch_turn() {
            return self.count_switches();
        }
        let (board, mover) = (self.game.board(), self.to_move());
        let n_drops = if self.layout.reserves[mover] > 0 { board.n_cells() as u64 } else { 0 };
        u64::from(self.layout.n_moves(board, mover)) + n_drops
    }

    fn ko_record(&self, action: Action, after: &Self) -> Option<KoRecord> {
        self.game.has_ko().then_some(KoRecord { side: self.to_move(), action, after: after.layout })
    }

    fn repeats(&self, record: &KoRecord) -> Option<Action> {
        let KoRecord { side, action, after } = *record;
        (side == self.to_move() && self.check(action).is_ok() && self.after(action) == after)
            .then_some(action)
    }

    fn outcome_at_turn_start(&self, past: &impl GameHistory<Self>) -> Option<Outcome> {
        if self.is_blocked(past.ko_forbidden(self).count()) {
            return Some(Outcome::won(self.to_move().other(), Reason::Blocked));
        }
        past.draw(self)
    }

    fn may_end(&self) -> bool {
        false
    }

    fn view(&self, action: Action) -> ActionView {
        self.view_of(action)
    }

    fn allowance(&self, _drafted: &[Action]) -> Option<Allowance> {
        None
    }

    fn reserves(&self) -> Option<BySide<u8>> {
        Some(self.layout.reserves)
    }

    fn threats(&self) -> Option<BySide<Vec<CellName>>> {
        None
    }
}

/// The text of RULES 3.2.
impl fmt::Display for Stacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.game.board().rows().enumerate() {
            f.write_str(if index > 0 { "/" } else { "" })?;
            for (index, cell) in row.enumerate() {
                f.write_str(if index > 0 { "," } else { "" })?;
                self.layout.stack(cell).fmt(f)?;
            }
        }
        let side = match self.to_move() {
            Side::First => 1,
            Side::Second => 2,
        };
        let BySide { first, second } = self.layout.reserves;
        write!(f, " {side} {} {first} {second}", self.turn)
    }
}
