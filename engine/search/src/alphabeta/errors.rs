use super::Evaluate;
use crate::Level;

/// The limits and errors of a level.
///
/// An error belongs to a position and an action, or to a position: an action is overlooked in every line in which it
/// turns up, and a position is misjudged by the same amount. So the player is consistent within a turn, as a person
/// is who has not seen something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    seed: u64,
    pub(super) max_nodes: u64,
    pub(super) max_depth: u32,
    /// Percentage of actions that are overlooked.
    overlooked: u64,
    /// The same for actions that are far away or long.
    hidden: u64,
    /// Percentage of own wins in one action that are overlooked.
    wins: u64,
    /// Maximum error of an evaluation, in percent of the scale of the game.
    misjudged: u64,
}

impl Errors {
    const fn none(max_nodes: u64) -> Self {
        Self { seed: 0, max_nodes, max_depth: u32::MAX, overlooked: 0, hidden: 0, wins: 0, misjudged: 0 }
    }

    /// The errors of a level.
    pub(super) const fn of_level(level: Level, seed: u64) -> Self {
        let errors = match level.get() {
            1 => {
                Self { max_depth: 1, overlooked: 30, hidden: 60, wins: 50, misjudged: 120, ..Self::none(300) }
            }
            2 => {
                Self { max_depth: 2, overlooked: 20, hidden: 45, wins: 25, misjudged: 80, ..Self::none(600) }
            }
            3 => Self { max_depth: 2, overlooked: 10, hidden: 25, misjudged: 50, ..Self::none(1_000) },
            4 => Self { max_depth: 3, overlooked: 4, hidden: 12, misjudged: 30, ..Self::none(2_500) },
            5 => Self { max_depth: 4, overlooked: 1, hidden: 5, misjudged: 15, ..Self::none(8_000) },
            6 => Self { max_depth: 6, ..Self::none(25_000) },
            7 => Self::none(100_000),
            _ => Self::none(u64::MAX),
        };
        Self { seed, ..errors }
    }

    /// A number of the seed and a hash, of which each bit is as good as random.
    #[inline]
    const fn mixed(&self, hash: u64) -> u64 {
        let mut z = (self.seed ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Whether the player does not see an action.
    #[inline]
    pub(super) fn overlooks<R: Evaluate>(&self, position: &R, action: R::Action, signature: u16) -> bool {
        if self.hidden == 0 {
            return false;
        }
        let percent = if R::is_hidden(action) { self.hidden } else { self.overlooked };
        self.mixed(position.hash() ^ u64::from(signature) << 40) % 100 < percent
    }

    /// Whether the player does not see that an action wins.
    pub(super) const fn overlooks_win(&self, hash: u64) -> bool {
        self.wins > 0 && self.mixed(!hash) % 100 < self.wins
    }

    /// The error of the evaluation of a position.
    #[inline]
    pub(super) fn misjudges<R: Evaluate>(&self, position: &R) -> i32 {
        if self.misjudged == 0 {
            return 0;
        }
        let most = (R::SCALE as u64 * self.misjudged / 100).max(1);
        (self.mixed(position.hash().rotate_left(17)) % (2 * most + 1)) as i32 - most as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_looks_further_and_errs_less() {
        let levels = Level::ALL.map(|level| Errors::of_level(level, 1));
        for pair in levels.windows(2) {
            let [low, high] = pair else { unreachable!("windows of two") };
            assert!(low.max_nodes < high.max_nodes && low.max_depth <= high.max_depth);
            assert!(low.overlooked >= high.overlooked && low.hidden >= high.hidden);
            assert!(low.wins >= high.wins && low.misjudged >= high.misjudged);
        }
        let full = levels[7];
        assert_eq!((full.overlooked, full.hidden, full.wins, full.misjudged), (0, 0, 0, 0));
    }
}
