use std::{fmt, ops::ControlFlow};

use thiserror::Error;

use super::{Cell, Game, Stacks};
use crate::core::{
    ActionKind, ActionView, Budget, Choices, LegalAction, Overflow, Rule, Rules, Unlisted, Unreadable,
};

const NO_SWITCH: Rule = Rule::new("4.1");
const SWITCH: Rule = Rule::new("3.3");
const MOVE: Rule = Rule::new("3.4");
const DROP: Rule = Rule::new("3.5");

/// An action, which is a complete turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A move (RULES 3.4).
    Move { from: Cell, to: Cell },
    /// A drop (RULES 3.5).
    Drop { to: Cell },
    /// A switch (RULES 3.3).
    Switch { own: Cell, other: Cell },
}

/// The texts of RULES 3.3 to 3.5.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { from, to } => write!(f, "{from}-{to}"),
            Self::Drop { to } => write!(f, "*{to}"),
            Self::Switch { own, other } => write!(f, "{own}~{other}"),
        }
    }
}

/// The reason for which an action is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum IllegalMove {
    #[error("{from} is empty")]
    NoStack { from: Cell },
    #[error("the stack on {from} is the other side's")]
    NotOwn { from: Cell },
    #[error("no straight line leads from {from} to {to}")]
    NoLine { from: Cell, to: Cell },
    #[error("{to} is {distance} cells away, and the stack on {from} has {height} men")]
    TooFar { from: Cell, to: Cell, distance: u8, height: u8 },
    #[error("the reserve is empty")]
    NoReserve,
    #[error("turns 1 and 2 are switches")]
    SwitchDue,
    #[error("only turns 1 and 2 of `focus` are switches")]
    SwitchOver,
    #[error("there is no switch in Crossfire")]
    NoSwitch,
    #[error("{cell} does not hold a man of the side to move")]
    NotOwnMan { cell: Cell },
    #[error("{cell} does not hold a man of the other side")]
    NotOtherMan { cell: Cell },
    #[error("the position would be symmetric")]
    Symmetric,
}

impl IllegalMove {
    /// The broken clause.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        match self {
            Self::NoStack { .. } | Self::NotOwn { .. } | Self::NoLine { .. } | Self::TooFar { .. } => MOVE,
            Self::NoReserve => DROP,
            Self::SwitchDue
            | Self::SwitchOver
            | Self::NotOwnMan { .. }
            | Self::NotOtherMan { .. }
            | Self::Symmetric => SWITCH,
            Self::NoSwitch => NO_SWITCH,
        }
    }
}

impl Stacks {
    /// Reads `from-to`, `*to` or `own~other`.
    pub(super) fn read_action(&self, text: &str) -> Result<Action, Unreadable> {
        let board = self.game.board();
        let cell = |name, at| {
            board.cell(name).ok_or(Unreadable { at, rule: board.rule(), expected: "a cell such as `d4`" })
        };
        if let Some(to) = text.strip_prefix('*') {
            return Ok(Action::Drop { to: cell(to, 1)? });
        }
        if let Some((from, to)) = text.split_once('-') {
            return Ok(Action::Move { from: cell(from, 0)?, to: cell(to, from.len() + 1)? });
        }
        if let Some((own, other)) = text.split_once('~') {
            return Ok(Action::Switch { own: cell(own, 0)?, other: cell(other, own.len() + 1)? });
        }
        let expected = "`from-to` such as `d4-f4`, a drop such as `*d4`, or a switch such as `d4~f4`";
        Err(Unreadable { at: 0, rule: MOVE, expected })
    }

    pub(super) fn check_move(&self, from: Cell, to: Cell) -> Result<(), IllegalMove> {
        if self.is_switch_turn() {
            return Err(IllegalMove::SwitchDue);
        }
        let stack = self.layout.stack(from);
        let owner = stack.owner().ok_or(IllegalMove::NoStack { from })?;
        if owner != self.to_move() {
            return Err(IllegalMove::NotOwn { from });
        }
        let distance = from.distance(to).ok_or(IllegalMove::NoLine { from, to })?;
        let height = stack.height();
        if distance <= height { Ok(()) } else { Err(IllegalMove::TooFar { from, to, distance, height }) }
    }

    pub(super) fn check_drop(&self) -> Result<(), IllegalMove> {
        if self.is_switch_turn() {
            return Err(IllegalMove::SwitchDue);
        }
        if self.layout.reserves()[self.to_move()] > 0 { Ok(()) } else { Err(IllegalMove::NoReserve) }
    }

    pub(super) fn check_switch(&self, own: Cell, other: Cell) -> Result<(), IllegalMove> {
        if !self.is_switch_turn() {
            return Err(match self.game {
                Game::Focus | Game::FocusClassic => IllegalMove::SwitchOver,
                Game::Crossfire => IllegalMove::NoSwitch,
            });
        }
        let mover = self.to_move();
        if !self.layout.stack(own).is_own(mover) {
            return Err(IllegalMove::NotOwnMan { cell: own });
        }
        if !self.layout.stack(other).is_own(mover.other()) {
            return Err(IllegalMove::NotOtherMan { cell: other });
        }
        if self.must_break_symmetry() && self.after(Action::Switch { own, other }).is_symmetric() {
            return Err(IllegalMove::Symmetric);
        }
        Ok(())
    }

    pub(super) fn try_for_each_move<B>(
        &self,
        visit: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mover = self.to_move();
        for from in self.game.board().cells() {
            let stack = self.layout.stack(from);
            if stack.is_own(mover) {
                for &to in from.reach().cells(stack.height()) {
                    visit(Action::Move { from, to })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn try_for_each_drop<B>(
        &self,
        visit: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.layout.reserves()[self.to_move()] == 0 {
            return ControlFlow::Continue(());
        }
        self.game.board().cells().try_for_each(|to| visit(Action::Drop { to }))
    }

    pub(super) fn try_for_each_switch<B>(
        &self,
        visit: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let men = |side| self.game.board().cells().filter(move |cell| self.layout.stack(*cell).is_own(side));
        for own in men(self.to_move()) {
            for other in men(self.to_move().other()) {
                if self.check_switch(own, other).is_ok() {
                    visit(Action::Switch { own, other })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn view_of(&self, action: Action) -> ActionView {
        let mover = self.to_move();
        let mut layout = self.layout;
        let lost = layout.act(mover, action);
        let overflow = Overflow { reserved: lost[mover], captured: lost[mover.other()] };
        let (route, swap, count) = match action {
            Action::Move { from, to } => (from.line(to), false, from.distance(to)),
            Action::Drop { to } => (vec![to], false, Some(1)),
            Action::Switch { own, other } => (vec![own, other], true, None),
        };
        ActionView {
            route: route.into_iter().map(Cell::name).collect(),
            swap,
            count,
            overflow: (overflow.reserved + overflow.captured > 0).then_some(overflow),
            taken: Vec::new(),
        }
    }

    fn legal_action(&self, action: Action) -> LegalAction {
        let ActionView { count, overflow, .. } = self.view_of(action);
        let (kind, from, to) = match action {
            Action::Move { from, to } => (ActionKind::Move, Some(from), to),
            Action::Drop { to } => (ActionKind::Drop, None, to),
            Action::Switch { own, other } => (ActionKind::Switch, Some(own), other),
        };
        LegalAction {
            text: action.to_string(),
            kind,
            from: from.map(Cell::name),
            to: Some(to.name()),
            count,
            overflow,
            capture: None,
        }
    }
}

impl Choices for Stacks {
    fn list(&self, limit: usize, _: &mut Budget) -> Result<Vec<LegalAction>, Unlisted> {
        let mut actions = Vec::new();
        self.for_each_action(|action| actions.push(self.legal_action(action)));
        LegalAction::listed(actions, limit)
    }
}
