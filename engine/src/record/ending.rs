use std::{fmt, str::FromStr};

use super::Misfit;
use crate::{Outcome, Reason, Side};

/// The end of a game, by its rules or otherwise (RULES 0.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner; `None` if the game is a draw.
    pub winner: Option<Side>,
    pub reason: EndReason,
}

/// The reason for which a game ended (RULES 0.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    Rules(Reason),
    Resign,
    Time,
    Agreement,
    Abandon,
}

impl EndReason {
    /// The reasons outside the rules.
    const OTHERS: [Self; 4] = [Self::Resign, Self::Time, Self::Agreement, Self::Abandon];

    /// The word of RULES 0.5.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Rules(reason) => reason.id(),
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Agreement => "agreement",
            Self::Abandon => "abandon",
        }
    }
}

impl FromStr for EndReason {
    type Err = Misfit;

    fn from_str(text: &str) -> Result<Self, Misfit> {
        Reason::ALL
            .map(Self::Rules)
            .into_iter()
            .chain(Self::OTHERS)
            .find(|reason| reason.id() == text)
            .ok_or(Misfit::Reason)
    }
}

impl Ending {
    /// `first`, `second` or `draw`.
    #[must_use]
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(side) => side.id(),
            None => "draw",
        }
    }

    /// Parses the winner of a result.
    pub(super) fn read_result(result: &str) -> Result<Option<Side>, Misfit> {
        match result {
            "draw" => Ok(None),
            side => side.parse().map(Some).map_err(|_| Misfit::Result),
        }
    }
}

impl From<Outcome> for Ending {
    fn from(Outcome { winner, reason }: Outcome) -> Self {
        Self { winner, reason: EndReason::Rules(reason) }
    }
}

/// `first REASON`, `second REASON` or `draw REASON`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.result(), self.reason.id())
    }
}
