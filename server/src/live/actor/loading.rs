//! Loading: folding a game's log, from the start or from the current version.

use game::{
    BadLog, Corrupt, Phase, Recorded,
    ids::{ActionText, GameId, Version},
};
use store::{Audience, DraftRow, Log, StoreError, StoredEvent};
use tracing::{error, warn};

use super::{Actor, LogEnd, StateLost, talk::actions_of, working::OptionsCache};
use crate::{
    compute::{Compute, ComputeError, Requester},
    convert,
    directory::Directory,
    live::{
        attendance::Attendance,
        chat::{self, Chat},
        command_log::CommandLog,
        drafting::Drafting,
        readers::Readers,
        reads::mentioned,
        shared::Entry,
        spectators::Spectator,
        view::{Delayed, EVENTS_IN_PIECE, View},
    },
    metrics::{CauseLabel, METRICS},
};

/// The reason why a game could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error("no game has this id")]
    UnknownGame,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Corrupt(#[from] BadLog),
    #[error("the log could not be folded: {0}")]
    Compute(#[from] ComputeError),
}

/// Maximum number of events that are folded on the game's own task: 0.3 ms.
const INLINE_EVENTS: usize = 10;

/// The state into which a log is folded.
#[derive(Debug)]
struct Folded {
    game: View,
    end: LogEnd,
    delayed: Option<Delayed>,
    command_log: CommandLog,
    names: Directory,
}

impl Folded {
    fn begin(first: &StoredEvent, names: Directory) -> Result<Self, BadLog> {
        let game = View::begin(&read(first)?, &names).map_err(BadLog::Corrupt)?;
        let delay = game.state.terms().delay.get();
        let delayed = (delay > 0).then(|| Delayed::by(delay));
        let command_log = CommandLog::default();
        Ok(Self { game, end: LogEnd::of(first), delayed, command_log, names })
    }

    fn fold_all(mut self, stored: &[StoredEvent]) -> Result<Self, BadLog> {
        for stored in stored {
            fold(&mut self.game, self.delayed.as_mut(), &mut self.command_log, stored, &self.names)?;
            self.end = LogEnd::of(stored);
        }
        Ok(self)
    }

    /// Folds a whole log. A long one is folded on the compute pool, piece by piece.
    async fn of(
        log: Vec<StoredEvent>,
        names: Directory,
        compute: &Compute,
        requester: Requester,
    ) -> Result<Self, LoadError> {
        let first = log.first().ok_or(BadLog::Corrupt(Corrupt::NotCreated))?;
        let mut folded = Self::begin(first, names)?;
        if log.len() <= INLINE_EVENTS {
            return Ok(folded.fold_all(&log[1..])?);
        }
        let mut rest = log.into_iter().skip(1);
        loop {
            let piece: Vec<StoredEvent> = rest.by_ref().take(EVENTS_IN_PIECE).collect();
            if piece.is_empty() {
                return Ok(folded);
            }
            folded = compute.run(requester, move || folded.fold_all(&piece)).await??;
        }
    }
}

impl Actor {
    /// Folds the game's log for `requester`.
    pub(super) async fn load(
        id: GameId,
        Entry { shared, share, permits, .. }: &Entry,
        requester: Requester,
    ) -> Result<Self, LoadError> {
        // First, so that later events are either in the log or received.
        let subscription = shared.dependencies.bus.subscribe_to_game(id).await;
        let Log { events, draft } = shared.reads.log(id, requester).await?.ok_or(LoadError::UnknownGame)?;
        let players = shared.dependencies.store.chat(id, Audience::Players, chat::LINES).await?;
        let spectators = shared.dependencies.store.chat(id, Audience::Spectators, chat::LINES).await?;
        let chat = Chat::new(players, spectators);
        let directory = &shared.dependencies.directory;
        let players = directory.hold(id, mentioned(&events).chain(chat.speakers()));
        players.load().await?;
        let Folded { game, end, delayed, command_log, .. } =
            Folded::of(events, directory.clone(), &shared.dependencies.compute, requester).await?;
        let mut actor = Self {
            id,
            delayed,
            game,
            end,
            draft: None,
            drafting: Drafting::default(),
            options_cache: OptionsCache::default(),
            command_log,
            chat,
            readers: Readers::new(id),
            players,
            attendance: Attendance::new(shared.now_ms()),
            joiner_due_ms: None,
            subscription,
            share: share.clone(),
            permits: permits.clone(),
            shared: shared.clone(),
        };
        actor.share_seats();
        if let Some(row) = draft {
            actor.draft = actor.read_draft(&row, requester).await;
        }
        for Spectator { outbox, player, version, .. } in shared.spectators.take(id) {
            // The spectator was admitted earlier, and a finished game does not become private.
            let _ = actor.follow(&outbox, player, None, version);
        }
        Ok(actor)
    }

    /// Folds one stored event in, and returns it.
    fn fold(&mut self, stored: &StoredEvent) -> Result<Recorded, BadLog> {
        let names = &self.shared.dependencies.directory;
        let recorded = fold(&mut self.game, self.delayed.as_mut(), &mut self.command_log, stored, names)?;
        self.end = LogEnd::of(stored);
        Ok(recorded)
    }

    /// Whether there is a draft of the turn under way that is newer than the stored one.
    pub(super) fn has_newer_draft(&self) -> bool {
        let Phase::Playing { turn, .. } = self.game.state.phase() else { return false };
        self.drafting.newest_since().is_some_and(|version| version >= turn.since)
    }

    /// Reads a stored draft, if it is still legal. A draft is no part of the log and never prevents loading.
    pub(super) async fn read_draft(&mut self, row: &DraftRow, requester: Requester) -> Option<Vec<String>> {
        let Phase::Playing { turn, .. } = self.game.state.phase() else { return None };
        if row.version < turn.since {
            return None;
        }
        let actions: Vec<ActionText> = serde_json::from_str(&row.body).ok()?;
        self.prepare(requester).await.ok()?;
        match self.game.state.play().draft(&actions) {
            Ok(draft) => Some(actions_of(&draft)),
            Err(error) => {
                warn!(game = %self.id, %error, "stored draft of game {} is not legal", self.id);
                None
            }
        }
    }

    /// Folds the new ones among these events.
    pub(super) async fn fold_in(&mut self, events: &[StoredEvent]) -> Result<(), StateLost> {
        self.keep_names(mentioned(events)).await?;
        let known = self.game.state.version();
        for stored in events.iter().filter(|stored| stored.version > known) {
            let before = (!self.game.state.is_under_way()).then(|| self.game.state.clone());
            let recorded = self.fold(stored).map_err(|bad| {
                error!(game = %self.id, error = %bad, "folding the log of game {} failed", self.id);
                StateLost
            })?;
            if let Some(before) = before {
                self.follow_beginning(&before, &recorded);
            }
        }
        Ok(())
    }

    /// Reads the log from its last known event on, inclusive. If that event is not there, the database has gone back,
    /// and the game must be reloaded.
    pub(super) async fn read_on(&self) -> Result<Log, StateLost> {
        let read = self.shared.dependencies.store.log_after(self.id, self.end.before()).await;
        let log = read.map_err(|_| StateLost)?;
        match log {
            Some(log) if log.events.first().map(LogEnd::of) == Some(self.end) => Ok(log),
            Some(_) | None => Err(self.went_back().await),
        }
    }

    /// Reports what the database no longer has of this game, and shows the lobby the game as it is there now.
    async fn went_back(&self) -> StateLost {
        let known = convert::row(self.id, &self.game.state);
        let Ok(stored) = self.shared.dependencies.store.game(self.id).await else { return StateLost };
        let (version, turn) = stored.as_ref().map_or((Version::NONE, 0), |row| (row.version, row.turn));
        self.shared.dependencies.lobby.go_back(self.id, known.version, stored.as_ref());
        if stored.is_none() && known.may_be_deleted(self.shared.now_ms()) {
            // Housekeeping has deleted it.
            return StateLost;
        }
        let n_versions = known.version.get().saturating_sub(version.get());
        let n_turns = known.turn.saturating_sub(turn);
        METRICS.resyncs.get_or_create(&CauseLabel { cause: "gone back" }).inc();
        METRICS.versions_lost.inc_by(n_versions.into());
        error!(
            game = %self.id, n_versions, n_turns,
            "the database went back: game {} is at version {version} there and was at {}; at least {n_turns} turns are gone",
            self.id, known.version
        );
        StateLost
    }

    /// Folds the events that other nodes have appended to the log, and broadcasts them.
    pub(super) async fn catch_up(&mut self, cause: &'static str) -> Result<(), StateLost> {
        METRICS.resyncs.get_or_create(&CauseLabel { cause }).inc();
        let Log { events, draft } = self.read_on().await?;
        self.fold_in(&events).await?;
        if !self.has_newer_draft() {
            self.drafting.clear();
            self.draft = match draft {
                Some(row) => self.read_draft(&row, Requester::SERVER).await,
                None => None,
            };
        }
        self.broadcast_events();
        self.shared.dependencies.lobby.update(&convert::row(self.id, &self.game.state));
        Ok(())
    }
}

/// Folds one stored event into a game, and into the view of its delayed spectators.
fn fold(
    game: &mut View,
    delayed: Option<&mut Delayed>,
    command_log: &mut CommandLog,
    stored: &StoredEvent,
    names: &Directory,
) -> Result<Recorded, BadLog> {
    let recorded = read(stored)?;
    let cause = game.state.cause(&recorded.event);
    if let Some(delayed) = delayed {
        delayed.record(&game.state, &recorded.event);
    }
    game.fold(&recorded, names)?;
    command_log.record(stored, cause, &recorded.event);
    Ok(recorded)
}

fn read(stored: &StoredEvent) -> Result<Recorded, BadLog> {
    Recorded::read(stored.at_ms, &stored.body)
        .map_err(|error| BadLog::Unreadable { version: stored.version, error })
}
