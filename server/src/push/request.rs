//! One request to a push service: its headers and body, and the status of the answer. Nothing else of an answer is read, no
//! redirect is followed, and no connection is kept.

use std::{pin::pin, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{HeaderMap, Request, StatusCode, header},
};
use futures_util::future::{Either, select};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::{Instant, timeout_at},
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};

use super::hosts::{LookupError, Target};

/// Maximum time of a request, from the look-up of the name to the status.
const TAKES: Duration = Duration::from_secs(10);

/// Maximum number of bytes of an answer that wait to be read. The HTTP library takes no smaller one.
const MAX_ANSWER: usize = 8 * 1024;

/// What the headers of an answer say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    /// How long the service wants to be left alone.
    pub(super) retry_after: Option<Duration>,
}

/// The reason for which a request had no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum RequestError {
    #[error("the push service was not reached")]
    Unreached(#[from] UnreachedError),
    #[error("the push service does not speak HTTP")]
    Http(#[from] hyper::Error),
    #[error("the endpoint or a header cannot be sent")]
    Request(#[from] axum::http::Error),
    #[error("the push service does not answer in time")]
    Stalled,
}

/// The reason for which there was no connection to a push service. It may be that this node has no network, so it tells nothing
/// about the service.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnreachedError {
    #[error(transparent)]
    Lookup(#[from] LookupError),
    #[error("the push service cannot be connected to")]
    Connection(#[from] std::io::Error),
    #[error("the endpoint has no host that a certificate can name")]
    Name(#[from] tokio_rustls::rustls::pki_types::InvalidDnsNameError),
    #[error("the push service cannot be connected to in time")]
    Stalled,
}

/// A connection, which a certificate proves to be that of the push service if the endpoint has HTTPS.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Sends requests, and trusts the public certificate authorities.
#[derive(Clone)]
pub(super) struct Client(TlsConnector);

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Client")
    }
}

impl Client {
    pub(super) fn new() -> Self {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider has the default versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self(TlsConnector::from(Arc::new(config)))
    }

    /// Posts a body to an endpoint.
    pub(super) async fn post(
        &self,
        target: &Target,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Answer, RequestError> {
        let mut request = Request::post(target.path()).header(header::HOST, target.authority());
        if let Some(all) = request.headers_mut() {
            all.extend(headers);
        }
        let request = request.body(Body::from(body))?;
        let end = Instant::now() + TAKES;
        let connected = timeout_at(end, self.connect(target)).await;
        let stream = connected.map_err(|_| UnreachedError::Stalled)??;
        timeout_at(end, exchange(stream, request)).await.map_err(|_| RequestError::Stalled)?
    }

    async fn connect(&self, target: &Target) -> Result<Box<dyn Stream>, UnreachedError> {
        let tcp = TcpStream::connect(&*target.addresses().await?).await?;
        if !target.is_https() {
            return Ok(Box::new(tcp));
        }
        let name = ServerName::try_from(target.name().to_owned())?;
        Ok(Box::new(self.0.connect(name, tcp).await?))
    }
}

/// Sends a request over a connection, and reads the answer's headers.
async fn exchange(stream: Box<dyn Stream>, request: Request<Body>) -> Result<Answer, RequestError> {
    let mut builder = http1::Builder::new();
    let (mut sender, connection) = builder.max_buf_size(MAX_ANSWER).handshake(TokioIo::new(stream)).await?;
    let answer = match select(pin!(sender.send_request(request)), pin!(connection)).await {
        Either::Left((answer, _)) => answer?,
        Either::Right((ended, answer)) => {
            ended?;
            answer.await?
        }
    };
    Ok(Answer { status: answer.status(), retry_after: retry_after(answer.headers()) })
}

/// The seconds in `Retry-After`. Its other form, a date, counts as none.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
