use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Problem, document::Recipient};
use crate::{deflate::Gzipped, state::App};

/// Answers that are equal for all clients while the server runs may be cached for an hour, and are then revalidated by
/// their tag.
pub(super) const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// A cacheable JSON answer that is equal for all clients.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    text: Gzipped,
    /// Entity tag of the text, whatever its encoding.
    tag: HeaderValue,
}

impl Kept {
    /// Encodes an answer.
    pub(super) fn json(answer: &impl Serialize) -> Self {
        let text = serde_json::to_string(answer).expect("answers have string keys only");
        let tag = format!("W/\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&text)));
        let tag = HeaderValue::from_str(&tag).expect("a tag is plain ASCII");
        Self { text: Gzipped::of_text(&text), tag }
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
            recipient.answer(app, self.text, "application/json").await?
        };
        response.headers_mut().insert(header::ETAG, self.tag);
        response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
        Ok(response)
    }
}

/// Whether a client has an answer already, by its entity tag.
pub(super) fn is_known(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    let tag = tag.as_bytes();
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .any(|known| known.as_bytes().split(|byte| *byte == b',').any(|known| known.trim_ascii() == tag))
}
