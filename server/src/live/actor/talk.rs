//! Drafts and chat, which are stored and broadcast beside the log.

use game::ids::LineId;
use game::ids::Version;
use protocol::{Nack, ServerMessage};
use store::{ChatRow, DraftRow, WriteError};
use tracing::error;

use super::{Actor, StateLost};
use crate::{
    cluster::bus::GameNews,
    edge,
    live::{DraftRequest, SayRequest, chat},
    net::outbox::{ConnectionId, Outbox, frame},
};

impl Actor {
    /// Stores a draft and broadcasts it to the readers who may see it, except to the connection that sent it, which is
    /// sent `answer`.
    pub(super) async fn keep_draft(
        &mut self,
        request: &DraftRequest,
        legal: &engine::Draft,
        answer: Result<ServerMessage, Nack>,
    ) -> Result<Result<ServerMessage, Nack>, StateLost> {
        let kept = (!request.actions.is_empty()).then(|| legal.into());
        if kept.is_none() && self.draft.is_none() {
            return Ok(answer);
        }
        let row = kept.is_some().then(|| self.draft_row(request));
        match self.keep(row.clone()).await {
            Ok(()) => {}
            Err(WriteError::Refused(_)) => {
                self.catch_up("conflict").await?;
                return Ok(Err(Nack::Stale { version: self.game.state.version() }));
            }
            Err(WriteError::Unknown(_) | WriteError::Full | WriteError::Ended) => return Err(StateLost),
        }
        self.draft = kept;
        self.broadcast_draft(Some(request.from));
        self.shared.parts.bus.publish_to_game(self.id, || GameNews::Draft { draft: row });
        Ok(answer)
    }

    /// Sends the draft to the readers who may see it, except to the connection that sent it.
    pub(super) fn broadcast_draft(&mut self, from: Option<ConnectionId>) {
        let (game, version) = (self.id, self.game.state.version());
        let permissions = self.permissions();
        let is_thin = |outbox: &Outbox, who| {
            (Some(outbox.id) != from && permissions.sees_drafts(who)).then(|| outbox.has_engine())
        };
        self.readers.send_each(is_thin, |is_thin| {
            let draft = self.draft.clone();
            frame(&if is_thin {
                let draft = draft.map(|draft| draft.steps.into_iter().map(|step| step.action).collect());
                ServerMessage::Drafted { game, version, draft }
            } else {
                ServerMessage::Draft { game, version, draft }
            })
        });
    }

    async fn keep(&self, draft: Option<DraftRow>) -> Result<(), WriteError> {
        match draft {
            Some(draft) => self.shared.parts.writer.save_draft(draft).await,
            None => self.shared.parts.writer.delete_draft(self.id).await,
        }
    }

    fn draft_row(&self, request: &DraftRequest) -> DraftRow {
        let body = serde_json::to_string(&request.actions).expect("a list of texts is JSON");
        DraftRow { game: self.id, version: request.base, body }
    }

    /// Stores a chat line and broadcasts it to its audience.
    pub(super) async fn say(&mut self, request: SayRequest) -> Result<Version, Nack> {
        let SayRequest { id, who, text, asker: _ } = request;
        let (player, audience) = (who.id, self.permissions().audience_of(who.id));
        let state = self.state_for(Some(player))?;
        let (version, turn) = (state.version(), state.play().turn().get());
        if self.chat.knows(audience, player, &id) {
            return Ok(version);
        }
        self.chat.take_token(player)?;
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
        self.broadcast_line(row.clone());
        self.shared.parts.bus.publish_to_game(self.id, || GameNews::Line { row: Box::new(row.into()) });
        Ok(version)
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
