//! The document of a game: all of it that a reader may see, in one piece.

use super::log::WrittenLog;
use crate::{
    deflate::{Gzipped, Piece},
    ids::Version,
    protocol::{GameDocument, GameSummary, Present},
};

/// The JSON of a [`GameDocument`] with the events of `log` up to `shown`. Most of them are compressed already, and are
/// taken over as they are.
pub(super) fn document(summary: GameSummary, log: &WrittenLog, shown: Version, present: Present) -> Gzipped {
    let without_events = GameDocument { summary, events: Vec::new(), present };
    let text = serde_json::to_string(&without_events).expect("documents have string keys only");
    // No name has this in it: a quotation mark in a text has a backslash before it.
    let (before, behind) = text.split_once(r#""events":[]"#).expect("a document has events");
    let (blocks, rest) = log.pieces_until(shown);
    let head = Piece::of(&format!(r#"{before}"events":["#));
    let end = Piece::of(&format!("{rest}]{behind}"));
    Gzipped::of([&head].into_iter().chain(blocks).chain([&end]))
}
