//! The terms that the maker of a room sets for its game.

use crate::ids::{Days, Delay};

/// The seat that a room's maker wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatChoice {
    First,
    Second,
    Random,
}

/// The readers of the server's lists who see a game there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody: it is in the lobby and in the lists.
    Public,
    /// Nobody: the game is found by its link.
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

/// The measure of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClockRule {
    /// Time is not measured.
    #[default]
    None,
    /// Each side has a time for all its turns. The first turn of a side is free.
    RealTime(RealTime),
    /// Each turn has its own time.
    Correspondence { days: Days },
}

/// A time for all turns of a side, and the bonus that each turn has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RealTime {
    base_s: u32,
    bonus_s: u32,
    bonus: Bonus,
}

/// The purpose of the seconds of the bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// Added after each turn.
    PerTurn,
    /// Added after each turn for every action of it, `end` aside.
    PerAction,
    /// The time that each turn has before the side's own begins to run.
    Delay,
    /// The time that a turn took is added after it, up to these seconds.
    Bronstein,
}

/// A time that no game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected base_s of 0 to 10800 and bonus_s of 0 to 180, not both 0")]
pub struct InvalidTime;

impl RealTime {
    /// Seconds of the longest time to begin with.
    pub const MAX_BASE_S: u32 = 180 * 60;
    /// Seconds of the longest bonus.
    pub const MAX_BONUS_S: u32 = 180;

    /// A time of `base_s` seconds to begin with and `bonus_s` seconds of a bonus, not both 0.
    ///
    /// # Errors
    /// No game can have such a time.
    pub const fn new(base_s: u32, bonus_s: u32, bonus: Bonus) -> Result<Self, InvalidTime> {
        if base_s <= Self::MAX_BASE_S && bonus_s <= Self::MAX_BONUS_S && base_s + bonus_s > 0 {
            Ok(Self { base_s, bonus_s, bonus })
        } else {
            Err(InvalidTime)
        }
    }

    /// Seconds to begin with, 0 to 10,800. Without any, a side begins with one bonus.
    pub const fn base_s(self) -> u32 {
        self.base_s
    }

    /// Seconds of the bonus, 0 to 180; not 0 if there are none to begin with.
    pub const fn bonus_s(self) -> u32 {
        self.bonus_s
    }

    /// The purpose of the bonus.
    pub const fn bonus(self) -> Bonus {
        self.bonus
    }
}

/// The people who may see a game besides its players, now and later.
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
    /// They see finished turns only.
    Hidden,
}
