//! Games in memory. Each live game is one task, its [`actor`], that owns the game's state and is the only place
//! that waits for the database on its behalf; [`Games`] finds it, starts it by folding the log, and never starts
//! two of one game.

mod actor;
mod answers;
mod archive;
mod attendance;
mod chat;
mod document;
mod log;
mod mailbox;
mod memory;
mod news;
mod screen;
mod spectators;
mod watchers;

#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use engine::{AnyMatch, Budget, Ruleset, Seed, TextError, TooCostly};
use tokio::{sync::oneshot, time::Instant};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

pub(crate) use self::archive::WrittenRecord;
use self::{
    actor::{Message, Watched},
    archive::Archive,
    mailbox::{Mailbox, Places, Sender, Undelivered},
    memory::{Memory, Share},
    spectators::{Spectator, Spectators},
};
use crate::{
    address::{Address, Addresses, Deed},
    admission::{Admission, Applicant, Denied, NoRoom},
    bus::Bus,
    clock,
    compute::{Asker, Compute, ComputeError},
    deflate::Gzipped,
    game::{Command, Corrupt, Event, Recorded, Refusal, State, view},
    ids::{ActionText, ChatText, CommandId, GameId, PlayerId, Version},
    limits::whole_ms,
    lobby::Lobby,
    metrics::{Counted, METRICS},
    outages::Outages,
    outbox::{ConnectionId, Outbox},
    protocol::{
        GameSummary, NewRoom, NewTable, Player, SeatChoice, Seats, ServerMessage, Status, Terms, Visibility,
        Watching,
    },
    store::{Append, Audience, DraftIs, Store, StoreError, WriteError, Writer},
};

/// Bytes that a game takes before anything has happened in it: its task, its mailbox and what it knows of its visitors.
const BYTES_OF_GAME: usize = 16 * 1024;

/// Estimated bytes for each event of a game that is about to be loaded. Once it is, its actual bytes are counted.
const BYTES_OF_EVENT: usize = 400;

/// Events of a log that are folded in one piece on the compute pool. A turn among the first thousand takes some 30 µs.
const EVENTS_IN_PIECE: usize = 512;

/// The archive's part of the memory of games.
const ARCHIVE_PART: usize = 4;

/// The part of the memory of live games that the players of one address may hold, times its factor. Beyond it their least
/// recently used game leaves memory, and is read again when it is used.
const PART_OF_ADDRESS: usize = 4;

/// Milliseconds after a futile search for games to evict until the next one.
const FULL_FOR_MS: i64 = 100;

/// How often a message whose game fell asleep before reading it is brought to the game's next task.
const DELIVERIES: usize = 3;

/// A command as it came from a player.
#[derive(Clone, Debug)]
pub struct Request {
    pub id: CommandId,
    pub who: Player,
    pub(crate) asker: Asker,
    pub command: Command,
    /// When it reached the server, milliseconds since 1970.
    pub received_ms: i64,
}

/// An unfinished turn as it came from a player.
#[derive(Clone, Debug)]
pub struct DraftRequest {
    pub id: CommandId,
    pub who: Player,
    pub base: Version,
    pub actions: Vec<ActionText>,
    pub(crate) asker: Asker,
    /// Where it came from; the answer goes there, and the draft to all others.
    pub from: ConnectionId,
}

/// Who may follow a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admitted {
    All,
    /// Those who play in it: there is too much to do for those who only watch.
    Players,
}

/// A line of the chat as it came from a player or a watcher.
#[derive(Clone, Debug)]
pub(crate) struct SayRequest {
    pub id: CommandId,
    pub who: Player,
    pub text: ChatText,
    pub asker: Asker,
}

/// Why a room was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RoomError {
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    #[error("the games of its maker cannot be counted")]
    Counts(#[source] StoreError),
    #[error(transparent)]
    Create(#[from] CreateError),
}

/// Why a game between two players did not begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeginError {
    #[error("one of its players may not begin a game now")]
    Denied(Denied),
    #[error("the games of its players cannot be counted")]
    Counts(#[source] StoreError),
    #[error(transparent)]
    Create(#[from] CreateError),
}

/// A player who begins a game, and where the wish came from.
#[derive(Clone, Debug)]
pub(crate) struct Beginner {
    pub(crate) player: Player,
    pub(crate) address: Address,
}

impl Beginner {
    fn applicant(&self) -> Applicant {
        Applicant { player: self.player.id, address: Some(self.address) }
    }
}

/// Why the first events of a game were not stored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CreateError {
    #[error(transparent)]
    Start(TextError),
    #[error(transparent)]
    Costly(TooCostly),
    #[error(transparent)]
    Compute(#[from] ComputeError),
    #[error(transparent)]
    Store(#[from] WriteError),
}

/// All games of this node.
#[derive(Clone, Debug)]
pub struct Games(Arc<Shared>);

/// The parts of a node that its games need. They run on `tasks` until `stop`.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) bus: Bus,
    pub(crate) lobby: Lobby,
    pub(crate) admission: Admission,
    pub(crate) addresses: Addresses,
    pub(crate) outages: Outages,
    pub(crate) compute: Compute,
    /// Bytes of memory that games may take, those of the archive among them.
    pub(crate) memory: usize,
    /// How many times the usual part of it the players of one address may hold.
    pub(crate) address_factor: u32,
    pub(crate) tasks: TaskTracker,
    pub(crate) stop: CancellationToken,
}

/// What the games share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The mailboxes of the live games. A game is here from the moment somebody wants it; its task folds the log
    /// while messages already wait.
    live: Mutex<HashMap<GameId, Live>>,
    /// Games whose logs did not fold when they were last read.
    broken: Mutex<HashSet<GameId>>,
    memory: Memory,
    /// Until when no eviction is tried, since the last one found no game; milliseconds since 1970.
    full_until_ms: AtomicI64,
    archive: Archive,
    spectators: Spectators,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) bus: Bus,
    pub(crate) lobby: Lobby,
    pub(crate) admission: Admission,
    addresses: Addresses,
    pub(crate) outages: Outages,
    pub(crate) compute: Compute,
    tasks: TaskTracker,
    pub(crate) stop: CancellationToken,
}

/// A game in memory.
#[derive(Debug)]
struct Live {
    mailbox: Mailbox,
    share: Arc<Share>,
}

#[cfg(test)]
impl Parts {
    /// Those of a node that is alone on its database.
    pub(crate) fn alone(
        store: Arc<dyn Store>,
        writer: Writer,
        lobby: Lobby,
        tasks: TaskTracker,
        stop: CancellationToken,
    ) -> Self {
        let compute = Compute::with_threads(1, 16).expect("there is a thread");
        let limits = crate::limits::Share::times(1);
        let addresses = Addresses::new(limits);
        let admission = Admission::new(store.clone(), addresses.clone(), &limits);
        let (bus, outages) = (Bus::alone(), Outages::new());
        let (memory, address_factor) = (64 << 20, 1);
        Self {
            store,
            writer,
            bus,
            lobby,
            admission,
            addresses,
            outages,
            compute,
            memory,
            address_factor,
            tasks,
            stop,
        }
    }
}

impl Games {
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts {
            store,
            writer,
            bus,
            lobby,
            admission,
            addresses,
            outages,
            compute,
            memory,
            address_factor,
            tasks,
            stop,
        } = parts;
        let of_archive = memory / ARCHIVE_PART;
        let of_live = memory - of_archive;
        let of_address = (of_live / PART_OF_ADDRESS).saturating_mul(address_factor as usize).min(of_live);
        Self(Arc::new(Shared {
            live: Mutex::default(),
            broken: Mutex::default(),
            memory: Memory::new(of_live, of_address),
            full_until_ms: AtomicI64::new(0),
            archive: Archive::new(of_archive, store.clone(), compute.clone()),
            spectators: Spectators::default(),
            store,
            writer,
            bus,
            lobby,
            admission,
            addresses,
            outages,
            compute,
            tasks,
            stop,
        }))
    }

    /// Makes a room. `seed` fixes its cards if the ruleset has cards.
    ///
    /// # Errors
    /// Its maker may make none now; the start position is refused; or the store cannot tell whether the room was stored,
    /// and it may turn up in the lists.
    pub(crate) async fn create(
        &self,
        room: NewRoom,
        maker: Beginner,
        seed: Seed,
    ) -> Result<GameSummary, RoomError> {
        let NewRoom { ruleset, seat, visibility, start, terms } = room;
        let start = self.checked_start(&maker, ruleset, start).await?;
        // What is admitted keeps other games of the same players waiting: nothing is left to be done then but to store it.
        let admitted = self.0.admission.admit_maker(maker.applicant(), terms.clock).await;
        let _admitted = admitted.map_err(RoomError::Counts)??;
        let (creator, seed) = (maker.player, ruleset.has_cards().then_some(seed));
        let event = Event::Created { ruleset, visibility, creator, seat, terms, start, seed };
        let made = Recorded { at_ms: clock::now_ms(), event };
        Ok(self.0.store_new(GameId::new(Uuid::now_v7()), &[made]).await?)
    }

    /// Begins a game of two people at one screen: one player has both seats, no time is measured, and the game is by link.
    /// `seed` fixes its cards if the ruleset has cards.
    ///
    /// # Errors
    /// The player may begin none now; the start position is refused; or the store cannot tell whether the game was stored,
    /// and it may turn up in the lists.
    pub(crate) async fn create_table(
        &self,
        table: NewTable,
        maker: Beginner,
        seed: Seed,
    ) -> Result<GameSummary, RoomError> {
        let NewTable { ruleset, start } = table;
        let start = self.checked_start(&maker, ruleset, start).await?;
        let terms = Terms::default();
        let admitted = self.0.admission.admit(&[maker.applicant()], terms.clock).await;
        let admitted = admitted.map_err(RoomError::Counts)?;
        let _admitted = admitted.map_err(|Denied { why, .. }| NoRoom::Denied(why))?;
        let (player, at_ms) = (maker.player, clock::now_ms());
        let made = Event::Created {
            ruleset,
            visibility: Visibility::Link,
            creator: player.clone(),
            seat: SeatChoice::First,
            terms,
            start,
            seed: ruleset.has_cards().then_some(seed),
        };
        let seats = Seats { first: player.clone(), second: player };
        let events = [made, Event::Started { seats }].map(|event| Recorded { at_ms, event });
        Ok(self.0.store_new(GameId::new(Uuid::now_v7()), &events).await?)
    }

    /// The start position that a game has to name, if one can begin there. The ruleset's own has no need to be named; with
    /// cards it waits for its first one, and is no text to start from.
    async fn checked_start(
        &self,
        maker: &Beginner,
        ruleset: Ruleset,
        start: Option<String>,
    ) -> Result<Option<String>, CreateError> {
        let is_own = |text: &String| !ruleset.has_cards() && text == AnyMatch::new(ruleset).start_text();
        let Some(text) = start.filter(|text| !is_own(text)) else { return Ok(None) };
        let asker = Asker::player(maker.address, maker.player.id);
        let check = move || check_start(ruleset, &text).map(|()| text);
        Ok(Some(self.0.compute.run(asker, check).await??))
    }

    /// Begins a public game between two players. `seed` fixes its cards if the ruleset has cards.
    ///
    /// # Errors
    /// One of the players may begin none now; or the store cannot tell whether the game was stored, and it may turn up in
    /// the lists.
    pub(crate) async fn begin(
        &self,
        ruleset: Ruleset,
        terms: Terms,
        [first, second]: [Beginner; 2],
        seed: Seed,
    ) -> Result<GameSummary, BeginError> {
        let applicants = [first.applicant(), second.applicant()];
        let admitted = self.0.admission.admit(&applicants, terms.clock).await.map_err(BeginError::Counts)?;
        let _admitted = admitted.map_err(BeginError::Denied)?;
        let (first, second) = (first.player, second.player);
        let at_ms = clock::now_ms();
        let made = Event::Created {
            ruleset,
            visibility: Visibility::Public,
            creator: first.clone(),
            seat: SeatChoice::First,
            terms,
            start: None,
            seed: ruleset.has_cards().then_some(seed),
        };
        let events =
            [made, Event::Started { seats: Seats { first, second } }].map(|event| Recorded { at_ms, event });
        Ok(self.0.store_new(GameId::new(Uuid::now_v7()), &events).await?)
    }

    /// How long until an applicant may begin a game, by the rates alone; zero if now.
    pub(crate) fn admission_wait(&self, applicant: Applicant, now: Instant) -> Duration {
        self.0.admission.wait(applicant, now)
    }

    /// Carries a command out and returns the game's version after it. The same command id of the same player
    /// has one effect and gets the same answer.
    ///
    /// # Errors
    /// Why it had no effect; after [`Refusal::Unavailable`] it may have had one, and may be sent again.
    pub async fn command(&self, game: GameId, request: Request) -> Result<Version, Refusal> {
        let message = |reply| Message::Command { request: request.clone(), reply };
        match self.ask(game, request.asker, Want::Act(request.who.id), message).await? {
            Answered::ByGame(answer) => answer,
            Answered::Stranger => Err(refuse_stranger(&request.command, Refusal::RoomTaken)),
            // Of those that are over, only a room that was closed has nobody in its seats.
            Answered::Over(_) => Err(refuse_stranger(&request.command, Refusal::RoomCancelled)),
        }
    }

    /// Keeps a draft and tells what is legal next, as the `options` message.
    ///
    /// # Errors
    /// Why it was not kept.
    pub async fn draft(&self, game: GameId, request: DraftRequest) -> Result<ServerMessage, Refusal> {
        let message = |reply| Message::Draft { request: request.clone(), reply };
        self.ask(game, request.asker, Want::Act(request.who.id), message)
            .await?
            .unless_over(Refusal::NotSeated)
    }

    /// Tells what is legal after a draft, as the `options` message, without keeping it.
    ///
    /// # Errors
    /// Why it is no draft.
    pub async fn options(&self, game: GameId, request: DraftRequest) -> Result<ServerMessage, Refusal> {
        let message = |reply| Message::Options { request: request.clone(), reply };
        self.ask(game, request.asker, Want::Act(request.who.id), message)
            .await?
            .unless_over(Refusal::NotSeated)
    }

    /// Says something in a game's chat, and returns the version of the game that the speaker sees. The same command
    /// id of the same player is said once.
    ///
    /// # Errors
    /// Why it was not said.
    pub(crate) async fn say(&self, game: GameId, request: SayRequest) -> Result<Version, Refusal> {
        let message = |reply| Message::Say { request: request.clone(), reply };
        self.ask(game, request.asker, Want::Speak(request.who.id), message)
            .await?
            .unless_over(Refusal::Overloaded)
    }

    /// Games whose time may have brought something about, at most so many, the longest due first. Those whose logs are
    /// broken are passed over: nothing comes of them, however often they are looked at.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn due(&self, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let broken = self.0.broken().clone();
        let n_broken = u32::try_from(broken.len()).unwrap_or(u32::MAX);
        let mut due = self.0.store.due_games(clock::now_ms(), limit.saturating_add(n_broken)).await?;
        due.retain(|game| !broken.contains(game));
        due.truncate(limit as usize);
        Ok(due)
    }

    /// Has a game look whether its time has brought something about.
    pub(crate) fn wake(&self, game: GameId) {
        // A game whose mailbox is full is awake.
        let _ = self.find(game, BYTES_OF_GAME, None, Asker::SERVER).try_send(Sender::Server, Message::Wake);
    }

    /// The games in memory.
    pub(crate) fn live(&self) -> Vec<GameId> {
        self.0.locked().keys().copied().collect()
    }

    /// Has a game, if it is in memory, look whether the store has more of it than this node.
    pub(crate) fn compare(&self, game: GameId, version: Version, after_silence: bool) {
        if let Some(mailbox) = self.0.mailbox(game) {
            // A game whose mailbox is full is asked again.
            let _ = mailbox.try_send(Sender::Server, Message::Compare { version, after_silence });
        }
    }

    /// Subscribes a player's connection to a game: what it lacks after `from` is queued, and all that follows will
    /// be. `asker` is who the work is done for that this takes. Returns how many events the connection was sent.
    ///
    /// # Errors
    /// There is nothing to watch, or not for this player.
    pub(crate) async fn watch(
        &self,
        game: GameId,
        outbox: &Outbox,
        player: PlayerId,
        from: Version,
        admitted: Admitted,
        asker: Asker,
    ) -> Result<usize, Refusal> {
        let (mut from, mut n_events) = (from, 0);
        for _ in 0..DELIVERIES {
            let message =
                |reply| Message::Watch { outbox: outbox.clone(), player, from, admitted, asker, reply };
            match self.ask(game, asker, Want::Follow(player), message).await? {
                Answered::ByGame(watched) => match watched? {
                    Watched::Following { n_sent } => return Ok(n_events + n_sent),
                    // Much has to be read for the frame: not here, nor while the game waits.
                    Watched::Behind(news) => {
                        n_events += news.events.len();
                        from = news.version;
                        let frame = self.0.compute.run(asker, move || news.frame()).await?;
                        if !outbox.push(frame) {
                            return Ok(n_events);
                        }
                    }
                },
                Answered::Over(row) => {
                    let version = self.show(&row, outbox, player, from, admitted, asker).await?;
                    n_events += version.get().saturating_sub(from.get()) as usize;
                    // The game may have come to memory before the connection was among those that it takes over.
                    let is_missed =
                        self.0.mailbox(game).is_some() && self.0.spectators.remove(game, outbox.id).is_some();
                    if !is_missed {
                        return Ok(n_events);
                    }
                    from = version;
                }
                Answered::Stranger => unreachable!("anybody may ask to follow a game"),
            }
        }
        Err(Refusal::Unavailable)
    }

    /// Shows a game that is over, and has the connection wait for what still comes, if anything does. Returns the version
    /// that it has then.
    async fn show(
        &self,
        row: &GameSummary,
        outbox: &Outbox,
        player: PlayerId,
        from: Version,
        admitted: Admitted,
        asker: Asker,
    ) -> Result<Version, Refusal> {
        let audience = may_read(row, Some(player))?;
        if audience == Audience::Players {
            outbox.note_player();
        } else if admitted == Admitted::Players {
            return Err(Refusal::Overloaded);
        }
        let Shared { archive, store, spectators, .. } = &*self.0;
        let archived = archive.get(row, asker).await?;
        let version = archived.version();
        let news = archive.work(asker, move || archived.news(from).frame()).await?;
        let lines = store.chat(row.id, audience, chat::LINES).await.map_err(|_| Refusal::Unavailable)?;
        outbox.push(news);
        if !lines.is_empty() {
            let lines = lines.into_iter().map(|row| row.line).collect();
            outbox.send(&ServerMessage::Chat { game: row.id, lines });
        }
        let here = spectators.add(row.id, Spectator::new(outbox.clone(), player, version));
        outbox.send(&ServerMessage::Presence {
            game: row.id,
            first: false,
            second: false,
            watchers: u32::try_from(here).unwrap_or(u32::MAX),
            claim: None,
        });
        Ok(version)
    }

    /// Ends the subscription of a connection.
    pub async fn unwatch(&self, game: GameId, connection: ConnectionId) {
        // The game may come to memory meanwhile, or leave it.
        for _ in 0..DELIVERIES {
            let mailbox = self.0.mailbox(game);
            if let Some(mailbox) = &mailbox
                && mailbox.send(Sender::Client(None), Message::Unwatch { connection }).await.is_ok()
            {
                return;
            }
            let is_removed = self.0.spectators.remove(game, connection).is_some();
            if is_removed || (mailbox.is_none() && self.0.mailbox(game).is_none()) {
                return;
            }
        }
    }

    /// All of a game that a reader may see, to be read or replayed: the JSON of a
    /// [`GameDocument`](crate::protocol::GameDocument).
    ///
    /// # Errors
    /// There is nothing to read, or not for this reader.
    pub(crate) async fn document(
        &self,
        game: GameId,
        reader: Option<PlayerId>,
        asker: Asker,
    ) -> Result<Gzipped, Refusal> {
        match self.ask(game, asker, Want::Read(reader), |reply| Message::Read { reader, reply }).await? {
            Answered::ByGame(document) => document,
            Answered::Stranger => unreachable!("anybody may ask to read a game"),
            Answered::Over(row) => Ok(self.0.archive.get(&row, asker).await?.document()),
        }
    }

    /// The game, as far as a reader may see it, as one writes it down.
    ///
    /// # Errors
    /// There is nothing to write down, or not for this reader.
    pub(crate) async fn record(
        &self,
        game: GameId,
        reader: Option<PlayerId>,
        asker: Asker,
    ) -> Result<WrittenRecord, Refusal> {
        match self.ask(game, asker, Want::Read(reader), |reply| Message::Record { reader, reply }).await? {
            Answered::Stranger => unreachable!("anybody may ask to read a game"),
            Answered::ByGame(record) => {
                let record = record?;
                self.0.archive.work(asker, move || WrittenRecord::of(&record)).await
            }
            Answered::Over(row) => Ok(self.0.archive.get(&row, asker).await?.record()),
        }
    }

    /// Brings a message to the game's task and waits for the answer. A task that ended before it answered, since
    /// the game left memory or its log has to be read again, is replaced by the next one. A game that is over has none,
    /// unless it is wanted for more than to be looked at. Nothing is brought there for strangers who want to act in a game
    /// that has its players.
    async fn ask<T>(
        &self,
        game: GameId,
        asker: Asker,
        want: Want,
        message: impl Fn(oneshot::Sender<T>) -> Message,
    ) -> Result<Answered<T>, Refusal> {
        let sender = Sender::Client(want.who());
        for _ in 0..DELIVERIES {
            let mailbox = match self.place(game, asker, want).await? {
                Place::InMemory(mailbox) => mailbox,
                Place::Over(row) => return Ok(Answered::Over(row)),
                Place::ToOthers => return Ok(Answered::Stranger),
            };
            let (reply, answer) = oneshot::channel();
            let delivered = match want {
                Want::Read(_) | Want::Follow(_) => mailbox.send(sender, message(reply)).await,
                Want::Act(_) | Want::Speak(_) => mailbox.try_send(sender, message(reply)),
            };
            match delivered {
                Ok(()) => {
                    if let Ok(answer) = answer.await {
                        return Ok(Answered::ByGame(answer));
                    }
                }
                Err(Undelivered::Full) => {
                    METRICS.busy.inc();
                    return Err(Refusal::Busy);
                }
                Err(Undelivered::Closed) => {}
            }
            self.0.forget(game, mailbox.places());
        }
        Err(Refusal::Unavailable)
    }

    /// Returns a game's mailbox or, if it is over, its row. A game that is not in memory is loaded, unless it is over or
    /// there is no room; for its players there always is.
    async fn place(&self, game: GameId, asker: Asker, want: Want) -> Result<Place, Refusal> {
        if let Some(mailbox) = self.0.mailbox(game) {
            return Ok(match want {
                Want::Act(who) if mailbox.places().is_stranger(who) => Place::ToOthers,
                Want::Read(_) | Want::Follow(_) | Want::Act(_) | Want::Speak(_) => Place::InMemory(mailbox),
            });
        }
        let row = self.0.store.game(game).await.map_err(|_| Refusal::Unavailable)?;
        let row = row.ok_or(Refusal::UnknownGame)?;
        let (is_over, is_player) = (row.is_over(), want.who().is_some_and(|who| row.is_of(who)));
        if row.status != Status::Open && !matches!(want, Want::Act(_)) {
            may_read(&row, want.who())?;
        }
        if let (Some(address), Want::Read(_) | Want::Act(_) | Want::Speak(_)) = (asker.address(), want) {
            // What follows a game has asked for its share before.
            let wait = self.0.addresses.wait(address, Deed::Follow, Instant::now());
            if !wait.is_zero() {
                return Err(Refusal::TooFast { retry_ms: whole_ms(wait) });
            }
        }
        let seats = row.seats.as_ref().map(|seats| [seats.first.id, seats.second.id]);
        let n_bytes = BYTES_OF_GAME + row.version.get() as usize * BYTES_OF_EVENT;
        let has_room = || self.0.has_room(n_bytes);
        let find = || {
            if let Some(address) = asker.address() {
                // The log is read and folded for it.
                self.0.addresses.charge(address, Deed::Follow, row.version.get() as usize, Instant::now());
            }
            self.find(game, n_bytes, seats, asker)
        };
        match want {
            Want::Act(_) if seats.is_some() && !is_player => Ok(Place::ToOthers),
            Want::Read(_) if is_over => Ok(Place::Over(Box::new(row))),
            Want::Follow(_) if is_over && !(is_player && has_room()) => Ok(Place::Over(Box::new(row))),
            Want::Act(_) if is_over && !is_player => Ok(Place::Over(Box::new(row))),
            Want::Act(_) if row.status == Status::Open => Ok(Place::InMemory(find())),
            _ if is_player || has_room() => Ok(Place::InMemory(find())),
            _ => Err(Refusal::Overloaded),
        }
    }

    /// The mailbox of a game, whose task is started if there is none: then its log is folded for `asker`, and it is
    /// expected to take `n_bytes`.
    fn find(&self, game: GameId, n_bytes: usize, seats: Option<[PlayerId; 2]>, asker: Asker) -> Mailbox {
        let mut live = self.0.locked();
        if let Some(Live { mailbox, .. }) = live.get(&game) {
            return mailbox.clone();
        }
        let (mailbox, mails) = Mailbox::open(seats);
        let share = self.0.memory.share(n_bytes, clock::now_ms());
        live.insert(game, Live { mailbox: mailbox.clone(), share: share.clone() });
        let _counted = Counted::in_gauge(&METRICS.games);
        let places = mailbox.places().clone();
        let entry = Entry { shared: self.0.clone(), game, places, share, _counted };
        self.0.tasks.spawn(actor::run(game, mails, entry, asker));
        mailbox
    }
}

/// Whether a room may be made with this start.
fn check_start(ruleset: Ruleset, text: &str) -> Result<(), CreateError> {
    let game = AnyMatch::from_text(ruleset, text).map_err(CreateError::Start)?;
    game.appraise(&mut Budget::of_start()).map_err(CreateError::Costly)
}

/// What a game is wanted for, and by whom. Those who want to read or to follow it wait for a place in its mailbox, those who
/// act or speak are told if there is none.
#[derive(Clone, Copy)]
enum Want {
    Read(Option<PlayerId>),
    Follow(PlayerId),
    Act(PlayerId),
    Speak(PlayerId),
}

impl Want {
    const fn who(self) -> Option<PlayerId> {
        match self {
            Self::Read(who) => who,
            Self::Follow(who) | Self::Act(who) | Self::Speak(who) => Some(who),
        }
    }
}

/// Where a game is to be had.
enum Place {
    InMemory(Mailbox),
    /// In the archive.
    Over(Box<GameSummary>),
    /// It has its two players, and only they act in it.
    ToOthers,
}

/// What came of a message to a game.
enum Answered<T> {
    ByGame(T),
    /// The game is over, and in no task.
    Over(Box<GameSummary>),
    /// Only its two players act in the game.
    Stranger,
}

impl<T> Answered<Result<T, Refusal>> {
    /// The game's answer; `refusal` if it has no task.
    fn unless_over(self, refusal: Refusal) -> Result<T, Refusal> {
        match self {
            Self::ByGame(answer) => answer,
            Self::Over(_) => Err(refusal),
            Self::Stranger => Err(Refusal::NotSeated),
        }
    }
}

/// Among whom somebody reads a game that has begun.
///
/// # Errors
/// Only its players may see it.
fn may_read(row: &GameSummary, reader: Option<PlayerId>) -> Result<Audience, Refusal> {
    match reader {
        Some(who) if row.is_of(who) => Ok(Audience::Players),
        _ if row.watching == Watching::Nobody => Err(Refusal::Private),
        _ => Ok(Audience::Watchers),
    }
}

/// Why somebody without a seat can do nothing in a game that has begun or is over. `of_room` is what became of its room.
fn refuse_stranger(command: &Command, of_room: Refusal) -> Refusal {
    match command {
        Command::Join { .. } => of_room,
        Command::Cancel => Refusal::NotYours,
        Command::Turn { .. }
        | Command::Resign
        | Command::Abort
        | Command::Offer { .. }
        | Command::Answer { .. }
        | Command::Claim { .. } => Refusal::NotSeated,
    }
}

/// A live game's place in the registry, which it loses when its task ends, however it ends.
pub(crate) struct Entry {
    pub(crate) shared: Arc<Shared>,
    game: GameId,
    places: Places,
    share: Arc<Share>,
    _counted: Counted,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.shared.forget(self.game, &self.places);
    }
}

impl Shared {
    /// Stores the first events of a new game.
    ///
    /// # Errors
    /// No game can start from the position that the first event names; or the store cannot tell whether the game was
    /// stored, and it may turn up in the lists.
    pub(crate) async fn store_new(
        &self,
        id: GameId,
        events: &[Recorded],
    ) -> Result<GameSummary, CreateError> {
        let refuse = |corrupt| match corrupt {
            Corrupt::BadStart(error) => CreateError::Start(error),
            Corrupt::NotCreated | Corrupt::OutOfPlace { .. } | Corrupt::IllegalTurn { .. } => {
                unreachable!("it begins with the making of a room")
            }
        };
        let mut state = State::begin(&events[0]).map_err(refuse)?;
        for recorded in &events[1..] {
            state.apply(recorded).map_err(refuse)?;
        }
        let stored = actor::stored(Version::NONE, None, events);
        let append = Append::new(stored, view::summary(id, &state), DraftIs::Gone);
        let committed = self.writer.append(append).await?;
        self.lobby.update(committed.row());
        Ok(committed.row().clone())
    }

    fn mailbox(&self, game: GameId) -> Option<Mailbox> {
        self.locked().get(&game).map(|live| live.mailbox.clone())
    }

    /// Makes room in memory for `n_bytes` more, by evicting other games if necessary. Returns whether there is room.
    pub(crate) fn has_room(&self, n_bytes: usize) -> bool {
        if self.memory.fits(n_bytes) {
            return true;
        }
        let now_ms = clock::now_ms();
        if now_ms < self.full_until_ms.load(Ordering::Relaxed) {
            return false;
        }
        let has_room = self.memory.make_room(n_bytes, self.locked().values().map(|live| &live.share));
        if !has_room {
            self.full_until_ms.store(now_ms + FULL_FOR_MS, Ordering::Relaxed);
        }
        has_room
    }

    /// Has games give way if all together take too much memory, or those that players of `holder` hold.
    fn keep_in_bounds(&self, holder: Option<Address>) {
        self.has_room(0);
        if let Some(address) = holder.filter(|address| self.memory.holds_too_much(*address)) {
            self.memory.limit_address(address, self.locked().values().map(|live| &live.share));
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<GameId, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn broken(&self) -> MutexGuard<'_, HashSet<GameId>> {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a game whose log does not fold. Tells whether that is news.
    fn breaks(&self, game: GameId) -> bool {
        self.broken().insert(game)
    }

    /// Takes note of a game whose log does fold.
    fn folds(&self, game: GameId) {
        self.broken().remove(&game);
    }

    /// Takes a game out of the registry, unless another task has taken its place there.
    fn forget(&self, game: GameId, places: &Places) {
        let mut live = self.locked();
        if live.get(&game).is_some_and(|current| current.mailbox.places().are(places)) {
            live.remove(&game);
        }
    }
}
