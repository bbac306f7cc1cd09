//! Drafts and chat, which are stored and broadcast beside the log.

use std::time::Duration;

use game::{
    Phase,
    ids::{GameId, LineId, Version},
};
use protocol::{Nack, ServerMessage};
use store::{ChatRow, DraftRow, WriteError, Writer};
use tokio::time::{Instant, sleep};
use tracing::error;

use super::{Actor, StateLost};
use crate::{
    cluster::bus::GameNews,
    edge,
    live::{
        DraftRequest, SayRequest, chat,
        drafting::{Stored, Unstored},
    },
    net::{
        address::{Address, LimitedAction, WriteKind},
        limits::{price, whole_ms},
        outbox::{ConnectionId, Outbox, frame},
    },
};

/// Maximum number of attempts to store a draft when a task ends, while the queue of deferrable writes is full.
const LAST_TRIES: u32 = 20;

/// Pause between two attempts.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// Stores or deletes the draft of a game.
async fn store(writer: Writer, game: GameId, draft: Unstored) -> Stored {
    let Unstored { version, body } = draft.clone();
    let stored = match body {
        Some(body) => writer.save_draft(DraftRow { game, version, body }).await,
        None => writer.delete_draft(game, version).await,
    };
    stored.map_err(|error| (draft, error))
}

impl Actor {
    /// Takes a draft over as the game's. It is told to the readers who may see it, except to the connection that sent it,
    /// and stored, both within a bounded time.
    pub(super) fn take_draft(&mut self, request: &DraftRequest, legal: &engine::Draft) {
        let is_withdrawn = request.actions.is_empty();
        if is_withdrawn && self.draft.is_none() {
            return;
        }
        self.draft = (!is_withdrawn).then(|| legal.into());
        let body = (!is_withdrawn)
            .then(|| serde_json::to_string(&request.actions).expect("a list of texts is JSON"));
        self.drafting.change(request.from, Unstored { version: request.base, body });
        self.pace_draft();
    }

    /// Tells and stores the draft as far as both are due.
    pub(super) fn pace_draft(&mut self) {
        let now_ms = self.shared.parts.env.now_ms();
        if let Some((from, draft)) = self.drafting.take_untold(now_ms) {
            self.broadcast_draft(Some(from));
            let Unstored { version, body } = draft;
            let draft = body.map(|body| DraftRow { game: self.id, version, body });
            self.shared.parts.bus.publish_to_game(self.id, || GameNews::Draft { draft });
        }
        if let Some(draft) = self.drafting.take_unstored(now_ms) {
            // A task of its own: a turn must not wait for the write.
            let storing = store(self.shared.parts.writer.clone(), self.id, draft);
            self.drafting.storing = Some(self.shared.parts.tasks.spawn(storing));
        }
    }

    /// Applies the result of a draft's write.
    pub(super) async fn draft_stored(&mut self, stored: Stored) -> Result<(), StateLost> {
        match stored {
            Ok(()) => {}
            // The turn is over: here, or else on another node.
            Err((draft, WriteError::Refused(_))) if self.is_of_an_earlier_turn(&draft) => {}
            Err((_, WriteError::Refused(_))) => return self.catch_up("conflict").await,
            Err((draft, WriteError::Unknown(_) | WriteError::Full)) => self.drafting.give_back(draft),
            Err((_, WriteError::Ended)) => {}
        }
        self.pace_draft();
        Ok(())
    }

    fn is_of_an_earlier_turn(&self, draft: &Unstored) -> bool {
        !matches!(self.game.state.phase(), Phase::Playing { turn, .. } if draft.version >= turn.since)
    }

    /// Stores the newest draft before the task ends.
    pub(super) async fn store_last_draft(&mut self) {
        if let Some(storing) = self.drafting.storing.take()
            && let Ok(Err((draft, WriteError::Full))) = storing.await
        {
            self.drafting.give_back(draft);
        }
        for _ in 0..LAST_TRIES {
            let Some(draft) = self.drafting.unstored().cloned() else { return };
            match store(self.shared.parts.writer.clone(), self.id, draft).await {
                Err((_, WriteError::Full)) => sleep(TRY_AGAIN_AFTER).await,
                Ok(()) | Err(_) => return,
            }
        }
    }

    /// Sends the draft to the readers who may see it, except to the connection that sent it.
    pub(super) fn broadcast_draft(&mut self, from: Option<ConnectionId>) {
        let (game, version) = (self.id, self.game.state.version());
        let permissions = self.permissions();
        let is_thin = |outbox: &Outbox, who| {
            (Some(outbox.id) != from && permissions.sees_drafts(who)).then(|| outbox.has_engine())
        };
        self.readers.send_drafts(is_thin, |is_thin| {
            let draft = self.draft.clone();
            frame(&if is_thin {
                let draft = draft.map(|draft| draft.steps.into_iter().map(|step| step.action).collect());
                ServerMessage::Drafted { game, version, draft }
            } else {
                ServerMessage::Draft { game, version, draft }
            })
        });
    }

    /// Stores a chat line and broadcasts it to its audience.
    pub(super) async fn say(&mut self, request: SayRequest) -> Result<Version, Nack> {
        let SayRequest { id, who, text, asker } = request;
        let (player, audience) = (who.id, self.permissions().audience_of(who.id));
        let state = self.state_for(Some(player))?;
        let (version, turn) = (state.version(), state.play().turn().get());
        if self.chat.knows(audience, player, &id) {
            return Ok(version);
        }
        if let Some(address) = asker.address() {
            self.may_say(address).map_err(|wait| Nack::TooFast { retry_ms: whole_ms(wait) })?;
        }
        let factor = self.shared.parts.address_factor;
        self.chat.take_token(player, asker.address(), factor).inspect_err(|_| {
            if let Some(address) = asker.address() {
                self.shared.parts.addresses.give_back(address, LimitedAction::Line, Instant::now());
            }
        })?;
        let env = &self.shared.parts.env;
        let line = LineId::new(env.id());
        let row = chat::row(self.id, audience, (line, id), (who, text), (turn, env.now_ms()));
        self.shared.parts.writer.say(row.clone()).await.map_err(|error| match error {
            WriteError::Full => Nack::Busy,
            WriteError::Refused(_) | WriteError::Unknown(_) | WriteError::Ended => {
                error!(game = %self.id, %error, "chat line of game {} not stored", self.id);
                Nack::Unavailable
            }
        })?;
        if let Some(address) = asker.address() {
            let n_bytes = price::LINE + row.line.text.as_str().len() + row.command.as_str().len();
            self.shared.parts.addresses.charge(address, LimitedAction::Store, n_bytes, Instant::now());
        }
        self.broadcast_line(row.clone());
        self.shared.parts.bus.publish_to_game(self.id, || GameNews::Line { row: Box::new(row.into()) });
        Ok(version)
    }

    /// Takes a token of an address for a line, in addition to the rate of each speaker in each game: guests of one address
    /// cannot take turns.
    fn may_say(&self, address: Address) -> Result<(), Duration> {
        let (addresses, now) = (&self.shared.parts.addresses, Instant::now());
        addresses.may_store(address, WriteKind::Other, now)?;
        addresses.take(address, LimitedAction::Line, now)
    }

    /// Sends a stored line to its audience, unless it was sent already.
    pub(super) fn broadcast_line(&mut self, row: ChatRow) {
        if self.chat.knows(row.audience, row.line.who.id, &row.command) {
            return;
        }
        let audience = row.audience;
        let message = ServerMessage::Chat { game: self.id, lines: vec![edge::line(row.line.clone())] };
        self.chat.add(row);
        let permissions = self.permissions();
        self.readers.send_to(&message, |_, who| permissions.audience_of(who) == audience);
    }
}
