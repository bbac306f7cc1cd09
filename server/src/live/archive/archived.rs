use engine::record::Record;
use game::{
    BadLog, Recorded,
    ids::{GameId, Version},
    record,
};
use protocol::{Snapshot, thin, view};
use store::{GameRow, StoredEvent};

use crate::{
    deflate::Gzipped,
    edge,
    live::{
        document::Document,
        log::WrittenLog,
        news::{Beginning, Extent, Form, News},
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
pub(super) struct Folding(View);

impl Folding {
    /// # Errors
    /// No game begins with this event.
    pub(super) fn begin(first: &StoredEvent) -> Result<Self, BadLog> {
        Ok(Self(View::begin(&read(first)?)?))
    }

    /// Folds the next events.
    ///
    /// # Errors
    /// Returns the first event that cannot follow.
    pub(super) fn fold(mut self, piece: &[StoredEvent]) -> Result<Self, BadLog> {
        for stored in piece {
            self.0.fold(&read(stored)?)?;
        }
        Ok(self)
    }

    /// The game at the end of its log.
    pub(super) fn end(self, id: GameId) -> Archived {
        Archived::of(id, self.0)
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
    log: WrittenLog,
    document: Gzipped,
    snapshot: Snapshot,
    record: WrittenRecord,
    /// Time at which its room last opened again, milliseconds since 1970.
    reopened_ms: Option<i64>,
}

impl Archived {
    /// A game whose log is folded to its end.
    fn of(id: GameId, View { state, mut log }: View) -> Self {
        log.compress_all();
        let row = edge::row(id, &state);
        // No clock runs any more, so that the snapshot is the same at any time.
        let snapshot = view::snapshot(&state, state.updated_ms());
        let events = log.excerpt(Version::NONE, row.version);
        Self {
            document: Document { row: row.clone(), events, snapshot: snapshot.clone() }.write(),
            row,
            log,
            snapshot,
            record: WrittenRecord::of(&record::of(&state)),
            reopened_ms: state.reopened_ms(),
        }
    }

    /// Returns the document of the game.
    pub(in crate::live) fn document(&self) -> Gzipped {
        self.document.clone()
    }

    /// Returns the record of the game.
    pub(in crate::live) fn record(&self) -> WrittenRecord {
        self.record.clone()
    }

    /// Returns the events after `known`, for a reader who has the game up to there.
    pub(in crate::live) fn news(&self, known: Version, is_thin: bool) -> News {
        let (from_the_start, events) = self.log.after(known, self.version());
        let known = if from_the_start { Version::NONE } else { known };
        let (snapshot, last) = (self.snapshot.clone(), events.last_turn());
        News {
            game: self.row.id,
            extent: Extent::of(from_the_start),
            events,
            version: self.version(),
            draft: None,
            form: if is_thin {
                Form::Thin(thin::standing(snapshot.standing, snapshot.turn.side, last))
            } else {
                let beginning = Beginning::of(&self.log, Box::default(), known);
                Form::Full { beginning, snapshot: Box::new(snapshot) }
            },
        }
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
        size_of::<Self>() + self.log.n_bytes() + self.document.n_bytes() + text.n_bytes() + json.n_bytes()
    }
}
