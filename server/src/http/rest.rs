use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderValue, header},
    middleware::Next,
    response::Response,
};
use futures_util::future::poll_fn;
use hyper::body::{Frame, SizeHint};
use parking_lot::Mutex;
use tokio::time::timeout;

use crate::net::limits::MAX_RECORD;

/// Maximum number of unread body bytes that are read and discarded: the size of the largest allowed body.
const DISCARDED: usize = MAX_RECORD;

/// Maximum time for discarding.
const DISCARDING_TAKES: Duration = Duration::from_secs(1);

/// Reads the rest of a request's body before the answer is sent. Closing a connection with unread data resets it, and the
/// client would lose the answer. With too much left to read, the connection is closed all the same.
pub(super) async fn discard(request: Request, next: Next) -> Response {
    // A client that waits for `100 Continue` has nothing on the way.
    let mut expected = request.headers().get_all(header::EXPECT).iter();
    let waits = expected.any(|expected| expected.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    if request.body().is_end_stream() || waits {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let body = Shared(Arc::new(Mutex::new(body)));
    let mut response = next.run(Request::from_parts(head, Body::new(body.clone()))).await;
    if !matches!(timeout(DISCARDING_TAKES, body.discarded()).await, Ok(true)) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// A body that survives its reader.
#[derive(Clone, Debug)]
struct Shared(Arc<Mutex<Body>>);

impl Shared {
    /// Reads to the end. Returns `false` if that takes too long or too many bytes.
    async fn discarded(mut self) -> bool {
        let mut n_bytes = 0;
        while !self.is_end_stream() {
            if n_bytes > DISCARDED {
                return false;
            }
            match poll_fn(|context| Pin::new(&mut self).poll_frame(context)).await {
                Some(Ok(frame)) => n_bytes += frame.data_ref().map_or(0, Bytes::len),
                Some(Err(_)) => return false,
                None => return true,
            }
        }
        true
    }
}

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.0.lock()).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        HttpBody::size_hint(&*self.0.lock())
    }
}
