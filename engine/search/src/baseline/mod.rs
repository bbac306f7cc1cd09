//! Simple players of every game, as yardsticks for the others.

mod random;

pub(crate) use random::RandomPlayer;
