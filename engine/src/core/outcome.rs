use std::fmt;

use super::Side;

/// The reason for which the rules end a game (RULES 0.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A surrounded centre (RULES 1.14).
    Surround,
    /// No stacking, or no new king, can be made (RULES 2.3, 2.9).
    King,
    /// A side without a legal action (RULES 2.10, 3.7, 4.5).
    Blocked,
    /// Repetition (RULES 0.6, 2.11).
    Repetition,
    /// Too many quiet turns (RULES 2.13).
    Quiet,
    /// The turn limit (RULES 0.7).
    TurnLimit,
}

impl Reason {
    /// Every reason, in order of precedence (RULES 0.8).
    pub const ALL: [Self; 6] =
        [Self::Surround, Self::King, Self::Blocked, Self::Repetition, Self::Quiet, Self::TurnLimit];

    /// The word of RULES 0.5, such as `turn-limit`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Surround => "surround",
            Self::King => "king",
            Self::Blocked => "blocked",
            Self::Repetition => "repetition",
            Self::Quiet => "quiet",
            Self::TurnLimit => "turn-limit",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The outcome of a game: a win of a side, or a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` if the game is a draw.
    pub winner: Option<Side>,
    pub reason: Reason,
}

impl Outcome {
    pub(crate) const fn won(winner: Side, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    pub(crate) const fn drawn(reason: Reason) -> Self {
        Self { winner: None, reason }
    }
}

/// `first REASON`, `second REASON` or `draw REASON`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.winner.map_or("draw", Side::id), self.reason)
    }
}
