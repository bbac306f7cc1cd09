//! The compute pool: a few threads of low priority for engine work whose cost is not proven small, so that no such work
//! runs on a thread that carries messages. Bots, pictures and passwords have pools of their own.
//!
//! A piece of work has an [`Requester`]. Addresses are served in turn, so that one delays another by at most one piece on
//! each thread; a player runs one piece at a time, and an address a few. The queue is bounded for each address and in
//! all. Work that its requester no longer waits for is never started.

mod queue;

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
};

use game::ids::PlayerId;
use parking_lot::{Condvar, Mutex};
use protocol::Nack;
use tokio::{sync::oneshot, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use self::queue::{Job, JobId, Queue};
use crate::{
    metrics::{Counted, METRICS},
    net::address::{Address, Network},
};

/// Priority of a pool's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// Next to a thread that carries messages, such a thread gets a tenth of a core.
    Low,
    /// Next to a thread that carries messages, such a thread gets a seventieth of a core.
    Lowest,
}

impl Priority {
    /// Niceness of a thread, from 0 to 19.
    #[cfg(target_os = "linux")]
    const fn niceness(self) -> i32 {
        match self {
            Self::Low => 10,
            Self::Lowest => 19,
        }
    }
}

/// Maximum number of pieces of one address that run at once.
const RUNNING_PER_ADDRESS: usize = 2;

/// Bounds of a pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) n_threads: usize,
    /// Maximum number of queued pieces of one address.
    pub(crate) waiting_per_address: usize,
    /// Maximum number of queued pieces of all requesters together.
    pub(crate) waiting_in_all: usize,
}

impl Bounds {
    /// The bounds of a pool with one thread fewer than there are cores, and at least one.
    pub(crate) fn on_cores(waiting_per_address: usize) -> Self {
        let n_cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            n_threads: n_cores.saturating_sub(1).max(1),
            waiting_per_address,
            waiting_in_all: WAITING_IN_ALL,
        }
    }
}

/// Maximum number of queued pieces of engine work of all requesters together. The largest input of a piece is a record of
/// [`MAX_RECORD`](crate::net::limits::MAX_RECORD) bytes.
const WAITING_IN_ALL: usize = 512;

/// The client or the part of the server that work is done for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Requester {
    /// `None` is the server itself.
    address: Option<Address>,
    player: Option<PlayerId>,
}

impl Requester {
    /// The server itself: work that no client waits for. It is served like one more address, but may queue more pieces.
    pub(crate) const SERVER: Self = Self { address: None, player: None };

    /// A client, with or without a session.
    pub(crate) const fn visitor(address: Address) -> Self {
        Self { address: Some(address), player: None }
    }

    /// A player at an address.
    pub(crate) const fn player(address: Address, player: PlayerId) -> Self {
        Self { address: Some(address), player: Some(player) }
    }

    /// The address that the work counts for; `None` for the server itself.
    pub(crate) const fn address(&self) -> Option<Address> {
        self.address
    }

    /// The subscriber who shares the threads with others; `None` for the server itself.
    pub(crate) fn subscriber(&self) -> Option<Network> {
        self.address.map(Address::subscriber)
    }
}

/// The reason why work was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ComputeError {
    #[error("too much work of this address is waiting: ask again when some of it is done")]
    Busy,
    #[error("the work panicked")]
    Panicked,
    #[error("the server is going down")]
    GoingDown,
}

impl From<ComputeError> for Nack {
    fn from(error: ComputeError) -> Self {
        match error {
            ComputeError::Busy => Self::Busy,
            ComputeError::Panicked | ComputeError::GoingDown => Self::Unavailable,
        }
    }
}

/// A handle of the pool. Its threads end with the last handle, or when the pool is closed.
#[derive(Clone, Debug)]
pub(crate) struct Compute(Arc<Owner>);

#[derive(Debug)]
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    /// Signalled when a job may have become ready, and when the pool is closed.
    ready: Condvar,
    closed: CancellationToken,
    priority: Priority,
    n_threads: usize,
    /// Whether work runs on the caller's thread, since there are no pool threads.
    #[cfg(any(test, fuzzing))]
    is_at_once: bool,
}

impl Compute {
    /// Starts a pool with a number of threads; see [`start`](Self::start).
    #[cfg(any(test, fuzzing))]
    pub(crate) fn with_threads(n_threads: usize, waiting_per_address: usize) -> std::io::Result<Self> {
        let bounds = Bounds { n_threads, waiting_per_address, waiting_in_all: WAITING_IN_ALL };
        Self::start("compute", Priority::Low, bounds)
    }

    /// Starts a pool.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start(name: &str, priority: Priority, bounds: Bounds) -> std::io::Result<Self> {
        let Bounds { n_threads, waiting_per_address, waiting_in_all } = bounds;
        let queue = Queue::new(RUNNING_PER_ADDRESS, waiting_per_address, waiting_in_all);
        let (ready, closed) = (Condvar::new(), CancellationToken::new());
        let compute = Self(Arc::new(Owner(Arc::new(Shared {
            queue: Mutex::new(queue),
            ready,
            closed,
            priority,
            n_threads,
            #[cfg(any(test, fuzzing))]
            is_at_once: n_threads == 0,
        }))));
        for number in 0..n_threads {
            let shared = compute.0.0.clone();
            thread::Builder::new().name(format!("{name}-{number}")).spawn(move || shared.work())?;
        }
        Ok(compute)
    }

    /// A pool without threads: work runs on the caller's thread. For tests in virtual time, which does not wait for
    /// threads.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn at_once() -> Self {
        Self::with_threads(0, 1).expect("it takes no thread")
    }

    /// Runs `work` on the pool when its turn has come. Dropping the future before that removes the work from the queue;
    /// work that has started is finished.
    ///
    /// # Errors
    /// The work was refused, panicked, or was cut off by shutdown.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        requester: Requester,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ComputeError> {
        let shared = &self.0.0;
        let (reply, answer) = oneshot::channel();
        let (refuse, refused) = oneshot::channel();
        let work = Box::new(move || drop(reply.send(work())));
        let waiting = Counted::in_gauge(&METRICS.compute_waiting);
        let _slot = shared.push(Job { requester, work, refuse, waiting })?;
        #[cfg(any(test, fuzzing))]
        if shared.is_at_once {
            shared.work_now();
        }
        tokio::select! {
            biased;
            answer = answer => match answer {
                Ok(answer) => Ok(answer),
                Err(_) if shared.closed.is_cancelled() => Err(ComputeError::GoingDown),
                // It was displaced from the queue, or it panicked.
                Err(_) => Err(refused.await.unwrap_or(ComputeError::Panicked)),
            },
            () = shared.closed.cancelled() => Err(ComputeError::GoingDown),
        }
    }

    /// Number of threads.
    pub(crate) fn n_threads(&self) -> usize {
        self.0.0.n_threads
    }

    /// Refuses all queued and new work. The threads end after their current piece.
    pub(crate) fn close(&self) {
        self.0.0.close();
    }
}

/// A job's place in the queue. Dropping it removes the job, if it has not started.
struct QueueSlot {
    shared: Arc<Shared>,
    id: JobId,
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let abandoned = self.shared.queue.lock().remove(self.id);
        drop(abandoned);
    }
}

impl Shared {
    fn push(self: &Arc<Self>, job: Job) -> Result<QueueSlot, ComputeError> {
        if self.closed.is_cancelled() {
            return Err(ComputeError::GoingDown);
        }
        let pushed = self.queue.lock().push(job);
        let count_refused = |_: &Job| {
            METRICS.compute_refused.inc();
        };
        match pushed {
            Ok((id, displaced)) => {
                if let Some(job) = displaced.inspect(count_refused) {
                    let _ = job.refuse.send(ComputeError::Busy);
                }
                self.ready.notify_one();
                Ok(QueueSlot { shared: self.clone(), id })
            }
            Err(job) => {
                count_refused(&job);
                Err(ComputeError::Busy)
            }
        }
    }

    /// The main loop of a pool thread.
    fn work(&self) {
        lower(self.priority);
        while let Some(job) = self.next() {
            self.carry_out(job);
        }
    }

    fn carry_out(&self, job: Job) {
        let Job { requester, work, refuse, waiting } = job;
        drop(waiting);
        let running = Counted::in_gauge(&METRICS.compute_running);
        let begun = Instant::now();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            error!(panic = panic_text(&*panic), "compute: work panicked");
        }
        METRICS.compute.observe(begun.elapsed().as_secs_f64());
        drop((running, refuse));
        self.queue.lock().done(requester);
        // Jobs of the same player or address that waited for this one are ready now.
        self.ready.notify_all();
    }

    /// Runs all queued jobs on this thread.
    #[cfg(any(test, fuzzing))]
    fn work_now(&self) {
        loop {
            let job = self.queue.lock().pop();
            let Some(job) = job else { return };
            self.carry_out(job);
        }
    }

    /// Waits for a job that may start; `None` when the pool is closed.
    fn next(&self) -> Option<Job> {
        let mut queue = self.queue.lock();
        loop {
            if self.closed.is_cancelled() {
                return None;
            }
            if let Some(job) = queue.pop() {
                return Some(job);
            }
            self.ready.wait(&mut queue);
        }
    }

    fn close(&self) {
        let mut queue = self.queue.lock();
        self.closed.cancel();
        let refused = queue.clear();
        drop(queue);
        drop(refused);
        self.ready.notify_all();
    }
}

/// Lowers the priority of this thread. Other systems than Linux would apply it to the whole process.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
fn lower(priority: Priority) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, priority.niceness()) {
        warn!(%error, "compute: thread keeps the normal priority");
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text")
}

#[cfg(test)]
mod tests;
