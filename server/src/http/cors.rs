use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::API;

/// Every origin may read the answer.
pub(crate) const ANY_ORIGIN: (HeaderName, HeaderValue) =
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));

/// Headers that pages of other origins may read.
const EXPOSED: HeaderValue = HeaderValue::from_static("etag, retry-after, x-request-id");

/// Seconds for which a browser remembers that it may ask.
const REMEMBERED: HeaderValue = HeaderValue::from_static("86400");

/// Path below the interface of the only request with a body that changes nothing.
const CHECK: &str = "/records/check";

/// Lets pages of all origins read what anybody may read: answers to requests without a cookie that change nothing.
/// Frames of sandboxed documents, whose origin is `null`, are among them. An answer to a request with a cookie may be for
/// its sender alone; such answers vary by cookie, so no cache mixes up the two.
pub(super) async fn allow_reading(request: Request, next: Next) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    if let Some(asked) = preflight_of(method, request.headers()) {
        let is_allowed = is_operation(path) && changes_nothing(asked, path);
        return if is_allowed { allowed() } else { next.run(request).await };
    }
    let is_shared = is_operation(path)
        && changes_nothing(method.as_str().as_bytes(), path)
        && !request.headers().contains_key(header::COOKIE);
    let mut response = next.run(request).await;
    if is_shared {
        let (name, value) = ANY_ORIGIN;
        response.headers_mut().insert(name, value);
        response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    response
}

/// Whether a request needs no permission of the visitor, whatever page sends it.
pub(super) fn changes_nothing(method: &[u8], path: &str) -> bool {
    match method {
        b"GET" | b"HEAD" => true,
        b"POST" => path.strip_prefix(API) == Some(CHECK),
        _ => false,
    }
}

fn is_operation(path: &str) -> bool {
    path.strip_prefix(API).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the method that a browser asks for before it sends a request, if this is such a question.
fn preflight_of<'a>(method: &Method, headers: &'a HeaderMap) -> Option<&'a [u8]> {
    let asked = headers.get(header::ACCESS_CONTROL_REQUEST_METHOD)?;
    (*method == Method::OPTIONS).then_some(asked.as_bytes())
}

fn allowed() -> Response {
    let headers = [
        ANY_ORIGIN,
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST")),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type, if-none-match")),
        (header::ACCESS_CONTROL_MAX_AGE, REMEMBERED),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
