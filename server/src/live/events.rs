//! The events of a game as its readers are sent them.

use engine::Side;
use game::{
    State,
    ids::{GameId, Version},
};
use protocol::{GameEvents, ServerMessage, Snapshot, Standing, compact, view};
use tungstenite::Utf8Bytes;

use super::log::Log;

/// A game as an audience sees it, without its events.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) version: Version,
    position: String,
    to_move: Side,
    standing: Standing,
}

impl Shown {
    /// Returns a game with its clocks at `now_ms`.
    pub(super) fn of(state: &State, now_ms: i64) -> Self {
        Self {
            version: state.version(),
            position: state.position_text().to_owned(),
            to_move: state.play().to_move(),
            standing: view::standing(state, now_ms),
        }
    }

    /// Returns the message with the events after `known`, a version of the game.
    pub(super) fn frame(
        self,
        game: GameId,
        log: &Log,
        known: Version,
        draft: Option<Vec<String>>,
    ) -> Utf8Bytes {
        let Self { version, position, to_move, standing } = self;
        let last = if known < version { log.turn_at(version) } else { None };
        let standing = compact::standing(standing, to_move, last);
        let without_events =
            ServerMessage::Events { game, version, events: Vec::new(), position, standing, draft };
        let message = serde_json::to_string(&without_events).expect("messages have string keys only");
        let (before, behind) = split_at_events(&message);
        [before, log.excerpt(known, version), behind].concat().into()
    }
}

/// Returns the JSON of [`GameEvents`]: all events of a log up to the version of a snapshot.
pub(super) fn all_events(snapshot: Snapshot, log: &Log) -> String {
    let version = snapshot.version;
    let without_events = GameEvents { events: Vec::new(), snapshot };
    let answer = serde_json::to_string(&without_events).expect("answers have string keys only");
    let (before, behind) = split_at_events(&answer);
    [before, log.excerpt(Version::NONE, version), behind].concat()
}

/// Splits JSON with an empty list of `events` inside that list.
fn split_at_events(json: &str) -> (&str, &str) {
    const LIST: &str = r#""events":["#;
    // No text contains this: a quotation mark inside a text is escaped.
    let at = json.find(LIST).expect("it has a list of events") + LIST.len();
    json.split_at(at)
}
