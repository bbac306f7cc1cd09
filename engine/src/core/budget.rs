use thiserror::Error;

/// The number of steps that a search may still make.
///
/// One search has no proven bound on its cost: that for the largest captures of `fenix` (RULES 2.7). A caller that
/// cannot wait indefinitely runs it within a budget. The budget counts steps instead of time, so the same search costs
/// the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    /// Creates a budget of `steps` steps. A million steps take about half a second.
    #[must_use]
    pub const fn steps(limit: u64) -> Self {
        Self { limit, left: limit }
    }

    /// The budget of the search that decides whether a game may begin from a position, for both sides together. A
    /// position from play takes hundreds of steps, a puzzle thousands.
    #[must_use]
    pub const fn for_start() -> Self {
        Self::steps(50_000)
    }

    /// A budget without a limit.
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

/// The error of a search that exceeded its budget.
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
