use std::{fmt, str::FromStr};

use crate::core::{BitCell, BitSet, BySide, CellName, Side, write_row, zobrist};

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

    /// The set of this cell alone.
    #[must_use]
    #[inline]
    pub const fn set(self) -> CellSet {
        CellSet::from_bits(1 << self.0)
    }

    /// The neighbouring cells (RULES 1.1).
    #[must_use]
    #[inline]
    pub const fn neighbours(self) -> CellSet {
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

/// The error of a text that is not the name of a cell.
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

impl BitCell for Cell {
    #[inline]
    fn bit(self) -> u8 {
        self.0
    }

    #[inline]
    fn from_bit(bit: u8) -> Self {
        Self(bit)
    }
}

/// Any of the 91 cells, one bit each.
///
/// A cell's bit is 11 · letter + number, so a step to a neighbour is a shift by 1, 11 or 12. A shift off the edge
/// always ends on an unused bit: letters and numbers that differ by more than 5 leave a gap of at least five bits
/// between the cells of neighbouring letters.
pub type CellSet = BitSet<Cell>;

impl CellSet {
    pub(super) const BOARD: Self = board();

    /// The cells next to at least one of these (RULES 1.1); not these themselves, unless they are neighbours.
    #[must_use]
    #[inline]
    pub const fn neighbours(self) -> Self {
        let bits = self.bits();
        let up = bits << 1;
        let down = bits >> 1;
        Self::from_bits((up | down | (bits | up) << 11 | (bits | down) >> 11) & Self::BOARD.bits())
    }

    /// The connected part of `within` around this set, which must be a part of it, and the cells next to that part.
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

const fn board() -> CellSet {
    let mut bits = 0;
    let mut index = 0;
    while index < LETTERS * LETTERS {
        if is_cell(index / LETTERS, index % LETTERS) {
            bits |= 1 << index;
        }
        index += 1;
    }
    CellSet::from_bits(bits)
}

static NEIGHBOURS: [CellSet; 121] = {
    let mut table = [CellSet::EMPTY; 121];
    let mut index = 0;
    while index < 121 {
        table[index] = CellSet::from_bits(1 << index).neighbours();
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

    /// Number of pieces of this kind that a side has.
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

/// The pieces of a side, as three disjoint sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Army {
    /// The hash of its pieces. It fits into the padding that the alignment of the sets leaves.
    hash: u64,
    pub(super) centre: Cell,
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

    /// Moves the piece on one of two cells, if there is one, to the other. `side` is the side of the army.
    #[inline]
    fn transfer(&mut self, side: Side, on: Cell, other: Cell) {
        let both = on.set() | other.set();
        let kind = if self.strike.contains(on) {
            self.strike = self.strike ^ both;
            PieceKind::Strike
        } else if self.support.contains(on) {
            self.support = self.support ^ both;
            PieceKind::Support
        } else if self.centre == on {
            self.centre = other;
            PieceKind::Centre
        } else {
            return;
        };
        self.hash ^= transfer_hash(side, kind, on, other);
    }
}

/// Number of bits of a set.
const N_BITS: usize = 128;

/// The first index of [`zobrist::number`] after those of pieces.
pub(super) const FIRST_FREE_NUMBER: u64 = 6 * N_BITS as u64;

/// The change of the hash when a piece moves from one cell to the other, or back.
#[inline]
fn transfer_hash(side: Side, kind: PieceKind, on: Cell, other: Cell) -> u64 {
    piece_hash(side, kind, on) ^ piece_hash(side, kind, other)
}

#[inline]
const fn piece_hash(side: Side, kind: PieceKind, cell: Cell) -> u64 {
    zobrist::number(((3 * side.index() + kind as usize) * N_BITS + cell.0 as usize) as u64)
}

/// The places of the 26 pieces, at most one on each cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    armies: BySide<Army>,
}

/// A compact copy of a [`Board`]. A game keeps one for each of its turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedBoard {
    centres: [Cell; 2],
    /// The bits of the sets of both armies.
    sets: [[u8; 16]; 4],
}

impl Board {
    /// The compact form of the board, to be kept and compared.
    pub(super) const fn packed(&self) -> PackedBoard {
        let BySide { first, second } = &self.armies;
        PackedBoard {
            centres: [first.centre, second.centre],
            sets: [
                first.strike.bits().to_ne_bytes(),
                first.support.bits().to_ne_bytes(),
                second.strike.bits().to_ne_bytes(),
                second.support.bits().to_ne_bytes(),
            ],
        }
    }

    /// The board with exactly these pieces; `None` if a side has no centre.
    pub(super) fn new(pieces: &BySide<[CellSet; 3]>) -> Option<Self> {
        let army = |side: Side| {
            let [centre, strike, support] = pieces[side];
            let hashes = PieceKind::ALL
                .into_iter()
                .zip(pieces[side])
                .flat_map(|(kind, cells)| cells.into_iter().map(move |cell| piece_hash(side, kind, cell)));
            let hash = hashes.fold(0, |all, hash| all ^ hash);
            Some(Army { hash, centre: centre.first()?, strike, support })
        };
        Some(Self { armies: BySide { first: army(Side::First)?, second: army(Side::Second)? } })
    }

    #[inline]
    pub(super) const fn hash(&self) -> u64 {
        self.armies.first.hash ^ self.armies.second.hash
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

    /// Whether the six neighbours of a side's centre all hold strike pieces of the other side (RULES 1.14). A side has
    /// six strike pieces, so this holds exactly if each is next to the centre.
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

    /// Moves a strike or support piece of `side`. A piece on the target, which must not be of the same side and kind,
    /// changes places with it (RULES 1.10).
    #[inline]
    pub(super) fn exchange(&mut self, side: Side, from: Cell, to: Cell) {
        let both = from.set() | to.set();
        let army = &mut self.armies[side];
        let kind = if army.strike.contains(from) { PieceKind::Strike } else { PieceKind::Support };
        army.transfer(side, to, from);
        army.hash ^= transfer_hash(side, kind, from, to);
        let mover = if kind == PieceKind::Strike { &mut army.strike } else { &mut army.support };
        *mover = *mover ^ both;
        self.armies[side.other()].transfer(side.other(), to, from);
    }
}

/// The text of an empty board, with a zero for each cell, and the place of each cell in it.
static BLANK: ([u8; 101], [u8; 121]) = {
    let (mut signs, mut places) = ([0; 101], [0; 121]);
    let (mut row, mut place) = (-5, 0);
    while row <= 5 {
        let mut q = 0;
        while q < LETTERS {
            if let Some(Cell(cell)) = Cell::at(q, q - row) {
                places[cell as usize] = place as u8;
                place += 1;
            }
            q += 1;
        }
        if row < 5 {
            signs[place] = b'/';
            place += 1;
        }
        row += 1;
    }
    (signs, places)
};

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut signs, places) = (BLANK.0, &BLANK.1);
        for side in Side::ALL {
            for kind in PieceKind::ALL {
                for cell in self.army(side).of_kind(kind) {
                    signs[usize::from(places[usize::from(cell.0)])] = kind.letter(side);
                }
            }
        }
        let mut text = String::with_capacity(signs.len());
        write_row(&mut text, signs.into_iter().map(|sign| (sign != 0).then_some(sign)));
        f.write_str(&text)
    }
}
