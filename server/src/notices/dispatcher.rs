use std::{collections::BTreeSet, error::Error, pin::pin, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use store::{DueMessage, OutboxChange, OutboxKey, Refused, Store, WriteError, Writer};
use tokio::time::sleep;
use tracing::warn;

use super::{Channel, Prepared, Unsent, timing::When, waiting::waiting_turns};
use crate::{cluster::lease::Lease, env::Env};

/// Interval at which messages are looked for.
const EVERY: Duration = Duration::from_secs(1);

/// Maximum number of messages that are sent at once. None waits for another one.
const AT_ONCE: usize = 16;

/// Waits after the attempts to send a message, in milliseconds. The last one is that after all further attempts.
const AGAIN_AFTER_MS: [i64; 5] = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

/// Number of attempts after which a message is given up: a day of them. A crash is one too.
const MAX_ATTEMPTS: u32 = 16;

/// Wait before a message is looked at again whose games cannot be read, in milliseconds.
const UNREADABLE_AGAIN_MS: i64 = 60_000;

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
    /// Runs for ever: sends what is due. Each message is sent by itself, so that one at a slow server delays no other.
    pub(crate) async fn run(self) {
        let (mut sending, mut under_way) = (FuturesUnordered::new(), BTreeSet::new());
        loop {
            if self.lease.is_held() {
                let mut tried = Vec::new();
                if let Err(error) = self.prepare_due(&under_way, &mut tried).await {
                    warn!(error = &*error, "notices: {error}");
                }
                for message in tried {
                    under_way.insert(message.key);
                    sending.push(async { (message.key, self.send(message).await) });
                }
            }
            let mut next_look = pin!(sleep(EVERY));
            loop {
                tokio::select! {
                    () = &mut next_look => break,
                    Some((key, sent)) = sending.next() => {
                        under_way.remove(&key);
                        if let Err(error) = sent {
                            warn!(error = &error as &dyn Error, "notices: {error}");
                        }
                    }
                }
            }
        }
    }

    /// Prepares what is due and not under way, as much as may be sent, and adds what is to be sent now.
    async fn prepare_due(
        &self,
        under_way: &BTreeSet<OutboxKey>,
        tried: &mut Vec<Tried<C::Message>>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let now_ms = self.env.now_ms();
        let room = self.channel.room(now_ms).await?.min(AT_ONCE - under_way.len());
        if room == 0 {
            return Ok(());
        }
        let mut prepared = Ok(());
        for due in self.store.due_messages(C::CHANNEL, now_ms, AT_ONCE as u32).await? {
            if tried.len() == room {
                break;
            }
            if under_way.contains(&due.key) {
                continue;
            }
            let (key, changed_ms) = (due.key, due.changed_ms);
            match self.prepare(due, now_ms).await {
                Ok(message) => tried.extend(message),
                // Those that are noted as tried are sent all the same, and what cannot be read lets others pass.
                Err(error) => {
                    let due_ms = now_ms + UNREADABLE_AGAIN_MS;
                    let postponed = OutboxChange::Postponed { key, changed_ms, due_ms };
                    prepared = Err(error);
                    self.writer.change_outbox(postponed).await?;
                }
            }
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
        let turns = waiting_turns(&*self.store, key.player).await?;
        let when = self.channel.when(&due, &turns, now_ms).await?;
        if attempts >= MAX_ATTEMPTS {
            warn!(?key, attempts, "notices: given up");
            // The next warning of a deadline is a message of its own.
            let next_ms = match when {
                When::Not { next_ms } | When::Now { next_ms } => next_ms,
                When::Later { due_ms } => Some(due_ms),
            };
            self.done(key, changed_ms, now_ms, next_ms).await?;
            return Ok(None);
        }
        let again_after_ms = AGAIN_AFTER_MS[AGAIN_AFTER_MS.len().min(attempts as usize + 1) - 1];
        let next_ms = match when {
            When::Not { next_ms } => {
                self.done(key, changed_ms, now_ms, next_ms).await?;
                return Ok(None);
            }
            When::Later { due_ms } => {
                let postponed = OutboxChange::Postponed { key, changed_ms, due_ms };
                self.writer.change_outbox(postponed).await?;
                return Ok(None);
            }
            When::Now { next_ms } => next_ms,
        };
        let games = turns.into_iter().map(|turn| turn.game).collect();
        let Some(Prepared { message, mail }) = self.channel.message(&due, games, now_ms).await? else {
            self.done(key, changed_ms, now_ms, next_ms).await?;
            return Ok(None);
        };
        let again_ms = now_ms + again_after_ms;
        match self.writer.change_outbox(OutboxChange::Tried { key, mail, now_ms, again_ms }).await {
            Ok(()) => Ok(Some(Tried { key, changed_ms, now_ms, again_ms, next_ms, message })),
            // The account is gone meanwhile.
            Err(WriteError::Refused(Refused::NothingToSend)) => Ok(None),
            Err(error) => Err(error.into()),
        }
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

#[cfg(test)]
mod tests {
    use game::{
        NoticeChannel, Player,
        ids::{PlayerId, PlayerName},
    };
    use parking_lot::Mutex;
    use store::{GameRow, Memory, PushChange, PushKeys, PushSubscription, StoreError, TokenHash};
    use tokio::{runtime::Handle, sync::Notify};
    use tokio_util::task::TaskTracker;
    use uuid::Uuid;

    use super::{super::waiting::WaitingTurn, *};

    /// A channel that never gets rid of its first messages.
    #[derive(Debug)]
    struct Stalled {
        n_stalled: u128,
        next_ms: Option<i64>,
        sent: Arc<(Mutex<Vec<PlayerId>>, Notify)>,
    }

    impl Channel for Stalled {
        const CHANNEL: NoticeChannel = NoticeChannel::Push;

        type Message = PlayerId;

        async fn room(&self, _: i64) -> Result<usize, StoreError> {
            Ok(usize::MAX)
        }

        async fn when(&self, _: &DueMessage, _: &[WaitingTurn], _: i64) -> Result<When, StoreError> {
            Ok(When::Now { next_ms: self.next_ms })
        }

        async fn message(
            &self,
            due: &DueMessage,
            _: Vec<GameRow>,
            _: i64,
        ) -> Result<Option<Prepared<PlayerId>>, StoreError> {
            Ok(Some(Prepared { message: due.key.player, mail: None }))
        }

        async fn send(&self, player: PlayerId) -> Result<(), Unsent> {
            if player.uuid().as_u128() <= self.n_stalled {
                std::future::pending::<()>().await;
            }
            self.sent.0.lock().push(player);
            self.sent.1.notify_one();
            Ok(())
        }
    }

    /// A dispatcher of what browsers of some players are pushed, each of whom has subscribed.
    async fn dispatcher(n_players: u128, channel: Stalled) -> Dispatcher<Stalled> {
        let store = Arc::new(Memory::default());
        let (writer, writing) = store::writer(store.clone(), Handle::current());
        TaskTracker::new().spawn(writing);
        for number in 1..=n_players {
            let player = PlayerId::new(Uuid::from_u128(number));
            let name = PlayerName::try_from("Ada".to_owned()).unwrap();
            let session = TokenHash::of(&number.to_be_bytes());
            writer.create_player(Player { id: player, name }, session, 1).await.unwrap();
            let keys = PushKeys { public: [0; PushKeys::PUBLIC], secret: [0; PushKeys::SECRET] };
            let subscription = PushSubscription { endpoint: number.to_string(), keys };
            let subscribed = PushChange::Subscribed { player, session, subscription, now_ms: 1 };
            writer.change_push(subscribed).await.unwrap();
        }
        let env = Env::of_test(1);
        let lease = Lease::new(env.clone());
        lease.hold_until(i64::MAX);
        Dispatcher { env, store, writer, lease, channel }
    }

    #[tokio::test(start_paused = true)]
    async fn messages_at_a_server_that_stalls_delay_no_others() {
        let (n_players, n_stalled) = (40, AT_ONCE as u128 - 1);
        let sent: Arc<(Mutex<Vec<PlayerId>>, Notify)> = Arc::default();
        let channel = Stalled { n_stalled, next_ms: None, sent: Arc::clone(&sent) };
        TaskTracker::new().spawn(dispatcher(n_players, channel).await.run());
        while sent.0.lock().len() < (n_players - n_stalled) as usize {
            sent.1.notified().await;
        }
    }

    /// The next warning of a deadline is a message of its own, which is not given up before it is due.
    #[tokio::test]
    async fn a_message_that_is_given_up_leaves_the_next_one() {
        let next_ms = 1_000_000_000_000_000;
        let channel = Stalled { n_stalled: 0, next_ms: Some(next_ms), sent: Arc::default() };
        let dispatcher = dispatcher(1, channel).await;
        let now_ms = dispatcher.env.now_ms();
        let due = async |at_ms| dispatcher.store.due_messages(NoticeChannel::Push, at_ms, 9).await.unwrap();
        for message in due(now_ms + 86_400_000).await {
            let tried = DueMessage { attempts: MAX_ATTEMPTS, ..message };
            assert!(dispatcher.prepare(tried, now_ms).await.unwrap().is_none());
        }
        assert_eq!(due(next_ms - 1).await.len(), 0, "it is given up");
        let next = due(next_ms).await;
        assert!(!next.is_empty() && next.iter().all(|message| message.attempts == 0), "{next:?}");
    }
}
