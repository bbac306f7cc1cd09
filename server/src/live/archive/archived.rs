use engine::record::Record;

use crate::{
    deflate::Gzipped,
    game::{BadLog, Corrupt, Recorded, record, view},
    ids::{GameId, Version},
    live::{document::document, log::WrittenLog, screen::Screen},
    protocol::{GameSummary, Present, ServerMessage},
    store::StoredEvent,
};

/// A game's record as text and as JSON.
#[derive(Clone, Debug)]
pub(crate) struct WrittenRecord {
    pub(crate) text: Gzipped,
    pub(crate) json: Gzipped,
}

impl WrittenRecord {
    pub(crate) fn of(record: &Record) -> Self {
        Self { text: Gzipped::of_text(&record.to_text()), json: Gzipped::of_text(&record.to_json()) }
    }
}

/// A game that is over. All who may see it see the same: those who were some turns behind are no more.
#[derive(Debug)]
pub(in crate::live) struct Archived {
    summary: GameSummary,
    log: WrittenLog,
    present: Present,
    record: WrittenRecord,
}

impl Archived {
    /// Folds a log.
    ///
    /// # Errors
    /// The first event that no game can have there.
    pub(super) fn fold(id: GameId, stored: &[StoredEvent]) -> Result<Self, BadLog> {
        let read = |stored: &StoredEvent| {
            let version = stored.version;
            Recorded::read(stored.at_ms, &stored.body).map_err(|error| BadLog::Unreadable { version, error })
        };
        let (first, rest) = stored.split_first().ok_or(Corrupt::NotCreated)?;
        let mut screen = Screen::begin(&read(first)?)?;
        for stored in rest {
            screen.fold(&read(stored)?)?;
        }
        let Screen { state, mut log } = screen;
        log.compress_all();
        Ok(Self {
            summary: view::summary(id, &state),
            log,
            // No clock runs any more, so that it is the same at any time.
            present: view::present(&state, state.updated_ms),
            record: WrittenRecord::of(&record::of(&state)),
        })
    }

    pub(in crate::live) fn document(&self) -> Gzipped {
        document(self.summary.clone(), &self.log, self.version(), self.present.clone())
    }

    pub(in crate::live) fn record(&self) -> WrittenRecord {
        self.record.clone()
    }

    /// What is sent to a reader who has the game up to `known`.
    pub(in crate::live) fn news(&self, known: Version) -> ServerMessage {
        let (game, present) = (self.summary.id, self.present.clone());
        let (from_the_start, events) = self.log.after(known, self.version());
        if from_the_start {
            ServerMessage::Snapshot { game, events, present, draft: None }
        } else {
            ServerMessage::Events { game, events, present, draft: None }
        }
    }

    pub(in crate::live) const fn version(&self) -> Version {
        self.summary.version
    }

    /// Bytes of memory that the game takes.
    pub(super) fn n_bytes(&self) -> usize {
        let WrittenRecord { text, json } = &self.record;
        size_of::<Self>() + self.log.n_bytes() + text.n_bytes() + json.n_bytes()
    }
}
