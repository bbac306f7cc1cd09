//! The boards: their cells, where these lie, and what a position's text has on each.

use engine::{CellName, Ruleset};

use crate::{
    path::{Path, Point},
    scene::Unreadable,
};

/// Distance from the middle of a hexagon to a corner.
pub(crate) const RADIUS: f64 = 46.0;

/// Distance between the middles of neighbours in a row: √3 times the radius.
pub(crate) const WIDTH: f64 = 79.674_337_148_168_34;

/// Distance from the middle of a line's last cell to the line's label.
pub(crate) const LABEL_REACH: f64 = 61.0;

/// Distance from a row of hexagons to the next.
pub(crate) const ROW: f64 = 1.5 * RADIUS;

/// Arrangement of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lattice {
    /// Hexagons with a point up.
    Hexagons,
    Squares,
}

impl Lattice {
    /// Number of directions in which cells have neighbours, evenly spread and clockwise from the right.
    pub(crate) const fn n_directions(self) -> u8 {
        match self {
            Self::Hexagons => 6,
            Self::Squares => 8,
        }
    }

    /// Corners of a cell. With [`RADIUS`], the cell is filled.
    pub(crate) fn corners(self, center: Point, radius: f64) -> Vec<Point> {
        let (n, turn, reach) = match self {
            Self::Hexagons => (6, -30.0, radius),
            Self::Squares => (4, -135.0, radius * WIDTH / (2.0 * RADIUS) * std::f64::consts::SQRT_2),
        };
        (0..n).map(|k| center.towards(f64::from(k) * 360.0 / f64::from(n) + turn, reach)).collect()
    }

    /// Largest distance between the middles of two neighbours.
    const fn reach(self) -> f64 {
        match self {
            Self::Hexagons => WIDTH,
            Self::Squares => WIDTH * std::f64::consts::SQRT_2,
        }
    }
}

/// A cell of a board.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) name: String,
    pub(crate) middle: Point,
    /// Tone of its wood, 0 to 2.
    pub(crate) tone: usize,
}

/// A letter or a number at the end of a line.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) text: String,
    pub(crate) point: Point,
}

/// A game by its board and its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Fibonacci,
    Fenix,
    Focus,
    Crossfire,
}

impl Kind {
    pub(crate) const fn of(ruleset: Ruleset) -> Self {
        match ruleset {
            Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards => Self::Fibonacci,
            Ruleset::Fenix => Self::Fenix,
            Ruleset::Focus | Ruleset::FocusClassic => Self::Focus,
            Ruleset::Crossfire => Self::Crossfire,
        }
    }

    /// Directions in which the labels of letters and numbers lie from the ends of their lines, in degrees clockwise from
    /// the right.
    pub(crate) const fn label_degrees(self) -> [f64; 2] {
        match self {
            Self::Fibonacci => [120.0, 240.0],
            Self::Fenix | Self::Focus | Self::Crossfire => [90.0, 180.0],
        }
    }

    const fn lattice(self) -> Lattice {
        match self {
            Self::Fibonacci | Self::Crossfire => Lattice::Hexagons,
            Self::Fenix | Self::Focus => Lattice::Squares,
        }
    }

    /// Size of the tablet; 1 for the largest.
    pub(crate) const fn scale(self) -> f64 {
        match self {
            Self::Fibonacci => 1.0,
            Self::Fenix => 0.955,
            Self::Focus => 0.86,
            Self::Crossfire => 0.87,
        }
    }
}

/// A game's board.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) kind: Kind,
    pub(crate) lattice: Lattice,
    /// The rows from top to bottom, as a text has them.
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Board {
    pub(crate) fn of(ruleset: Ruleset) -> Self {
        let kind = Kind::of(ruleset);
        let rows = match kind {
            Kind::Fibonacci => fibonacci_rows(),
            Kind::Fenix => square_rows(&[9; 9]),
            Kind::Focus => square_rows(&[4, 6, 8, 8, 8, 8, 6, 4]),
            Kind::Crossfire => crossfire_rows(),
        };
        Self { kind, lattice: kind.lattice(), rows }
    }

    /// The cells in the order of a text.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flatten()
    }

    /// The middle of a cell.
    pub(crate) fn middle(&self, name: views::CellName) -> Option<Point> {
        let is_named = |cell: &&Cell| cell.name.parse::<CellName>().is_ok_and(|other| name == other.into());
        self.cells().find(is_named).map(|cell| cell.middle)
    }

    /// Whether two cells are neighbours, by their middles.
    pub(crate) fn are_neighbours(&self, one: Point, other: Point) -> bool {
        one.distance(other) < self.lattice.reach() + 1.0
    }

    /// The direction from a point to another, as a number of a neighbour.
    pub(crate) fn direction(&self, from: Point, to: Point) -> u8 {
        let n = self.lattice.n_directions();
        let turns = (to.y - from.y).atan2(to.x - from.x) / std::f64::consts::TAU;
        (0..n)
            .min_by(|a, b| {
                let off = |k: &u8| {
                    let off = (turns - f64::from(*k) / f64::from(n)).rem_euclid(1.0);
                    off.min(1.0 - off)
                };
                off(a).total_cmp(&off(b))
            })
            .unwrap_or(0)
    }

    /// Degrees of a direction, clockwise from the right.
    pub(crate) fn degrees(&self, direction: u8) -> f64 {
        f64::from(direction) * 360.0 / f64::from(self.lattice.n_directions())
    }

    /// The contents of the cells: the letter of a piece, or the men of a stack from the bottom up; empty for none.
    ///
    /// # Errors
    /// The text is not of this board.
    pub(crate) fn contents<'t>(&self, position: &'t str) -> Result<Vec<&'t str>, Unreadable> {
        let mut contents = Vec::new();
        let mut rows = position.split(' ').next().unwrap_or_default().split('/');
        for cells in &self.rows {
            let row = rows.next().ok_or(Unreadable)?;
            let before = contents.len();
            match self.kind {
                Kind::Fibonacci => read_letters(row, "CSPcsp", &mut contents)?,
                Kind::Fenix => read_letters(row, "SCKsck", &mut contents)?,
                Kind::Focus | Kind::Crossfire => read_stacks(row, &mut contents)?,
            }
            if contents.len() != before + cells.len() {
                return Err(Unreadable);
            }
        }
        if rows.next().is_some() { Err(Unreadable) } else { Ok(contents) }
    }

    /// The labels of all lines.
    pub(crate) fn labels(&self) -> Vec<Label> {
        let mut labels = Vec::new();
        let mut letters: Vec<&str> = self.cells().map(|cell| &cell.name[..1]).collect();
        letters.sort_unstable();
        letters.dedup();
        let [letter_degrees, number_degrees] = self.kind.label_degrees();
        for letter in letters {
            let in_line = self.cells().filter(|cell| cell.name.starts_with(letter));
            let Some(last) = in_line.last() else { continue };
            let point = match self.kind {
                Kind::Crossfire => self.below(last.middle.x),
                Kind::Fibonacci | Kind::Fenix | Kind::Focus => {
                    last.middle.towards(letter_degrees, LABEL_REACH)
                }
            };
            labels.push(Label { text: letter.to_owned(), point });
        }
        let mut numbers: Vec<&Cell> = Vec::new();
        for cell in self.cells() {
            if numbers.iter().all(|known| known.name[1..] != cell.name[1..]) {
                numbers.push(cell);
            }
        }
        labels.extend(numbers.into_iter().map(|first| Label {
            text: first.name[1..].to_owned(),
            point: first.middle.towards(number_degrees, LABEL_REACH),
        }));
        labels
    }

    /// The place of a letter below the field, as near to it as its column allows: below the lower corner of a cell, or
    /// below the point where two cells of the next columns meet.
    fn below(&self, x: f64) -> Point {
        let ends = self.cells().filter_map(|cell| match (cell.middle.x - x).abs() {
            off if off < 1.0 => Some(cell.middle.y + RADIUS),
            off if off < WIDTH / 2.0 + 1.0 => Some(cell.middle.y + RADIUS / 2.0),
            _ => None,
        });
        Point::at(x, ends.fold(f64::NEG_INFINITY, f64::max) + 19.0)
    }

    /// Marks each side that has a neighbour; their count is the cell's capacity (RULES 4.2).
    pub(crate) fn capacities(&self) -> Path {
        let mut strokes = Path::default();
        for cell in self.cells() {
            let is_neighbour = |k: &u8| {
                let middle = cell.middle.towards(self.degrees(*k), WIDTH);
                self.cells().any(|other| other.middle.distance(middle) < 1.0)
            };
            for k in (0..self.lattice.n_directions()).filter(is_neighbour) {
                strokes.ray(cell.middle, self.degrees(k), 31.0, 33.5);
            }
        }
        strokes
    }
}

/// Reads a row in which a piece is a letter and a run of empty cells its length.
fn read_letters<'t>(row: &'t str, letters: &str, contents: &mut Vec<&'t str>) -> Result<(), Unreadable> {
    let mut rest = row;
    while let Some(first) = rest.chars().next() {
        let n_digits = rest.chars().take_while(char::is_ascii_digit).count();
        if n_digits == 0 && !letters.contains(first) {
            return Err(Unreadable);
        }
        let (token, behind) = rest.split_at(n_digits.max(1));
        match token.parse::<u8>() {
            Ok(n_empty) => contents.extend((0..n_empty).map(|_| "")),
            Err(_) if n_digits > 0 => return Err(Unreadable),
            Err(_) => contents.push(token),
        }
        rest = behind;
    }
    Ok(())
}

/// Maximum number of men of a stack: those of both sides.
const MAX_MEN: usize = 36;

/// Reads a row of stacks, which are separated by commas.
fn read_stacks<'t>(row: &'t str, contents: &mut Vec<&'t str>) -> Result<(), Unreadable> {
    for cell in row.split(',') {
        let is_stack =
            (1..=MAX_MEN).contains(&cell.len()) && cell.bytes().all(|man| matches!(man, b'x' | b'o'));
        contents.push(match cell {
            "." => "",
            men if is_stack => men,
            _ => return Err(Unreadable),
        });
    }
    Ok(())
}

fn letter(index: i32) -> char {
    char::from(b'a' + u8::try_from(index.clamp(0, 25)).unwrap_or(0))
}

/// A hexagon by two steps: `u` goes down and right, `v` up and right.
fn hexagon(name: String, u: i32, v: i32) -> Cell {
    let middle = Point::at(f64::from(u + v) * WIDTH / 2.0, f64::from(u - v) * ROW);
    let tone = usize::try_from((u + v).rem_euclid(3)).unwrap_or(0);
    Cell { name, middle, tone }
}

fn fibonacci_rows() -> Vec<Vec<Cell>> {
    let row = |row: i32| {
        let cells = (-5..=5).map(move |u| (u, u + 5 - row)).filter(|(_, v)| v.abs() <= 5);
        cells.map(|(u, v)| hexagon(format!("{}{}", letter(u + 5), v + 6), u, v)).collect()
    };
    (0..11).map(row).collect()
}

fn crossfire_rows() -> Vec<Vec<Cell>> {
    let rows = ["g", "dfhj", "acegikm", "bdfhjl", "acegikm", "bdfhjl", "acegikm", "dfhj", "g"];
    let row = |(letters, row): (&str, i32)| {
        let cell = |letter: char| {
            let (across, down) = (i32::from(letter as u8) - i32::from(b'g'), row - 4);
            hexagon(format!("{letter}{}", 9 - row), (across + down) / 2, (across - down) / 2)
        };
        letters.chars().map(cell).collect()
    };
    rows.into_iter().zip(0..).map(row).collect()
}

/// Rows of squares, each row in the middle of the board's width.
fn square_rows(widths: &[i32]) -> Vec<Vec<Cell>> {
    let size = i32::try_from(widths.len()).unwrap_or(0);
    let half = f64::from(size - 1) / 2.0;
    let row = |(width, rank): (&i32, i32)| {
        let cell = |column: i32| {
            let file = column + (size - width) / 2;
            let middle = Point::at((f64::from(file) - half) * WIDTH, (f64::from(rank) - half) * WIDTH);
            let tone = if (file + rank) % 2 == 0 { 0 } else { 2 };
            Cell { name: format!("{}{}", letter(file), size - rank), middle, tone }
        };
        (0..*width).map(cell).collect()
    };
    widths.iter().zip(0..).map(row).collect()
}
