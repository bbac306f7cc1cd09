//! Who looks at the lobby.

use std::collections::HashMap;

use tungstenite::Utf8Bytes;

use super::players;
use crate::{
    ids::PlayerId,
    outbox::{ConnectionId, Outbox, frame},
    protocol::{GameSummary, ServerMessage},
};

/// The connections that follow the lobby, by player.
#[derive(Debug, Default)]
pub(super) struct Readers(HashMap<PlayerId, HashMap<ConnectionId, Outbox>>);

impl Readers {
    pub(super) fn add(&mut self, player: PlayerId, outbox: Outbox) {
        self.0.entry(player).or_default().insert(outbox.id, outbox);
    }

    pub(super) fn remove(&mut self, player: PlayerId, connection: ConnectionId) {
        if let Some(outboxes) = self.0.get_mut(&player) {
            outboxes.remove(&connection);
            if outboxes.is_empty() {
                self.0.remove(&player);
            }
        }
    }

    /// Tells everybody.
    pub(super) fn tell(&mut self, message: &ServerMessage) {
        if !self.0.is_empty() {
            let frame = frame(message);
            self.0.retain(|_, outboxes| push(outboxes, &frame));
        }
    }

    /// Tells those who play in a game of its new row.
    pub(super) fn tell_players(&mut self, game: &GameSummary) {
        let players = players(game);
        if players.iter().any(|player| self.0.contains_key(player)) {
            let frame = frame(&ServerMessage::LobbyChanged { game: game.clone() });
            self.0.retain(|player, outboxes| !players.contains(player) || push(outboxes, &frame));
        }
    }

    /// Tells those who do not play in a game.
    pub(super) fn tell_others(&mut self, game: &GameSummary, message: &ServerMessage) {
        if !self.0.is_empty() {
            let (frame, players) = (frame(message), players(game));
            self.0.retain(|player, outboxes| players.contains(player) || push(outboxes, &frame));
        }
    }
}

/// Queues a frame on all connections; tells whether any is left that takes frames.
fn push(outboxes: &mut HashMap<ConnectionId, Outbox>, frame: &Utf8Bytes) -> bool {
    outboxes.retain(|_, outbox| outbox.push(frame.clone()));
    !outboxes.is_empty()
}
