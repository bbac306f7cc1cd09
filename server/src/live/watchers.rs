use std::collections::HashMap;

use crate::{
    ids::GameId,
    outbox::{ConnectionId, Outbox, frame},
    protocol::{Fault, ServerMessage},
};

/// The connections that follow a game. If the game's task ends while somebody watches, they are told to ask
/// again: a fault here never leaves a board that stands still in silence.
#[derive(Debug)]
pub(super) struct Watchers {
    game: GameId,
    outboxes: HashMap<ConnectionId, Outbox>,
}

impl Watchers {
    pub(super) fn new(game: GameId) -> Self {
        Self { game, outboxes: HashMap::new() }
    }

    /// Whether nobody is left; connections that broke are cleared out.
    pub(super) fn are_gone(&mut self) -> bool {
        self.outboxes.retain(|_, outbox| !outbox.is_closed());
        self.outboxes.is_empty()
    }

    pub(super) fn add(&mut self, outbox: Outbox) {
        self.outboxes.insert(outbox.id, outbox);
    }

    pub(super) fn remove(&mut self, connection: ConnectionId) {
        self.outboxes.remove(&connection);
    }

    /// Sends the same bytes to all.
    pub(super) fn send(&mut self, message: &ServerMessage) {
        if self.outboxes.is_empty() {
            return;
        }
        let frame = frame(message);
        self.outboxes.retain(|_, outbox| outbox.push(frame.clone()));
    }

    /// Sends the same bytes to all but one.
    pub(super) fn send_to_others(&mut self, except: ConnectionId, message: &ServerMessage) {
        let frame = frame(message);
        self.outboxes.retain(|id, outbox| *id == except || outbox.push(frame.clone()));
    }
}

impl Drop for Watchers {
    fn drop(&mut self) {
        self.send(&ServerMessage::Error { why: Fault::Unavailable { game: self.game } });
    }
}
