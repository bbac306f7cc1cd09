#[cfg(feature = "cards")]
use crate::Seed;
use crate::{
    BySide, Card, Cards, History, Pack, Rules, Side, TurnNumber,
    fibonacci::cards::{N_ALIKE, N_CARDS, place},
};

/// The cards of a match that have been seen, and the seed of the next ones, if it is known.
#[derive(Clone, Debug)]
pub(crate) struct Deck {
    #[cfg(feature = "cards")]
    seed: Option<Seed>,
    /// The card in the text that the match started from.
    in_text: Option<(TurnNumber, Card)>,
    /// The cards turned over since then, in the order of their turns.
    turned_over: History<(TurnNumber, Card)>,
}

impl Deck {
    pub(crate) fn from_start<P: Rules>(start: &P) -> Self {
        let in_text = start.card().map(|card| (start.turn(), card));
        Self {
            #[cfg(feature = "cards")]
            seed: None,
            in_text,
            turned_over: History::default(),
        }
    }

    #[cfg(feature = "cards")]
    pub(crate) fn set_seed(&mut self, seed: Seed) {
        self.seed = Some(seed);
    }

    #[cfg(feature = "cards")]
    pub(crate) const fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }

    /// The card that a position waits for, if the seed is known.
    pub(crate) fn coming<P: Rules>(&self, position: &P) -> Option<Card> {
        if position.awaits_card() { self.card_of(position.turn()) } else { None }
    }

    /// Deals the card that a position waits for, if it waits for one; `None` if the card is unknown.
    #[inline]
    pub(crate) fn dealt<P: Rules>(&self, mut position: P) -> Option<P> {
        if position.awaits_card() {
            position.deal(self.coming(&position)?);
        }
        Some(position)
    }

    #[cfg(feature = "cards")]
    pub(crate) fn card_of(&self, turn: TurnNumber) -> Option<Card> {
        self.seed.as_ref().map(|seed| seed.card(turn))
    }

    /// Without the feature `cards`, no card is known before it is turned over.
    #[cfg(not(feature = "cards"))]
    pub(crate) const fn card_of(&self, _turn: TurnNumber) -> Option<Card> {
        None
    }

    pub(crate) fn note(&mut self, turn: TurnNumber, card: Card) {
        self.turned_over.push((turn, card));
    }

    /// Whether a card can be the one of a turn, given the cards turned over before (RULES 1.17). The card of the start
    /// text is ignored, since it need not come from the pack (RULES 1.5).
    pub(crate) fn may_have(&self, turn: TurnNumber, card: Card) -> bool {
        let (round, _) = place(turn);
        let is_alike = |other: &&(TurnNumber, Card)| other.1 == card;
        of_round(self.turned_over.iter(), turn.side(), round).filter(is_alike).count() < usize::from(N_ALIKE)
    }

    /// The cards turned over since the start text.
    pub(crate) const fn turned_over(&self) -> &History<(TurnNumber, Card)> {
        &self.turned_over
    }

    /// The public knowledge of the cards in a position; `None` in a game without cards.
    pub(crate) fn show<P: Rules>(&self, position: &P) -> Option<Cards> {
        position.has_cards().then(|| Cards {
            card: position.card(),
            packs: BySide::from_fn(|side| self.pack(side, position)),
        })
    }

    fn pack<P: Rules>(&self, side: Side, position: &P) -> Pack {
        let n_begun = usize::from(position.turn().get()) - usize::from(position.awaits_card());
        let n_gone = match side {
            Side::First => n_begun.div_ceil(2),
            Side::Second => n_begun / 2,
        };
        let Some(last) = n_gone.checked_sub(1) else {
            return Pack { left: [N_ALIKE; 6], unseen: 0 };
        };
        let (round, index) = ((last / N_CARDS) as u16, last % N_CARDS);
        let mut pack = Pack { left: [N_ALIKE; 6], unseen: (index + 1) as u8 };
        for (_, card) in of_round(self.in_text.iter().chain(self.turned_over.iter()), side, round) {
            let left = &mut pack.left[usize::from(card.get()) - 1];
            *left = left.saturating_sub(1);
            pack.unseen -= 1;
        }
        pack
    }
}

/// Returns those of `cards` that a side had in a round, the last one first. `cards` are in the order of their turns;
/// cards of earlier rounds are not visited.
fn of_round<'c>(
    cards: impl DoubleEndedIterator<Item = &'c (TurnNumber, Card)>,
    side: Side,
    round: u16,
) -> impl Iterator<Item = &'c (TurnNumber, Card)> {
    let newest = cards.rev().take_while(move |(turn, _)| place(*turn).0 >= round);
    newest.filter(move |(turn, _)| turn.side() == side && place(*turn).0 == round)
}
