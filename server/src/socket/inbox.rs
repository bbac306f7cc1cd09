//! The receiving queue of a connection. Frames are timestamped on receipt, even while an earlier one is still being
//! processed.

use std::{
    collections::VecDeque,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::CancellationToken;
use tungstenite::{Error as WireError, Message, Utf8Bytes, error::ProtocolError};

use crate::{
    env::Env,
    net::limits::MAX_FRAME,
    socket::frames::{Closing, FrameFlood},
};

/// Capacity of the queue. Beyond it frames stay unread in the connection, so that a faster client has to wait.
const CAPACITY: usize = 8;

/// Silence after which a connection counts as dead.
const SILENCE: Duration = Duration::from_secs(45);

/// A frame that requests something.
#[derive(Debug)]
pub(crate) enum Frame {
    Text(Utf8Bytes),
    Binary,
    Ping,
    TooLarge,
    /// No valid frame, or more pongs or fragments than any honest client sends; the last frame of a connection.
    Misuse,
    /// The close frame, with the status code to answer it with; the last frame of a connection.
    Close(Option<u16>),
}

/// Time of receipt of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Received {
    pub at: Instant,
    /// The same in milliseconds since 1970.
    pub at_ms: i64,
    /// Round-trip time of the last answered ping, in milliseconds.
    pub lag_ms: i64,
}

/// The frames of a connection, in order of receipt.
#[derive(Debug)]
pub(crate) struct Inbox<S> {
    env: Env,
    stream: S,
    waiting: VecDeque<(Frame, Received)>,
    is_open: bool,
    /// Time of the last message.
    heard: Instant,
    /// Idle timer. Re-armed when it fires, not on every message.
    silence: Pin<Box<Sleep>>,
    /// Cancelled when the client has left.
    gone: CancellationToken,
    /// Time of the last ping, milliseconds since 1970.
    pinged_ms: Arc<AtomicI64>,
    lag_ms: i64,
}

impl<S: Stream<Item = Result<Message, WireError>> + Unpin> Inbox<S> {
    /// Reads from `stream`. The pings sent to its other end contain the time in `pinged_ms`. Cancels `gone` as soon as
    /// the client has left, even if frames of it are still queued.
    pub(crate) fn new(env: Env, stream: S, pinged_ms: Arc<AtomicI64>, gone: CancellationToken) -> Self {
        let (waiting, heard, silence) = (VecDeque::new(), Instant::now(), Box::pin(sleep(SILENCE)));
        Self { env, stream, waiting, is_open: true, heard, silence, gone, pinged_ms, lag_ms: 0 }
    }

    /// Returns the next frame; `None` if the client has left or has been silent for too long.
    pub(crate) async fn next(&mut self) -> Option<(Frame, Received)> {
        if let Some(waiting) = self.waiting.pop_front() {
            return Some(waiting);
        }
        while self.is_open {
            tokio::select! {
                biased;
                next = self.stream.next() => if let Some(frame) = self.take(next) {
                    return Some(frame);
                },
                () = &mut self.silence => {
                    let over = self.heard + SILENCE;
                    if over <= Instant::now() {
                        self.close();
                    } else {
                        self.silence.as_mut().reset(over);
                    }
                }
            }
        }
        None
    }

    /// Does `work`, and receives frames meanwhile.
    pub(crate) async fn during<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            let has_place = self.is_open && self.waiting.len() < CAPACITY;
            tokio::select! {
                biased;
                done = &mut work => return done,
                next = self.stream.next(), if has_place => {
                    let frame = self.take(next);
                    self.waiting.extend(frame);
                }
            }
        }
    }

    /// Classifies a received message; `None` if it requests nothing.
    fn take(&mut self, next: Option<Result<Message, WireError>>) -> Option<(Frame, Received)> {
        self.heard = Instant::now();
        let frame = match next {
            // Oversized text is dropped here, to bound the memory of the queue.
            Some(Ok(Message::Text(text))) if text.len() > MAX_FRAME => Frame::TooLarge,
            Some(Ok(Message::Text(text))) => Frame::Text(text),
            Some(Ok(Message::Binary(_))) => Frame::Binary,
            Some(Ok(Message::Ping(_))) => Frame::Ping,
            Some(Ok(Message::Pong(answered))) => {
                self.measure_lag(&answered);
                return None;
            }
            Some(Err(WireError::Capacity(_))) => Frame::TooLarge,
            Some(Err(WireError::Io(error))) => match error.get_ref() {
                Some(cause) if cause.is::<FrameFlood>() => Frame::Misuse,
                Some(cause) if let Some(Closing(code)) = cause.downcast_ref() => {
                    self.close();
                    Frame::Close(*code)
                }
                Some(_) | None => {
                    self.close();
                    return None;
                }
            },
            Some(Err(WireError::Protocol(ProtocolError::ResetWithoutClosingHandshake))) | None => {
                self.close();
                return None;
            }
            Some(Err(WireError::Protocol(_) | WireError::Utf8(_))) => Frame::Misuse,
            // The stream returns no raw frames, and its source no close frames.
            Some(Ok(Message::Close(_) | Message::Frame(_)) | Err(_)) => {
                self.close();
                return None;
            }
        };
        Some((frame, Received { at: self.heard, at_ms: self.env.now_ms(), lag_ms: self.lag_ms }))
    }

    fn close(&mut self) {
        self.is_open = false;
        self.gone.cancel();
    }

    /// Sets the lag from the answer to the last ping; any other pong is ignored.
    fn measure_lag(&mut self, answered: &[u8]) {
        let pinged_ms = self.pinged_ms.load(Ordering::Relaxed);
        if answered == pinged_ms.to_be_bytes() {
            self.lag_ms = self.env.now_ms() - pinged_ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream::poll_fn;
    use tokio::{sync::mpsc, time::advance};

    use super::*;

    /// Number of frames that a client may have in flight.
    const WIRE: usize = 32;
    const WHILE: Duration = Duration::from_secs(5);

    type Client = mpsc::Sender<Result<Message, WireError>>;

    fn connection() -> (Client, Inbox<impl Stream<Item = Result<Message, WireError>> + Unpin>) {
        let (client, mut frames) = mpsc::channel(WIRE);
        let stream = poll_fn(move |context| frames.poll_recv(context));
        (client, Inbox::new(Env::of_test(1), stream, Arc::default(), CancellationToken::new()))
    }

    async fn send(client: &Client, text: &str) {
        client.send(Ok(Message::text(text))).await.unwrap();
    }

    async fn read(
        inbox: &mut Inbox<impl Stream<Item = Result<Message, WireError>> + Unpin>,
    ) -> (String, Received) {
        match inbox.next().await {
            Some((Frame::Text(text), received)) => (text.to_string(), received),
            other => panic!("{other:?}"),
        }
    }

    /// Waits until all frames but `unread` are read.
    async fn is_read_but(client: &Client, unread: usize) {
        drop(client.reserve_many(WIRE - unread).await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn a_frame_has_the_time_of_its_receipt_and_not_of_its_processing() {
        let (client, mut inbox) = connection();
        send(&client, "one").await;
        assert_eq!(read(&mut inbox).await.0, "one");
        let sent = Instant::now();
        let slow = async {
            send(&client, "two").await;
            is_read_but(&client, 0).await;
            advance(WHILE).await;
            Instant::now()
        };
        let done = inbox.during(slow).await;
        let (text, received) = read(&mut inbox).await;
        assert_eq!((text.as_str(), received.at, done), ("two", sent, sent + WHILE));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_too_far_ahead_waits_and_is_read_in_order() {
        let (client, mut inbox) = connection();
        let numbers = || (0..CAPACITY + 3).map(|number| number.to_string());
        let slow = async {
            for number in numbers() {
                send(&client, &number).await;
            }
            is_read_but(&client, 3).await;
            tokio::task::yield_now().await;
            assert_eq!(client.capacity(), WIRE - 3, "no more is read ahead");
        };
        inbox.during(slow).await;
        for number in numbers() {
            assert_eq!(read(&mut inbox).await.0, number);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_frame_that_is_too_large_is_queued_without_its_text() {
        let (client, mut inbox) = connection();
        for length in [MAX_FRAME, MAX_FRAME + 1] {
            send(&client, &" ".repeat(length)).await;
        }
        assert_eq!(read(&mut inbox).await.0.len(), MAX_FRAME);
        assert!(matches!(inbox.next().await, Some((Frame::TooLarge, _))));
    }

    #[tokio::test(start_paused = true)]
    async fn frames_sent_before_a_client_left_are_read_and_none_after() {
        let (client, mut inbox) = connection();
        send(&client, "one").await;
        drop(client);
        let slow = async {
            for _ in 0..3 {
                tokio::task::yield_now().await;
            }
        };
        inbox.during(slow).await;
        assert!(inbox.gone.is_cancelled(), "the flood is reported before the queued frames are read");
        assert_eq!(read(&mut inbox).await.0, "one");
        assert!(inbox.next().await.is_none());
        assert!(inbox.next().await.is_none(), "a stream that has ended is not asked again");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_is_silent_for_too_long_has_left() {
        let (_client, mut inbox) = connection();
        assert!(inbox.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn lag_is_the_time_of_the_last_ping_and_is_measured_during_work() {
        let (client, mut inbox) = connection();
        let pinged_ms = inbox.env.now_ms() - 40;
        inbox.pinged_ms.store(pinged_ms, Ordering::Relaxed);
        let work = async {
            for answered in [pinged_ms, pinged_ms - 1_000_000] {
                client.send(Ok(Message::Pong(answered.to_be_bytes().to_vec().into()))).await.unwrap();
            }
            send(&client, "turn").await;
            is_read_but(&client, 0).await;
        };
        inbox.during(work).await;
        let (_, received) = read(&mut inbox).await;
        assert!((40..1_000_000).contains(&received.lag_ms), "{}", received.lag_ms);
    }
}
