use std::sync::Once;

use axum::{
    Extension,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::time::Instant;
use tracing::warn;

use super::Problem;
use crate::{
    address::{Client, Deed},
    app::App,
    listener::Peer,
};

/// Finds out who sends a request, and refuses it if its address sends too many.
pub(super) async fn identify(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = peer.address.ip();
    if app.proxies.are_missing(address, request.headers()) {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            warn!("a proxy that is not among --trusted-proxies passes requests on: all who come by it count as one");
        });
    }
    let client = app.proxies.client(address, request.headers());
    if let Err(problem) = refuse_fast(&app, client, Deed::Request) {
        return problem.into_response();
    }
    request.extensions_mut().insert(client);
    next.run(request).await
}

/// Counts what a client does.
///
/// # Errors
/// Its address does that too often.
pub(super) fn refuse_fast(app: &App, client: Client, deed: Deed) -> Result<(), Problem> {
    app.addresses.take(client.address, deed, Instant::now()).map_err(|wait| {
        let what = match deed {
            Deed::Request => "requests",
            Deed::Session => "new visitors",
            Deed::Room => "new rooms",
            Deed::Follow => "events of games",
        };
        Problem::too_fast(format!("too many {what} from this address: wait a moment"), wait)
    })
}
