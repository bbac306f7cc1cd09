use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream::poll_fn};
use protocol::ProblemCode;
use tracing::warn;

use super::Problem;

/// Maximum time of a request, including its body and the store's own time limits.
const REQUEST_TAKES: Duration = Duration::from_secs(15);

/// Answers within a time limit.
pub(super) async fn answer(request: Request, next: Next) -> Response {
    let waits_for_body = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| observed(body, waits_for_body.clone()));
    match tokio::time::timeout(REQUEST_TAKES, next.run(request)).await {
        Ok(response) => response,
        Err(_) if waits_for_body.load(Ordering::Relaxed) => {
            Problem::from(ProblemCode::BodyTooSlow).into_response()
        }
        Err(_) => {
            warn!("request timed out after {} s", REQUEST_TAKES.as_secs());
            Problem::from(ProblemCode::TookTooLong).into_response()
        }
    }
}

/// Wraps a body. `is_waited_for` tells whether its reader waits for more of it.
fn observed(body: Body, is_waited_for: Arc<AtomicBool>) -> Body {
    let mut pieces = body.into_data_stream();
    Body::from_stream(poll_fn(move |context| {
        let piece = pieces.poll_next_unpin(context);
        is_waited_for.store(piece.is_pending(), Ordering::Relaxed);
        piece
    }))
}

#[cfg(test)]
mod tests {
    use axum::{Router, http::StatusCode, middleware, routing::post};
    use futures_util::stream;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn slow_bodies_and_slow_answers_are_reported_as_such() {
        let routes = Router::new()
            .route("/", post(async |body: String| body))
            .route("/stuck", post(async |_: String| std::future::pending::<()>().await))
            .layer(middleware::from_fn(answer));
        let ask = async |path: &str, body: Body| {
            let request = Request::post(path).body(body).unwrap();
            routes.clone().oneshot(request).await.unwrap().status()
        };
        let slow = || {
            let beginning = stream::iter([Ok::<_, std::io::Error>("{")]);
            Body::from_stream(beginning.chain(stream::pending()))
        };
        assert_eq!(ask("/", Body::from("{}")).await, StatusCode::OK);
        assert_eq!(ask("/", slow()).await, StatusCode::REQUEST_TIMEOUT);
        assert_eq!(ask("/stuck", Body::from("{}")).await, StatusCode::SERVICE_UNAVAILABLE);
    }
}
