use engine::Side;

use super::{OfferKind, StandingOffer};

/// The offers of both sides in the turn under way, or after the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    standing: Vec<StandingOffer>,
    /// Offers that cannot be repeated in this turn.
    declined: Vec<StandingOffer>,
}

impl Offers {
    /// Returns the offers that wait for an answer.
    pub fn standing(&self) -> &[StandingOffer] {
        &self.standing
    }

    /// Returns the side that made the standing offer of this kind.
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

    /// Removes an offer that was declined or withdrawn. It cannot be repeated in this turn.
    pub(super) fn decline(&mut self, what: OfferKind) {
        let (gone, kept) = self.standing.iter().partition(|offer| offer.what == what);
        self.standing = kept;
        self.declined.extend::<Vec<_>>(gone);
    }

    /// Updates the offers after a turn of `side`: its own draw offer still stands, and all others lapse.
    pub(super) fn turn_played(&mut self, side: Side) {
        self.standing.retain(|offer| offer.what == OfferKind::Draw && offer.side == side);
        self.declined.clear();
    }
}
