//! Reference implementation of Fibonacci, slow and simple: pieces in a map, coordinates instead of bits. It shares no
//! code with the engine.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::Ruleset;

/// Letter and number of a cell, both counted from 1.
pub(crate) type Place = (i32, i32);

pub(crate) struct Board {
    pub(crate) pieces: BTreeMap<Place, char>,
}

pub(crate) fn is_cell((q, r): Place) -> bool {
    (1..=11).contains(&q) && (1..=11).contains(&r) && (q - r).abs() <= 5
}

pub(crate) fn cells() -> Vec<Place> {
    (1..=11).flat_map(|q| (1..=11).map(move |r| (q, r))).filter(|place| is_cell(*place)).collect()
}

pub(crate) fn neighbours((q, r): Place) -> impl Iterator<Item = Place> {
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]
        .into_iter()
        .map(move |(dq, dr)| (q + dq, r + dr))
        .filter(|place| is_cell(*place))
}

pub(crate) fn name((q, r): Place) -> String {
    format!("{}{r}", char::from(b'`' + u8::try_from(q).unwrap()))
}

pub(crate) fn place(name: &str) -> Place {
    let (letter, number) = name.split_at(1);
    (i32::from(letter.as_bytes()[0] - b'`'), number.parse().unwrap())
}

/// Row lengths and first cells as RULES 1.2 lists them.
const ROWS: [(&str, usize); 11] = [
    ("a6", 6),
    ("a5", 7),
    ("a4", 8),
    ("a3", 9),
    ("a2", 10),
    ("a1", 11),
    ("b1", 10),
    ("c1", 9),
    ("d1", 8),
    ("e1", 7),
    ("f1", 6),
];

fn row_cells(row: (&str, usize)) -> Vec<Place> {
    let (q, r) = place(row.0);
    (0..).take(row.1).map(|step| (q + step, r + step)).collect()
}

impl Board {
    pub(crate) fn read(text: &str) -> Self {
        let mut pieces = BTreeMap::new();
        for (row, run) in ROWS.into_iter().zip(text.split(' ').next().unwrap().split('/')) {
            let expanded = run.replace("11", "...........").replace("10", "..........");
            let letters: String = expanded
                .chars()
                .map(|c| c.to_digit(10).map_or(c.to_string(), |n| ".".repeat(n as usize)))
                .collect();
            assert_eq!(letters.len(), row.1, "{text}");
            pieces.extend(row_cells(row).into_iter().zip(letters.chars()).filter(|(_, c)| *c != '.'));
        }
        Self { pieces }
    }

    pub(crate) fn print(&self) -> String {
        let rows = ROWS.map(|row| {
            let letters: String =
                row_cells(row).iter().map(|place| self.pieces.get(place).unwrap_or(&'.')).collect();
            (1..=11).rev().fold(letters, |text, n| text.replace(&".".repeat(n), &n.to_string()))
        });
        rows.join("/")
    }

    /// Reads a board written as `C a6 S b6 b7 … s j6 …`: each letter is followed by the cells of its pieces.
    pub(crate) fn of(pieces: &str) -> Self {
        let mut board = Self { pieces: BTreeMap::new() };
        let mut letter = '?';
        for word in pieces.split_whitespace() {
            if word.len() == 1 {
                letter = word.chars().next().unwrap();
            } else {
                assert!(is_cell(place(word)), "{word} is no cell");
                assert_eq!(board.pieces.insert(place(word), letter), None, "{word} has two pieces");
            }
        }
        board
    }

    pub(crate) fn group(&self, ruleset: Ruleset, of: Place) -> BTreeSet<Place> {
        let letter = self.pieces[&of];
        let belongs = |place: &Place| {
            self.pieces.get(place).is_some_and(|c| match ruleset {
                Ruleset::FibonacciMixed => c.is_uppercase() == letter.is_uppercase(),
                _ => *c == letter,
            })
        };
        let mut group = BTreeSet::from([of]);
        let mut queue = VecDeque::from([of]);
        while let Some(place) = queue.pop_front() {
            for next in neighbours(place).filter(belongs) {
                if group.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        group
    }

    /// The texts of all moves of the side with capital or small letters.
    pub(crate) fn moves(&self, ruleset: Ruleset, capital: bool) -> BTreeSet<String> {
        let mut moves = BTreeSet::new();
        for (from, letter) in &self.pieces {
            if letter.is_uppercase() != capital || letter.eq_ignore_ascii_case(&'c') {
                continue;
            }
            let group = self.group(ruleset, *from);
            for to in cells() {
                let near = neighbours(to).any(|place| group.contains(&place));
                if near && self.pieces.get(&to) != Some(letter) {
                    moves.insert(format!("{}-{}", name(*from), name(to)));
                }
            }
        }
        moves
    }

    /// The length of a shortest path from a piece through its group to a cell.
    pub(crate) fn distance(&self, ruleset: Ruleset, from: Place, to: Place) -> Option<usize> {
        let group = self.group(ruleset, from);
        let mut seen = BTreeSet::from([from]);
        let mut layer = vec![from];
        for distance in 1..=group.len() {
            if layer.iter().any(|place| neighbours(*place).any(|next| next == to)) {
                return Some(distance);
            }
            layer = layer
                .into_iter()
                .flat_map(neighbours)
                .filter(|next| group.contains(next) && seen.insert(*next))
                .collect();
        }
        None
    }

    /// Whether the side with capital or small letters has won (RULES 1.14, 1.16).
    pub(crate) fn has_won(&self, ruleset: Ruleset, capital: bool) -> bool {
        let own = |letter: char| if capital { letter.to_ascii_uppercase() } else { letter };
        let strike: BTreeSet<Place> =
            self.pieces.iter().filter(|(_, c)| **c == own('s')).map(|(place, _)| *place).collect();
        let centre =
            *self.pieces.iter().find(|(_, c)| c.eq_ignore_ascii_case(&'c') && **c != own('c')).unwrap().0;
        let near = neighbours(centre).filter(|place| strike.contains(place)).count();
        if !ruleset.has_cards() {
            return near == 6;
        }
        near >= 3 && self.group(Ruleset::Fibonacci, *strike.first().unwrap()) == strike
    }
}
