use crate::{Outcome, Position, Reason, TurnNumber};

/// What happened in a game so far, as far as it decides what may happen yet.
pub trait GameHistory<P: Position> {
    /// The keys of the turns that have begun, in order (RULES 0.6).
    fn turn_keys(&self) -> impl Iterator<Item = &P::PositionKey> + Clone;

    /// What the sides may not do again, in order, each with the turn in which it was done.
    fn ko_records(&self) -> impl Iterator<Item = &(P::KoRecord, TurnNumber)>;

    /// The actions that are not legal here only because the side has done the same before, each once, with the
    /// turn in which it did (RULES 4.4).
    fn ko_forbidden(&self, position: &P) -> impl Iterator<Item = (P::Action, TurnNumber)> {
        self.ko_records().filter_map(|(record, turn)| Some((position.repeats(record)?, *turn)))
    }

    /// The draw that games have in common, if the turn that begins at `position` meets with it (RULES 0.6,
    /// 0.7).
    fn draw(&self, position: &P) -> Option<Outcome> {
        let repeated = position
            .key()
            .is_some_and(|key| self.turn_keys().filter(|earlier| **earlier == key).nth(1).is_some());
        if repeated {
            return Some(Outcome::drawn(Reason::Repetition));
        }
        (position.turn() > TurnNumber::LAST).then_some(Outcome::drawn(Reason::TurnLimit))
    }
}

/// What `action`, which led from one position to another, adds to what was done.
#[inline]
pub(crate) fn ko_record<P: Position>(
    before: &P,
    action: P::Action,
    after: &P,
) -> Option<(P::KoRecord, TurnNumber)> {
    before.ko_record(action, after).map(|record| (record, before.turn()))
}
