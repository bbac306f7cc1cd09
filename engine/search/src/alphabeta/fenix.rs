use engine::{
    BitCell, Budget, Rules,
    fenix::{Action, CaptureScratch, Due, Fenix, Square},
};

use super::{
    errors::Skill,
    evaluate::{Calm, Evaluate, key_of_turn, salted},
    fenix_features::{RANK, visit_features},
    fenix_weights::WEIGHTS,
};
use crate::limit::Meter;

/// Maximum number of steps of the search for captures in one position. The costliest known position takes 15 times as
/// many. A position beyond the limit is evaluated without a search of its captures.
const MAX_STEPS: u64 = 50_000;

/// Number of these steps that take about as long as a node, so that costly positions use up the node limit too.
const STEPS_A_NODE: u64 = 50;

/// Number of quiet turns from which they are part of the transposition key and scale scores towards a draw.
const N_QUIET: u8 = 70;
/// Number of quiet turns at which every score would be scaled to a draw.
const MAX_QUIET_TURNS: i32 = 130;

impl Evaluate for Fenix {
    const SCALE: f32 = 256.0;
    const MARGIN: i32 = 120;
    const MAX_FUTILE_DEPTH: i32 = 3;
    const MAX_QUIET: i32 = 12;
    const REDUCTION: i32 = 600;
    const REDUCTION_STEP: i32 = 1200;
    const ONLY_RECAPTURES: bool = false;
    const REDUCES_CAPTURES: bool = false;
    const SKILLS: [Skill; 8] = [
        Skill { max_nodes: 50, lapses: 80 },
        Skill { max_nodes: 150, lapses: 60 },
        Skill { max_nodes: 380, lapses: 46 },
        Skill { max_nodes: 1_300, lapses: 34 },
        Skill { max_nodes: 5_000, lapses: 23 },
        Skill { max_nodes: 22_000, lapses: 12 },
        Skill { max_nodes: 110_000, lapses: 5 },
        Skill { max_nodes: u64::MAX, lapses: 0 },
    ];

    #[inline]
    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    #[inline]
    fn features(&self, visit: impl FnMut(usize, i32)) {
        visit_features(self, visit);
    }

    /// Pushes the leading side to capture or promote before the quiet-turn draw.
    #[inline]
    fn damped(&self, score: i32) -> i32 {
        if self.quiet_turns() < N_QUIET {
            return score;
        }
        score * (MAX_QUIET_TURNS - i32::from(self.quiet_turns())) / (MAX_QUIET_TURNS - i32::from(N_QUIET))
    }

    fn list_actions(
        &self,
        scratch: &mut CaptureScratch,
        buffer: &mut Vec<Action>,
        meter: &mut Meter<'_>,
    ) -> bool {
        let mut budget = Budget::steps(MAX_STEPS);
        let is_complete = self.results_into(scratch, &mut budget, buffer).is_ok();
        meter.count_many(budget.spent() / STEPS_A_NODE);
        is_complete
    }

    #[inline]
    fn calm(&self) -> Calm {
        match self.due() {
            Some(Due::King) => Calm::Quiet,
            None if self.is_set_up() => Calm::Quiet,
            None | Some(Due::Councillor) if !self.can_capture(self.to_move()) => Calm::Quiet,
            None => Calm::Forced,
            Some(Due::Councillor) => Calm::Optional,
        }
    }

    #[inline]
    fn signature(action: Action) -> u16 {
        let (kind, from, to) = match action {
            Action::Move { from, to } => (0, from, to),
            Action::Promote { from, to } => (1, from, to),
            Action::Capture(route) => {
                let (from, to) = route.ends();
                (2, from, to)
            }
        };
        kind << 14 | u16::from(from.bit()) << 7 | u16::from(to.bit())
    }

    #[inline]
    fn target(action: Action) -> u8 {
        match action {
            Action::Move { to, .. } | Action::Promote { to, .. } => to.bit(),
            Action::Capture(route) => route.ends().1.bit(),
        }
    }

    #[inline]
    fn gain(&self, action: Action) -> Option<i32> {
        match action {
            Action::Move { .. } => None,
            // A due king is the only choice, so it counts as quiet. Making a councillor is tried after the captures.
            Action::Promote { .. } => match self.due() {
                Some(Due::Councillor) => Some(-1),
                Some(Due::King) | None => None,
            },
            Action::Capture(route) => Some(route.squares().len() as i32),
        }
    }

    /// That of every capture. The evaluation of the position stands for the making of a councillor instead.
    #[inline]
    fn min_gain(_missing: i32) -> i32 {
        0
    }

    fn is_hidden(action: Action) -> bool {
        match action {
            Action::Move { from, to } => is_far(from, to),
            Action::Promote { .. } => false,
            Action::Capture(route) => {
                let squares = route.squares();
                squares.len() > 2 || is_far(squares[0], squares[1])
            }
        }
    }

    #[inline]
    fn table_key(&self) -> u64 {
        let key = key_of_turn(self);
        if self.quiet_turns() >= N_QUIET { salted(key, self.quiet_turns().into()) } else { key }
    }
}

/// Whether two squares of a line are more than three steps apart.
fn is_far(from: Square, to: Square) -> bool {
    let place = |square: Square| (u32::from(square.bit()) % RANK, u32::from(square.bit()) / RANK);
    let ((file, rank), (to_file, to_rank)) = (place(from), place(to));
    file.abs_diff(to_file).max(rank.abs_diff(to_rank)) > 3
}
