//! The readers of the lobby, and of news of a player's own turns.

use std::collections::{HashMap, HashSet};

use game::ids::{GameId, PlayerId};
use protocol::ServerMessage;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use store::GameRow;
use tungstenite::Utf8Bytes;

use super::{diff::News, for_others, players};
use crate::{
    convert,
    directory::Directory,
    net::outbox::{ConnectionId, Outbox, frame},
};

/// Subscribed connections by player.
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
    pub(super) fn send_to_players(&mut self, game: &GameRow, directory: &Directory) {
        for player in players(game) {
            self.send_to(player, game, directory);
        }
    }

    /// Sends a game's new row to a player.
    pub(super) fn send_to(&mut self, player: PlayerId, game: &GameRow, directory: &Directory) {
        if self.0.contains_key(&player) {
            let games = vec![convert::summary(game.clone(), directory)];
            self.tell(player, &ServerMessage::LobbyChanged { games, gone: vec![] });
        }
    }

    /// Sends a message to the players of a game.
    pub(super) fn tell_players(&mut self, game: &GameRow, message: &ServerMessage) {
        for player in players(game) {
            self.tell(player, message);
        }
    }

    fn tell(&mut self, player: PlayerId, message: &ServerMessage) {
        if let Some(outboxes) = self.0.get_mut(&player)
            && !push(outboxes, &frame(message))
        {
            self.0.remove(&player);
        }
    }

    /// Sends all readers the changes, except those of their own games, which they were sent at once.
    pub(super) fn broadcast_news(&mut self, news: &EncodedNews) {
        self.0.retain(|player, outboxes| match news.frame_for(*player) {
            Some(frame) => push(outboxes, &frame),
            None => true,
        });
    }

    /// Whether there are no readers.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Changes as JSON: each row is encoded once, however many readers get it.
#[derive(Debug)]
pub(super) struct EncodedNews {
    rows: Vec<(Vec<PlayerId>, Box<RawValue>)>,
    gone: Vec<GameId>,
    /// The frame for readers without a game among the rows.
    all: Utf8Bytes,
    involved: HashSet<PlayerId>,
}

/// The message [`LobbyChanged`](ServerMessage::LobbyChanged), of which the rows are encoded already.
#[derive(Serialize)]
struct LobbyChangedMessage<'a> {
    r#type: &'static str,
    games: Vec<&'a RawValue>,
    gone: &'a [GameId],
}

impl EncodedNews {
    /// Encodes changes; `None` if there are none.
    pub(super) fn of(News { games, gone, .. }: News, directory: &Directory) -> Option<Self> {
        if games.is_empty() && gone.is_empty() {
            return None;
        }
        let encoded = |row| to_raw_value(&for_others(row, directory)).expect("rows have string keys only");
        let rows: Vec<_> = games.iter().map(|row| (players(row), encoded(row))).collect();
        let all = changed(rows.iter().map(|(_, row)| &**row).collect(), &gone);
        let involved = rows.iter().flat_map(|(players, _)| players).copied().collect();
        Some(Self { rows, gone, all, involved })
    }

    /// Returns the frame for a reader; `None` if all changes are of the reader's own games.
    fn frame_for(&self, player: PlayerId) -> Option<Utf8Bytes> {
        if !self.involved.contains(&player) {
            return Some(self.all.clone());
        }
        let of_others = self.rows.iter().filter(|(players, _)| !players.contains(&player));
        let games: Vec<&RawValue> = of_others.map(|(_, row)| &**row).collect();
        let is_news = !games.is_empty() || !self.gone.is_empty();
        is_news.then(|| changed(games, &self.gone))
    }
}

fn changed(games: Vec<&RawValue>, gone: &[GameId]) -> Utf8Bytes {
    let message = LobbyChangedMessage { r#type: "lobby_changed", games, gone };
    serde_json::to_string(&message).expect("messages have string keys only").into()
}

/// Queues a frame on all connections. Returns whether any open one is left.
fn push(outboxes: &mut HashMap<ConnectionId, Outbox>, frame: &Utf8Bytes) -> bool {
    outboxes.retain(|_, outbox| outbox.push(frame.clone()));
    !outboxes.is_empty()
}
