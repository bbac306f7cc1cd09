use game::{
    InboxEvent, NoVacation, Period, Vacation, Vacations,
    ids::{PlayerId, VacationDays},
};

use super::NewNotice;

/// A change of a player's vacations. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VacationChange {
    pub player: PlayerId,
    pub now_ms: i64,
    pub what: VacationStep,
}

/// What changes about a player's vacations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VacationStep {
    /// A vacation begins.
    Begun(VacationDays),
    /// The vacation under way ends.
    Ended,
    /// The player's time in a game runs out, and a day is used, unless a vacation covers that time already.
    Used { deadline_ms: i64 },
    /// Days are used when the player's time runs out, or not any more.
    SetAutomatic(bool),
    /// All games of the player have been credited the vacation of this period. Without effect if it has changed since.
    Credited(Period),
}

impl VacationChange {
    /// What the player is told of the vacation that the change stores: that a day was used.
    pub(super) fn notice(&self, Vacation { from_ms, to_ms, .. }: Vacation) -> Option<NewNotice> {
        let VacationStep::Used { .. } = self.what else { return None };
        let event = InboxEvent::VacationUsed { from_ms, to_ms };
        Some(NewNotice { player: self.player, event, at_ms: self.now_ms })
    }

    /// Decides on the change, and returns the row to be stored, if there is one: it is new, or replaces the one that began at the
    /// same time.
    pub(super) fn decide(&self, vacations: &Vacations) -> Result<Option<Vacation>, NoVacation> {
        match self.what {
            VacationStep::Begun(days) => vacations.begin(days, self.now_ms).map(Some),
            VacationStep::Ended => vacations.end(self.now_ms).map(Some),
            VacationStep::Used { deadline_ms } => vacations.use_at(deadline_ms, self.now_ms),
            VacationStep::SetAutomatic(_) | VacationStep::Credited(_) => Ok(None),
        }
    }
}
