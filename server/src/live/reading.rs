//! Requests of a game's readers: subscription, document and record.

use game::ids::{GameId, PlayerId, Version};
use protocol::{Nack, ServerMessage};
use store::{Audience, GameRow};

use super::{
    archive::WrittenRecord,
    chat,
    delivery::{DELIVERIES, Delivery, Purpose},
    games::Games,
    mailbox::Sender,
    message::Message,
    permissions::may_read,
    requests::FollowPolicy,
    shared::Shared,
    spectators::Spectator,
};
use crate::{
    compute::Requester,
    convert,
    deflate::Gzipped,
    net::outbox::{ConnectionId, Outbox},
};

impl Games {
    /// Subscribes a player's connection, which has a game up to `known`: the missing events are queued, and all later
    /// ones follow. The work counts for `requester`. Returns the number of events that were sent.
    ///
    /// # Errors
    /// The game does not exist, or the player may not see it.
    pub(crate) async fn watch(
        &self,
        game: GameId,
        outbox: &Outbox,
        player: PlayerId,
        mut known: Version,
        policy: FollowPolicy,
        requester: Requester,
    ) -> Result<usize, Nack> {
        let mut n_sent = 0;
        for _ in 0..DELIVERIES {
            let message = |reply| {
                let outbox = outbox.clone();
                Message::Watch { outbox, player, known, policy, requester, reply }
            };
            match self.ask(game, requester, Purpose::Follow(player), message).await? {
                Delivery::Answered(sent) => return Ok(n_sent + sent?),
                Delivery::Over(row) => {
                    let (version, n_shown) =
                        self.show(&row, outbox, player, known, policy, requester).await?;
                    n_sent += n_shown;
                    // The game's task may have started before the connection was registered, and then has not taken it
                    // over.
                    let is_missed =
                        self.0.mailbox(game).is_some() && self.0.spectators.remove(game, outbox.id).is_some();
                    if !is_missed {
                        return Ok(n_sent);
                    }
                    known = version;
                }
                Delivery::NotAPlayer => unreachable!("everyone may ask to follow a game"),
            }
        }
        Err(Nack::Unavailable)
    }

    /// Sends a finished game, and registers the connection for later events. Returns the version and the number of the
    /// events sent.
    async fn show(
        &self,
        row: &GameRow,
        outbox: &Outbox,
        player: PlayerId,
        known: Version,
        policy: FollowPolicy,
        requester: Requester,
    ) -> Result<(Version, usize), Nack> {
        let audience = may_read(row, Some(player))?;
        if audience == Audience::Players {
            outbox.mark_player();
        } else if policy == FollowPolicy::Players {
            return Err(Nack::Overloaded);
        }
        let Shared { archive, spectators, dependencies, .. } = &*self.0;
        let archived = archive.get(row, requester).await?;
        let version = archived.version();
        let known = if known > version { Version::NONE } else { known };
        // A registered connection has the whole chat: a new line makes the game's task take the connections over.
        let has_chat = known != Version::NONE && spectators.has(row.id, outbox.id);
        let lines = if has_chat {
            Vec::new()
        } else {
            dependencies.store.chat(row.id, audience, chat::LINES).await.map_err(|_| Nack::Unavailable)?
        };
        let speakers = lines.iter().map(|row| row.line.who);
        dependencies.directory.load(speakers).await.map_err(|_| Nack::Unavailable)?;
        outbox.push(archived.events_frame(known));
        let seats = row.seats.as_ref();
        let shown = lines.into_iter().filter(|row| chat::is_shown(row, archived.reopened_ms()));
        let lines: Vec<_> =
            shown.map(|row| convert::line(row.line, seats, &dependencies.directory)).collect();
        if !lines.is_empty() {
            outbox.send(&ServerMessage::Chat { game: row.id, lines });
        }
        let players = || dependencies.directory.hold(row.id, convert::mentioned(row));
        let here = spectators.add(row.id, Spectator::new(outbox.clone(), player, version), players);
        outbox.send(&ServerMessage::Presence {
            game: row.id,
            first: false,
            second: false,
            spectators: u32::try_from(here).unwrap_or(u32::MAX),
            claim: None,
        });
        Ok((version, (version.get() - known.get()) as usize))
    }

    /// Ends the subscription of a connection.
    pub(crate) async fn unwatch(&self, game: GameId, connection: ConnectionId) {
        // The game may be loaded or evicted in between.
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
        let row = self.0.dependencies.store.game(game).await.map_err(|_| Nack::Unavailable)?;
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
        requester: Requester,
    ) -> Result<Gzipped, Nack> {
        match self
            .ask(game, requester, Purpose::Read(reader), |reply| Message::Read { reader, reply })
            .await?
        {
            Delivery::Answered(document) => {
                let document = document?;
                if document.row.is_over() {
                    return Ok(self.0.archive.get(&document.row, requester).await?.document());
                }
                self.may_read_log(requester)?;
                self.0.archive.document(document, requester).await
            }
            Delivery::NotAPlayer => unreachable!("everyone may ask to read a game"),
            Delivery::Over(row) => Ok(self.0.archive.get(&row, requester).await?.document()),
        }
    }

    /// Returns all events of a game for a reader: the JSON of [`GameEvents`](protocol::GameEvents). They cost the reader
    /// what following the game costs.
    ///
    /// # Errors
    /// The game does not exist, or the reader may not see it.
    pub(crate) async fn events(
        &self,
        game: GameId,
        reader: Option<PlayerId>,
        requester: Requester,
    ) -> Result<Gzipped, Nack> {
        if !reader.is_some_and(|who| self.is_played_by(game, who)) {
            self.may_read_log(requester)?;
        }
        let message = |reply| Message::Events { reader, requester, reply };
        let answered = self.ask(game, requester, Purpose::Read(reader), message).await?;
        match answered {
            Delivery::Answered(events) => {
                let events = events?;
                self.0.archive.work(requester, move || Gzipped::of_text(&events)).await
            }
            Delivery::NotAPlayer => unreachable!("anybody may ask to read a game"),
            Delivery::Over(row) => Ok(self.0.archive.get(&row, requester).await?.events()),
        }
    }

    /// Whether a game in memory is one of this player's. It goes on for its players whatever else their address has read.
    pub(crate) fn is_played_by(&self, game: GameId, player: PlayerId) -> bool {
        self.0.mailbox(game).is_some_and(|mailbox| mailbox.permits().is_player(player))
    }

    /// Returns the record of a game, as far as a reader may see it.
    ///
    /// # Errors
    /// The game has no record, or the reader may not see it.
    pub(crate) async fn record(
        &self,
        game: GameId,
        reader: Option<PlayerId>,
        requester: Requester,
    ) -> Result<WrittenRecord, Nack> {
        match self
            .ask(game, requester, Purpose::Read(reader), |reply| Message::Record { reader, reply })
            .await?
        {
            Delivery::NotAPlayer => unreachable!("everyone may ask to read a game"),
            Delivery::Answered(record) => {
                let record = record?;
                self.0.archive.work(requester, move || WrittenRecord::of(&record)).await
            }
            Delivery::Over(row) => Ok(self.0.archive.get(&row, requester).await?.record()),
        }
    }
}
