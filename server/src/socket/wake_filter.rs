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

/// A future whose first poll is unconditional. It is polled again only after its own waker was called.
#[derive(Debug)]
pub(super) struct PollIfWoken<F> {
    future: F,
    /// `None` before the first poll.
    own: Option<Own>,
}

/// The future's own waker, with its flag.
#[derive(Debug)]
struct Own {
    flag: Arc<WakeFlag>,
    waker: Waker,
}

#[derive(Debug)]
struct WakeFlag {
    is_set: AtomicBool,
    task: Waker,
}

impl Own {
    /// The flag starts set, so that the next poll registers the waker.
    fn waking(task: &Waker) -> Self {
        let flag = Arc::new(WakeFlag { is_set: AtomicBool::new(true), task: task.clone() });
        Self { waker: flag.clone().into(), flag }
    }
}

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // A swap, so that the poll sees what happened before each of several wakeups.
        self.is_set.swap(true, Ordering::AcqRel);
        self.task.wake_by_ref();
    }
}

impl<F: Future + Unpin> PollIfWoken<F> {
    pub(super) const fn new(future: F) -> Self {
        Self { future, own: None }
    }
}

impl<F: Future + Unpin> Future for PollIfWoken<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { future, own } = &mut *self;
        // A task keeps its waker, so this happens once, unless the future moves to another task.
        let Own { flag, waker } = match own {
            Some(own) if own.flag.task.will_wake(context.waker()) => own,
            _ => own.insert(Own::waking(context.waker())),
        };
        // The flag is cleared before the future is polled, so no wakeup during the poll is lost.
        if !flag.is_set.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
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
        let mut half = PollIfWoken::new(counting);
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
        let both = async { tokio::join!(PollIfWoken::new(receiver), sending) };
        let (received, ()) = tokio::time::timeout(Duration::from_secs(60), both).await.expect("it is woken");
        received.unwrap();
    }

    #[tokio::test]
    async fn a_future_is_polled_after_it_moves_to_another_task() {
        let (own, receiver) = oneshot::channel::<()>();
        let mut half = PollIfWoken::new(receiver);
        assert!(Pin::new(&mut half).poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let sending = async {
            tokio::task::yield_now().await;
            own.send(()).unwrap();
        };
        let both = async { tokio::join!(half, sending) };
        let (received, ()) = tokio::time::timeout(Duration::from_secs(60), both).await.expect("it is woken");
        received.unwrap();
    }
}
