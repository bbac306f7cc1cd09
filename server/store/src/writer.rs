use std::sync::Arc;

use game::{
    Player,
    ids::{GameId, NodeId, NoticeId, PlayerId, PlayerName, Version},
};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    time::Instant,
};
use tracing::error;

use super::{
    AccountChange, Append, Ceremony, CeremonyStep, ChatRow, Cleared, Clearing, ConditionalRow, DraftIs,
    DraftRow, GameRow, MAX_CONDITIONAL, MAX_REVIEW, MailChange, ModerationChange, Outage, OutboxChange,
    PushChange, Refused, ReviewRow, SeekChange, SessionChange, Store, StoreError, StoredEvent, TokenHash,
    VacationChange, Write, WriteError, Written,
    wait::{Waits, WriterLoad},
    write::Urgency,
};
use crate::metrics::METRICS;

/// Capacity of the queue of urgent writes, which wait for the commit under way. Each game has at most one, so the queue
/// fills only when very many games write at once. The games then wait for a slot, and their mailboxes answer `busy`.
const QUEUE: usize = 4096;

/// Maximum number of urgent writes in one transaction: large enough to amortize its cost, small enough to keep it
/// short.
const BATCH: usize = 512;

/// Maximum number of deferrable writes in one transaction, besides the urgent ones. They add a few statements, so a
/// flood of them delays each turn by a millisecond or two, while about a thousand a second are still stored.
const LATER_BATCH: usize = 32;

/// Capacity of the queue of deferrable writes; beyond it they are refused with [`WriteError::Full`]. It holds 16
/// transactions: a slow disk commits them within a second, and a few addresses within their rates never fill it.
const LATER_QUEUE: usize = 512;

/// Stored events, with the game's row after them. Only a [`Writer`] creates it, after the commit.
#[derive(Clone, Debug)]
pub struct Committed(Arc<Append>);

impl Committed {
    pub fn game(&self) -> GameId {
        self.0.game()
    }

    pub fn events(&self) -> &[StoredEvent] {
        self.0.events()
    }

    pub fn row(&self) -> &GameRow {
        self.0.row()
    }

    /// Time of the game's last change before the events, milliseconds since 1970; `None` if it was not told.
    pub fn after_ms(&self) -> Option<i64> {
        self.0.after_ms
    }

    pub fn draft_is(&self) -> DraftIs {
        self.0.draft_is
    }
}

/// Handle of the one task of a node that commits. The task groups commits: all urgent writes that wait when a commit
/// ends go into the next one, together with a bounded number of deferrable writes. So a busy node makes few large
/// transactions, and on an idle node no write waits.
#[derive(Clone, Debug)]
pub struct Writer {
    urgent: mpsc::Sender<Job>,
    later: mpsc::Sender<Job>,
    waits: Arc<Waits>,
}

/// Creates a writer and its task, which ends when all clones of the writer are dropped and all their writes are done.
///
/// Transactions run on the runtime `database_runtime`: on the runtime of the games, each of their steps would queue behind the
/// games' tasks. The task itself belongs on the runtime of the games, so that a batch includes the writes of games that
/// are scheduled before it.
pub fn writer(
    store: Arc<dyn Store>,
    database_runtime: Handle,
) -> (Writer, impl Future<Output = ()> + Send + 'static) {
    let (urgent, urgent_jobs) = mpsc::channel(QUEUE);
    let (later, later_jobs) = mpsc::channel(LATER_QUEUE);
    let waits = Arc::<Waits>::default();
    let queues = Queues { urgent: urgent_jobs, later: later_jobs };
    (Writer { urgent, later, waits: waits.clone() }, work(store, queues, waits, database_runtime))
}

impl Writer {
    /// Returns when the events are stored.
    pub async fn append(&self, append: Append) -> Result<Committed, WriteError> {
        let append = Arc::new(append);
        self.write(Write::Append(Arc::clone(&append))).await?;
        Ok(Committed(append))
    }

    /// Returns when the draft has replaced the previous one. It is in conflict if the turn that it builds on is over.
    ///
    /// # Panics
    /// If the draft's body contains NUL.
    pub async fn save_draft(&self, draft: DraftRow) -> Result<(), WriteError> {
        assert!(!draft.body.contains('\0'), "a body contains no NUL");
        self.write(Write::Draft(draft)).await.map(drop)
    }

    /// Returns when the game has no draft. It is in conflict if the turn of `version` is over.
    pub async fn delete_draft(&self, game: GameId, version: Version) -> Result<(), WriteError> {
        self.write(Write::TakeDraft { game, version }).await.map(drop)
    }

    /// Returns when the line is stored, or if its player already has a line with the same command id.
    pub async fn say(&self, line: ChatRow) -> Result<(), WriteError> {
        self.write(Write::Line(line)).await.map(drop)
    }

    /// Returns when the game has this review or an earlier one, or does not exist.
    ///
    /// # Panics
    /// If the body of the review is too long or contains NUL.
    pub async fn add_review(&self, review: ReviewRow) -> Result<(), WriteError> {
        assert!(review.body.len() <= MAX_REVIEW, "the caller bounds a review");
        assert!(!review.body.contains('\0'), "a body contains no NUL");
        self.write(Write::Review(review)).await.map(drop)
    }

    /// Replaces the conditional turns of a side. Those of a game that is over are dropped.
    ///
    /// # Panics
    /// If the body is too long or contains NUL.
    pub async fn set_conditional(&self, row: ConditionalRow) -> Result<(), WriteError> {
        assert!(row.body.len() <= MAX_CONDITIONAL, "the caller bounds conditional turns");
        assert!(!row.body.contains('\0'), "a body contains no NUL");
        self.write(Write::SetConditional(row)).await.map(drop)
    }

    /// Removes the conditional turns of a side if they are these.
    pub async fn drop_conditional(&self, row: ConditionalRow) -> Result<(), WriteError> {
        self.write(Write::DropConditional(row)).await.map(drop)
    }

    /// Creates a player with a first session.
    pub async fn create_player(
        &self,
        player: Player,
        token: TokenHash,
        now_ms: i64,
    ) -> Result<(), WriteError> {
        self.write(Write::NewPlayer { player, token, now_ms }).await.map(drop)
    }

    /// Renames a player and returns the renamed player. The write may be refused.
    pub async fn rename(&self, id: PlayerId, name: PlayerName, now_ms: i64) -> Result<Player, WriteError> {
        self.write(Write::Rename { player: id, name: name.clone(), now_ms }).await?;
        Ok(Player { id, name })
    }

    /// Makes a player block another. The write may be refused. Blocking a player twice is not an error.
    pub async fn block(&self, player: PlayerId, blocked: PlayerId, now_ms: i64) -> Result<(), WriteError> {
        self.write(Write::Block { player, blocked, now_ms }).await.map(drop)
    }

    /// Removes a block, if there is one.
    pub async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), WriteError> {
        self.write(Write::Unblock { player, blocked }).await.map(drop)
    }

    pub async fn change_session(&self, change: SessionChange) -> Result<(), WriteError> {
        self.write(Write::Session(change)).await.map(drop)
    }

    /// Changes an account and its sessions. The write may be refused.
    pub async fn change_account(&self, change: AccountChange) -> Result<(), WriteError> {
        self.write(Write::Account(Box::new(change))).await.map(drop)
    }

    /// Changes the mails to be sent. The write may be refused.
    pub async fn change_mail(&self, change: MailChange) -> Result<(), WriteError> {
        self.write(Write::Mail(Box::new(change))).await.map(drop)
    }

    /// Changes the messages to players who are away. The write may be refused.
    pub async fn change_outbox(&self, change: OutboxChange) -> Result<(), WriteError> {
        self.write(Write::Outbox(Box::new(change))).await.map(drop)
    }

    /// Changes push subscriptions. The write may be refused.
    pub async fn change_push(&self, change: PushChange) -> Result<(), WriteError> {
        self.write(Write::Push(Box::new(change))).await.map(drop)
    }

    /// Adds a key pair of the deployment, unless it has one of this name.
    pub async fn add_server_key(&self, name: &'static str, body: Vec<u8>) -> Result<(), WriteError> {
        self.write(Write::ServerKey { name, body }).await.map(drop)
    }

    /// Reports a player, acts on one, or sets a role. The write may be refused.
    pub async fn moderate(&self, change: ModerationChange) -> Result<(), WriteError> {
        self.write(Write::Moderation(Box::new(change))).await.map(drop)
    }

    /// Changes the vacations of a player. The write may be refused.
    pub async fn change_vacation(&self, change: VacationChange) -> Result<(), WriteError> {
        self.write(Write::Vacation(change)).await.map(drop)
    }

    /// Marks the notices of a player as seen, up to this one.
    pub async fn see_notices(
        &self,
        player: PlayerId,
        up_to: NoticeId,
        now_ms: i64,
    ) -> Result<(), WriteError> {
        self.write(Write::SeeNotices { player, up_to, now_ms }).await.map(drop)
    }

    /// Posts or withdraws a seek. The write may be refused.
    pub async fn change_seeks(&self, change: SeekChange) -> Result<(), WriteError> {
        self.write(Write::Seek(change)).await.map(drop)
    }

    /// Begins a ceremony, which is named by the hash of its challenge.
    pub async fn begin_ceremony(&self, challenge: TokenHash, ceremony: Ceremony) -> Result<(), WriteError> {
        self.write(Write::Ceremony(CeremonyStep::Begin { challenge, ceremony })).await.map(drop)
    }

    /// Takes a ceremony, once. The write may be refused.
    pub async fn take_ceremony(&self, challenge: TokenHash, now_ms: i64) -> Result<Ceremony, WriteError> {
        match self.write(Write::Ceremony(CeremonyStep::Take { challenge, now_ms })).await? {
            Written::Taken(ceremony) => Ok(ceremony),
            Written::Done | Written::AfterOutage(_) | Written::Cleared(_) => {
                unreachable!("a ceremony that is taken is the result")
            }
        }
    }

    /// Records that players were seen.
    pub async fn record_seen(&self, players: Vec<PlayerId>, now_ms: i64) -> Result<(), WriteError> {
        self.write(Write::Seen { players, now_ms }).await.map(drop)
    }

    /// Deletes a bounded number of old rows.
    pub async fn clear(&self, clearing: Clearing) -> Result<Cleared, WriteError> {
        match self.write(Write::Clear(clearing)).await? {
            Written::Cleared(cleared) => Ok(cleared),
            Written::Done | Written::AfterOutage(_) | Written::Taken(_) => {
                unreachable!("a clearing has its own result")
            }
        }
    }

    /// Records a heartbeat of this node. If the last beat of any node is more than `gap_ms` ago, also records the time
    /// since then as an outage and returns it. Only one node gets each outage.
    pub async fn beat(&self, now_ms: i64, gap_ms: i64) -> Result<Option<Outage>, WriteError> {
        Ok(match self.write(Write::Beat { now_ms, gap_ms }).await? {
            Written::Done | Written::Cleared(_) | Written::Taken(_) => None,
            Written::AfterOutage(outage) => Some(outage),
        })
    }

    /// Acquires or renews the lease of the sweep for due games until `until_ms`. Returns whether this node has it; at
    /// most one node does.
    pub async fn may_sweep(&self, node: NodeId, now_ms: i64, until_ms: i64) -> Result<bool, WriteError> {
        match self.write(Write::TakeSweep { node, now_ms, until_ms }).await {
            Ok(_) => Ok(true),
            Err(WriteError::Refused(Refused::SweptElsewhere)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the write latency of the games under way since the last call. A write counts as answered when the game
    /// has received the result, so an overloaded CPU shows as well as a slow disk.
    pub fn load(&self) -> WriterLoad {
        self.waits.load()
    }

    async fn write(&self, write: Write) -> Result<Written, WriteError> {
        let (done, answer) = oneshot::channel();
        let (urgency, since) = (write.urgency(), Instant::now());
        let played = write.game().filter(|_| urgency == Urgency::Play);
        let job = Job { write, urgency, since, done };
        if urgency == Urgency::Later {
            self.later.try_send(job).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => WriteError::Full,
                mpsc::error::TrySendError::Closed(_) => WriteError::Ended,
            })?;
            return answer.await.unwrap_or(Err(WriteError::Ended));
        }
        let waiting = played.map(|game| self.waits.begin(game, since));
        self.urgent.send(job).await.map_err(|_| WriteError::Ended)?;
        let result = answer.await.unwrap_or(Err(WriteError::Ended));
        if let (Some(waiting), Ok(_) | Err(WriteError::Refused(_))) = (waiting, &result) {
            waiting.answered();
        }
        result
    }
}

#[derive(Debug)]
struct Job {
    write: Write,
    urgency: Urgency,
    since: Instant,
    done: oneshot::Sender<Result<Written, WriteError>>,
}

#[derive(Debug)]
struct Queues {
    urgent: mpsc::Receiver<Job>,
    later: mpsc::Receiver<Job>,
}

impl Queues {
    /// Waits for a write and adds the writes of one transaction to `jobs`. Adds nothing if all handles of the writer
    /// are dropped and all their writes are done.
    async fn gather(&mut self, jobs: &mut Vec<Job>) {
        let first = tokio::select! {
            biased;
            Some(job) = self.urgent.recv() => job,
            Some(job) = self.later.recv() => job,
            else => return,
        };
        let n_later = usize::from(first.urgency == Urgency::Later);
        jobs.push(first);
        let urgent = std::iter::from_fn(|| self.urgent.try_recv().ok());
        jobs.extend(urgent.take(BATCH - (1 - n_later)));
        let later = std::iter::from_fn(|| self.later.try_recv().ok());
        jobs.extend(later.take(LATER_BATCH - n_later));
    }

    fn len(&self) -> usize {
        self.urgent.len() + self.later.len()
    }
}

async fn work(store: Arc<dyn Store>, mut queues: Queues, waits: Arc<Waits>, database_runtime: Handle) {
    let mut jobs = Vec::with_capacity(BATCH + LATER_BATCH);
    loop {
        queues.gather(&mut jobs).await;
        if jobs.is_empty() {
            return;
        }
        waits.transaction_begins(jobs.iter().find(|job| job.urgency == Urgency::Play).map(|job| job.since));
        let (writes, waiting): (Vec<_>, Vec<_>) = jobs.drain(..).map(|job| (job.write, job.done)).unzip();
        METRICS.writes_waiting.set(i64::try_from(queues.len()).unwrap_or(i64::MAX));
        METRICS.batches.observe(writes.len() as f64);
        let began = Instant::now();
        let results = database_runtime.spawn(commit(Arc::clone(&store), writes)).await;
        METRICS.commits.observe(began.elapsed().as_secs_f64());
        let is_answered = |result: &Result<_, _>| matches!(result, Ok(_) | Err(WriteError::Refused(_)));
        waits.transaction_ends(results.as_ref().is_ok_and(|results| results.iter().any(is_answered)));
        match results {
            Ok(results) => answer_all(waiting, results),
            // Dropping `waiting` gives the callers `WriteError::Ended`.
            Err(broken) => error!(error = %broken, "a transaction broke off"),
        }
    }
}

fn answer_all(
    waiting: Vec<oneshot::Sender<Result<Written, WriteError>>>,
    results: Vec<Result<Written, WriteError>>,
) {
    assert_eq!(results.len(), waiting.len(), "a result for each write");
    for (done, result) in waiting.into_iter().zip(results) {
        // The caller may be gone, as when the game's task was stopped. The write is done nevertheless.
        let _ = done.send(result);
    }
}

async fn commit(store: Arc<dyn Store>, writes: Vec<Write>) -> Vec<Result<Written, WriteError>> {
    match commit_again_if_aborted(&*store, &writes).await {
        Ok(results) => results.into_iter().map(|result| result.map_err(WriteError::Refused)).collect(),
        // One write is broken, or another node has just created the same game. Committed one by one, each write gets
        // its own result, so that a refused write of one game does not fail the others.
        Err(error) if error.is_refusal() => one_by_one(&*store, &writes).await,
        Err(error) => {
            let error = Arc::new(error);
            writes.iter().map(|_| Err(WriteError::Unknown(Arc::clone(&error)))).collect()
        }
    }
}

/// Commits, and retries once if the database aborted the transaction. Nothing was stored then, and the conflicting
/// transaction has continued.
async fn commit_again_if_aborted(
    store: &dyn Store,
    writes: &[Write],
) -> Result<Vec<Result<Written, Refused>>, StoreError> {
    match store.commit(writes).await {
        Err(error) if error.is_abort() => store.commit(writes).await,
        committed => committed,
    }
}

async fn one_by_one(store: &dyn Store, writes: &[Write]) -> Vec<Result<Written, WriteError>> {
    let mut results = Vec::with_capacity(writes.len());
    for write in writes {
        results.push(answer(commit_again_if_aborted(store, std::slice::from_ref(write)).await));
    }
    results
}

fn answer(results: Result<Vec<Result<Written, Refused>>, StoreError>) -> Result<Written, WriteError> {
    let mut results = results.map_err(|error| WriteError::Unknown(Arc::new(error)))?;
    results.pop().expect("a result for each write").map_err(WriteError::Refused)
}
