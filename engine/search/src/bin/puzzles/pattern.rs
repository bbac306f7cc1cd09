use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use engine::{AnyMatch, Ruleset, Side};

/// A place on a board of squares, or of hexagons with its three coordinates.
type Place = [i8; 3];

/// The pieces of a position that its task depends on, as the side to move sees them.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pieces: BTreeMap<Place, String>,
    symmetries: &'static [[(usize, i8); 3]],
    /// Maximum number of differing places of two similar patterns.
    most: usize,
}

/// Symmetries of the square board: for each coordinate, its source and sign. Coordinates are doubled and centred.
const SQUARE: [[(usize, i8); 3]; 8] = [
    [(0, 1), (1, 1), (2, 1)],
    [(0, -1), (1, 1), (2, 1)],
    [(0, 1), (1, -1), (2, 1)],
    [(0, -1), (1, -1), (2, 1)],
    [(1, 1), (0, 1), (2, 1)],
    [(1, -1), (0, 1), (2, 1)],
    [(1, 1), (0, -1), (2, 1)],
    [(1, -1), (0, -1), (2, 1)],
];

const HEXAGON: [[(usize, i8); 3]; 12] = {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];
    let mut symmetries = [[(0, 0); 3]; 12];
    let mut index = 0;
    while index < 12 {
        let (order, sign) = (ORDERS[index / 2], if index % 2 == 0 { 1 } else { -1 });
        symmetries[index] = [(order[0], sign), (order[1], sign), (order[2], sign)];
        index += 1;
    }
    symmetries
};

/// The letters of the cells of Crossfire, by rows.
const CROSSFIRE: [&str; 9] = ["g", "dfhj", "acegikm", "bdfhjl", "acegikm", "bdfhjl", "acegikm", "dfhj", "g"];

/// The first letter and the number of cells of the rows of Focus.
const FOCUS: [(u8, usize); 8] = [(2, 4), (1, 6), (0, 8), (0, 8), (0, 8), (0, 8), (1, 6), (2, 4)];

impl Pattern {
    pub(crate) fn of(game: &AnyMatch) -> anyhow::Result<Self> {
        let text = game.position_text();
        let board = text.split(' ').next().context("no board")?;
        let is_first = game.to_move() == Side::First;
        let mut pieces = BTreeMap::new();
        for (row, cells) in board.split('/').enumerate() {
            for (index, cell) in cells_of(game.ruleset(), cells)?.into_iter().enumerate() {
                if let Some(piece) = seen(game.ruleset(), &cell, is_first) {
                    pieces.insert(place(game.ruleset(), row, index), piece);
                }
            }
        }
        let (symmetries, most): (&[_], _) = match game.ruleset() {
            Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards => (&HEXAGON, 6),
            Ruleset::Fenix => (&SQUARE, 8),
            Ruleset::Focus | Ruleset::FocusClassic => (&SQUARE, 4),
            Ruleset::Crossfire => (&HEXAGON, 4),
        };
        ensure!(!pieces.is_empty(), "no pieces");
        Ok(Self { pieces, symmetries, most })
    }

    /// Whether two patterns differ in a few places at most, apart from a symmetry of the board.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.symmetries.iter().any(|symmetry| {
            let image = |place: &Place| symmetry.map(|(source, sign)| sign * place[source]);
            let n_same =
                self.pieces.iter().filter(|(at, piece)| other.pieces.get(&image(at)) == Some(piece)).count();
            let n_places = self.pieces.len() + other.pieces.len();
            n_places - 2 * n_same <= self.most
        })
    }
}

/// The texts of the cells of a row, empty for an empty cell.
fn cells_of(ruleset: Ruleset, row: &str) -> anyhow::Result<Vec<String>> {
    if ruleset.has_drops() {
        return Ok(row.split(',').map(|cell| cell.replace('.', "")).collect());
    }
    let mut cells = Vec::new();
    let mut n_empty = 0;
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            n_empty = 10 * n_empty + digit as usize;
        } else {
            cells.resize(cells.len() + std::mem::take(&mut n_empty), String::new());
            cells.push(letter.to_string());
        }
    }
    Ok(cells)
}

/// A piece as the side to move sees it; `None` if the task does not depend on it. In Fibonacci it depends on the
/// attackers and on the other centre.
fn seen(ruleset: Ruleset, cell: &str, is_first: bool) -> Option<String> {
    let cell: String = match (is_first, ruleset.has_drops()) {
        (true, _) => cell.to_owned(),
        (false, false) => {
            cell.chars()
                .map(|piece| {
                    if piece.is_uppercase() { piece.to_ascii_lowercase() } else { piece.to_ascii_uppercase() }
                })
                .collect()
        }
        (false, true) => cell.chars().map(|man| if man == 'x' { 'o' } else { 'x' }).collect(),
    };
    let counts = match ruleset {
        Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards => {
            matches!(cell.as_str(), "S" | "P" | "c")
        }
        Ruleset::Fenix | Ruleset::Focus | Ruleset::FocusClassic | Ruleset::Crossfire => !cell.is_empty(),
    };
    counts.then_some(cell)
}

fn place(ruleset: Ruleset, row: usize, index: usize) -> Place {
    let (row, index) = (row as i8, index as i8);
    match ruleset {
        Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards => {
            // Letter less number is the row less 5, and the first letter of the lower rows is further on.
            let down = row - 5;
            let letter = index - 5 + down.max(0);
            let number = letter - down;
            [letter, -number, number - letter]
        }
        Ruleset::Fenix => [2 * index - 8, 2 * row - 8, 0],
        Ruleset::Focus | Ruleset::FocusClassic => {
            [2 * (FOCUS[row as usize].0 as i8 + index) - 7, 2 * row - 7, 0]
        }
        Ruleset::Crossfire => {
            let letter = CROSSFIRE[row as usize].as_bytes()[index as usize] as i8 - b'g' as i8;
            let up = 4 - row;
            let x = (letter - up) / 2;
            [x, -x - up, up]
        }
    }
}
