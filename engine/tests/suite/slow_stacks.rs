//! Reference implementation of the games of stacks, slow and simple: cells by name, stacks as texts from the bottom up.
//! It shares no code with the engine.

use std::collections::BTreeMap;

use engine::Ruleset;

/// The table of RULES 4.1.
const HEXES: [(&str, &str); 9] = [
    ("9", "g"),
    ("8", "d f h j"),
    ("7", "a c e g i k m"),
    ("6", "b d f h j l"),
    ("5", "a c e g i k m"),
    ("4", "b d f h j l"),
    ("3", "a c e g i k m"),
    ("2", "d f h j"),
    ("1", "g"),
];

/// The squares that RULES 3.1 excludes.
const NO_SQUARES: &str = "a8 b8 g8 h8 a7 h7 a2 h2 a1 b1 g1 h1";

/// The rows of cells, as the position's text has them.
pub(crate) fn rows(ruleset: Ruleset) -> Vec<Vec<String>> {
    if ruleset == Ruleset::Crossfire {
        let row = |(number, letters): (&str, &str)| {
            letters.split(' ').map(|letter| format!("{letter}{number}")).collect()
        };
        return HEXES.map(row).to_vec();
    }
    let is_square = |name: &String| !NO_SQUARES.split(' ').any(|none| none == name);
    let row = |rank: i32| ('a'..='h').map(|file| format!("{file}{rank}")).filter(is_square).collect();
    (1..=8).rev().map(row).collect()
}

pub(crate) fn cells(ruleset: Ruleset) -> Vec<String> {
    rows(ruleset).concat()
}

fn directions(ruleset: Ruleset) -> &'static [(i32, i32)] {
    match ruleset {
        Ruleset::Crossfire => &[(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)],
        _ => &[(1, 0), (-1, 0), (0, 1), (0, -1)],
    }
}

/// The next cell in a direction, if there is one.
fn step(ruleset: Ruleset, name: &str, (letters, numbers): (i32, i32)) -> Option<String> {
    let mut bytes = name.bytes();
    let letter = i32::from(bytes.next().unwrap()) + letters;
    let number = i32::from(bytes.next().unwrap()) + numbers;
    let next: String = [letter, number].map(|code| char::from(u8::try_from(code).unwrap())).iter().collect();
    cells(ruleset).contains(&next).then_some(next)
}

pub(crate) fn capacity(ruleset: Ruleset, name: &str) -> usize {
    match ruleset {
        Ruleset::Crossfire => directions(ruleset).iter().filter_map(|way| step(ruleset, name, *way)).count(),
        _ => 5,
    }
}

/// The texts of all actions that can be legal in some position, and of some others.
pub(crate) fn texts(ruleset: Ruleset) -> Vec<String> {
    let cells = cells(ruleset);
    let mut texts: Vec<String> = cells.iter().map(|cell| format!("*{cell}")).collect();
    for from in &cells {
        texts.extend(cells.iter().flat_map(|to| [format!("{from}-{to}"), format!("{from}~{to}")]));
    }
    texts
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stacks {
    pub(crate) ruleset: Ruleset,
    /// The cells that hold men, with their stacks.
    pub(crate) stacks: BTreeMap<String, String>,
    pub(crate) turn: u16,
    /// The number of men of `x` and of `o` in reserve.
    pub(crate) reserves: [usize; 2],
}

/// The result of an action.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct After {
    pub(crate) position: String,
    pub(crate) count: Option<u8>,
    /// The numbers of the mover's and the other side's men removed from the bottom of the stack.
    pub(crate) overflow: (u8, u8),
}

impl Stacks {
    pub(crate) fn read(ruleset: Ruleset, text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let rows = rows(ruleset);
        let stacks = rows
            .iter()
            .zip(words[0].split('/'))
            .flat_map(|(names, row)| names.iter().cloned().zip(row.split(',').map(str::to_owned)))
            .filter(|(_, stack)| stack != ".")
            .collect();
        let number = |word: &str| word.parse::<usize>().unwrap();
        let turn = words[2].parse().unwrap();
        Self { ruleset, stacks, turn, reserves: [number(words[3]), number(words[4])] }
    }

    /// The text of a position with stacks written as `e4:xo c3:x`, from the bottom up. `rest` is the part after the
    /// board.
    pub(crate) fn of(ruleset: Ruleset, stacks: &str, rest: &str) -> String {
        let mut board = Self { ruleset, stacks: BTreeMap::new(), turn: 1, reserves: [0, 0] };
        for (name, stack) in stacks.split_whitespace().map(|word| word.split_once(':').unwrap()) {
            assert!(cells(ruleset).iter().any(|cell| cell == name), "{name} is no cell");
            assert_eq!(board.stacks.insert(name.to_owned(), stack.to_owned()), None, "{name} is there twice");
        }
        format!("{} {rest}", board.print_board())
    }

    fn print_board(&self) -> String {
        let cell = |name: &String| self.stacks.get(name).map_or(".", String::as_str);
        let row = |names: &Vec<String>| names.iter().map(cell).collect::<Vec<_>>().join(",");
        rows(self.ruleset).iter().map(row).collect::<Vec<_>>().join("/")
    }

    pub(crate) fn print(&self) -> String {
        let [first, second] = self.reserves;
        format!("{} {} {} {first} {second}", self.print_board(), 2 - self.turn % 2, self.turn)
    }

    fn mover(&self) -> char {
        if self.turn % 2 == 1 { 'x' } else { 'o' }
    }

    /// The men of a letter on the board and in the reserve.
    pub(crate) fn n_men(&self, letter: char) -> usize {
        let on_board: usize = self.stacks.values().map(|stack| stack.matches(letter).count()).sum();
        on_board + self.reserves[usize::from(letter == 'o')]
    }

    /// The legal actions, without regard to ko, and their results.
    pub(crate) fn actions(&self) -> BTreeMap<String, After> {
        let mut actions = BTreeMap::new();
        if self.ruleset == Ruleset::Focus && self.turn <= 2 {
            self.switches(&mut actions);
            return actions;
        }
        for (from, stack) in &self.stacks {
            if stack.ends_with(self.mover()) {
                for way in directions(self.ruleset) {
                    self.moves(from, stack, *way, &mut actions);
                }
            }
        }
        if self.reserves[usize::from(self.mover() == 'o')] > 0 {
            for cell in cells(self.ruleset) {
                let mut next = self.clone();
                next.reserves[usize::from(self.mover() == 'o')] -= 1;
                let overflow = next.land(&cell, &self.mover().to_string());
                actions.insert(format!("*{cell}"), next.after(Some(1), overflow));
            }
        }
        actions
    }

    fn moves(&self, from: &str, stack: &str, way: (i32, i32), actions: &mut BTreeMap<String, After>) {
        let mut to = from.to_owned();
        for count in 1..=stack.len() {
            let Some(next_cell) = step(self.ruleset, &to, way) else { return };
            to = next_cell;
            let (behind, men) = stack.split_at(stack.len() - count);
            let mut next = self.clone();
            if behind.is_empty() {
                next.stacks.remove(from);
            } else {
                next.stacks.insert(from.to_owned(), behind.to_owned());
            }
            let overflow = next.land(&to, men);
            actions.insert(format!("{from}-{to}"), next.after(Some(count as u8), overflow));
        }
    }

    fn switches(&self, actions: &mut BTreeMap<String, After>) {
        for (own, _) in self.stacks.iter().filter(|(_, stack)| stack.ends_with(self.mover())) {
            for (other, _) in self.stacks.iter().filter(|(_, stack)| !stack.ends_with(self.mover())) {
                let mut next = self.clone();
                next.stacks.insert(own.clone(), self.stacks[other].clone());
                next.stacks.insert(other.clone(), self.stacks[own].clone());
                if self.turn == 1 || !next.is_symmetric() {
                    actions.insert(format!("{own}~{other}"), next.after(None, (0, 0)));
                }
            }
        }
    }

    /// Puts men on top of a cell and removes the lowest ones beyond its capacity. Returns the overflow.
    fn land(&mut self, cell: &str, men: &str) -> (u8, u8) {
        let mover = self.mover();
        let mut stack = self.stacks.get(cell).cloned().unwrap_or_default() + men;
        let (mut reserved, mut captured) = (0, 0);
        while stack.len() > capacity(self.ruleset, cell) {
            if stack.remove(0) == mover {
                self.reserves[usize::from(mover == 'o')] += 1;
                reserved += 1;
            } else {
                captured += 1;
            }
        }
        self.stacks.insert(cell.to_owned(), stack);
        (reserved, captured)
    }

    fn after(mut self, count: Option<u8>, overflow: (u8, u8)) -> After {
        self.turn += 1;
        After { position: self.print(), count, overflow }
    }

    /// Whether a rotation or reflection of the board with exchanged colours leaves the position unchanged.
    pub(crate) fn is_symmetric(&self) -> bool {
        let drawing: Vec<Vec<char>> = (1..=8)
            .map(|rank| {
                let cell = |file| {
                    self.stacks
                        .get(&format!("{file}{rank}"))
                        .map_or('.', |stack| stack.chars().next().unwrap())
                };
                ('a'..='h').map(cell).collect()
            })
            .collect();
        let colours_exchanged: Vec<Vec<char>> = drawing
            .iter()
            .map(|row| {
                row.iter()
                    .map(|c| {
                        if *c == 'x' {
                            'o'
                        } else if *c == 'o' {
                            'x'
                        } else {
                            '.'
                        }
                    })
                    .collect()
            })
            .collect();
        let mut turned = colours_exchanged;
        for quarter in 0..4 {
            let mirrored: Vec<Vec<char>> = turned.iter().rev().cloned().collect();
            if mirrored == drawing || (quarter > 0 && turned == drawing) {
                return true;
            }
            turned = (0..8).map(|file| (0..8).rev().map(|rank| turned[rank][file]).collect()).collect();
        }
        false
    }
}
