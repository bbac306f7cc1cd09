use std::{
    fmt,
    ops::{Index, IndexMut},
    str::FromStr,
};

/// One of the two sides (RULES 0.1). First takes the first turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    First,
    Second,
}

impl Side {
    /// Both sides, First first.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The side that this one plays against.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The digit of positions' texts (RULES 0.4): 1 or 2.
    #[must_use]
    pub const fn digit(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }

    /// The index of arrays with a value for each side: 0 or 1.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `first` or `second`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

super::serialized_as_text!(Side);

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Side {
    type Err = UnknownSide;

    fn from_str(text: &str) -> Result<Self, UnknownSide> {
        Self::ALL.into_iter().find(|side| side.id() == text).ok_or(UnknownSide)
    }
}

/// The error of a text that is not the id of a side.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error, Debug)]
#[error("expected `first` or `second`")]
pub struct UnknownSide;

/// One value for each side.
///
/// ```
/// use engine::{BySide, Side};
/// let mut points = BySide { first: 1, second: 2 };
/// points[Side::Second] += 1;
/// assert_eq!(points.second, 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct BySide<T> {
    pub first: T,
    pub second: T,
}

impl<T> BySide<T> {
    /// The value of each side from one function.
    pub fn from_fn(mut value: impl FnMut(Side) -> T) -> Self {
        Self { first: value(Side::First), second: value(Side::Second) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
