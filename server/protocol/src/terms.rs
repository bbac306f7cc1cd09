//! Terms of a game, as the maker of its room sets them.

use engine::Ruleset;
use game::ids::{BankDays, BankHours, Days, Delay};
use serde::{Deserialize, Serialize};

/// Seat that the maker of a room chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeatChoice {
    First,
    Second,
    /// Drawn when the second player joins.
    Random,
}

/// Visibility of a game in the server's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// The game is listed for everybody, in the lobby and in the lists of games.
    Public,
    /// The game is listed only for its players. All others need its link.
    Link,
}

/// Terms that the maker of a room sets for its game, apart from the ruleset and the seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    pub clock: ClockRule,
    pub watching: Watching,
    pub drafts: Drafts,
    /// Number of turns by which spectators see the game late, 0 to 20. Once the game is over, they see all of it.
    pub delay: Delay,
}

/// Time control of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockRule {
    /// No clock. Only the first turn of each side has a limit: after 7 days the game aborts itself.
    None {},
    /// Each side has a time for all its turns. The first turn of a side costs none of it, but the game aborts itself if
    /// that turn is not made within 60 s.
    RealTime(RealTime),
    /// Each turn has its own time. The game aborts itself if the first turn of a side exceeds it.
    Correspondence {
        /// Days for each turn, 1 to 14.
        days: Days,
    },
    /// Each side has a bank of days for all its turns. Each turn adds hours to it, up to the days that it began with. The
    /// first turn of a side costs none of it, but the game aborts itself if that turn takes longer than the bank.
    Bank {
        /// Days that each side begins with, which are also the most that it can have, 1 to 30.
        base_days: BankDays,
        /// Hours added after each turn, 0 to 168.
        bonus_hours: BankHours,
    },
}

impl Default for ClockRule {
    fn default() -> Self {
        Self::None {}
    }
}

/// Base time for all turns of a side, and a bonus for each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields, try_from = "RealTimeParts", into = "RealTimeParts")]
#[cfg_attr(feature = "ts", ts(as = "RealTimeParts"))]
pub struct RealTime(pub(super) game::RealTime);

/// Base time for all turns of a side, and a bonus for each turn, as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", ts(rename = "RealTime"))]
pub struct RealTimeParts {
    /// Base time in seconds, 0 to 10,800. With 0, a side begins with one bonus.
    #[cfg_attr(feature = "openapi", schema(maximum = 10_800))]
    pub base_s: u32,
    /// Bonus in seconds, 0 to 180; not 0 if `base_s` is 0.
    #[cfg_attr(feature = "openapi", schema(maximum = 180))]
    pub bonus_s: u32,
    pub bonus: Bonus,
}

/// Kind of bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// Increment: added after each turn.
    PerTurn,
    /// Increment: added after each turn once for each of its actions except `end`.
    PerAction,
    /// Delay: in each turn, the side's time begins to run only after the bonus.
    Delay,
    /// Bronstein delay: after each turn the time that it took is given back, up to the bonus.
    Bronstein,
}

/// Permission for others than its players to see a game, while it is played and afterwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Watching {
    #[default]
    Everybody,
    Nobody,
}

/// Visibility of unfinished turns to the other side and to spectators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Drafts {
    /// Drafts are sent to all readers, except to the spectators of a game with a `delay`.
    #[default]
    Shown,
    /// Readers see finished turns only.
    Hidden,
}

/// Pool of quick pairing. All its players want a game of the same ruleset with the same clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Pool {
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    pub ruleset: Ruleset,
    pub clock: ClockRule,
}
