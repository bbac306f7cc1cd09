use super::Evaluate;
use crate::{Level, Random};

/// The limits and errors of a level.
///
/// A player below full strength has lapses: turns in which it looks no further than its own action, overlooks some
/// actions and misjudges positions. Lapses, more than small errors in every turn, give the weaker of two players a
/// chance in games of many turns.
///
/// Errors are derived from the seed, the position and the action. A player that overlooks an action therefore overlooks
/// it throughout the turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    seed: u64,
    pub(super) max_nodes: u64,
    pub(super) max_depth: u32,
    /// Percentage of actions that are overlooked.
    overlooked: u64,
    /// The same for actions that are far away or long.
    hidden: u64,
    /// Percentage of immediate wins that are overlooked.
    wins: u64,
    /// Maximum error of an evaluation, in percent of the scale of the game.
    misjudged: u64,
}

/// The skill of a level in a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skill {
    pub(super) max_nodes: u64,
    /// Percentage of turns with a lapse.
    pub(super) lapses: u64,
}

/// Percentage of immediate wins that are overlooked, by level.
const OVERLOOKED_WINS: [u64; 8] = [50, 20, 5, 0, 0, 0, 0, 0];

impl Errors {
    /// The errors of a level in a turn that begins at a position with this hash.
    pub(super) const fn of_level<R: Evaluate>(level: Level, seed: u64, hash: u64) -> Self {
        let index = level.get() as usize - 1;
        let Skill { max_nodes, lapses } = R::SKILLS[index];
        let wins = OVERLOOKED_WINS[index];
        let steady =
            Self { seed, max_nodes, max_depth: u32::MAX, overlooked: 0, hidden: 0, wins, misjudged: 0 };
        if steady.mixed(hash.rotate_left(32)) % 100 < lapses {
            Self { max_depth: 1, overlooked: 10, hidden: 25, misjudged: 50, ..steady }
        } else {
            steady
        }
    }

    /// Pseudo-random number derived from the seed and a hash.
    #[inline]
    const fn mixed(&self, hash: u64) -> u64 {
        Random::new(self.seed ^ hash).bits()
    }

    /// Whether the player overlooks an action.
    #[inline]
    pub(super) fn overlooks<R: Evaluate>(&self, position: &R, action: R::Action, signature: u16) -> bool {
        if self.hidden == 0 {
            return false;
        }
        let percent = if R::is_hidden(action) { self.hidden } else { self.overlooked };
        self.mixed(position.hash() ^ u64::from(signature) << 40) % 100 < percent
    }

    /// Whether the player overlooks that an action wins.
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
    use engine::{fenix::Fenix, stacks::Stacks};

    use super::*;

    #[test]
    fn a_higher_level_looks_further_and_errs_less() {
        for skills in [Fenix::SKILLS, Stacks::SKILLS] {
            for pair in skills.windows(2) {
                let [low, high] = pair else { unreachable!("windows of two") };
                assert!(low.max_nodes < high.max_nodes && low.lapses > high.lapses);
            }
        }
    }

    #[test]
    fn full_strength_has_no_lapse() {
        for hash in 0..1000 {
            let full = Errors::of_level::<Fenix>(Level::FULL, 1, hash);
            assert_eq!((full.overlooked, full.hidden, full.wins, full.misjudged), (0, 0, 0, 0));
            assert_eq!((full.max_nodes, full.max_depth), (u64::MAX, u32::MAX));
        }
    }

    #[test]
    fn lapses_are_as_frequent_as_the_level_has_them() {
        let is_lapse = |hash: &u64| Errors::of_level::<Stacks>(Level::ALL[2], 7, *hash).max_depth == 1;
        let n_lapses = (0..10_000).filter(is_lapse).count();
        assert!((2_200..2_600).contains(&n_lapses), "{n_lapses}");
    }
}
