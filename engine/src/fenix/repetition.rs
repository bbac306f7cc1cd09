use super::{Due, Fenix, board::Board};
use crate::core::{GameHistory, Outcome, Reason, Side};

/// The part of a position that makes a turn of the second phase the same as an earlier one (RULES 2.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionKey {
    pub(super) board: Board,
    pub(super) side: Side,
    pub(super) due: Option<Due>,
}

/// Minimum number of quiet turns before a third occurrence: captures and makings change the discs or pieces for good,
/// and each side has to move a piece away and back twice.
const QUIET_BEFORE_THIRD: u8 = 8;

impl PositionKey {
    /// Whether the side to move was under threat.
    fn is_threatened(&self) -> bool {
        self.board.can_capture(self.side.other())
    }
}

impl Fenix {
    /// The outcome of the game if its turn begins for the third time (RULES 2.11). The history has all earlier turns.
    #[inline]
    pub(super) fn third_time(&self, history: &GameHistory<Self>) -> Option<Outcome> {
        if self.quiet_turns() < QUIET_BEFORE_THIRD {
            return None;
        }
        let mut same = history.same_turns(self);
        let second = same.next()?;
        same.next()?;
        Some(outcome_of_repetition(history, second))
    }
}

/// The outcome of a third occurrence. `second` is the index of the turn of the second occurrence.
fn outcome_of_repetition(history: &GameHistory<Fenix>, second: usize) -> Outcome {
    let since = history.turn_keys_from(second);
    let evaded = |side| since.clone().filter(|turn| turn.side == side).all(PositionKey::is_threatened);
    match (evaded(Side::First), evaded(Side::Second)) {
        (true, false) => Outcome::won(Side::Second, Reason::Repetition),
        (false, true) => Outcome::won(Side::First, Reason::Repetition),
        (true, true) | (false, false) => Outcome::drawn(Reason::Repetition),
    }
}
