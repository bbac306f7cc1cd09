//! The time of a turn that its player is not charged: outages of the server, and the player's vacations. Pure.

/// A period of time, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from_ms: i64,
    pub to_ms: i64,
}

/// The time to credit to a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Away {
    /// Milliseconds, in all.
    pub ms: i64,
    /// End of the last vacation that overlaps the turn, in milliseconds since 1970; 0 if there is none. It may be in the
    /// future: a vacation is credited as soon as it begins.
    pub vacation_until_ms: i64,
}

impl Away {
    /// Returns the time of outages alone.
    pub const fn of_outages(ms: i64) -> Self {
        Self { ms, vacation_until_ms: 0 }
    }

    /// Returns the part of outages and vacations, both in order, that lies in a turn from `began_ms` on. Time in several of
    /// them counts once. One that begins when the turn has taken `allowed_ms` comes too late, like all after it.
    ///
    /// For example, a turn that may take three days begins at noon. Its player is on vacation from the next noon for ten
    /// days, and the server is down for an hour in the middle of them: the credit is ten days. Had the vacation begun four
    /// days after the turn, the credit would be nothing.
    pub fn in_turn(began_ms: i64, allowed_ms: i64, outages: &[Period], vacations: &[Period]) -> Self {
        let outages = outages.iter().map(|period| (*period, false));
        let mut periods: Vec<_> = outages.chain(vacations.iter().map(|period| (*period, true))).collect();
        periods.retain(|(period, _)| period.to_ms > began_ms);
        periods.sort_by_key(|(period, _)| period.from_ms);
        let mut away = Self::default();
        let mut counted_ms = began_ms;
        for (Period { from_ms, to_ms }, is_vacation) in periods {
            let from_ms = from_ms.max(counted_ms);
            if from_ms - began_ms - away.ms >= allowed_ms {
                break;
            }
            away.ms += (to_ms - from_ms).max(0);
            counted_ms = counted_ms.max(to_ms);
            if is_vacation {
                away.vacation_until_ms = away.vacation_until_ms.max(to_ms);
            }
        }
        away
    }
}
