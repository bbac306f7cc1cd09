//! Decisions: each is stored before it becomes the game's state.

use game::{
    Command, Decision, Event, PATIENCE_MS, Phase, Recorded, Seats, State, flag_fall, flag_falls_at_ms,
    ids::{BotLevel, CommandId, GameId, PlayerId, Version},
    is_seated, no_show, rematch_of,
};
use protocol::Nack;
use store::{Append, Committed, Condition, DraftIs, Refused, StoredEvent, WriteError};
use tokio::time::Instant;
use tracing::error;

use super::{Actor, LogEnd, StateLost};
use crate::{
    admission::{AdmissionPermit, Applicant, Denied, Why},
    cluster::bus::NodeNews,
    convert,
    live::{append, credit::may_be_on_vacation, requests::Request, shared::Shared, telling},
    net::{
        address::{Address, LimitedAction},
        limits::{EARLY_END_COSTS, EARLY_END_DEBT, STORED_DEBT, price, whole_ms},
    },
};

/// Maximum number of decisions on one command. It is decided again if another node has continued the game meanwhile.
pub(super) const MAX_DECISIONS: usize = 3;

/// The result of storing a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Stored,
    /// Another node was first; its events are applied now.
    Overtaken,
    /// It is not stored: one of the players has blocked the other.
    Blocked,
}

impl Actor {
    /// Credits the time of outages and vacations. Then ends the game, or closes the room, if the time had run out by `at_ms`.
    pub(super) async fn flag_fall(&mut self, at_ms: i64) -> Result<(), StateLost> {
        if flag_falls_at_ms(&self.game.state).is_none() {
            return Ok(());
        }
        if let Phase::Playing { .. } = self.game.state.phase() {
            // As long as outages are unknown, it is undecided whose time is over.
            if !self.shared.dependencies.outages.get_known().await {
                return Ok(());
            }
            self.credit().await?;
            if flag_fall(&self.game.state, at_ms).is_some() && self.use_vacation().await? {
                self.credit().await?;
            }
        }
        if let Some(decision) = flag_fall(&self.game.state, at_ms) {
            self.carry_out(None, decision).await?;
        }
        Ok(())
    }

    /// Carries a command out: decides it, stores the decision, and answers with the new version. A repeated command
    /// gets its earlier answer.
    pub(super) async fn command(&mut self, request: &Request) -> Result<Result<Version, Nack>, StateLost> {
        self.flag_fall(request.received_ms).await?;
        for _ in 0..MAX_DECISIONS {
            let is_seated = is_seated(&self.game.state, request.who.id);
            // A player who has left the room may not know that yet.
            if (is_seated || self.game.state.has_left(request.who.id))
                && let Some(answer) = self.command_log.find(&request.id, request.who.id, &request.command)
            {
                return Ok(answer);
            }
            if let Some(wait) = request.over_budget {
                LimitedAction::Store.count_refused();
                return Ok(Err(Nack::TooFast { retry_ms: whole_ms(wait) }));
            }
            let decision = match self.decide(request).await {
                Ok(decision) => decision,
                // A retry may succeed, so these are not recorded.
                Err(refusal @ (Nack::Busy | Nack::Unavailable)) => return Ok(Err(refusal)),
                Err(refusal) => {
                    // Refusals of strangers are not recorded: they must not displace those of players.
                    if is_seated {
                        self.command_log.refused(&request.id, request.who.id, &refusal);
                    }
                    return Ok(Err(refusal));
                }
            };
            let permit = match self.admit(request, &decision).await {
                Ok(permit) => permit,
                Err(refusal) => return Ok(Err(refusal)),
            };
            if let Some(Event::RematchStarted { rematch, .. }) =
                decision.events.last().map(|last| &last.event)
            {
                self.begin_rematch(*rematch).await?;
            }
            match self.carry_out(Some(request), decision).await? {
                Done::Stored => {
                    permit.iter().for_each(AdmissionPermit::charge_stored);
                    self.record_taker(request);
                    let version = self.game.state.version();
                    if may_be_on_vacation(&self.game.state).is_some() {
                        self.credit().await?;
                    }
                    return Ok(Ok(version));
                }
                Done::Blocked => return Ok(Err(Nack::Blocked)),
                Done::Overtaken => permit.into_iter().for_each(AdmissionPermit::give_back),
            }
        }
        Ok(Err(Nack::Busy))
    }

    async fn decide(&mut self, request: &Request) -> Result<Decision, Nack> {
        let now_ms = self.shared.now_ms();
        let side = self.game.state.side_of(request.who.id);
        let gone_ms = side.and_then(|side| self.attendance.gone_ms(side.other(), now_ms));
        match &request.command {
            Command::Claim { what, gone_ms: _ } => {
                self.work_out(request, &Command::Claim { what: *what, gone_ms }).await
            }
            Command::Abort { gone_ms: _ } => self.work_out(request, &Command::Abort { gone_ms }).await,
            command => self.work_out(request, command).await,
        }
    }

    /// Admits the game that a decision begins, if it begins one. A refusal is not recorded: the same command may
    /// succeed later.
    async fn admit(&self, request: &Request, decision: &Decision) -> Result<Option<AdmissionPermit>, Nack> {
        let sender = Applicant { player: request.who.id, address: request.requester.address() };
        let partner = |seats: &Seats| {
            let player = [seats.first, seats.second].into_iter().find(|player| *player != sender.player);
            player.map(|player| Applicant { player, address: None })
        };
        let applicants: Vec<_> = match decision.events.last().map(|last| &last.event) {
            Some(Event::Started { .. }) => {
                if sender.address.is_some_and(|address| self.shared.takers.exclude(self.id, address)) {
                    return Err(Nack::RoomLeft);
                }
                vec![sender]
            }
            Some(Event::RematchStarted { .. }) => {
                [sender].into_iter().chain(self.game.state.seats().and_then(partner)).collect()
            }
            Some(_) | None => return Ok(None),
        };
        match self.shared.dependencies.admission.admit(&applicants, self.game.state.terms().clock).await {
            Ok(Ok(permit)) => Ok(Some(permit)),
            Ok(Err(Denied { why: Why::NoSpace, .. })) => Err(Nack::NoSpace),
            Ok(Err(Denied { why: Why::TooFast(wait) | Why::StoredTooMuch(wait), .. })) => {
                Err(Nack::TooFast { retry_ms: whole_ms(wait) })
            }
            Ok(Err(Denied { why: Why::TooManyUnderWay { limit }, .. })) => {
                Err(Nack::TooManyUnderWay { limit })
            }
            Err(error) => {
                error!(game = %self.id, %error, "admission failed: the games of the players of game {} cannot be counted", self.id);
                Err(Nack::Unavailable)
            }
        }
    }

    /// Records the address of a player who has joined the room, here and on the other nodes.
    fn record_taker(&self, request: &Request) {
        if let (Command::Join { .. }, Some(address)) = (&request.command, request.requester.address()) {
            let (game, player) = (self.id, request.who.id);
            self.shared.takers.record(game, player, address);
            self.shared.dependencies.bus.publish_to_nodes(|| NodeNews::Joined { game, player, address });
        }
    }

    /// Reopens the room if the player who joined it has not connected to the game. After an outage absence is unknown;
    /// the player then has as long as for a first turn.
    pub(super) async fn await_joiner(&mut self, now_ms: i64) -> Result<(), StateLost> {
        let Some(due_ms) = self.joiner_due_ms.take_if(|due_ms| *due_ms <= now_ms) else { return Ok(()) };
        let outages = &self.shared.dependencies.outages;
        if !outages.get_known().await || outages.away_ms(due_ms - PATIENCE_MS) > 0 {
            return Ok(());
        }
        let joiner = self.game.state.side_that_may_leave();
        let gone_ms = joiner.and_then(|side| self.attendance.gone_ms(side, now_ms));
        if let Some(decision) = gone_ms.and_then(|gone_ms| no_show(&self.game.state, gone_ms, now_ms)) {
            self.carry_out(None, decision).await?;
        }
        Ok(())
    }

    /// Acts on the beginning of a game, and on its early end before both sides have made a turn: `next` is an event
    /// folded into the state `before`.
    pub(super) fn follow_beginning(&mut self, before: &State, next: &Recorded) {
        if let Event::Started { joined: true, .. } = next.event {
            let now_ms = self.shared.now_ms();
            self.attendance.restart_absences(now_ms);
            self.joiner_due_ms = Some(now_ms + PATIENCE_MS);
        }
        if let (Event::Reopened { .. }, Some(joiner)) = (&next.event, before.joiner()) {
            self.shared.dependencies.lobby.tell_who_left(joiner, &convert::row(self.id, &self.game.state));
        }
        let now_ms = self.shared.now_ms();
        let is_gone = |side| self.attendance.gone_ms(side, now_ms).is_some();
        if let Some(player) = before.left_early_by(next, is_gone) {
            self.charge_early_end(player);
        }
    }

    /// Charges the address of a player who ended the game early, if it is known: by the player's connections to this
    /// node, or by the join request on any node.
    fn charge_early_end(&self, player: PlayerId) {
        let Shared { dependencies, takers, .. } = &*self.shared;
        let address = dependencies.lobby.address_of(player).or_else(|| takers.address_of(self.id, player));
        let Some(address) = address else { return };
        let now = Instant::now();
        // The debt is bounded, since neighbours behind the address pay it too.
        if dependencies.addresses.wait(address, LimitedAction::Room, now) <= EARLY_END_DEBT {
            dependencies.addresses.charge(address, LimitedAction::Room, EARLY_END_COSTS, now);
        }
    }

    /// Stores a rematch before it is announced: a game without visitors is better than a link to a missing game.
    async fn begin_rematch(&self, rematch: GameId) -> Result<(), StateLost> {
        let events = rematch_of(&self.game.state, self.shared.dependencies.env.seed(), self.shared.now_ms());
        self.shared.store_new(rematch, events).await.map(drop).map_err(|_| StateLost)
    }

    /// Stores a decision on a request, or on elapsed time, and makes it the game's state.
    pub(super) async fn carry_out(
        &mut self,
        request: Option<&Request>,
        decision: Decision,
    ) -> Result<Done, StateLost> {
        let changes_the_board = decision.events.iter().any(|recorded| {
            !matches!(
                recorded.event,
                Event::Offered { .. } | Event::Declined { .. } | Event::TimeCredited { .. }
            )
        });
        let draft_is = if changes_the_board { DraftIs::Gone } else { DraftIs::Kept };
        let row = convert::row(self.id, &decision.next);
        // A conditional turn is played by the server, so its player too is told of the end that it brings.
        let by =
            request.filter(|request| request.requester.address().is_some()).map(|request| request.who.id);
        let notices = telling::notices(&row, &decision.events, by);
        let mut append =
            Append::new(self.stored(request.map(|request| &request.id), &decision.events), row, draft_is)
                .after(self.game.state.updated_ms())
                .telling(notices);
        if decision.events.iter().any(|recorded| matches!(recorded.event, Event::TurnsTakenBack { .. })) {
            append = append.taking_back();
        }
        if let Some(Event::Started { seats, .. }) = decision.events.last().map(|last| &last.event) {
            append = append.provided(Condition::NotBlocked(seats.first, seats.second));
            self.keep_names([seats.first, seats.second]).await?;
        }
        match self.shared.dependencies.writer.append(append).await {
            Ok(committed) => {
                if let Some(address) = request.and_then(|request| request.requester.address()) {
                    self.charge(address, committed.events());
                }
                self.settle(committed, decision);
                Ok(Done::Stored)
            }
            Err(WriteError::Refused(Refused::Blocked)) => Ok(Done::Blocked),
            Err(WriteError::Refused(_)) => self.catch_up("conflict").await.map(|()| Done::Overtaken),
            Err(WriteError::Unknown(_) | WriteError::Full | WriteError::Ended) => Err(StateLost),
        }
    }

    /// Charges an address for stored events. A bot answers each turn with one of its own.
    fn charge(&self, address: Address, events: &[StoredEvent]) {
        let seats = self.game.state.seats();
        let has_bot = seats.is_some_and(|seats| {
            [seats.first, seats.second].into_iter().any(|player| BotLevel::of(player).is_some())
        });
        let length = |event: &StoredEvent| {
            event.body.len() + event.command.as_ref().map_or(0, |command| command.as_str().len())
        };
        let n_bytes: usize = events.iter().map(|event| price::EVENT + length(event)).sum();
        let n_bytes = if has_bot { 2 * n_bytes } else { n_bytes };
        let (addresses, now) = (&self.shared.dependencies.addresses, Instant::now());
        // Sockets may exceed the budget. The debt is bounded, since neighbours behind the address pay it too.
        if addresses.wait(address, LimitedAction::Store, now) <= STORED_DEBT {
            addresses.charge(address, LimitedAction::Store, n_bytes, now);
        }
    }

    /// Returns the events of one command in their stored form, with the versions that follow the game's.
    fn stored(&self, command: Option<&CommandId>, events: &[Recorded]) -> Vec<StoredEvent> {
        append::stored(self.game.state.version(), command, events)
    }

    /// Makes a stored decision the game's state, and broadcasts it to all readers.
    fn settle(&mut self, committed: Committed, decision: Decision) {
        let before = std::mem::replace(&mut self.game.state, decision.next);
        self.game.state.committed(self.shared.now_ms());
        for (stored, recorded) in committed.events().iter().zip(decision.events) {
            self.game.show(stored.version, &recorded, &self.shared.dependencies.directory);
            self.end = LogEnd::of(stored);
            self.command_log.record(stored, before.cause(&recorded.event), &recorded.event);
            if let Some(delayed) = &mut self.delayed {
                delayed.record(&before, &recorded.event);
            }
            self.follow_beginning(&before, &recorded);
        }
        if committed.draft_is() == DraftIs::Gone {
            self.draft = None;
            self.drafting.clear();
        }
        self.broadcast_events();
        self.shared.publish(committed);
    }
}
