use std::{fmt, time::Duration};

/// Strength of a player, from 1, for beginners, to 8, full strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The level without any errors made on purpose.
    pub const FULL: Self = Self(8);

    /// Every level, from the weakest.
    pub const ALL: [Self; 8] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8)];

    /// The level of a number from 1 to 8; `None` for any other number.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.0 == number)
    }

    /// The number, 1 to 8.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Percentage of the turns of an opening that a player of this level knows.
    pub(crate) const fn known_openings(self) -> u32 {
        match self.0 {
            1..=4 => 0,
            5 => 15,
            6 => 30,
            7 => 60,
            _ => 100,
        }
    }

    /// The time that a player of this level takes for a turn, where no clock gives it less.
    #[must_use]
    pub const fn time(self) -> Duration {
        Duration::from_millis(match self.0 {
            1..=3 => 300,
            4 => 600,
            5 => 1_000,
            6 => 1_500,
            7 => 2_500,
            _ => 5_000,
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
