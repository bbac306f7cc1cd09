//! Vacations.

use game::ids::PlayerId;

use super::{Tables, clearing::take_one};
use crate::{Refused, VacationChange, VacationStep};

impl Tables {
    pub(super) fn change_vacation(&mut self, change: &VacationChange) -> Result<(), Refused> {
        let person = self.players.get_mut(&change.player).ok_or(Refused::UnknownPlayer)?;
        match change.what {
            VacationStep::SetAutomatic(is_automatic) => person.vacations.is_automatic = is_automatic,
            VacationStep::Credited(credited) => {
                if person.vacations.taken.iter().any(|taken| taken.period() == credited) {
                    person.uncredited.remove(&credited.from_ms);
                }
            }
            VacationStep::Begun(_) | VacationStep::Ended | VacationStep::Used { .. } => {}
        }
        if let Some(vacation) = change.decide(&person.vacations)? {
            person.vacations.keep(vacation);
            person.uncredited.insert(vacation.from_ms);
            change.notice(vacation).iter().for_each(|notice| self.tell(notice));
        }
        Ok(())
    }

    /// Deletes vacations of players, at most `left`.
    pub(super) fn forget_vacations(&mut self, players: &[PlayerId], left: &mut u32) {
        for player in players {
            self.person(*player).vacations.taken.retain(|_| !take_one(left));
        }
    }
}
