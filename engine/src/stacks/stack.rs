use std::fmt;

use crate::core::{BySide, Side};

/// The men on one cell, from none up to its capacity (RULES 3.2).
///
/// One bit for each man, from the top man's as the lowest: 0 for First, 1 for Second. A 1 above the bottom man's bit
/// marks the height.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stack(u8);

/// The bit of a man.
const fn bit(side: Side) -> u8 {
    side.digit() - 1
}

impl Stack {
    pub(super) const EMPTY: Self = Self(1);

    /// Number of indices for stacks of up to six men.
    pub const N_VALUES: usize = 128;

    /// The bits as a number. The lowest bit is the top man's, 0 for First and 1 for Second; a 1 follows the bottom
    /// man's bit.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn single(man: Side) -> Self {
        Self(0b10 | bit(man))
    }

    /// Whether the stack is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == Self::EMPTY.0
    }

    /// The number of men.
    #[must_use]
    #[inline]
    pub const fn height(self) -> u8 {
        7 - self.0.leading_zeros() as u8
    }

    /// The side of the top man (RULES 3.2).
    #[must_use]
    pub fn owner(self) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.is_own(*side))
    }

    /// Whether the top man is of a side.
    #[must_use]
    #[inline]
    pub const fn is_own(self, side: Side) -> bool {
        !self.is_empty() && self.has_top(side)
    }

    /// Whether the top man is of a side. For an empty stack, this is true of one of the sides.
    #[inline]
    pub(super) const fn has_top(self, side: Side) -> bool {
        self.0 & 1 == bit(side)
    }

    /// The sides of the men, from the bottom up.
    pub fn men(self) -> impl Iterator<Item = Side> {
        (0..self.height())
            .rev()
            .map(move |depth| if self.0 >> depth & 1 == 0 { Side::First } else { Side::Second })
    }

    /// Splits the stack into the `n_men` topmost men and the rest.
    #[inline]
    pub(super) const fn split(self, n_men: u8) -> (Self, Self) {
        let end = 1 << n_men;
        (Self(self.0 & (end - 1) | end), Self(self.0 >> n_men))
    }

    /// Puts men on top, then removes the lowest down to `capacity` (RULES 3.6). Returns the stack and the removed men.
    #[inline]
    pub(super) const fn topped(self, men: Self, capacity: u8) -> (Self, BySide<u8>) {
        let n_men = men.height();
        let tall = (self.0 as u16) << n_men | (men.0 ^ 1 << n_men) as u16;
        let height = self.height() + n_men;
        if height <= capacity {
            return (Self(tall as u8), BySide { first: 0, second: 0 });
        }
        let end = 1 << capacity;
        let second = (tall >> capacity).count_ones() as u8 - 1;
        let first = height - capacity - second;
        (Self((tall & (end - 1) | end) as u8), BySide { first, second })
    }

    /// The stack with the side of each man exchanged.
    pub(super) const fn exchanged(self) -> Self {
        Self(self.0 ^ ((1 << self.height()) - 1))
    }
}

/// The cell's text of RULES 3.2.
impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str(".");
        }
        self.men().try_for_each(|man| {
            f.write_str(match man {
                Side::First => "x",
                Side::Second => "o",
            })
        })
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
