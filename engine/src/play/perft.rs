use std::{hint::black_box, ops::ControlFlow};

use super::{Match, Playable, deck::Deck};
use crate::{GameHistory, Line, Progress};

impl<P: Playable> Match<P> {
    /// Counts the sequences of `depth` actions from here. Sequences cut short by the end of the game do not count
    /// (RULES 0.10), nor do those that continue after an unknown card, for lack of a seed.
    ///
    /// The last action of a sequence counts even if it ends the game, so it is counted without being played.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        self.perft_by(depth, |position, history, scratch| {
            position.count(scratch) - history.n_ko_forbidden(position)
        })
    }

    /// Like [`Match::perft`], but also plays the last actions, as a search would.
    #[must_use]
    pub fn perft_played(&self, depth: u32) -> u64 {
        self.perft_by(depth, |position, history, scratch| {
            let mut n_played = 0;
            for_each_legal(position, history, scratch, |action| {
                let mut after = *position;
                after.play(action);
                black_box(after);
                n_played += 1;
            });
            n_played
        })
    }

    fn perft_by(&self, depth: u32, leaves: impl Fn(&P, &GameHistory<P>, &mut P::Scratch) -> u64) -> u64 {
        match (depth, self.outcome) {
            (0, _) => 1,
            (_, Some(_)) => 0,
            (1, None) => leaves(&self.position, &self.history, &mut P::Scratch::default()),
            (_, None) => {
                let line = self.line();
                let (buffers, scratches) = (Vec::new(), Default::default());
                Counter { line, buffers, scratches, deck: &self.deck, leaves }.count(depth)
            }
        }
    }
}

#[inline]
fn for_each_legal<P: Playable>(
    position: &P,
    history: &GameHistory<P>,
    scratch: &mut P::Scratch,
    mut visit: impl FnMut(P::Action),
) {
    let forbidden = if history.n_ko_records() > 0 { history.ko_forbidden(position) } else { Vec::new() };
    let _: ControlFlow<()> = position.try_for_each_action(scratch, |action| {
        if forbidden.iter().all(|(forbidden, _)| *forbidden != action) {
            visit(action);
        }
        ControlFlow::Continue(())
    });
}

struct Counter<'a, P: Playable, L> {
    line: Line<P>,
    /// Buffers for lists of actions, each used by one depth at a time.
    buffers: Vec<Vec<P::Action>>,
    /// Scratch memory for the positions before the last two actions.
    scratches: [P::Scratch; 2],
    deck: &'a Deck,
    /// Counts the sequences of one action.
    leaves: L,
}

impl<P: Playable, L: Fn(&P, &GameHistory<P>, &mut P::Scratch) -> u64> Counter<'_, P, L> {
    /// Counts the sequences of at least two actions.
    fn count(&mut self, depth: u32) -> u64 {
        if depth == 2 {
            return self.count_last();
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

    /// Counts the sequences of two actions. The first action need not be pushed onto the line: the end of the game
    /// after the second does not matter, and its ko record does not concern the other side.
    fn count_last(&mut self) -> u64 {
        let (position, history) = (self.line.position(), self.line.history());
        let [scratch, last_scratch] = &mut self.scratches;
        let mut total = 0;
        for_each_legal(position, history, scratch, |action| {
            let mut next = *position;
            let goes_on = match next.play(action) {
                Progress::SameTurn => true,
                Progress::NewTurn => next.outcome_at_turn_start(history).is_none(),
                Progress::Over(_) => false,
            };
            if goes_on && let Some(next) = self.deck.dealt(next) {
                total += (self.leaves)(&next, history, last_scratch);
            }
        });
        total
    }
}
