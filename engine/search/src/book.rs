//! The book of openings of `fibonacci`: what long searches found for the first two turns, and a short one misses.
//!
//! A line of `book.txt` is the first turn, a colon, the answer to it and the chance of the side that answers; a line without
//! a first turn is one that a player may begin with. The program `book` writes them.

use engine::{AnyMatch, Ruleset};

use crate::{Random, Report};

const BOOK: &str = include_str!("book.txt");

/// The turn of the book for a game from the plain start; one of them, if there are several.
pub(crate) fn find(game: &AnyMatch, random: &mut Random) -> Option<Report> {
    if game.ruleset() != Ruleset::Fibonacci
        || game.start_text() != AnyMatch::new(Ruleset::Fibonacci).start_text()
    {
        return None;
    }
    let turns: Vec<String> =
        game.turns().iter().map(|turn| turn.actions().collect::<Vec<_>>().join(" ")).collect();
    let played = turns.join("; ") + ": ";
    let known: Vec<&str> = BOOK.lines().filter_map(|line| line.strip_prefix(&played)).collect();
    let choice = random.below(known.len().max(1));
    let (turn, score) = known.get(choice)?.rsplit_once(' ')?;
    let turn: Vec<&str> = turn.split(' ').collect();
    Some(Report::of_turn(&turn, score.parse().ok()?, 0, 0))
}
