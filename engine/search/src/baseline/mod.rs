//! Simple players of every game, as yardsticks for the others.

mod greedy;
mod material;
mod random;
mod uct;

pub(crate) use self::{greedy::GreedyPlayer, material::Material, random::RandomPlayer, uct::UctPlayer};
