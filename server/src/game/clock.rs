//! Time, pure: what a side has, how long its turn may take, what a turn costs, and how much lag is forgiven. All
//! times are milliseconds.

use engine::BySide;

use super::{Bonus, ClockRule, RealTime};
use crate::ids::ActionText;

const SECOND: i64 = 1_000;
const DAY: i64 = 24 * 60 * 60 * SECOND;

impl ClockRule {
    /// What each side begins with; `None` where no time is measured.
    pub(crate) fn beginning_ms(self) -> Option<i64> {
        match self {
            Self::None => None,
            Self::RealTime(time) if time.base_s() == 0 => Some(i64::from(time.bonus_s()) * SECOND),
            Self::RealTime(time) => Some(i64::from(time.base_s()) * SECOND),
            Self::Correspondence { days } => Some(i64::from(days.get()) * DAY),
        }
    }

    /// How long the next turn of a side with `left_ms` may take. One that takes as long is too late.
    pub(crate) fn allows_ms(self, left_ms: i64) -> i64 {
        left_ms + self.delay_ms()
    }

    /// The time at the beginning of a turn that costs nothing.
    pub(crate) fn delay_ms(self) -> i64 {
        match self {
            Self::RealTime(time) if time.bonus() == Bonus::Delay => i64::from(time.bonus_s()) * SECOND,
            Self::None | Self::RealTime(_) | Self::Correspondence { .. } => 0,
        }
    }

    /// What a side with `left_ms` has after a turn that took `took_ms`, less than [`allows_ms`](Self::allows_ms).
    pub(crate) fn after_turn_ms(self, left_ms: i64, took_ms: i64, actions: &[ActionText]) -> i64 {
        match self {
            Self::None | Self::Correspondence { .. } => left_ms,
            Self::RealTime(time) => left_ms + real_time_change(time, took_ms, actions),
        }
    }

    /// How long each side's first turn may take, of which it costs nothing. After it the game is aborted.
    pub(crate) fn first_turn_ms(self) -> i64 {
        match self {
            Self::None => 7 * DAY,
            Self::RealTime(_) => 60 * SECOND,
            Self::Correspondence { days } => i64::from(days.get()) * DAY,
        }
    }

    /// How long a side has to be gone until the other may claim the end of the game; `None` where the clock sees to
    /// it.
    pub(crate) fn claim_after_ms(self) -> Option<i64> {
        /// Turns of a side in a game of usual length.
        const TURNS: u32 = 40;
        const QUICK_S: u32 = 10 * 60;
        match self {
            Self::RealTime(time) if time.base_s() + TURNS * time.bonus_s() <= QUICK_S => Some(30 * SECOND),
            Self::RealTime(_) => Some(120 * SECOND),
            Self::None => Some(30 * 60 * SECOND),
            Self::Correspondence { .. } => None,
        }
    }
}

fn real_time_change(time: RealTime, took_ms: i64, actions: &[ActionText]) -> i64 {
    let bonus_ms = i64::from(time.bonus_s()) * SECOND;
    match time.bonus() {
        Bonus::PerTurn => bonus_ms - took_ms,
        Bonus::PerAction => {
            let moves = actions.iter().filter(|action| !action.is_end()).count();
            bonus_ms * i64::try_from(moves).unwrap_or(0) - took_ms
        }
        Bonus::Delay => -(took_ms - bonus_ms).max(0),
        Bonus::Bronstein => took_ms.min(bonus_ms) - took_ms,
    }
}

/// The lag that a side may still be forgiven. It fills up again turn by turn, so that a steady small lag costs its
/// player nothing, and a client that makes up a large one gains no more than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LagQuota(u16);

impl LagQuota {
    /// The most that is kept, and what a side begins with.
    pub(crate) const FULL_MS: u16 = 1_000;
    /// What each turn of the side gives back.
    pub(crate) const REFILL_MS: i64 = 200;

    /// How much of a lag is forgiven.
    pub(crate) fn forgives(self, lag_ms: i64) -> i64 {
        lag_ms.clamp(0, self.left_ms())
    }

    /// What can be forgiven at most.
    pub(crate) fn left_ms(self) -> i64 {
        self.0.into()
    }

    /// After a turn of which so much was forgiven.
    pub(crate) fn after(self, forgiven_ms: i64) -> Self {
        let left_ms = self.left_ms().saturating_sub(forgiven_ms).saturating_add(Self::REFILL_MS);
        Self(u16::try_from(left_ms.max(0)).unwrap_or(Self::FULL_MS).min(Self::FULL_MS))
    }
}

impl Default for LagQuota {
    fn default() -> Self {
        Self(Self::FULL_MS)
    }
}

/// Both sides' time, and what they may be forgiven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SideClocks {
    /// `None` where no time is measured.
    pub left_ms: Option<BySide<i64>>,
    pub lag: BySide<LagQuota>,
}

impl SideClocks {
    /// At the beginning of a game.
    pub(crate) fn new(rule: ClockRule) -> Self {
        Self { left_ms: rule.beginning_ms().map(|ms| BySide::from_fn(|_| ms)), lag: BySide::default() }
    }
}
