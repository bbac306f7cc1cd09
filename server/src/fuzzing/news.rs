//! Messages from other nodes.

use std::{sync::Arc, time::Duration};

use game::ids::{PlayerId, Version};
use protocol::{GameSummary, ServerMessage, Status, Visibility, Watching};
use serde::{Serialize, de::DeserializeOwned};
use store::Memory;
use tokio::time::advance;
use uuid::Uuid;

use super::node::{self, settle};
use crate::{
    cluster::bus::{GameNews, NodeNews},
    env::Env,
    mutes::Mutes,
    net::outbox::{Outbox, Outgoing},
    upkeep::nodes::Node,
};

/// Maximum number of messages of one input, which bounds its running time.
const MAX_NEWS: usize = 40;

/// Reads each line as a message from another node, and applies it as a node does. No message reveals private data to a
/// reader of the lobby.
pub fn news(bytes: &[u8]) {
    node::run(async {
        let store = Arc::<Memory>::default();
        let here = node::Node::start(&Env::of_test(1), &store).await;
        here.tasks.spawn(here.lobby.clone().run(here.stop.clone()));
        let node = Node {
            bus: here.bus.clone(),
            store: store.clone(),
            games: here.games.clone(),
            lobby: here.lobby.clone(),
            presence: here.presence.clone(),
            directory: here.directory.clone(),
            mutes: Mutes::default(),
            has_missed: Arc::default(),
        };
        let (outbox, mut outgoing) = Outbox::open();
        let reader = PlayerId::new(Uuid::from_u128(1));
        here.lobby.watch(reader, &outbox, &*store).await.expect("the store can be read");
        for line in bytes.split(|byte| *byte == b'\n').take(MAX_NEWS) {
            read::<GameNews>(line);
            if let Some(news) = read::<NodeNews>(line) {
                node.apply_remote(news);
            }
            advance(Duration::from_millis(600)).await;
            settle().await;
            drain(reader, &mut outgoing);
        }
        drop(node);
        here.end().await;
    });
}

/// Decodes a message, and checks that encoding and decoding it again changes nothing.
fn read<T: DeserializeOwned + Serialize>(line: &[u8]) -> Option<T> {
    let news: T = serde_json::from_slice(line).ok()?;
    let written = serde_json::to_string(&news).expect("news have string keys only");
    let read: T = serde_json::from_str(&written).expect("an encoded message can be decoded");
    assert_eq!(serde_json::to_string(&read).ok(), Some(written));
    Some(news)
}

/// Checks the frames sent to a reader of the lobby.
fn drain(reader: PlayerId, outgoing: &mut Outgoing) {
    while let Some(frame) = outgoing.next_waiting() {
        outgoing.sent();
        match serde_json::from_str(&frame).expect("a frame is a server message") {
            ServerMessage::Lobby { rooms, live, finished, .. } => {
                rooms.iter().chain(&live).chain(&finished).for_each(|game| is_shown_to(reader, game));
            }
            ServerMessage::LobbyChanged { games, gone: _ } => {
                games.iter().for_each(|game| is_shown_to(reader, game));
            }
            ServerMessage::LobbyCounts { .. } => {}
            other => panic!("{other:?} in the lobby"),
        }
    }
    assert!(outgoing.ending.get().is_none(), "a reader who keeps up is not cut off");
}

fn is_shown_to(reader: PlayerId, game: &GameSummary) {
    let seated = game.seats.iter().flat_map(|seats| [seats.first.id, seats.second.id]);
    if seated.chain([game.creator.id]).any(|player| player == reader) {
        return;
    }
    assert_eq!(game.visibility, Visibility::Public, "{game:?}");
    let is_hidden = matches!(game.status, Status::Playing | Status::Finished | Status::Aborted);
    assert!(game.watching == Watching::Everybody || !is_hidden, "{game:?}");
    let is_behind = game.status == Status::Playing && game.delay.get() > 0;
    assert!(!is_behind || (game.version, game.turn) == (Version::NONE, None), "{game:?}");
}
