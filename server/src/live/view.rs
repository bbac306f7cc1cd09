//! Views of a game: the players' is current, the spectators' may be delayed by some turns.

use std::collections::VecDeque;

use game::{Corrupt, Event, Recorded, State, ids::Version};
use protocol::{CompactEvent, Names};

use super::log::Log;

/// Maximum number of events that are folded in one piece on the compute pool. A turn among the first thousand takes
/// some 30 µs.
pub(super) const EVENTS_IN_PIECE: usize = 512;

/// Estimated bytes of a copied state: the parts not shared with other copies, mostly the last turns.
const BYTES_OF_COPY: usize = 8 * 1024;

/// A game with its log.
#[derive(Debug)]
pub(super) struct View {
    pub(super) state: Box<State>,
    pub(super) log: Log,
}

impl View {
    /// Begins a view with the first event of a game.
    pub(super) fn begin(first: &Recorded, names: &impl Names) -> Result<Self, Corrupt> {
        let mut view = Self { log: Log::default(), state: Box::new(State::begin(first)?) };
        view.show(view.state.version(), first, names);
        Ok(view)
    }

    /// Folds the next event.
    pub(super) fn fold(&mut self, recorded: &Recorded, names: &impl Names) -> Result<(), Corrupt> {
        self.state.replay(recorded)?;
        self.show(self.state.version(), recorded, names);
        Ok(())
    }

    /// Appends an event that the state has applied as its last one.
    pub(super) fn show(&mut self, version: Version, recorded: &Recorded, names: &impl Names) {
        self.log.push(&CompactEvent::of(&self.state, version, recorded, names), &recorded.event);
    }

    /// Bytes of memory that the game takes.
    pub(super) fn n_bytes(&self) -> usize {
        self.state.n_bytes() + self.log.n_bytes()
    }
}

/// The states that delayed spectators see: the game before the first of the turns that are still hidden. The version of
/// that state is the length of the visible log.
#[derive(Debug)]
pub(super) struct Delayed {
    /// The states before each of the last turns, at most the number of turns of the delay. They share memory.
    before: VecDeque<State>,
    n_turns: usize,
}

impl Delayed {
    /// Returns the delay of `turns` turns of a game that has not begun.
    pub(super) const fn by(turns: u8) -> Self {
        Self { before: VecDeque::new(), n_turns: turns as usize }
    }

    /// Records an event and the state before it. At the end of the game, and in a room that is open again, nothing is
    /// hidden any more.
    pub(super) fn record(&mut self, before: &State, event: &Event) {
        match event {
            Event::TurnPlayed { .. } => {
                if self.before.len() == self.n_turns {
                    self.before.pop_front();
                }
                self.before.push_back(before.clone());
            }
            Event::Ended { .. } | Event::Aborted { .. } | Event::Reopened { .. } => {
                self.before = VecDeque::new();
            }
            Event::Created { .. }
            | Event::Started { .. }
            | Event::Offered { .. }
            | Event::Declined { .. }
            | Event::DrawAgreed { .. }
            | Event::TurnsTakenBack { .. }
            | Event::TimeCredited { .. }
            | Event::Flagged { .. }
            | Event::Claimed { .. }
            | Event::RematchStarted { .. }
            | Event::Resigned { .. }
            | Event::Cancelled { .. } => {}
        }
    }

    /// Returns the visible state; `now` is the current one.
    pub(super) fn shown<'s>(&'s self, now: &'s State) -> &'s State {
        self.before.front().unwrap_or(now)
    }

    /// Bytes of memory beyond those of the game itself.
    pub(super) fn n_bytes(&self) -> usize {
        self.before.len() * BYTES_OF_COPY
    }
}

#[cfg(test)]
mod tests {
    use engine::Side;
    use game::{OfferKind, Terms};

    use super::*;
    use crate::{directory::deleted, live::tests::sample::log};

    #[test]
    fn spectators_are_behind_by_the_agreed_delay_and_see_everything_at_the_end() {
        let log = log(Terms::default(), 12);
        for delay in 1..=14 {
            let mut game = View::begin(&log[0], &deleted).unwrap();
            let mut delayed = Delayed::by(delay);
            for recorded in &log[1..] {
                let before = game.state.clone();
                game.fold(recorded, &deleted).unwrap();
                delayed.record(&before, &recorded.event);
                let n_behind = game.state.play().turns().len().min(delay.into());
                let [shown, now] =
                    [delayed.shown(&game.state), &game.state].map(|state| state.version().get());
                assert_eq!(shown as usize + n_behind, now as usize, "{delay} turns");
            }
            let before = game.state.clone();
            delayed.record(&before, &Event::Declined { what: OfferKind::Draw, side: Side::First });
            assert_ne!(delayed.shown(&game.state).version(), game.state.version(), "an offer shows no turn");
            delayed.record(&before, &Event::Aborted { side: None });
            assert_eq!(delayed.shown(&game.state).version(), game.state.version());
        }
    }
}
