use std::{
    sync::{Arc, Mutex, PoisonError},
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
    under_way: Arc<UnderWay>,
}

/// When the oldest write of the transaction under way was given to the writer. None that waits is older.
#[derive(Debug, Default)]
struct UnderWay(Mutex<Option<Instant>>);

impl UnderWay {
    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }
}

/// A writer and the task that does its work, which ends when all clones of the writer are gone and all that they
/// were given is done. Its transactions run on `apart`: where the games are, each of their steps would wait for its turn
/// among them. What is to be written is gathered where the games are: those that have their turn already come with.
pub fn writer(store: Arc<dyn Store>, apart: Handle) -> (Writer, impl Future<Output = ()> + Send + 'static) {
    let (jobs, queue) = mpsc::channel(QUEUE);
    let under_way = Arc::<UnderWay>::default();
    (Writer { jobs, under_way: under_way.clone() }, work(store, queue, under_way, apart))
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

    /// For how long the oldest write waits that is not done.
    pub(crate) fn oldest_waits(&self) -> Duration {
        let since = *self.under_way.0.lock().unwrap_or_else(PoisonError::into_inner);
        since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    async fn write(&self, write: Write) -> Result<(), WriteError> {
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job { write, since: Instant::now(), done }).await.map_err(|_| WriteError::Ended)?;
        answer.await.unwrap_or(Err(WriteError::Ended))
    }
}

#[derive(Debug)]
struct Job {
    write: Write,
    since: Instant,
    done: oneshot::Sender<Result<(), WriteError>>,
}

async fn work(
    store: Arc<dyn Store>,
    mut queue: mpsc::Receiver<Job>,
    under_way: Arc<UnderWay>,
    apart: Handle,
) {
    let mut jobs = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut jobs, BATCH).await > 0 {
        under_way.set(jobs.first().map(|job| job.since));
        let (writes, waiting): (Vec<_>, Vec<_>) = jobs.drain(..).map(|job| (job.write, job.done)).unzip();
        METRICS.writes_waiting.set(i64::try_from(queue.len()).unwrap_or(i64::MAX));
        METRICS.batches.observe(writes.len() as f64);
        let began = Instant::now();
        let results = apart.spawn(commit(Arc::clone(&store), writes)).await;
        METRICS.commits.observe(began.elapsed().as_secs_f64());
        under_way.set(None);
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
