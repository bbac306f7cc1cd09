use super::{
    Action, Cell,
    board::{Board, MAX_CELLS, Reach},
    stack::Stack,
};
use crate::core::{BySide, Side, zobrist};

/// Number of men of a side at the start, which is also the maximum (RULES 3.2).
pub(super) const MEN: u8 = 18;

/// The hash of a stack on a slot. That of an empty stack is 0, so that an empty board has the hash 0.
#[inline]
const fn stack_hash(slot: usize, stack: Stack) -> u64 {
    if stack.is_empty() { 0 } else { zobrist::number((slot * Stack::N_VALUES + stack.index()) as u64) }
}

/// The hash of a reserve. That of an empty reserve is 0.
#[inline]
const fn reserve_hash(side: Side, n_men: u8) -> u64 {
    if n_men == 0 {
        0
    } else {
        zobrist::number(FIRST_RESERVE_NUMBER + 32 * side.index() as u64 + n_men as u64)
    }
}

const FIRST_RESERVE_NUMBER: u64 = (MAX_CELLS * Stack::N_VALUES) as u64;

/// The first index of [`zobrist::number`] after those of stacks and reserves.
pub(super) const FIRST_FREE_NUMBER: u64 = FIRST_RESERVE_NUMBER + 64;

/// The stacks on the cells of a board, and both reserves. Actions change nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// The hash of the fields below.
    hash: u64,
    /// The stacks by slot. Slots beyond the board are empty.
    stacks: [Stack; MAX_CELLS],
    reserves: BySide<u8>,
}

impl Layout {
    pub(super) const EMPTY: Self =
        Self { hash: 0, stacks: [Stack::EMPTY; MAX_CELLS], reserves: BySide { first: 0, second: 0 } };

    #[inline]
    pub(super) const fn hash(&self) -> u64 {
        self.hash
    }

    #[inline]
    pub(super) const fn stack(&self, cell: Cell) -> Stack {
        self.stacks[cell.slot()]
    }

    #[inline]
    pub(super) const fn put(&mut self, cell: Cell, stack: Stack) {
        let slot = cell.slot();
        self.hash ^= stack_hash(slot, self.stacks[slot]) ^ stack_hash(slot, stack);
        self.stacks[slot] = stack;
    }

    #[inline]
    pub(super) const fn reserves(&self) -> BySide<u8> {
        self.reserves
    }

    #[inline]
    pub(super) fn set_reserve(&mut self, side: Side, n_men: u8) {
        let reserve = &mut self.reserves[side];
        self.hash ^= reserve_hash(side, *reserve) ^ reserve_hash(side, n_men);
        *reserve = n_men;
    }

    /// The number of moves of a side (RULES 3.4). An empty cell has no reach, whatever its owner bit says.
    #[inline]
    pub(super) fn n_moves(&self, board: Board, side: Side) -> u32 {
        let n_moves = |(stack, reach): (&Stack, &Reach)| {
            u32::from(stack.has_top(side)) * u32::from(reach.n_cells(stack.height()))
        };
        self.stacks.iter().zip(board.reaches()).map(n_moves).sum()
    }

    /// Whether a side has more than `n_moves` moves.
    #[inline]
    pub(super) fn has_more_moves_than(&self, board: Board, side: Side, n_moves: u64) -> bool {
        let mut n_left = n_moves;
        for (stack, reach) in self.stacks.iter().zip(board.reaches()) {
            if stack.is_own(side) {
                match n_left.checked_sub(reach.n_cells(stack.height()).into()) {
                    Some(left) => n_left = left,
                    None => return true,
                }
            }
        }
        false
    }

    /// Plays an action of `mover`, which must be legal. Returns the number of men that the stack on its target then
    /// lost from the bottom; the mover's own are in his reserve (RULES 3.6).
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
                self.set_reserve(mover, self.reserves[mover] - 1);
                self.top(to, Stack::single(mover))
            }
            Action::Switch { own, other } => {
                self.put(own, Stack::single(mover.other()));
                self.put(other, Stack::single(mover));
                BySide::default()
            }
        };
        if lost[mover] > 0 {
            self.set_reserve(mover, self.reserves[mover] + lost[mover]);
        }
        lost
    }

    #[inline]
    fn top(&mut self, cell: Cell, men: Stack) -> BySide<u8> {
        let (stack, lost) = self.stack(cell).topped(men, cell.capacity());
        self.put(cell, stack);
        lost
    }
}
