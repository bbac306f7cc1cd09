//! What a reader lacks of a game, as the frame that brings it.

use tungstenite::Utf8Bytes;

use super::log::Excerpt;
use crate::{
    ids::{GameId, Version},
    protocol::{Draft, ServerMessage, Snapshot},
};

/// Events of a game, and how it stands after them. Taking them together costs little; [`frame`](Self::frame) takes its
/// time if many of them are compressed.
#[derive(Debug)]
pub(super) struct News {
    pub(super) game: GameId,
    pub(super) extent: Extent,
    pub(super) events: Excerpt,
    /// What the reader has with them.
    pub(super) version: Version,
    pub(super) snapshot: Snapshot,
    pub(super) draft: Option<Draft>,
}

/// What the events are to their reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of the game.
    All,
    /// Those behind the ones that the reader has.
    New,
}

impl Extent {
    pub(super) const fn of(from_the_start: bool) -> Self {
        if from_the_start { Self::All } else { Self::New }
    }
}

impl News {
    /// The message with these events. They are put into it as they were written, without being parsed.
    pub(super) fn frame(self) -> Utf8Bytes {
        let Self { game, extent, events, version: _, snapshot, draft } = self;
        let without_events = match extent {
            Extent::All => ServerMessage::Snapshot { game, events: Vec::new(), snapshot, draft },
            Extent::New => ServerMessage::Events { game, events: Vec::new(), snapshot, draft },
        };
        let message = serde_json::to_string(&without_events).expect("messages have string keys only");
        let (before, behind) = split_at_events(&message);
        [before, &events.text(), behind].concat().into()
    }
}

/// Splits the JSON of something with an empty list of `events` within that list.
pub(super) fn split_at_events(json: &str) -> (&str, &str) {
    const LIST: &str = r#""events":["#;
    // No name has this in it: a quotation mark in a text has a backslash before it.
    let at = json.find(LIST).expect("it has a list of events") + LIST.len();
    json.split_at(at)
}
