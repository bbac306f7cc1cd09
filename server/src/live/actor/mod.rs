//! A game's task: the only place that owns its state, and the only one that waits for the database on its behalf.

mod deciding;
mod loading;
mod message;
mod nodes;
mod readers;
mod talk;
mod working;

use std::sync::Arc;

use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};
use tracing::{error, warn};

pub(super) use self::{
    deciding::stored,
    message::{Message, Watched},
};
use self::{loading::LoadError, working::Kept};
use super::{
    answers::Answers,
    attendance::Attendance,
    chat::Chat,
    mailbox::{Mail, Places},
    memory::{Hold, Share, Size},
    registry::{BYTES_OF_GAME, Entry, Shared},
    screen::{Delayed, Screen},
    spectators::Spectator,
    watchers::Watchers,
};
use crate::{
    bus::{GameNews, Hearing},
    clock,
    compute::Asker,
    game::{Phase, Refusal, record, strikes_at_ms},
    ids::GameId,
    protocol::{Draft, Fault, ServerMessage},
};

/// Milliseconds for which a game that nobody watches stays in memory.
const ASLEEP_AFTER_MS: i64 = 60_000;

/// Milliseconds that a turn may take from its receipt to its game: behind what its player sent before, or through the
/// store on another node. A flag that nobody asks about waits so long, and falls for its own moment.
const ON_ITS_WAY_MS: i64 = 500;

/// Milliseconds after which a flag is looked at again that cannot fall while the heart does not beat.
const TRY_AGAIN_AFTER_MS: i64 = 1_000;

/// A live game: the fold of its log, what its readers were sent, and who they are.
#[derive(Debug)]
struct Actor {
    id: GameId,
    /// The game as it is, and as its players see it.
    game: Screen,
    /// What watchers see, if they are behind.
    delayed: Option<Delayed>,
    draft: Option<Draft>,
    kept: Kept,
    answers: Answers,
    chat: Chat,
    watchers: Watchers,
    attendance: Attendance,
    /// What other nodes tell of the game.
    hearing: Hearing<GameNews>,
    share: Arc<Share>,
    places: Places,
    shared: Arc<Shared>,
}

/// Why a game's task ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The server stops, nobody is there any more, or the state is lost.
    Stopped,
    /// The game leaves memory though somebody may still look at it.
    OutOfMemory,
}

/// The state in memory is not to be trusted any more: the task ends, and the next visitor folds the log again.
#[derive(Debug)]
struct Lost;

/// The life of a game's task: it folds the log and then does what it is asked, until nobody is there any more
/// or its state is lost. A game that cannot be had refuses all who wait for it.
pub(super) async fn run(id: GameId, mut mailbox: mpsc::Receiver<Mail>, entry: Entry, asker: Asker) {
    match Actor::load(id, &entry, asker).await {
        Ok(mut actor) => {
            entry.shared.folds(id);
            match actor.work(&mut mailbox).await {
                End::Stopped => {}
                End::OutOfMemory => actor.leave_spectators(&mut mailbox),
            }
            actor.dismiss();
        }
        Err(problem) => {
            let is_news = match &problem {
                LoadError::UnknownGame | LoadError::Compute(_) => false,
                LoadError::Store(_) => true,
                LoadError::Corrupt(_) => entry.shared.breaks(id),
            };
            if is_news {
                error!(game = %id, error = &problem as &dyn std::error::Error, "game {id} cannot be read");
            }
            drop(entry);
            let refusal = match problem {
                LoadError::UnknownGame => Refusal::UnknownGame,
                LoadError::Compute(error) => error.into(),
                LoadError::Store(_) | LoadError::Corrupt(_) => Refusal::Unavailable,
            };
            mailbox.close();
            while let Ok(mail) = mailbox.try_recv() {
                mail.open().refuse(refusal.clone());
            }
        }
    }
}

impl Actor {
    async fn work(&mut self, mailbox: &mut mpsc::Receiver<Mail>) -> End {
        let stop = self.shared.parts.stop.clone();
        let share = self.share.clone();
        let gives_way = share.has_to_give_way();
        tokio::pin!(gives_way);
        let mut asleep_at_ms = clock::now_ms() + ASLEEP_AFTER_MS;
        loop {
            let wakes_at_ms = self.wakes_at_ms().unwrap_or(asleep_at_ms).min(asleep_at_ms);
            let outcome = tokio::select! {
                biased;
                () = stop.cancelled() => return End::Stopped,
                () = &mut gives_way => return End::OutOfMemory,
                mail = mailbox.recv() => {
                    let Some(message) = mail.map(Mail::open) else { return End::Stopped };
                    if message.is_of_somebody() {
                        let now_ms = clock::now_ms();
                        asleep_at_ms = now_ms + ASLEEP_AFTER_MS;
                        self.share.used(now_ms);
                    }
                    self.handle(message).await
                }
                news = self.hearing.next() => self.hear(news).await,
                () = sleep(clock::until(wakes_at_ms)) => self.look_at_the_clock().await,
            };
            if let Err(Lost) = outcome {
                warn!(game = %self.id, "game {} is folded anew", self.id);
                return End::Stopped;
            }
            // Only now: a game must not be evicted before it has answered the request that it was loaded for.
            self.account();
            if clock::now_ms() >= asleep_at_ms {
                self.watchers.prune();
                if self.watchers.is_empty() {
                    return End::Stopped;
                }
                if self.hold() == Hold::Over {
                    return End::OutOfMemory;
                }
                asleep_at_ms = clock::now_ms() + ASLEEP_AFTER_MS;
            }
        }
    }

    /// Counts the memory that the game takes, and has others give way if all take too much.
    fn account(&self) {
        self.note_seats();
        let delayed = self.delayed.as_ref().map_or(0, Delayed::n_bytes);
        let visited = self.answers.n_bytes() + self.chat.n_bytes() + self.watchers.n_bytes();
        let hold = self.hold();
        let is_held = hold == Hold::Played;
        let holder = is_held.then(|| self.watchers.address_of(self.rights().players)).flatten();
        self.share.set_hold(hold);
        self.share
            .set_size(Size { n_bytes: BYTES_OF_GAME + self.game.n_bytes() + delayed + visited, holder });
        self.shared.keep_in_bounds(holder);
    }

    /// Lets the mailbox know the players: from then on no stranger's command gets there.
    fn note_seats(&self) {
        if let Some(seats) = self.game.state.seats() {
            self.places.set_seats([seats.first.id, seats.second.id]);
        }
    }

    /// How readily the game leaves memory for others.
    fn hold(&self) -> Hold {
        let has_player = self.rights().has_player(self.watchers.visitors());
        match self.game.state.phase {
            Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled if has_player => {
                Hold::Replayable
            }
            Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled => Hold::Over,
            Phase::Open | Phase::Playing { .. } if has_player => Hold::Played,
            Phase::Open | Phase::Playing { .. } if strikes_at_ms(&self.game.state).is_some() => Hold::Running,
            Phase::Open | Phase::Playing { .. } => Hold::Watched,
        }
    }

    /// Hands the spectators over when the game leaves memory. Those of a finished game wait for its next task, which starts
    /// if anything still happens. Those of any other game are told so and may ask again, and so are its players.
    fn leave_spectators(&mut self, mailbox: &mut mpsc::Receiver<Mail>) {
        if matches!(self.game.state.phase, Phase::Open | Phase::Playing { .. }) {
            let full = ServerMessage::Error { why: Fault::NoMoreWatchers { game: self.id } };
            let rights = self.rights();
            return self.watchers.keep(&full, |who| rights.is_player(who));
        }
        let version = self.game.state.version();
        for (outbox, player) in self.watchers.take() {
            self.shared.spectators.add(self.id, Spectator::new(outbox, player, version));
        }
        // Who leaves from now on is taken out there.
        mailbox.close();
        while let Ok(mail) = mailbox.try_recv() {
            if let Message::Unwatch { connection } = mail.open() {
                self.shared.spectators.remove(self.id, connection);
            }
        }
    }

    /// When there is something to do even if nobody asks, milliseconds since 1970.
    fn wakes_at_ms(&self) -> Option<i64> {
        let strikes_at_ms = strikes_at_ms(&self.game.state).map(|at_ms| {
            let at_ms = at_ms + ON_ITS_WAY_MS;
            if self.shared.parts.outages.are_known() {
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
        self.strike(now_ms - ON_ITS_WAY_MS).await?;
        if self.attendance.tells_at_ms().is_some_and(|at_ms| at_ms <= now_ms) {
            let news = self.attendance.tell(self.id, &self.game.state, now_ms);
            self.watchers.send(&news);
            self.tell_attendance();
        }
        Ok(())
    }

    async fn handle(&mut self, message: Message) -> Result<(), Lost> {
        match message {
            Message::Command { request, reply } => answer(reply, self.command(&request).await)?,
            Message::Draft { request, mut reply } => {
                let Some(looked) = unless_gone(&mut reply, self.look_ahead(&request)).await else {
                    return Ok(());
                };
                let done = match looked {
                    Ok((legal, options)) => self.keep_draft(&request, &legal, options).await,
                    Err(refusal) => Ok(Err(refusal)),
                };
                answer(reply, done)?;
            }
            Message::Options { request, mut reply } => {
                if reply.is_closed() {
                    return Ok(());
                }
                if let Some(looked) = unless_gone(&mut reply, self.look_ahead(&request)).await {
                    let _ = reply.send(looked.and_then(|(_, options)| options));
                }
            }
            Message::Say { request, reply } => {
                let _ = reply.send(self.say(request).await);
            }
            Message::Watch { outbox, player, from, admitted, asker, reply } => {
                let _ = reply.send(self.watch(&outbox, player, from, admitted, asker));
            }
            Message::Unwatch { connection } => {
                self.watchers.remove(connection);
                self.note_attendance();
            }
            Message::Read { reader, reply } => {
                let _ = reply.send(self.document(reader));
            }
            Message::Record { reader, reply } => {
                let _ = reply.send(self.state_for(reader).map(record::of));
            }
            Message::Wake => self.look_at_the_clock().await?,
            Message::Compare { version, after_silence } => self.compare(version, after_silence).await?,
        }
        Ok(())
    }
}

/// Does work until nobody waits for its answer any more. What needs no waiting is done in any case.
async fn unless_gone<A, T>(reply: &mut oneshot::Sender<A>, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = reply.closed() => None,
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
