use std::{sync::Arc, time::Duration};

use engine::record::Record;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};
use tracing::{error, warn};

use super::{DraftRequest, Entry, Request, Shared, answers::Answers, watchers::Watchers};
use crate::{
    clock,
    game::{
        Corrupt, Decision, Recorded, Refusal, State, Unreadable, decide, may_act, record, refuse_turn, view,
    },
    ids::{ActionText, CommandId, GameId, Version},
    outbox::{ConnectionId, Outbox},
    protocol::{Draft, Event, GameDocument, ServerMessage},
    store::{Append, Committed, DraftRow, Log, StoreError, StoredEvent, WriteError},
};

/// How long a game that nobody watches stays in memory.
const ASLEEP_AFTER: Duration = Duration::from_secs(60);

/// Legal actions that are listed. No position of a game from a usual start has nearly as many; some that can be
/// made up have millions.
const MAX_LISTED: usize = 5_000;

/// What a game's task is asked to do.
#[derive(Debug)]
pub(crate) enum Message {
    Command { request: Request, reply: oneshot::Sender<Result<Version, Refusal>> },
    Draft { request: DraftRequest, reply: oneshot::Sender<Result<ServerMessage, Refusal>> },
    Options { request: DraftRequest, reply: oneshot::Sender<Result<ServerMessage, Refusal>> },
    Watch { outbox: Outbox, from: Version, reply: oneshot::Sender<Result<(), Refusal>> },
    Unwatch { connection: ConnectionId },
    Read { reply: oneshot::Sender<Result<GameDocument, Refusal>> },
    Record { reply: oneshot::Sender<Result<Record, Refusal>> },
}

impl Message {
    /// Answers without a game to ask.
    fn refuse(self, refusal: Refusal) {
        // Who has gone meanwhile needs no answer.
        match self {
            Self::Command { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Draft { reply, .. } | Self::Options { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Watch { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Unwatch { .. } => {}
            Self::Read { reply } => drop(reply.send(Err(refusal))),
            Self::Record { reply } => drop(reply.send(Err(refusal))),
        }
    }
}

/// A live game: the fold of its log, what its readers were sent, and who they are.
#[derive(Debug)]
pub(crate) struct Actor {
    id: GameId,
    state: State,
    /// The log as readers see it; event n has version n + 1.
    events: Vec<Event>,
    draft: Option<Draft>,
    answers: Answers,
    watchers: Watchers,
    shared: Arc<Shared>,
}

/// Why a game could not be brought to memory.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("no game has this id")]
    UnknownGame,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Corrupt(#[from] BadLog),
}

/// A log that does not fold.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadLog {
    #[error("event {version}: {error}")]
    Unreadable { version: Version, error: Unreadable },
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

/// The state in memory is not to be trusted any more: the task ends, and the next visitor folds the log again.
#[derive(Debug)]
struct Lost;

/// The life of a game's task: it folds the log and then does what it is asked, until nobody is there any more
/// or its state is lost. A game that cannot be had refuses all who wait for it.
pub(super) async fn run(id: GameId, mut mailbox: mpsc::Receiver<Message>, entry: Entry) {
    match Actor::load(id, entry.shared.clone()).await {
        Ok(actor) => actor.work(&mut mailbox).await,
        Err(problem) => {
            drop(entry);
            let refusal = match problem {
                LoadError::UnknownGame => Refusal::UnknownGame,
                LoadError::Store(_) | LoadError::Corrupt(_) => {
                    error!(game = %id, error = &problem as &dyn std::error::Error, "game {id} cannot be read");
                    Refusal::Unavailable
                }
            };
            mailbox.close();
            while let Ok(message) = mailbox.try_recv() {
                message.refuse(refusal.clone());
            }
        }
    }
}

impl Actor {
    /// Folds the game's log.
    async fn load(id: GameId, shared: Arc<Shared>) -> Result<Self, LoadError> {
        let Log { events: stored, draft } = shared.store.log(id).await?.ok_or(LoadError::UnknownGame)?;
        let mut stored = stored.iter();
        let first = stored.next().ok_or(BadLog::Corrupt(Corrupt::NotCreated))?;
        let recorded = read(first)?;
        let state = State::begin(&recorded).map_err(BadLog::Corrupt)?;
        let event = view::event(&state, first.version, &recorded);
        let mut actor = Self {
            id,
            state,
            events: vec![event],
            draft: None,
            answers: Answers::default(),
            watchers: Watchers::new(id),
            shared,
        };
        for stored in stored {
            actor.fold(stored)?;
        }
        actor.draft = draft.and_then(|row| actor.read_draft(&row));
        Ok(actor)
    }

    /// Folds one stored event in.
    fn fold(&mut self, stored: &StoredEvent) -> Result<(), BadLog> {
        let recorded = read(stored)?;
        let author = self.state.author(&recorded.event);
        self.state.apply(&recorded)?;
        self.answers.learn(stored, author);
        self.events.push(view::event(&self.state, stored.version, &recorded));
        Ok(())
    }

    /// A stored draft, if it still fits: it is no part of the log and never stands in a game's way.
    fn read_draft(&self, row: &DraftRow) -> Option<Draft> {
        if row.version != self.state.version() {
            return None;
        }
        let actions: Vec<ActionText> = serde_json::from_str(&row.body).ok()?;
        match self.state.play().draft(&actions) {
            Ok(draft) => Some(view::draft(&draft)),
            Err(error) => {
                warn!(game = %self.id, %error, "a stored draft of game {} is not legal", self.id);
                None
            }
        }
    }

    async fn work(mut self, mailbox: &mut mpsc::Receiver<Message>) {
        let stop = self.shared.stop.clone();
        loop {
            let message = tokio::select! {
                message = timeout(ASLEEP_AFTER, mailbox.recv()) => message,
                () = stop.cancelled() => return,
            };
            match message {
                Ok(Some(message)) => {
                    if let Err(Lost) = self.handle(message).await {
                        warn!(game = %self.id, "game {} is folded anew", self.id);
                        return;
                    }
                }
                Ok(None) => return,
                Err(_) if self.watchers.are_gone() => return,
                Err(_) => {}
            }
        }
    }

    async fn handle(&mut self, message: Message) -> Result<(), Lost> {
        match message {
            Message::Command { request, reply } => answer(reply, self.command(&request).await)?,
            Message::Draft { request, reply } => answer(reply, self.draft(&request).await)?,
            Message::Options { request, reply } => {
                let _ = reply.send(self.options(&request).map(|(options, _)| options));
            }
            Message::Watch { outbox, from, reply } => {
                outbox.send(&self.catch_up_message(from));
                self.watchers.add(outbox);
                let _ = reply.send(Ok(()));
            }
            Message::Unwatch { connection } => self.watchers.remove(connection),
            Message::Read { reply } => {
                let summary = view::summary(self.id, &self.state);
                let (events, present) = (self.events.clone(), view::present(&self.state));
                let _ = reply.send(Ok(GameDocument { summary, events, present }));
            }
            Message::Record { reply } => {
                let _ = reply.send(Ok(record::of(&self.state, &self.events)));
            }
        }
        Ok(())
    }

    /// What a reader needs who has the events up to `from`.
    fn catch_up_message(&self, from: Version) -> ServerMessage {
        let (game, present, draft) = (self.id, view::present(&self.state), self.draft.clone());
        let known = from.get() as usize;
        if known == 0 || known > self.events.len() {
            ServerMessage::Snapshot { game, events: self.events.clone(), present, draft }
        } else {
            ServerMessage::Events { game, events: self.events[known..].to_vec(), present, draft }
        }
    }

    async fn command(&mut self, request: &Request) -> Result<Result<Version, Refusal>, Lost> {
        let Request { id, who, command } = request;
        if let Some(answer) = self.answer_before(request) {
            return Ok(answer);
        }
        let decision = match decide(&self.state, command, who, clock::now_ms()) {
            Ok(decision) => decision,
            Err(refusal) => {
                self.answers.refused(id, who.id, &refusal);
                return Ok(Err(refusal));
            }
        };
        let append = Append::new(self.stored(id, &decision.events), view::summary(self.id, &decision.next));
        match self.shared.writer.append(append).await {
            Ok(committed) => {
                self.settle(&committed, decision);
                Ok(Ok(self.state.version()))
            }
            Err(WriteError::Conflict(_)) => {
                let stale = self.catch_up().await?;
                Ok(self.answer_before(request).unwrap_or(Err(stale)))
            }
            Err(WriteError::Unknown(_) | WriteError::Ended) => Err(Lost),
        }
    }

    /// The answer that a command got before.
    fn answer_before(&self, Request { id, who, command }: &Request) -> Option<Result<Version, Refusal>> {
        self.answers.find(id, who.id, |version| {
            let event = self.events.get(version.get() as usize - 1);
            event.is_some_and(|event| view::is_outcome_of(&event.what, command))
        })
    }

    /// The events of one command as the store keeps them, with the versions that follow the game's.
    fn stored(&self, command: &CommandId, events: &[Recorded]) -> Vec<StoredEvent> {
        let mut version = self.state.version();
        let mut command = Some(command.clone());
        let mut stored = Vec::with_capacity(events.len());
        for recorded in events {
            version = version.next();
            let (at_ms, body) = (recorded.at_ms, recorded.body());
            stored.push(StoredEvent { version, at_ms, command: command.take(), body });
        }
        stored
    }

    /// Makes what was decided the game's state, now that it is stored, and tells all readers.
    fn settle(&mut self, committed: &Committed, decision: Decision) {
        let known = self.events.len();
        for (stored, recorded) in committed.events().iter().zip(&decision.events) {
            self.answers.learn(stored, self.state.author(&recorded.event));
            self.events.push(view::event(&decision.next, stored.version, recorded));
        }
        self.state = decision.next;
        self.draft = None;
        self.tell(known);
    }

    /// Sends the events after the first `known` to all readers, and the game's new row to the lobby.
    fn tell(&mut self, known: usize) {
        self.watchers.send(&ServerMessage::Events {
            game: self.id,
            events: self.events[known..].to_vec(),
            present: view::present(&self.state),
            draft: self.draft.clone(),
        });
        self.shared.lobby.update(&view::summary(self.id, &self.state));
    }

    /// Folds in what somebody else has appended to the log, and says what that makes of a command that did not
    /// know of it.
    async fn catch_up(&mut self) -> Result<Refusal, Lost> {
        let log = self.shared.store.log(self.id).await;
        let Ok(Some(Log { events, draft })) = log else { return Err(Lost) };
        let known = self.events.len();
        for stored in events.iter().skip(known) {
            self.fold(stored).map_err(|bad| {
                error!(game = %self.id, error = %bad, "the log of game {} does not fold", self.id);
                Lost
            })?;
        }
        self.draft = draft.and_then(|row| self.read_draft(&row));
        self.tell(known);
        Ok(Refusal::Stale { version: self.state.version() })
    }

    /// Keeps a draft, shows it to all but the connection it came from, and answers with what is legal next.
    async fn draft(&mut self, request: &DraftRequest) -> Result<Result<ServerMessage, Refusal>, Lost> {
        let (options, draft) = match self.options(request) {
            Ok(legal) => legal,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let kept = (!request.actions.is_empty()).then_some(draft);
        if kept.is_none() && self.draft.is_none() {
            return Ok(Ok(options));
        }
        match self.keep(request).await {
            Ok(()) => {}
            Err(WriteError::Conflict(_)) => return self.catch_up().await.map(Err),
            Err(WriteError::Unknown(_) | WriteError::Ended) => return Err(Lost),
        }
        self.draft = kept;
        let (game, version) = (self.id, self.state.version());
        let message = ServerMessage::Draft { game, version, draft: self.draft.clone() };
        self.watchers.send_to_others(request.from, &message);
        Ok(Ok(options))
    }

    /// What is legal after a draft, and the draft.
    fn options(&self, request: &DraftRequest) -> Result<(ServerMessage, Draft), Refusal> {
        let DraftRequest { id: command, who, base: version, actions, .. } = request;
        may_act(&self.state, who, *version)?;
        let legal = self.state.play().draft(actions).map_err(refuse_turn)?;
        let Some(actions) = legal.legal_within(MAX_LISTED) else {
            return Err(Refusal::TooMany { legal: MAX_LISTED as u32 + 1 });
        };
        let draft = view::draft(&legal);
        let options = ServerMessage::Options {
            command: command.clone(),
            game: self.id,
            version: *version,
            draft: draft.clone(),
            actions: actions.into_iter().map(view::legal_action).collect(),
            groups: legal.groups(),
            barred: legal.barred.iter().map(view::barred).collect(),
            best_capture: legal.best_capture(),
        };
        Ok((options, draft))
    }

    async fn keep(&self, request: &DraftRequest) -> Result<(), WriteError> {
        let (game, version) = (self.id, request.base);
        if request.actions.is_empty() {
            return self.shared.writer.take_draft(game).await;
        }
        let body = serde_json::to_string(&request.actions).expect("a list of texts is JSON");
        self.shared.writer.save_draft(DraftRow { game, version, body }).await
    }
}

/// Answers; if nobody can tell what became of what was asked, with that.
fn answer<T>(
    reply: oneshot::Sender<Result<T, Refusal>>,
    done: Result<Result<T, Refusal>, Lost>,
) -> Result<(), Lost> {
    let (answer, lost) = match done {
        Ok(answer) => (answer, Ok(())),
        Err(Lost) => (Err(Refusal::Unavailable), Err(Lost)),
    };
    // Who has gone meanwhile needs no answer.
    let _ = reply.send(answer);
    lost
}

fn read(stored: &StoredEvent) -> Result<Recorded, BadLog> {
    Recorded::read(stored.at_ms, &stored.body)
        .map_err(|error| BadLog::Unreadable { version: stored.version, error })
}
