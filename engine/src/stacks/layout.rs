use super::{
    Action, Cell,
    board::{Board, MAX_CELLS, Reach},
    stack::Stack,
};
use crate::{BySide, Side};

/// The men that a side has at the start, and never more (RULES 3.2).
pub(super) const MEN: u8 = 18;

/// What stands on the cells of a board, and both reserves: all that actions change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// By slot; those that the board has not are empty.
    stacks: [Stack; MAX_CELLS],
    pub(super) reserves: BySide<u8>,
}

impl Layout {
    pub(super) const EMPTY: Self =
        Self { stacks: [Stack::EMPTY; MAX_CELLS], reserves: BySide { first: 0, second: 0 } };

    #[inline]
    pub(super) const fn stack(&self, cell: Cell) -> Stack {
        self.stacks[cell.slot()]
    }

    #[inline]
    pub(super) const fn put(&mut self, cell: Cell, stack: Stack) {
        self.stacks[cell.slot()] = stack;
    }

    /// The number of moves of a side (RULES 3.4). An empty cell reaches nothing, whosever it may look.
    #[inline]
    pub(super) fn n_moves(&self, board: Board, side: Side) -> u32 {
        let n_moves = |(stack, reach): (&Stack, &Reach)| {
            u32::from(stack.has_top(side)) * u32::from(reach.n_cells(stack.height()))
        };
        self.stacks.iter().zip(board.reaches()).map(n_moves).sum()
    }

    /// Does what an action of `mover` does, which must be legal. The men that the stack on its target then
    /// lost from the bottom are counted; the mover's own are in his reserve (RULES 3.6).
    #[inline]
    pub(super) fn act(&mut self, mover: Side, action: Action) -> BySide<u8> {
        let lost = match action {
            Action::Move { from, to } => {
                let n_men = from.distance(to).expect("a legal move is along a line");
                let (men, behind) = self.stack(from).split(n_men);
                self.put(from, behind);
                self.top(to, men)
            }
            Action::Drop { to } => {
                self.reserves[mover] -= 1;
                self.top(to, Stack::single(mover))
            }
            Action::Switch { own, other } => {
                self.put(own, Stack::single(mover.other()));
                self.put(other, Stack::single(mover));
                BySide::default()
            }
        };
        self.reserves[mover] += lost[mover];
        lost
    }

    #[inline]
    fn top(&mut self, cell: Cell, men: Stack) -> BySide<u8> {
        let (stack, lost) = self.stack(cell).topped(men, cell.capacity());
        self.put(cell, stack);
        lost
    }
}
