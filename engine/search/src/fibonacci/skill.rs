use engine::{
    Rules,
    fibonacci::{Action, Fibonacci},
};

use super::{
    beam::{Candidate, Width},
    geometry::distance,
};
use crate::{Level, Random};

/// Distance from which a move counts as far.
const FAR_MOVE: u8 = 4;

/// The limits and errors of a level.
///
/// Errors are of the kinds that people make: a win that takes several moves, a swap or a move across a large group is
/// not seen, and the answer to a turn is not looked for. They are drawn from the seed and the position.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    /// Maximum number of moves of a win that is seen.
    pub(super) win_moves: u8,
    /// Percentage of such wins that are missed.
    missed_wins: u32,
    /// Widths at the root.
    pub(super) root: Width,
    /// Maximum number of expansions of the tree.
    pub(super) expansions: u32,
    /// Percentage of turns whose answers are not looked for.
    pub(super) unanswered: u32,
    /// Percentage of turns with a swap that are not seen.
    unseen_swaps: u32,
    /// Percentage of turns with a far move that are not seen.
    unseen_far: u32,
    /// Maximum error of the value of a turn, in hundredths of a logit.
    misjudged: i32,
}

impl Skill {
    const FULL: Self = Self {
        win_moves: 6,
        missed_wins: 0,
        root: Width { boards: 40, turns: 60 },
        expansions: u32::MAX,
        unanswered: 0,
        unseen_swaps: 0,
        unseen_far: 0,
        misjudged: 0,
    };

    /// The skill of a level.
    pub(super) const fn of_level(level: Level) -> Self {
        const fn width(boards: usize, turns: usize) -> Width {
            Width { boards, turns }
        }
        match level.get() {
            1 => Self {
                win_moves: 1,
                missed_wins: 50,
                root: width(3, 6),
                expansions: 0,
                unanswered: 100,
                unseen_swaps: 70,
                unseen_far: 70,
                misjudged: 150,
            },
            2 => Self {
                win_moves: 2,
                missed_wins: 25,
                root: width(4, 8),
                expansions: 2,
                unanswered: 80,
                unseen_swaps: 50,
                unseen_far: 50,
                misjudged: 100,
            },
            3 => Self {
                win_moves: 3,
                missed_wins: 15,
                root: width(6, 10),
                expansions: 4,
                unanswered: 50,
                unseen_swaps: 30,
                unseen_far: 30,
                misjudged: 60,
            },
            4 => Self {
                win_moves: 4,
                missed_wins: 10,
                root: width(8, 12),
                expansions: 8,
                unanswered: 30,
                unseen_swaps: 15,
                unseen_far: 15,
                misjudged: 35,
            },
            5 => Self {
                missed_wins: 5,
                root: width(12, 20),
                expansions: 16,
                unanswered: 15,
                misjudged: 15,
                ..Self::FULL
            },
            6 => Self { root: width(20, 30), expansions: 30, unanswered: 5, ..Self::FULL },
            7 => Self { expansions: 100, ..Self::FULL },
            _ => Self::FULL,
        }
    }

    /// Whether a win in the turn is missed. A win in one move is as hard to see as a longer one.
    pub(super) const fn misses_win(&self, random: &mut Random) -> bool {
        random.percent(self.missed_wins)
    }

    /// Whether a turn is not seen at all.
    pub(super) fn overlooks(&self, position: &Fibonacci, turn: &Candidate, random: &mut Random) -> bool {
        if self.unseen_swaps == 0 && self.unseen_far == 0 {
            return false;
        }
        let mut position = *position;
        let (mut has_swap, mut has_far) = (false, false);
        for action in turn.turn.actions() {
            if let Action::Move { from, to } = *action {
                has_swap |= position.occupied().contains(to);
                has_far |= distance(from, to) >= FAR_MOVE;
            }
            position.play(*action);
        }
        has_swap && random.percent(self.unseen_swaps) || has_far && random.percent(self.unseen_far)
    }

    /// The error of a turn's value.
    pub(super) const fn error(&self, random: &mut Random) -> i32 {
        random.below(2 * self.misjudged as usize + 1) as i32 - self.misjudged
    }
}
