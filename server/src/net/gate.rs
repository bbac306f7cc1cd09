//! Checks each request before anything else is done for it: identifies its client, applies the client's rate limit, and
//! verifies that it is one well-formed request. A refusal costs no routing, span, compression or session lookup.

use std::{
    pin::Pin,
    sync::{
        Once,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Version, header},
};
use hyper::body::{Frame, SizeHint};
use tokio::time::Instant;
use tracing::warn;

use crate::net::{
    address::{
        Addresses, Client, LimitedAction, LimitedResource, Misconfigured, Proxies, ResourceGuard, Slot,
        SlottedWork,
    },
    limits::{MAX_HEADERS, MAX_REFUSED_REQUESTS},
    peer::Peer,
    places::Busy,
    sent::SentBytes,
};

/// Path of the request that opens a socket.
pub(crate) const SOCKET: &str = "/ws";

/// Period for which browsers then use HTTPS only: a year.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Bytes that a header takes on the wire besides its name and value.
const AROUND_HEADER: usize = ": \r\n".len();

/// Bytes that an answer is charged for its head.
const HEAD_OF_ANSWER: usize = 512;

/// Admits the requests of one connection, one after the other.
#[derive(Debug)]
pub(crate) struct Gate {
    peer: Peer,
    addresses: Addresses,
    proxies: Proxies,
    /// Number of requests refused for coming too fast, less those admitted. `None` for a trusted proxy, which carries
    /// the requests of many clients.
    refused: Option<AtomicU32>,
}

/// The reason why a request is refused. The bodies are constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    TooFast,
    /// Too many requests came too fast: the connection is closed.
    TooFastTooOften,
    /// The address was sent too many bytes, and may be sent more after this time.
    TooMuchSent(Duration),
    HeadersTooLarge,
    /// No `Host`, or several: proxies and servers might pick different ones.
    NoOneHost,
}

impl Gate {
    /// Returns the gate of a new connection.
    pub(crate) fn new(peer: Peer, addresses: Addresses, proxies: Proxies) -> Self {
        let is_proxy = proxies.are_trusted_at(peer.address.ip());
        Self { peer, addresses, proxies, refused: (!is_proxy).then(AtomicU32::default) }
    }

    /// Admits a request, and adds its [`Peer`] and [`Client`] to its extensions.
    ///
    /// # Errors
    /// Returns the refusal to answer with.
    pub(crate) fn admit<B>(&self, request: &mut Request<B>) -> Result<AdmittedRequest, Refused> {
        let address = self.peer.address.ip();
        if let Some(misconfigured) = self.proxies.misconfigured(address, request.headers()) {
            warn_of(misconfigured);
        }
        let client = self.proxies.client(address, request.headers());
        if self.addresses.take(client.address, LimitedAction::Request, Instant::now()).is_err() {
            return Err(self.count_refused());
        }
        if let Some(refused) = &self.refused {
            let _ =
                refused.try_update(Ordering::Relaxed, Ordering::Relaxed, |refused| refused.checked_sub(1));
        }
        if length(request) > MAX_HEADERS {
            return Err(Refused::HeadersTooLarge);
        }
        let hosts = request.headers().get_all(header::HOST).iter().count();
        if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
            return Err(Refused::NoOneHost);
        }
        // Not the opening of a socket: what it is sent has a budget of its own, and the games of its player go on.
        if request.uri().path() != SOCKET {
            self.addresses.may_receive(client.address, Instant::now()).map_err(Refused::TooMuchSent)?;
        }
        let carried = match self.refused {
            // It is covered by the guard of its connection.
            Some(_) => None,
            None => match self.addresses.open(client.address, LimitedResource::Carried) {
                Ok(place) => Some(place),
                Err(_) => return Err(Refused::TooFast),
            },
        };
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(self.peer.clone());
        let sent = SentBytes::new(self.addresses.clone(), client.address);
        let under_way =
            UnderWay { sent, _busy: self.peer.place.begin_request(client.address), _carried: carried };
        Ok(AdmittedRequest { client, under_way })
    }

    /// Waits until an admitted request may be processed.
    pub(crate) async fn request_slot(&self, admitted: &AdmittedRequest) -> Slot {
        self.addresses.slot(admitted.client.address, SlottedWork::Request).await
    }

    fn count_refused(&self) -> Refused {
        let Some(refused) = &self.refused else { return Refused::TooFast };
        let refused = refused.fetch_add(1, Ordering::Relaxed) + 1;
        if refused < MAX_REFUSED_REQUESTS { Refused::TooFast } else { Refused::TooFastTooOften }
    }
}

/// An admitted request.
#[derive(Debug)]
pub(crate) struct AdmittedRequest {
    pub(crate) client: Client,
    under_way: UnderWay,
}

/// Guards of a request, until the last byte of its answer is sent.
#[derive(Debug)]
struct UnderWay {
    /// Counter of the bytes sent to its client.
    sent: SentBytes,
    _busy: Busy,
    /// Guard among the requests that a trusted proxy carries for the client.
    _carried: Option<ResourceGuard>,
}

impl AdmittedRequest {
    /// Completes an answer: over HTTPS the browser must keep using HTTPS. Its bytes are counted as they are sent, and the
    /// request is over with the last of them.
    pub(crate) fn complete(self, mut response: Response<Body>) -> Response<Body> {
        let Self { client, mut under_way } = self;
        if client.is_https {
            response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
        }
        under_way.sent.add(HEAD_OF_ANSWER);
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            // A socket has guards and a budget of its own.
            return response;
        }
        response.map(|body| Body::new(Answer { body, under_way }))
    }
}

/// The body of an answer, with the guards of its request.
struct Answer {
    body: Body,
    under_way: UnderWay,
}

impl hyper::body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.under_way.sent.add(frame.data_ref().map_or(0, Bytes::len));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Logs, once for each reason, that the clients of a proxy count as one address.
fn warn_of(misconfigured: Misconfigured) {
    static UNTRUSTED: Once = Once::new();
    static ONLY_FORWARDED: Once = Once::new();
    match misconfigured {
        Misconfigured::Untrusted => UNTRUSTED.call_once(|| {
            warn!("untrusted proxy: all its clients share the limits of one address; see --trusted-proxies");
        }),
        Misconfigured::OnlyForwarded => ONLY_FORWARDED.call_once(|| {
            warn!(
                "trusted proxy sends `Forwarded` alone, which is not read: all its clients share the limits of one \
                 address; it must send `X-Forwarded-For`"
            );
        }),
    }
}

/// Returns the bytes of a request before its body.
fn length<B>(request: &Request<B>) -> usize {
    let uri = request.uri();
    let uri = uri.path().len() + uri.query().map_or(0, str::len);
    let headers = request.headers().iter();
    headers.map(|(name, value)| name.as_str().len() + value.len() + AROUND_HEADER).sum::<usize>() + uri
}

impl Refused {
    const fn status(self) -> StatusCode {
        match self {
            Self::TooFast | Self::TooFastTooOften | Self::TooMuchSent(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::HeadersTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::NoOneHost => StatusCode::BAD_REQUEST,
        }
    }

    /// A [`Problem`](protocol::Problem), as JSON.
    const fn body(self) -> &'static str {
        match self {
            Self::TooFast | Self::TooFastTooOften => {
                r#"{"status":429,"code":"too_fast","title":"Too Many Requests","detail":"too many requests from this address: wait a moment"}"#
            }
            Self::TooMuchSent(_) => {
                r#"{"status":429,"code":"too_fast","title":"Too Many Requests","detail":"too many bytes were sent to this address: wait a moment"}"#
            }
            Self::HeadersTooLarge => {
                r#"{"status":431,"code":"headers_too_large","title":"Request Header Fields Too Large","detail":"the address and the headers of a request take 32 KiB at most"}"#
            }
            Self::NoOneHost => {
                r#"{"status":400,"code":"no_host","title":"Bad Request","detail":"a request must have exactly one Host header"}"#
            }
        }
    }

    /// Returns the answer to the refused request.
    pub(crate) fn response(self) -> Response<Body> {
        const NO_SNIFF: (HeaderName, HeaderValue) =
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        const NO_STORE: (HeaderName, HeaderValue) =
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        const PROBLEM: (HeaderName, HeaderValue) =
            (header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.status();
        let headers: &mut HeaderMap = response.headers_mut();
        headers.extend([PROBLEM, NO_STORE, NO_SNIFF]);
        match self {
            // A refused request takes no token: the next one is available within a second.
            Self::TooFast => drop(headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"))),
            Self::TooFastTooOften => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Self::TooMuchSent(wait) => {
                let whole_seconds = wait.as_secs() + 1;
                headers.insert(header::RETRY_AFTER, HeaderValue::from(whole_seconds));
            }
            Self::HeadersTooLarge | Self::NoOneHost => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::limits::AddressLimits;

    const LIMITS: AddressLimits = AddressLimits::times(1);
    const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

    fn request(headers: &[(HeaderName, &str)]) -> Request<()> {
        let mut request = Request::new(());
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
        for (name, value) in headers {
            request.headers_mut().append(name, value);
        }
        request
    }

    fn gate(proxies: &str) -> Gate {
        let proxies: Vec<_> = proxies.split_terminator(',').map(|network| network.parse().unwrap()).collect();
        Gate::new(Peer::made_up(), Addresses::new(LIMITS), Proxies::new(&proxies))
    }

    fn ask(gate: &Gate) -> Result<(), Refused> {
        gate.admit(&mut request(&[(header::HOST, "h")])).map(drop)
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_keeps_being_refused_is_closed() {
        let gate = gate("");
        for _ in 0..LIMITS.requests.burst {
            assert_eq!(ask(&gate), Ok(()));
        }
        for _ in 1..MAX_REFUSED_REQUESTS {
            assert_eq!(ask(&gate), Err(Refused::TooFast));
        }
        assert_eq!(ask(&gate), Err(Refused::TooFastTooOften));
        tokio::time::advance(Duration::from_secs(1)).await;
        for _ in 0..Duration::from_secs(1).div_duration_f64(LIMITS.requests.each) as u32 {
            assert_eq!(ask(&gate), Ok(()));
        }
        assert_eq!(ask(&gate), Err(Refused::TooFast), "after the wait, refusals are counted from zero");
    }

    #[tokio::test(start_paused = true)]
    async fn a_proxy_keeps_its_connection_whomever_it_carries() {
        let gate = gate("127.0.0.0/8");
        for _ in 0..LIMITS.requests.burst {
            assert_eq!(ask(&gate), Ok(()));
        }
        for _ in 0..2 * MAX_REFUSED_REQUESTS {
            assert_eq!(ask(&gate), Err(Refused::TooFast));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn requests_on_a_proxys_connections_count_until_their_answers_are_sent() {
        let gate = gate("127.0.0.0/8");
        let ask =
            |client: &'static str| gate.admit(&mut request(&[(header::HOST, "h"), (FORWARDED_FOR, client)]));
        let mut slow = Vec::new();
        while slow.len() < LIMITS.connections as usize {
            tokio::time::advance(LIMITS.requests.each).await;
            let admitted = ask("192.0.2.1").unwrap();
            slow.push(admitted.complete(Response::new(Body::from("long"))));
        }
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(ask("192.0.2.1").map(drop), Err(Refused::TooFast));
        assert_eq!(ask("192.0.2.2").map(drop), Ok(()), "others come by the same proxy");
        let sent = axum::body::to_bytes(slow.pop().unwrap().into_body(), 16).await.unwrap();
        assert_eq!(sent, "long");
        assert_eq!(ask("192.0.2.1").map(drop), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_was_sent_its_budget_is_refused_until_it_has_rested_and_opens_sockets_meanwhile()
    {
        let gate = gate("");
        let answer = |n_bytes: usize| {
            let admitted = gate.admit(&mut request(&[(header::HOST, "h")])).unwrap();
            admitted.complete(Response::new(Body::from(vec![0; n_bytes])))
        };
        let mebibyte = 1024 * 1024;
        let unread = answer(50 * mebibyte);
        let all = LIMITS.sent_kib.burst as usize * 1024;
        for _ in 0..4 {
            let body = answer(all / 4).into_body();
            assert_eq!(hyper::body::Body::size_hint(&body).exact(), Some(all as u64 / 4));
            axum::body::to_bytes(body, all).await.unwrap();
        }
        drop(unread);
        let Err(refused) = ask(&gate) else { panic!("all of it is sent") };
        let refused = refused.response();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refused.headers()[header::RETRY_AFTER], "1", "what nobody read was not sent");
        let mut socket = request(&[(header::HOST, "h")]);
        *socket.uri_mut() = SOCKET.parse().unwrap();
        assert!(gate.admit(&mut socket).is_ok());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(ask(&gate), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_has_one_host_and_a_bounded_beginning() {
        let long = "x".repeat(MAX_HEADERS);
        let cookie = |length: usize| (header::COOKIE, &long[..length]);
        let host = (header::HOST, "h");
        let most = MAX_HEADERS - "/".len() - "hosth".len() - "cookie".len() - 2 * AROUND_HEADER;
        for (headers, expected) in [
            (vec![], Err(Refused::NoOneHost)),
            (vec![host.clone()], Ok(())),
            (vec![host.clone(), host.clone()], Err(Refused::NoOneHost)),
            (vec![host.clone(), cookie(most)], Ok(())),
            (vec![host, cookie(most + 1)], Err(Refused::HeadersTooLarge)),
        ] {
            let mut request = request(&headers);
            assert_eq!(gate("").admit(&mut request).map(drop), expected, "{headers:?}");
        }
        let mut old = request(&[]);
        *old.version_mut() = Version::HTTP_10;
        assert_eq!(gate("").admit(&mut old).map(drop), Ok(()), "HTTP/1.0 knows no Host");
    }

    #[test]
    fn every_refusal_is_a_problem_of_its_status() {
        use Refused::{HeadersTooLarge, NoOneHost, TooFast, TooFastTooOften, TooMuchSent};
        for refused in [TooFast, TooFastTooOften, TooMuchSent(Duration::ZERO), HeadersTooLarge, NoOneHost] {
            let problem: protocol::Problem = serde_json::from_str(refused.body()).unwrap();
            assert_eq!(problem.status, refused.status().as_u16());
            assert_eq!(problem.status, problem.code.status());
            assert_eq!(Some(problem.title.as_str()), refused.status().canonical_reason());
        }
    }
}
