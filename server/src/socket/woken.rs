//! Polls a future only after its own wakeup. A connection reads and writes in one task; without this, each frame to send
//! would also poll the socket for input.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures_util::task::AtomicWaker;

/// A future that is polled once at first, and then only after its own waker was called.
#[derive(Debug)]
pub(super) struct IfWoken<F> {
    future: F,
    flag: Arc<WakeFlag>,
    waker: Waker,
}

#[derive(Debug)]
struct WakeFlag {
    is_set: AtomicBool,
    task: AtomicWaker,
}

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_set.store(true, Ordering::Release);
        self.task.wake();
    }
}

impl<F: Future + Unpin> IfWoken<F> {
    /// The flag starts set, so that the first poll registers the future's waker.
    pub(super) fn new(future: F) -> Self {
        let flag = Arc::new(WakeFlag { is_set: AtomicBool::new(true), task: AtomicWaker::new() });
        Self { future, waker: flag.clone().into(), flag }
    }
}

impl<F: Future + Unpin> Future for IfWoken<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // The waker is registered before the flag is read, so no wakeup between the two is lost.
        self.flag.task.register(context.waker());
        if !self.flag.is_set.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let Self { future, waker, .. } = &mut *self;
        Pin::new(future).poll(&mut Context::from_waker(waker))
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, future::poll_fn, pin::pin, time::Duration};

    use futures_util::poll;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_future_is_polled_only_after_its_own_wakeup() {
        let (own, receiver) = oneshot::channel::<()>();
        let n_polls = Cell::new(0);
        let mut receiver = pin!(receiver);
        let counting = poll_fn(|context| {
            n_polls.set(n_polls.get() + 1);
            receiver.as_mut().poll(context)
        });
        let counting = pin!(counting);
        let mut half = IfWoken::new(counting);
        for _ in 0..3 {
            assert!(poll!(&mut half).is_pending());
            assert_eq!(n_polls.get(), 1, "polled without its own wakeup");
        }
        own.send(()).unwrap();
        assert_eq!(poll!(&mut half), Poll::Ready(Ok(())));
        assert_eq!(n_polls.get(), 2);
    }

    #[tokio::test]
    async fn a_wakeup_reaches_the_task() {
        let (own, receiver) = oneshot::channel::<()>();
        let sending = async {
            tokio::task::yield_now().await;
            own.send(()).unwrap();
        };
        let both = async { tokio::join!(IfWoken::new(receiver), sending) };
        let (received, ()) = tokio::time::timeout(Duration::from_secs(60), both).await.expect("it is woken");
        received.unwrap();
    }
}
