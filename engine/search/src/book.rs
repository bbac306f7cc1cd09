//! The books of openings: what long searches found for the first turns of a game, and a short one would miss.
//!
//! A line of a book is the first turn, a colon, the answer to it and the chance of the side that answers; a line without a
//! first turn is one that a player may begin with. The program `book` writes them.

use engine::{AnyMatch, Ruleset};

use crate::{Random, Report};

/// The books. With cards there are too many first turns, and in the other games a search needs no book.
const BOOKS: [(Ruleset, &str); 2] = [
    (Ruleset::Fibonacci, include_str!("books/fibonacci.txt")),
    (Ruleset::FibonacciMixed, include_str!("books/fibonacci-mixed.txt")),
];

/// The turn of the book for a game from the start of its ruleset; one of them, if there are several.
pub(crate) fn find(game: &AnyMatch, random: &mut Random) -> Option<Report> {
    let (ruleset, book) = BOOKS.iter().find(|(ruleset, _)| *ruleset == game.ruleset())?;
    if game.start_text() != AnyMatch::new(*ruleset).start_text() {
        return None;
    }
    let turns: Vec<String> =
        game.turns().iter().map(|turn| turn.actions().collect::<Vec<_>>().join(" ")).collect();
    let played = turns.join("; ") + ": ";
    let known: Vec<&str> = book.lines().filter_map(|line| line.strip_prefix(&played)).collect();
    let choice = random.below(known.len().max(1));
    let (turn, score) = known.get(choice)?.rsplit_once(' ')?;
    let turn: Vec<&str> = turn.split(' ').collect();
    Some(Report::of_turn(&turn, score.parse().ok()?, 0, 0))
}
