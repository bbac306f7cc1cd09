use std::{fmt, str::FromStr};

use crate::core::{BitCell, BitSet, BySide, CellName, Side, write_row, zobrist};

/// Number of files, and of ranks.
pub(super) const LENGTH: u8 = 9;

/// Distance between the bits of neighbouring ranks: the squares of a rank and one unused bit.
const WIDTH: u8 = LENGTH + 1;

/// One of the 81 squares (RULES 2.1). Squares are in the order of their ranks, then of their files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    pub(super) const A1: Self = Self(0);

    /// The square of a file and a rank, both counted from 0.
    const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < LENGTH && rank < LENGTH { Some(Self(WIDTH * rank + file)) } else { None }
    }

    const fn file(self) -> u8 {
        self.0 % WIDTH
    }

    const fn rank(self) -> u8 {
        self.0 / WIDTH
    }

    /// The letter of its file and the number of its rank (RULES 2.1).
    #[must_use]
    pub const fn name(self) -> CellName {
        CellName::new(self.file(), self.rank() + 1)
    }

    /// All 81 squares.
    pub fn all() -> impl Iterator<Item = Self> {
        SquareSet::BOARD.into_iter()
    }

    /// The set of this square alone.
    #[must_use]
    #[inline]
    pub const fn set(self) -> SquareSet {
        SquareSet::from_bits(1 << self.0)
    }

    /// The direction of the straight line from here to another square, if there is one.
    pub(super) fn direction_to(self, to: Self) -> Option<Direction> {
        let files = i32::from(to.file()) - i32::from(self.file());
        let ranks = i32::from(to.rank()) - i32::from(self.rank());
        let is_straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        (self != to && is_straight).then_some(Direction(files.signum() + i32::from(WIDTH) * ranks.signum()))
    }

    /// The squares between two that are on a line in that direction.
    pub(super) fn between(self, to: Self, direction: Direction) -> SquareSet {
        let mut between = SquareSet::EMPTY;
        let mut next = self.set().shifted(direction);
        while !next.is_empty() && next != to.set() {
            between = between | next;
            next = next.shifted(direction);
        }
        between
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error of a text that is not the name of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchSquare;

impl FromStr for Square {
    type Err = NoSuchSquare;

    fn from_str(name: &str) -> Result<Self, NoSuchSquare> {
        let [file @ b'a'..=b'i', rank @ b'1'..=b'9'] = *name.as_bytes() else {
            return Err(NoSuchSquare);
        };
        Self::at(file - b'a', rank - b'1').ok_or(NoSuchSquare)
    }
}

/// One of the eight directions of a king, as the difference of bits between neighbouring squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Direction(i32);

impl Direction {
    pub(super) const ORTHOGONAL: [Self; 4] = [Self(1), Self(-1), Self(10), Self(-10)];
    pub(super) const ALL: [Self; 8] =
        [Self(1), Self(-1), Self(10), Self(-10), Self(9), Self(-9), Self(11), Self(-11)];

    #[inline]
    pub(super) const fn back(self) -> Self {
        Self(-self.0)
    }
}

impl BitCell for Square {
    #[inline]
    fn bit(self) -> u8 {
        self.0
    }

    #[inline]
    fn from_bit(bit: u8) -> Self {
        Self(bit)
    }
}

/// Any of the 81 squares, one bit each.
///
/// A square's bit is 10 · rank + file. A shift off the edge always ends on an unused bit: one follows each rank, and
/// many follow the last.
pub type SquareSet = BitSet<Square>;

impl SquareSet {
    pub(super) const BOARD: Self = board();

    /// The squares one step further in a direction, without those off the board.
    #[inline]
    pub(super) const fn shifted(self, direction: Direction) -> Self {
        let bits = self.bits();
        let shifted = if direction.0 > 0 { bits << direction.0 } else { bits >> -direction.0 };
        Self::from_bits(shifted & Self::BOARD.bits())
    }
}

const fn board() -> SquareSet {
    let mut bits = 0;
    let mut rank = 0;
    while rank < LENGTH {
        bits |= ((1 << LENGTH) - 1) << (WIDTH * rank);
        rank += 1;
    }
    SquareSet::from_bits(bits)
}

/// The ranks as the board is drawn, top to bottom, left to right (RULES 2.2).
pub(super) fn ranks() -> impl Iterator<Item = impl Iterator<Item = Square>> {
    (0..LENGTH).rev().map(|rank| (0..LENGTH).filter_map(move |file| Square::at(file, rank)))
}

/// The kinds of pieces (RULES 2.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PieceKind {
    Soldier,
    Councillor,
    King,
}

impl PieceKind {
    /// Every kind, from the lowest to the highest.
    pub const ALL: [Self; 3] = [Self::Soldier, Self::Councillor, Self::King];

    /// Its height in discs.
    #[must_use]
    pub const fn n_discs(self) -> u8 {
        match self {
            Self::Soldier => 1,
            Self::Councillor => 2,
            Self::King => 3,
        }
    }

    /// The letter of RULES 2.1.
    pub(super) const fn letter(self, side: Side) -> u8 {
        let letter = match self {
            Self::Soldier => b's',
            Self::Councillor => b'c',
            Self::King => b'k',
        };
        match side {
            Side::First => letter.to_ascii_uppercase(),
            Side::Second => letter,
        }
    }

    /// The directions in which it moves (RULES 2.4, 2.5).
    #[inline]
    pub(super) const fn directions(self) -> &'static [Direction] {
        match self {
            Self::Soldier | Self::Councillor => &Direction::ORTHOGONAL,
            Self::King => &Direction::ALL,
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Soldier => "soldier",
            Self::Councillor => "councillor",
            Self::King => "king",
        })
    }
}

/// The pieces of a side, as three disjoint sets. There is at most one king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Army {
    pub(super) soldiers: SquareSet,
    pub(super) councillors: SquareSet,
    pub(super) king: SquareSet,
}

impl Army {
    const NONE: Self =
        Self { soldiers: SquareSet::EMPTY, councillors: SquareSet::EMPTY, king: SquareSet::EMPTY };

    #[inline]
    pub(super) fn all(&self) -> SquareSet {
        self.soldiers | self.councillors | self.king
    }

    #[inline]
    pub(super) const fn of_kind(&self, kind: PieceKind) -> SquareSet {
        match kind {
            PieceKind::Soldier => self.soldiers,
            PieceKind::Councillor => self.councillors,
            PieceKind::King => self.king,
        }
    }

    #[inline]
    const fn of_kind_mut(&mut self, kind: PieceKind) -> &mut SquareSet {
        match kind {
            PieceKind::Soldier => &mut self.soldiers,
            PieceKind::Councillor => &mut self.councillors,
            PieceKind::King => &mut self.king,
        }
    }

    /// Councillors and kings.
    #[inline]
    pub(super) const fn n_made(&self) -> u32 {
        self.councillors.len() + self.king.len()
    }

    /// Number of discs of its pieces on these squares.
    #[inline]
    pub(super) fn n_discs(&self, on: SquareSet) -> u8 {
        let n_discs =
            (self.soldiers & on).len() + 2 * (self.councillors & on).len() + 3 * (self.king & on).len();
        n_discs as u8
    }

    #[inline]
    pub(super) fn kind_at(&self, square: Square) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| self.of_kind(*kind).contains(square))
    }
}

/// Number of bits of a set.
const N_BITS: usize = 128;

/// The first index of [`zobrist::number`] after those of pieces.
pub(super) const FIRST_FREE_NUMBER: u64 = 6 * N_BITS as u64;

#[inline]
const fn piece_hash(side: Side, kind: PieceKind, square: Square) -> u64 {
    zobrist::number(((3 * side.index() + kind as usize) * N_BITS + square.0 as usize) as u64)
}

/// The places of the pieces, at most one on each square.
///
/// A change returns the difference of the hash, which the position keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    armies: BySide<Army>,
}

impl Board {
    pub(super) const EMPTY: Self = Self { armies: BySide { first: Army::NONE, second: Army::NONE } };

    /// The hash of all pieces.
    pub(super) fn hash(&self) -> u64 {
        let mut hash = 0;
        for side in Side::ALL {
            for kind in PieceKind::ALL {
                for square in self.army(side).of_kind(kind) {
                    hash ^= piece_hash(side, kind, square);
                }
            }
        }
        hash
    }

    #[inline]
    pub(super) const fn army(&self, side: Side) -> &Army {
        match side {
            Side::First => &self.armies.first,
            Side::Second => &self.armies.second,
        }
    }

    #[inline]
    pub(super) fn empty(&self) -> SquareSet {
        SquareSet::BOARD.without(self.armies.first.all() | self.armies.second.all())
    }

    /// Makes a higher piece from a soldier and the piece that it steps onto.
    #[must_use]
    #[inline]
    pub(super) fn promote(&mut self, side: Side, from: Square, (to, onto): (Square, PieceKind)) -> u64 {
        let army = &mut self.armies[side];
        army.soldiers = army.soldiers.without(from.set());
        let made = if onto == PieceKind::Soldier {
            army.soldiers = army.soldiers.without(to.set());
            army.councillors = army.councillors | to.set();
            PieceKind::Councillor
        } else {
            army.councillors = army.councillors.without(to.set());
            army.king = army.king | to.set();
            PieceKind::King
        };
        piece_hash(side, PieceKind::Soldier, from) ^ piece_hash(side, onto, to) ^ piece_hash(side, made, to)
    }

    /// Puts a piece onto an empty square.
    #[must_use]
    #[inline]
    pub(super) fn put(&mut self, side: Side, kind: PieceKind, square: Square) -> u64 {
        let pieces = self.armies[side].of_kind_mut(kind);
        *pieces = *pieces | square.set();
        piece_hash(side, kind, square)
    }

    /// Moves a piece to an empty square or to its own.
    #[must_use]
    #[inline]
    pub(super) fn shift(&mut self, side: Side, kind: PieceKind, from: Square, to: Square) -> u64 {
        let pieces = self.armies[side].of_kind_mut(kind);
        *pieces = pieces.without(from.set()) | to.set();
        piece_hash(side, kind, from) ^ piece_hash(side, kind, to)
    }

    /// Removes the pieces of a side, of any kind, from these squares.
    #[must_use]
    #[inline]
    pub(super) fn take(&mut self, side: Side, squares: SquareSet) -> u64 {
        let mut hash = 0;
        for kind in PieceKind::ALL {
            let pieces = self.armies[side].of_kind_mut(kind);
            let taken = *pieces & squares;
            *pieces = pieces.without(taken);
            for square in taken {
                hash ^= piece_hash(side, kind, square);
            }
        }
        hash
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |square| {
            Side::ALL
                .into_iter()
                .find_map(|side| self.army(side).kind_at(square).map(|kind| kind.letter(side)))
        };
        let mut text = String::with_capacity(64);
        for rank in ranks() {
            if !text.is_empty() {
                text.push('/');
            }
            write_row(&mut text, rank.map(letter));
        }
        f.write_str(&text)
    }
}
