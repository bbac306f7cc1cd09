//! A connection that is subscribed to the game. It is sent everything that its player may see, and nothing else.

use std::fmt;

use game::ids::{PlayerId, Version};
use protocol::ServerMessage;
use serde_json::Value;
use store::{Audience, ChatRow};

use super::{Host, oracle::Oracle};
use crate::net::outbox::{Outbox, Outgoing};

/// Connection that is subscribed to the game.
pub(super) struct Reader {
    pub(super) node: usize,
    pub(super) who: PlayerId,
    pub(super) outbox: Outbox,
    outgoing: Outgoing,
    /// Last version that was sent.
    known: usize,
    /// Number of failed commits when the connection subscribed.
    n_failures: usize,
    pub(super) is_gone: bool,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, who, known, .. } = self;
        write!(f, "{who} (connected to node {node}, at version {known})")
    }
}

impl Reader {
    pub(super) fn new(host: &Host, node: usize, who: PlayerId, from: Version) -> Self {
        let (outbox, outgoing) = Outbox::open();
        let n_failures = host.store.n_failures();
        Self { node, who, outbox, outgoing, known: from.get() as usize, n_failures, is_gone: false }
    }

    /// Reads and checks the frames sent.
    pub(super) fn drain(&mut self, host: &Host, oracle: &Oracle, lines: &[ChatRow]) {
        while let Some(frame) = self.outgoing.next_waiting() {
            self.outgoing.sent();
            assert!(!self.is_gone, "a connection whose subscription has ended is sent {frame}");
            if let Some(secret) = oracle.secret() {
                assert!(!frame.contains(&secret), "the seed leaks: {frame}");
            }
            serde_json::from_str::<ServerMessage>(&frame).expect("a frame is a server message");
            let frame: Value = serde_json::from_str(&frame).expect("a frame is JSON");
            self.read(host, oracle, lines, &frame);
        }
        assert!(self.outgoing.ending.get().is_none(), "a reader who keeps up is not cut off");
    }

    fn read(&mut self, host: &Host, oracle: &Oracle, lines: &[ChatRow], frame: &Value) {
        match frame["type"].as_str().expect("a message has a type") {
            "events" => self.take(oracle, frame),
            "draft" => {
                let version = frame["version"].as_u64().expect("a version") as usize;
                assert!(
                    frame["draft"].is_null() || oracle.sees_drafts(self.who, version),
                    "{self:?} is shown {frame}"
                );
            }
            "chat" => {
                for line in frame["lines"].as_array().expect("lines") {
                    let row = lines.iter().find(|row| line["id"] == row.line.id.to_string());
                    let is_right = match row.expect("a line that is shown is stored").audience {
                        // The node may not have read yet that the second player joined or left.
                        Audience::Players => oracle.is_player(self.who) || oracle.state.has_left(self.who),
                        Audience::Spectators => !oracle.is_player_at(self.known, self.who),
                    };
                    assert!(is_right, "{self:?} is shown {line}");
                }
            }
            "presence" => {}
            "error" if frame["code"] == "private" => {
                assert!(oracle.is_hidden_from(self.who), "the subscription of {self:?} is ended");
                self.is_gone = true;
            }
            "error" if frame["code"] == "unavailable" => {
                assert!(host.store.n_failures() > self.n_failures, "a task ended without a cause");
                self.is_gone = true;
            }
            _ => panic!("{self:?} is sent {frame}"),
        }
    }

    /// Checks events, and the position and draft after them.
    fn take(&mut self, oracle: &Oracle, frame: &Value) {
        let events = frame["events"].as_array().expect("events");
        let version = frame["version"].as_u64().expect("a version") as usize;
        // If all of the game is sent, the reader begins again.
        let known = if version == events.len() { 0 } else { self.known };
        assert_eq!(known + events.len(), version, "events follow one another: {frame}");
        for (event, version) in events.iter().zip(known + 1..) {
            assert!(version <= oracle.n_events(), "a sent event is stored: {event}");
            assert_eq!(event["at_ms"], oracle.events[version - 1].at_ms);
            let kind = event["type"].as_str().unwrap_or("turn_played");
            assert_eq!(kind, oracle.moment(version).kind);
        }
        assert!(version <= oracle.last_shown_to(self.who), "{self:?} is shown version {version}");
        assert_eq!(frame["position"], *oracle.moment(version).position, "{self:?} at version {version}");
        self.known = version;
        assert!(
            frame["draft"].is_null() || oracle.sees_drafts(self.who, version),
            "{self:?} is shown {frame}"
        );
    }

    /// Whether the reader has been sent all events that it may see.
    pub(super) fn is_up_to_date(&self, oracle: &Oracle) -> bool {
        self.known == oracle.last_shown_to(self.who)
    }
}

/// Checks that a reader may see a document.
pub(super) fn shown(oracle: &Oracle, who: PlayerId, document: &Value) {
    let (events, present, mut known) = (&document["events"], &document["present"], 0);
    for event in events.as_array().expect("events") {
        known += 1;
        assert_eq!(event["version"], known, "events follow one another");
        assert!(known <= oracle.n_events(), "a sent event is stored: {event}");
        assert_eq!(event["at_ms"], oracle.events[known - 1].at_ms);
        assert_eq!(event["type"], oracle.moment(known).kind);
    }
    assert!(known <= oracle.last_shown_to(who), "{who} is shown version {known}");
    assert_eq!(present["version"], known);
    let position = &oracle.moment(known).position;
    assert_eq!(present["turn"]["position"], **position, "{who} at version {known}");
}
