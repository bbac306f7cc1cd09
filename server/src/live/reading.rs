//! Requests of a game's readers: subscription, document and record.

use game::{
    Watching,
    ids::{GameId, PlayerId, Version},
};
use protocol::{Nack, ServerMessage};
use store::{Audience, GameRow};

use super::{
    Games,
    actor::{From, Message, Watched},
    archive::WrittenRecord,
    chat,
    delivery::{Answered, DELIVERIES, Want},
    mailbox::Sender,
    registry::Shared,
    requests::Admitted,
    spectators::Spectator,
};
use crate::{
    compute::Asker,
    deflate::Gzipped,
    edge,
    net::outbox::{ConnectionId, Outbox},
};

impl Games {
    /// Subscribes a player's connection to a game: the missing events after `from` are queued, and all later ones
    /// follow. The work counts for `asker`. Returns the number of events that were sent or replayed.
    ///
    /// # Errors
    /// The game does not exist, or the player may not see it.
    pub(crate) async fn watch(
        &self,
        game: GameId,
        outbox: &Outbox,
        player: PlayerId,
        from: Version,
        admitted: Admitted,
        asker: Asker,
    ) -> Result<usize, Nack> {
        let (mut from, mut n_events) = (From::version(from), 0);
        for _ in 0..DELIVERIES {
            let message = |reply| {
                let (outbox, from) = (outbox.clone(), from.clone());
                Message::Watch { outbox, player, from, admitted, asker, reply }
            };
            match self.ask(game, asker, Want::Follow(player), message).await? {
                Answered::ByGame(watched) => match watched? {
                    Watched::Following { n_sent } => return Ok(n_events + n_sent),
                    // Many events are decompressed for the frame: not on this task, nor while the game waits.
                    Watched::Behind(news) => {
                        n_events += news.n_events();
                        let version = news.version;
                        let (frame, expansion) =
                            self.0.parts.compute.run(asker, move || news.frame()).await?;
                        from = From { version, expansion };
                        if !outbox.push(frame) {
                            return Ok(n_events);
                        }
                    }
                },
                Answered::Over(row) => {
                    let (version, n_shown) =
                        self.show(&row, outbox, player, from.version, admitted, asker).await?;
                    n_events += n_shown;
                    // The game may have been loaded before the connection was among those that it takes over.
                    let is_missed =
                        self.0.mailbox(game).is_some() && self.0.spectators.remove(game, outbox.id).is_some();
                    if !is_missed {
                        return Ok(n_events);
                    }
                    from = From::version(version);
                }
                Answered::Stranger => unreachable!("anybody may ask to follow a game"),
            }
        }
        Err(Nack::Unavailable)
    }

    /// Sends a finished game, and registers the connection for later events. Returns the version
    /// sent, and the number of events that were sent or replayed.
    async fn show(
        &self,
        row: &GameRow,
        outbox: &Outbox,
        player: PlayerId,
        from: Version,
        admitted: Admitted,
        asker: Asker,
    ) -> Result<(Version, usize), Nack> {
        let audience = may_read(row, Some(player))?;
        if audience == Audience::Players {
            outbox.mark_player();
        } else if admitted == Admitted::Players {
            return Err(Nack::Overloaded);
        }
        let Shared { archive, spectators, parts, .. } = &*self.0;
        let archived = archive.get(row, asker).await?;
        let (version, reopened_ms) = (archived.version(), archived.reopened_ms());
        let is_thin = outbox.has_engine();
        let (n_events, frame) = archive
            .work(asker, move || {
                let news = archived.news(from, is_thin);
                (news.n_events(), news.frame().0)
            })
            .await?;
        // A line that is said makes the game's task take its connections over.
        let has_chat = from != Version::NONE && spectators.has(row.id, outbox.id);
        let lines = if has_chat {
            Vec::new()
        } else {
            parts.store.chat(row.id, audience, chat::LINES).await.map_err(|_| Nack::Unavailable)?
        };
        outbox.push(frame);
        let shown = lines.into_iter().filter(|row| chat::is_shown(row, reopened_ms));
        let lines: Vec<_> = shown.map(|row| edge::line(row.line)).collect();
        if !lines.is_empty() {
            outbox.send(&ServerMessage::Chat { game: row.id, lines });
        }
        let here = spectators.add(row.id, Spectator::new(outbox.clone(), player, version));
        outbox.send(&ServerMessage::Presence {
            game: row.id,
            first: false,
            second: false,
            spectators: u32::try_from(here).unwrap_or(u32::MAX),
            claim: None,
        });
        Ok((version, n_events))
    }

    /// Ends the subscription of a connection.
    pub(crate) async fn unwatch(&self, game: GameId, connection: ConnectionId) {
        // The game may be loaded or evicted meanwhile.
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

    /// Returns the row of a game that a reader may see, without loading the game.
    ///
    /// # Errors
    /// The game does not exist, or the reader may not see it.
    pub(crate) async fn row(&self, game: GameId, reader: Option<PlayerId>) -> Result<GameRow, Nack> {
        let row = self.0.parts.store.game(game).await.map_err(|_| Nack::Unavailable)?;
        let row = row.ok_or(Nack::UnknownGame)?;
        may_read(&row, reader)?;
        Ok(row)
    }

    /// Returns the document of a game for a reader: the JSON of a [`GameDocument`](protocol::GameDocument).
    ///
    /// # Errors
    /// The game does not exist, or the reader may not see it.
    pub(crate) async fn document(
        &self,
        game: GameId,
        reader: Option<PlayerId>,
        asker: Asker,
    ) -> Result<Gzipped, Nack> {
        match self.ask(game, asker, Want::Read(reader), |reply| Message::Read { reader, reply }).await? {
            Answered::ByGame(document) => {
                let document = document?;
                self.0.archive.work(asker, move || document.write()).await
            }
            Answered::Stranger => unreachable!("anybody may ask to read a game"),
            Answered::Over(row) => Ok(self.0.archive.get(&row, asker).await?.document()),
        }
    }

    /// Returns the record of a game, as far as a reader may see it.
    ///
    /// # Errors
    /// The game has no record, or the reader may not see it.
    pub(crate) async fn record(
        &self,
        game: GameId,
        reader: Option<PlayerId>,
        asker: Asker,
    ) -> Result<WrittenRecord, Nack> {
        match self.ask(game, asker, Want::Read(reader), |reply| Message::Record { reader, reply }).await? {
            Answered::Stranger => unreachable!("anybody may ask to read a game"),
            Answered::ByGame(record) => {
                let record = record?;
                self.0.archive.work(asker, move || WrittenRecord::of(&record)).await
            }
            Answered::Over(row) => Ok(self.0.archive.get(&row, asker).await?.record()),
        }
    }
}

/// Returns the audience that a reader of a begun game belongs to.
///
/// # Errors
/// Only its players may see the game.
pub(super) fn may_read(row: &GameRow, reader: Option<PlayerId>) -> Result<Audience, Nack> {
    match reader {
        Some(who) if row.is_of(who) => Ok(Audience::Players),
        _ if row.watching == Watching::Nobody => Err(Nack::Private),
        _ => Ok(Audience::Spectators),
    }
}
