use super::board::Board;
use crate::{Outcome, Reason, Side};

/// What makes a turn of the second phase the same as an earlier one (RULES 2.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionKey {
    pub(super) board: Board,
    pub(super) side: Side,
    pub(super) due: Option<super::Due>,
}

impl PositionKey {
    /// Whether the side to move was under threat.
    fn is_threatened(&self) -> bool {
        self.board.can_capture(self.side.other())
    }

    /// How the game ends if this is the third time, after all turns of the second phase that have `begun`
    /// before (RULES 2.11).
    pub(super) fn third_time<'k>(&self, begun: impl Iterator<Item = &'k Self> + Clone) -> Option<Outcome> {
        let (second, _) = begun.clone().enumerate().filter(|(_, earlier)| *earlier == self).nth(1)?;
        let since = begun.skip(second);
        let evaded = |side| since.clone().filter(|turn| turn.side == side).all(Self::is_threatened);
        Some(match (evaded(Side::First), evaded(Side::Second)) {
            (true, false) => Outcome::won(Side::Second, Reason::Repetition),
            (false, true) => Outcome::won(Side::First, Reason::Repetition),
            (true, true) | (false, false) => Outcome::drawn(Reason::Repetition),
        })
    }
}
