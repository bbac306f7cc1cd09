use std::{fmt, ops::ControlFlow};

use super::{
    Action, Cell, Game, IllegalMove, InvalidPosition, Layout, Stack, layout::FIRST_FREE_NUMBER, read,
};
use crate::core::{
    ActionView, BySide, Describe, GameHistory, Outcome, Progress, Reason, Rule, Rules, Side, TextError,
    TurnNumber, Unreadable, zobrist,
};

/// A position of `focus`, `focus-classic` or `crossfire`. The side to move follows from the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stacks {
    pub(super) game: Game,
    pub(super) turn: TurnNumber,
    pub(super) layout: Layout,
}

/// The part of a position that makes a turn the same as an earlier one (RULES 3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionKey {
    side: Side,
    layout: Layout,
}

/// An action with its resulting position, which a side may not repeat (RULES 4.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KoRecord {
    side: Side,
    action: Action,
    after: Layout,
}

/// The hashes of all but stacks and reserves, by index.
#[inline]
const fn other_hash(index: usize) -> u64 {
    zobrist::number(FIRST_FREE_NUMBER + index as u64)
}
const SIDE_HASHES: usize = 0;
/// Base index of the hashes of turns with a switch, by the side of the turn.
const SWITCH_HASHES: usize = 2;

impl Action {
    /// A unique number for each action.
    const fn number(self) -> u64 {
        match self {
            Self::Move { from, to } => from.number() << 8 | to.number(),
            Self::Drop { to } => 1 << 16 | to.number(),
            Self::Switch { own, other } => 2 << 16 | own.number() << 8 | other.number(),
        }
    }
}

impl Stacks {
    /// The ruleset.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.game
    }

    /// The stack on a cell of the game's board.
    #[must_use]
    #[inline]
    pub const fn stack(&self, cell: Cell) -> Stack {
        self.layout.stack(cell)
    }

    /// Number of men that a side can drop (RULES 3.5).
    #[must_use]
    #[inline]
    pub fn reserve(&self, side: Side) -> u8 {
        self.layout.reserves()[side]
    }

    /// Whether this turn is a switch (RULES 3.3).
    #[must_use]
    #[inline]
    pub const fn is_switch_turn(&self) -> bool {
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

    /// Whether the side to move has no legal action, without regard to ko (RULES 3.7, 4.5).
    pub(super) fn is_blocked(&self) -> bool {
        !self.has_more_actions_than(0)
    }

    /// Whether the side to move has more than `n_actions` legal actions, without regard to ko.
    #[inline]
    fn has_more_actions_than(&self, n_actions: u64) -> bool {
        if self.is_switch_turn() {
            return self.count_switches() > n_actions;
        }
        let n_drops = self.n_drops();
        n_drops > n_actions
            || self.layout.has_more_moves_than(self.game.board(), self.to_move(), n_actions - n_drops)
    }

    #[inline]
    fn n_drops(&self) -> u64 {
        if self.layout.reserves()[self.to_move()] > 0 { self.game.board().n_cells() as u64 } else { 0 }
    }

    fn count_switches(&self) -> u64 {
        let mut n_switches = 0;
        let _: ControlFlow<()> = self.try_for_each_switch(&mut |_| {
            n_switches += 1;
            ControlFlow::Continue(())
        });
        n_switches
    }
}

impl Rules for Stacks {
    type Variant = Game;
    type Action = Action;
    type PositionKey = PositionKey;
    type KoRecord = KoRecord;
    type IllegalMove = IllegalMove;
    type InvalidPosition = InvalidPosition;
    type Scratch = ();

    const WHOLE_TURN: Rule = Rule::TURN;

    fn start(game: Game) -> Self {
        Self::parse(game, game.start_text()).expect("the start is valid")
    }

    fn parse(game: Game, text: &str) -> Result<Self, TextError<InvalidPosition>> {
        read::position(game, text)
    }

    fn turn(&self) -> TurnNumber {
        self.turn
    }

    #[inline]
    fn hash(&self) -> u64 {
        let switch =
            if self.is_switch_turn() { other_hash(SWITCH_HASHES + self.turn.side().index()) } else { 0 };
        self.layout.hash() ^ other_hash(SIDE_HASHES + self.to_move().index()) ^ switch
    }

    #[inline]
    fn turn_key(&self) -> Option<PositionKey> {
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

    fn passed(&self) -> Self {
        Self { turn: self.turn.next(), ..*self }
    }

    #[inline]
    fn try_for_each_action<B>(
        &self,
        (): &mut (),
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.is_switch_turn() {
            return self.try_for_each_switch(&mut visit);
        }
        self.try_for_each_move(&mut visit)?;
        self.try_for_each_drop(&mut visit)
    }

    #[inline]
    fn count(&self, (): &mut ()) -> u64 {
        if self.is_switch_turn() {
            return self.count_switches();
        }
        u64::from(self.layout.n_moves(self.game.board(), self.to_move())) + self.n_drops()
    }

    #[inline]
    fn ko_record(&self, action: Action, after: &Self) -> Option<KoRecord> {
        self.game.has_ko().then_some(KoRecord { side: self.to_move(), action, after: after.layout })
    }

    fn repeats(&self, record: &KoRecord) -> Option<Action> {
        let KoRecord { side, action, after } = *record;
        (side == self.to_move() && self.check(action).is_ok() && self.after(action) == after)
            .then_some(action)
    }

    fn ko_hash(record: &KoRecord) -> u64 {
        let KoRecord { side, action, after } = record;
        after.hash()
            ^ other_hash(SIDE_HASHES + side.index())
            ^ zobrist::number(FIRST_FREE_NUMBER + 8 + action.number())
    }

    #[inline]
    fn outcome_at_turn_start(&self, history: &GameHistory<Self>) -> Option<Outcome> {
        // At most as many actions are forbidden as there are records.
        let is_open = self.has_more_actions_than(history.n_ko_records() as u64);
        if !is_open && self.count(&mut ()) == history.n_ko_forbidden(self) {
            return Some(Outcome::won(self.to_move().other(), Reason::Blocked));
        }
        history.draw(self)
    }
}

impl Describe for Stacks {
    fn view(&self, action: Action) -> ActionView {
        self.view_of(action)
    }

    fn reserves(&self) -> Option<BySide<u8>> {
        Some(self.layout.reserves())
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
        let side = self.to_move().digit();
        let BySide { first, second } = self.layout.reserves();
        write!(f, " {side} {} {first} {second}", self.turn)
    }
}
