//! The sending queue of a connection: bounded, filled by games and the lobby, emptied by the socket. No task ever waits
//! for a slow reader.

use std::{
    collections::HashMap,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicIsize, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use game::ids::GameId;
use parking_lot::Mutex;
use protocol::ServerMessage;
use tokio::sync::{Notify, SetOnce, mpsc};
use tungstenite::Utf8Bytes;

use crate::net::address::{Address, Network};

/// Maximum number of frames queued for one connection. A reader this far behind is disconnected, and resumes from its
/// versions.
pub(crate) const WAITING_FRAMES: usize = 256;

/// Maximum number of bytes queued for one connection, except for a single frame: a long game is one large frame, and a
/// client that requests it again and again without reading must not fill the memory.
pub(crate) const WAITING_BYTES: usize = 4 * 1024 * 1024;

/// Maximum number of bytes queued for all connections of this node, including those being sent. Beyond it each
/// connection may only queue [`WAITING_WHEN_FULL`], large frames or not.
pub(crate) const WAITING_IN_ALL: usize = 256 * 1024 * 1024;

/// Number of bytes queued for all connections at which the address with the most of them is displaced.
const LARGEST_GIVES_WAY: usize = WAITING_IN_ALL / 4 * 3;

/// Maximum number of bytes queued for one connection when its address, or the node, is over its limit.
const WAITING_WHEN_FULL: usize = 16 * 1024;

/// Bytes queued for one connection, a few turns, that its address and the node do not count, so that most frames touch no
/// shared counter. See [`limits`](crate::net::limits) for the memory that this takes.
pub(crate) const UNCOUNTED: usize = 4 * 1024;

/// Names a connection within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ConnectionId(u64);

impl ConnectionId {
    /// The number of the connection, counted from 0 within the process.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

impl std::fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Time that clients should wait before reconnecting during a shutdown, to another node or to this one once restarted.
pub(crate) const COME_BACK_AFTER: Duration = Duration::from_secs(1);

/// The reason why the server closes a connection, with its WebSocket close code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseReason {
    /// The client read too slowly: [`WAITING_FRAMES`] or [`WAITING_BYTES`] were queued.
    TooSlow,
    /// The server shuts down, and will be back soon.
    GoingDown,
    /// The server is overloaded, and the client plays in none of the games that it follows.
    Overloaded,
    /// The client sent a frame that is too large or not valid, or a continued flood, as no honest client does.
    Misuse,
    /// The session that the connection was opened with has ended.
    SignedOut,
    /// Connections are scarce, and the client's address, or a network around it, holds most of them.
    Displaced,
    /// The client closes the connection. Its close frame is answered with this status code, if any.
    Left { code: Option<u16> },
}

impl CloseReason {
    /// The status code of the close frame.
    pub(crate) const fn close_code(self) -> Option<u16> {
        match self {
            Self::TooSlow => Some(4001),
            Self::GoingDown => Some(4002),
            Self::Misuse => Some(4003),
            Self::Overloaded => Some(4004),
            Self::SignedOut => Some(4005),
            Self::Displaced => Some(4006),
            Self::Left { code } => code,
        }
    }

    /// The label of a connection that the server closes.
    pub(crate) const fn label(self) -> Option<&'static str> {
        match self {
            Self::TooSlow => Some("too slow"),
            Self::GoingDown => Some("going down"),
            Self::Misuse => Some("misuse"),
            Self::Overloaded => Some("overloaded"),
            Self::SignedOut => Some("signed out"),
            Self::Displaced => Some("displaced"),
            Self::Left { .. } => None,
        }
    }

    /// Text of the close frame: the label, and when to reconnect if that is known.
    pub(crate) fn close_text(self) -> String {
        let label = self.label().unwrap_or_default();
        match self {
            Self::GoingDown => format!("{label}, come back in {} s", COME_BACK_AFTER.as_secs()),
            Self::TooSlow
            | Self::Misuse
            | Self::Overloaded
            | Self::SignedOut
            | Self::Displaced
            | Self::Left { .. } => label.to_owned(),
        }
    }
}

/// The sending end of a connection's queue. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    pub id: ConnectionId,
    frames: mpsc::Sender<Queued>,
    waiting: Arc<QueuedBytes>,
    ending: Arc<SetOnce<CloseReason>>,
    client: Arc<ClientMarks>,
}

/// A place in the queue of a connection.
#[derive(Debug)]
enum Queued {
    Frame(Utf8Bytes),
    /// The place of a draft among [`Drafts`], which is skipped if they have another one of the game, or none.
    Draft {
        game: GameId,
        number: u64,
    },
}

/// The drafts that wait in the queue of a connection. Of each game only the newest waits, and none behind which news of
/// the game wait: a reader on a weak line sees a turn at once, and not what led to it.
#[derive(Debug, Default)]
struct Drafts {
    waiting: HashMap<GameId, Draft>,
    n_queued: u64,
}

#[derive(Debug)]
struct Draft {
    number: u64,
    frame: Utf8Bytes,
}

impl Drafts {
    /// Returns the draft whose place is reached.
    fn take(&mut self, game: GameId, number: u64) -> Option<Utf8Bytes> {
        self.waiting.get(&game).filter(|draft| draft.number == number)?;
        self.waiting.remove(&game).map(|draft| draft.frame)
    }
}

/// What is known of the client of a connection.
#[derive(Debug, Default)]
struct ClientMarks {
    has_played: AtomicBool,
    /// Number of followed games under way in which it plays.
    n_playing: AtomicUsize,
}

/// Guard of a followed game under way in which the client of a connection plays.
#[derive(Debug)]
pub(crate) struct Playing(Arc<ClientMarks>);

impl Drop for Playing {
    fn drop(&mut self) {
        self.0.n_playing.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The outboxes of a node's connections, and the bytes queued in them.
#[derive(Clone, Debug)]
pub(crate) struct Outboxes(Arc<TotalUsage>);

/// Bytes queued for all connections.
#[derive(Debug)]
struct TotalUsage {
    /// Below zero for a moment if a frame is sent before the thread that queued it has counted it.
    n_bytes: AtomicIsize,
    /// Maximum number of bytes queued for all connections of one address.
    of_address: usize,
    usages: Mutex<HashMap<Network, Weak<AddressUsage>>>,
}

/// Bytes queued for the connections of one subscriber's addresses.
#[derive(Debug)]
struct AddressUsage {
    subscriber: Network,
    /// Below zero for a moment, as for all.
    n_bytes: AtomicIsize,
    in_all: Arc<TotalUsage>,
    /// Notified when they are too many.
    wait_over_quota: Notify,
}

impl Outboxes {
    /// Returns outboxes without connections; `of_address` is the maximum number of bytes queued for one address.
    pub(crate) fn new(of_address: usize) -> Self {
        Self(Arc::new(TotalUsage { n_bytes: AtomicIsize::new(0), of_address, usages: Mutex::default() }))
    }

    /// Opens the queue of a new connection and returns both ends.
    pub(crate) fn open(&self, address: Address) -> (Outbox, Outgoing) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = ConnectionId(NEXT.fetch_add(1, Ordering::Relaxed));
        let usage = self.usage(address.subscriber());
        let waiting = Arc::new(QueuedBytes { here: AtomicUsize::new(0), drafts: Mutex::default(), usage });
        let (sender, frames) = mpsc::channel(WAITING_FRAMES);
        let ending = Arc::new(SetOnce::new());
        let outgoing = Outgoing { frames, waiting: waiting.clone(), being_sent: 0, ending: ending.clone() };
        (Outbox { id, frames: sender, waiting, ending, client: Arc::default() }, outgoing)
    }

    fn usage(&self, subscriber: Network) -> Arc<AddressUsage> {
        let mut usages = self.0.usages.lock();
        if let Some(usage) = usages.get(&subscriber).and_then(Weak::upgrade) {
            return usage;
        }
        let (n_bytes, in_all) = (AtomicIsize::new(0), self.0.clone());
        let usage = Arc::new(AddressUsage { subscriber, n_bytes, in_all, wait_over_quota: Notify::new() });
        usages.insert(subscriber, Arc::downgrade(&usage));
        usage
    }
}

impl TotalUsage {
    /// Displaces the address with the most queued bytes.
    fn displace(&self) {
        // Dropped after the lock is released, since dropping the last owner of a usage takes the lock.
        let usages: Vec<_> = self.usages.lock().values().filter_map(Weak::upgrade).collect();
        if let Some(largest) = usages.iter().max_by_key(|usage| usage.n_bytes.load(Ordering::Relaxed)) {
            largest.wait_over_quota.notify_waiters();
        }
    }
}

impl Drop for AddressUsage {
    fn drop(&mut self) {
        let mut usages = self.in_all.usages.lock();
        // The address may have reconnected meanwhile.
        if usages.get(&self.subscriber).is_some_and(|usage| usage.strong_count() == 0) {
            usages.remove(&self.subscriber);
        }
    }
}

/// The bytes queued for a connection, including those being sent.
#[derive(Debug)]
pub(crate) struct QueuedBytes {
    here: AtomicUsize,
    drafts: Mutex<Drafts>,
    usage: Arc<AddressUsage>,
}

impl QueuedBytes {
    /// Returns the frame of a place in the queue, unless it is obsolete.
    fn frame(&self, queued: Queued) -> Option<Utf8Bytes> {
        match queued {
            Queued::Frame(frame) => Some(frame),
            Queued::Draft { game, number } => self.drafts.lock().take(game, number),
        }
    }

    /// Counts a frame. Returns whether it may be queued.
    fn add(&self, n_bytes: usize) -> bool {
        let AddressUsage { n_bytes: of_address, in_all, wait_over_quota, .. } = &*self.usage;
        let before = self.here.fetch_add(n_bytes, Ordering::Relaxed);
        let here = before + n_bytes;
        let n_counted = counted(here) - counted(before);
        if n_counted == 0 {
            return true;
        }
        let [of_address, of_all] = [of_address, &in_all.n_bytes].map(|counter| add(counter, n_counted));
        if of_address > in_all.of_address {
            wait_over_quota.notify_waiters();
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
        let before = self.here.fetch_sub(n_bytes, Ordering::Relaxed);
        self.usage.take(counted(before) - counted(before - n_bytes));
    }

    /// Waits until the address is over its limit while this connection has more queued than it then may. A connection
    /// that reads nothing would otherwise block the answers to the others.
    pub(crate) async fn wait_over_quota(&self) {
        loop {
            self.usage.wait_over_quota.notified().await;
            if self.here.load(Ordering::Relaxed) > WAITING_WHEN_FULL {
                return;
            }
        }
    }
}

/// Returns the bytes that count for the address and the node, of those queued for a connection.
const fn counted(here: usize) -> usize {
    here.saturating_sub(UNCOUNTED)
}

/// Adds to a counter of bytes, and returns the sum.
fn add(counter: &AtomicIsize, n_bytes: usize) -> usize {
    let sum = counter.fetch_add(n_bytes.cast_signed(), Ordering::Relaxed) + n_bytes.cast_signed();
    usize::try_from(sum).unwrap_or_default()
}

impl AddressUsage {
    fn take(&self, n_bytes: usize) {
        if n_bytes == 0 {
            return;
        }
        for counter in [&self.n_bytes, &self.in_all.n_bytes] {
            counter.fetch_sub(n_bytes.cast_signed(), Ordering::Relaxed);
        }
    }
}

impl Drop for QueuedBytes {
    /// A frame queued while the receiving end was dropped is still counted.
    fn drop(&mut self) {
        let here = *self.here.get_mut();
        self.usage.take(counted(here));
    }
}

/// The receiving end.
#[derive(Debug)]
pub(crate) struct Outgoing {
    frames: mpsc::Receiver<Queued>,
    pub(crate) waiting: Arc<QueuedBytes>,
    /// Bytes of the frames that were taken and not yet sent.
    being_sent: usize,
    /// Set when the connection is to be closed.
    pub(crate) ending: Arc<SetOnce<CloseReason>>,
}

impl Outgoing {
    /// Returns the next frame to send; `None` when all senders are gone.
    pub(crate) async fn next(&mut self) -> Option<Utf8Bytes> {
        loop {
            let queued = self.frames.recv().await?;
            if let Some(frame) = self.waiting.frame(queued) {
                self.being_sent += frame.len();
                return Some(frame);
            }
        }
    }

    /// Returns the next frame, if one is queued.
    pub(crate) fn next_waiting(&mut self) -> Option<Utf8Bytes> {
        loop {
            let queued = self.frames.try_recv().ok()?;
            if let Some(frame) = self.waiting.frame(queued) {
                self.being_sent += frame.len();
                return Some(frame);
            }
        }
    }

    /// Records that all taken frames are sent.
    pub(crate) fn sent(&mut self) {
        self.waiting.take(std::mem::take(&mut self.being_sent));
    }

    /// Drops the queue. Frames being sent are no longer counted either: the number of such connections is bounded by
    /// the sockets of their address.
    pub(crate) fn give_up(&mut self) {
        self.sent();
        self.frames.close();
        while self.next_waiting().is_some() {}
        self.sent();
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// Encodes a message.
pub(crate) fn frame(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages have string keys only").into()
}

impl Outbox {
    /// Opens the queue of a connection that shares its limits with no other.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn open() -> (Self, Outgoing) {
        let address = std::net::IpAddr::from([192, 0, 2, 1]).into();
        Outboxes::new(WAITING_IN_ALL).open(address)
    }

    /// Queues a message; see [`Self::push`].
    pub(crate) fn send(&self, message: &ServerMessage) {
        self.push(frame(message));
    }

    /// Queues a frame. If the queue is full, the frame is dropped and the connection closed: a reader must never miss a
    /// frame and go on. Returns whether the connection is still open.
    pub(crate) fn push(&self, frame: Utf8Bytes) -> bool {
        let n_bytes = frame.len();
        self.count(n_bytes) && self.queue(Queued::Frame(frame), n_bytes)
    }

    /// Queues events of a game, which make a draft of it obsolete that still waits.
    pub(crate) fn push_events(&self, game: GameId, frame: Utf8Bytes) -> bool {
        let obsolete = self.waiting.drafts.lock().waiting.remove(&game);
        if let Some(draft) = obsolete {
            self.waiting.take(draft.frame.len());
        }
        self.push(frame)
    }

    /// Queues the draft of a game, or replaces the one that still waits.
    pub(crate) fn push_draft(&self, game: GameId, frame: Utf8Bytes) -> bool {
        let n_bytes = frame.len();
        if !self.count(n_bytes) {
            return false;
        }
        let mut drafts = self.waiting.drafts.lock();
        if let Some(draft) = drafts.waiting.get_mut(&game) {
            let before = std::mem::replace(&mut draft.frame, frame);
            self.waiting.take(before.len());
            return !self.is_closed();
        }
        drafts.n_queued += 1;
        let number = drafts.n_queued;
        drafts.waiting.insert(game, Draft { number, frame });
        // Under the lock: the place must not be reached before the draft is there, nor be missing behind it.
        let is_queued = self.queue(Queued::Draft { game, number }, n_bytes);
        if !is_queued {
            drafts.waiting.remove(&game);
        }
        is_queued
    }

    /// Counts a frame that is about to be queued. If there are too many bytes, the connection is closed.
    fn count(&self, n_bytes: usize) -> bool {
        if self.waiting.add(n_bytes) {
            return true;
        }
        self.waiting.take(n_bytes);
        self.end(CloseReason::TooSlow);
        false
    }

    fn queue(&self, queued: Queued, n_bytes: usize) -> bool {
        let refused = match self.frames.try_send(queued) {
            Ok(()) => return true,
            Err(refused) => refused,
        };
        self.waiting.take(n_bytes);
        if let mpsc::error::TrySendError::Full(_) = refused {
            self.end(CloseReason::TooSlow);
        }
        false
    }

    /// Marks the client as a player in a game that it follows, under way or not.
    pub(crate) fn mark_player(&self) {
        self.client.has_played.store(true, Ordering::Relaxed);
    }

    /// Counts a followed game under way in which the client plays, until the returned guard is dropped.
    pub(crate) fn begin_playing(&self) -> Playing {
        self.client.n_playing.fetch_add(1, Ordering::Relaxed);
        Playing(self.client.clone())
    }

    /// Whether the client plays in a followed game under way.
    pub(crate) fn is_playing(&self) -> bool {
        self.client.n_playing.load(Ordering::Relaxed) > 0
    }

    /// Whether the client is or was a player in a game that it follows.
    pub(crate) fn has_player(&self) -> bool {
        self.client.has_played.load(Ordering::Relaxed)
    }

    /// Whether frames are queued or being sent.
    pub(crate) fn has_waiting(&self) -> bool {
        self.waiting.here.load(Ordering::Relaxed) > 0
    }

    /// Whether the connection is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.frames.is_closed()
    }

    /// Closes the connection; the first reason given counts.
    pub(crate) fn end(&self, reason: CloseReason) {
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

    fn game(number: u128) -> GameId {
        GameId::new(uuid::Uuid::from_u128(number))
    }

    fn taken(outgoing: &mut Outgoing) -> Vec<String> {
        std::iter::from_fn(|| outgoing.next_waiting()).map(|frame| frame.to_string()).collect()
    }

    #[tokio::test]
    async fn of_the_drafts_of_a_game_that_wait_only_the_newest_is_sent_and_none_before_a_turn() {
        let (outbox, mut outgoing) = Outbox::open();
        for (which, draft) in [(1, "a"), (2, "b"), (1, "c"), (1, "d")] {
            assert!(outbox.push_draft(game(which), draft.to_owned().into()));
        }
        assert_eq!(taken(&mut outgoing), ["d", "b"]);
        outbox.push_draft(game(1), "of the turn before".to_owned().into());
        outbox.push_events(game(2), "turn of the other game".to_owned().into());
        outbox.push_events(game(1), "turn".to_owned().into());
        outbox.push_draft(game(1), "of the turn after".to_owned().into());
        assert_eq!(taken(&mut outgoing), ["turn of the other game", "turn", "of the turn after"]);
        outgoing.sent();
        assert!(!outbox.has_waiting(), "what was replaced is not counted");
    }

    #[tokio::test]
    async fn a_flood_of_drafts_neither_fills_a_queue_nor_stays_counted_when_it_is_dropped() {
        let (outbox, outgoing) = Outbox::open();
        for _ in 0..10 * WAITING_FRAMES {
            assert!(outbox.push_draft(game(1), frame_of(10_000)));
        }
        drop(outgoing);
        assert!(!outbox.push_draft(game(1), frame_of(1)) && !outbox.has_waiting());
    }

    #[tokio::test]
    async fn a_reader_that_is_too_many_bytes_behind_is_dropped_but_one_large_frame_is_sent() {
        let (outbox, mut outgoing) = Outbox::open();
        assert!(outbox.push(frame_of(WAITING_BYTES * 2)), "nothing else waits");
        assert_eq!(outgoing.next().await.map(|frame| frame.len()), Some(WAITING_BYTES * 2));
        outgoing.sent();
        assert!(outbox.push(frame_of(WAITING_BYTES)), "sent frames no longer count");
        assert_eq!(outgoing.next_waiting().map(|frame| frame.len()), Some(WAITING_BYTES));
        outgoing.sent();
        assert!(
            outbox.push(frame_of(WAITING_BYTES - 1)),
            "frames sent together with another no longer count"
        );
        assert!(outbox.push(frame_of(1)));
        assert!(!outbox.push(frame_of(1)));
        assert_eq!(*outgoing.ending.wait().await, CloseReason::TooSlow);
    }

    const OF_ADDRESS: usize = 32 * 1024 * 1024;

    fn in_all(outboxes: &Outboxes) -> usize {
        usize::try_from(outboxes.0.n_bytes.load(Ordering::Relaxed)).unwrap()
    }

    #[tokio::test]
    async fn a_full_queue_of_one_address_does_not_delay_other_addresses() {
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
            counted(WAITING_WHEN_FULL) + counted(WAITING_BYTES),
            "what is being sent takes memory still"
        );
        outgoing.give_up();
        assert_eq!(
            in_all(&outboxes),
            counted(WAITING_BYTES),
            "it is counted no longer when its connection is dropped"
        );
        assert!(!slow.push(frame_of(1)), "the receiver is gone");
        drop((slow, neighbour, outgoing, stranger, _read));
        assert_eq!(in_all(&outboxes), 0);
        assert!(outboxes.0.usages.lock().is_empty(), "nothing is remembered of connections that are gone");
    }

    #[test]
    fn the_addresses_of_one_subscriber_have_one_part_of_the_queued_bytes() {
        let outboxes = Outboxes::new(OF_ADDRESS);
        let [one, same, other] = [1, 2, 256 * 256].map(Address::of_slash_32);
        let [(one, _unread), (same, _same), (other, _other)] =
            [one, same, other].map(|address| outboxes.open(address));
        assert!(one.push(frame_of(OF_ADDRESS)), "nothing else waits");
        assert!(!same.push(frame_of(WAITING_WHEN_FULL * 2)));
        assert!(other.push(frame_of(WAITING_WHEN_FULL * 2)), "the address of another /48");
    }

    #[test]
    fn a_frame_that_is_sent_before_it_is_counted_counts_as_nothing() {
        let counter = AtomicIsize::new(0);
        counter.fetch_sub(200, Ordering::Relaxed);
        assert_eq!(add(&counter, 50), 0, "another one was counted meanwhile");
        assert_eq!(add(&counter, 200), 50);
    }

    #[tokio::test]
    async fn when_too_much_is_queued_the_address_with_the_most_is_displaced() {
        let outboxes = Outboxes::new(WAITING_IN_ALL);
        let [(slow, mut unread), (quick, mut read)] =
            [1, 2].map(|number| outboxes.open(Address::of_tests(number)));
        let waiting = [unread.waiting.clone(), read.waiting.clone()];
        let [mut slow_goes, mut quick_goes] =
            waiting.each_ref().map(|waiting| Box::pin(waiting.wait_over_quota()));
        assert!(slow.push(frame_of(LARGEST_GIVES_WAY)), "nothing else waits");
        assert!(unread.next_waiting().is_some(), "it is being sent, for ever");
        assert_eq!(slow_goes.as_mut().now_or_never(), None, "it is not too much yet");
        assert_eq!(quick_goes.as_mut().now_or_never(), None);
        assert!(quick.push(frame_of(WAITING_WHEN_FULL * 2)), "connections with less queued have room");
        assert!(read.next_waiting().is_some());
        assert_eq!(quick_goes.as_mut().now_or_never(), None);
        assert_eq!(slow_goes.as_mut().now_or_never(), Some(()));
        assert!(!quick.push(frame_of(LARGEST_GIVES_WAY)), "there is an end to all");
    }

    #[tokio::test]
    async fn the_first_close_reason_is_the_one_that_is_sent() {
        let (outbox, outgoing) = Outbox::open();
        outbox.end(CloseReason::Misuse);
        outbox.end(CloseReason::GoingDown);
        assert_eq!(*outgoing.ending.wait().await, CloseReason::Misuse);
    }
}
