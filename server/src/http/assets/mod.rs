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
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

#[cfg(built_client)]
use self::built as client;
#[cfg(not(built_client))]
use self::sources as client;
use super::{
    FOR_ALL_PAGES, PERMISSIONS_POLICY, RESOURCE_POLICY, cached::is_known, cors::ANY_ORIGIN, document,
};

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
    Some(page_of(client::page(name, language)?, language, headers))
}

/// Returns a page in a language, with tags at the end of its head. It is compressed per request.
pub(super) fn page_with(
    name: &str,
    language: &'static str,
    headers: &HeaderMap,
    tags: &str,
) -> Option<Response> {
    let Stored { tag, plain, .. } = client::page(name, language)?;
    let html = String::from_utf8_lossy(&plain).replacen(END_OF_HEAD, &[tags, END_OF_HEAD].concat(), 1);
    let digest = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(tags));
    let tag = Cow::Owned(format!("{tag}-{digest}"));
    let stored = Stored { tag, plain: Cow::Owned(html.into_bytes()), brotli: None, gzip: None };
    let mut response = page_of(stored, language, headers);
    response.extensions_mut().remove::<document::AsItIs>();
    Some(response)
}

const END_OF_HEAD: &str = "</head>";

fn page_of(stored: Stored, language: &'static str, headers: &HeaderMap) -> Response {
    let mut response = answer(stored, "text/html; charset=utf-8", REVALIDATED, headers);
    let own = response.headers_mut();
    own.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding, accept-language, cookie"));
    own.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    let (name, value) = PERMISSIONS_POLICY;
    own.insert(name, HeaderValue::from_static(value));
    response
}

/// Returns any other file of the client, by its path without the leading slash. Frames of sandboxed documents load files
/// as another site would, so all sites may.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let stored = client::file(path)?;
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let kept = if path.starts_with("assets/") { client::FILES_KEPT } else { REVALIDATED };
    let mut response = answer(stored, kind.essence_str(), kept, headers);
    let (name, value) = ANY_ORIGIN;
    response.headers_mut().insert(name, value);
    response.headers_mut().insert(RESOURCE_POLICY, FOR_ALL_PAGES);
    Some(response)
}

/// Returns the script of the service worker. Its address has no hash, so it is revalidated.
pub(super) fn service_worker(headers: &HeaderMap) -> Option<Response> {
    Some(answer(client::service_worker()?, "text/javascript", REVALIDATED, headers))
}

fn answer(stored: Stored, kind: &str, kept: &'static str, headers: &HeaderMap) -> Response {
    // All encodings of a content share one tag, so it is a weak one.
    let tag: HeaderValue = format!("W/\"{}\"", stored.tag).parse().expect("a tag is of plain letters");
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
    own.insert(header::ETAG, tag);
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}
