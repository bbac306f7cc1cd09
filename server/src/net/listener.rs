//! Client connections: accepted one by one, bounded in number, and cut when they stall or their place is needed.

use std::{convert::Infallible, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use anyhow::ensure;
use axum::{
    Router,
    body::Body,
    http::{Request, Response},
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use socket2::SockRef;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, sink},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::yield_now,
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{debug, error, info, warn};

use crate::net::{
    address::{Address, Addresses, LimitedAction, LimitedResource, Proxies, ResourceGuard},
    gate::Gate,
    limits::{HEADERS_TAKE, MAX_CONNECTIONS, MAX_HEADERS, MAX_STALL, PROXY_HEADERS_TAKE},
    peer::Peer,
    places::{FEW, Place, Places},
};

/// Files that are no connections of clients: those of the database and its connections, NATS, the metrics, and the
/// runtime. About half of them are in use.
const RESERVED_FILES: usize = 64;

/// Minimum number of connections that the limit of open files must allow.
const MIN_CONNECTIONS: usize = 64;

/// Time without another event after which an [`Episode`] is over.
const CALM: Duration = Duration::from_secs(10);

/// Bytes that the kernel takes of a connection before it sends them. What waits beyond these waits in the outbox, where
/// a newer draft replaces an older one.
const UNSENT_BYTES: u32 = 16 * 1024;

/// Pause after the system has failed to accept a connection, as when all file descriptors are in use.
const AFTER_FAILURE: Duration = Duration::from_millis(200);

/// Maximum number of refused connections that linger. Others are closed at once.
const LINGERING: usize = 64;

/// The same as a part of all places: only one in this many lingers.
const LINGERING_PART: usize = 64;

/// Time for which a refused connection may go on sending. Data that arrives on a closed connection resets it, and some
/// clients would lose the answer.
const LINGER: Duration = Duration::from_millis(500);

/// Maximum number of bytes that are read and discarded meanwhile.
const LINGERING_BYTES: u64 = 16 * 1024;

/// Answer to a connection whose address has the maximum number open. Its request is not read.
const TOO_MANY: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\n\
    content-type: application/problem+json\r\nretry-after: 10\r\nconnection: close\r\ncontent-length: 140\r\n\r\n\
    {\"status\":429,\"code\":\"too_many_connections\",\"title\":\"Too Many Requests\",\
    \"detail\":\"too many connections of this address are open: close one\"}";

/// Answer to a connection whose address opens connections too fast. Its request is not read.
const TOO_FAST: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\n\
    content-type: application/problem+json\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 125\r\n\r\n\
    {\"status\":429,\"code\":\"too_fast\",\"title\":\"Too Many Requests\",\
    \"detail\":\"too many connections from this address: wait a moment\"}";

/// A time in which the same thing happens again and again. The log has a line at its beginning and one at its end.
#[derive(Debug, Default)]
struct Episode {
    /// Number of the events, and the time of the last one.
    events: Option<(usize, Instant)>,
}

impl Episode {
    /// Records events. Returns whether an episode begins with them.
    fn record(&mut self, n_events: usize) -> bool {
        let n_before = self.events.map_or(0, |(n_before, _)| n_before);
        if n_events > 0 {
            self.events = Some((n_before + n_events, Instant::now()));
        }
        n_before == 0 && n_events > 0
    }

    /// Waits until the episode is over, and returns the number of its events. Waits for ever if there is none.
    async fn end(&mut self) -> usize {
        let Some((n_events, last)) = self.events else { return std::future::pending().await };
        sleep_until(last + CALM).await;
        self.events = None;
        n_events
    }
}

/// Accepts connections, and logs when that fails or when their places get scarce.
#[derive(Debug)]
struct Acceptor {
    listener: TcpListener,
    places: Places,
    scarcity: Episode,
    failures: Episode,
}

impl Acceptor {
    fn new(listener: TcpListener, places: Places) -> Self {
        Self { listener, places, scarcity: Episode::default(), failures: Episode::default() }
    }

    /// Accepts the next connection, once there is a place for it.
    async fn next(&mut self) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
        loop {
            let accepted = tokio::select! {
                biased;
                n_displaced = self.scarcity.end() => {
                    info!(n_displaced, "connections no longer scarce: {n_displaced} were displaced");
                    continue;
                }
                n_failures = self.failures.end() => {
                    info!(n_failures, "accepting connections again after {n_failures} failures");
                    continue;
                }
                accepted = accept(&self.listener, &self.places) => accepted,
            };
            match accepted {
                Ok(accepted) => return accepted,
                Err(error) => {
                    if self.failures.record(1) {
                        error!(%error, "accepting connections failed: {error}");
                    }
                    if no_file_is_left(&error) {
                        self.places.make_room();
                    }
                    sleep(AFTER_FAILURE).await;
                }
            }
        }
    }

    /// Gives an accepted connection its place. Others may have to leave for it.
    fn take(&mut self, free: OwnedSemaphorePermit, holder: Option<Address>) -> Place {
        let (place, n_displaced) = self.places.take(free, holder);
        if self.scarcity.record(n_displaced) {
            let n_places = self.places.number();
            warn!(n_places, "connections scarce: displacing idle ones of the addresses that hold most");
        }
        place
    }
}

/// Serves all connections, each request with its [`Peer`], until `drain`; then returns once the answers in progress are
/// sent. It does not wait for WebSockets.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    places: Places,
    addresses: Addresses,
    proxies: Proxies,
    drain: CancellationToken,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).max_buf_size(MAX_HEADERS);
    let router = TowerToHyperService::new(router);
    let open = TaskTracker::new();
    let lingering = Arc::new(Semaphore::new(LINGERING.min(places.number() / LINGERING_PART)));
    let mut acceptor = Acceptor::new(listener, places);
    loop {
        let (tcp, address, free) = tokio::select! {
            biased;
            () = drain.cancelled() => break,
            accepted = acceptor.next() => accepted,
        };
        if let Err(error) = SockRef::from(&tcp).set_tcp_notsent_lowat(UNSENT_BYTES) {
            debug!(%error, "connection without a bound on its unsent bytes: {error}");
        }
        let (holder, of_address, headers_take) = if proxies.are_trusted_at(address.ip()) {
            (None, None, PROXY_HEADERS_TAKE)
        } else {
            let address = address.ip().into();
            match admit(&addresses, &acceptor.places, address) {
                Ok(open) => (Some(address), Some(open), HEADERS_TAKE),
                Err(told) => {
                    refuse(tcp, told, &lingering, free, &open);
                    continue;
                }
            }
        };
        let place = acceptor.take(free, holder);
        let peer = Peer::new(address, place, of_address);
        let place = peer.place.clone();
        let gate = Arc::new(Gate::new(peer, addresses.clone(), proxies.clone()));
        let router = router.clone();
        let service = service_fn(move |request| answer(gate.clone(), router.clone(), request));
        let io = TokioIo::new(Box::pin(unstalled(tcp)));
        http.header_read_timeout(headers_take);
        let connection = http.serve_connection(io, service).with_upgrades();
        let drain = drain.clone();
        open.spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = place.displaced() => return debug!("connection cut: its place was needed"),
                () = drain.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                debug!(%error, "connection cut: {error}");
            }
        });
    }
    drop(acceptor);
    open.close();
    open.wait().await;
}

/// Counts a new connection of an address.
///
/// # Errors
/// Returns the answer to send before closing it.
fn admit(addresses: &Addresses, places: &Places, address: Address) -> Result<ResourceGuard, &'static [u8]> {
    addresses.take(address, LimitedAction::Connection, Instant::now()).map_err(|_| TOO_FAST)?;
    let kind = LimitedResource::Connection;
    if places.are_reserved() && addresses.holds(address, kind, FEW) {
        return Err(TOO_MANY);
    }
    addresses.open(address, kind).map_err(|_| TOO_MANY)
}

/// Refuses a connection with an answer, and closes it. A lingering one keeps its permit.
fn refuse(
    mut tcp: TcpStream,
    told: &'static [u8],
    lingering: &Arc<Semaphore>,
    permit: OwnedSemaphorePermit,
    open: &TaskTracker,
) {
    // The answer fits into the empty buffer of a new connection. The runtime does not yet know that the socket is
    // writable.
    let _ = rustix::io::write(&tcp, told);
    let Ok(lingers) = lingering.clone().try_acquire_owned() else {
        // Closing a connection with unread data resets it, too.
        let _ = rustix::io::read(&tcp, &mut [0; 4096]);
        return;
    };
    open.spawn(async move {
        let _ = tcp.shutdown().await;
        let _ = timeout(LINGER, copy(&mut tcp.take(LINGERING_BYTES), &mut sink())).await;
        drop((permit, lingers));
    });
}

/// Answers one request of a connection.
async fn answer(
    gate: Arc<Gate>,
    router: TowerToHyperService<Router>,
    mut request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    // A batch of pipelined requests must not delay the other tasks of this core.
    yield_now().await;
    match gate.admit(&mut request) {
        Ok(admitted) => {
            let slot = gate.request_slot(&admitted).await;
            let response = router.call(request).await?;
            drop(slot);
            Ok(admitted.complete(response))
        }
        Err(refused) => Ok(refused.response()),
    }
}

/// Raises the limit of open files to the maximum, and returns the number of connections that it allows.
///
/// # Errors
/// Too few files may be open to serve clients at all.
pub(crate) fn raise_open_files() -> anyhow::Result<usize> {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    let n_files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let n_connections = connections_within(n_files);
    ensure!(
        n_connections >= MIN_CONNECTIONS,
        "limit of {n_files} open files is too low: raise `ulimit -n` to at least {}",
        RESERVED_FILES + MIN_CONNECTIONS
    );
    if n_connections < MAX_CONNECTIONS {
        warn!(
            "limit of {n_files} open files allows {n_connections} connections: \
            raise `ulimit -n` to {} for {MAX_CONNECTIONS}",
            MAX_CONNECTIONS + RESERVED_FILES
        );
    }
    Ok(n_connections)
}

/// Returns the number of connections that a limit of open files allows.
fn connections_within(n_files: u64) -> usize {
    usize::try_from(n_files).unwrap_or(usize::MAX).saturating_sub(RESERVED_FILES).min(MAX_CONNECTIONS)
}

/// Accepts the next connection, once there is a place for it.
///
/// # Errors
/// The system can accept none, as when no file is left for it.
async fn accept(
    listener: &TcpListener,
    places: &Places,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let free = places.free().await;
    loop {
        match listener.accept().await {
            Err(error) if is_of_one_connection(&error) => {}
            accepted => return accepted.map(|(tcp, address)| (tcp, address, free)),
        }
    }
}

/// Whether the process or the system has as many open files as it may have.
fn no_file_is_left(error: &io::Error) -> bool {
    let errno = rustix::io::Errno::from_io_error(error);
    matches!(errno, Some(rustix::io::Errno::MFILE | rustix::io::Errno::NFILE))
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind as Is;
    matches!(error.kind(), Is::ConnectionRefused | Is::ConnectionAborted | Is::ConnectionReset)
}

/// Wraps a connection, which fails if the client accepts no data for too long.
fn unstalled(tcp: TcpStream) -> TimeoutStream<TcpStream> {
    // A small answer must not wait until the client acknowledges the packet before it.
    if let Err(error) = tcp.set_nodelay(true) {
        warn!(%error, "connection without TCP_NODELAY: {error}");
    }
    let mut stream = TimeoutStream::new(tcp);
    stream.set_write_timeout(Some(MAX_STALL));
    stream
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use futures_util::future::join_all;
    use protocol::ProblemCode;

    use super::*;
    use crate::net::limits::AddressLimits;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_nothing_is_cut_after_a_while() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let mut connection = Box::pin(unstalled(listener.accept().await.unwrap().0));
        let began = Instant::now();
        let failure = loop {
            if let Err(failure) = connection.write_all(&[0; 64 * 1024]).await {
                break failure;
            }
        };
        assert_eq!(failure.kind(), ErrorKind::TimedOut);
        assert!(began.elapsed() >= MAX_STALL, "{:?}", began.elapsed());
    }

    #[tokio::test]
    async fn each_refused_connection_of_a_flood_receives_the_reason() {
        const FLOOD: usize = 4 * LINGERING;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (places, lingering) = (Places::new(FLOOD), Arc::new(Semaphore::new(LINGERING)));
        let open = TaskTracker::new();
        let clients = (0..FLOOD).map(|_| async {
            let mut tcp = TcpStream::connect(address).await.unwrap();
            // It may be closed already; the answer can be read all the same.
            let _ = tcp.write_all(b"GET / HTTP/1.1\r\nhost: towers\r\n\r\n").await;
            let mut heard = Vec::new();
            let _ = tcp.read_to_end(&mut heard).await;
            heard
        });
        let refusing = async {
            for _ in 0..FLOOD {
                let (tcp, _, free) = accept(&listener, &places).await.unwrap();
                refuse(tcp, TOO_MANY, &lingering, free, &open);
            }
        };
        let (heard, ()) = tokio::join!(join_all(clients), refusing);
        for heard in heard {
            assert_eq!(String::from_utf8_lossy(&heard), String::from_utf8_lossy(TOO_MANY));
        }
        open.close();
        open.wait().await;
        assert_eq!((places.n_free(), lingering.available_permits()), (FLOOD, LINGERING));
    }

    #[test]
    fn connections_leave_files_for_the_database() {
        for (n_files, n_connections) in [
            (0, 0),
            (63, 0),
            (256, 192),
            (10_064, MAX_CONNECTIONS),
            (10_063, MAX_CONNECTIONS - 1),
            (u64::MAX, MAX_CONNECTIONS),
        ] {
            assert_eq!(connections_within(n_files), n_connections, "{n_files}");
        }
    }

    #[tokio::test]
    async fn the_last_places_are_for_addresses_that_hold_few() {
        let (addresses, places) = (Addresses::new(AddressLimits::times(1)), Places::new(160));
        let [holder, newcomer] = [1, 2].map(Address::of_tests);
        let admit = |address| admit(&addresses, &places, address);
        let mut held: Vec<_> = (0..FEW).map(|_| admit(holder).unwrap()).collect();
        let mut taken = Vec::new();
        while !places.are_reserved() {
            taken.push(places.free().await);
        }
        assert_eq!(places.n_free(), 4, "half of those that are kept");
        assert_eq!(admit(holder).unwrap_err(), TOO_MANY);
        assert!(admit(newcomer).is_ok());
        held.pop();
        assert!(admit(holder).is_ok(), "it holds less than a few");
        taken.pop();
        held.push(admit(holder).unwrap());
        held.push(admit(holder).unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn an_episode_begins_once_and_ends_when_nothing_has_happened_for_a_while() {
        let mut episode = Episode::default();
        assert!(!episode.record(0));
        assert!(timeout(2 * CALM, episode.end()).await.is_err(), "none has begun");
        assert!(episode.record(3));
        for _ in 0..4 {
            assert!(timeout(CALM / 2, episode.end()).await.is_err());
            assert!(!episode.record(1), "it has begun already");
        }
        let began = Instant::now();
        assert_eq!(episode.end().await, 7);
        assert_eq!(began.elapsed(), CALM);
        assert!(episode.record(1), "the next one");
    }

    #[test]
    fn the_content_length_of_the_answers_to_excess_connections_is_right() {
        for (answer, code) in [(TOO_MANY, ProblemCode::TooManyConnections), (TOO_FAST, ProblemCode::TooFast)]
        {
            let answer = std::str::from_utf8(answer).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head}\n{}", body.len());
            let problem: protocol::Problem = serde_json::from_str(body).unwrap();
            assert_eq!((problem.status, problem.code), (code.status(), code));
        }
    }
}
