use axum::{
    body::Bytes,
    extract::{FromRequestParts, Request},
    http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header, request::Parts},
    response::{IntoResponse, Response},
};
use game::ids::PlayerId;
use protocol::ProblemCode;

use super::{Problem, accept::weighted};
use crate::{
    compute::Requester,
    deflate::Gzipped,
    identity::Visitor,
    net::address::{Client, LimitedResource, ResourceGuard},
    state::App,
};

/// Maximum length of a text that is decompressed inline, in a fraction of a millisecond. Longer ones are decompressed
/// on the compute pool.
const PLAIN_AT_ONCE: usize = 128 * 1024;

/// The reader of a text with restricted access: a player if the request has a session.
pub(super) struct Reader {
    pub(super) player: Option<PlayerId>,
    pub(super) recipient: Recipient,
}

impl FromRequestParts<App> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let recipient = Recipient::from_request_parts(parts, app).await?;
        let player = Option::<Visitor>::from_request_parts(parts, app).await?.map(|Visitor(who)| who.id);
        Ok(Self { player, recipient })
    }
}

/// The recipient of a compressed text, which counts against the limit of its address for such answers.
pub(super) struct Recipient {
    pub(super) requester: Requester,
    takes_gzip: bool,
    /// Held until the answer is sent or abandoned.
    place: ResourceGuard,
}

impl FromRequestParts<App> for Recipient {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let client = parts.extensions.get::<Client>().copied().ok_or(ProblemCode::Unavailable)?;
        let place = app
            .addresses
            .open(client.address, LimitedResource::Document)
            .map_err(Problem::too_many_documents)?;
        Ok(Self {
            requester: Requester::visitor(client.address),
            takes_gzip: takes("gzip", &parts.headers),
            place,
        })
    }
}

impl Recipient {
    /// Answers with a text of a content type, in an encoding that the client accepts.
    ///
    /// # Errors
    /// Too much work of the client's address is queued.
    pub(super) async fn answer(
        self,
        app: &App,
        text: Gzipped,
        kind: &'static str,
    ) -> Result<Response, Problem> {
        let bytes = if self.takes_gzip {
            text.body()
        } else if text.n_plain() <= PLAIN_AT_ONCE {
            text.text().into()
        } else {
            app.compute.run(self.requester, move || text.text()).await?.into()
        };
        let takes_gzip = self.takes_gzip;
        let mut response = self.answer_as_it_is(bytes, kind);
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if takes_gzip {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        Ok(response)
    }

    /// Answers with bytes that are compressed already.
    pub(super) fn answer_as_it_is(self, bytes: Bytes, kind: &'static str) -> Response {
        let body = Bytes::from_owner(Held { bytes, _place: self.place });
        let mut response = ([(header::CONTENT_TYPE, kind)], body).into_response();
        response.extensions_mut().insert(AsItIs);
        response
    }
}

/// The bytes of an answer, with the guard that is released after the last of them.
struct Held {
    bytes: Bytes,
    _place: ResourceGuard,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Marks an answer that must not be compressed: it already is, or its client does not accept the cheap encoding.
#[derive(Clone, Copy)]
pub(super) struct AsItIs;

/// Whether the compression layer may compress an answer.
pub(super) fn is_to_be_compressed(_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions) -> bool {
    extensions.get::<AsItIs>().is_none()
}

/// Whether a client accepts a `Content-Encoding` (RFC 9110, 12.5.3).
pub(super) fn takes(wanted: &str, headers: &HeaderMap) -> bool {
    let mut takes_any = false;
    for (coding, weight) in weighted(headers, &header::ACCEPT_ENCODING) {
        // `x-gzip` is an old name of `gzip`.
        let coding = coding.strip_prefix("x-").unwrap_or(coding);
        if coding.eq_ignore_ascii_case(wanted) {
            return weight > 0.0;
        }
        if coding == "*" {
            takes_any = weight > 0.0;
        }
    }
    takes_any
}

/// Reduces what a client accepts to the encodings that the server has. Other readers of the header refuse a client that
/// accepts nothing at all, and pass over a line with a byte that is no letter.
pub(super) async fn accept_known_encodings(mut request: Request) -> Request {
    let taken: Vec<&str> =
        ["br", "gzip"].into_iter().filter(|coding| takes(coding, request.headers())).collect();
    match HeaderValue::from_str(&taken.join(", ")) {
        Ok(taken) if !taken.is_empty() => drop(request.headers_mut().insert(header::ACCEPT_ENCODING, taken)),
        Ok(_) | Err(_) => drop(request.headers_mut().remove(header::ACCEPT_ENCODING)),
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_sent_gzip_if_it_says_that_it_takes_it() {
        for (accepted, expected) in [
            (&[][..], false),
            (&["gzip"], true),
            (&["gzip, deflate, br, zstd"], true),
            (&["br;q=1.0, GZip;q=0.1"], true),
            (&["br", "gzip"], true),
            (&["br"], false),
            (&["identity"], false),
            (&["*"], true),
            (&["*;q=0"], false),
            (&["gzip;q=0, *"], false),
            (&["gzip; q=0.000"], false),
            (&["\u{e9}"], false),
            (&["\u{e9}, gzip"], true),
            (&["x-gzip"], true),
            (&["identity;q=0, *"], true),
            (&["identity;q=0"], false),
            (&["*;q=0, gzip"], true),
            (&["gzip;Q=0"], false),
            (&["gzip;q=much"], false),
        ] {
            let mut headers = HeaderMap::new();
            for value in accepted {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_bytes(value.as_bytes()).unwrap());
            }
            assert_eq!(takes("gzip", &headers), expected, "{accepted:?}");
        }
    }
}
