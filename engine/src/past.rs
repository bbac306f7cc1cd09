use crate::{Outcome, Position, Reason, TurnNumber};

/// What happened in a game so far, as far as it decides what may happen yet.
#[derive(Clone, Debug)]
pub struct Past<P: Position> {
    begun: Vec<P::Key>,
    done: Vec<(P::Deed, TurnNumber)>,
}

/// How long a past was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    n_begun: usize,
    n_done: usize,
}

impl<P: Position> Past<P> {
    pub(crate) const fn none() -> Self {
        Self { begun: Vec::new(), done: Vec::new() }
    }

    /// The past of a game that starts here (RULES 0.3): at most, this turn has begun (RULES 0.9).
    pub(crate) fn starting(position: &P) -> Self {
        Self { begun: position.key().into_iter().collect(), done: Vec::new() }
    }

    /// The keys of the turns that have begun, in order (RULES 0.6).
    #[must_use]
    pub fn begun(&self) -> &[P::Key] {
        &self.begun
    }

    /// The actions that are not legal here only because the side has done the same before, each once, with the
    /// turn in which it did (RULES 4.4).
    pub fn barred(&self, position: &P) -> impl Iterator<Item = (P::Action, TurnNumber)> {
        self.done.iter().filter_map(|(deed, turn)| Some((position.again(deed)?, *turn)))
    }

    /// The draw that games have in common, if the turn that begins at `position` meets with it (RULES 0.6,
    /// 0.7).
    #[must_use]
    pub fn draw(&self, position: &P) -> Option<Outcome> {
        let repeated = position
            .key()
            .is_some_and(|key| self.begun.iter().filter(|earlier| **earlier == key).nth(1).is_some());
        if repeated {
            return Some(Outcome::drawn(Reason::Repetition));
        }
        (position.turn() > TurnNumber::LAST).then_some(Outcome::drawn(Reason::TurnLimit))
    }

    /// Takes in that `action` led from one position to another.
    #[inline]
    pub(crate) fn note(&mut self, before: &P, action: P::Action, after: &P) {
        self.done.extend(before.deed(action, after).map(|deed| (deed, before.turn())));
    }

    /// Takes in that a turn begins.
    #[inline]
    pub(crate) fn begin(&mut self, position: &P) {
        self.begun.extend(position.key());
    }

    /// Takes in what happened since.
    pub(crate) fn append(&mut self, mut news: Self) {
        self.begun.append(&mut news.begun);
        self.done.append(&mut news.done);
    }

    pub(crate) const fn mark(&self) -> Mark {
        Mark { n_begun: self.begun.len(), n_done: self.done.len() }
    }

    /// Forgets what was taken in since the mark.
    pub(crate) fn rewind(&mut self, to: Mark) {
        self.begun.truncate(to.n_begun);
        self.done.truncate(to.n_done);
    }
}
