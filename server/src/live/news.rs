//! The missing events of a reader, and the frame that carries them.

use game::ids::{GameId, Version};
use protocol::{Draft, ServerMessage, Snapshot};
use tungstenite::Utf8Bytes;

use super::log::Excerpt;

/// Events of a game with the snapshot after them. They are cheap to collect; [`frame`](Self::frame) takes time if many
/// of them are compressed.
#[derive(Debug)]
pub(super) struct News {
    pub(super) game: GameId,
    pub(super) extent: Extent,
    pub(super) events: Excerpt,
    /// The version that the reader has with them.
    pub(super) version: Version,
    pub(super) snapshot: Snapshot,
    pub(super) draft: Option<Draft>,
}

/// The extent of the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All events of the game.
    All,
    /// The events after those that the reader has.
    New,
}

impl Extent {
    /// Returns the extent of events that begin with the first one or not.
    pub(super) const fn of(from_the_start: bool) -> Self {
        if from_the_start { Self::All } else { Self::New }
    }
}

impl News {
    /// Returns the message with these events. They are copied in their encoded form, without being parsed.
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

/// Splits JSON with an empty list of `events` inside that list.
pub(super) fn split_at_events(json: &str) -> (&str, &str) {
    const LIST: &str = r#""events":["#;
    // No text contains this: a quotation mark inside a text is escaped.
    let at = json.find(LIST).expect("it has a list of events") + LIST.len();
    json.split_at(at)
}
