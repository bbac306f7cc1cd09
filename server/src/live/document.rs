//! The document of a game: all of it that a reader may see.

use protocol::{GameDocument, Snapshot};
use store::GameRow;

use super::{log::Excerpt, news::all_events};
use crate::{deflate::Gzipped, edge};

/// The content of a document. It is cheap to collect; [`write`](Self::write) replays the game.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) row: GameRow,
    /// All events that the reader may see.
    pub(super) events: Excerpt,
    pub(super) snapshot: Snapshot,
}

impl Document {
    /// Returns the JSON of a [`GameDocument`].
    pub(super) fn write(self) -> Gzipped {
        let Self { row, events, snapshot } = self;
        let document = GameDocument { summary: edge::summary(row), events: all_events(&events), snapshot };
        Gzipped::of_text(&serde_json::to_string(&document).expect("documents have string keys only"))
    }
}
