use std::{
    fmt,
    marker::PhantomData,
    ops::{BitAnd, BitOr, BitXor},
};

/// A cell with its own bit in a [`BitSet`].
pub trait BitCell: Copy + fmt::Debug {
    /// The number of its bit, less than 128.
    fn bit(self) -> u8;

    /// The cell of a bit, which must belong to a cell.
    fn from_bit(bit: u8) -> Self;
}

/// A set of cells of one board, with one bit for each cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitSet<C> {
    bits: u128,
    cells: PhantomData<C>,
}

impl<C> BitSet<C> {
    /// The empty set.
    pub const EMPTY: Self = Self::from_bits(0);

    pub(crate) const fn from_bits(bits: u128) -> Self {
        Self { bits, cells: PhantomData }
    }

    /// The bits of the cells: see [`BitCell::bit`].
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u128
    where
        C: Copy,
    {
        self.bits
    }
}

impl<C: BitCell> BitSet<C> {
    /// The set of one cell.
    #[must_use]
    #[inline]
    pub fn from_cell(cell: C) -> Self {
        Self::from_bits(1 << cell.bit())
    }

    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The number of cells.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.bits.count_ones()
    }

    #[must_use]
    #[inline]
    pub fn contains(self, cell: C) -> bool {
        self.bits >> cell.bit() & 1 == 1
    }

    /// Whether all cells of this set are in another one.
    #[must_use]
    #[inline]
    pub const fn is_subset(self, of: Self) -> bool {
        self.bits & !of.bits == 0
    }

    /// The cells of this set that are not in another one.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self::from_bits(self.bits & !other.bits)
    }

    /// The set of the lowest cell alone; empty if this one is.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Self {
        Self::from_bits(self.bits & self.bits.wrapping_neg())
    }

    /// The lowest cell.
    #[must_use]
    #[inline]
    pub fn first(self) -> Option<C> {
        self.into_iter().next()
    }
}

impl<C> BitAnd for BitSet<C> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self::from_bits(self.bits & other.bits)
    }
}

impl<C> BitOr for BitSet<C> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self::from_bits(self.bits | other.bits)
    }
}

impl<C> BitXor for BitSet<C> {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self::from_bits(self.bits ^ other.bits)
    }
}

impl<C: BitCell> IntoIterator for BitSet<C> {
    type Item = C;
    type IntoIter = Bits<C>;

    #[inline]
    fn into_iter(self) -> Bits<C> {
        Bits(self)
    }
}

impl<C: BitCell> fmt::Debug for BitSet<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The cells of a set, from the lowest bit.
#[derive(Clone, Debug)]
pub struct Bits<C: BitCell>(BitSet<C>);

impl<C: BitCell> Iterator for Bits<C> {
    type Item = C;

    #[inline]
    fn next(&mut self) -> Option<C> {
        if self.0.bits == 0 {
            return None;
        }
        let cell = C::from_bit(self.0.bits.trailing_zeros() as u8);
        self.0.bits &= self.0.bits - 1;
        Some(cell)
    }
}
