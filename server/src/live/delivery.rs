//! Delivery of messages to a game's task, which is started if necessary, and of its answers.

use std::sync::Arc;

use game::{
    Command, State, Status,
    ids::{GameId, PlayerId, Version},
};
use protocol::{Nack, ServerMessage};
use store::GameRow;
use tokio::{sync::oneshot, time::Instant};

use super::{
    games::Games,
    mailbox::{Mailbox, Sender, Undelivered},
    message::Message,
    permissions::may_read,
    requests::{DraftRequest, Request, SayRequest},
    shared::{BYTES_OF_EVENT, BYTES_OF_GAME},
};
use crate::{
    compute::Requester,
    metrics::METRICS,
    net::{address::LimitedAction, limits::whole_ms},
};

/// Maximum number of deliveries of a message. It is delivered again if the game's task ended before reading it.
pub(super) const DELIVERIES: usize = 3;

impl Games {
    /// Carries a command out and returns the game's version after it. The same command id of the same player has one
    /// effect and gets the same answer.
    ///
    /// # Errors
    /// The reason why it had no effect. After [`Nack::Unavailable`] it may have had one, and may be sent again.
    pub(crate) async fn command(&self, game: GameId, request: Request) -> Result<Version, Nack> {
        let request = Arc::new(request);
        let message = |reply| Message::Command { request: request.clone(), reply };
        match self.ask(game, request.requester, Purpose::Act(request.who.id), message).await? {
            Delivery::Answered(answer) => answer,
            Delivery::NotAPlayer => Err(refuse_stranger(&request.command, Nack::RoomTaken)),
            // Among finished games, only a cancelled room has free seats.
            Delivery::Over(_) => Err(refuse_stranger(&request.command, Nack::RoomCancelled)),
        }
    }

    /// Accepts a draft, which is broadcast and stored soon, and returns its legal continuations, as an `options` message.
    ///
    /// # Errors
    /// Returns the reason why it was not stored.
    pub(crate) async fn draft(&self, game: GameId, request: DraftRequest) -> Result<ServerMessage, Nack> {
        let message = |reply| Message::Draft { request: request.clone(), reply };
        self.ask(game, request.requester, Purpose::Act(request.who.id), message)
            .await?
            .unless_over(Nack::NotSeated)
    }

    /// Returns the legal continuations of a draft, as an `options` message, without storing it.
    ///
    /// # Errors
    /// Returns the reason why the draft is not legal.
    pub(crate) async fn options(&self, game: GameId, request: DraftRequest) -> Result<ServerMessage, Nack> {
        let message = |reply| Message::Options { request: request.clone(), reply };
        self.ask(game, request.requester, Purpose::Act(request.who.id), message)
            .await?
            .unless_over(Nack::NotSeated)
    }

    /// Says a line in a game's chat, and returns the version of the game that the speaker sees. The same command id of
    /// the same player is said once.
    ///
    /// # Errors
    /// Returns the reason why it was not said.
    pub(crate) async fn say(&self, game: GameId, request: SayRequest) -> Result<Version, Nack> {
        let message = |reply| Message::Say { request: request.clone(), reply };
        self.ask(game, request.requester, Purpose::Speak(request.who.id), message)
            .await?
            .unless_over(Nack::Overloaded)
    }

    /// Returns a copy of a game for one of its players.
    ///
    /// # Errors
    /// The game is not available now.
    pub(crate) async fn state(&self, game: GameId, player: PlayerId) -> Result<Box<State>, Nack> {
        let asked =
            self.ask(game, Requester::SERVER, Purpose::Act(player), |reply| Message::State { reply }).await?;
        match asked {
            Delivery::Answered(state) => Ok(state),
            Delivery::Over(_) | Delivery::NotAPlayer => Err(Nack::NotSeated),
        }
    }

    /// Delivers a message to the game's task and waits for the answer. If the task ends before it answers, since the
    /// game was evicted or its state is lost, the next task gets the message. A finished game has no task, except for
    /// its players and for chat. Commands of strangers in a game with two players are not delivered.
    pub(super) async fn ask<T>(
        &self,
        game: GameId,
        requester: Requester,
        purpose: Purpose,
        message: impl Fn(oneshot::Sender<T>) -> Message,
    ) -> Result<Delivery<T>, Nack> {
        let sender = Sender::Client(purpose.who());
        for _ in 0..DELIVERIES {
            let destination = match self.in_memory(game, purpose) {
                Some(destination) => destination,
                // Boxed: it is rare, and its future is larger than all the rest.
                None => Box::pin(self.destination(game, requester, purpose)).await?,
            };
            let mailbox = match destination {
                Destination::InMemory(mailbox) => mailbox,
                Destination::Over(row) => return Ok(Delivery::Over(row)),
                Destination::NotAPlayer => return Ok(Delivery::NotAPlayer),
            };
            let (reply, answer) = oneshot::channel();
            let delivered = match purpose {
                Purpose::Read(_) | Purpose::Follow(_) => mailbox.send(sender, message(reply)).await,
                Purpose::Act(_) | Purpose::Speak(_) => mailbox.try_send(sender, message(reply)),
            };
            match delivered {
                Ok(()) => {
                    if let Ok(answer) = answer.await {
                        return Ok(Delivery::Answered(answer));
                    }
                }
                Err(Undelivered::Full) => {
                    METRICS.busy.inc();
                    return Err(Nack::Busy);
                }
                Err(Undelivered::Closed) => {}
            }
            self.0.remove(game, mailbox.permits());
        }
        Err(Nack::Unavailable)
    }

    /// Refuses a log to an address that is over its budget of events.
    pub(super) fn may_read_log(&self, requester: Requester) -> Result<(), Nack> {
        let Some(address) = requester.address() else { return Ok(()) };
        let wait = self.0.dependencies.addresses.wait(address, LimitedAction::Events, Instant::now());
        if wait.is_zero() { Ok(()) } else { Err(Nack::TooFast { retry_ms: whole_ms(wait) }) }
    }

    /// Returns the destination of a message to a game in memory.
    fn in_memory(&self, game: GameId, purpose: Purpose) -> Option<Destination> {
        let mailbox = self.0.mailbox(game)?;
        Some(match purpose {
            Purpose::Act(who) if mailbox.permits().is_stranger(who) => Destination::NotAPlayer,
            Purpose::Read(_) | Purpose::Follow(_) | Purpose::Act(_) | Purpose::Speak(_) => {
                Destination::InMemory(mailbox)
            }
        })
    }

    /// Returns the destination of a message to a game that is not in memory. The game is loaded unless it is over or
    /// memory is full; for its players it always is.
    async fn destination(
        &self,
        game: GameId,
        requester: Requester,
        purpose: Purpose,
    ) -> Result<Destination, Nack> {
        let row = self.0.dependencies.store.game(game).await.map_err(|_| Nack::Unavailable)?;
        let row = row.ok_or(Nack::UnknownGame)?;
        let (is_over, is_player) = (row.is_over(), purpose.who().is_some_and(|who| row.is_of(who)));
        if row.status != Status::Open && !matches!(purpose, Purpose::Act(_)) {
            may_read(&row, purpose.who())?;
        }
        // A socket was charged when it requested to follow the game.
        if !matches!(purpose, Purpose::Follow(_)) {
            self.may_read_log(requester)?;
        }
        let seats = row.seats.as_ref().map(|seats| [seats.first, seats.second]);
        let n_bytes = BYTES_OF_GAME + row.version.get() as usize * BYTES_OF_EVENT;
        let has_room = || self.0.has_room(n_bytes);
        let find = || {
            self.0.reads.charge(requester, row.version);
            self.find(game, n_bytes, seats, requester)
        };
        match purpose {
            Purpose::Act(_) if seats.is_some() && !is_player => Ok(Destination::NotAPlayer),
            Purpose::Read(_) if is_over => Ok(Destination::Over(Box::new(row))),
            Purpose::Follow(_) if is_over && !(is_player && has_room()) => {
                Ok(Destination::Over(Box::new(row)))
            }
            Purpose::Act(_) if is_over && !is_player => Ok(Destination::Over(Box::new(row))),
            Purpose::Act(_) if row.status == Status::Open => Ok(Destination::InMemory(find())),
            _ if is_player || has_room() => Ok(Destination::InMemory(find())),
            _ => Err(Nack::Overloaded),
        }
    }
}

/// The purpose of a message to a game, with its sender. Reading and following wait for a permit of the mailbox; acting
/// and speaking are refused with `busy` if there is none.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Read(Option<PlayerId>),
    Follow(PlayerId),
    Act(PlayerId),
    Speak(PlayerId),
}

impl Purpose {
    const fn who(self) -> Option<PlayerId> {
        match self {
            Self::Read(who) => who,
            Self::Follow(who) | Self::Act(who) | Self::Speak(who) => Some(who),
        }
    }
}

/// Destination of a message to a game.
enum Destination {
    InMemory(Mailbox),
    /// The archive.
    Over(Box<GameRow>),
    /// None: the game has two players, and the sender is neither.
    NotAPlayer,
}

/// The result of a message to a game.
pub(super) enum Delivery<T> {
    Answered(T),
    /// The game is over and has no task.
    Over(Box<GameRow>),
    /// The sender is neither of the game's two players.
    NotAPlayer,
}

impl<T> Delivery<Result<T, Nack>> {
    /// Returns the game's answer; `refusal` if it has no task.
    fn unless_over(self, refusal: Nack) -> Result<T, Nack> {
        match self {
            Self::Answered(answer) => answer,
            Self::Over(_) => Err(refusal),
            Self::NotAPlayer => Err(Nack::NotSeated),
        }
    }
}

/// Returns the reason why a stranger cannot act in a game that has begun or is over. `of_room` is the refusal for an
/// attempt to join.
fn refuse_stranger(command: &Command, of_room: Nack) -> Nack {
    match command {
        Command::Join { .. } => of_room,
        Command::Cancel => Nack::NotYours,
        Command::Decline { .. } => Nack::NotForYou,
        Command::Turn { .. }
        | Command::Resign
        | Command::Abort { .. }
        | Command::Offer { .. }
        | Command::Answer { .. }
        | Command::Claim { .. } => Nack::NotSeated,
    }
}
