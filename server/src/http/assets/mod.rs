//! The client's pages and files: built and compressed in a release, the plain sources in a debug build.

#[cfg(built_client)]
mod built;
#[cfg(not(built_client))]
mod sources;

use std::borrow::Cow;

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

#[cfg(built_client)]
use self::built as client;
#[cfg(not(built_client))]
use self::sources as client;
use super::document;

/// Pages and files may be stored, and are revalidated on each use.
const REVALIDATED: &str = "no-cache";

/// A content, plain and compressed.
#[derive(Clone, Debug)]
struct Stored {
    /// Entity tag: unique among all contents of one URL.
    tag: Cow<'static, str>,
    plain: Cow<'static, [u8]>,
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

/// Returns a page in a language.
pub(super) fn page(name: &str, language: &'static str, headers: &HeaderMap) -> Option<Response> {
    let stored = client::page(name, language)?;
    let mut response = answer(stored, "text/html; charset=utf-8", REVALIDATED, headers);
    let own = response.headers_mut();
    own.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding, accept-language, cookie"));
    Some(response)
}

/// Returns any other file of the client, by its path without the leading slash.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let stored = client::file(path)?;
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    Some(answer(stored, kind.essence_str(), client::FILES_KEPT, headers))
}

fn answer(stored: Stored, kind: &str, kept: &'static str, headers: &HeaderMap) -> Response {
    // All encodings of a content share one tag, so it is a weak one.
    let tag = format!("W/\"{}\"", stored.tag);
    let mut response = if is_known(&tag, headers) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let coded = [("br", stored.brotli), ("gzip", stored.gzip)]
            .into_iter()
            .find_map(|(coding, bytes)| bytes.filter(|_| document::takes(coding, headers)).zip(Some(coding)));
        match coded {
            Some((bytes, coding)) => {
                ([(header::CONTENT_TYPE, kind), (header::CONTENT_ENCODING, coding)], bytes).into_response()
            }
            None => ([(header::CONTENT_TYPE, kind)], stored.plain).into_response(),
        }
    };
    if client::IS_COMPRESSED {
        response.extensions_mut().insert(document::AsItIs);
    }
    let own = response.headers_mut();
    own.insert(header::ETAG, tag.parse().expect("a tag is of plain letters"));
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Whether the client has the content already (RFC 9110, 13.1.2).
fn is_known(tag: &str, headers: &HeaderMap) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|known| strong(known) == strong(tag)))
}
