//! The missing events of a reader, and the frame that carries them.

use game::{
    State,
    ids::{GameId, Version},
};
use protocol::{Draft, LastTurn, ServerMessage, Snapshot, Standing, ThinEvent, thin, thin::Expansion, view};
use tracing::error;
use tungstenite::Utf8Bytes;

use super::log::{Excerpt, WrittenLog};
use crate::net::outbox;

/// Events of a game with the snapshot after them. They are cheap to collect; [`frame`](Self::frame) takes time if many
/// of them are compressed or have to be replayed.
#[derive(Debug)]
pub(super) struct News {
    pub(super) game: GameId,
    pub(super) extent: Extent,
    pub(super) events: Excerpt,
    /// The version that the reader has with them.
    pub(super) version: Version,
    pub(super) draft: Option<Draft>,
    pub(super) form: Form,
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

/// The form in which a reader is sent events.
#[derive(Debug)]
pub(super) enum Form {
    /// As they are in the log, for a reader with the engine, with what it cannot compute of the game after them.
    Thin(Option<Standing>),
    /// With all that a board shows, which is replayed on the beginning of the game.
    Full { beginning: Beginning, snapshot: Box<Snapshot> },
    /// The same, already made.
    Made { events: Vec<protocol::Event>, snapshot: Box<Snapshot> },
}

impl Form {
    /// The form for a reader with the engine, of events up to `state`, with its clocks at `now_ms`. `last` is the last
    /// event, if it is a turn.
    pub(super) fn thin(state: &State, now_ms: i64, last: Option<LastTurn>) -> Self {
        Self::Thin(thin::standing(view::standing(state, now_ms), state.play().to_move(), last))
    }
}

/// The game before some events.
#[derive(Debug, Default)]
pub(super) struct Beginning {
    expansion: Box<Expansion>,
    /// The events between the expansion and the wanted ones.
    events: Excerpt,
}

impl Beginning {
    /// The beginning of a game up to `known`. What is behind `expansion` is replayed.
    pub(super) fn of(log: &WrittenLog, expansion: Box<Expansion>, known: Version) -> Self {
        let events = log.excerpt(expansion.version(), known);
        Self { expansion, events }
    }

    /// Returns the full form of the events that follow, and the game after them if it was replayed.
    fn expand(mut self, events: Vec<ThinEvent>) -> (Vec<protocol::Event>, Option<Box<Expansion>>) {
        let has_turns = events.iter().any(|event| matches!(event, ThinEvent::Turn(_)));
        if !has_turns {
            let others = events.into_iter().filter_map(|event| match event {
                ThinEvent::Other(other) => Some(other.event),
                ThinEvent::Turn(_) => None,
            });
            return (others.collect(), None);
        }
        let n_known = self.events.len();
        let all = self.events.events().into_iter().chain(events);
        let full: Result<Vec<_>, _> = all.map(|event| self.expansion.next(event)).collect();
        match full {
            Ok(mut full) => (full.split_off(n_known), Some(self.expansion)),
            Err(error) => {
                // The events were made of this game: only a fault of the server leads here.
                error!(%error, "the events of a game cannot be replayed");
                (Vec::new(), None)
            }
        }
    }
}

impl News {
    /// The cost of the frame: bytes to decompress, and events to replay.
    pub(super) fn cost(&self) -> (usize, usize) {
        match &self.form {
            Form::Thin(_) => (self.events.n_compressed(), 0),
            Form::Full { .. } if self.events.len() == 0 => (0, 0),
            Form::Made { .. } => (0, 0),
            Form::Full { beginning, .. } => (
                self.events.n_compressed() + beginning.events.n_compressed(),
                self.events.len() + beginning.events.len(),
            ),
        }
    }

    /// The number of events that are sent, or replayed for it if they are more.
    pub(super) fn n_events(&self) -> usize {
        self.events.len().max(self.cost().1)
    }

    /// Returns the message with these events, and the game after them if it was replayed.
    pub(super) fn frame(self) -> (Utf8Bytes, Option<Box<Expansion>>) {
        let Self { game, extent, events, version, draft, form } = self;
        let (events, expansion, snapshot) = match form {
            Form::Thin(standing) => return (thin_frame(game, &events, version, standing, draft), None),
            Form::Full { beginning, snapshot } => {
                let (events, expansion) = beginning.expand(events.events());
                (events, expansion, *snapshot)
            }
            Form::Made { events, snapshot } => (events, None, *snapshot),
        };
        let message = match extent {
            Extent::All => ServerMessage::Snapshot { game, events, snapshot, draft },
            Extent::New => ServerMessage::Events { game, events, snapshot, draft },
        };
        (outbox::frame(&message), expansion)
    }
}

/// Returns the message for a reader with the engine. The events are copied as they are in the log.
fn thin_frame(
    game: GameId,
    events: &Excerpt,
    version: Version,
    standing: Option<Standing>,
    draft: Option<Draft>,
) -> Utf8Bytes {
    let draft = draft.map(|draft| draft.steps.into_iter().map(|step| step.action).collect());
    let without_events = ServerMessage::News { game, version, events: Vec::new(), standing, draft };
    let message = serde_json::to_string(&without_events).expect("messages have string keys only");
    let (before, behind) = split_at_events(&message);
    [before, &events.text(), behind].concat().into()
}

/// Splits JSON with an empty list of `events` inside that list.
fn split_at_events(json: &str) -> (&str, &str) {
    const LIST: &str = r#""events":["#;
    // No text contains this: a quotation mark inside a text is escaped.
    let at = json.find(LIST).expect("it has a list of events") + LIST.len();
    json.split_at(at)
}

/// Returns the full form of all events of a log up to `shown`.
pub(super) fn all_events(events: &Excerpt) -> Vec<protocol::Event> {
    Beginning::default().expand(events.events()).0
}
