//! The document of a game: all of it that a reader may see, with every step.

use protocol::{GameDocument, Names, Snapshot};
use store::GameRow;

use crate::{convert, deflate::Gzipped};

/// A game as its reader sees it. The events up to the row's version are read from the store and replayed.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) row: GameRow,
    pub(super) snapshot: Snapshot,
}

impl Document {
    /// Returns the JSON of a [`GameDocument`] with these events.
    pub(super) fn write(self, events: Vec<protocol::Event>, names: &impl Names) -> Gzipped {
        let summary = convert::summary(self.row, names);
        let document = GameDocument { summary, events, snapshot: self.snapshot };
        Gzipped::of_text(&serde_json::to_string(&document).expect("documents have string keys only"))
    }
}
