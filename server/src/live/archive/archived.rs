use engine::record::Record;
use game::{
    BadLog, Recorded,
    ids::{GameId, Version},
    record,
};
use protocol::{Names, view};
use store::{GameRow, StoredEvent};
use tungstenite::Utf8Bytes;

use crate::{
    convert,
    deflate::Gzipped,
    directory::{Directory, Held},
    live::{
        document::Document,
        events::{Shown, all_events},
        log::Log,
        view::View,
    },
};

/// A game's record as text and as JSON.
#[derive(Clone, Debug)]
pub(crate) struct WrittenRecord {
    pub(crate) text: Gzipped,
    pub(crate) json: Gzipped,
}

impl WrittenRecord {
    /// Encodes a record.
    pub(crate) fn of(record: &Record) -> Self {
        Self { text: Gzipped::of_text(&record.to_text()), json: Gzipped::of_text(&record.to_json()) }
    }
}

/// A game whose log is being folded, piece by piece.
#[derive(Debug)]
pub(super) struct Folding {
    view: View,
    /// The events so far, with every step.
    events: Vec<protocol::Event>,
    directory: Directory,
    players: Held,
}

impl Folding {
    /// # Errors
    /// No game begins with this event.
    pub(super) fn begin(first: &StoredEvent, directory: Directory, players: Held) -> Result<Self, BadLog> {
        let first = read(first)?;
        let view = View::begin(&first, &directory)?;
        let events = vec![view::event(&view.state, view.state.version(), &first, &directory)];
        Ok(Self { view, events, directory, players })
    }

    /// Folds the next events.
    ///
    /// # Errors
    /// Returns the first event that cannot follow.
    pub(super) fn fold(mut self, piece: &[StoredEvent]) -> Result<Self, BadLog> {
        for stored in piece {
            let recorded = read(stored)?;
            self.view.fold(&recorded, &self.directory)?;
            let state = &self.view.state;
            self.events.push(view::event(state, state.version(), &recorded, &self.directory));
        }
        Ok(self)
    }

    /// Returns the document of a game that is not over, of which these are the events.
    pub(super) fn document(self, document: Document) -> Gzipped {
        document.write(self.events, &self.directory)
    }

    /// The game at the end of its log.
    pub(super) fn end(self, id: GameId) -> Archived {
        let Self { view: View { state, log }, events, directory, players } = self;
        let name = |player| directory.player(player).name;
        let row = convert::row(id, &state);
        // No clock runs any more, so that the snapshot is the same at any time.
        let now_ms = state.updated_ms();
        let snapshot = view::snapshot(&state, now_ms);
        Archived {
            events: Gzipped::of_text(&all_events(snapshot.clone(), &log)),
            document: Document { row: row.clone(), snapshot }.write(events, &directory),
            row,
            log,
            shown: Shown::of(&state, now_ms),
            record: WrittenRecord::of(&record::of(&state, name)),
            reopened_ms: state.reopened_ms(),
            _players: players,
        }
    }
}

fn read(stored: &StoredEvent) -> Result<Recorded, BadLog> {
    let version = stored.version;
    Recorded::read(stored.at_ms, &stored.body).map_err(|error| BadLog::Unreadable { version, error })
}

/// A finished game. All its readers see the same, since nothing is delayed any more.
#[derive(Debug)]
pub(in crate::live) struct Archived {
    row: GameRow,
    log: Log,
    document: Gzipped,
    events: Gzipped,
    shown: Shown,
    record: WrittenRecord,
    /// Time at which its room last opened again, milliseconds since 1970.
    reopened_ms: Option<i64>,
    /// Keeps it in the list of the games to forget when one of its players is renamed.
    _players: Held,
}

impl Archived {
    /// Returns the document of the game.
    pub(in crate::live) fn document(&self) -> Gzipped {
        self.document.clone()
    }

    /// Returns all events of the game, as the socket sends them.
    pub(in crate::live) fn events(&self) -> Gzipped {
        self.events.clone()
    }

    /// Returns the record of the game.
    pub(in crate::live) fn record(&self) -> WrittenRecord {
        self.record.clone()
    }

    /// Returns the message with the events after `known`, a version of the game.
    pub(in crate::live) fn events_frame(&self, known: Version) -> Utf8Bytes {
        self.shown.clone().frame(self.row.id, &self.log, known, None)
    }

    /// The last version of the game.
    pub(in crate::live) const fn version(&self) -> Version {
        self.row.version
    }

    /// Time at which the game's room last opened again, milliseconds since 1970.
    pub(in crate::live) const fn reopened_ms(&self) -> Option<i64> {
        self.reopened_ms
    }

    /// Bytes of memory that the game takes.
    pub(super) fn n_bytes(&self) -> usize {
        let WrittenRecord { text, json } = &self.record;
        let bodies = [&self.document, &self.events, text, json].map(Gzipped::n_bytes);
        size_of::<Self>() + self.log.n_bytes() + bodies.iter().sum::<usize>()
    }
}
