use crate::{Outcome, Position, Reason, TurnNumber};

/// What happened in a game so far, as far as it decides what may happen yet.
pub trait Past<P: Position> {
    /// The keys of the turns that have begun, in order (RULES 0.6).
    fn begun(&self) -> impl Iterator<Item = &P::Key> + Clone;

    /// What the sides may not do again, in order, each with the turn in which it was done.
    fn done(&self) -> impl Iterator<Item = &(P::Deed, TurnNumber)>;

    /// The actions that are not legal here only because the side has done the same before, each once, with the
    /// turn in which it did (RULES 4.4).
    fn barred(&self, position: &P) -> impl Iterator<Item = (P::Action, TurnNumber)> {
        self.done().filter_map(|(deed, turn)| Some((position.again(deed)?, *turn)))
    }

    /// The draw that games have in common, if the turn that begins at `position` meets with it (RULES 0.6,
    /// 0.7).
    fn draw(&self, position: &P) -> Option<Outcome> {
        let repeated = position
            .key()
            .is_some_and(|key| self.begun().filter(|earlier| **earlier == key).nth(1).is_some());
        if repeated {
            return Some(Outcome::drawn(Reason::Repetition));
        }
        (position.turn() > TurnNumber::LAST).then_some(Outcome::drawn(Reason::TurnLimit))
    }
}

/// What `action`, which led from one position to another, adds to what was done.
#[inline]
pub(crate) fn deed<P: Position>(before: &P, action: P::Action, after: &P) -> Option<(P::Deed, TurnNumber)> {
    before.deed(action, after).map(|deed| (deed, before.turn()))
}
