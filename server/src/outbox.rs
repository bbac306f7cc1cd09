//! What waits to be sent on one connection: a bounded queue, filled by games and the lobby, emptied by the
//! socket. Nobody ever waits for a slow reader.

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{SetOnce, mpsc};

use crate::protocol::ServerMessage;

/// Frames that may wait for one connection. A reader this far behind is dropped, and resumes from its versions.
pub(crate) const WAITING_FRAMES: usize = 256;

/// Bytes that may wait for one connection, a single frame aside: a long game is one large frame, and whoever asks
/// for it again and again without reading must not fill the memory.
pub(crate) const WAITING_BYTES: usize = 4 * 1024 * 1024;

/// Names a connection within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(u64);

impl std::fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Seconds after which it is worth to come back to a server that goes down: to another node, or to this one started
/// again.
pub(crate) const COME_BACK_AFTER_S: u32 = 1;

/// Why the server ends a connection, with its WebSocket close code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// The client read too slowly: [`WAITING_FRAMES`] or [`WAITING_BYTES`] were waiting.
    TooSlow,
    /// The server stops; it is back soon.
    GoingDown,
    /// The client sent what no honest one sends: a frame too large, or a flood that went on.
    Misuse,
}

impl Farewell {
    /// The close code and its reason.
    pub const fn close_code(self) -> (u16, &'static str) {
        match self {
            Self::TooSlow => (4001, "too slow"),
            Self::GoingDown => (4002, "going down"),
            Self::Misuse => (4003, "misuse"),
        }
    }

    /// What the close frame says: the reason, and when to come back where that is known.
    pub fn words(self) -> String {
        let (_, reason) = self.close_code();
        match self {
            Self::GoingDown => format!("{reason}, come back in {COME_BACK_AFTER_S} s"),
            Self::TooSlow | Self::Misuse => reason.to_owned(),
        }
    }
}

/// The sending end of a connection's queue; copies of it fill the same queue.
#[derive(Clone, Debug)]
pub struct Outbox {
    pub id: ConnectionId,
    frames: mpsc::Sender<Utf8Bytes>,
    waiting_bytes: Arc<AtomicUsize>,
    ending: Arc<SetOnce<Farewell>>,
}

/// The receiving end.
#[derive(Debug)]
pub struct Outgoing {
    frames: mpsc::Receiver<Utf8Bytes>,
    waiting_bytes: Arc<AtomicUsize>,
    /// Set when the connection is to end.
    pub ending: Arc<SetOnce<Farewell>>,
}

impl Outgoing {
    /// The next frame to send; `None` when nobody can queue one any more.
    pub async fn next(&mut self) -> Option<Utf8Bytes> {
        let frame = self.frames.recv().await?;
        self.waiting_bytes.fetch_sub(frame.len(), Ordering::Relaxed);
        Some(frame)
    }

    /// The next frame, if one is waiting.
    pub fn next_waiting(&mut self) -> Option<Utf8Bytes> {
        let frame = self.frames.try_recv().ok()?;
        self.waiting_bytes.fetch_sub(frame.len(), Ordering::Relaxed);
        Some(frame)
    }
}

/// A message as it goes on the wire.
pub(crate) fn frame(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages have string keys only").into()
}

impl Outbox {
    /// Both ends of the queue of a new connection.
    pub fn open() -> (Self, Outgoing) {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let id = ConnectionId(OPENED.fetch_add(1, Ordering::Relaxed));
        let (sender, frames) = mpsc::channel(WAITING_FRAMES);
        let (waiting_bytes, ending) = (Arc::<AtomicUsize>::default(), Arc::new(SetOnce::new()));
        let outgoing = Outgoing { frames, waiting_bytes: waiting_bytes.clone(), ending: ending.clone() };
        (Self { id, frames: sender, waiting_bytes, ending }, outgoing)
    }

    /// Queues a message; see [`Self::push`].
    pub fn send(&self, message: &ServerMessage) {
        self.push(frame(message));
    }

    /// Queues a frame. If the queue is full the frame is lost and the connection ends: a reader must never miss
    /// one and go on. Tells whether the connection still is worth sending to.
    pub fn push(&self, frame: Utf8Bytes) -> bool {
        let n_bytes = frame.len();
        let waiting = self.waiting_bytes.fetch_add(n_bytes, Ordering::Relaxed);
        if waiting > 0 && waiting + n_bytes > WAITING_BYTES {
            self.end(Farewell::TooSlow);
            return false;
        }
        match self.frames.try_send(frame) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.end(Farewell::TooSlow);
                false
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }

    /// Whether the connection is no more.
    pub fn is_closed(&self) -> bool {
        self.frames.is_closed()
    }

    /// Ends the connection; the first reason given is the one that is told.
    pub fn end(&self, farewell: Farewell) {
        let _ = self.ending.set(farewell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame_of(n_bytes: usize) -> Utf8Bytes {
        "x".repeat(n_bytes).into()
    }

    #[tokio::test]
    async fn a_reader_that_is_too_many_frames_behind_is_dropped() {
        let (outbox, outgoing) = Outbox::open();
        assert!((0..WAITING_FRAMES).all(|_| outbox.push(frame_of(1))));
        assert!(!outbox.push(frame_of(1)));
        assert_eq!(*outgoing.ending.wait().await, Farewell::TooSlow);
    }

    #[tokio::test]
    async fn a_reader_that_is_too_many_bytes_behind_is_dropped_but_one_large_frame_is_sent() {
        let (outbox, mut outgoing) = Outbox::open();
        assert!(outbox.push(frame_of(WAITING_BYTES * 2)), "nothing else waits");
        assert_eq!(outgoing.next().await.map(|frame| frame.len()), Some(WAITING_BYTES * 2));
        assert!(outbox.push(frame_of(WAITING_BYTES)), "what was sent waits no more");
        assert_eq!(outgoing.next_waiting().map(|frame| frame.len()), Some(WAITING_BYTES));
        assert!(outbox.push(frame_of(WAITING_BYTES - 1)), "what was sent with another waits no more");
        assert!(outbox.push(frame_of(1)));
        assert!(!outbox.push(frame_of(1)));
        assert_eq!(*outgoing.ending.wait().await, Farewell::TooSlow);
    }

    #[tokio::test]
    async fn the_first_reason_to_end_is_the_one_that_is_told() {
        let (outbox, outgoing) = Outbox::open();
        outbox.end(Farewell::Misuse);
        outbox.end(Farewell::GoingDown);
        assert_eq!(*outgoing.ending.wait().await, Farewell::Misuse);
    }
}
