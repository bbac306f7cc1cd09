use thiserror::Error;

/// The number of steps that a search may still make.
///
/// One question of the rules has no proven bound on what it costs: which capture of `fenix` takes the most discs
/// (RULES 2.7). A caller that cannot wait for ever asks it within a budget. Steps are counted, not time: the same question
/// costs the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    /// A budget of so many steps. A million take about half a second.
    #[must_use]
    pub const fn steps(limit: u64) -> Self {
        Self { limit, left: limit }
    }

    /// The budget for finding out about a start position, for both sides together, whether a game may begin from it. A
    /// position that comes up in play takes some hundred steps, a puzzle some thousand.
    #[must_use]
    pub const fn for_start() -> Self {
        Self::steps(50_000)
    }

    /// A budget that no search uses up.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// The number of steps made so far.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.limit - self.left
    }

    #[inline]
    pub(crate) const fn spend(&mut self, n_steps: u64) -> Result<(), TooCostly> {
        match self.left.checked_sub(n_steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(TooCostly { limit: self.limit })
            }
        }
    }
}

/// A search that was given up.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("capture too costly to resolve: the search takes more than {limit} steps")]
pub struct TooCostly {
    /// The steps of the whole budget.
    pub limit: u64,
}

/// The reason for which the legal actions were not listed.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Unlisted {
    #[error("more than {limit} actions are legal")]
    TooMany { limit: usize },
    #[error(transparent)]
    TooCostly(#[from] TooCostly),
}
