use super::{Corrupt, Recorded, State, Unreadable};
use crate::ids::Version;

/// A log that cannot be folded.
#[derive(Debug, thiserror::Error)]
pub enum BadLog {
    #[error("event {version}: {error}")]
    Unreadable { version: Version, error: Unreadable },
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

impl State {
    /// Folds a whole log, given as the time and the stored body of each event.
    ///
    /// # Errors
    /// The first event that cannot be read or cannot follow those before it.
    pub fn of_log<'l>(log: impl IntoIterator<Item = (i64, &'l str)>) -> Result<Self, BadLog> {
        let mut version = Version::NONE;
        let mut recorded = log.into_iter().map(|(at_ms, body)| {
            version = version.next();
            Recorded::read(at_ms, body).map_err(|error| BadLog::Unreadable { version, error })
        });
        let mut state = Self::begin(&recorded.next().ok_or(Corrupt::NotCreated)??)?;
        for next in recorded {
            state.apply(&next?)?;
        }
        Ok(state)
    }
}
