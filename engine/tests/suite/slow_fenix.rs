//! Reference implementation of RULES 2, slow and simple: pieces in a map, coordinates instead of bits, recursive
//! construction of complete captures. It shares no code with the engine.

use std::collections::{BTreeMap, BTreeSet};

/// File and rank of a square, both counted from 1.
pub(crate) type Place = (i32, i32);

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Board {
    pub(crate) pieces: BTreeMap<Place, char>,
}

pub(crate) fn squares() -> Vec<Place> {
    (1..=9).flat_map(|rank| (1..=9).map(move |file| (file, rank))).collect()
}

pub(crate) fn name((file, rank): Place) -> String {
    format!("{}{rank}", char::from(b'`' + u8::try_from(file).unwrap()))
}

pub(crate) fn place(name: &str) -> Place {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'`'), i32::from(bytes[1] - b'0'))
}

pub(crate) fn discs(letter: char) -> u32 {
    1 + "sck".find(letter.to_ascii_lowercase()).unwrap() as u32
}

fn directions(letter: char) -> Vec<(i32, i32)> {
    let all = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))).filter(|way| *way != (0, 0));
    all.filter(|(x, y)| letter.eq_ignore_ascii_case(&'k') || x * y == 0).collect()
}

/// The squares of the board on the line from a square, without that square.
fn line((file, rank): Place, (x, y): (i32, i32)) -> Vec<Place> {
    (1..9).map(|n| (file + n * x, rank + n * y)).filter(|place| squares().contains(place)).collect()
}

/// The landing squares of a capture and the squares of the taken pieces.
type Chain = (Vec<Place>, BTreeSet<Place>);

impl Board {
    pub(crate) fn read(text: &str) -> Self {
        let mut pieces = BTreeMap::new();
        for (row, rank) in text.split(' ').next().unwrap().split('/').zip((1..=9).rev()) {
            let mut file = 1;
            for letter in row.chars() {
                if let Some(run) = letter.to_digit(10) {
                    file += run as i32;
                } else {
                    pieces.insert((file, rank), letter);
                    file += 1;
                }
            }
            assert_eq!(file, 10, "{text}");
        }
        Self { pieces }
    }

    pub(crate) fn print(&self) -> String {
        let rows = (1..=9).rev().map(|rank| {
            let row: String = (1..=9).map(|file| self.pieces.get(&(file, rank)).unwrap_or(&'.')).collect();
            (1..=9).rev().fold(row, |row, n| row.replace(&".".repeat(n), &n.to_string()))
        });
        rows.collect::<Vec<_>>().join("/")
    }

    /// Reads a board written as `K e1 S a1 b2 … k e9 …`: each letter is followed by the squares of its pieces.
    pub(crate) fn of(pieces: &str) -> Self {
        let mut board = Self { pieces: BTreeMap::new() };
        let mut letter = '?';
        for word in pieces.split_whitespace() {
            if word.len() == 1 {
                letter = word.chars().next().unwrap();
            } else {
                assert!(squares().contains(&place(word)), "{word} is no square");
                assert_eq!(board.pieces.insert(place(word), letter), None, "{word} has two pieces");
            }
        }
        board
    }

    pub(crate) fn n_discs(&self, capital: bool) -> u32 {
        self.pieces.values().filter(|c| c.is_uppercase() == capital).map(|c| discs(*c)).sum()
    }

    fn n_of(&self, letter: char) -> usize {
        self.pieces.values().filter(|c| **c == letter).count()
    }

    /// All ways to continue a capture from `at`. The capturing piece is not on the board.
    fn chains(&self, letter: char, at: Place, taken: &BTreeSet<Place>) -> Vec<Chain> {
        let mut chains = Vec::new();
        for direction in directions(letter) {
            let line = line(at, direction);
            let Some(over) = line.iter().position(|place| self.pieces.contains_key(place)) else { continue };
            let enemy = self.pieces[&line[over]].is_uppercase() != letter.is_uppercase();
            let far = letter.eq_ignore_ascii_case(&'c');
            if !enemy || taken.contains(&line[over]) || over > 0 && !far {
                continue;
            }
            let free = line[over + 1..].iter().take_while(|place| !self.pieces.contains_key(place));
            for landing in free.take(if far { 9 } else { 1 }) {
                let more = taken.iter().chain([&line[over]]).copied().collect();
                let rest = self.chains(letter, *landing, &more);
                let ends = if rest.is_empty() { vec![(Vec::new(), more)] } else { rest };
                chains.extend(ends.into_iter().map(|(after, all)| ([&[*landing], &after[..]].concat(), all)));
            }
        }
        chains
    }

    /// The texts of all complete captures, with the number of discs that they take.
    pub(crate) fn captures(&self, capital: bool) -> BTreeMap<String, u32> {
        let mut captures = BTreeMap::new();
        for (from, letter) in self.pieces.iter().filter(|(_, c)| c.is_uppercase() == capital) {
            let mut board = self.clone();
            board.pieces.remove(from);
            for (landings, taken) in board.chains(*letter, *from, &BTreeSet::new()) {
                let route: Vec<String> = [&[*from], &landings[..]].concat().into_iter().map(name).collect();
                captures.insert(route.join("x"), taken.iter().map(|over| discs(self.pieces[over])).sum());
            }
        }
        captures
    }

    fn moves(&self, capital: bool) -> BTreeSet<String> {
        let mut moves = BTreeSet::new();
        for (from, letter) in self.pieces.iter().filter(|(_, c)| c.is_uppercase() == capital) {
            for direction in directions(*letter) {
                let reach = if letter.eq_ignore_ascii_case(&'c') { 8 } else { 1 };
                let free = line(*from, direction);
                let free = free.iter().take(reach).take_while(|place| !self.pieces.contains_key(place));
                moves.extend(free.map(|to| format!("{}-{}", name(*from), name(*to))));
            }
        }
        moves
    }

    /// The texts of all makings: steps of a soldier onto a neighbouring piece of the kind `onto`.
    fn makings(&self, soldier: char, onto: char) -> BTreeSet<String> {
        let mut makings = BTreeSet::new();
        for ((file, rank), _) in self.pieces.iter().filter(|(_, c)| **c == soldier) {
            for (x, y) in directions(soldier) {
                let to = (file + x, rank + y);
                if self.pieces.get(&to) == Some(&onto) {
                    makings.insert(format!("{}+{}", name((*file, *rank)), name(to)));
                }
            }
        }
        makings
    }
}

/// The texts of all legal actions of a position.
pub(crate) fn legal(text: &str) -> BTreeSet<String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let (board, capital, turn) = (Board::read(text), fields[1] == "1", fields[2].parse::<u32>().unwrap());
    let own = |letter: char| if capital { letter.to_ascii_uppercase() } else { letter };
    let (soldier, councillor, king) = (own('s'), own('c'), own('k'));
    if turn <= 10 {
        let mut legal = BTreeSet::new();
        if board.n_of(councillor) + board.n_of(king) < 4 {
            legal.extend(board.makings(soldier, soldier));
        }
        if board.n_of(king) == 0 {
            legal.extend(board.makings(soldier, councillor));
        }
        return legal;
    }
    if fields[3] == "K" {
        return board.makings(soldier, councillor);
    }
    let mut legal = if fields[3] == "C" { board.makings(soldier, soldier) } else { BTreeSet::new() };
    let captures = board.captures(capital);
    match captures.values().max() {
        Some(best) => legal.extend(captures.iter().filter(|(_, n)| *n == best).map(|(text, _)| text.clone())),
        None => legal.extend(board.moves(capital)),
    }
    legal
}

/// The text that a legal action leads to.
pub(crate) fn after(text: &str, action: &str) -> String {
    let fields: Vec<&str> = text.split(' ').collect();
    let (mut board, turn) = (Board::read(text), fields[2].parse::<u32>().unwrap());
    let squares: Vec<Place> = action.split(['-', '+', 'x']).map(place).collect();
    let mover = board.pieces.remove(&squares[0]).unwrap();
    let (mut due, mut quiet) = ("-", fields[4].parse::<u32>().unwrap() + 1);
    let last = squares[squares.len() - 1];
    if action.contains('x') {
        let mut taken = String::new();
        for jump in squares.windows(2) {
            let way = ((jump[1].0 - jump[0].0).signum(), (jump[1].1 - jump[0].1).signum());
            let over = line(jump[0], way).into_iter().find(|place| board.pieces.contains_key(place)).unwrap();
            taken.push(board.pieces.remove(&over).unwrap().to_ascii_lowercase());
        }
        due = ["K", "C", "-"][["k", "c", ""].iter().position(|letter| taken.contains(letter)).unwrap()];
        quiet = 0;
    }
    let made = match board.pieces.get(&last) {
        Some(onto) => {
            quiet = 0;
            char::from(b"sck"[discs(*onto) as usize])
        }
        None => mover.to_ascii_lowercase(),
    };
    board.pieces.insert(last, if mover.is_uppercase() { made.to_ascii_uppercase() } else { made });
    format!("{} {} {} {due} {quiet}", board.print(), 1 + turn % 2, turn + 1)
}
