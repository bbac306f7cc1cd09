use std::fmt;

use crate::core::{CellName, Rule};

const N_SQUARES: usize = 52;
const N_HEXES: usize = 43;
const N_CELLS: usize = N_SQUARES + N_HEXES;
/// Number of cells of the larger board.
pub(super) const MAX_CELLS: usize = N_SQUARES;
/// The height of the highest stack (RULES 3.2, 4.2).
const MAX_HEIGHT: usize = 6;
/// Maximum number of cells that a stack reaches.
const MAX_REACH: usize = 24;

/// The board of Focus (RULES 3.1) or of Crossfire (RULES 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Board {
    Squares,
    Hexes,
}

/// Shape of a board: its rows, centred on each other, and the steps to neighbouring cells.
struct Shape {
    first: Cell,
    /// The lengths of the rows, top to bottom.
    rows: &'static [u8],
    widest: u8,
    /// The difference of letters between neighbours in a row.
    pace: u8,
    /// The change of letter and number on the way to each neighbour.
    directions: &'static [(i8, i8)],
}

static SQUARES: Shape = Shape {
    first: Cell(0),
    rows: &[4, 6, 8, 8, 8, 8, 6, 4],
    widest: 8,
    pace: 1,
    directions: &[(-1, 0), (1, 0), (0, -1), (0, 1)],
};

static HEXES: Shape = Shape {
    first: Cell(N_SQUARES as u8),
    rows: &[1, 4, 7, 6, 7, 6, 7, 4, 1],
    widest: 7,
    pace: 2,
    directions: &[(-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)],
};

impl Shape {
    /// The letter that a row begins with, counted from 0.
    const fn margin(&self, row: usize) -> u8 {
        (self.widest - self.rows[row]) * self.pace / 2
    }

    /// The cell that a row begins with.
    const fn row_start(&self, row: usize) -> u8 {
        let mut start = self.first.0;
        let mut above = 0;
        while above < row {
            start += self.rows[above];
            above += 1;
        }
        start
    }
}

impl Board {
    const fn shape(self) -> &'static Shape {
        match self {
            Self::Squares => &SQUARES,
            Self::Hexes => &HEXES,
        }
    }

    /// The clause that defines the cells of the board.
    pub(super) const fn rule(self) -> Rule {
        match self {
            Self::Squares => Rule::new("3.1"),
            Self::Hexes => Rule::new("4.1"),
        }
    }

    pub(super) const fn n_cells(self) -> usize {
        match self {
            Self::Squares => N_SQUARES,
            Self::Hexes => N_HEXES,
        }
    }

    /// The cells row by row as the position's text has them, top to bottom, left to right.
    pub(super) fn rows(self) -> impl Iterator<Item = impl ExactSizeIterator<Item = Cell>> {
        let shape = self.shape();
        shape.rows.iter().scan(shape.first.0, |first, length| {
            let row = *first..*first + length;
            *first = row.end;
            Some(row.map(Cell))
        })
    }

    /// All cells, in the order of the rows.
    pub(super) fn cells(self) -> impl Iterator<Item = Cell> {
        let first = self.shape().first.0;
        (first..first + self.n_cells() as u8).map(Cell)
    }

    /// For each cell, in the order of the rows, the cells that stacks can reach from it.
    #[inline]
    pub(super) fn reaches(self) -> &'static [Reach] {
        &REACHES[usize::from(self.shape().first.0)..][..self.n_cells()]
    }

    /// The cell of a letter, counted from 0, and a number.
    pub(super) const fn at(self, letter: i8, number: i8) -> Option<Cell> {
        let shape = self.shape();
        let n_rows = shape.rows.len();
        if letter < 0 || number < 1 || number as usize > n_rows {
            return None;
        }
        let row = n_rows - number as usize;
        let (letter, margin) = (letter as u8, shape.margin(row));
        if letter < margin || !(letter - margin).is_multiple_of(shape.pace) {
            return None;
        }
        let column = (letter - margin) / shape.pace;
        if column < shape.rows[row] { Some(Cell(shape.row_start(row) + column)) } else { None }
    }

    /// The cell of a name such as `d4`.
    pub(super) fn cell(self, name: &str) -> Option<Cell> {
        let &[letter @ b'a'..=b'z', number @ b'1'..=b'9'] = name.as_bytes() else { return None };
        self.at((letter - b'a') as i8, (number - b'0') as i8)
    }
}

/// A cell of one of the two boards. The cells of a board are in the order of its text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell's number among those of both boards.
    #[inline]
    pub(super) const fn number(self) -> u64 {
        self.0 as u64
    }

    const fn board(self) -> Board {
        if (self.0 as usize) < N_SQUARES { Board::Squares } else { Board::Hexes }
    }

    /// Its index among the cells of its board.
    #[must_use]
    #[inline]
    pub const fn slot(self) -> usize {
        match self.board() {
            Board::Squares => self.0 as usize,
            Board::Hexes => self.0 as usize - N_SQUARES,
        }
    }

    /// Letter, counted from 0, and number.
    pub(super) const fn place(self) -> (i8, i8) {
        let shape = self.board().shape();
        let mut row = shape.rows.len() - 1;
        while shape.row_start(row) > self.0 {
            row -= 1;
        }
        let letter = shape.margin(row) + (self.0 - shape.row_start(row)) * shape.pace;
        (letter as i8, (shape.rows.len() - row) as i8)
    }

    /// The letter and the number (RULES 3.1, 4.1).
    #[must_use]
    pub const fn name(self) -> CellName {
        let (letter, number) = self.place();
        CellName::new(letter as u8, number as u8)
    }

    /// Maximum height of a stack on the cell (RULES 3.6, 4.2).
    #[must_use]
    #[inline]
    pub const fn capacity(self) -> u8 {
        match self.board() {
            Board::Squares => 5,
            Board::Hexes => REACHES[self.0 as usize].ends[1],
        }
    }

    /// The distance to another cell along a straight line; `None` if no line leads there, or if it is the same cell.
    #[must_use]
    #[inline]
    pub const fn distance(self, to: Self) -> Option<u8> {
        match DISTANCES[self.0 as usize][to.slot()] {
            0 => None,
            distance => Some(distance),
        }
    }

    #[inline]
    pub(super) const fn reach(self) -> &'static Reach {
        &REACHES[self.0 as usize]
    }

    /// The cells of the straight line to a cell, both ends included.
    pub(super) fn line(self, to: Self) -> Vec<Self> {
        let distance = self.distance(to).expect("the two are in line") as i8;
        let ((letter, number), (last_letter, last_number)) = (self.place(), to.place());
        let (step, rise) = ((last_letter - letter) / distance, (last_number - number) / distance);
        (0..=distance)
            .map(|n| self.board().at(letter + n * step, number + n * rise).expect("lines stay on the board"))
            .collect()
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

/// The cells that stacks can go to from one cell (RULES 3.4).
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// The cells in order of distance, the nearest first.
    cells: [Cell; MAX_REACH],
    /// Number of the cells within each distance.
    ends: [u8; MAX_HEIGHT + 1],
}

impl Reach {
    /// The cells that a stack of this height can go to.
    #[inline]
    pub(super) fn cells(&self, height: u8) -> &[Cell] {
        &self.cells[..usize::from(self.n_cells(height))]
    }

    #[inline]
    pub(super) const fn n_cells(&self, height: u8) -> u8 {
        self.ends[height as usize]
    }
}

/// Distance from each cell to each slot of its board; 0 if no straight line leads there.
static DISTANCES: [[u8; MAX_CELLS]; N_CELLS] = {
    let mut table = [[0; MAX_CELLS]; N_CELLS];
    let mut from = 0;
    while from < N_CELLS {
        let cell = Cell(from as u8);
        let directions = cell.board().shape().directions;
        let mut direction = 0;
        while direction < directions.len() {
            let (step, rise) = directions[direction];
            let (mut letter, mut number) = cell.place();
            let mut distance = 0;
            while let Some(to) = cell.board().at(letter, number) {
                table[from][to.slot()] = distance;
                distance += 1;
                letter += step;
                number += rise;
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

static REACHES: [Reach; N_CELLS] = {
    let mut table = [Reach { cells: [Cell(0); MAX_REACH], ends: [0; MAX_HEIGHT + 1] }; N_CELLS];
    let mut from = 0;
    while from < N_CELLS {
        let first = Cell(from as u8).board().shape().first.0;
        let (mut n_cells, mut distance) = (0, 1);
        while distance <= MAX_HEIGHT {
            let mut slot = 0;
            while slot < MAX_CELLS {
                if DISTANCES[from][slot] == distance as u8 {
                    table[from].cells[n_cells] = Cell(first + slot as u8);
                    n_cells += 1;
                }
                slot += 1;
            }
            table[from].ends[distance] = n_cells as u8;
            distance += 1;
        }
        from += 1;
    }
    table
};
