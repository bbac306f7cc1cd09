//! The player of games with one action a turn and an evaluation: alpha-beta with iterative deepening.
//!
//! The search is a principal variation search with aspiration windows, a table of scores, killers, a history of
//! successes, late move reductions and quiescence. There is no null move: the games have no pass, and being forced to
//! move is what often loses.
//!
//! A score that depends on the path, because a draw by repetition or an action forbidden by ko is part of it, is kept
//! out of the table for all positions after the one that is repeated.

mod errors;
mod evaluate;
mod fenix;
mod fenix_features;
mod fenix_weights;
mod fit;
mod moves;
mod quiescence;
mod root;
mod scores;
mod stacks;
mod stacks_weights;
#[cfg(test)]
mod tests;
mod tree;

use engine::Rules;

pub(crate) use self::evaluate::Evaluate;
pub use self::fit::Features;
use self::{
    moves::{Scored, Successes},
    scores::Entry,
};
use crate::table::TranspositionTable;

/// Maximum number of plies of a line.
const MAX_PLIES: usize = 128;
/// Default of `max_optional_captures`.
const MAX_OPTIONAL_CAPTURES: i32 = 6;

/// The player of one game, with its memory: the table, [`Successes`] and a few hundred kilobytes of buffers.
#[derive(Debug)]
pub(crate) struct AlphaBeta<R: Evaluate> {
    table: TranspositionTable<Entry>,
    successes: Successes,
    plies: Vec<Ply<R>>,
    scratch: R::Scratch,
    /// Whether the search prunes and reduces.
    is_selective: bool,
    /// Maximum number of plies of quiescence where captures are optional.
    max_optional_captures: i32,
}

impl<R: Evaluate> AlphaBeta<R> {
    /// Creates a player whose tables take at most `n_bytes` bytes, but not less than [`Successes`].
    pub(crate) fn new(n_bytes: usize) -> Self {
        Self {
            table: TranspositionTable::new(n_bytes.saturating_sub(Successes::N_BYTES)),
            successes: Successes::new(),
            plies: (0..=MAX_PLIES).map(|_| Ply::new()).collect(),
            scratch: R::Scratch::default(),
            is_selective: true,
            max_optional_captures: MAX_OPTIONAL_CAPTURES,
        }
    }
}

/// Memory of one ply.
#[derive(Debug)]
struct Ply<R: Rules> {
    listed: Vec<R::Action>,
    actions: Vec<Scored<R::Action>>,
    /// Signatures of the quiet actions that were searched.
    quiet: Vec<u16>,
    /// The best line from here.
    best_line: Vec<R::Action>,
    /// Signatures of quiet actions that refuted the last positions of this ply.
    killers: [u16; 2],
}

impl<R: Rules> Ply<R> {
    const fn new() -> Self {
        Self {
            listed: Vec::new(),
            actions: Vec::new(),
            quiet: Vec::new(),
            best_line: Vec::new(),
            killers: [0; 2],
        }
    }
}
