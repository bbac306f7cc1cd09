use engine::Side;

use super::{OfferKind, StandingOffer};

/// What the sides have offered each other in the turn under way, or after the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offers {
    standing: Vec<StandingOffer>,
    /// Not to be made again in this turn.
    declined: Vec<StandingOffer>,
}

impl Offers {
    /// Those that wait for an answer.
    pub(crate) fn standing(&self) -> &[StandingOffer] {
        &self.standing
    }

    /// Who has made this offer.
    pub(crate) fn maker(&self, what: OfferKind) -> Option<Side> {
        self.standing.iter().find(|offer| offer.what == what).map(|offer| offer.side)
    }

    /// Whether a side may make this offer now.
    pub(crate) fn may_make(&self, offer: StandingOffer) -> bool {
        self.maker(offer.what).is_none() && !self.declined.contains(&offer)
    }

    pub(super) fn make(&mut self, offer: StandingOffer) {
        self.standing.push(offer);
    }

    /// The offer was answered with no, or taken back.
    pub(super) fn decline(&mut self, what: OfferKind) {
        let (gone, kept) = self.standing.iter().partition(|offer| offer.what == what);
        self.standing = kept;
        self.declined.extend::<Vec<_>>(gone);
    }

    /// A side has played a turn: a draw that it offered goes on standing, everything else is answered by it.
    pub(super) fn turn_played(&mut self, side: Side) {
        self.standing.retain(|offer| offer.what == OfferKind::Draw && offer.side == side);
        self.declined.clear();
    }
}
