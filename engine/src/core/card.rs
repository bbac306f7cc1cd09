use std::fmt;

/// A card, by its value: 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Card(u8);

impl Card {
    /// One of each value, from the lowest.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// The card of a value; `None` if there is none.
    #[must_use]
    pub fn from_value(value: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.0 == value)
    }

    /// Its value, which is the number of actions that it allows.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
