//! Vacations of players and their allowance. Pure: what is left follows from the vacations that were taken.

use super::Period;
use crate::ids::VacationDays;

const HOUR_MS: i64 = 60 * 60 * 1_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Allowance of a new player, in half days.
const HALF_DAYS_AT_FIRST: i64 = 20;

/// Half days that each [`PERIOD_MS`] of a player adds to the allowance.
const HALF_DAYS_A_PERIOD: i64 = 5;

const PERIOD_MS: i64 = 30 * DAY_MS;

/// Maximum allowance in hand, in half days.
const MAX_HALF_DAYS: i64 = 60;

/// A vacation of a player. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vacation {
    pub from_ms: i64,
    /// The end, which is earlier than planned if the player came back.
    pub to_ms: i64,
    /// Whether it was used because the player's time in a game ran out.
    pub is_automatic: bool,
}

impl Vacation {
    /// Returns the days of the allowance that the vacation takes: those that have begun.
    fn days(&self) -> i64 {
        let ms = self.to_ms.saturating_sub(self.from_ms).max(0);
        ms / DAY_MS + i64::from(ms % DAY_MS > 0)
    }

    /// Returns the time of the vacation.
    pub const fn period(&self) -> Period {
        Period { from_ms: self.from_ms, to_ms: self.to_ms }
    }
}

/// What decides on the vacations of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacations {
    /// When the player came, in milliseconds since 1970.
    pub created_ms: i64,
    /// Whether a day is used when the player's time runs out.
    pub is_automatic: bool,
    /// All vacations so far, in order and without overlaps.
    pub taken: Vec<Vacation>,
}

/// Reason why a vacation does not begin or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoVacation {
    #[error("the player is on vacation")]
    UnderWay,
    #[error("the player is not on vacation")]
    NotUnderWay,
    #[error("the player has fewer days of vacation left")]
    NoneLeft,
    #[error("the player does not want vacation to be used automatically")]
    NotAutomatic,
}

impl Vacations {
    /// Returns the whole days of vacation in hand: 10 at first and 2.5 more each 30 days, at most 30, less those taken.
    ///
    /// For example, a player of 60 days who has been away for a day and an hour has 13: 15 less 2.
    pub fn days_left(&self, now_ms: i64) -> u8 {
        let periods = |at_ms: i64| at_ms.saturating_sub(self.created_ms).max(0) / PERIOD_MS;
        let (mut half_days, mut n_periods) = (HALF_DAYS_AT_FIRST, 0);
        let mut grow_to = |half_days: i64, at_ms| {
            let added = (periods(at_ms) - n_periods).max(0);
            n_periods += added;
            half_days.saturating_add(added.saturating_mul(HALF_DAYS_A_PERIOD)).min(MAX_HALF_DAYS)
        };
        for vacation in &self.taken {
            half_days = grow_to(half_days, vacation.from_ms).saturating_sub(2 * vacation.days());
        }
        u8::try_from(grow_to(half_days, now_ms).max(0) / 2).unwrap_or_default()
    }

    /// Returns the vacation under way.
    pub fn present(&self, now_ms: i64) -> Option<Vacation> {
        self.taken.iter().copied().find(|taken| (taken.from_ms..taken.to_ms).contains(&now_ms))
    }

    /// Decides on a vacation from now on.
    ///
    /// # Errors
    /// The player is on vacation, or has fewer days left.
    pub fn begin(&self, days: VacationDays, now_ms: i64) -> Result<Vacation, NoVacation> {
        // No two vacations begin at once. By the clock of another node the last one may not have begun yet.
        let from_ms = self.taken.last().map_or(now_ms, |last| now_ms.max(last.from_ms.saturating_add(1)));
        if self.present(from_ms).is_some() {
            return Err(NoVacation::UnderWay);
        }
        if days.get() > self.days_left(now_ms) {
            return Err(NoVacation::NoneLeft);
        }
        Ok(Vacation {
            from_ms,
            to_ms: from_ms.saturating_add(i64::from(days.get()) * DAY_MS),
            is_automatic: false,
        })
    }

    /// Decides on the early end of the vacation under way, and returns what is left of it. The days that have not begun go back
    /// to the allowance.
    ///
    /// # Errors
    /// The player is not on vacation.
    pub fn end(&self, now_ms: i64) -> Result<Vacation, NoVacation> {
        let present = self.present(now_ms).ok_or(NoVacation::NotUnderWay)?;
        Ok(Vacation { to_ms: now_ms, ..present })
    }

    /// Decides on a day of vacation for a player whose time runs out at `deadline_ms`; `None` if a vacation covers that time
    /// already. The day begins with the hour in which the time runs out, so that the games whose time runs out in that hour
    /// share it, and some of the player's time is left at its end.
    ///
    /// # Errors
    /// No day is left, or the player does not want it to be used.
    pub fn use_at(&self, deadline_ms: i64, now_ms: i64) -> Result<Option<Vacation>, NoVacation> {
        // A turn that takes all of its time is too late.
        let last_ms = deadline_ms - 1;
        if self.taken.iter().any(|taken| (taken.from_ms..taken.to_ms).contains(&last_ms)) {
            return Ok(None);
        }
        if !self.is_automatic {
            return Err(NoVacation::NotAutomatic);
        }
        if self.days_left(now_ms) == 0 {
            return Err(NoVacation::NoneLeft);
        }
        let before = self.taken.iter().rfind(|taken| taken.from_ms <= last_ms);
        let after = self.taken.iter().find(|taken| taken.from_ms > last_ms);
        let hour_ms = last_ms - last_ms.rem_euclid(HOUR_MS);
        let from_ms =
            before.map_or(hour_ms, |before| hour_ms.max(before.to_ms).max(before.from_ms.saturating_add(1)));
        let to_ms = after.map_or(from_ms + DAY_MS, |after| after.from_ms.min(from_ms + DAY_MS));
        Ok(Some(Vacation { from_ms, to_ms, is_automatic: true }))
    }

    /// Adds a vacation, or replaces the one that began at the same time.
    pub fn keep(&mut self, vacation: Vacation) {
        self.taken.retain(|taken| taken.from_ms != vacation.from_ms);
        self.taken.push(vacation);
        self.taken.sort_by_key(|taken| taken.from_ms);
    }
}
