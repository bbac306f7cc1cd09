//! A game's task: the only owner of its state, and the only place that waits for the database on its behalf.

mod crediting;
mod deciding;
mod loading;
mod log_end;
mod nodes;
mod readers;
mod talk;
mod working;

use std::{sync::Arc, time::Duration};

use game::{
    Phase, flag_falls_at_ms,
    ids::{GameId, PlayerId},
    record,
};
use protocol::{Fault, Nack, Names, ServerMessage};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, sleep},
};
use tracing::{error, warn};

use self::{loading::LoadError, log_end::LogEnd, working::OptionsCache};
use super::{
    attendance::Attendance,
    chat::Chat,
    command_log::CommandLog,
    drafting::Drafting,
    eviction::{EvictionRank, Share, Size},
    mailbox::{Mail, MailboxPermits},
    message::Message,
    readers::Readers,
    shared::{BYTES_OF_GAME, Entry, Shared},
    spectators::Spectator,
    view::{Delayed, View},
};
use crate::{
    cluster::bus::{GameNews, Subscription},
    compute::Requester,
    convert,
    directory::{Directory, Held},
};

/// Time for which a game without readers stays in memory, in milliseconds.
const IDLE_TIMEOUT_MS: i64 = 60_000;

/// Maximum time from the receipt of a turn until its game decides it, in milliseconds. The turn may wait behind earlier
/// messages of its player, or be stored by another node first. The timer of a flag fires this long after the deadline;
/// the event has the time of the deadline.
const TURN_GRACE_MS: i64 = 500;

/// Retry interval for a flag that cannot fall because the heartbeat fails, in milliseconds.
const FLAG_RETRY_MS: i64 = 1_000;

/// A live game: its folded log, its readers, and the frames that they have been sent.
#[derive(Debug)]
struct Actor {
    id: GameId,
    /// The current game, as its players see it.
    game: View,
    /// The last event folded into it.
    end: LogEnd,
    /// The earlier view of spectators, if they are delayed.
    delayed: Option<Delayed>,
    /// Actions of the unfinished turn.
    draft: Option<Vec<String>>,
    drafting: Drafting,
    options_cache: OptionsCache,
    command_log: CommandLog,
    chat: Chat,
    readers: Readers,
    /// The players whom the game's events and chats mention.
    players: Held,
    attendance: Attendance,
    /// Time by which a player who has joined the room must connect to the game, milliseconds since 1970.
    joiner_due_ms: Option<i64>,
    /// Messages of other nodes about the game.
    subscription: Subscription<GameNews>,
    share: Arc<Share>,
    permits: MailboxPermits,
    shared: Arc<Shared>,
}

/// The reason why a game's task ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The server stops, no reader is left, or the state is lost.
    Stopped,
    /// The game is evicted though it may have spectators.
    OutOfMemory,
}

/// The state in memory may differ from the log: the task ends, and the next request folds the log again.
#[derive(Debug)]
struct StateLost;

/// Runs a game's task: folds the log and processes messages, until the game has no readers or its state is lost. A game
/// that cannot be loaded refuses all waiting messages.
pub(super) async fn run(id: GameId, mut mailbox: mpsc::Receiver<Mail>, entry: Entry, requester: Requester) {
    match Actor::load(id, &entry, requester).await {
        Ok(mut actor) => {
            entry.shared.mark_readable(id);
            match actor.work(&mut mailbox).await {
                End::Stopped => {}
                End::OutOfMemory => actor.leave_spectators(&mut mailbox),
            }
            actor.store_last_draft().await;
            actor.dismiss();
        }
        Err(problem) => {
            let is_news = match &problem {
                LoadError::UnknownGame | LoadError::Compute(_) => false,
                LoadError::Store(_) => true,
                LoadError::Corrupt(_) => entry.shared.mark_corrupt(id),
            };
            if is_news {
                error!(game = %id, error = &problem as &dyn std::error::Error, "loading game {id} failed");
            }
            drop(entry);
            let refusal = match problem {
                LoadError::UnknownGame => Nack::UnknownGame,
                LoadError::Compute(error) => error.into(),
                LoadError::Store(_) | LoadError::Corrupt(_) => Nack::Unavailable,
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
        // A child token: waiting on a shared one makes all games contend for its lock.
        let stop = self.shared.dependencies.stop.child_token();
        let share = self.share.clone();
        let evicted = share.evicted();
        let (stopped, timer) = (stop.cancelled(), sleep(Duration::MAX));
        tokio::pin!(evicted, stopped, timer);
        let mut timer_at_ms = i64::MAX;
        let mut asleep_at_ms = self.shared.now_ms() + IDLE_TIMEOUT_MS;
        loop {
            let wakes_at_ms = self.wakes_at_ms().unwrap_or(asleep_at_ms).min(asleep_at_ms);
            // Deadlines usually move later: the timer may fire early and is then re-armed.
            if wakes_at_ms < timer_at_ms {
                timer_at_ms = wakes_at_ms;
                timer.as_mut().reset(Instant::now() + self.shared.dependencies.env.until(wakes_at_ms));
            }
            // Slow messages can keep the mailbox non-empty, so stop and eviction are checked first.
            if stop.is_cancelled() {
                return End::Stopped;
            }
            if share.is_evicted() {
                return End::OutOfMemory;
            }
            // Messages are polled first because the other events are rare.
            let outcome = tokio::select! {
                biased;
                mail = mailbox.recv() => {
                    let Some(message) = mail.map(Mail::open) else { return End::Stopped };
                    if message.is_of_client() {
                        let now_ms = self.shared.now_ms();
                        asleep_at_ms = now_ms + IDLE_TIMEOUT_MS;
                        self.share.used(now_ms);
                    }
                    self.handle(message).await
                }
                () = &mut stopped => return End::Stopped,
                () = &mut evicted => return End::OutOfMemory,
                news = self.subscription.next() => self.apply_remote(news).await,
                stored = self.drafting.stored() => self.draft_stored(stored).await,
                () = &mut timer => {
                    timer_at_ms = i64::MAX;
                    self.check_clock().await
                }
            };
            if let Err(StateLost) = outcome {
                warn!(game = %self.id, "reloading game {} from its event log", self.id);
                return End::Stopped;
            }
            // Only now: a game must not be evicted before it has answered the request that it was loaded for.
            self.account();
            if self.shared.now_ms() >= asleep_at_ms {
                self.readers.prune();
                if self.readers.is_empty() {
                    return End::Stopped;
                }
                if self.rank() == EvictionRank::Over {
                    return End::OutOfMemory;
                }
                asleep_at_ms = self.shared.now_ms() + IDLE_TIMEOUT_MS;
            }
        }
    }

    /// Updates the game's counted memory, and evicts other games if all together take too much.
    fn account(&self) {
        let delayed = self.delayed.as_ref().map_or(0, Delayed::n_bytes);
        let visited = self.command_log.n_bytes() + self.chat.n_bytes() + self.readers.n_bytes();
        let rank = self.rank();
        let is_held = rank == EvictionRank::Played;
        let holder = is_held.then(|| self.readers.subscriber_of(self.permissions().players)).flatten();
        self.share.set_rank(rank);
        let n_bytes = BYTES_OF_GAME + self.game.n_bytes() + delayed + visited;
        if self.share.update_size(Size { n_bytes, holder }) || !self.shared.memory.fits(0) {
            self.shared.keep_in_bounds(holder);
        }
    }

    /// The names of all players.
    fn directory(&self) -> &Directory {
        &self.shared.dependencies.directory
    }

    /// Keeps the names of players whom the game is about to mention.
    async fn keep_names(&mut self, players: impl IntoIterator<Item = PlayerId>) -> Result<(), StateLost> {
        self.players.add(players);
        self.players.load().await.map_err(|_| StateLost)
    }

    /// Passes the game's two players to the mailbox, which then accepts no commands of strangers, and, while the game
    /// is under way, to the readers.
    fn share_seats(&mut self) {
        let seats = self.game.state.seats().map(|seats| [seats.first, seats.second]);
        self.permits.set_seats(seats);
        let is_under_way = matches!(self.game.state.phase(), Phase::Playing { .. });
        self.readers.set_playing(seats.filter(|_| is_under_way));
    }

    /// Returns the game's rank for eviction.
    fn rank(&self) -> EvictionRank {
        let has_player = self.permissions().has_player(self.readers.visitors());
        match self.game.state.phase() {
            Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled if has_player => {
                EvictionRank::Replayable
            }
            Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled => EvictionRank::Over,
            Phase::Open | Phase::Playing { .. } if has_player => EvictionRank::Played,
            Phase::Playing { .. } if flag_falls_at_ms(&self.game.state).is_some() => EvictionRank::Running,
            Phase::Open | Phase::Playing { .. } => EvictionRank::Watched,
        }
    }

    /// Hands the spectators over when the game is evicted. Those of a finished game are kept for its next task, which
    /// starts at the next event. The readers of any other game are notified and may request again.
    fn leave_spectators(&mut self, mailbox: &mut mpsc::Receiver<Mail>) {
        if matches!(self.game.state.phase(), Phase::Open | Phase::Playing { .. }) {
            let full = ServerMessage::Error { why: Fault::NoMoreSpectators { game: self.id } };
            let permissions = self.permissions();
            return self.readers.keep(&full, |who| permissions.is_player(who));
        }
        let row = convert::row(self.id, &self.game.state);
        for (outbox, player, version) in self.readers.take() {
            let players = || self.directory().hold(self.id, convert::mentioned(&row));
            self.shared.spectators.add(self.id, Spectator::new(outbox, player, version), players);
        }
        // From now on connections unsubscribe there.
        mailbox.close();
        while let Ok(mail) = mailbox.try_recv() {
            if let Message::Unwatch { connection } = mail.open() {
                self.shared.spectators.remove(self.id, connection);
            }
        }
    }

    /// Returns the game's next deadline, milliseconds since 1970.
    fn wakes_at_ms(&self) -> Option<i64> {
        let flag_falls_at_ms = flag_falls_at_ms(&self.game.state).map(|at_ms| {
            let at_ms = at_ms + TURN_GRACE_MS;
            if self.shared.dependencies.outages.are_known() {
                at_ms
            } else {
                at_ms.max(self.shared.now_ms() + FLAG_RETRY_MS)
            }
        });
        let others = [self.joiner_due_ms, self.attendance.broadcast_at_ms(), self.drafting.due_at_ms()];
        others.into_iter().chain([flag_falls_at_ms]).flatten().min()
    }

    /// Acts on deadlines that have passed.
    async fn check_clock(&mut self) -> Result<(), StateLost> {
        let now_ms = self.shared.now_ms();
        self.flag_fall(now_ms - TURN_GRACE_MS).await?;
        self.await_joiner(now_ms).await?;
        self.pace_draft();
        if self.attendance.broadcast_at_ms().is_some_and(|at_ms| at_ms <= now_ms) {
            let news = self.attendance.take_broadcast(self.id, &self.game.state, now_ms);
            self.readers.send(&news);
            self.publish_attendance();
        }
        Ok(())
    }

    async fn handle(&mut self, message: Message) -> Result<(), StateLost> {
        match message {
            Message::Command { request, reply } => answer(reply, self.command(&request).await)?,
            Message::Draft { request, mut reply } => {
                let Some(looked) = unless_gone(&mut reply, self.continuations(&request)).await else {
                    return Ok(());
                };
                let done = looked.and_then(|(legal, options)| {
                    self.take_draft(&request, &legal);
                    options
                });
                let _ = reply.send(done);
            }
            Message::Options { request, mut reply } => {
                if reply.is_closed() {
                    return Ok(());
                }
                if let Some(looked) = unless_gone(&mut reply, self.continuations(&request)).await {
                    let _ = reply.send(looked.and_then(|(_, options)| options));
                }
            }
            Message::Say { request, reply } => {
                let _ = reply.send(self.say(request).await);
            }
            Message::Watch { outbox, player, known, policy, requester, reply } => {
                let _ = reply.send(self.watch(&outbox, player, known, policy, requester));
            }
            Message::Unwatch { connection } => {
                self.readers.remove(connection);
                self.update_attendance();
            }
            Message::Read { reader, reply } => {
                let _ = reply.send(self.document(reader));
            }
            Message::Events { reader, requester, reply } => {
                if !reply.is_closed() {
                    let _ = reply.send(self.events(reader, requester));
                }
            }
            Message::Record { reader, reply } => {
                let name = |player| self.directory().player(player).name;
                let _ = reply.send(self.state_for(reader).map(|state| record::of(state, name)));
            }
            Message::State { reply } => drop(reply.send(self.game.state.clone())),
            Message::Renamed(player) => self.show_renamed(player),
            Message::Wake => self.check_clock().await?,
            Message::Credit { version, reply } => answer(reply, self.credit_vacations(version).await)?,
            Message::Compare(stored) => self.compare(stored).await?,
            Message::CompareAll(head) => self.compare_all(&head).await?,
        }
        Ok(())
    }
}

/// Does work until the receiver of its answer is gone. Work that never waits is always completed.
async fn unless_gone<A, T>(reply: &mut oneshot::Sender<A>, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = reply.closed() => None,
    }
}

/// Sends the answer; `unavailable` if the state is lost and the effect of the request is unknown.
fn answer<T>(
    reply: oneshot::Sender<Result<T, Nack>>,
    done: Result<Result<T, Nack>, StateLost>,
) -> Result<(), StateLost> {
    let (answer, lost) = match done {
        Ok(answer) => (answer, Ok(())),
        Err(StateLost) => (Err(Nack::Unavailable), Err(StateLost)),
    };
    // The receiver may be gone.
    let _ = reply.send(answer);
    lost
}
