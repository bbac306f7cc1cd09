//! The readers of a game, and broadcasts to them.

use std::collections::{HashMap, hash_map::Entry};

use game::ids::{GameId, PlayerId, Version};
use protocol::{Fault, ServerMessage};
use tungstenite::Utf8Bytes;

use crate::{
    metrics::{Counted, METRICS},
    net::{
        address::{Address, Network},
        outbox::{ConnectionId, Outbox, Playing, frame},
    },
};

/// The connections that follow a game. If the game's task ends before they unsubscribe, they are told to request again,
/// so that no board silently stops updating.
#[derive(Debug)]
pub(super) struct Readers {
    game: GameId,
    readers: HashMap<ConnectionId, Reader>,
    /// The players of the connections.
    visitors: Visitors,
    /// The players of the game while it is under way.
    playing: Option<[PlayerId; 2]>,
}

#[derive(Debug)]
struct Reader {
    outbox: Outbox,
    player: PlayerId,
    /// Address of the connection; `None` if it was subscribed before the game was loaded.
    address: Option<Address>,
    /// Version up to which it was sent the game.
    known: Version,
    playing: Option<Playing>,
    _counted: Counted,
}

/// Events that some readers are sent in the same frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Missing {
    /// Version up to which these readers have the game.
    pub(super) known: Version,
    /// Version up to which they may see it.
    pub(super) shown: Version,
    /// Whether they see the game some turns late.
    pub(super) is_late: bool,
    /// Whether they see the draft of the turn under way.
    pub(super) has_draft: bool,
}

/// The present players, with the number of connections of each; never 0.
#[derive(Debug, Default)]
pub(super) struct Visitors(HashMap<PlayerId, usize>);

impl Visitors {
    /// Whether a player is present.
    pub(super) fn contains(&self, player: PlayerId) -> bool {
        self.0.contains_key(&player)
    }

    /// Number of players.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    fn enter(&mut self, player: PlayerId) {
        *self.0.entry(player).or_default() += 1;
    }

    fn leave(&mut self, player: PlayerId) {
        if let Entry::Occupied(mut connections) = self.0.entry(player) {
            *connections.get_mut() -= 1;
            if *connections.get() == 0 {
                connections.remove();
            }
        }
    }
}

impl Readers {
    /// Returns the readers of a game, of which there are none yet.
    pub(super) fn new(game: GameId) -> Self {
        Self { game, readers: HashMap::new(), visitors: Visitors::default(), playing: None }
    }

    /// Removes broken connections.
    pub(super) fn prune(&mut self) {
        self.retain(|_, reader| !reader.outbox.is_closed());
    }

    /// Whether there are no readers.
    pub(super) fn is_empty(&self) -> bool {
        self.readers.is_empty()
    }

    /// Whether a connection is subscribed.
    pub(super) fn has(&self, connection: ConnectionId) -> bool {
        self.readers.contains_key(&connection)
    }

    /// Subscribes a player's connection, which was sent the game up to `known`.
    pub(super) fn add(&mut self, outbox: Outbox, player: PlayerId, address: Option<Address>, known: Version) {
        self.remove(outbox.id);
        self.visitors.enter(player);
        let plays = self.playing.is_some_and(|players| players.contains(&player));
        let playing = plays.then(|| outbox.begin_playing());
        let _counted = Counted::in_gauge(&METRICS.watches);
        self.readers.insert(outbox.id, Reader { outbox, player, address, known, playing, _counted });
    }

    /// Unsubscribes a connection, if it is subscribed.
    pub(super) fn remove(&mut self, connection: ConnectionId) {
        if let Some(reader) = self.readers.remove(&connection) {
            self.visitors.leave(reader.player);
        }
    }

    /// Removes all connections without a message. Each has its player, and the version up to which it was sent the game.
    pub(super) fn take(&mut self) -> Vec<(Outbox, PlayerId, Version)> {
        self.visitors = Visitors::default();
        self.readers.drain().map(|(_, reader)| (reader.outbox, reader.player, reader.known)).collect()
    }

    /// Bytes of memory that the readers take, without their connections.
    pub(super) fn n_bytes(&self) -> usize {
        let visitors = self.visitors.0.capacity() * size_of::<(PlayerId, usize)>();
        self.readers.capacity() * size_of::<(ConnectionId, Reader)>() + visitors
    }

    /// The present players.
    pub(super) const fn visitors(&self) -> &Visitors {
        &self.visitors
    }

    /// Returns the common subscriber of all connections of these players; `None` if they have none, or several.
    pub(super) fn subscriber_of(&self, players: [PlayerId; 2]) -> Option<Network> {
        let subscribers = self.readers.values().filter(|reader| players.contains(&reader.player));
        let mut subscribers = subscribers.map(|reader| reader.address.map(Address::subscriber));
        let first = subscribers.next()??;
        subscribers.all(|other| other == Some(first)).then_some(first)
    }

    /// Marks the connections of the players: a spectator of an open room may just have joined it.
    pub(super) fn mark_players(&self, players: [PlayerId; 2]) {
        let playing = self.readers.values().filter(|reader| players.contains(&reader.player));
        playing.for_each(|reader| reader.outbox.mark_player());
    }

    /// Sets the players of the game while it is under way; `None` before and after that.
    pub(super) fn set_playing(&mut self, players: Option<[PlayerId; 2]>) {
        if self.playing == players {
            return;
        }
        self.playing = players;
        for Reader { outbox, player, playing, .. } in self.readers.values_mut() {
            let plays = players.is_some_and(|players| players.contains(player));
            *playing = plays.then(|| outbox.begin_playing());
        }
    }

    /// Sends a message to all connections.
    pub(super) fn send(&mut self, message: &ServerMessage) {
        self.send_to(message, |_, _| true);
    }

    /// Sends a message to the wanted connections.
    pub(super) fn send_to(
        &mut self,
        message: &ServerMessage,
        wanted: impl Fn(ConnectionId, PlayerId) -> bool,
    ) {
        let mut bytes = None;
        self.retain(|id, reader| {
            !wanted(id, reader.player)
                || reader.outbox.push(bytes.get_or_insert_with(|| frame(message)).clone())
        });
    }

    /// Sends each connection its missing events, if it lacks any. A frame is encoded once for all that lack the same.
    /// Events make a queued draft obsolete.
    pub(super) fn send_events(
        &mut self,
        missing: impl Fn(PlayerId, Version) -> Option<Missing>,
        frame_of: impl Fn(Missing) -> Utf8Bytes,
    ) {
        let game = self.game;
        let mut encoded: Vec<(Missing, Utf8Bytes)> = Vec::new();
        self.retain(|_, reader| {
            let Some(missing) = missing(reader.player, reader.known) else { return true };
            let bytes = match encoded.iter().find(|(of, _)| *of == missing) {
                Some((_, bytes)) => bytes.clone(),
                None => {
                    let bytes = frame_of(missing);
                    encoded.push((missing, bytes.clone()));
                    bytes
                }
            };
            reader.known = missing.shown;
            reader.outbox.push_events(game, bytes)
        });
    }

    /// Sends a draft of the game to the wanted connections. It replaces a queued one.
    pub(super) fn send_draft(
        &mut self,
        draft: &ServerMessage,
        wanted: impl Fn(ConnectionId, PlayerId) -> bool,
    ) {
        let (game, bytes) = (self.game, frame(draft));
        self.retain(|id, reader| !wanted(id, reader.player) || reader.outbox.push_draft(game, bytes.clone()));
    }

    /// Sends a last message to all other connections and removes them.
    pub(super) fn keep(&mut self, message: &ServerMessage, kept: impl Fn(PlayerId) -> bool) {
        self.send_to(message, |_, player| !kept(player));
        self.retain(|_, reader| kept(reader.player));
    }

    fn retain(&mut self, mut kept: impl FnMut(ConnectionId, &mut Reader) -> bool) {
        let visitors = &mut self.visitors;
        self.readers.retain(|id, reader| {
            let is_kept = kept(*id, reader);
            if !is_kept {
                visitors.leave(reader.player);
            }
            is_kept
        });
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.send(&ServerMessage::Error { why: Fault::Unavailable { game: self.game } });
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    use uuid::Uuid;

    use super::*;
    use crate::net::outbox::Outgoing;

    const PLAYERS: u128 = 5;

    fn player(number: u128) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number))
    }

    /// A connection to the game.
    struct Connection {
        outbox: Outbox,
        player: PlayerId,
        /// Dropped when the connection breaks.
        outgoing: Option<Outgoing>,
        is_known: bool,
    }

    /// Marks connections that the game must forget.
    fn mark_unknown(all: &mut [Connection], which: impl Fn(&Connection) -> bool) {
        for connection in all.iter_mut().filter(|connection| which(connection)) {
            connection.is_known = false;
        }
    }

    #[test]
    fn visitors_are_the_players_with_a_connection_after_any_connects_and_breaks() {
        let mut chance = StdRng::seed_from_u64(5);
        for _ in 0..300 {
            let mut readers = Readers::new(GameId::new(Uuid::from_u128(1)));
            let mut all: Vec<Connection> = Vec::new();
            for _ in 0..60 {
                let some = player(chance.random_range(0..PLAYERS));
                let which = chance.random_range(0..all.len().max(1));
                match (chance.random_range(0..9), all.get_mut(which)) {
                    (0..=2, _) | (_, None) => {
                        let (outbox, outgoing) = Outbox::open();
                        readers.add(outbox.clone(), some, None, Version::NONE);
                        all.push(Connection {
                            outbox,
                            player: some,
                            outgoing: Some(outgoing),
                            is_known: true,
                        });
                    }
                    (3, Some(connection)) => {
                        readers.add(connection.outbox.clone(), connection.player, None, Version::NONE);
                        connection.is_known = true;
                    }
                    (4, Some(connection)) => {
                        readers.remove(connection.outbox.id);
                        connection.is_known = false;
                    }
                    (5, Some(connection)) => connection.outgoing = None,
                    (6, Some(_)) => {
                        readers.prune();
                        mark_unknown(&mut all, |connection| connection.outgoing.is_none());
                    }
                    (7, Some(_)) => {
                        readers.send_to(&ServerMessage::Pong { now_ms: 0 }, |_, who| who == some);
                        mark_unknown(&mut all, |connection| {
                            connection.outgoing.is_none() && connection.player == some
                        });
                    }
                    (_, Some(_)) => {
                        readers.keep(&ServerMessage::Pong { now_ms: 0 }, |who| who != some);
                        mark_unknown(&mut all, |connection| connection.player == some);
                    }
                }
                let mut expected: HashMap<PlayerId, usize> = HashMap::new();
                for connection in all.iter().filter(|connection| connection.is_known) {
                    *expected.entry(connection.player).or_default() += 1;
                }
                assert_eq!(readers.visitors.0, expected);
                assert_eq!(readers.readers.len(), expected.values().sum::<usize>());
            }
        }
    }

    #[test]
    fn connections_that_lack_the_same_share_the_bytes_of_a_frame_and_are_sent_it_once() {
        let mut all = Readers::new(GameId::new(Uuid::from_u128(1)));
        let mut readers: Vec<(u128, Outgoing)> = (0..9)
            .map(|number| {
                let (outbox, outgoing) = Outbox::open();
                all.add(outbox, player(number), None, Version::new(number as u32 % 3));
                (number, outgoing)
            })
            .collect();
        let shown = Version::new(2);
        let missing =
            |_, known| (known < shown).then_some(Missing { known, shown, is_late: false, has_draft: false });
        for _ in 0..2 {
            all.send_events(missing, |missing| missing.known.get().to_string().into());
        }
        let frames: Vec<(u128, Option<Utf8Bytes>)> =
            readers.iter_mut().map(|(number, outgoing)| (*number % 3, outgoing.next_waiting())).collect();
        for (known, frame) in &frames {
            let expected = (*known != 2).then(|| known.to_string());
            assert_eq!(frame.as_ref().map(|frame| frame.to_string()), expected);
        }
        for known in [0, 1] {
            let of_same = frames.iter().filter(|(of, _)| *of == known);
            let mut bytes = of_same.map(|(_, frame)| frame.as_ref().unwrap().as_ptr());
            let first = bytes.next().unwrap();
            assert!(bytes.all(|other| other == first), "encoded once");
        }
        assert!(readers.iter_mut().all(|(_, outgoing)| outgoing.next_waiting().is_none()));
    }
}
