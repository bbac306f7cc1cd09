use thiserror::Error;

use crate::core::{Card, TurnNumber};

/// Number of cards in a pack (RULES 1.17).
pub(crate) const N_CARDS: usize = 12;

/// Number of cards of each value in a pack.
pub(crate) const N_ALIKE: u8 = 2;

/// The round of the side whose turn it is, and the index of the turn's card in it, both from 0 (RULES 1.17).
pub(crate) fn place(turn: TurnNumber) -> (u16, usize) {
    let earlier = (turn.get() - 1) / 2;
    (earlier / N_CARDS as u16, usize::from(earlier) % N_CARDS)
}

/// The reason for which a card cannot be turned over.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum CardError {
    #[error("no card is due to be turned over")]
    NoneDue,
    #[error("both cards of value {card} have left the pack since it was shuffled (rule 1.17)")]
    NoneLeft { card: Card },
}
