use crate::{GameHistory, Match, Position, Progress, Seed, TurnNumber, game_history::ko_record};

impl<P: Position> Match<P> {
    /// The number of sequences of `depth` actions from here, those that meet the end of the game early not
    /// counted (RULES 0.10). Without the seed there is none that goes on behind a card to come.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        match (depth, self.outcome()) {
            (0, _) => 1,
            (_, Some(_)) => 0,
            (_, None) => {
                let (turn_keys, ko_records) =
                    (self.turn_keys().cloned().collect(), self.ko_records().cloned().collect());
                Counter { turn_keys, ko_records, seed: self.seed() }.count(self.position(), depth)
            }
        }
    }
}

/// What is known along a sequence.
struct Counter<'a, P: Position> {
    turn_keys: Vec<P::PositionKey>,
    ko_records: Vec<(P::KoRecord, TurnNumber)>,
    seed: Option<&'a Seed>,
}

impl<P: Position> GameHistory<P> for Counter<'_, P> {
    fn turn_keys(&self) -> impl Iterator<Item = &P::PositionKey> + Clone {
        self.turn_keys.iter()
    }

    fn ko_records(&self) -> impl Iterator<Item = &(P::KoRecord, TurnNumber)> {
        self.ko_records.iter()
    }
}

impl<P: Position> Counter<'_, P> {
    /// The last action of a sequence is counted without being played: it is in it even if it ends the game.
    fn count(&mut self, position: &P, depth: u32) -> u64 {
        if depth == 1 {
            return position.count() - self.ko_forbidden(position).count() as u64;
        }
        let ko_forbidden: Vec<P::Action> = self.ko_forbidden(position).map(|(action, _)| action).collect();
        let mut total = 0;
        position.for_each_action(|action| {
            if !ko_forbidden.contains(&action) {
                total += self.count_after(position, action, depth - 1);
            }
        });
        total
    }

    #[inline]
    fn count_after(&mut self, position: &P, action: P::Action, depth: u32) -> u64 {
        let n_records = self.ko_records.len();
        let mut next = position.clone();
        let progress = next.play(action);
        self.ko_records.extend(ko_record(position, action, &next));
        let total = match progress {
            Progress::SameTurn => self.count(&next, depth),
            Progress::NewTurn => self.count_turn(next, depth),
            Progress::Over(_) => 0,
        };
        self.ko_records.truncate(n_records);
        total
    }

    fn count_turn(&mut self, mut position: P, depth: u32) -> u64 {
        if position.outcome_at_turn_start(self).is_some() {
            return 0;
        }
        if position.awaits_card() {
            let Some(seed) = self.seed else { return 0 };
            position.deal(seed.card(position.turn()));
        }
        let n_keys = self.turn_keys.len();
        self.turn_keys.extend(position.key());
        let total = self.count(&position, depth);
        self.turn_keys.truncate(n_keys);
        total
    }
}
