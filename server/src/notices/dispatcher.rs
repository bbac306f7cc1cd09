use std::{error::Error, sync::Arc, time::Duration};

use futures_util::future::join_all;
use store::{DueMessage, OutboxChange, OutboxKey, Refused, Store, WriteError, Writer};
use tracing::warn;

use super::{Channel, Step, Unsent, waiting};
use crate::{cluster::lease::Lease, env::Env};

/// Interval at which messages are looked for.
const EVERY: Duration = Duration::from_secs(1);

/// Maximum number of messages that are sent at once.
const AT_ONCE: u32 = 8;

/// Waits after the attempts to send a message, in milliseconds. The last one is that after all further attempts.
const AGAIN_AFTER_MS: [i64; 5] = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

/// Number of attempts after which a message is given up: a day of them. A crash is one too.
const MAX_ATTEMPTS: u32 = 16;

/// The task that sends the messages of a channel. It runs on the node that sweeps, so that limits hold for all nodes.
#[derive(Debug)]
pub(crate) struct Dispatcher<C> {
    pub(crate) env: Env,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    /// Only the node that holds it sends.
    pub(crate) lease: Lease,
    pub(crate) channel: C,
}

/// A message that is noted as tried.
struct Tried<M> {
    key: OutboxKey,
    changed_ms: i64,
    now_ms: i64,
    /// Time at which it is due again if it is not taken.
    again_ms: i64,
    next_ms: Option<i64>,
    message: M,
}

impl<C: Channel> Dispatcher<C> {
    /// Runs for ever: sends what is due.
    pub(crate) async fn run(self) {
        loop {
            if self.lease.is_held()
                && let Err(error) = self.run_pass().await
            {
                warn!(error = &*error, "notices: {error}");
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    pub(super) async fn run_pass(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let now_ms = self.env.now_ms();
        let mut tried = Vec::new();
        let mut prepared = Ok(());
        for due in self.store.due_messages(C::CHANNEL, now_ms, AT_ONCE).await? {
            match self.prepare(due, now_ms).await {
                Ok(message) => tried.extend(message),
                // Those that are noted as tried are sent all the same.
                Err(error) => prepared = Err(error),
            }
        }
        for sent in join_all(tried.into_iter().map(|message| self.send(message))).await {
            sent?;
        }
        prepared
    }

    /// Prepares a message to be sent, and notes the attempt. One that is not to be sent now is postponed or done.
    async fn prepare(
        &self,
        due: DueMessage,
        now_ms: i64,
    ) -> Result<Option<Tried<C::Message>>, Box<dyn Error + Send + Sync>> {
        let DueMessage { key, changed_ms, attempts, .. } = due;
        if attempts >= MAX_ATTEMPTS {
            warn!(?key, attempts, "notices: given up");
            self.done(key, changed_ms, now_ms, None).await?;
            return Ok(None);
        }
        let again_after_ms = AGAIN_AFTER_MS[AGAIN_AFTER_MS.len().min(attempts as usize + 1) - 1];
        let games = waiting(&*self.store, key.player).await?;
        match self.channel.prepare(&due, games, now_ms).await? {
            Step::Nothing { next_ms } => self.done(key, changed_ms, now_ms, next_ms).await?,
            Step::Later { due_ms } => {
                let postponed = OutboxChange::Postponed { key, changed_ms, due_ms };
                self.writer.change_outbox(postponed).await?;
            }
            Step::Send { message, mail, next_ms } => {
                let again_ms = now_ms + again_after_ms;
                let tried = OutboxChange::Tried { key, mail, now_ms, again_ms };
                return match self.writer.change_outbox(tried).await {
                    Ok(()) => Ok(Some(Tried { key, changed_ms, now_ms, again_ms, next_ms, message })),
                    // The account is gone meanwhile.
                    Err(WriteError::Refused(Refused::NothingToSend)) => Ok(None),
                    Err(error) => Err(error.into()),
                };
            }
        }
        Ok(None)
    }

    /// Sends a message. One that is not taken now stays due.
    async fn send(&self, tried: Tried<C::Message>) -> Result<(), WriteError> {
        let Tried { key, changed_ms, now_ms, again_ms, next_ms, message } = tried;
        match self.channel.send(message).await {
            Ok(()) | Err(Unsent::ForGood) => self.done(key, changed_ms, now_ms, next_ms).await,
            Err(Unsent::ForNow { wait }) => {
                let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
                let due_ms = self.env.now_ms().saturating_add(wait_ms);
                if due_ms <= again_ms {
                    return Ok(());
                }
                self.writer.change_outbox(OutboxChange::Postponed { key, changed_ms, due_ms }).await
            }
        }
    }

    async fn done(
        &self,
        key: OutboxKey,
        changed_ms: i64,
        now_ms: i64,
        next_ms: Option<i64>,
    ) -> Result<(), WriteError> {
        self.writer.change_outbox(OutboxChange::Done { key, changed_ms, now_ms, next_ms }).await
    }
}
