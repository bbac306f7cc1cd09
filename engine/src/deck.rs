use crate::{
    BySide, Card, Cards, Pack, Position, Seed, Side, TurnNumber,
    fibonacci::cards::{N_ALIKE, N_CARDS, place},
};

/// The cards of a match that have been seen, and where the next ones come from.
#[derive(Clone, Debug)]
pub(crate) struct Deck {
    seed: Option<Seed>,
    /// In the order of their turns.
    seen: Vec<(TurnNumber, Card)>,
    /// How many of those lay face up in the text that the match started from: 1 or 0.
    n_from_text: usize,
}

impl Deck {
    pub(crate) fn of<P: Position>(start: &P) -> Self {
        let seen: Vec<_> = start.card().into_iter().map(|card| (start.turn(), card)).collect();
        Self { seed: None, n_from_text: seen.len(), seen }
    }

    pub(crate) fn set_seed(&mut self, seed: Seed) {
        self.seed = Some(seed);
    }

    pub(crate) const fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }

    /// The card that a position waits for, if the seed is there to tell it.
    pub(crate) fn coming<P: Position>(&self, position: &P) -> Option<Card> {
        let seed = self.seed.as_ref().filter(|_| position.awaits_card())?;
        Some(seed.card(position.turn()))
    }

    pub(crate) fn note(&mut self, turn: TurnNumber, card: Card) {
        self.seen.push((turn, card));
    }

    /// Whether a card could be the one of a turn, as far as the cards tell that were turned over before (RULES 1.17). The
    /// one of the start text does not: it need not be the pack's (RULES 1.5).
    pub(crate) fn may_have(&self, turn: TurnNumber, card: Card) -> bool {
        let (round, _) = place(turn);
        let is_alike = |(earlier, other): &&(TurnNumber, Card)| {
            *other == card && earlier.side() == turn.side() && place(*earlier).0 == round
        };
        self.turned_over().iter().filter(is_alike).count() < usize::from(N_ALIKE)
    }

    /// The cards turned over since the start text.
    pub(crate) fn turned_over(&self) -> &[(TurnNumber, Card)] {
        &self.seen[self.n_from_text..]
    }

    /// What everybody may know as the position stands; `None` in a game without cards.
    pub(crate) fn show<P: Position>(&self, position: &P) -> Option<Cards> {
        position.ruleset().has_cards().then(|| Cards {
            card: position.card(),
            packs: BySide::from_fn(|side| self.pack(side, position)),
        })
    }

    fn pack<P: Position>(&self, side: Side, position: &P) -> Pack {
        let n_begun = usize::from(position.turn().get()) - usize::from(position.awaits_card());
        let n_gone = match side {
            Side::First => n_begun.div_ceil(2),
            Side::Second => n_begun / 2,
        };
        let Some(last) = n_gone.checked_sub(1) else {
            return Pack { left: [N_ALIKE; 6], unseen: 0 };
        };
        let (round, index) = (last / N_CARDS, last % N_CARDS);
        let mut pack = Pack { left: [N_ALIKE; 6], unseen: (index + 1) as u8 };
        let of_round = |turn: TurnNumber| turn.side() == side && usize::from(place(turn).0) == round;
        for (_, card) in self.seen.iter().filter(|(turn, _)| of_round(*turn)) {
            let left = &mut pack.left[usize::from(card.get()) - 1];
            *left = left.saturating_sub(1);
            pack.unseen -= 1;
        }
        pack
    }
}
