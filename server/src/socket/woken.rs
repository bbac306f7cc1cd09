//! The halves of a connection share a task, and each is polled only when it was woken itself: a frame to send does not
//! make the task look for frames to read.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures_util::task::AtomicWaker;

/// A future that is polled only when it was woken, and not when another future of its task was.
#[derive(Debug)]
pub(super) struct IfWoken<F> {
    future: F,
    wakeup: Arc<Wakeup>,
    waker: Waker,
}

#[derive(Debug)]
struct Wakeup {
    has_come: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Wakeup {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.has_come.store(true, Ordering::Release);
        self.task.wake();
    }
}

impl<F: Future + Unpin> IfWoken<F> {
    /// The first poll polls the future.
    pub(super) fn new(future: F) -> Self {
        let wakeup = Arc::new(Wakeup { has_come: AtomicBool::new(true), task: AtomicWaker::new() });
        Self { future, waker: wakeup.clone().into(), wakeup }
    }
}

impl<F: Future + Unpin> Future for IfWoken<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Registered first: a wakeup that comes after the check wakes the task.
        self.wakeup.task.register(context.waker());
        if !self.wakeup.has_come.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let Self { future, waker, .. } = &mut *self;
        Pin::new(future).poll(&mut Context::from_waker(waker))
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, future::poll_fn, pin::pin};

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
            assert_eq!(n_polls.get(), 1, "the task was woken by something else");
        }
        own.send(()).unwrap();
        assert_eq!(poll!(&mut half), Poll::Ready(Ok(())));
        assert_eq!(n_polls.get(), 2);
    }

    #[tokio::test]
    async fn a_wakeup_reaches_the_task() {
        let (own, receiver) = oneshot::channel::<()>();
        let waiting = tokio::spawn(async move { IfWoken::new(receiver).await });
        tokio::task::yield_now().await;
        own.send(()).unwrap();
        waiting.await.unwrap().unwrap();
    }
}
