//! Clock arithmetic, pure: the time of a side, the time that its turn may take, the cost of a turn, and forgiven lag.
//! All times are in milliseconds.

use engine::BySide;

use super::{Bonus, ClockRule, RealTime};
use crate::ids::ActionText;

const SECOND: i64 = 1_000;
const HOUR: i64 = 60 * 60 * SECOND;
const DAY: i64 = 24 * HOUR;

impl ClockRule {
    /// Returns the initial time of each side; `None` if time is not measured.
    pub(crate) fn beginning_ms(self) -> Option<i64> {
        match self {
            Self::None => None,
            Self::RealTime(time) if time.base_s() == 0 => Some(i64::from(time.bonus_s()) * SECOND),
            Self::RealTime(time) => Some(i64::from(time.base_s()) * SECOND),
            Self::Correspondence { days } => Some(i64::from(days.get()) * DAY),
            Self::Bank { base_days, .. } => Some(i64::from(base_days.get()) * DAY),
        }
    }

    /// Returns the time that the next turn of a side with `left_ms` may take. A turn that takes exactly this long is
    /// too late.
    pub(crate) fn allows_ms(self, left_ms: i64) -> i64 {
        left_ms + self.delay_ms()
    }

    /// Whether the players of a game are expected to be present until its end. Any other game is slow.
    pub const fn is_live(self) -> bool {
        match self {
            Self::RealTime(_) => true,
            Self::None | Self::Correspondence { .. } | Self::Bank { .. } => false,
        }
    }

    /// Returns the uncharged time at the beginning of each turn.
    pub fn delay_ms(self) -> i64 {
        match self {
            Self::RealTime(time) if time.bonus() == Bonus::Delay => i64::from(time.bonus_s()) * SECOND,
            Self::None | Self::RealTime(_) | Self::Correspondence { .. } | Self::Bank { .. } => 0,
        }
    }

    /// Returns the time of a side with `left_ms` after a turn of `took_ms`, which is less than
    /// [`allows_ms`](Self::allows_ms).
    pub(crate) fn after_turn_ms(self, left_ms: i64, took_ms: i64, actions: &[ActionText]) -> i64 {
        match self {
            Self::None | Self::Correspondence { .. } => left_ms,
            Self::RealTime(time) => left_ms + real_time_change(time, took_ms, actions),
            Self::Bank { base_days, bonus_hours } => {
                let full_ms = i64::from(base_days.get()) * DAY;
                (left_ms - took_ms + i64::from(bonus_hours.get()) * HOUR).min(full_ms)
            }
        }
    }

    /// Returns the time limit of each side's first turn, which is not charged. When it runs out, the game is aborted.
    pub(crate) fn first_turn_ms(self) -> i64 {
        match self {
            Self::None => 7 * DAY,
            Self::RealTime(_) => 60 * SECOND,
            Self::Correspondence { days } => i64::from(days.get()) * DAY,
            Self::Bank { base_days, .. } => i64::from(base_days.get()) * DAY,
        }
    }

    /// Returns the absence of a side after which the other may claim the game; `None` if only the clock ends such a
    /// game.
    pub fn claim_after_ms(self) -> Option<i64> {
        /// Number of turns of a side in a game of typical length.
        const TURNS: u32 = 40;
        const QUICK_S: u32 = 10 * 60;
        match self {
            Self::RealTime(time) if time.base_s() + TURNS * time.bonus_s() <= QUICK_S => Some(30 * SECOND),
            Self::RealTime(_) => Some(120 * SECOND),
            Self::None => Some(30 * 60 * SECOND),
            Self::Correspondence { .. } | Self::Bank { .. } => None,
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

/// The lag that a side may still be forgiven. Each turn refills a part of it, so that a small steady lag costs the
/// player nothing, and a client that fakes a large lag gains no more than the quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LagQuota(u16);

impl LagQuota {
    /// Maximum quota, which is also the initial one.
    pub(crate) const FULL_MS: u16 = 1_000;
    /// Refill per turn of the side.
    pub(crate) const REFILL_MS: i64 = 200;

    /// Returns the part of a lag that is forgiven.
    pub(crate) fn forgives(self, lag_ms: i64) -> i64 {
        lag_ms.clamp(0, self.left_ms())
    }

    /// Returns the rest of the quota.
    pub(crate) fn left_ms(self) -> i64 {
        self.0.into()
    }

    /// Returns the quota after a turn with `forgiven_ms` of forgiven lag.
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

/// The time and the lag quota of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SideClocks {
    /// `None` if time is not measured.
    pub left_ms: Option<BySide<i64>>,
    pub lag: BySide<LagQuota>,
}

impl SideClocks {
    /// Returns the clocks at the beginning of a game.
    pub(crate) fn new(rule: ClockRule) -> Self {
        Self { left_ms: rule.beginning_ms().map(|ms| BySide::from_fn(|_| ms)), lag: BySide::default() }
    }
}
