use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Problem, document::Recipient};
use crate::{deflate::Gzipped, net::headers::elements, state::App};

/// Answers that are equal for all clients while the server runs may be cached for an hour, and are then revalidated by
/// their tag.
pub(super) const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// A cacheable answer that is equal for all clients.
#[derive(Clone, Debug)]
pub(crate) struct CachedAnswer {
    text: Gzipped,
    media_type: &'static str,
    /// Entity tag of the text, whatever its encoding.
    tag: HeaderValue,
}

impl CachedAnswer {
    /// Encodes an answer.
    pub(super) fn json(answer: &impl Serialize) -> Self {
        let text = serde_json::to_string(answer).expect("answers have string keys only");
        Self::text(&text, "application/json")
    }

    /// Returns a text as an answer of its media type.
    pub(super) fn text(text: &str, media_type: &'static str) -> Self {
        let tag = format!("W/\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text)));
        let tag = HeaderValue::from_str(&tag).expect("a tag is plain ASCII");
        Self { text: Gzipped::of_text(text), media_type, tag }
    }

    /// Returns the answer, or 304 if the client has it already.
    ///
    /// # Errors
    /// Too much work of the client's address is queued.
    pub(super) async fn answer(
        self,
        app: &App,
        recipient: Recipient,
        headers: &HeaderMap,
    ) -> Result<Response, Problem> {
        let mut response = if is_known(&self.tag, headers) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            recipient.answer(app, self.text, self.media_type).await?
        };
        response.headers_mut().insert(header::ETAG, self.tag);
        response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
        Ok(response)
    }
}

/// Whether a client has an answer already, by its entity tag (RFC 9110, 13.1.2). Tags are compared weakly: a proxy that
/// compresses an answer may have made its tag a weak one.
pub(super) fn is_known(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let tag = opaque(tag.as_bytes());
    elements(headers, &header::IF_NONE_MATCH).any(|known| known == b"*" || opaque(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_an_answer_whose_tag_it_names_in_any_form() {
        for (tag, lines, expected) in [
            ("W/\"a\"", &[][..], false),
            ("W/\"a\"", &["W/\"a\""][..], true),
            ("W/\"a\"", &["\"a\""], true),
            ("\"a\"", &["W/\"a\""], true),
            ("W/\"a\"", &["\"b\", W/\"a\""], true),
            ("W/\"a\"", &["\"b\",W/\"a\",\"c\""], true),
            ("W/\"a\"", &["\"b\"", "\"a\""], true),
            ("W/\"a\"", &["\"\u{e9}\", \"a\""], true),
            ("W/\"a\"", &["\"b,c\", \"a\""], true),
            ("W/\"a\"", &["*"], true),
            ("W/\"a\"", &["a"], false),
            ("W/\"a\"", &["W/a"], false),
            ("W/\"a\"", &["W/W/\"a\""], false),
            ("W/\"a\"", &["\"A\""], false),
            ("W/\"a\"", &["\"*\""], false),
            ("W/\"a\"", &[""], false),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::IF_NONE_MATCH, HeaderValue::from_bytes(line.as_bytes()).unwrap());
            }
            assert_eq!(is_known(&HeaderValue::from_static(tag), &headers), expected, "{tag} {lines:?}");
        }
    }
}
