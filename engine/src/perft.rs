use crate::{Match, Past, Position, Progress, Seed, TurnNumber, past::deed};

impl<P: Position> Match<P> {
    /// The number of sequences of `depth` actions from here, those that meet the end of the game early not
    /// counted (RULES 0.10). Without the seed there is none that goes on behind a card to come.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        match (depth, self.outcome()) {
            (0, _) => 1,
            (_, Some(_)) => 0,
            (_, None) => {
                let (begun, done) = (self.begun().cloned().collect(), self.done().cloned().collect());
                Counter { begun, done, seed: self.seed() }.count(self.position(), depth)
            }
        }
    }
}

/// What is known along a sequence.
struct Counter<'a, P: Position> {
    begun: Vec<P::Key>,
    done: Vec<(P::Deed, TurnNumber)>,
    seed: Option<&'a Seed>,
}

impl<P: Position> Past<P> for Counter<'_, P> {
    fn begun(&self) -> impl Iterator<Item = &P::Key> + Clone {
        self.begun.iter()
    }

    fn done(&self) -> impl Iterator<Item = &(P::Deed, TurnNumber)> {
        self.done.iter()
    }
}

impl<P: Position> Counter<'_, P> {
    /// The last action of a sequence is counted without being played: it is in it even if it ends the game.
    fn count(&mut self, position: &P, depth: u32) -> u64 {
        if depth == 1 {
            return position.count() - self.barred(position).count() as u64;
        }
        let barred: Vec<P::Action> = self.barred(position).map(|(action, _)| action).collect();
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
        let n_done = self.done.len();
        let mut next = position.clone();
        let progress = next.play(action);
        self.done.extend(deed(position, action, &next));
        let total = match progress {
            Progress::SameTurn => self.count(&next, depth),
            Progress::NewTurn => self.count_turn(next, depth),
            Progress::Over(_) => 0,
        };
        self.done.truncate(n_done);
        total
    }

    fn count_turn(&mut self, mut position: P, depth: u32) -> u64 {
        if position.verdict(self).is_some() {
            return 0;
        }
        if position.awaits_card() {
            let Some(seed) = self.seed else { return 0 };
            position.deal(seed.card(position.turn()));
        }
        let n_begun = self.begun.len();
        self.begun.extend(position.key());
        let total = self.count(&position, depth);
        self.begun.truncate(n_begun);
        total
    }
}
