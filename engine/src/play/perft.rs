use std::hint::black_box;

use super::{Match, Playable, deck::Deck};
use crate::{Line, Progress};

impl<P: Playable> Match<P> {
    /// The number of sequences of `depth` actions from here, those that meet the end of the game early not
    /// counted (RULES 0.10). Without the seed there is none that goes on behind a card to come.
    ///
    /// The last action of a sequence is counted without being played: it is in it even if it ends the game.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        self.perft_by(depth, Line::count)
    }

    /// The same number, found by playing the last actions too, as a search would.
    #[must_use]
    pub fn perft_played(&self, depth: u32) -> u64 {
        let mut actions = Vec::new();
        self.perft_by(depth, move |line| {
            line.actions_into(&mut actions);
            for action in &actions {
                let mut position = *line.position();
                position.play(*action);
                black_box(position);
            }
            actions.len() as u64
        })
    }

    fn perft_by(&self, depth: u32, leaves: impl FnMut(&mut Line<P>) -> u64) -> u64 {
        match depth {
            0 => 1,
            _ => Counter { line: self.line(), buffers: Vec::new(), deck: &self.deck, leaves }.count(depth),
        }
    }
}

struct Counter<'a, P: Playable, L> {
    line: Line<P>,
    /// Memory for lists of actions, each used by one depth at a time.
    buffers: Vec<Vec<P::Action>>,
    deck: &'a Deck,
    /// The number of sequences of one action.
    leaves: L,
}

impl<P: Playable, L: FnMut(&mut Line<P>) -> u64> Counter<'_, P, L> {
    fn count(&mut self, depth: u32) -> u64 {
        if depth == 1 {
            return (self.leaves)(&mut self.line);
        }
        let mut actions = self.buffers.pop().unwrap_or_default();
        self.line.actions_into(&mut actions);
        let mut total = 0;
        for action in &actions {
            total += match self.line.push(*action) {
                Progress::SameTurn => self.count(depth - 1),
                Progress::NewTurn => self.count_turn(depth - 1),
                Progress::Over(_) => 0,
            };
            self.line.pop();
        }
        self.buffers.push(actions);
        total
    }

    fn count_turn(&mut self, depth: u32) -> u64 {
        if !self.line.position().awaits_card() {
            return self.count(depth);
        }
        let Some(card) = self.deck.coming(self.line.position()) else { return 0 };
        self.line.push_card(card);
        let total = self.count(depth);
        self.line.pop();
        total
    }
}
