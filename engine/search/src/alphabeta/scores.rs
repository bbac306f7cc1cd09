//! Scores as the table keeps them, and windows of scores.

use super::evaluate::{PROVEN, WON};

/// A value of the table.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Entry {
    /// The score, with wins counted from this position.
    pub(super) score: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The signature of the best action.
    pub(super) signature: u16,
}

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Bound {
    /// No bound: only the best action is known.
    #[default]
    None,
    Lower,
    Upper,
    Exact,
}

impl Entry {
    /// The score, with wins counted from the root.
    pub(super) const fn score_at(self, ply: usize) -> i32 {
        let score = self.score as i32;
        if score >= PROVEN {
            score - ply as i32
        } else if score <= -PROVEN {
            score + ply as i32
        } else {
            score
        }
    }

    /// A score with wins counted from a ply.
    pub(super) const fn score_from(score: i32, ply: usize) -> i16 {
        let score = if score >= PROVEN {
            score + ply as i32
        } else if score <= -PROVEN {
            score - ply as i32
        } else {
            score
        };
        score as i16
    }
}

/// A window of scores that matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -WON, beta: WON };

    /// The null window above `alpha`.
    pub(super) const fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    pub(super) const fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    /// The window as the other side sees it.
    pub(super) const fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
