//! Who is at a game: the two sides and the number of those who watch.

use std::collections::HashSet;

use engine::{BySide, Side};

use crate::{
    game::{State, may_claim},
    ids::{GameId, PlayerId},
    protocol::{ClaimOffer, ServerMessage},
};

/// How often it is told at most, milliseconds.
const TOLD_EVERY_MS: i64 = 1_000;

/// Who is at a game, and since when who is not.
#[derive(Debug)]
pub(super) struct Attendance {
    /// Since when a side is gone, milliseconds since 1970; `None` if it is here.
    gone_since_ms: BySide<Option<i64>>,
    watchers: u32,
    /// What was last told is true no more.
    has_changed: bool,
    told_ms: i64,
}

impl Attendance {
    /// A game that comes to memory: nobody is here yet, and nobody has been away for longer than that.
    pub(super) const fn new(now_ms: i64) -> Self {
        let gone_since_ms = BySide { first: Some(now_ms), second: Some(now_ms) };
        Self { gone_since_ms, watchers: 0, has_changed: false, told_ms: 0 }
    }

    /// Takes note of who is here now.
    pub(super) fn note(&mut self, state: &State, here: &HashSet<PlayerId>, now_ms: i64) {
        let seats = state.seats();
        let mut seated_here = 0;
        for side in Side::ALL {
            let is_here = seats.is_some_and(|seats| here.contains(&seats[side].id));
            seated_here += usize::from(is_here);
            let since_ms = (!is_here).then(|| self.gone_since_ms[side].unwrap_or(now_ms));
            self.has_changed |= since_ms.is_none() != self.gone_since_ms[side].is_none();
            self.gone_since_ms[side] = since_ms;
        }
        let makers = usize::from(seats.is_none() && here.contains(&state.creator.id));
        let watchers = u32::try_from(here.len() - seated_here - makers).unwrap_or(u32::MAX);
        self.has_changed |= watchers != self.watchers;
        self.watchers = watchers;
    }

    /// Visitors who watch.
    pub(super) const fn watchers(&self) -> u32 {
        self.watchers
    }

    /// For how long a side is gone; `None` if it is here.
    pub(super) fn gone_ms(&self, side: Side, now_ms: i64) -> Option<i64> {
        self.gone_since_ms[side].map(|since_ms| now_ms - since_ms)
    }

    /// When the others are to be told, milliseconds since 1970; `None` if they know.
    pub(super) fn tells_at_ms(&self) -> Option<i64> {
        self.has_changed.then_some(self.told_ms + TOLD_EVERY_MS)
    }

    /// The news, which counts as told now.
    pub(super) fn tell(&mut self, game: GameId, state: &State, now_ms: i64) -> ServerMessage {
        self.has_changed = false;
        self.told_ms = now_ms;
        self.message(game, state, now_ms)
    }

    pub(super) fn message(&self, game: GameId, state: &State, now_ms: i64) -> ServerMessage {
        ServerMessage::Presence {
            game,
            first: self.gone_since_ms.first.is_none(),
            second: self.gone_since_ms.second.is_none(),
            watchers: self.watchers,
            claim: self.claim(state, now_ms),
        }
    }

    /// What a side that is here may claim, if the other is not.
    fn claim(&self, state: &State, now_ms: i64) -> Option<ClaimOffer> {
        let against = Side::ALL
            .into_iter()
            .find(|side| self.gone_since_ms[*side].is_some() && self.gone_since_ms[side.other()].is_none())?;
        let gone_ms = self.gone_ms(against, now_ms)?;
        let in_ms = state.terms.clock.claim_after_ms()? - gone_ms;
        // A side that is gone from the start aborts the game by that.
        may_claim(state, Some(i64::MAX)).then_some(ClaimOffer { against, in_ms: in_ms.max(0) })
    }
}
