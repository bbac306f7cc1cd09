use std::{
    fmt,
    ops::{BitAnd, BitOr, BitXor},
    str::FromStr,
};

use crate::{BySide, CellName, Side, text::write_row};

const LETTERS: i32 = 11;

const fn is_cell(q: i32, r: i32) -> bool {
    0 <= q && q < LETTERS && 0 <= r && r < LETTERS && (q - r).abs() <= 5
}

/// One of the 91 cells (RULES 1.1). Cells are in the order of their letters, then of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell of a letter and a number, both counted from 0.
    const fn at(q: i32, r: i32) -> Option<Self> {
        if is_cell(q, r) { Some(Self((LETTERS * q + r) as u8)) } else { None }
    }

    const fn q(self) -> u8 {
        self.0 / LETTERS as u8
    }

    const fn r(self) -> u8 {
        self.0 % LETTERS as u8
    }

    /// The letter and the number (RULES 1.1).
    #[must_use]
    pub const fn name(self) -> CellName {
        CellName::new(self.q(), self.r() + 1)
    }

    /// All 91 cells.
    pub fn all() -> impl Iterator<Item = Self> {
        CellSet::BOARD.into_iter()
    }

    pub(super) const fn set(self) -> CellSet {
        CellSet(1 << self.0)
    }

    pub(super) const fn neighbours(self) -> CellSet {
        NEIGHBOURS[self.0 as usize]
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchCell;

impl FromStr for Cell {
    type Err = NoSuchCell;

    fn from_str(name: &str) -> Result<Self, NoSuchCell> {
        let (letter, number) = match *name.as_bytes() {
            [letter, number @ b'1'..=b'9'] => (letter, number - b'0'),
            [letter, b'1', number @ (b'0' | b'1')] => (letter, 10 + number - b'0'),
            _ => return Err(NoSuchCell),
        };
        Self::at(i32::from(letter) - i32::from(b'a'), i32::from(number) - 1).ok_or(NoSuchCell)
    }
}

/// Any of the 91 cells, one bit each.
///
/// A cell's bit is 11 · letter + number, so a step to a neighbour is a shift by 1, 11 or 12. A shift off the
/// edge always ends on a bit that is no cell: letters and numbers that differ by more than 5 are a moat of at
/// least five bits between one letter's cells and the next one's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct CellSet(u128);

impl CellSet {
    pub(super) const EMPTY: Self = Self(0);
    pub(super) const BOARD: Self = board();

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 == 1
    }

    pub(super) const fn is_subset(self, of: Self) -> bool {
        self.0 & !of.0 == 0
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lowest cell alone; nothing of nothing.
    pub(super) const fn lowest(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// The cells next to at least one of these (RULES 1.1); not these themselves, unless they are neighbours.
    #[inline]
    pub(super) const fn neighbours(self) -> Self {
        let up = self.0 << 1;
        let down = self.0 >> 1;
        Self((up | down | (self.0 | up) << 11 | (self.0 | down) >> 11) & Self::BOARD.0)
    }

    /// The connected part of `within` that this, a part of it, belongs to, and the cells next to that part.
    #[inline]
    pub(super) fn flood(self, within: Self) -> (Self, Self) {
        let mut part = self;
        loop {
            let near = part.neighbours();
            let grown = part | (near & within);
            if grown == part {
                return (part, near);
            }
            part = grown;
        }
    }
}

impl BitAnd for CellSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for CellSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for CellSet {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;

    fn into_iter(self) -> Cells {
        Cells(self.0)
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The cells of a set, from the lowest.
#[derive(Debug)]
pub(super) struct Cells(u128);

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let cell = Cell(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

const fn board() -> CellSet {
    let mut bits = 0;
    let mut index = 0;
    while index < LETTERS * LETTERS {
        if is_cell(index / LETTERS, index % LETTERS) {
            bits |= 1 << index;
        }
        index += 1;
    }
    CellSet(bits)
}

static NEIGHBOURS: [CellSet; 121] = {
    let mut table = [CellSet::EMPTY; 121];
    let mut index = 0;
    while index < 121 {
        table[index] = CellSet(1 << index).neighbours();
        index += 1;
    }
    table
};

/// The cells row by row as the board is drawn, top to bottom, left to right (RULES 1.2).
pub(super) fn rows() -> impl Iterator<Item = impl Iterator<Item = Cell>> {
    (-5..=5).map(|row: i32| (0..LETTERS).filter_map(move |q| Cell::at(q, q - row)))
}

/// The kinds of pieces (RULES 1.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PieceKind {
    Centre,
    Strike,
    Support,
}

impl PieceKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Centre, Self::Strike, Self::Support];

    /// How many of them a side has.
    #[must_use]
    pub const fn n_pieces(self) -> u32 {
        match self {
            Self::Centre => 1,
            Self::Strike | Self::Support => 6,
        }
    }

    /// The letter of RULES 1.4.
    pub(super) const fn letter(self, side: Side) -> u8 {
        let letter = match self {
            Self::Centre => b'c',
            Self::Strike => b's',
            Self::Support => b'p',
        };
        match side {
            Side::First => letter.to_ascii_uppercase(),
            Side::Second => letter,
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Centre => "centre",
            Self::Strike => "strike",
            Self::Support => "support",
        })
    }
}

/// The pieces of a side. Three sets without a common cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Army {
    centre: Cell,
    pub(super) strike: CellSet,
    pub(super) support: CellSet,
}

impl Army {
    pub(super) fn movable(&self) -> CellSet {
        self.strike | self.support
    }

    pub(super) fn all(&self) -> CellSet {
        self.movable() | self.centre.set()
    }

    pub(super) fn of_kind(&self, kind: PieceKind) -> CellSet {
        match kind {
            PieceKind::Centre => self.centre.set(),
            PieceKind::Strike => self.strike,
            PieceKind::Support => self.support,
        }
    }

    /// Puts the piece that stands on one of two cells onto the other.
    #[inline]
    fn transfer(&mut self, on: Cell, other: Cell) {
        let both = on.set() | other.set();
        if self.strike.contains(on) {
            self.strike = self.strike ^ both;
        } else if self.support.contains(on) {
            self.support = self.support ^ both;
        } else if self.centre == on {
            self.centre = other;
        }
    }
}

/// Where the 26 pieces stand. No cell has two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    armies: BySide<Army>,
}

/// A [`Board`] in the fewest bytes that copy: a game keeps one for each of its turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedBoard {
    centres: [Cell; 2],
    /// The bits of the sets of both armies.
    sets: [[u8; 16]; 4],
}

impl Board {
    /// The same board, to be kept and compared.
    pub(super) const fn packed(&self) -> PackedBoard {
        let BySide { first, second } = &self.armies;
        PackedBoard {
            centres: [first.centre, second.centre],
            sets: [
                first.strike.0.to_ne_bytes(),
                first.support.0.to_ne_bytes(),
                second.strike.0.to_ne_bytes(),
                second.support.0.to_ne_bytes(),
            ],
        }
    }

    /// The board with exactly these pieces; `None` if a side has no centre.
    pub(super) fn new(pieces: &BySide<[CellSet; 3]>) -> Option<Self> {
        let army = |[centre, strike, support]: [CellSet; 3]| {
            Some(Army { centre: centre.into_iter().next()?, strike, support })
        };
        Some(Self { armies: BySide { first: army(pieces.first)?, second: army(pieces.second)? } })
    }

    pub(super) const fn army(&self, side: Side) -> &Army {
        match side {
            Side::First => &self.armies.first,
            Side::Second => &self.armies.second,
        }
    }

    pub(super) fn kind_at(&self, side: Side, cell: Cell) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| self.army(side).of_kind(*kind).contains(cell))
    }

    pub(super) fn occupied(&self) -> CellSet {
        self.armies.first.all() | self.armies.second.all()
    }

    /// The strike pieces of the other side that are next to this side's centre (RULES 1.7).
    #[inline]
    pub(super) fn attackers(&self, side: Side) -> CellSet {
        self.army(side).centre.neighbours() & self.army(side.other()).strike
    }

    /// Whether the six neighbours of a side's centre all hold strike pieces of the other side (RULES 1.14).
    /// There are six of those, so it is the same to ask whether each is next to the centre.
    #[inline]
    pub(super) fn is_surrounded(&self, side: Side) -> bool {
        self.army(side.other()).strike.is_subset(self.army(side).centre.neighbours())
    }

    /// Whether the strike pieces of the other side are one connected set, and three of them next to a side's
    /// centre (RULES 1.16).
    pub(super) fn is_besieged(&self, side: Side) -> bool {
        let strike = self.army(side.other()).strike;
        self.attackers(side).len() >= 3 && strike.lowest().flood(strike).0 == strike
    }

    /// Moves a strike or support piece of `side`, changing it with the piece that is there (RULES 1.10), which
    /// is not of its own side and kind.
    #[inline]
    pub(super) fn exchange(&mut self, side: Side, from: Cell, to: Cell) {
        let both = from.set() | to.set();
        let army = &mut self.armies[side];
        let is_strike = army.strike.contains(from);
        army.transfer(to, from);
        let mover = if is_strike { &mut army.strike } else { &mut army.support };
        *mover = *mover ^ both;
        self.armies[side.other()].transfer(to, from);
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = [None; 121];
        for side in Side::ALL {
            for kind in PieceKind::ALL {
                for cell in self.army(side).of_kind(kind) {
                    letters[usize::from(cell.0)] = Some(kind.letter(side));
                }
            }
        }
        let mut text = String::with_capacity(64);
        for row in rows() {
            if !text.is_empty() {
                text.push('/');
            }
            write_row(&mut text, row.map(|cell| letters[usize::from(cell.0)]));
        }
        f.write_str(&text)
    }
}
