//! The document of a game: all of it that a reader may see.

use game::ids::Version;
use protocol::{GameDocument, Snapshot};
use store::GameRow;

use super::{log::WrittenLog, news::split_at_events};
use crate::{
    deflate::{Gzipped, Piece},
    edge,
};

/// Returns the JSON of a [`GameDocument`] with the events of `log` up to `shown`. Compressed events are copied without
/// recompression.
pub(super) fn document(row: GameRow, log: &WrittenLog, shown: Version, snapshot: Snapshot) -> Gzipped {
    let without_events = GameDocument { summary: edge::summary(row), events: Vec::new(), snapshot };
    let text = serde_json::to_string(&without_events).expect("documents have string keys only");
    let (before, behind) = split_at_events(&text);
    let (blocks, rest) = log.pieces_until(shown);
    let head = Piece::of(before);
    let end = Piece::of(&format!("{rest}{behind}"));
    Gzipped::of([&head].into_iter().chain(blocks).chain([&end]))
}
