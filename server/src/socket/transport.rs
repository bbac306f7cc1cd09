//! Frames of a WebSocket connection, in and out: opening, the writing half with its pings, and closing.

use std::{
    collections::HashMap,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use axum::{
    Extension,
    extract::State,
    response::{IntoResponse, Response},
};
use futures_util::{Sink, SinkExt, StreamExt};
use store::Session;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    time::{Instant, MissedTickBehavior, sleep, timeout},
};
use tokio_tungstenite::WebSocketStream;
use tokio_util::sync::CancellationToken;
use tracing::debug;
use tungstenite::{
    Error as WireError, Message, Utf8Bytes,
    protocol::{CloseFrame, Role, WebSocketConfig},
};

use super::dispatch::Reader;
use crate::{
    env::Env,
    identity::CurrentSession,
    metrics::{Counted, METRICS, ReasonLabel},
    net::{
        address::{Address, Client, LimitedResource, ResourceGuard, SlottedWork},
        limits::{MAX_RECEIVED, REFUSED, RateLimit, TokenBucket},
        outbox::{CloseReason, Outgoing},
        peer::Peer,
        sent::SendBudget,
        stored::StoreBudget,
    },
    problem::Problem,
    socket::{
        frames::{CountedFrames, WebSocket},
        handshake::Handshake,
        inbox::Inbox,
        wake_filter::PollIfWoken,
    },
    state::App,
};

/// Size of the read buffer of a connection. Frames are small and connections many: a large buffer costs memory for each
/// and time to clear.
const READ_BUFFER: usize = 1024;

/// Maximum number of bytes of queued frames that are sent in one piece: a turn and the answer to it fit. More would
/// save little, and the connection keeps the memory.
const PIECE: usize = 4 * 1024;

/// Interval of pings, which detect dead connections and measure the lag.
const PING_EVERY: Duration = Duration::from_secs(5);

/// Maximum time for the last frames and the close frame of a connection, so that a slow reader still receives the
/// reason. A server that shuts down waits less, see [`app`](crate::app).
const CLOSING_TAKES: Duration = Duration::from_secs(15);

/// The same if the connection's place is needed for others.
const LEAVING_TAKES: Duration = Duration::from_secs(1);

/// Time for which a client may go on sending after that. Closing a connection with unread data resets it, and the
/// client would lose the reason.
const LINGER: Duration = Duration::from_millis(500);

/// Maximum number of bytes that are read and discarded meanwhile.
const LINGERING_BYTES: u64 = 1024 * 1024;

/// `GET /ws`: opens the socket of a visitor with a session.
pub(crate) async fn upgrade(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Extension(peer): Extension<Peer>,
    CurrentSession(found): CurrentSession,
    handshake: Handshake,
) -> Response {
    let place = match app.addresses.open(client.address, LimitedResource::Socket) {
        Ok(place) => (place, peer),
        Err(too_many) => return Problem::too_many_sockets(too_many).into_response(),
    };
    let connections = app.connections.clone();
    let (response, serving) = handshake.accept(async move |upgraded| {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_message_size(Some(MAX_RECEIVED))
            .max_frame_size(Some(MAX_RECEIVED));
        let frames = CountedFrames::new(upgraded);
        let socket = WebSocketStream::from_raw_socket(frames, Role::Server, Some(config)).await;
        app.connections.clone().spawn(connection(app, found.session, client.address, socket, place));
    });
    connections.spawn(serving);
    response
}

/// Runs a connection, which holds its guards until the end. Most connections are idle most of the time, and the size of
/// their futures decides how many there can be: an `async fn` would keep its arguments twice.
fn connection(
    app: App,
    session: Session,
    address: Address,
    socket: WebSocket,
    place: (ResourceGuard, Peer),
) -> impl Future<Output = ()> + Send {
    let (outbox, outgoing) = app.outboxes.open(address);
    place.1.place.become_socket(address, &outbox);
    let id = outbox.id;
    debug!(connection = %id, player = %session.player.id, "connection {id} opened");
    let (mut sink, mut stream) = socket.split();
    let counted = Counted::in_gauge(&METRICS.sockets);
    let now = Instant::now();
    let (bucket, refused) = (
        TokenBucket::new(RateLimit::of_messages(app.messages_per_second), now),
        TokenBucket::new(REFUSED, now),
    );
    let budget = SendBudget::new(app.addresses.clone(), address);
    let store_budget = StoreBudget::new(app.addresses.clone(), address);
    let here = app.presence.enter(session.player, session.id, address, outbox.clone());
    let (env, gone) = (app.env.clone(), CancellationToken::new());
    let mut reader = Reader {
        slots: app.addresses.slots(address, SlottedWork::Message),
        app,
        address,
        place: place.1.place.clone(),
        outbox,
        here,
        gone: gone.clone(),
        watched: HashMap::new(),
        bucket,
        refused,
        store_budget,
    };
    async move {
        let pinged_ms = Arc::new(AtomicI64::new(0));
        let inbox = Inbox::new(env.clone(), &mut stream, pinged_ms.clone(), gone);
        let ended_here = {
            let reading = pin!(reader.read(inbox));
            let writing = pin!(write(&env, &mut sink, outgoing, budget, &pinged_ms));
            tokio::select! {
                // The answers of the reader then leave in one piece with the frames queued before.
                biased;
                () = PollIfWoken::new(reading) => None,
                reason = PollIfWoken::new(writing) => reason,
            }
        };
        match ended_here {
            // After a refused frame, the rest is not parsed as frames any more.
            Some(CloseReason::Misuse) => {
                if let Ok(socket) = stream.reunite(sink) {
                    discard(socket.into_inner().into_inner()).await;
                }
            }
            // A displaced client's place is needed at once, so what it still sends is not read. It may lose the reason.
            Some(CloseReason::Left { .. } | CloseReason::Displaced) | None => {}
            // An honest client answers the close frame.
            Some(
                CloseReason::TooSlow
                | CloseReason::GoingDown
                | CloseReason::Overloaded
                | CloseReason::SignedOut,
            ) => {
                let _ = timeout(LINGER, async { while let Some(Ok(_)) = stream.next().await {} }).await;
            }
        }
        reader.leave().await;
        debug!(connection = %id, "connection {id} closed");
        drop((place, counted));
    }
}

/// Reads and discards data for a moment.
async fn discard(stream: impl AsyncRead + Unpin) {
    let discarding =
        Box::pin(async { tokio::io::copy(&mut stream.take(LINGERING_BYTES), &mut tokio::io::sink()).await });
    let _ = timeout(LINGER, discarding).await;
}

/// Sends queued frames and pings until the connection breaks or is to be closed; returns the reason for closing. The
/// time of the last ping is in `pinged_ms` and in the ping.
async fn write(
    env: &Env,
    sink: &mut (impl Sink<Message, Error = WireError> + Unpin),
    mut outgoing: Outgoing,
    mut budget: SendBudget,
    pinged_ms: &AtomicI64,
) -> Option<CloseReason> {
    let mut pings = tokio::time::interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (ending, waiting) = (outgoing.ending.clone(), outgoing.waiting.clone());
    let mut ended = pin!(ending.wait());
    let reason = loop {
        // Checked without registering a waiter. Closing still comes before queued frames.
        if let Some(reason) = ending.get() {
            break *reason;
        }
        // Pings come first: a client whose queue is never empty must be pinged too, or it counts as silent.
        let message = tokio::select! {
            biased;
            _ = pings.tick() => {
                let now_ms = env.now_ms();
                pinged_ms.store(now_ms, Ordering::Relaxed);
                Message::Ping(now_ms.to_be_bytes().to_vec().into())
            }
            frame = next(&mut outgoing, &budget) => match frame {
                Ok(Some(frame)) => Message::Text(frame),
                Ok(None) => return None,
                Err(reason) => break reason,
            },
            reason = &mut ended => break *reason,
        };
        tokio::select! {
            biased;
            sent = send(sink, message, &mut outgoing, &mut budget) => if sent.is_err() { return None },
            reason = &mut ended => break *reason,
            () = waiting.wait_over_quota() => break CloseReason::TooSlow,
        }
    };
    if let Some(label) = reason.label() {
        METRICS.sockets_dropped.get_or_create(&ReasonLabel { reason: label }).inc();
    }
    let code = reason.close_code();
    let close = code.map(|code| CloseFrame { code: code.into(), reason: reason.close_text().into() });
    let takes = match reason {
        CloseReason::TooSlow => {
            outgoing.give_up();
            CLOSING_TAKES
        }
        CloseReason::Displaced => LEAVING_TAKES,
        CloseReason::Left { .. } => LINGER,
        CloseReason::GoingDown | CloseReason::Overloaded | CloseReason::Misuse | CloseReason::SignedOut => {
            CLOSING_TAKES
        }
    };
    let _ = timeout(takes, async {
        while let Some(frame) = outgoing.next_waiting() {
            budget.add(frame.len());
            sink.send(Message::Text(frame)).await?;
        }
        // The answer to a ping would otherwise follow the close frame.
        sink.flush().await?;
        sink.send(Message::Close(close)).await
    })
    .await;
    Some(reason)
}

/// Returns the next frame once the connection may be sent one; `None` when all senders are gone.
async fn next(outgoing: &mut Outgoing, budget: &SendBudget) -> Result<Option<Utf8Bytes>, CloseReason> {
    while let Some(pause) = budget.pause() {
        // Boxed: it is rare.
        Box::pin(async {
            tokio::select! {
                () = sleep(pause) => Ok(()),
                () = outgoing.waiting.wait_over_quota() => Err(CloseReason::TooSlow),
            }
        })
        .await?;
    }
    Ok(outgoing.next().await)
}

/// Sends a message, and the frames queued behind it as far as they fit into one piece.
async fn send(
    sink: &mut (impl Sink<Message, Error = WireError> + Unpin),
    message: Message,
    outgoing: &mut Outgoing,
    budget: &mut SendBudget,
) -> Result<(), WireError> {
    budget.add(message.len());
    sink.feed(message).await?;
    let mut n_bytes = 0;
    while n_bytes < PIECE
        && let Some(frame) = outgoing.next_waiting()
    {
        n_bytes += frame.len();
        budget.add(frame.len());
        sink.feed(Message::Text(frame)).await?;
    }
    sink.flush().await?;
    outgoing.sent();
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use futures_util::sink;
    use protocol::ServerMessage;
    use tokio::time::sleep;

    use super::*;
    use crate::net::outbox::Outbox;
    use crate::net::{address::Addresses, limits::AddressLimits};

    /// Time that a frame takes on its way to the client.
    const FRAME_TAKES: Duration = Duration::from_millis(100);

    /// Sends on a connection whose frames take as long as `takes` says of each, and on which a frame always waits, for
    /// `time`. Returns the intervals between the pings.
    async fn intervals_of_pings(time: Duration, takes: impl Fn(usize) -> Duration) -> Vec<Duration> {
        let (outbox, outgoing) = Outbox::open();
        let (pings, n_sent) = (RefCell::new(Vec::new()), Cell::new(0));
        let sink = sink::unfold((), async |(), message| {
            match message {
                Message::Ping(_) => pings.borrow_mut().push(Instant::now()),
                _ => outbox.send(&ServerMessage::Pong { now_ms: 0 }),
            }
            n_sent.set(n_sent.get() + 1);
            sleep(takes(n_sent.get())).await;
            Ok(())
        });
        outbox.send(&ServerMessage::Pong { now_ms: 0 });
        let (env, pinged_ms) = (Env::of_test(1), AtomicI64::new(0));
        let budget = SendBudget::new(Addresses::new(AddressLimits::times(1)), Address::of_tests(1));
        let _ = timeout(time, write(&env, &mut pin!(sink), outgoing, budget, &pinged_ms)).await;
        let pings = pings.into_inner();
        pings.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_is_pinged_in_time_however_many_frames_wait_for_it() {
        let intervals = intervals_of_pings(PING_EVERY * 12, |_| FRAME_TAKES).await;
        assert!(intervals.len() >= 10, "{intervals:?}");
        // The frames of a piece are sent before the ping.
        assert!(intervals.iter().all(|interval| *interval < PING_EVERY * 2), "{intervals:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn pings_after_a_stall_keep_their_distance() {
        let stall = |number| if number == 20 { PING_EVERY * 6 } else { FRAME_TAKES };
        let intervals = intervals_of_pings(PING_EVERY * 20, stall).await;
        assert!(intervals.iter().any(|interval| *interval > PING_EVERY * 5), "{intervals:?}");
        assert!(intervals.iter().all(|interval| *interval > PING_EVERY / 2), "{intervals:?}");
    }
}
