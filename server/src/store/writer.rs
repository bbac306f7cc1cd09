use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    time::Instant,
};
use tracing::error;

use super::{Append, ChatRow, Conflict, DraftRow, Store, StoreError, StoredEvent, Write, WriteError};
use crate::{ids::GameId, metrics::METRICS, protocol::GameSummary};

/// Writes that wait for the commit under way to end. Each game has at most one, so this fills only with very many
/// games at once; the games then wait for a place, and their mailboxes say `busy`.
const QUEUE: usize = 4096;

/// Writes in one transaction: enough to make its cost small for each, few enough that none waits long.
const BATCH: usize = 512;

/// Events that are stored, with the game's row after them. Only a [`Writer`] makes it, after the commit.
#[derive(Debug)]
pub struct Committed(Arc<Append>);

impl Committed {
    pub fn game(&self) -> GameId {
        self.0.game()
    }

    pub fn events(&self) -> &[StoredEvent] {
        self.0.events()
    }

    pub fn row(&self) -> &GameSummary {
        self.0.row()
    }
}

/// The way to the one task of a node that commits. All that waits when a commit ends goes into the next one, so
/// that a busy node makes few large transactions and an idle one lets nobody wait.
#[derive(Clone, Debug)]
pub struct Writer {
    jobs: mpsc::Sender<Job>,
    waits: Arc<Waits>,
}

/// For how long writes wait.
#[derive(Debug, Default)]
struct Waits(Mutex<Waited>);

#[derive(Debug, Default)]
struct Waited {
    /// When the oldest write of the transaction under way was given to the writer. None that waits is older.
    under_way: Option<Instant>,
    /// Writes whose answers have reached those who wait for them since it was last looked, and how long all took.
    n_answered: u32,
    all_took: Duration,
}

impl Waits {
    fn locked(&self) -> MutexGuard<'_, Waited> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answered(&self, took: Duration) {
        let mut waited = self.locked();
        waited.n_answered += 1;
        waited.all_took += took;
    }

    /// See [`Writer::wait`].
    fn look(&self) -> Duration {
        let mut waited = self.locked();
        let oldest = waited.under_way.map_or(Duration::ZERO, |since| since.elapsed());
        let mean = std::mem::take(&mut waited.all_took) / std::mem::take(&mut waited.n_answered).max(1);
        oldest.max(mean)
    }
}

/// A writer and the task that does its work, which ends when all clones of the writer are gone and all that they
/// were given is done. Its transactions run on `apart`: where the games are, each of their steps would wait for its turn
/// among them. What is to be written is gathered where the games are: those that have their turn already come with.
pub fn writer(store: Arc<dyn Store>, apart: Handle) -> (Writer, impl Future<Output = ()> + Send + 'static) {
    let (jobs, queue) = mpsc::channel(QUEUE);
    let waits = Arc::<Waits>::default();
    (Writer { jobs, waits: waits.clone() }, work(store, queue, waits, apart))
}

impl Writer {
    /// Returns when the events are stored.
    pub async fn append(&self, append: Append) -> Result<Committed, WriteError> {
        let append = Arc::new(append);
        self.write(Write::Append(Arc::clone(&append))).await?;
        Ok(Committed(append))
    }

    /// Returns when the draft is stored in place of the one before. It is in conflict if the game has gone on.
    ///
    /// # Panics
    /// If the draft's body holds NUL.
    pub async fn save_draft(&self, draft: DraftRow) -> Result<(), WriteError> {
        assert!(!draft.body.contains('\0'), "a body holds no NUL");
        self.write(Write::Draft(draft)).await
    }

    /// Returns when the game has no draft.
    pub async fn take_draft(&self, game: GameId) -> Result<(), WriteError> {
        self.write(Write::TakeDraft(game)).await
    }

    /// Returns when the line is stored, or one that its player has said by the same command.
    pub async fn say(&self, line: ChatRow) -> Result<(), WriteError> {
        self.write(Write::Line(line)).await
    }

    /// For how long writes wait: the oldest that is not done, or in the mean those that were answered since this was
    /// last asked, whichever is longer. An answer counts when it has reached who waits for it, so that a processor that
    /// has too much to do shows as well as a slow disk.
    pub(crate) fn wait(&self) -> Duration {
        self.waits.look()
    }

    async fn write(&self, write: Write) -> Result<(), WriteError> {
        let (done, answer) = oneshot::channel();
        let since = Instant::now();
        self.jobs.send(Job { write, since, done }).await.map_err(|_| WriteError::Ended)?;
        let result = answer.await.unwrap_or(Err(WriteError::Ended));
        self.waits.answered(since.elapsed());
        result
    }
}

#[derive(Debug)]
struct Job {
    write: Write,
    since: Instant,
    done: oneshot::Sender<Result<(), WriteError>>,
}

async fn work(store: Arc<dyn Store>, mut queue: mpsc::Receiver<Job>, waits: Arc<Waits>, apart: Handle) {
    let mut jobs = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut jobs, BATCH).await > 0 {
        waits.locked().under_way = jobs.first().map(|job| job.since);
        let (writes, waiting): (Vec<_>, Vec<_>) = jobs.drain(..).map(|job| (job.write, job.done)).unzip();
        METRICS.writes_waiting.set(i64::try_from(queue.len()).unwrap_or(i64::MAX));
        METRICS.batches.observe(writes.len() as f64);
        let began = Instant::now();
        let results = apart.spawn(commit(Arc::clone(&store), writes)).await;
        METRICS.commits.observe(began.elapsed().as_secs_f64());
        waits.locked().under_way = None;
        match results {
            Ok(results) => answer_all(waiting, results),
            // Those who wait are told, as `waiting` goes, that nobody knows.
            Err(broken) => error!(error = %broken, "a transaction broke off"),
        }
    }
}

fn answer_all(waiting: Vec<oneshot::Sender<Result<(), WriteError>>>, results: Vec<Result<(), WriteError>>) {
    assert_eq!(results.len(), waiting.len(), "a result for each write");
    for (done, result) in waiting.into_iter().zip(results) {
        // Nobody waits any more if the game's task was stopped; the write is done all the same.
        let _ = done.send(result);
    }
}

async fn commit(store: Arc<dyn Store>, writes: Vec<Write>) -> Vec<Result<(), WriteError>> {
    match store.commit(&writes).await {
        Ok(results) => results.into_iter().map(|result| result.map_err(WriteError::Conflict)).collect(),
        // One write is broken, or another node has made the same game at this moment. By itself each gets its own
        // answer, so that what is refused to one game does not fail the others.
        Err(error) if error.is_refusal() => one_by_one(&*store, &writes).await,
        Err(error) => {
            let error = Arc::new(error);
            writes.iter().map(|_| Err(WriteError::Unknown(Arc::clone(&error)))).collect()
        }
    }
}

async fn one_by_one(store: &dyn Store, writes: &[Write]) -> Vec<Result<(), WriteError>> {
    let mut results = Vec::with_capacity(writes.len());
    for write in writes {
        results.push(answer(store.commit(std::slice::from_ref(write)).await));
    }
    results
}

fn answer(results: Result<Vec<Result<(), Conflict>>, StoreError>) -> Result<(), WriteError> {
    let mut results = results.map_err(|error| WriteError::Unknown(Arc::new(error)))?;
    results.pop().expect("a result for each write").map_err(WriteError::Conflict)
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_wait_is_the_mean_of_what_was_answered_since_it_was_last_looked() {
        let waits = Waits::default();
        assert_eq!(waits.look(), Duration::ZERO, "nothing was written");
        waits.answered(10 * MS);
        waits.answered(30 * MS);
        assert_eq!(waits.look(), 20 * MS);
        waits.answered(4 * MS);
        assert_eq!(waits.look(), 4 * MS);
        assert_eq!(waits.look(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_is_that_of_the_oldest_write_while_the_database_answers_nothing() {
        let waits = Waits::default();
        waits.locked().under_way = Some(Instant::now());
        for seconds in 1..5 {
            advance(Duration::from_secs(1)).await;
            assert_eq!(waits.look(), Duration::from_secs(seconds));
        }
        waits.locked().under_way = None;
        waits.answered(4 * MS);
        assert_eq!(waits.look(), 4 * MS, "it is over");
    }
}
