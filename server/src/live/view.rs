//! What the readers of a game are shown of it: its players all, its spectators perhaps a few turns less.

use std::collections::VecDeque;

use super::log::WrittenLog;
use crate::{
    game::{Corrupt, Event, Recorded, State},
    ids::Version,
    protocol::view,
};

/// Events of a log that are folded in one piece on the compute pool. A turn among the first thousand takes some 30 µs.
pub(super) const EVENTS_IN_PIECE: usize = 512;

/// Bytes that a copy of a game takes: what it does not share with others, of which the last turns are the most.
const BYTES_OF_COPY: usize = 8 * 1024;

/// Events beside its turns that a game has for each turn, at most but rarely: an offer and its answer.
const EVENTS_OF_A_TURN: usize = 3;

/// A game with its log as readers see it.
#[derive(Debug)]
pub(super) struct View {
    pub(super) state: State,
    pub(super) log: WrittenLog,
}

impl View {
    pub(super) fn begin(first: &Recorded) -> Result<Self, Corrupt> {
        let state = State::begin(first)?;
        let n_behind = usize::from(state.terms.delay.get()) * EVENTS_OF_A_TURN;
        let mut view = Self { log: WrittenLog::new(n_behind), state };
        view.show(view.state.version(), first);
        Ok(view)
    }

    pub(super) fn fold(&mut self, recorded: &Recorded) -> Result<(), Corrupt> {
        self.state.replay(recorded)?;
        self.show(self.state.version(), recorded);
        Ok(())
    }

    /// Adds an event that the state has folded in, and no later turn.
    pub(super) fn show(&mut self, version: Version, recorded: &Recorded) {
        self.log.push((&view::event(&self.state, version, recorded)).into());
    }

    /// Bytes of memory that the game takes.
    pub(super) fn n_bytes(&self) -> usize {
        self.state.n_bytes() + self.log.n_bytes()
    }
}

/// What spectators see who are some turns behind: the game as it was before the first of the turns that they may not see yet.
/// How much of the log that is, its version tells.
#[derive(Debug)]
pub(super) struct Delayed {
    /// The game before each of the last turns, as many as spectators are behind at most. They share what they have in
    /// common.
    before: VecDeque<State>,
    n_turns: usize,
}

impl Delayed {
    /// So many turns behind a game that is not begun.
    pub(super) const fn by(turns: u8) -> Self {
        Self { before: VecDeque::new(), n_turns: turns as usize }
    }

    /// Takes note of an event and of the game before it. At its end nothing is held back any more.
    pub(super) fn record(&mut self, before: &State, event: &Event) {
        match event {
            Event::TurnPlayed { .. } => {
                if self.before.len() == self.n_turns {
                    self.before.pop_front();
                }
                self.before.push_back(before.clone());
            }
            Event::Ended { .. } | Event::Aborted { .. } => self.before = VecDeque::new(),
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
            | Event::Cancelled => {}
        }
    }

    /// The game that they see, of the game as it is.
    pub(super) fn shown<'s>(&'s self, now: &'s State) -> &'s State {
        self.before.front().unwrap_or(now)
    }

    /// Bytes of memory that are not the game's own as well.
    pub(super) fn n_bytes(&self) -> usize {
        self.before.len() * BYTES_OF_COPY
    }
}

#[cfg(test)]
mod tests {
    use engine::Side;

    use super::*;
    use crate::{
        game::{OfferKind, Terms},
        live::tests::sample::log,
    };

    #[test]
    fn spectators_are_as_many_turns_behind_as_was_agreed_and_see_all_at_the_end() {
        let log = log(Terms::default(), 12);
        for delay in 1..=14 {
            let mut game = View::begin(&log[0]).unwrap();
            let mut delayed = Delayed::by(delay);
            for recorded in &log[1..] {
                let before = game.state.clone();
                game.fold(recorded).unwrap();
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
