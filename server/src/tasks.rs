//! The core tasks of a server, supervised: none of them may end while the server serves.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
};

use futures_util::FutureExt;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::error;

/// Tasks of a server: core tasks with names, and others, which may end at any time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    tracker: TaskTracker,
    stop: CancellationToken,
    /// The first core task that failed.
    failed: Arc<OnceLock<Failure>>,
    failure: CancellationToken,
}

/// The reason why the server cannot go on: a core task ended, or found that it must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("core task '{0}' ended")]
    Ended(&'static str),
    #[error("core task '{0}' panicked")]
    Panicked(&'static str),
    #[error("a newer server has changed the tables of the database: this one must not use them")]
    NewerTables,
}

impl Tasks {
    /// Runs a core task. If it panics, or returns before the server stops, the server goes down.
    pub(crate) fn spawn_core(&self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let tasks = self.clone();
        self.tracker.spawn(async move {
            match AssertUnwindSafe(task).catch_unwind().await {
                Ok(()) if tasks.stop.is_cancelled() => {}
                Ok(()) => tasks.fail(Failure::Ended(name)),
                Err(_) => tasks.fail(Failure::Panicked(name)),
            }
        });
    }

    /// Records a failure of a core task.
    pub(crate) fn fail(&self, failure: Failure) {
        error!("{failure}: shutting down");
        self.failed.get_or_init(|| failure);
        self.failure.cancel();
    }

    /// Returns once a core task has failed.
    pub(crate) async fn failed(&self) {
        self.failure.cancelled().await;
    }

    /// The first failure of a core task.
    pub(crate) fn failure(&self) -> Option<Failure> {
        self.failed.get().copied()
    }

    /// Tasks that may end at any time.
    pub(crate) fn tracker(&self) -> &TaskTracker {
        &self.tracker
    }

    /// Cancelled when the server stops: core tasks end then.
    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.stop
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn the_first_core_task_that_ends_is_the_failure() {
        let tasks = Tasks::default();
        tasks.spawn_core("sweep", pending());
        tasks.spawn_core("lobby", ready(()));
        tasks.failed().await;
        assert_eq!(tasks.failure(), Some(Failure::Ended("lobby")));
        assert_eq!(Failure::Ended("lobby").to_string(), "core task 'lobby' ended");
    }

    #[tokio::test]
    async fn a_core_task_that_panics_is_a_failure() {
        let tasks = Tasks::default();
        tasks.spawn_core("sweep", async { panic!("made for this test") });
        tasks.failed().await;
        assert_eq!(tasks.failure(), Some(Failure::Panicked("sweep")));
    }

    #[tokio::test]
    async fn a_core_task_that_ends_because_the_server_stops_is_no_failure() {
        let tasks = Tasks::default();
        tasks.spawn_core("sweep", tasks.stop().clone().cancelled_owned());
        tasks.stop().cancel();
        tasks.tracker().close();
        tasks.tracker().wait().await;
        assert_eq!(tasks.failure(), None);
    }
}
