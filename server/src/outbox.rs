//! What waits to be sent on one connection: a bounded queue, filled by games and the lobby, emptied by the
//! socket. Nobody ever waits for a slow reader.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::sync::{Notify, SetOnce, mpsc};
use tungstenite::Utf8Bytes;

use crate::{address::Address, protocol::ServerMessage};

/// Frames that may wait for one connection. A reader this far behind is dropped, and resumes from its versions.
pub(crate) const WAITING_FRAMES: usize = 256;

/// Bytes that may wait for one connection, a single frame aside: a long game is one large frame, and whoever asks
/// for it again and again without reading must not fill the memory.
pub(crate) const WAITING_BYTES: usize = 4 * 1024 * 1024;

/// Bytes that may wait for all connections of this node, those that are being sent among them. When there are more,
/// each may let only [`WAITING_WHEN_FULL`] wait, large frames or not.
pub(crate) const WAITING_IN_ALL: usize = 256 * 1024 * 1024;

/// Bytes that wait for all connections from which on the address that has the most of them gives way.
const LARGEST_GIVES_WAY: usize = WAITING_IN_ALL / 4 * 3;

/// Bytes that may wait for one connection when too much waits for its address, or for all.
const WAITING_WHEN_FULL: usize = 16 * 1024;

/// Names a connection within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(u64);

impl ConnectionId {
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

impl std::fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// After how long it is worth to come back to a server that goes down: to another node, or to this one started
/// again.
pub(crate) const COME_BACK_AFTER: Duration = Duration::from_secs(1);

/// Why the server ends a connection, with its WebSocket close code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The client read too slowly: [`WAITING_FRAMES`] or [`WAITING_BYTES`] were waiting.
    TooSlow,
    /// The server stops; it is back soon.
    GoingDown,
    /// The server has more to do than it can carry, and the client watches games in none of which it plays.
    Overloaded,
    /// The client sent what no honest one sends: a frame too large, or a flood that went on.
    Misuse,
    /// The session that the connection was opened with has ended.
    SignedOut,
}

impl CloseReason {
    /// The close code and its reason.
    pub const fn close_code(self) -> (u16, &'static str) {
        match self {
            Self::TooSlow => (4001, "too slow"),
            Self::GoingDown => (4002, "going down"),
            Self::Misuse => (4003, "misuse"),
            Self::Overloaded => (4004, "overloaded"),
            Self::SignedOut => (4005, "signed out"),
        }
    }

    /// What the close frame says: the reason, and when to come back where that is known.
    pub fn close_text(self) -> String {
        let (_, reason) = self.close_code();
        match self {
            Self::GoingDown => format!("{reason}, come back in {} s", COME_BACK_AFTER.as_secs()),
            Self::TooSlow | Self::Misuse | Self::Overloaded | Self::SignedOut => reason.to_owned(),
        }
    }
}

/// The sending end of a connection's queue; copies of it fill the same queue.
#[derive(Clone, Debug)]
pub struct Outbox {
    pub id: ConnectionId,
    frames: mpsc::Sender<Utf8Bytes>,
    waiting: Arc<Waiting>,
    ending: Arc<SetOnce<CloseReason>>,
    plays: Arc<AtomicBool>,
}

/// The outboxes of a node's connections, and the bytes that wait in them.
#[derive(Clone, Debug)]
pub(crate) struct Outboxes(Arc<TotalUsage>);

/// What waits for all connections.
#[derive(Debug)]
struct TotalUsage {
    n_bytes: AtomicUsize,
    /// Bytes that may wait for all connections of one address.
    of_address: usize,
    usages: Mutex<HashMap<Address, Weak<AddressUsage>>>,
}

/// What waits for the connections of one address.
#[derive(Debug)]
struct AddressUsage {
    address: Address,
    n_bytes: AtomicUsize,
    in_all: Arc<TotalUsage>,
    /// Tells that it is too much.
    has_to_give_way: Notify,
}

impl Outboxes {
    /// Counts what waits for connections, and lets so many bytes wait for those of one address.
    pub(crate) fn new(of_address: usize) -> Self {
        Self(Arc::new(TotalUsage { n_bytes: AtomicUsize::new(0), of_address, usages: Mutex::default() }))
    }

    /// Both ends of the queue of a new connection.
    pub(crate) fn open(&self, address: Address) -> (Outbox, Outgoing) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = ConnectionId(NEXT.fetch_add(1, Ordering::Relaxed));
        let waiting = Arc::new(Waiting { here: AtomicUsize::new(0), usage: self.usage(address) });
        let (sender, frames) = mpsc::channel(WAITING_FRAMES);
        let ending = Arc::new(SetOnce::new());
        let outgoing = Outgoing { frames, waiting: waiting.clone(), being_sent: 0, ending: ending.clone() };
        (Outbox { id, frames: sender, waiting, ending, plays: Arc::default() }, outgoing)
    }

    fn usage(&self, address: Address) -> Arc<AddressUsage> {
        let mut usages = self.0.locked();
        if let Some(usage) = usages.get(&address).and_then(Weak::upgrade) {
            return usage;
        }
        let (n_bytes, in_all) = (AtomicUsize::new(0), self.0.clone());
        let usage = Arc::new(AddressUsage { address, n_bytes, in_all, has_to_give_way: Notify::new() });
        usages.insert(address, Arc::downgrade(&usage));
        usage
    }
}

impl TotalUsage {
    /// Has the address give way to which the most waits.
    fn displace(&self) {
        // Dropped after the lock is given back, which the last owner of an usage takes.
        let usages: Vec<_> = self.locked().values().filter_map(Weak::upgrade).collect();
        if let Some(largest) = usages.iter().max_by_key(|usage| usage.n_bytes.load(Ordering::Relaxed)) {
            largest.has_to_give_way.notify_waiters();
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Address, Weak<AddressUsage>>> {
        self.usages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AddressUsage {
    fn drop(&mut self) {
        let mut usages = self.in_all.locked();
        // The address may have come again meanwhile.
        if usages.get(&self.address).is_some_and(|usage| usage.strong_count() == 0) {
            usages.remove(&self.address);
        }
    }
}

/// The bytes that wait for a connection, or are being sent on it.
#[derive(Debug)]
pub(crate) struct Waiting {
    here: AtomicUsize,
    usage: Arc<AddressUsage>,
}

impl Waiting {
    /// Counts a frame. Tells whether so much may wait.
    fn add(&self, n_bytes: usize) -> bool {
        let AddressUsage { n_bytes: of_address, in_all, has_to_give_way, .. } = &*self.usage;
        let before = self.here.fetch_add(n_bytes, Ordering::Relaxed);
        let of_address = of_address.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes;
        let of_all = in_all.n_bytes.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes;
        let here = before + n_bytes;
        if of_address > in_all.of_address {
            has_to_give_way.notify_waiters();
            return here <= WAITING_WHEN_FULL;
        }
        if of_all > LARGEST_GIVES_WAY {
            in_all.displace();
        }
        if of_all > WAITING_IN_ALL {
            return here <= WAITING_WHEN_FULL;
        }
        before == 0 || here <= WAITING_BYTES
    }

    fn take(&self, n_bytes: usize) {
        self.here.fetch_sub(n_bytes, Ordering::Relaxed);
        self.usage.take(n_bytes);
    }

    /// Waits until too much waits for the address, and here more than each may then let wait. A connection that reads
    /// nothing would otherwise keep the others from their answers.
    pub(crate) async fn has_to_give_way(&self) {
        loop {
            self.usage.has_to_give_way.notified().await;
            if self.here.load(Ordering::Relaxed) > WAITING_WHEN_FULL {
                return;
            }
        }
    }
}

impl AddressUsage {
    fn take(&self, n_bytes: usize) {
        self.n_bytes.fetch_sub(n_bytes, Ordering::Relaxed);
        self.in_all.n_bytes.fetch_sub(n_bytes, Ordering::Relaxed);
    }
}

impl Drop for Waiting {
    /// A frame that was queued while the receiving end was dropped is still counted.
    fn drop(&mut self) {
        let here = *self.here.get_mut();
        self.usage.take(here);
    }
}

/// The receiving end.
#[derive(Debug)]
pub(crate) struct Outgoing {
    frames: mpsc::Receiver<Utf8Bytes>,
    pub(crate) waiting: Arc<Waiting>,
    /// Bytes of the frames that were taken and are not sent yet.
    being_sent: usize,
    /// Set when the connection is to end.
    pub(crate) ending: Arc<SetOnce<CloseReason>>,
}

impl Outgoing {
    /// The next frame to send; `None` when nobody can queue one any more.
    pub(crate) async fn next(&mut self) -> Option<Utf8Bytes> {
        let frame = self.frames.recv().await?;
        self.being_sent += frame.len();
        Some(frame)
    }

    /// The next frame, if one is waiting.
    pub(crate) fn next_waiting(&mut self) -> Option<Utf8Bytes> {
        let frame = self.frames.try_recv().ok()?;
        self.being_sent += frame.len();
        Some(frame)
    }

    /// All frames that were taken are sent.
    pub(crate) fn sent(&mut self) {
        self.waiting.take(std::mem::take(&mut self.being_sent));
    }

    /// Drops what waits: it will not be sent any more. Frames being sent are no longer counted either: the address
    /// may have no more such connections than it may have sockets.
    pub(crate) fn give_up(&mut self) {
        self.sent();
        self.frames.close();
        while let Ok(frame) = self.frames.try_recv() {
            self.waiting.take(frame.len());
        }
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// A message as it goes on the wire.
pub(crate) fn frame(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages have string keys only").into()
}

impl Outbox {
    /// Both ends of the queue of a connection that is counted with no other.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn open() -> (Self, Outgoing) {
        let address = std::net::IpAddr::from([192, 0, 2, 1]).into();
        Outboxes::new(WAITING_IN_ALL).open(address)
    }

    /// Queues a message; see [`Self::push`].
    pub fn send(&self, message: &ServerMessage) {
        self.push(frame(message));
    }

    /// Queues a frame. If the queue is full the frame is lost and the connection ends: a reader must never miss
    /// one and go on. Tells whether the connection still is worth sending to.
    pub fn push(&self, frame: Utf8Bytes) -> bool {
        let n_bytes = frame.len();
        if !self.waiting.add(n_bytes) {
            self.waiting.take(n_bytes);
            self.end(CloseReason::TooSlow);
            return false;
        }
        let refused = match self.frames.try_send(frame) {
            Ok(()) => return true,
            Err(refused) => refused,
        };
        self.waiting.take(n_bytes);
        if let mpsc::error::TrySendError::Full(_) = refused {
            self.end(CloseReason::TooSlow);
        }
        false
    }

    /// Takes note that the client plays in a game that it follows, and does not only watch.
    pub fn mark_player(&self) {
        self.plays.store(true, Ordering::Relaxed);
    }

    /// Whether the client has played in a game that it follows.
    pub fn has_player(&self) -> bool {
        self.plays.load(Ordering::Relaxed)
    }

    /// Whether the connection is no more.
    pub fn is_closed(&self) -> bool {
        self.frames.is_closed()
    }

    /// Ends the connection; the first reason given is the one that is told.
    pub fn end(&self, reason: CloseReason) {
        let _ = self.ending.set(reason);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn frame_of(n_bytes: usize) -> Utf8Bytes {
        "x".repeat(n_bytes).into()
    }

    #[tokio::test]
    async fn a_reader_that_is_too_many_frames_behind_is_dropped() {
        let (outbox, outgoing) = Outbox::open();
        assert!((0..WAITING_FRAMES).all(|_| outbox.push(frame_of(1))));
        assert!(!outbox.push(frame_of(1)));
        assert_eq!(*outgoing.ending.wait().await, CloseReason::TooSlow);
    }

    #[tokio::test]
    async fn a_reader_that_is_too_many_bytes_behind_is_dropped_but_one_large_frame_is_sent() {
        let (outbox, mut outgoing) = Outbox::open();
        assert!(outbox.push(frame_of(WAITING_BYTES * 2)), "nothing else waits");
        assert_eq!(outgoing.next().await.map(|frame| frame.len()), Some(WAITING_BYTES * 2));
        outgoing.sent();
        assert!(outbox.push(frame_of(WAITING_BYTES)), "what was sent waits no more");
        assert_eq!(outgoing.next_waiting().map(|frame| frame.len()), Some(WAITING_BYTES));
        outgoing.sent();
        assert!(outbox.push(frame_of(WAITING_BYTES - 1)), "what was sent with another waits no more");
        assert!(outbox.push(frame_of(1)));
        assert!(!outbox.push(frame_of(1)));
        assert_eq!(*outgoing.ending.wait().await, CloseReason::TooSlow);
    }

    const OF_ADDRESS: usize = 32 * 1024 * 1024;

    fn in_all(outboxes: &Outboxes) -> usize {
        outboxes.0.n_bytes.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn when_too_much_waits_for_an_address_the_others_are_sent_what_they_ask_for() {
        let outboxes = Outboxes::new(OF_ADDRESS);
        let [own, same] = [(); 2].map(|()| outboxes.open(Address::of_tests(1)));
        let ((slow, unread), (neighbour, mut outgoing)) = (own, same);
        let (stranger, _read) = outboxes.open(Address::of_tests(2));
        assert!(slow.push(frame_of(OF_ADDRESS)), "nothing else waits");
        assert!(neighbour.push(frame_of(WAITING_WHEN_FULL)));
        assert!(!neighbour.push(frame_of(1)));
        assert_eq!(*outgoing.ending.wait().await, CloseReason::TooSlow);
        assert!(stranger.push(frame_of(WAITING_BYTES)), "another address has a part of its own");
        assert_eq!(outgoing.next().await.map(|frame| frame.len()), Some(WAITING_WHEN_FULL));
        drop(unread);
        assert_eq!(
            in_all(&outboxes),
            WAITING_WHEN_FULL + WAITING_BYTES,
            "what is being sent takes memory still"
        );
        outgoing.give_up();
        assert_eq!(
            in_all(&outboxes),
            WAITING_BYTES,
            "it is counted no longer when its connection is dropped"
        );
        assert!(!slow.push(frame_of(1)), "nobody reads there any more");
        drop((slow, neighbour, outgoing, stranger, _read));
        assert_eq!(in_all(&outboxes), 0);
        assert!(outboxes.0.locked().is_empty(), "nothing is remembered of who has left");
    }

    #[tokio::test]
    async fn when_too_much_waits_for_all_the_address_gives_way_that_has_the_most() {
        let outboxes = Outboxes::new(WAITING_IN_ALL);
        let [(slow, mut unread), (quick, mut read)] =
            [1, 2].map(|number| outboxes.open(Address::of_tests(number)));
        let waiting = [unread.waiting.clone(), read.waiting.clone()];
        let [mut slow_goes, mut quick_goes] =
            waiting.each_ref().map(|waiting| Box::pin(waiting.has_to_give_way()));
        assert!(slow.push(frame_of(LARGEST_GIVES_WAY)), "nothing else waits");
        assert!(unread.next_waiting().is_some(), "it is being sent, for ever");
        assert_eq!(slow_goes.as_mut().now_or_never(), None, "it is not too much yet");
        assert_eq!(quick_goes.as_mut().now_or_never(), None);
        assert!(quick.push(frame_of(WAITING_WHEN_FULL * 2)), "there is room for those who have less");
        assert!(read.next_waiting().is_some());
        assert_eq!(quick_goes.as_mut().now_or_never(), None);
        assert_eq!(slow_goes.as_mut().now_or_never(), Some(()));
        assert!(!quick.push(frame_of(LARGEST_GIVES_WAY)), "there is an end to all");
    }

    #[tokio::test]
    async fn the_first_reason_to_end_is_the_one_that_is_told() {
        let (outbox, outgoing) = Outbox::open();
        outbox.end(CloseReason::Misuse);
        outbox.end(CloseReason::GoingDown);
        assert_eq!(*outgoing.ending.wait().await, CloseReason::Misuse);
    }
}
