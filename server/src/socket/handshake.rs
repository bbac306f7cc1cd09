//! The opening of a WebSocket (RFC 6455, section 4), up to the connection underneath it.

use axum::{
    body::Body,
    extract::FromRequestParts,
    http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header, request::Parts},
};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use protocol::ProblemCode;
use tungstenite::handshake::derive_accept_key;

use crate::problem::Problem;

/// Length of the key that a client sends: 16 bytes in base64.
const KEY: usize = 24;

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
            (header::CONNECTION, HeaderValue::from_static("upgrade")),
            (header::UPGRADE, HeaderValue::from_static("websocket")),
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

impl<S: Sync> FromRequestParts<S> for Handshake {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let headers = &parts.headers;
        if !has(headers, header::CONNECTION, "upgrade") || !has(headers, header::UPGRADE, "websocket") {
            return Err(refusal("expected `connection: upgrade` and `upgrade: websocket`"));
        }
        if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
            return Err(refusal("expected `sec-websocket-version: 13`"));
        }
        let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|key| key.len() == KEY);
        let key = key.ok_or_else(|| refusal("expected a `sec-websocket-key` of 16 bytes"))?;
        let accept = derive_accept_key(key.as_bytes());
        let accept = HeaderValue::from_str(&accept).expect("base64 is a header's value");
        let connection = parts.extensions.remove::<OnUpgrade>();
        let connection = connection.ok_or(ProblemCode::UpgradeRequired)?;
        Ok(Self { accept, connection })
    }
}

fn refusal(detail: &'static str) -> Problem {
    Problem::new(ProblemCode::NoWebsocket, detail)
}

/// Whether a header's list contains a word, ignoring case.
fn has(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let words = headers.get_all(name).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    words.map(<[u8]>::trim_ascii).any(|named| named.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[tokio::test]
    async fn only_a_whole_request_opens_a_websocket() {
        let whole = [
            ("connection", "keep-alive, Upgrade"),
            ("upgrade", "WebSocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        let open = async |headers: &[(&str, &str)]| {
            let request = headers
                .iter()
                .fold(Request::get("/ws"), |request, (name, value)| request.header(*name, *value));
            let (mut parts, ()) = request.body(()).unwrap().into_parts();
            Handshake::from_request_parts(&mut parts, &()).await.map(drop).map_err(|problem| problem.status())
        };
        let upgradable = StatusCode::UPGRADE_REQUIRED;
        assert_eq!(open(&whole).await, Err(upgradable), "all is there but a connection");
        for left_out in 0..whole.len() {
            let mut headers = whole.to_vec();
            headers.remove(left_out);
            assert_eq!(open(&headers).await, Err(StatusCode::BAD_REQUEST), "without {:?}", whole[left_out]);
        }
        for (place, value) in [(0, "close"), (1, "h2c"), (2, "12"), (3, "short")] {
            let mut headers = whole;
            headers[place].1 = value;
            assert_eq!(open(&headers).await, Err(StatusCode::BAD_REQUEST), "{headers:?}");
        }
    }
}
