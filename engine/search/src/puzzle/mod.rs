//! Puzzles: positions with a task that is proven to have a solution.
//!
//! | rulesets | task | proof |
//! | --- | --- | --- |
//! | `fibonacci`, `fibonacci-mixed`, `fibonacci-cards` | Win in this turn, with three to six moves left. | The [`Solver`](crate::Solver) finds a win that needs them all, and no win with one move less. No win leaves the other centre alone and moves only to empty cells. |
//! | `fenix` | Find the capture that gains the most. | After two turns of each side, one result has a better balance of discs than every other legal one, by two at least, whatever the other side plays. |
//! | `focus`, `focus-classic`, `crossfire` | Win in two turns. | No turn wins at once. After the solution, every reply has an answer that wins. |
//!
//! The files in `puzzles/` have one puzzle a line. The program `puzzles` writes them.

mod best_capture;
mod judge;
mod win_in_turn;
mod win_in_two;

use std::{error::Error, fmt, sync::LazyLock};

use engine::{AnyMatch, Ruleset, TextError};
use serde::{Deserialize, Serialize};

pub use self::judge::{Refused, Verdict};

/// A position with its task, which follows from the ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Eight hexadecimal digits, which follow from the position.
    pub id: String,
    /// The text of the position.
    pub position: String,
    /// Discs that the solution gains over two turns of each side; only in Fenix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<u8>,
    /// Difficulty, 1 to 5, among the puzzles of the same ruleset.
    pub grade: u8,
    /// Nodes of the proof.
    pub nodes: u64,
    /// A solution. Its first turn and, with a task of two turns, the third one are those of the side to move.
    pub solution: Vec<Vec<String>>,
}

/// The proof of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub gain: Option<u8>,
    pub nodes: u64,
    /// Number of first turns that solve it, or of first moves where a turn has several.
    pub n_solutions: usize,
    /// Number of legal first turns or moves.
    pub n_legal: usize,
    pub solution: Vec<Vec<String>>,
    /// Whether the other side's centre must be moved; only in Fibonacci.
    pub is_pull: bool,
}

/// The reason why a position is not a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// There is no solution.
    NoSolution,
    /// There is a shorter or a simpler one.
    TooSimple,
    /// The proof takes too many nodes.
    TooLong,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSolution => "there is no solution",
            Self::TooSimple => "there is a shorter or a simpler solution",
            Self::TooLong => "the proof takes too many nodes",
        })
    }
}

impl Error for Unfit {}

/// Proves that a position is a puzzle, within `max_nodes`.
///
/// # Errors
/// The position is not a puzzle, or its proof takes more than `max_nodes`.
pub fn prove(game: &AnyMatch, max_nodes: u64) -> Result<Proof, Unfit> {
    match game {
        AnyMatch::Fibonacci(game) => win_in_turn::prove(game.position(), max_nodes),
        AnyMatch::Fenix(game) => best_capture::prove(game.position(), max_nodes),
        AnyMatch::Stacks(game) => win_in_two::prove(&mut game.line(), max_nodes),
    }
}

/// Counts the first turns that solve a puzzle of Fibonacci, by their first moves, and the legal first moves. For the
/// other games, [`Proof`] has both counts.
#[must_use]
pub fn first_moves(game: &AnyMatch) -> Option<(usize, usize)> {
    match game {
        AnyMatch::Fibonacci(game) => Some(win_in_turn::first_moves(game.position())),
        AnyMatch::Fenix(_) | AnyMatch::Stacks(_) => None,
    }
}

impl Puzzle {
    /// The puzzles of a ruleset.
    #[must_use]
    pub fn all(ruleset: Ruleset) -> &'static [Self] {
        static ALL: LazyLock<[Vec<Puzzle>; 7]> = LazyLock::new(|| Ruleset::ALL.map(read));
        Ruleset::ALL.iter().zip(&*ALL).find(|(of, _)| **of == ruleset).map_or(&[], |(_, puzzles)| puzzles)
    }

    /// The match that begins with the position.
    ///
    /// # Errors
    /// No match begins with it.
    pub fn game(&self, ruleset: Ruleset) -> Result<AnyMatch, TextError> {
        AnyMatch::from_text(ruleset, &self.position)
    }
}

fn read(ruleset: Ruleset) -> Vec<Puzzle> {
    let text = match ruleset {
        Ruleset::Fibonacci => include_str!("../../puzzles/fibonacci.jsonl"),
        Ruleset::FibonacciMixed => include_str!("../../puzzles/fibonacci-mixed.jsonl"),
        Ruleset::FibonacciCards => include_str!("../../puzzles/fibonacci-cards.jsonl"),
        Ruleset::Fenix => include_str!("../../puzzles/fenix.jsonl"),
        Ruleset::Focus => include_str!("../../puzzles/focus.jsonl"),
        Ruleset::FocusClassic => include_str!("../../puzzles/focus-classic.jsonl"),
        Ruleset::Crossfire => include_str!("../../puzzles/crossfire.jsonl"),
    };
    text.lines().map(|line| serde_json::from_str(line).expect("the tests read all puzzles")).collect()
}
