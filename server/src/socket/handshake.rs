//! The opening of a WebSocket (RFC 6455, section 4), up to the connection underneath it.

use axum::{
    body::Body,
    extract::FromRequestParts,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header, request::Parts},
    response::IntoResponse,
};
use base64::{
    Engine as _,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use protocol::ProblemCode;
use tungstenite::handshake::derive_accept_key;

use crate::{net::headers::elements, problem::Problem};

/// Number of bytes of the key that a client sends in base64.
const KEY: usize = 16;

/// The encoding of keys. The unused bits of the last letter need not be 0 (RFC 4648, section 3.5).
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true),
);

/// The version of the WebSocket protocol that the server speaks.
const VERSION: HeaderValue = HeaderValue::from_static("13");

const UPGRADE: HeaderValue = HeaderValue::from_static("upgrade");
const WEBSOCKET: HeaderValue = HeaderValue::from_static("websocket");

/// A valid request to open a WebSocket.
#[derive(Debug)]
pub(crate) struct Handshake {
    accept: HeaderValue,
    connection: OnUpgrade,
}

impl Handshake {
    /// Answers the request, and passes the connection to `serve` once the answer is sent. If the client is gone by
    /// then, the returned future does nothing.
    pub(crate) fn accept<F: Future<Output = ()>>(
        self,
        serve: impl FnOnce(TokioIo<Upgraded>) -> F,
    ) -> (Response<Body>, impl Future<Output = ()>) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        response.headers_mut().extend([
            (header::CONNECTION, UPGRADE),
            (header::UPGRADE, WEBSOCKET),
            (header::SEC_WEBSOCKET_ACCEPT, self.accept),
        ]);
        let serving = async {
            if let Ok(connection) = self.connection.await {
                serve(TokioIo::new(connection)).await;
            }
        };
        (response, serving)
    }
}

/// The refusal of a request that opens no WebSocket. Its headers say what would.
#[derive(Debug)]
pub(crate) struct NotOpened(Problem);

impl NotOpened {
    fn new(code: ProblemCode, detail: &'static str) -> Self {
        Self(Problem::new(code, detail))
    }
}

impl IntoResponse for NotOpened {
    fn into_response(self) -> Response<Body> {
        let headers: &[_] = match self.0.status() {
            StatusCode::METHOD_NOT_ALLOWED => &[(header::ALLOW, HeaderValue::from_static("GET"))],
            _ => &[
                (header::CONNECTION, UPGRADE),
                (header::UPGRADE, WEBSOCKET),
                (header::SEC_WEBSOCKET_VERSION, VERSION),
            ],
        };
        let mut response = self.0.into_response();
        response.headers_mut().extend(headers.iter().cloned());
        response
    }
}

impl<S: Sync> FromRequestParts<S> for Handshake {
    type Rejection = NotOpened;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, NotOpened> {
        // A route for `GET` is also one for `HEAD`.
        if parts.method != Method::GET {
            return Err(NotOpened(ProblemCode::MethodNotAllowed.into()));
        }
        let headers = &parts.headers;
        if !has(headers, &header::CONNECTION, "upgrade") || !has(headers, &header::UPGRADE, "websocket") {
            let detail = "expected `connection: upgrade` and `upgrade: websocket`";
            return Err(NotOpened::new(ProblemCode::UpgradeRequired, detail));
        }
        let Some(version) = only(headers, header::SEC_WEBSOCKET_VERSION) else {
            return Err(NotOpened::new(ProblemCode::NoWebsocket, "expected one `sec-websocket-version: 13`"));
        };
        if version != VERSION {
            return Err(NotOpened::new(ProblemCode::UpgradeRequired, "expected `sec-websocket-version: 13`"));
        }
        let is_key = |key: &&HeaderValue| BASE64.decode(key).is_ok_and(|bytes| bytes.len() == KEY);
        let Some(key) = only(headers, header::SEC_WEBSOCKET_KEY).filter(is_key) else {
            let detail = "expected one `sec-websocket-key` of 16 bytes in base64";
            return Err(NotOpened::new(ProblemCode::NoWebsocket, detail));
        };
        let accept = derive_accept_key(key.as_bytes());
        let accept = HeaderValue::from_str(&accept).expect("base64 is a header's value");
        // HTTP/1.0 has no upgrade.
        let connection = parts.extensions.remove::<OnUpgrade>();
        let connection = connection.ok_or_else(|| NotOpened(ProblemCode::UpgradeRequired.into()))?;
        Ok(Self { accept, connection })
    }
}

/// Returns the value of a header that a request has once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

/// Whether a header's list contains a word, ignoring case.
fn has(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    elements(headers, name).any(|named| named.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    const WHOLE: [(&str, &str); 4] = [
        ("connection", "keep-alive, Upgrade"),
        ("upgrade", "WebSocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];

    /// Returns the status and the headers of the refusal of a request. No request has a connection, the last condition.
    async fn refused(method: Method, headers: &[(&str, &str)]) -> (StatusCode, HeaderMap) {
        let request = Request::builder().method(method).uri("/ws");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        let refusal = Handshake::from_request_parts(&mut parts, &()).await.unwrap_err().into_response();
        (refusal.status(), refusal.headers().clone())
    }

    #[tokio::test]
    async fn only_a_whole_request_opens_a_websocket_and_others_learn_what_would() {
        let (bad, upgradable) = (StatusCode::BAD_REQUEST, StatusCode::UPGRADE_REQUIRED);
        for (what, changed, expected) in [
            ("all but a connection", vec![], upgradable),
            (
                "lists over several headers",
                vec![("connection", "Keep-Alive"), ("connection", "UPGRADE ")],
                upgradable,
            ),
            ("no `connection`", vec![("connection", "")], upgradable),
            ("another `connection`", vec![("connection", "close, upgraded")], upgradable),
            ("no `upgrade`", vec![("upgrade", "")], upgradable),
            ("another `upgrade`", vec![("upgrade", "h2c")], upgradable),
            ("no version", vec![("sec-websocket-version", "")], upgradable),
            ("an old version", vec![("sec-websocket-version", "8")], upgradable),
            ("two versions", vec![("sec-websocket-version", "13"), ("sec-websocket-version", "8")], bad),
            ("a key that is too short", vec![("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZ")], bad),
            ("a key of 15 bytes", vec![("sec-websocket-key", "dGhlIHNhbXBsZSBub25j")], bad),
            ("a key of 17 bytes", vec![("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZTE=")], bad),
            ("a key that is not base64", vec![("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZ!==")], bad),
            ("two keys", vec![WHOLE[3], WHOLE[3]], bad),
        ] {
            let is_changed = |(name, _): &(&str, &str)| changed.iter().any(|(changed, _)| changed == name);
            let headers: Vec<_> =
                WHOLE.into_iter().filter(|header| !is_changed(header)).chain(changed.clone()).collect();
            let (status, headers) = refused(Method::GET, &headers).await;
            assert_eq!(status, expected, "{what}");
            let told = ["connection", "upgrade", "sec-websocket-version"]
                .map(|name| headers[name].to_str().unwrap());
            assert_eq!(told, ["upgrade", "websocket", "13"], "{what}");
        }
        for left_out in 0..WHOLE.len() {
            let mut headers = WHOLE.to_vec();
            let (name, _) = headers.remove(left_out);
            let expected = if name.starts_with("sec-") { bad } else { upgradable };
            assert_eq!(refused(Method::GET, &headers).await.0, expected, "without {name}");
        }
        let (status, headers) = refused(Method::HEAD, &WHOLE).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(headers["allow"], "GET");
    }
}
