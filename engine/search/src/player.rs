use engine::{Match, Playable};

use crate::{Report, Settings, limit::Meter};

/// A player of one game or of all.
pub(crate) trait Player<R: Playable> {
    /// Searches for the best turn of a match that is not over and waits for no card.
    fn search(&mut self, task: &mut Task<'_, R>) -> Report;
}

/// A search to be made.
pub(crate) struct Task<'a, R: Playable> {
    pub(crate) game: &'a Match<R>,
    pub(crate) settings: &'a Settings,
    pub(crate) meter: Meter<'a>,
    /// Called with each interim report.
    pub(crate) improved: &'a mut dyn FnMut(&Report),
}
