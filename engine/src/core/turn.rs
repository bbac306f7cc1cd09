use std::fmt;

use super::Side;

/// The number of a turn, counted from 1, both sides together (RULES 0.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TurnNumber(u16);

impl TurnNumber {
    /// The first turn of a game from the ruleset's own start.
    pub const FIRST: Self = Self(1);

    /// The last turn, at whose end the game is over (RULES 0.7).
    pub const LAST: Self = Self(1000);

    /// The number of a turn that can be played: 1 to 1000.
    pub(crate) fn playable(number: u16) -> Option<Self> {
        (Self::FIRST.0..=Self::LAST.0).contains(&number).then_some(Self(number))
    }

    /// The number of a turn that can begin: 1 to 1000, or the one after the last (RULES 0.8).
    #[cfg(feature = "record")]
    pub(crate) fn beginning(number: u16) -> Option<Self> {
        if number == Self::LAST.0 + 1 { Some(Self(number)) } else { Self::playable(number) }
    }

    /// The plain number, from 1.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The side whose turn it is: First has the odd turns, Second the even ones.
    #[must_use]
    pub const fn side(self) -> Side {
        if self.0 % 2 == 1 { Side::First } else { Side::Second }
    }

    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for TurnNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
