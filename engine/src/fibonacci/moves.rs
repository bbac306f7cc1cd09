use std::{fmt, ops::ControlFlow};

use thiserror::Error;

use super::{Cell, CellSet, Fibonacci, PieceKind, Variant, board::Army};
use crate::core::{
    ActionKind, ActionView, Budget, CellName, Choices, LegalAction, Rule, Rules, Unlisted, Unreadable,
};

const MOVE: Rule = Rule::new("1.10");
const TARGETS: Rule = Rule::new("1.12");
const MOVE_TEXT: Rule = Rule::new("1.13");

/// An action: a move (RULES 1.10) or the early end of the turn (RULES 1.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Move { from: Cell, to: Cell },
    End,
}

/// The text of RULES 1.13 and 1.9.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Without formatting machinery: every turn writes its actions.
            Self::Move { from, to } => {
                f.write_str(from.name().as_str())?;
                f.write_str("-")?;
                f.write_str(to.name().as_str())
            }
            Self::End => f.write_str("end"),
        }
    }
}

/// The reason for which an action is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum IllegalMove {
    #[error("{from} is empty")]
    NoPiece { from: Cell },
    #[error("the piece on {from} is the other side's")]
    NotOwn { from: Cell },
    #[error("a centre never moves by itself")]
    CentreMoved,
    #[error("{to} holds a {kind} piece of the same side, so a swap would change nothing")]
    SamePiece { to: Cell, kind: PieceKind },
    #[error("{to} is not next to the group of {from}")]
    OutOfReach { from: Cell, to: Cell },
    #[error("a turn cannot be ended before a move is made in it")]
    EndBeforeMove,
    #[error("the card of the turn is not turned over yet")]
    NoCardYet,
    #[error("the whole allowance must be used: there is no `end` with mixed groups")]
    NoEnd,
}

impl IllegalMove {
    /// The broken clause.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        match self {
            Self::NoPiece { .. } | Self::NotOwn { .. } | Self::CentreMoved => MOVE,
            Self::SamePiece { .. } | Self::OutOfReach { .. } => TARGETS,
            Self::NoCardYet => Rule::new("1.16"),
            Self::EndBeforeMove | Self::NoEnd => Fibonacci::WHOLE_TURN,
        }
    }
}

/// Reads `from-to` or `end`.
pub(super) fn read(text: &str) -> Result<Action, Unreadable> {
    if text == "end" {
        return Ok(Action::End);
    }
    let unreadable = |at, rule, expected| Unreadable { at, rule, expected };
    let (from, to) = text
        .split_once('-')
        .ok_or_else(|| unreadable(0, MOVE_TEXT, "`from-to` such as `b7-c7`, or `end`"))?;
    let cell = |name: &str, at| {
        name.parse().map_err(|_| unreadable(at, Rule::new("1.1"), "a cell such as `a1` or `k11`"))
    };
    Ok(Action::Move { from: cell(from, 0)?, to: cell(to, from.len() + 1)? })
}

impl Fibonacci {
    /// The pieces that connect groups of this kind (RULES 1.11).
    #[inline]
    fn connecting(&self, army: &Army, kind: PieceKind) -> CellSet {
        match self.variant {
            Variant::Original | Variant::Cards => army.of_kind(kind),
            Variant::Mixed => army.all(),
        }
    }

    /// The sets of pieces that share a group and a kind, and so their targets (RULES 1.12), with these targets.
    #[inline]
    fn try_for_each_part<B>(
        &self,
        mut visit: impl FnMut(CellSet, CellSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let army = self.board.army(self.to_move());
        for kind in [PieceKind::Strike, PieceKind::Support] {
            let pieces = army.of_kind(kind);
            let connecting = self.connecting(army, kind);
            let mut rest = pieces;
            while !rest.is_empty() {
                let (group, near) = rest.lowest().flood(connecting);
                visit(group & pieces, near.without(pieces))?;
                rest = rest.without(group);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    pub(super) fn try_for_each_move<B>(
        &self,
        mut visit: impl FnMut(Cell, Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.try_for_each_part(|pieces, targets| {
            for from in pieces {
                for to in targets {
                    visit(from, to)?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    #[inline]
    pub(super) fn n_moves(&self) -> u32 {
        let mut n_moves = 0;
        let _: ControlFlow<()> = self.try_for_each_part(|pieces, targets| {
            n_moves += pieces.len() * targets.len();
            ControlFlow::Continue(())
        });
        n_moves
    }

    pub(super) fn check_move(&self, from: Cell, to: Cell) -> Result<(), IllegalMove> {
        let side = self.to_move();
        let army = self.board.army(side);
        let kind = match self.board.kind_at(side, from) {
            Some(PieceKind::Centre) => return Err(IllegalMove::CentreMoved),
            Some(kind @ (PieceKind::Strike | PieceKind::Support)) => kind,
            None if self.board.occupied().contains(from) => return Err(IllegalMove::NotOwn { from }),
            None => return Err(IllegalMove::NoPiece { from }),
        };
        if army.of_kind(kind).contains(to) {
            return Err(IllegalMove::SamePiece { to, kind });
        }
        let (_, near) = from.set().flood(self.connecting(army, kind));
        if near.contains(to) { Ok(()) } else { Err(IllegalMove::OutOfReach { from, to }) }
    }

    /// The view of a legal move, with the cells of a shortest chain through the group.
    pub(super) fn view_of_move(&self, from: Cell, to: Cell) -> ActionView {
        let army = self.board.army(self.to_move());
        let kind = if army.strike.contains(from) { PieceKind::Strike } else { PieceKind::Support };
        ActionView {
            route: names(shortest_chain(from, to, self.connecting(army, kind))),
            swap: self.board.occupied().contains(to),
            ..ActionView::default()
        }
    }

    pub(super) fn group_at(&self, cell: Cell) -> CellSet {
        let army = self.board.army(self.to_move());
        match self.board.kind_at(self.to_move(), cell) {
            Some(kind) => cell.set().flood(self.connecting(army, kind)).0,
            None => CellSet::EMPTY,
        }
    }

    fn legal_action(&self, action: Action) -> LegalAction {
        let (kind, from, to) = match action {
            Action::Move { from, to } => {
                let swap = self.board.occupied().contains(to);
                let kind = if swap { ActionKind::Swap } else { ActionKind::Move };
                (kind, Some(from.name()), Some(to.name()))
            }
            Action::End => (ActionKind::End, None, None),
        };
        LegalAction { text: action.to_string(), kind, from, to, count: None, overflow: None, capture: None }
    }
}

impl Choices for Fibonacci {
    fn list(&self, limit: usize, _: &mut Budget) -> Result<Vec<LegalAction>, Unlisted> {
        let mut actions = Vec::new();
        self.for_each_action(|action| actions.push(self.legal_action(action)));
        LegalAction::listed(actions, limit)
    }

    fn groups(&self) -> Vec<Vec<CellName>> {
        let army = self.board.army(self.to_move());
        let networks: &[CellSet] = match self.variant {
            Variant::Original | Variant::Cards => &[army.strike, army.support],
            Variant::Mixed => &[army.all()],
        };
        let mut groups = Vec::new();
        for &connecting in networks {
            let mut rest = connecting & army.movable();
            while !rest.is_empty() {
                let (group, _) = rest.lowest().flood(connecting);
                groups.push(names(group));
                rest = rest.without(group);
            }
        }
        groups
    }
}

pub(super) fn names(cells: impl IntoIterator<Item = Cell>) -> Vec<CellName> {
    cells.into_iter().map(Cell::name).collect()
}

/// The cells of a shortest chain from `from`, which is in `within`, to `to`, which is next to the part of `within`
/// around `from`. Of several shortest chains, it is the one with the lowest cells, compared from its end.
fn shortest_chain(from: Cell, to: Cell, within: CellSet) -> Vec<Cell> {
    let mut layers = vec![from.set()];
    let mut seen = from.set();
    let mut near = from.neighbours();
    while !near.contains(to) {
        let layer = (near & within).without(seen);
        assert!(!layer.is_empty(), "no chain from {from} to {to}");
        seen = seen | layer;
        near = layer.neighbours();
        layers.push(layer);
    }
    let mut chain = vec![to];
    for layer in layers.into_iter().rev() {
        let last = chain[chain.len() - 1];
        chain.extend((layer & last.neighbours()).into_iter().next());
    }
    chain.reverse();
    chain
}
