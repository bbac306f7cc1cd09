//! A game from the store: its log folded, from the start or from where it is.

use tracing::{error, warn};

use super::{Actor, Lost};
use crate::{
    clock,
    game::{BadLog, Corrupt, Phase, Recorded, view},
    ids::{ActionText, GameId},
    live::{
        Admitted, Entry,
        answers::Answers,
        attendance::Attendance,
        chat::{self, Chat},
        screen::{Delayed, Screen},
        spectators::Spectator,
        watchers::Watchers,
    },
    metrics::{Cause, METRICS},
    protocol::Draft,
    store::{Audience, DraftRow, Log, StoreError, StoredEvent},
};

/// Why a game could not be brought to memory.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error("no game has this id")]
    UnknownGame,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Corrupt(#[from] BadLog),
}

impl Actor {
    /// Folds the game's log.
    pub(super) async fn load(id: GameId, Entry { shared, share, .. }: &Entry) -> Result<Self, LoadError> {
        // First: what is told from now on is either in the log or heard.
        let hearing = shared.bus.hear_game(id).await;
        let Log { events: stored, draft } = shared.store.log(id).await?.ok_or(LoadError::UnknownGame)?;
        let players = shared.store.chat(id, Audience::Players, chat::LINES).await?;
        let watchers = shared.store.chat(id, Audience::Watchers, chat::LINES).await?;
        let mut stored = stored.iter();
        let first = stored.next().ok_or(BadLog::Corrupt(Corrupt::NotCreated))?;
        let game = Screen::begin(&read(first)?).map_err(BadLog::Corrupt)?;
        let delay = game.state.terms.delay.get();
        let mut actor = Self {
            id,
            delayed: (delay > 0).then(|| Delayed::by(delay)),
            game,
            draft: None,
            answers: Answers::default(),
            chat: Chat::new(players, watchers),
            watchers: Watchers::new(id),
            attendance: Attendance::new(clock::now_ms()),
            hearing,
            share: share.clone(),
            shared: shared.clone(),
        };
        for stored in stored {
            actor.fold(stored)?;
        }
        actor.game.log.compress();
        actor.draft = draft.and_then(|row| actor.read_draft(&row));
        for Spectator { outbox, player, version, .. } in shared.spectators.take(id) {
            // It was let in before, and what is over stays as open as it was.
            let _ = actor.watch(&outbox, player, version, Admitted::All);
        }
        Ok(actor)
    }

    /// Folds one stored event in.
    fn fold(&mut self, stored: &StoredEvent) -> Result<(), BadLog> {
        let recorded = read(stored)?;
        let cause = self.game.state.cause(&recorded.event);
        if let Some(delayed) = &mut self.delayed {
            delayed.note(&self.game.state, &recorded.event);
        }
        self.game.fold(&recorded)?;
        self.answers.learn(stored, cause, &recorded.event);
        Ok(())
    }

    /// A stored draft, if it still fits: it is no part of the log and never stands in a game's way.
    pub(super) fn read_draft(&self, row: &DraftRow) -> Option<Draft> {
        let Phase::Playing { turn, .. } = &self.game.state.phase else { return None };
        if row.version < turn.since {
            return None;
        }
        let actions: Vec<ActionText> = serde_json::from_str(&row.body).ok()?;
        match self.game.state.play().draft(&actions) {
            Ok(draft) => Some(view::draft(&draft)),
            Err(error) => {
                warn!(game = %self.id, %error, "a stored draft of game {} is not legal", self.id);
                None
            }
        }
    }

    /// Folds those events in that are new.
    pub(super) fn fold_in(&mut self, events: &[StoredEvent]) -> Result<(), Lost> {
        let known = self.game.state.version();
        for stored in events.iter().filter(|stored| stored.version > known) {
            self.fold(stored).map_err(|bad| {
                error!(game = %self.id, error = %bad, "the log of game {} does not fold", self.id);
                Lost
            })?;
        }
        Ok(())
    }

    /// Folds in what other nodes have appended to the log, and tells of it.
    pub(super) async fn catch_up(&mut self, cause: &'static str) -> Result<(), Lost> {
        METRICS.resyncs.get_or_create(&Cause { cause }).inc();
        let log = self.shared.store.log(self.id).await;
        let Ok(Some(Log { events, draft })) = log else { return Err(Lost) };
        let shown = self.known();
        self.fold_in(&events)?;
        self.draft = draft.and_then(|row| self.read_draft(&row));
        self.tell(shown);
        self.shared.lobby.hear(&view::summary(self.id, &self.game.state));
        Ok(())
    }
}

fn read(stored: &StoredEvent) -> Result<Recorded, BadLog> {
    Recorded::read(stored.at_ms, &stored.body)
        .map_err(|error| BadLog::Unreadable { version: stored.version, error })
}
