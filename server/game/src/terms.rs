//! The terms that the maker of a room sets for its game.

use crate::ids::{BankDays, BankHours, Days, Delay};

/// The seat that the maker of a room chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatChoice {
    First,
    Second,
    Random,
}

/// Whether a game is in the server's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// In the lobby and in the lists.
    Public,
    /// Found only by its link.
    Link,
}

/// The terms of a game, apart from the ruleset and the seats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    pub clock: ClockRule,
    pub watching: Watching,
    pub drafts: Drafts,
    /// Number of turns that spectators are behind the game.
    pub delay: Delay,
}

/// The clock of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClockRule {
    /// Time is not measured.
    #[default]
    None,
    /// Each side has one time for all its turns. The first turn of a side is not charged.
    RealTime(RealTime),
    /// Each turn has its own time.
    Correspondence { days: Days },
    /// Each side has a bank of days for all its turns. Each turn adds hours to it, up to the days that it began with.
    Bank { base_days: BankDays, bonus_hours: BankHours },
}

impl ClockRule {
    /// Whether the time of a turn is counted in days, so that vacations are credited.
    pub const fn is_by_days(self) -> bool {
        match self {
            Self::Correspondence { .. } | Self::Bank { .. } => true,
            Self::None | Self::RealTime(_) => false,
        }
    }
}

/// A time for all turns of a side, and a bonus for each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RealTime {
    base_s: u32,
    bonus_s: u32,
    bonus: Bonus,
}

/// The kind of a bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// Added after each turn.
    PerTurn,
    /// Added after each turn, for every action of the turn except `end`.
    PerAction,
    /// Uncharged time at the beginning of each turn.
    Delay,
    /// Added after each turn: the time that the turn took, up to the bonus.
    Bronstein,
}

/// A time or bonus that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected base_s of 0 to 10800 and bonus_s of 0 to 180, not both 0")]
pub struct InvalidTime;

impl RealTime {
    /// Maximum base time in seconds.
    pub const MAX_BASE_S: u32 = 180 * 60;
    /// Maximum bonus in seconds.
    pub const MAX_BONUS_S: u32 = 180;

    /// Creates a clock with a base time of `base_s` seconds and a bonus of `bonus_s` seconds, not both 0.
    ///
    /// # Errors
    /// A value is out of range, or both are 0.
    pub const fn new(base_s: u32, bonus_s: u32, bonus: Bonus) -> Result<Self, InvalidTime> {
        if base_s <= Self::MAX_BASE_S && bonus_s <= Self::MAX_BONUS_S && base_s + bonus_s > 0 {
            Ok(Self { base_s, bonus_s, bonus })
        } else {
            Err(InvalidTime)
        }
    }

    /// Returns the base time in seconds, 0 to 10,800. If it is 0, each side begins with one bonus.
    pub const fn base_s(self) -> u32 {
        self.base_s
    }

    /// Returns the bonus in seconds, 0 to 180; not 0 if the base time is 0.
    pub const fn bonus_s(self) -> u32 {
        self.bonus_s
    }

    /// Returns the kind of the bonus.
    pub const fn bonus(self) -> Bonus {
        self.bonus
    }
}

/// Whether people other than the players may see a game, during play and afterwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watching {
    #[default]
    Everybody,
    Nobody,
}

/// Whether the other side and spectators see turns while they are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drafts {
    #[default]
    Shown,
    /// They see only finished turns.
    Hidden,
}
