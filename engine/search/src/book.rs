//! The book of openings of `fibonacci`: turns that long searches found for turns 1 and 2, and that a short search misses.
//!
//! A line of `book.txt` is the first turn, a colon, the answer to it and the chance of the side that answers; the line without
//! a first turn is the one to begin with. The program `book` writes this file.

use engine::{AnyMatch, Ruleset};

use crate::Report;

const BOOK: &str = include_str!("book.txt");

/// The turn of the book for a game from the plain start.
pub(crate) fn find(game: &AnyMatch) -> Option<Report> {
    if game.ruleset() != Ruleset::Fibonacci
        || game.start_text() != AnyMatch::new(Ruleset::Fibonacci).start_text()
    {
        return None;
    }
    let turns: Vec<String> =
        game.turns().iter().map(|turn| turn.actions().collect::<Vec<_>>().join(" ")).collect();
    let played = turns.join("; ") + ": ";
    let known = BOOK.lines().find_map(|line| line.strip_prefix(&played))?;
    let (turn, score) = known.rsplit_once(' ')?;
    let turn: Vec<&str> = turn.split(' ').collect();
    Some(Report::of_turn(&turn, score.parse().ok()?, 0, 0))
}
