use std::collections::{HashMap, HashSet};

use axum::extract::ws::Utf8Bytes;

use crate::{
    ids::{GameId, PlayerId},
    metrics::{Counted, METRICS},
    outbox::{ConnectionId, Outbox, frame},
    protocol::{Fault, ServerMessage},
};

/// The connections that follow a game. If the game's task ends while somebody watches, they are told to ask
/// again: a fault here never leaves a board that stands still in silence.
#[derive(Debug)]
pub(super) struct Watchers {
    game: GameId,
    readers: HashMap<ConnectionId, Reader>,
}

#[derive(Debug)]
struct Reader {
    outbox: Outbox,
    player: PlayerId,
    _counted: Counted,
}

impl Watchers {
    pub(super) fn new(game: GameId) -> Self {
        Self { game, readers: HashMap::new() }
    }

    /// Clears out the connections that broke.
    pub(super) fn prune(&mut self) {
        self.readers.retain(|_, reader| !reader.outbox.is_closed());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.readers.is_empty()
    }

    pub(super) fn add(&mut self, outbox: Outbox, player: PlayerId) {
        let _counted = Counted::in_gauge(&METRICS.watches);
        self.readers.insert(outbox.id, Reader { outbox, player, _counted });
    }

    pub(super) fn remove(&mut self, connection: ConnectionId) {
        self.readers.remove(&connection);
    }

    /// Who is here, each once.
    pub(super) fn players(&self) -> HashSet<PlayerId> {
        self.readers.values().map(|reader| reader.player).collect()
    }

    /// Takes note of who plays: somebody who looked at an open room may just have joined it.
    pub(super) fn note_players(&self, players: [PlayerId; 2]) {
        let playing = self.readers.values().filter(|reader| players.contains(&reader.player));
        playing.for_each(|reader| reader.outbox.note_player());
    }

    /// Sends the same bytes to all.
    pub(super) fn send(&mut self, message: &ServerMessage) {
        self.send_to(message, |_, _| true);
    }

    /// Sends the same bytes to those connections of players that are wanted.
    pub(super) fn send_to(
        &mut self,
        message: &ServerMessage,
        wanted: impl Fn(ConnectionId, PlayerId) -> bool,
    ) {
        let mut encoded: Option<Utf8Bytes> = None;
        self.readers.retain(|id, reader| {
            if !wanted(*id, reader.player) {
                return true;
            }
            let bytes = encoded.get_or_insert_with(|| frame(message));
            reader.outbox.push(bytes.clone())
        });
    }

    /// Sends the others away with a last message.
    pub(super) fn keep(&mut self, message: &ServerMessage, kept: impl Fn(PlayerId) -> bool) {
        self.send_to(message, |_, player| !kept(player));
        self.readers.retain(|_, reader| kept(reader.player));
    }
}

impl Drop for Watchers {
    fn drop(&mut self) {
        self.send(&ServerMessage::Error { why: Fault::Unavailable { game: self.game } });
    }
}
