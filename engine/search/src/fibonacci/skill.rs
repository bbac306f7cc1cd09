use engine::{
    Rules,
    fibonacci::{Action, Fibonacci, Variant},
};

use super::{
    beam::{Candidate, Width},
    geometry::distance,
};
use crate::{Level, Random};

/// Distance from which a move counts as far.
const FAR_MOVE: u8 = 4;

/// Percentage of turns with a swap that are overlooked in a lapse; the same for turns with a far move.
const OVERLOOKED: u32 = 50;

/// Maximum error of the value of a board in a lapse, in hundredths of a logit. With mixed groups more turns are good. With
/// cards a game has more turns, in each of which an error may be made.
const fn max_error(variant: Variant) -> i32 {
    match variant {
        Variant::Original => 400,
        Variant::Cards => 200,
        Variant::Mixed => 1600,
    }
}

/// Percentage of turns with a lapse, by level.
const fn lapses(variant: Variant) -> [u32; 8] {
    match variant {
        Variant::Original => [95, 82, 66, 54, 39, 18, 5, 0],
        Variant::Cards => [85, 76, 60, 46, 33, 24, 14, 0],
        Variant::Mixed => [97, 72, 50, 36, 22, 11, 5, 0],
    }
}

/// The limits and errors of a level in a turn.
///
/// A player below full strength has lapses: turns in which it looks for no answer to its own turn, overlooks some swaps
/// and moves across a large group, and misjudges each board on its way. Below level 6, a win in the turn may be missed,
/// however short it is. All errors are drawn from the seed and the position.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    /// Maximum number of moves of a win that is seen.
    pub(super) win_moves: u8,
    /// Percentage of such wins that are missed.
    missed_wins: u32,
    /// Maximum number of nodes.
    pub(super) max_nodes: u64,
    /// Percentage of turns with a lapse.
    lapses: u32,
}

impl Skill {
    /// The skill of a level.
    pub(super) const fn of_level(level: Level, variant: Variant) -> Self {
        let lapses = lapses(variant)[level.get() as usize - 1];
        match level.get() {
            1 => Self { win_moves: 1, missed_wins: 50, max_nodes: 3_000, lapses },
            2 => Self { win_moves: 2, missed_wins: 25, max_nodes: 4_000, lapses },
            3 => Self { win_moves: 3, missed_wins: 15, max_nodes: 5_000, lapses },
            4 => Self { win_moves: 4, missed_wins: 8, max_nodes: 8_000, lapses },
            5 => Self { win_moves: 6, missed_wins: 4, max_nodes: 16_000, lapses },
            6 => Self { win_moves: 6, missed_wins: 0, max_nodes: 50_000, lapses },
            7 => Self { win_moves: 6, missed_wins: 0, max_nodes: 180_000, lapses },
            _ => Self { win_moves: 6, missed_wins: 0, max_nodes: u64::MAX, lapses },
        }
    }

    /// Whether this turn is played with a lapse.
    pub(super) const fn has_lapse(&self, random: &mut Random) -> bool {
        random.percent(self.lapses)
    }

    /// Whether a win in the turn is missed. A win in one move is as hard to see as a longer one.
    pub(super) const fn misses_win(&self, random: &mut Random) -> bool {
        random.percent(self.missed_wins)
    }
}

/// The widths of the beam in a lapse.
pub(super) const WIDTH_IN_LAPSE: Width = Width { boards: 2, turns: 16 };

/// Whether a turn is overlooked in a lapse.
pub(super) fn overlooks(position: &Fibonacci, turn: &Candidate, random: &mut Random) -> bool {
    let mut position = *position;
    let (mut has_swap, mut has_far) = (false, false);
    for action in turn.turn.actions() {
        if let Action::Move { from, to } = *action {
            has_swap |= position.occupied().contains(to);
            has_far |= distance(from, to) >= FAR_MOVE;
        }
        position.play(*action);
    }
    has_swap && random.percent(OVERLOOKED) || has_far && random.percent(OVERLOOKED)
}

/// The error of the value of the board with this hash in a lapse.
pub(super) const fn misjudgement(variant: Variant, seed: u64, board: u64) -> i32 {
    let most = max_error(variant);
    Random::new(seed ^ board).below(2 * most as usize + 1) as i32 - most
}
