//! What the maker of a room sets for its game.

use engine::Ruleset;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    game,
    ids::{Days, Delay},
};

/// The seat that a room's maker wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SeatChoice {
    First,
    Second,
    Random,
}

/// Who learns of a game from the server's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody: it is in the lobby and in the lists.
    Public,
    /// Only who has its link.
    Link,
}

/// What the maker of a room sets for the game, apart from the ruleset and the seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    pub clock: ClockRule,
    pub watching: Watching,
    pub drafts: Drafts,
    /// How many turns behind the game its spectators are, 0 to 20.
    pub delay: Delay,
}

/// How time is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockRule {
    /// Not at all.
    #[default]
    None,
    /// Each side has a time for all its turns. What a side's first turn takes is free.
    RealTime(RealTime),
    /// Each turn has its own time.
    Correspondence {
        /// Days, 1 to 14.
        days: Days,
    },
}

/// A time for all turns of a side, and what each turn adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, try_from = "RealTimeParts", into = "RealTimeParts")]
#[ts(as = "RealTimeParts")]
pub struct RealTime(pub(super) game::RealTime);

/// As [`RealTime`] is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(rename = "RealTime")]
pub struct RealTimeParts {
    /// Seconds to begin with, 0 to 10,800. Without any, a side begins with one bonus.
    pub base_s: u32,
    /// Seconds of the bonus, 0 to 180; not 0 too.
    pub bonus_s: u32,
    pub bonus: Bonus,
}

/// What the seconds of the bonus are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// Added after each turn.
    PerTurn,
    /// Added after each turn for every action of it, `end` aside.
    PerAction,
    /// The time that each turn has before the side's own begins to run.
    Delay,
    /// What a turn took is added after it, up to these seconds.
    Bronstein,
}

/// Who may see a game besides its players, now and later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Watching {
    #[default]
    Everybody,
    Nobody,
}

/// Whether the other side and spectators see turns while they are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Drafts {
    #[default]
    Shown,
    /// They see finished turns only.
    Hidden,
}

/// What two players who look for a game have to agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    #[serde(with = "crate::ids::ruleset")]
    #[ts(type = "Ruleset")]
    pub ruleset: Ruleset,
    pub clock: ClockRule,
}
