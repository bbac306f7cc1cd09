//! The readers of the lobby.

use std::collections::{HashMap, HashSet};

use game::ids::PlayerId;
use protocol::ServerMessage;
use store::GameRow;
use tungstenite::Utf8Bytes;

use super::{for_others, players, told::News};
use crate::{
    edge,
    net::outbox::{ConnectionId, Outbox, frame},
};

/// The connections that follow the lobby, by player.
#[derive(Debug, Default)]
pub(super) struct Readers(HashMap<PlayerId, HashMap<ConnectionId, Outbox>>);

impl Readers {
    /// Subscribes a player's connection.
    pub(super) fn add(&mut self, player: PlayerId, outbox: Outbox) {
        self.0.entry(player).or_default().insert(outbox.id, outbox);
    }

    /// Unsubscribes a connection, if it is subscribed.
    pub(super) fn remove(&mut self, player: PlayerId, connection: ConnectionId) {
        if let Some(outboxes) = self.0.get_mut(&player) {
            outboxes.remove(&connection);
            if outboxes.is_empty() {
                self.0.remove(&player);
            }
        }
    }

    /// Sends a message to all readers.
    pub(super) fn broadcast(&mut self, message: &ServerMessage) {
        if !self.0.is_empty() {
            let frame = frame(message);
            self.0.retain(|_, outboxes| push(outboxes, &frame));
        }
    }

    /// Sends a game's new row to its players.
    pub(super) fn send_to_players(&mut self, game: &GameRow) {
        let players = players(game);
        if players.iter().any(|player| self.0.contains_key(player)) {
            let frame = frame(&ServerMessage::LobbyChanged {
                games: vec![edge::summary(game.clone())],
                gone: vec![],
            });
            self.0.retain(|player, outboxes| !players.contains(player) || push(outboxes, &frame));
        }
    }

    /// Sends all readers the changes, except those of their own games, which they were sent at once.
    pub(super) fn broadcast_news(&mut self, News { games, gone, .. }: News) {
        if self.0.is_empty() || (games.is_empty() && gone.is_empty()) {
            return;
        }
        let involved: HashSet<PlayerId> = games.iter().flat_map(players).collect();
        let rest_for = |player: PlayerId| {
            let others = games.iter().filter(|game| !players(game).contains(&player));
            let (games, gone) = (others.map(for_others).collect::<Vec<_>>(), gone.clone());
            let is_news = !games.is_empty() || !gone.is_empty();
            is_news.then(|| frame(&ServerMessage::LobbyChanged { games, gone }))
        };
        let games_of_others = games.iter().map(for_others).collect();
        let all = frame(&ServerMessage::LobbyChanged { games: games_of_others, gone: gone.clone() });
        self.0.retain(|player, outboxes| {
            if involved.contains(player) {
                rest_for(*player).is_none_or(|rest| push(outboxes, &rest))
            } else {
                push(outboxes, &all)
            }
        });
    }

    /// Whether there are no readers.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Queues a frame on all connections. Returns whether any open one is left.
fn push(outboxes: &mut HashMap<ConnectionId, Outbox>, frame: &Utf8Bytes) -> bool {
    outboxes.retain(|_, outbox| outbox.push(frame.clone()));
    !outboxes.is_empty()
}
