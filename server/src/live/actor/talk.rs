//! Drafts and chat, which are stored and broadcast beside the log.

use std::time::Duration;

use game::{
    Phase,
    ids::{GameId, LineId, Version},
};
use protocol::{Nack, ServerMessage};
use store::{ChatRow, DraftRow, WriteError, Writer};
use tokio::time::{Instant, sleep, timeout};
use tracing::{error, warn};

use super::{Actor, StateLost};
use crate::{
    cluster::bus::{GameNews, SaidLine},
    convert,
    live::{
        chat,
        drafting::{Stored, Unstored},
        requests::{DraftRequest, SayRequest},
    },
    net::{
        address::{Address, LimitedAction, WriteKind},
        limits::{price, whole_ms},
        outbox::ConnectionId,
    },
};

/// Maximum time that an ending task waits for its last draft to be stored.
const LAST_DRAFT_TIMEOUT: Duration = Duration::from_secs(2);

/// Pause between two attempts to store the last draft, while the queue of deferrable writes is full.
const LAST_DRAFT_RETRY: Duration = Duration::from_millis(50);

/// Stores or deletes the draft of a game.
async fn store(writer: Writer, game: GameId, draft: Unstored) -> Stored {
    let Unstored { version, body } = draft.clone();
    let stored = match body {
        Some(body) => writer.save_draft(DraftRow { game, version, body }).await,
        None => writer.delete_draft(game, version).await,
    };
    match stored {
        Ok(()) => Ok(draft),
        Err(error) => Err((draft, error)),
    }
}

/// Returns the actions of a draft, each in its canonical text.
pub(super) fn actions_of(draft: &engine::Draft) -> Vec<String> {
    draft.steps.iter().map(|step| step.action.clone()).collect()
}

impl Actor {
    /// Makes a draft the game's. It is broadcast to the readers who may see it, except to the connection that sent it,
    /// and stored, both within a bounded time.
    pub(super) fn take_draft(&mut self, request: &DraftRequest, legal: &engine::Draft) {
        let is_withdrawn = request.actions.is_empty();
        if is_withdrawn && self.draft.is_none() {
            return;
        }
        self.draft = (!is_withdrawn).then(|| actions_of(legal));
        let body = (!is_withdrawn)
            .then(|| serde_json::to_string(&request.actions).expect("a list of texts is JSON"));
        self.drafting.change(request.from, Unstored { version: request.base, body });
        self.pace_draft();
    }

    /// Broadcasts and stores the draft, each if it is due.
    pub(super) fn pace_draft(&mut self) {
        let now_ms = self.shared.now_ms();
        if let Some((from, draft)) = self.drafting.take_unsent(now_ms) {
            self.broadcast_draft(Some(from));
            self.publish_draft(draft);
        }
        if let Some(draft) = self.drafting.take_unstored(now_ms) {
            let version = draft.version;
            // A task of its own: a turn must not wait for the write.
            let storing = store(self.shared.dependencies.writer.clone(), self.id, draft);
            self.drafting.storing = Some((version, self.shared.dependencies.tasks.spawn(storing)));
        }
    }

    /// Publishes the newest draft to the other nodes.
    fn publish_draft(&self, Unstored { version, body }: Unstored) {
        let draft = body.map(|body| DraftRow { game: self.id, version, body });
        self.shared.dependencies.bus.publish_to_game(self.id, || GameNews::Draft { draft });
    }

    /// Applies the result of a draft's write.
    pub(super) async fn draft_stored(&mut self, stored: Option<Stored>) -> Result<(), StateLost> {
        match stored {
            // A node that loaded the game after the broadcast has read an older draft.
            Some(Ok(draft)) if !self.drafting.is_under_way() && !self.is_of_an_earlier_turn(&draft) => {
                self.publish_draft(draft);
            }
            Some(Ok(_)) | None => {}
            // The turn is over, here or on another node.
            Some(Err((draft, WriteError::Refused(_)))) if self.is_of_an_earlier_turn(&draft) => {}
            Some(Err((_, WriteError::Refused(_)))) => return self.catch_up("conflict").await,
            Some(Err((draft, WriteError::Unknown(_) | WriteError::Full))) => self.drafting.give_back(draft),
            Some(Err((_, WriteError::Ended))) => {}
        }
        self.pace_draft();
        Ok(())
    }

    fn is_of_an_earlier_turn(&self, draft: &Unstored) -> bool {
        !matches!(self.game.state.phase(), Phase::Playing { turn, .. } if draft.version >= turn.since)
    }

    /// Stores the newest draft before the task ends, if that takes no longer than [`LAST_DRAFT_TIMEOUT`].
    pub(super) async fn store_last_draft(&mut self) {
        let (writer, game) = (self.shared.dependencies.writer.clone(), self.id);
        let last = async {
            if let Some((_, storing)) = self.drafting.storing.take()
                && let Ok(Err((draft, WriteError::Full))) = storing.await
            {
                self.drafting.give_back(draft);
            }
            let Some(draft) = self.drafting.unstored() else { return };
            while let Err((_, WriteError::Full)) = store(writer.clone(), game, draft.clone()).await {
                sleep(LAST_DRAFT_RETRY).await;
            }
        };
        if timeout(LAST_DRAFT_TIMEOUT, last).await.is_err() {
            warn!(%game, "last draft of game {game} not stored in time");
        }
    }

    /// Sends the draft to the readers who may see it, except to the connection that sent it.
    pub(super) fn broadcast_draft(&mut self, from: Option<ConnectionId>) {
        let (game, version) = (self.id, self.game.state.version());
        let permissions = self.permissions();
        let message = ServerMessage::Draft { game, version, draft: self.draft.clone() };
        self.readers.send_draft(&message, |id, who| Some(id) != from && permissions.sees_drafts(who));
    }

    /// Stores a chat line and broadcasts it to its audience.
    pub(super) async fn say(&mut self, request: SayRequest) -> Result<Version, Nack> {
        let SayRequest { id, who, text, requester } = request;
        let (player, audience) = (who.id, self.permissions().audience_of(who.id));
        let state = self.state_for(Some(player))?;
        // Nobody is written to by a challenge that they have not accepted.
        if state.challenged().is_some() && state.seats().is_none() {
            return Err(Nack::NotStarted);
        }
        let (version, turn) = (state.version(), state.play().turn().get());
        if self.chat.knows(audience, player, &id) {
            return Ok(version);
        }
        if let Some(until_ms) = self.shared.dependencies.mutes.until(player, self.shared.now_ms()) {
            return Err(Nack::Muted { until_ms });
        }
        if let Some(address) = requester.address() {
            self.may_say(address).map_err(|wait| Nack::TooFast { retry_ms: whole_ms(wait) })?;
        }
        let factor = self.shared.dependencies.address_factor;
        self.chat.take_token(player, requester.address(), factor).inspect_err(|_| {
            if let Some(address) = requester.address() {
                self.shared.dependencies.addresses.give_back(address, LimitedAction::Line, Instant::now());
            }
        })?;
        self.keep_names([player]).await.map_err(|StateLost| Nack::Unavailable)?;
        let env = &self.shared.dependencies.env;
        let line = LineId::new(env.id());
        let row = chat::row(self.id, audience, (line, id), (player, text), (turn, env.now_ms()));
        self.shared.dependencies.writer.say(row.clone()).await.map_err(|error| match error {
            WriteError::Full => Nack::Busy,
            WriteError::Refused(_) | WriteError::Unknown(_) | WriteError::Ended => {
                error!(game = %self.id, %error, "chat line of game {} not stored", self.id);
                Nack::Unavailable
            }
        })?;
        if let Some(address) = requester.address() {
            let n_bytes = price::LINE + row.line.text.as_str().len() + row.command.as_str().len();
            self.shared.dependencies.addresses.charge(address, LimitedAction::Store, n_bytes, Instant::now());
        }
        self.broadcast_line(row.clone());
        self.shared.dependencies.bus.publish_to_game(self.id, || GameNews::Line {
            row: Box::new(SaidLine::of(row, self.directory())),
        });
        Ok(version)
    }

    /// Takes an address's token for a line, in addition to each speaker's token in each game: guests of one address
    /// share that rate.
    fn may_say(&self, address: Address) -> Result<(), Duration> {
        let (addresses, now) = (&self.shared.dependencies.addresses, Instant::now());
        addresses.may_store(address, WriteKind::Other, now)?;
        addresses.take(address, LimitedAction::Line, now)
    }

    /// Sends a stored line to its audience, unless it was sent already, or the room has opened again since.
    pub(super) fn broadcast_line(&mut self, row: ChatRow) {
        if self.chat.knows(row.audience, row.line.who, &row.command) {
            return;
        }
        self.players.add([row.line.who]);
        let (audience, is_shown) = (row.audience, chat::is_shown(&row, self.game.state.reopened_ms()));
        let message = ServerMessage::Chat {
            game: self.id,
            lines: vec![convert::line(row.line.clone(), self.game.state.seats(), self.directory())],
        };
        self.chat.add(row);
        if !is_shown {
            return;
        }
        let permissions = self.permissions();
        self.readers.send_to(&message, |_, who| permissions.audience_of(who) == audience);
    }
}
