//! What the readers of a game are shown of it: its players all, its watchers perhaps a few turns less.

use std::collections::VecDeque;

use engine::record::Record;

use crate::{
    game::{Corrupt, Event, Phase, Recorded, State, record, view},
    ids::{GameId, Version},
    protocol::{GameDocument, Present, WrittenEvent},
};

/// A game as far as some readers may see it.
#[derive(Clone, Debug)]
pub(super) struct Screen {
    pub(super) state: State,
    /// The log as readers see it; event n has version n + 1.
    pub(super) events: Vec<WrittenEvent>,
}

impl Screen {
    pub(super) fn begin(first: &Recorded) -> Result<Self, Corrupt> {
        let state = State::begin(first)?;
        let events = vec![(&view::event(&state, state.version(), first)).into()];
        Ok(Self { state, events })
    }

    pub(super) fn fold(&mut self, recorded: &Recorded) -> Result<(), Corrupt> {
        self.state.replay(recorded)?;
        self.show(self.state.version(), recorded);
        Ok(())
    }

    /// Adds an event that the state has folded in, and no later turn.
    pub(super) fn show(&mut self, version: Version, recorded: &Recorded) {
        self.events.push((&view::event(&self.state, version, recorded)).into());
    }

    /// The events behind those that a reader has, and whether they are all that there are, since what the reader
    /// has is nothing or not of this game.
    pub(super) fn events_after(&self, known: Version) -> (bool, Vec<WrittenEvent>) {
        let known = known.get() as usize;
        let from_the_start = known == 0 || known > self.events.len();
        let known = if from_the_start { 0 } else { known };
        (from_the_start, self.events[known..].to_vec())
    }

    pub(super) fn document(&self, id: GameId, now_ms: i64) -> GameDocument {
        let (summary, events) = (view::summary(id, &self.state), self.events.clone());
        GameDocument { summary, events, present: view::present(&self.state, now_ms) }
    }

    pub(super) fn record(&self) -> Record {
        record::of(&self.state)
    }
}

/// The screen of watchers who are some turns behind. What they may not see yet waits here and nowhere else.
#[derive(Debug)]
pub(super) struct Delayed {
    pub(super) screen: Screen,
    waiting: VecDeque<Recorded>,
    turns: usize,
}

impl Delayed {
    /// A screen that is so many turns behind.
    pub(super) fn by(turns: u8, screen: Screen) -> Self {
        Self { screen, waiting: VecDeque::new(), turns: usize::from(turns) }
    }

    /// Takes the game's next event, and shows what may be shown now: at the end of the game everything.
    pub(super) fn fold(&mut self, recorded: Recorded) -> Result<(), Corrupt> {
        let is_over = matches!(recorded.event, Event::Ended { .. } | Event::Aborted { .. })
            || matches!(self.screen.state.phase, Phase::Finished { .. });
        self.waiting.push_back(recorded);
        let is_turn = |waiting: &Recorded| matches!(waiting.event, Event::TurnPlayed { .. });
        let mut held_turns = self.waiting.iter().filter(|waiting| is_turn(waiting)).count();
        while let Some(next) = self.waiting.front() {
            let counts = usize::from(is_turn(next));
            if !is_over && counts == 1 && held_turns <= self.turns {
                break;
            }
            held_turns -= counts;
            self.screen.fold(next)?;
            self.waiting.pop_front();
        }
        Ok(())
    }

    /// How the game stands for them. Their clocks show what they did when the turn that they see began.
    pub(super) fn present(&self) -> Present {
        view::present(&self.screen.state, self.screen.state.updated_ms)
    }
}
