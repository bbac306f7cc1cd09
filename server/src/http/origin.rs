use axum::{
    extract::Request,
    http::{Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::Problem;

/// Refuses what a page of another site sends in a visitor's name: every request that changes something, and the
/// opening of a socket. Browsers tell the origin of both; other programs need not.
pub(super) async fn refuse_foreign(request: Request, next: Next) -> Response {
    let is_reading = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_socket = request.headers().contains_key(header::UPGRADE);
    if (is_reading && !is_socket) || !is_foreign(&request) {
        return next.run(request).await;
    }
    Problem::new(StatusCode::FORBIDDEN, "foreign_origin", "this was sent by a page of another site")
        .into_response()
}

fn is_foreign(request: &Request) -> bool {
    let headers = request.headers();
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match (origin.as_ref().and_then(Uri::authority), host) {
        (Some(origin), Some(host)) => !origin.as_str().eq_ignore_ascii_case(host),
        _ => true,
    }
}
