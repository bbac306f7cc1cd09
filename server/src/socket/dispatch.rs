//! Messages of a client: each is parsed, charged to the client's limits, passed to the game or the lobby, and answered.

use std::{collections::HashMap, pin::pin, sync::Arc, time::Duration};

use futures_util::stream::SplitStream;
use game::{
    Command,
    ids::{ActionText, CommandId, GameId, NewLine, Version},
};
use protocol::{About, ClientMessage, Fault, Known, Nack, OfferKind, PROTOCOL, ServerMessage};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::error;

use super::frames::WebSocket;
use crate::{
    compute::Requester,
    live::{DraftRequest, FollowPolicy, Request, SayRequest},
    metrics::METRICS,
    net::{
        address::{Address, LimitedAction, LimitedResource, ResourceGuard, Slots, SlottedWork, TooMany},
        limits::{MAX_FRAME, MAX_NAMED, MAX_WATCHED, TokenBucket, price, whole_ms},
        outbox::{CloseReason, Outbox},
        places::Place,
        stored::{Payer, StoreBudget},
    },
    pools::Seeker,
    presence::PresenceGuard,
    socket::inbox::{Frame, Inbox, Received},
    state::{App, Parts},
};

/// The reading half of a connection, and the state of its client.
pub(super) struct Reader {
    pub(super) app: App,
    /// Address of the client.
    pub(super) address: Address,
    /// The place of the connection among all.
    pub(super) place: Arc<Place>,
    pub(super) outbox: Outbox,
    pub(super) here: PresenceGuard,
    /// Cancelled when the client has left: its answers are then not awaited.
    pub(super) gone: CancellationToken,
    /// The games that it follows, each with a guard of its address.
    pub(super) watched: HashMap<GameId, ResourceGuard>,
    pub(super) bucket: TokenBucket,
    /// Limit for messages beyond the rate.
    pub(super) refused: TokenBucket,
    /// The budget that its turns and offers are stored from.
    pub(super) store_budget: StoreBudget,
    /// The slots of the client's address for messages in progress.
    pub(super) slots: Slots,
}

impl Reader {
    /// The client as an requester of the compute pool.
    fn requester(&self) -> Requester {
        Requester::player(self.address, self.here.player)
    }

    /// Processes one message after the other until the client leaves. When the connection is closing, this parks until
    /// the writer has flushed.
    pub(super) async fn read(&mut self, mut inbox: Inbox<&mut SplitStream<WebSocket>>) {
        if self.here.is_new {
            self.app.welcome(self.here.player).await;
        }
        // A child token: waiting on a shared one makes all connections contend for its lock.
        let (drain, mut load) = (self.app.drain.child_token(), self.app.load.clone());
        let mut drained = pin!(drain.cancelled());
        loop {
            let only_watches = !self.watched.is_empty() && !self.outbox.has_player();
            // A client with slow messages can keep the queue non-empty, so check for shutdown first.
            if drain.is_cancelled() {
                return self.end(CloseReason::GoingDown).await;
            }
            if only_watches && load.is_shed(self.outbox.id) {
                return self.end(CloseReason::Overloaded).await;
            }
            // Messages are polled first because the other events are rare.
            let next = tokio::select! {
                biased;
                next = inbox.next() => next,
                () = &mut drained => return self.end(CloseReason::GoingDown).await,
                () = load.sheds(self.outbox.id), if only_watches => {
                    if self.outbox.has_player() {
                        continue;
                    }
                    return self.end(CloseReason::Overloaded).await;
                }
            };
            let Some((frame, received)) = next else { return };
            // Earlier answers are sent before the next message is processed: a batch of messages must not fill the
            // client's own outbox, which would count as slow reading.
            if self.outbox.has_waiting() {
                tokio::task::yield_now().await;
            }
            // Boxed: the future of a message is larger than all the rest of a connection, and exists only meanwhile.
            if let Err(reason) = inbox.during(Box::pin(self.take(frame, received))).await {
                return self.end(reason).await;
            }
        }
    }

    async fn take(&mut self, frame: Frame, received: Received) -> Result<(), CloseReason> {
        let _slot = self.slots.acquire().await;
        match frame {
            Frame::Text(text) => self.receive(&text, received).await,
            Frame::Binary => self.refuse(Fault::NotText, received),
            Frame::Ping => self.has_to_wait(received.at).map(drop),
            Frame::TooLarge => self.refuse_large(),
            Frame::Misuse => Err(CloseReason::Misuse),
            Frame::Close(code) => Err(CloseReason::Left { code }),
        }
    }

    async fn end(&self, reason: CloseReason) {
        self.outbox.end(reason);
        std::future::pending().await
    }

    /// Ends all subscriptions.
    pub(super) async fn leave(self) {
        let Self { app, outbox, here, watched, .. } = self;
        let player = here.player;
        drop(here);
        if !app.presence.is_connected(player) {
            app.pools.left(player);
        }
        app.lobby.forget(player, outbox.id);
        for (game, _place) in watched {
            app.games.unwatch(game, outbox.id).await;
        }
    }

    async fn receive(&mut self, text: &str, received: Received) -> Result<(), CloseReason> {
        self.place.record_message(received.at);
        // Before it is parsed, which takes work.
        if let Some(wait) = self.has_to_wait(received.at)? {
            self.refuse_fast(named_if_short(text), wait);
            return Ok(());
        }
        match ClientMessage::parse(text) {
            Ok(message) if self.refuse_over_budget(&message) => {}
            Ok(message) => self.handle(message, received).await,
            Err(fault) => self.fault(fault),
        }
        Ok(())
    }

    /// Takes a token for a received message; returns the time to wait if there is none. A client that keeps sending is
    /// disconnected; messages of other clients of its address do not count for that.
    fn has_to_wait(&mut self, now: Instant) -> Result<Option<Duration>, CloseReason> {
        if let Err(wait) = self.bucket.take(now) {
            return self.refused.take(now).map(|()| Some(wait)).map_err(|_| CloseReason::Misuse);
        }
        Ok(self.app.addresses.take(self.address, LimitedAction::Message, now).err())
    }

    /// Refuses what can take long to send while the address is over its budget of bytes. Commands and the frames of games
    /// are sent all the same.
    fn may_receive(&self) -> Result<(), Duration> {
        self.app.addresses.may_receive(self.address, Instant::now())
    }

    fn fault(&self, why: Fault) {
        self.outbox.send(&why.answer());
    }

    fn refuse(&mut self, why: Fault, received: Received) -> Result<(), CloseReason> {
        match self.has_to_wait(received.at)? {
            None => self.fault(why),
            Some(wait) => self.refuse_fast(About::default(), wait),
        }
        Ok(())
    }

    fn refuse_large(&self) -> Result<(), CloseReason> {
        self.fault(Fault::FrameTooLarge { limit: MAX_FRAME });
        Err(CloseReason::Misuse)
    }

    /// Refuses a message that came too fast, with the time of the next one.
    fn refuse_fast(&self, about: About, wait: Duration) {
        self.fault(Fault::TooFast { retry_ms: whole_ms(wait), about });
    }

    /// Refuses a request for legal actions while the address is over its budget of bytes: their list may be long.
    fn refuse_over_budget(&self, message: &ClientMessage) -> bool {
        let (ClientMessage::Draft { command, game, .. } | ClientMessage::Options { command, game, .. }) =
            message
        else {
            return false;
        };
        let Err(wait) = self.may_receive() else { return false };
        self.nack(command.clone(), *game, Nack::TooFast { retry_ms: whole_ms(wait) });
        true
    }

    /// Obeys a message. The work of all but commands is boxed: a command is the most frequent, and its future small.
    async fn handle(&mut self, message: ClientMessage, received: Received) {
        match message {
            ClientMessage::Hello { protocol, games, lobby, turns } => {
                if turns {
                    self.app.lobby.watch_turns(self.here.player, self.outbox.clone());
                }
                Box::pin(self.hello(protocol, games, lobby)).await;
            }
            ClientMessage::Watch { game, version } => Box::pin(self.watch(game, version)).await,
            ClientMessage::Unwatch { game } => self.unwatch(game).await,
            ClientMessage::WatchLobby {} => Box::pin(self.watch_lobby()).await,
            ClientMessage::UnwatchLobby {} => self.app.lobby.unwatch(self.here.player, self.outbox.id),
            ClientMessage::Draft { command, game, version, actions } => {
                let request = self.draft_request(command, version, actions);
                Box::pin(self.draft(game, request)).await;
            }
            ClientMessage::Options { command, game, version, actions } => {
                Box::pin(self.options(game, self.draft_request(command, version, actions))).await;
            }
            ClientMessage::Turn { command, game, version, actions } => {
                let turn = Command::Turn { base: version, actions, lag_ms: received.lag_ms };
                self.command(command, game, received, turn).await;
                METRICS.turns.observe(received.at.elapsed().as_secs_f64());
            }
            ClientMessage::Resign { command, game } => {
                self.command(command, game, received, Command::Resign).await
            }
            ClientMessage::Abort { command, game } => {
                self.command(command, game, received, Command::Abort { gone_ms: None }).await
            }
            ClientMessage::Offer { command, game, what: OfferKind::Rematch }
            | ClientMessage::Answer { command, game, what: OfferKind::Rematch, accept: true }
                if self.app.load.is_too_much() =>
            {
                self.nack(command, game, Nack::Overloaded);
            }
            ClientMessage::Offer { command, game, what } => {
                let offer = Command::Offer { what: what.into(), rematch: self.new_game() };
                self.command(command, game, received, offer).await;
            }
            ClientMessage::Answer { command, game, what, accept } => {
                let answer = Command::Answer { what: what.into(), accept, rematch: self.new_game() };
                self.command(command, game, received, answer).await;
            }
            ClientMessage::Claim { command, game, what } => {
                let claim = Command::Claim { what: what.into(), gone_ms: None };
                self.command(command, game, received, claim).await;
            }
            ClientMessage::Say { command, game, text } => Box::pin(self.say(command, game, text)).await,
            ClientMessage::Seek { pool } if self.app.load.is_too_much() => {
                self.fault(Fault::Overloaded { pool });
            }
            ClientMessage::Seek { pool } => {
                let seeker = Seeker { player: self.here.player, address: self.address };
                self.app.pools.seek(seeker, pool, &self.outbox);
            }
            ClientMessage::StopSeeking { pool } => self.app.pools.stop_seeking(self.here.player, pool),
            ClientMessage::Ping {} => self.pong(),
        }
    }

    fn pong(&self) {
        self.outbox.send(&ServerMessage::Pong { now_ms: self.app.env.now_ms() });
    }

    async fn unwatch(&mut self, game: GameId) {
        if self.watched.remove(&game).is_some() {
            self.app.games.unwatch(game, self.outbox.id).await;
        }
    }

    /// Returns an id for a new game.
    fn new_game(&self) -> GameId {
        GameId::new(self.app.env.id())
    }

    fn draft_request(&self, id: CommandId, base: Version, actions: Vec<ActionText>) -> DraftRequest {
        DraftRequest {
            id,
            who: self.here.who(),
            base,
            actions,
            requester: self.requester(),
            from: self.outbox.id,
        }
    }

    /// Delivers a draft, also if the client has left, and answers it.
    async fn draft(&mut self, game: GameId, request: DraftRequest) {
        let command = request.id.clone();
        let answer = tokio::select! {
            biased;
            answer = self.app.games.draft(game, request) => answer,
            () = self.gone.cancelled() => return,
        };
        self.answer_options(command, game, answer);
    }

    /// Answers a request for the legal actions, unless the client has left.
    async fn options(&self, game: GameId, request: DraftRequest) {
        let command = request.id.clone();
        tokio::select! {
            biased;
            () = self.gone.cancelled() => {}
            answer = self.app.games.options(game, request) => self.answer_options(command, game, answer),
        }
    }

    /// Sends the legal actions.
    fn answer_options(&self, command: CommandId, game: GameId, answer: Result<ServerMessage, Nack>) {
        match answer {
            Ok(options) => self.outbox.send(&options),
            Err(refusal) => self.nack(command, game, refusal),
        }
    }

    async fn hello(&mut self, protocol: u32, games: Vec<Known>, lobby: bool) {
        if protocol != PROTOCOL {
            return self.fault(Fault::WrongProtocol { protocol: PROTOCOL });
        }
        let (id, now_ms) = (self.here.player, self.app.env.now_ms());
        let player = match self.app.directory.load([id]).await {
            Ok(()) => self.app.directory.player_with_id(id),
            // The name is known all the same.
            Err(_) => self.here.who().into(),
        };
        self.outbox.send(&ServerMessage::Welcome { protocol: PROTOCOL, player, now_ms });
        for Known { game, version } in games {
            let now = Instant::now();
            let taken = self.bucket.take(now);
            match taken.and_then(|()| self.app.addresses.take(self.address, LimitedAction::Message, now)) {
                Ok(()) => self.watch(game, version).await,
                Err(wait) => {
                    let of = Some("hello".to_owned());
                    return self.refuse_fast(About { of, game: Some(game), ..About::default() }, wait);
                }
            }
        }
        if lobby {
            self.watch_lobby().await;
        }
    }

    async fn watch_lobby(&self) {
        if let Err(wait) = self.may_receive() {
            let of = Some("watch_lobby".to_owned());
            return self.refuse_fast(About { of, ..About::default() }, wait);
        }
        let Parts { lobby, store, pools, .. } = &*self.app;
        match lobby.watch(self.here.player, &self.outbox, &**store).await {
            Ok(()) => pools.send_status(self.here.player, &self.outbox),
            Err(problem) => {
                let error = &problem as &dyn std::error::Error;
                error!(connection = %self.outbox.id, error, "lobby: subscription failed");
                self.fault(Fault::LobbyUnavailable);
            }
        }
    }

    async fn watch(&mut self, game: GameId, version: Version) {
        let about = About { of: Some("watch".to_owned()), game: Some(game), ..About::default() };
        let taken = self.app.addresses.take(self.address, LimitedAction::Events, Instant::now());
        if let Err(wait) = taken
            && !self.app.games.is_played_by(game, self.here.player)
        {
            return self.refuse_fast(about, wait);
        }
        // A player's game goes on, whatever else the address was sent.
        let received = self.may_receive();
        let is_new = !self.watched.contains_key(&game);
        if is_new {
            if self.watched.len() == MAX_WATCHED {
                return self.fault(Fault::TooManyGames { game, limit: MAX_WATCHED });
            }
            match self.app.addresses.open(self.address, LimitedResource::Watch) {
                // Before subscribing: if the connection breaks meanwhile, it may be subscribed, and must be
                // unsubscribed.
                Ok(place) => drop(self.watched.insert(game, place)),
                Err(TooMany { limit }) => {
                    return self.fault(Fault::TooManyGames { game, limit: limit as usize });
                }
            }
        }
        let is_for_players = received.is_err() || self.app.load.is_too_much();
        let policy = if is_for_players { FollowPolicy::Players } else { FollowPolicy::All };
        let Parts { games, addresses, .. } = &*self.app;
        let watching = games.watch(game, &self.outbox, self.here.player, version, policy, self.requester());
        let watched = tokio::select! {
            biased;
            () = self.gone.cancelled() => return,
            watched = async {
                let _slot = addresses.slot(self.address, SlottedWork::Follow).await;
                watching.await
            } => watched,
        };
        if is_new && watched.is_err() {
            self.watched.remove(&game);
        }
        match watched {
            Ok(n_events) => {
                self.app.addresses.charge(self.address, LimitedAction::Events, n_events, Instant::now());
            }
            Err(Nack::UnknownGame) => self.fault(Fault::UnknownGame { game }),
            Err(Nack::Overloaded) => match received {
                Err(wait) => self.refuse_fast(about, wait),
                Ok(()) => self.fault(Fault::NoMoreSpectators { game }),
            },
            Err(Nack::Private) => self.fault(Fault::Private { game }),
            Err(_) => self.fault(Fault::Unavailable { game }),
        }
    }

    async fn command(&mut self, command: CommandId, game: GameId, received: Received, what: Command) {
        let n_bytes = n_stored(&command, &what);
        let payer = n_bytes.map_or(Ok(Payer::Address), |n_bytes| self.store_budget.payer(n_bytes));
        let request = Request {
            id: command.clone(),
            who: self.here.who(),
            requester: self.requester(),
            command: what,
            received_ms: received.at_ms,
            over_budget: payer.err(),
        };
        match self.app.games.command(game, request).await {
            Ok(version) => {
                if let (Some(n_bytes), Ok(payer)) = (n_bytes, payer) {
                    self.store_budget.charge(payer, n_bytes);
                }
                self.outbox.send(&ServerMessage::Ack { command, game, version });
            }
            Err(refusal) => self.nack(command, game, refusal),
        }
    }

    async fn say(&self, command: CommandId, game: GameId, text: NewLine) {
        let (who, text, requester) = (self.here.who(), text.into_inner(), self.requester());
        let request = SayRequest { id: command.clone(), who, text, requester };
        match self.app.games.say(game, request).await {
            Ok(version) => self.outbox.send(&ServerMessage::Ack { command, game, version }),
            Err(refusal) => self.nack(command, game, refusal),
        }
    }

    fn nack(&self, command: CommandId, game: GameId, why: Nack) {
        self.outbox.send(&ServerMessage::Nack { command, game, why });
    }
}

/// Returns the ids of a message that comes too fast, unless reading them would be work for a flood of long ones.
fn named_if_short(text: &str) -> About {
    if text.len() <= MAX_NAMED { About::read(text) } else { About::default() }
}

/// Returns the bytes that the database grows by for a turn or an offer; `None` for any other command: a game has only so
/// many of them beside its turns and offers.
fn n_stored(id: &CommandId, command: &Command) -> Option<usize> {
    let of_actions = match command {
        Command::Turn { actions, .. } => actions.iter().map(|action| action.as_str().len()).sum(),
        Command::Offer { .. } => 0,
        Command::Join { .. }
        | Command::Cancel
        | Command::Decline { .. }
        | Command::Resign
        | Command::Abort { .. }
        | Command::Answer { .. }
        | Command::Claim { .. } => return None,
    };
    Some(price::COMMAND + id.as_str().len() + of_actions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_message_that_comes_too_fast_is_named_in_its_refusal() {
        let message = r#"{"type":"ping"}"#;
        let padded = |length: usize| format!("{message}{}", " ".repeat(length - message.len()));
        assert_eq!(named_if_short(&padded(MAX_NAMED)).of.as_deref(), Some("ping"));
        assert_eq!(named_if_short(&padded(MAX_NAMED + 1)), About::default());
    }
}
