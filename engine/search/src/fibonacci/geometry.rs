use engine::{
    BitCell,
    fibonacci::{Cell, CellSet},
};

/// Letters and numbers of the board, 11 each. A cell's bit is 11 · letter + number.
const LETTERS: usize = 11;

/// Number of bits of a set, a power of two, so that no index needs a bounds check.
const N_BITS: usize = 128;

static DISTANCES: [[u8; N_BITS]; N_BITS] = {
    let mut table = [[0; N_BITS]; N_BITS];
    let mut index = 0;
    while index < N_BITS * N_BITS {
        let (a, b) = (index / N_BITS, index % N_BITS);
        let dq = (a / LETTERS) as i32 - (b / LETTERS) as i32;
        let dr = (a % LETTERS) as i32 - (b % LETTERS) as i32;
        let (dq, dr, both) = (dq.abs(), dr.abs(), (dq - dr).abs());
        let longer = if dq > dr { dq } else { dr };
        table[a][b] = if longer > both { longer } else { both } as u8;
        index += 1;
    }
    table
};

/// The number of steps from one cell to another.
#[inline]
pub(crate) fn distance(a: Cell, b: Cell) -> u8 {
    DISTANCES[usize::from(a.bit()) % N_BITS][usize::from(b.bit()) % N_BITS]
}

/// The number of steps from a cell to the edge.
#[inline]
pub(super) fn from_edge(cell: Cell) -> u8 {
    const MIDDLE: usize = 5 * LETTERS + 5;
    5 - DISTANCES[usize::from(cell.bit()) % N_BITS][MIDDLE]
}

/// Whether a cell has six neighbours, so that a centre on it can be surrounded.
#[inline]
pub(super) fn is_inner(cell: Cell) -> bool {
    cell.neighbours().len() == 6
}

/// The connected parts of `within` that touch or overlap `seed`, and `seed`.
#[inline]
pub(super) fn flood(seed: CellSet, within: CellSet) -> CellSet {
    let mut part = seed;
    loop {
        let grown = part | (part.neighbours() & within);
        if grown == part {
            return part;
        }
        part = grown;
    }
}

/// The number of cells of a set next to each cell, in three bit planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct NeighbourCounts {
    ones: CellSet,
    twos: CellSet,
    fours: CellSet,
}

impl NeighbourCounts {
    /// Counts the neighbours of each cell among at most six cells.
    #[inline]
    pub(super) fn new(cells: CellSet) -> Self {
        let [mut ones, mut twos, mut fours] = [CellSet::EMPTY; 3];
        for cell in cells {
            let near = cell.neighbours();
            let carry = ones & near;
            ones = ones ^ near;
            fours = fours ^ (twos & carry);
            twos = twos ^ carry;
        }
        Self { ones, twos, fours }
    }

    /// The cells with at least `n` neighbours; at least one.
    #[inline]
    pub(super) fn at_least(&self, n: u8) -> CellSet {
        let Self { ones, twos, fours } = *self;
        match n {
            0 | 1 => ones | twos | fours,
            2 => twos | fours,
            3 => (ones & twos) | fours,
            4 => fours,
            5 => fours & (ones | twos),
            6 => fours & twos,
            _ => CellSet::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_steps() {
        for from in Cell::all() {
            let mut reached = from.set();
            for steps in 0..=10 {
                for to in Cell::all() {
                    assert_eq!(reached.contains(to), distance(from, to) <= steps, "{from} {to}");
                }
                reached = reached | reached.neighbours();
            }
        }
    }

    #[test]
    fn neighbours_are_counted() {
        let cells = ["a1", "b2", "e5", "f5", "f6", "k11"].map(|name| name.parse::<Cell>().unwrap().set());
        let cells = cells.into_iter().fold(CellSet::EMPTY, |all, cell| all | cell);
        let counts = NeighbourCounts::new(cells);
        for cell in Cell::all() {
            let n = (cell.neighbours() & cells).len() as u8;
            for least in 1..=6 {
                assert_eq!(counts.at_least(least).contains(cell), n >= least, "{cell}");
            }
        }
    }
}
