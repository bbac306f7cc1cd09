use std::{fmt, str::FromStr};

use super::Misfit;

/// A day of the Gregorian calendar, from year 1 to 9999, written as `2026-11-20`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

const DAY_MS: i64 = 86_400_000;

impl Date {
    /// Creates a date; `None` if there is no such day.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let exists = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day);
        exists.then_some(Self { year, month, day })
    }

    /// The UTC day of a moment in milliseconds since 1970; `None` before 1970 and after year 9999.
    #[must_use]
    pub fn from_unix_ms(moment_ms: i64) -> Option<Self> {
        let mut rest = u64::try_from(moment_ms).ok()? / DAY_MS as u64;
        let year = (1970..=9999).find(|year| take(&mut rest, days_in_year(*year)))?;
        let month = (1..=12).find(|month| take(&mut rest, days_in_month(year, *month).into()))?;
        Self::new(year, month, rest as u8 + 1)
    }

    /// The beginning of the day in UTC, in milliseconds since 1970.
    #[must_use]
    pub fn unix_ms(self) -> i64 {
        let months = (1..self.month).map(|month| i64::from(days_in_month(self.year, month))).sum::<i64>();
        let days = days_before(self.year) + months + i64::from(self.day) - 1;
        (days - days_before(1970)) * DAY_MS
    }
}

/// Number of days from the beginning of year 1 to the beginning of a year.
fn days_before(year: u16) -> i64 {
    let years = i64::from(year) - 1;
    years * 365 + years / 4 - years / 100 + years / 400
}

/// Returns whether fewer than `days` are left; if not, subtracts them.
fn take(rest: &mut u64, days: u64) -> bool {
    let is_within = *rest < days;
    if !is_within {
        *rest -= days;
    }
    is_within
}

const fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

const fn days_in_year(year: u16) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

const fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = Misfit;

    fn from_str(text: &str) -> Result<Self, Misfit> {
        let misfit = Misfit::Day;
        let mut parts = text.splitn(3, '-').map(str::parse);
        let mut part = || parts.next().and_then(Result::ok).ok_or(misfit);
        let (year, month, day): (u16, u16, u16) = (part()?, part()?, part()?);
        let date = Self::new(year, month.min(99) as u8, day.min(99) as u8).ok_or(misfit)?;
        if date.to_string() == text { Ok(date) } else { Err(misfit) }
    }
}
