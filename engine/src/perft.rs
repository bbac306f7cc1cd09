use crate::{Match, Past, Position, Progress, Seed};

impl<P: Position> Match<P> {
    /// The number of sequences of `depth` actions from here, those that meet the end of the game early not
    /// counted (RULES 0.10). Without the seed there is none that goes on behind a card to come.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        match (depth, self.outcome()) {
            (0, _) => 1,
            (_, Some(_)) => 0,
            (_, None) => {
                Counter { past: self.past().clone(), seed: self.seed() }.count(self.position(), depth)
            }
        }
    }
}

/// What is known along a sequence.
struct Counter<'a, P: Position> {
    past: Past<P>,
    seed: Option<&'a Seed>,
}

impl<P: Position> Counter<'_, P> {
    /// The last action of a sequence is counted without being played: it is in it even if it ends the game.
    fn count(&mut self, position: &P, depth: u32) -> u64 {
        if depth == 1 {
            return position.count() - self.past.barred(position).count() as u64;
        }
        let barred: Vec<P::Action> = self.past.barred(position).map(|(action, _)| action).collect();
        let mut total = 0;
        position.for_each_action(|action| {
            if !barred.contains(&action) {
                total += self.count_after(position, action, depth - 1);
            }
        });
        total
    }

    #[inline]
    fn count_after(&mut self, position: &P, action: P::Action, depth: u32) -> u64 {
        let mark = self.past.mark();
        let mut next = position.clone();
        let progress = next.play(action);
        self.past.note(position, action, &next);
        let total = match progress {
            Progress::SameTurn => self.count(&next, depth),
            Progress::NewTurn => self.count_turn(next, depth),
            Progress::Over(_) => 0,
        };
        self.past.rewind(mark);
        total
    }

    fn count_turn(&mut self, mut position: P, depth: u32) -> u64 {
        if position.verdict(&self.past).is_some() {
            return 0;
        }
        if position.awaits_card() {
            let Some(seed) = self.seed else { return 0 };
            position.deal(seed.card(position.turn()));
        }
        self.past.begin(&position);
        self.count(&position, depth)
    }
}
