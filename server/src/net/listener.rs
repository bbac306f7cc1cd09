//! Client connections: accepted one by one, bounded in number, and cut when they stall.

use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

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
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, sink},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::yield_now,
    time::{Instant, sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{debug, error, warn};

use crate::net::{
    address::{Address, Addresses, LimitedAction, LimitedResource, Open, Proxies},
    gate::Gate,
    limits::{HEADERS_TAKE, MAX_CONNECTIONS, MAX_HEADERS, MAX_STALL, PROXY_HEADERS_TAKE},
    peer::Peer,
};

/// Pause after the system has failed to accept a connection, as when all file descriptors are in use.
const AFTER_FAILURE: Duration = Duration::from_millis(200);

/// Maximum number of refused connections that linger. Others are closed at once.
const LINGERING: usize = 64;

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

/// Serves all connections, each request with its [`Peer`], until `drain`; then returns once the answers in progress are
/// sent. It does not wait for WebSockets.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    addresses: Addresses,
    proxies: Proxies,
    drain: CancellationToken,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).max_buf_size(MAX_HEADERS);
    let router = TowerToHyperService::new(router);
    let (permits, open) = (Arc::new(Semaphore::new(MAX_CONNECTIONS)), TaskTracker::new());
    let lingering = Arc::new(Semaphore::new(LINGERING));
    loop {
        let taken = tokio::select! {
            biased;
            () = drain.cancelled() => break,
            taken = take(&listener, &permits) => taken,
        };
        let (tcp, address, of_all) = taken;
        let (of_address, headers_take) = if proxies.are_trusted_at(address.ip()) {
            (None, PROXY_HEADERS_TAKE)
        } else {
            match admit(&addresses, address.ip().into()) {
                Ok(open) => (Some(open), HEADERS_TAKE),
                Err(told) => {
                    refuse(tcp, told, &lingering, of_all, &open);
                    continue;
                }
            }
        };
        let peer = Peer::new(address, of_all, of_address);
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
    drop(listener);
    open.close();
    open.wait().await;
}

/// Counts a new connection of an address.
///
/// # Errors
/// Returns the answer to send before closing it.
fn admit(addresses: &Addresses, address: Address) -> Result<Open, &'static [u8]> {
    addresses.take(address, LimitedAction::Connection, Instant::now()).map_err(|_| TOO_FAST)?;
    addresses.open(address, LimitedResource::Connection).map_err(|_| TOO_MANY)
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

/// Raises the limit of open files to the maximum: each connection takes one.
pub(crate) fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    let allowed = getrlimit(Resource::Nofile).current;
    if raised.is_err() || allowed.is_some_and(|allowed| allowed < MAX_CONNECTIONS as u64) {
        let allowed = allowed.unwrap_or_default();
        warn!(
            "limit of {allowed} open files is below the {MAX_CONNECTIONS} allowed connections: raise `ulimit -n`"
        );
    }
}

/// Accepts the next connection, once there is a permit for it.
async fn take(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    let permit = permits.clone().acquire_owned().await.expect("the permits are never closed");
    loop {
        match listener.accept().await {
            Ok((tcp, address)) => return (tcp, address, permit),
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                error!(%error, "accepting connections failed: {error}");
                sleep(AFTER_FAILURE).await;
            }
        }
    }
}

fn is_of_one_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as Is;
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
        let (permits, lingering) = (Arc::new(Semaphore::new(FLOOD)), Arc::new(Semaphore::new(LINGERING)));
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
                let (tcp, _, permit) = take(&listener, &permits).await;
                refuse(tcp, TOO_MANY, &lingering, permit, &open);
            }
        };
        let (heard, ()) = tokio::join!(join_all(clients), refusing);
        for heard in heard {
            assert_eq!(String::from_utf8_lossy(&heard), String::from_utf8_lossy(TOO_MANY));
        }
        open.close();
        open.wait().await;
        assert_eq!((permits.available_permits(), lingering.available_permits()), (FLOOD, LINGERING));
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
