use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use engine::{Seed, record::Record};
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};
use tracing::{error, warn};

use super::{
    DraftRequest, Entry, Request, SayRequest, Shared,
    answers::Answers,
    attendance::Attendance,
    chat::{self, Chat},
    screen::{Delayed, Screen},
    watchers::Watchers,
};
use crate::{
    bus::{GameNews, Hearing},
    clock,
    game::{
        Command, Corrupt, Decision, Event, Phase, Recorded, Refusal, Unreadable, When, credit, decide,
        may_act, refuse_turn, rematch_of, strike, strikes_at_ms, view,
    },
    ids::{ActionText, CommandId, GameId, PlayerId, Version},
    outbox::{ConnectionId, Outbox},
    protocol::{Draft, Drafts, Fault, GameDocument, ServerMessage, WatcherCount, Watching},
    store::{
        Append, Audience, ChatRow, Committed, DraftIs, DraftRow, Log, StoreError, StoredEvent, WriteError,
    },
};

/// Milliseconds for which a game that nobody watches stays in memory.
const ASLEEP_AFTER_MS: i64 = 60_000;

/// Milliseconds after which a flag is looked at again that cannot fall while the heart does not beat.
const TRY_AGAIN_AFTER_MS: i64 = 1_000;

/// How often a command is decided again because another node has gone on with the game meanwhile. Each time the
/// game has gone on, so more than once is rare.
const DECISIONS: usize = 3;

/// Legal actions that are listed. No position of a game from a usual start has nearly as many; some that can be
/// made up have millions.
const MAX_LISTED: usize = 5_000;

/// What a game's task is asked to do.
#[derive(Debug)]
pub(crate) enum Message {
    Command {
        request: Request,
        reply: oneshot::Sender<Result<Version, Refusal>>,
    },
    Draft {
        request: DraftRequest,
        reply: oneshot::Sender<Result<ServerMessage, Refusal>>,
    },
    Options {
        request: DraftRequest,
        reply: oneshot::Sender<Result<ServerMessage, Refusal>>,
    },
    Say {
        request: SayRequest,
        reply: oneshot::Sender<Result<Version, Refusal>>,
    },
    Watch {
        outbox: Outbox,
        player: PlayerId,
        from: Version,
        reply: oneshot::Sender<Result<(), Refusal>>,
    },
    Unwatch {
        connection: ConnectionId,
    },
    Read {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<GameDocument, Refusal>>,
    },
    Record {
        reader: Option<PlayerId>,
        reply: oneshot::Sender<Result<Record, Refusal>>,
    },
    /// Looks whether time has brought something about.
    Wake,
    /// Looks whether the store has more of the game, and tells other nodes who is here.
    Compare {
        /// What the store has.
        version: Version,
        /// Whether other nodes are heard again after a silence, so that what they told is lost.
        after_silence: bool,
    },
}

impl Message {
    /// Whether it comes from a client, so that the game stays in memory.
    const fn is_of_somebody(&self) -> bool {
        !matches!(self, Self::Wake | Self::Compare { .. })
    }

    /// Answers without a game to ask.
    fn refuse(self, refusal: Refusal) {
        // Who has gone meanwhile needs no answer.
        match self {
            Self::Command { reply, .. } | Self::Say { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Draft { reply, .. } | Self::Options { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Watch { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Unwatch { .. } | Self::Wake | Self::Compare { .. } => {}
            Self::Read { reply, .. } => drop(reply.send(Err(refusal))),
            Self::Record { reply, .. } => drop(reply.send(Err(refusal))),
        }
    }
}

/// A live game: the fold of its log, what its readers were sent, and who they are.
#[derive(Debug)]
pub(crate) struct Actor {
    id: GameId,
    /// The game as it is, and as its players see it.
    game: Screen,
    /// What watchers see, if they are behind.
    delayed: Option<Delayed>,
    draft: Option<Draft>,
    answers: Answers,
    chat: Chat,
    watchers: Watchers,
    attendance: Attendance,
    /// What other nodes tell of the game.
    hearing: Hearing<GameNews>,
    shared: Arc<Shared>,
}

/// What became of what was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Stored,
    /// Another node was first; what it has stored is the game now.
    Overtaken,
}

/// What a reader sees of news.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sight {
    /// Some turns less than there are.
    is_late: bool,
    /// The turn under way while it is made.
    has_draft: bool,
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
        Ok(actor) => {
            entry.shared.folds(id);
            actor.work(&mut mailbox).await;
        }
        Err(problem) => {
            let is_news = match problem {
                LoadError::UnknownGame => false,
                LoadError::Store(_) => true,
                LoadError::Corrupt(_) => entry.shared.breaks(id),
            };
            if is_news {
                error!(game = %id, error = &problem as &dyn std::error::Error, "game {id} cannot be read");
            }
            drop(entry);
            let refusal = match problem {
                LoadError::UnknownGame => Refusal::UnknownGame,
                LoadError::Store(_) | LoadError::Corrupt(_) => Refusal::Unavailable,
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
            delayed: (delay > 0).then(|| Delayed::by(delay, game.clone())),
            game,
            draft: None,
            answers: Answers::default(),
            chat: Chat::new(players, watchers),
            watchers: Watchers::new(id),
            attendance: Attendance::new(clock::now_ms()),
            hearing,
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
        let cause = self.game.state.cause(&recorded.event);
        self.game.fold(&recorded)?;
        self.answers.learn(stored, cause);
        if let Some(delayed) = &mut self.delayed {
            delayed.fold(recorded)?;
        }
        Ok(())
    }

    /// A stored draft, if it still fits: it is no part of the log and never stands in a game's way.
    fn read_draft(&self, row: &DraftRow) -> Option<Draft> {
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

    async fn work(mut self, mailbox: &mut mpsc::Receiver<Message>) {
        let stop = self.shared.stop.clone();
        let mut asleep_at_ms = clock::now_ms() + ASLEEP_AFTER_MS;
        loop {
            let wakes_at_ms = self.wakes_at_ms().unwrap_or(asleep_at_ms).min(asleep_at_ms);
            let outcome = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                message = mailbox.recv() => {
                    let Some(message) = message else { return };
                    if message.is_of_somebody() {
                        asleep_at_ms = clock::now_ms() + ASLEEP_AFTER_MS;
                    }
                    self.handle(message).await
                }
                news = self.hearing.next() => self.hear(news).await,
                () = sleep(clock::until(wakes_at_ms)) => self.look_at_the_clock().await,
            };
            if let Err(Lost) = outcome {
                warn!(game = %self.id, "game {} is folded anew", self.id);
                return;
            }
            if clock::now_ms() >= asleep_at_ms {
                self.watchers.prune();
                if self.watchers.is_empty() {
                    return;
                }
                asleep_at_ms = clock::now_ms() + ASLEEP_AFTER_MS;
            }
        }
    }

    /// When there is something to do even if nobody asks, milliseconds since 1970.
    fn wakes_at_ms(&self) -> Option<i64> {
        let strikes_at_ms = strikes_at_ms(&self.game.state).map(|at_ms| {
            if self.shared.outages.are_known() {
                at_ms
            } else {
                at_ms.max(clock::now_ms() + TRY_AGAIN_AFTER_MS)
            }
        });
        [strikes_at_ms, self.attendance.tells_at_ms()].into_iter().flatten().min()
    }

    /// Does what time has brought about.
    async fn look_at_the_clock(&mut self) -> Result<(), Lost> {
        let now_ms = clock::now_ms();
        self.strike(now_ms).await?;
        if self.attendance.tells_at_ms().is_some_and(|at_ms| at_ms <= now_ms) {
            let news = self.attendance.tell(self.id, &self.game.state, now_ms);
            self.watchers.send(&news);
            self.tell_attendance();
        }
        Ok(())
    }

    /// Gives back the time in which the server was away, and ends the game if its time was over at `at_ms`.
    async fn strike(&mut self, at_ms: i64) -> Result<(), Lost> {
        // Until it is known whether the server was away, nobody can say whose time is over.
        if strikes_at_ms(&self.game.state).is_none() || !self.shared.outages.get_known().await {
            return Ok(());
        }
        if let Phase::Playing { turn, .. } = &self.game.state.phase {
            let away_ms = self.shared.outages.away_ms(turn.began_ms);
            if let Some(decision) = credit(&self.game.state, away_ms, clock::now_ms()) {
                // If another node was first, what it has stored is the game, here and below.
                self.carry_out(None, decision).await?;
            }
        }
        if let Some(decision) = strike(&self.game.state, at_ms) {
            self.carry_out(None, decision).await?;
        }
        Ok(())
    }

    async fn handle(&mut self, message: Message) -> Result<(), Lost> {
        match message {
            Message::Command { request, reply } => answer(reply, self.command(&request).await)?,
            Message::Draft { request, reply } => answer(reply, self.draft(&request).await)?,
            Message::Options { request, reply } => {
                let options = self.legal_draft(&request);
                let _ = reply.send(options.and_then(|legal| self.options_message(&request, &legal)));
            }
            Message::Say { request, reply } => {
                let _ = reply.send(self.say(request).await);
            }
            Message::Watch { outbox, player, from, reply } => {
                let _ = reply.send(self.watch(&outbox, player, from));
            }
            Message::Unwatch { connection } => {
                self.watchers.remove(connection);
                self.note_attendance();
            }
            Message::Read { reader, reply } => {
                let screen = self.screen_for(reader);
                let _ = reply.send(screen.map(|screen| screen.document(self.id, clock::now_ms())));
            }
            Message::Record { reader, reply } => {
                let _ = reply.send(self.screen_for(reader).map(Screen::record));
            }
            Message::Wake => self.look_at_the_clock().await?,
            Message::Compare { version, after_silence } => {
                if version > self.game.state.version() || after_silence {
                    self.catch_up().await?;
                }
                if after_silence {
                    self.catch_up_chat().await?;
                }
                self.attendance.listen(self.shared.bus.hears(), clock::now_ms());
                self.tell_attendance();
            }
        }
        Ok(())
    }

    /// Takes in what another node tells.
    async fn hear(&mut self, news: GameNews) -> Result<(), Lost> {
        match news {
            GameNews::Events { events, draft_is } => {
                let known = self.game.state.version();
                let Some(first) = events.iter().find(|stored| stored.version > known) else { return Ok(()) };
                if first.version != known.next() {
                    return self.catch_up().await;
                }
                let shown = self.known();
                self.fold_in(&events)?;
                self.game.state.committed(clock::now_ms());
                if draft_is == DraftIs::Gone {
                    self.draft = None;
                }
                self.tell(shown);
            }
            GameNews::Draft { draft } => {
                self.draft = draft.and_then(|row| self.read_draft(&row));
                self.tell_draft(None);
            }
            GameNews::Line { row } => self.tell_line(*row),
            GameNews::Here { node, there } => self.attendance.hear(node, there, clock::now_ms()),
        }
        Ok(())
    }

    /// Folds those events in that are new.
    fn fold_in(&mut self, events: &[StoredEvent]) -> Result<(), Lost> {
        let known = self.game.state.version();
        for stored in events.iter().filter(|stored| stored.version > known) {
            self.fold(stored).map_err(|bad| {
                error!(game = %self.id, error = %bad, "the log of game {} does not fold", self.id);
                Lost
            })?;
        }
        Ok(())
    }

    /// Tells the lobby and the other nodes who is here.
    fn tell_attendance(&self) {
        let there = self.attendance.here();
        self.shared.lobby.set_watchers(WatcherCount { game: self.id, watchers: there.watchers });
        let node = self.shared.bus.node();
        self.shared.bus.tell_game(self.id, &GameNews::Here { node, there });
    }

    /// Whether somebody sees all of the game: its players, and before it begins its maker.
    fn is_player(&self, who: PlayerId) -> bool {
        match self.game.state.seats() {
            Some(seats) => seats.first.id == who || seats.second.id == who,
            None => self.game.state.creator.id == who,
        }
    }

    /// What somebody may see of the game.
    fn screen_for(&self, reader: Option<PlayerId>) -> Result<&Screen, Refusal> {
        if reader.is_some_and(|who| self.is_player(who)) {
            return Ok(&self.game);
        }
        let is_private = self.game.state.terms.watching == Watching::Nobody;
        if is_private && self.game.state.phase != Phase::Open {
            return Err(Refusal::Private);
        }
        Ok(self.delayed.as_ref().map_or(&self.game, |delayed| &delayed.screen))
    }

    fn audience_of(&self, who: PlayerId) -> Audience {
        if self.is_player(who) { Audience::Players } else { Audience::Watchers }
    }

    /// Whether somebody is shown turns while they are made.
    fn sees_drafts(&self, who: PlayerId) -> bool {
        let state = &self.game.state;
        let is_mover = state.side_of(who) == Some(state.play().to_move());
        let is_told = state.terms.drafts == Drafts::Shown && (self.delayed.is_none() || self.is_player(who));
        is_mover || is_told
    }

    fn watch(&mut self, outbox: &Outbox, player: PlayerId, from: Version) -> Result<(), Refusal> {
        let screen = self.screen_for(Some(player))?;
        let (from_the_start, events) = screen.events_after(from);
        let (game, present) = (self.id, self.present_for(player));
        let draft = self.draft.clone().filter(|_| self.sees_drafts(player));
        outbox.send(&if from_the_start {
            ServerMessage::Snapshot { game, events, present, draft }
        } else {
            ServerMessage::Events { game, events, present, draft }
        });
        let lines = self.chat.lines(self.audience_of(player));
        if !lines.is_empty() {
            outbox.send(&ServerMessage::Chat { game, lines });
        }
        self.watchers.add(outbox.clone(), player);
        self.note_attendance();
        outbox.send(&self.attendance.message(game, &self.game.state, clock::now_ms()));
        Ok(())
    }

    fn present_for(&self, who: PlayerId) -> crate::protocol::Present {
        match &self.delayed {
            Some(delayed) if !self.is_player(who) => delayed.present(),
            Some(_) | None => view::present(&self.game.state, clock::now_ms()),
        }
    }

    fn note_attendance(&mut self) {
        let here = self.watchers.players();
        self.attendance.note(&self.game.state, &here, clock::now_ms());
    }

    async fn command(&mut self, request: &Request) -> Result<Result<Version, Refusal>, Lost> {
        self.strike(request.received_ms).await?;
        for _ in 0..DECISIONS {
            if let Some(answer) = self.answer_before(request) {
                return Ok(answer);
            }
            let decision = match self.decide(request) {
                Ok(decision) => decision,
                Err(refusal) => {
                    self.answers.refused(&request.id, request.who.id, &refusal);
                    return Ok(Err(refusal));
                }
            };
            if let Some(Event::RematchStarted { rematch, .. }) =
                decision.events.last().map(|last| &last.event)
            {
                self.begin_rematch(*rematch).await?;
            }
            if self.carry_out(Some(&request.id), decision).await? == Done::Stored {
                return Ok(Ok(self.game.state.version()));
            }
        }
        Ok(Err(Refusal::Busy))
    }

    fn decide(&self, request: &Request) -> Result<Decision, Refusal> {
        let now_ms = clock::now_ms();
        let mut command = request.command.clone();
        if let Command::Claim { gone_ms, .. } = &mut command {
            let side = self.game.state.side_of(request.who.id);
            *gone_ms = side.and_then(|side| self.attendance.gone_ms(side.other(), now_ms));
        }
        let when = When { received_ms: request.received_ms, now_ms };
        decide(&self.game.state, &command, &request.who, when)
    }

    /// Stores a rematch before the word of it: a link that leads nowhere would be worse than a game that nobody comes
    /// to.
    async fn begin_rematch(&self, rematch: GameId) -> Result<(), Lost> {
        let events = rematch_of(&self.game.state, Seed::new(rand::random()), clock::now_ms());
        self.shared.store_new(rematch, &events).await.map(drop).map_err(|_| Lost)
    }

    /// Stores what was decided and makes it the game's state.
    async fn carry_out(&mut self, command: Option<&CommandId>, decision: Decision) -> Result<Done, Lost> {
        let changes_the_board = decision.events.iter().any(|recorded| {
            !matches!(
                recorded.event,
                Event::Offered { .. } | Event::Declined { .. } | Event::TimeCredited { .. }
            )
        });
        let draft_is = if changes_the_board { DraftIs::Gone } else { DraftIs::Kept };
        let row = view::summary(self.id, &decision.next);
        let append = Append::new(self.stored(command, &decision.events), row, draft_is);
        match self.shared.writer.append(append).await {
            Ok(committed) => {
                self.settle(&committed, decision, draft_is);
                Ok(Done::Stored)
            }
            Err(WriteError::Conflict(_)) => self.catch_up().await.map(|()| Done::Overtaken),
            Err(WriteError::Unknown(_) | WriteError::Ended) => Err(Lost),
        }
    }

    /// The answer that a command got before.
    fn answer_before(&self, request: &Request) -> Option<Result<Version, Refusal>> {
        self.answers.find(&request.id, request.who.id, |version| {
            let event = self.game.events.get(version.get() as usize - 1);
            event.is_some_and(|event| view::is_outcome_of(&event.what, &request.command))
        })
    }

    /// The events of one command as the store keeps them, with the versions that follow the game's.
    fn stored(&self, command: Option<&CommandId>, events: &[Recorded]) -> Vec<StoredEvent> {
        stored(self.game.state.version(), command, events)
    }

    /// Makes what was decided the game's state, now that it is stored, and tells all readers.
    fn settle(&mut self, committed: &Committed, decision: Decision, draft_is: DraftIs) {
        let known = self.known();
        for (stored, recorded) in committed.events().iter().zip(&decision.events) {
            self.answers.learn(stored, self.game.state.cause(&recorded.event));
            self.game.events.push(view::event(&decision.next, stored.version, recorded));
        }
        self.game.state = decision.next;
        self.game.state.committed(clock::now_ms());
        if let Some(delayed) = &mut self.delayed {
            for recorded in decision.events {
                delayed.fold(recorded).expect("what was decided fits the state that it was decided on");
            }
        }
        if draft_is == DraftIs::Gone {
            self.draft = None;
        }
        self.tell(known);
        self.shared.lobby.update(committed.row());
        if !self.shared.bus.is_alone() {
            let events = committed.events().to_vec();
            self.shared.bus.tell_game(self.id, &GameNews::Events { events, draft_is });
        }
    }

    /// How many events players and watchers have been shown.
    fn known(&self) -> (usize, usize) {
        let players = self.game.events.len();
        (players, self.delayed.as_ref().map_or(players, |delayed| delayed.screen.events.len()))
    }

    /// Sends the events behind those that are known to all readers.
    fn tell(&mut self, (players_know, watchers_know): (usize, usize)) {
        let seats = self.game.state.seats().map(|seats| [seats.first.id, seats.second.id]);
        let makers = [self.game.state.creator.id; 2];
        let players = seats.unwrap_or(makers);
        if self.game.state.terms.watching == Watching::Nobody && self.game.state.phase != Phase::Open {
            let private = ServerMessage::Error { why: Fault::Private { game: self.id } };
            self.watchers.keep(&private, |who| players.contains(&who));
        }
        let (game, with_draft) = (self.id, self.draft.is_some());
        let sight_of = |who: PlayerId| Sight {
            is_late: self.delayed.is_some() && !players.contains(&who),
            has_draft: with_draft && self.sees_drafts(who),
        };
        let sights: HashMap<PlayerId, Sight> =
            self.watchers.players().into_iter().map(|who| (who, sight_of(who))).collect();
        for sight in sights.values().copied().collect::<HashSet<_>>() {
            let draft = self.draft.clone().filter(|_| sight.has_draft);
            let (events, present) = match &self.delayed {
                Some(delayed) if sight.is_late => {
                    (&delayed.screen.events[watchers_know..], delayed.present())
                }
                Some(_) | None => {
                    (&self.game.events[players_know..], view::present(&self.game.state, clock::now_ms()))
                }
            };
            let message = ServerMessage::Events { game, events: events.to_vec(), present, draft };
            self.watchers.send_to(&message, |_, who| sights.get(&who) == Some(&sight));
        }
        self.note_attendance();
    }

    /// Folds in what other nodes have appended to the log.
    async fn catch_up(&mut self) -> Result<(), Lost> {
        let log = self.shared.store.log(self.id).await;
        let Ok(Some(Log { events, draft })) = log else { return Err(Lost) };
        let shown = self.known();
        self.fold_in(&events)?;
        self.draft = draft.and_then(|row| self.read_draft(&row));
        self.tell(shown);
        self.shared.lobby.hear(&view::summary(self.id, &self.game.state));
        Ok(())
    }

    /// Shows the lines of the chat that other nodes have stored meanwhile.
    async fn catch_up_chat(&mut self) -> Result<(), Lost> {
        for audience in [Audience::Players, Audience::Watchers] {
            let rows = self.shared.store.chat(self.id, audience, chat::LINES).await.map_err(|_| Lost)?;
            for row in rows {
                self.tell_line(row);
            }
        }
        Ok(())
    }

    /// Keeps a draft, shows it to all who may see it but the connection it came from, and answers with what is legal
    /// next.
    async fn draft(&mut self, request: &DraftRequest) -> Result<Result<ServerMessage, Refusal>, Lost> {
        let legal = match self.legal_draft(request) {
            Ok(legal) => legal,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let kept = (!request.actions.is_empty()).then(|| view::draft(&legal));
        let answer = self.options_message(request, &legal);
        if kept.is_none() && self.draft.is_none() {
            return Ok(answer);
        }
        let row = kept.is_some().then(|| self.draft_row(request));
        match self.keep(row.clone()).await {
            Ok(()) => {}
            Err(WriteError::Conflict(_)) => {
                self.catch_up().await?;
                return Ok(Err(Refusal::Stale { version: self.game.state.version() }));
            }
            Err(WriteError::Unknown(_) | WriteError::Ended) => return Err(Lost),
        }
        self.draft = kept;
        self.tell_draft(Some(request.from));
        self.shared.bus.tell_game(self.id, &GameNews::Draft { draft: row });
        Ok(answer)
    }

    /// Shows the draft to all who may see it, but the connection it came from.
    fn tell_draft(&mut self, from: Option<ConnectionId>) {
        let (game, version) = (self.id, self.game.state.version());
        let message = ServerMessage::Draft { game, version, draft: self.draft.clone() };
        let told: Vec<PlayerId> =
            self.watchers.players().into_iter().filter(|who| self.sees_drafts(*who)).collect();
        self.watchers.send_to(&message, |id, who| Some(id) != from && told.contains(&who));
    }

    fn legal_draft(&self, request: &DraftRequest) -> Result<engine::Draft, Refusal> {
        may_act(&self.game.state, &request.who, request.base)?;
        self.game.state.play().draft(&request.actions).map_err(refuse_turn)
    }

    /// What is legal after a draft.
    fn options_message(
        &self,
        request: &DraftRequest,
        legal: &engine::Draft,
    ) -> Result<ServerMessage, Refusal> {
        let Some(actions) = legal.legal_within(MAX_LISTED) else {
            return Err(Refusal::TooMany { limit: MAX_LISTED });
        };
        Ok(ServerMessage::Options {
            command: request.id.clone(),
            game: self.id,
            version: request.base,
            draft: view::draft(legal),
            actions: actions.into_iter().map(view::legal_action).collect(),
            groups: legal.groups(),
            barred: legal.barred.iter().map(view::barred).collect(),
            best_capture: legal.best_capture(),
        })
    }

    async fn keep(&self, draft: Option<DraftRow>) -> Result<(), WriteError> {
        match draft {
            Some(draft) => self.shared.writer.save_draft(draft).await,
            None => self.shared.writer.take_draft(self.id).await,
        }
    }

    fn draft_row(&self, request: &DraftRequest) -> DraftRow {
        let body = serde_json::to_string(&request.actions).expect("a list of texts is JSON");
        DraftRow { game: self.id, version: request.base, body }
    }

    /// Keeps a line of the chat and shows it to those it is for.
    async fn say(&mut self, request: SayRequest) -> Result<Version, Refusal> {
        let SayRequest { id, who, text } = request;
        let (player, audience) = (who.id, self.audience_of(who.id));
        let screen = self.screen_for(Some(player))?;
        let (version, turn) = (screen.state.version(), screen.state.play().turn().get());
        if self.chat.knows(audience, player, &id) {
            return Ok(version);
        }
        self.chat.pace(player)?;
        let row = chat::row(self.id, audience, id, (who, text), (turn, clock::now_ms()));
        self.shared.writer.say(row.clone()).await.map_err(|error| {
            error!(game = %self.id, %error, "a line of game {} is not stored", self.id);
            Refusal::Unavailable
        })?;
        self.tell_line(row.clone());
        self.shared.bus.tell_game(self.id, &GameNews::Line { row: Box::new(row) });
        Ok(version)
    }

    /// Shows a line that is stored to those it is for, if they have not seen it.
    fn tell_line(&mut self, row: ChatRow) {
        if self.chat.knows(row.audience, row.line.who.id, &row.command) {
            return;
        }
        let audience = row.audience;
        let message = ServerMessage::Chat { game: self.id, lines: vec![row.line.clone()] };
        self.chat.add(row);
        let told: Vec<PlayerId> =
            self.watchers.players().into_iter().filter(|who| self.audience_of(*who) == audience).collect();
        self.watchers.send_to(&message, |_, who| told.contains(&who));
    }
}

/// Events as the store keeps them, with the versions that follow `version`. The first has the command that brought
/// them about.
pub(super) fn stored(
    mut version: Version,
    command: Option<&CommandId>,
    events: &[Recorded],
) -> Vec<StoredEvent> {
    let mut command = command.cloned();
    let mut stored = Vec::with_capacity(events.len());
    for recorded in events {
        version = version.next();
        let (at_ms, body) = (recorded.at_ms, recorded.body());
        stored.push(StoredEvent { version, at_ms, command: command.take(), body });
    }
    stored
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
