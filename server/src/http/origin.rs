use axum::{
    extract::{Request, State},
    http::{Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::ProblemCode;

use super::{Problem, cors::changes_nothing};
use crate::{net::origin::is_foreign, state::App};

/// Refuses requests that pages of other sites make in a visitor's name: those that change something, and the opening of
/// a socket. Browsers send the origin of both; other programs need not.
pub(super) async fn refuse_foreign(State(app): State<App>, request: Request, next: Next) -> Response {
    let method = request.method();
    let is_reading =
        *method == Method::OPTIONS || changes_nothing(method.as_str().as_bytes(), request.uri().path());
    let is_socket = request.headers().contains_key(header::UPGRADE);
    if (is_reading && !is_socket) || !is_foreign(request.headers(), app.origin.as_ref()) {
        return next.run(request).await;
    }
    Problem::from(ProblemCode::ForeignOrigin).into_response()
}
