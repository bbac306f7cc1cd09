use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use percent_encoding::percent_decode_str;
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::timeout,
};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tracing::{info, warn};

use crate::{metrics::METRICS, tasks::Tasks};

/// Interval of pings. A connection counts as cut after two that are not answered, which must take less time than other
/// nodes wait before they count a silent node's players as absent.
const PING_EVERY: Duration = Duration::from_secs(4);

/// Capacity of the queue of outgoing messages.
const QUEUE: usize = 4096;

/// Maximum time for a subscription before its game is read without it.
const SUBSCRIBING_TAKES: Duration = Duration::from_millis(250);

/// Maximum time to send one message.
const SENDING_TAKES: Duration = Duration::from_millis(250);

/// The reason why the bus is not available. The texts never contain the URL, which may have a password.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    #[error("no usable NATS URL: expected `nats://HOST:PORT` or `nats://USER:PASSWORD@HOST:PORT`")]
    Url,
    #[error("cannot use NATS as given: {0}")]
    Refused(#[from] async_nats::ConnectError),
}

/// A connection to NATS, reopened whenever it breaks.
#[derive(Debug)]
pub(super) struct Nats {
    client: Client,
    posts: mpsc::Sender<Post>,
    /// The number of the current connection.
    connection: watch::Receiver<Option<u64>>,
    tasks: TaskTracker,
}

/// An outgoing message.
#[derive(Debug)]
struct Post {
    subject: String,
    news: Bytes,
}

/// Address of NATS, and the login of this node.
struct Address {
    /// Without user and password: the client library logs it, and ignores any login in it.
    server: ServerAddr,
    login: Option<(String, String)>,
}

impl Address {
    fn of(url: &str) -> Option<Self> {
        let mut url = url.parse::<ServerAddr>().ok()?.into_inner();
        let plain = |text| Some(percent_decode_str(text).decode_utf8().ok()?.into_owned());
        let login = match url.username() {
            "" => None,
            user => Some((plain(user)?, plain(url.password().unwrap_or_default())?)),
        };
        url.set_password(None).ok()?;
        url.set_username("").ok()?;
        Some(Self { server: ServerAddr::from_url(url).ok()?, login })
    }
}

impl Nats {
    /// Connects to NATS in the background; see [`Bus::connect`](super::Bus::connect).
    pub(super) async fn connect(url: &str, tasks: &Tasks) -> Result<Self, ConnectError> {
        let (up, connection) = watch::channel(None);
        let (up, n_connections) = (Arc::new(up), Arc::<AtomicU64>::default());
        let Address { server, login } = Address::of(url).ok_or(ConnectError::Url)?;
        let options = match login {
            Some((user, password)) => ConnectOptions::with_user_and_password(user, password),
            None => ConnectOptions::new(),
        };
        let client = options
            .name("towers")
            .no_echo()
            .ping_interval(PING_EVERY)
            .retry_on_initial_connect()
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis(if attempts < 10 { 100 } else { 1_000 })
            })
            .subscription_capacity(super::SUBSCRIPTION_CAPACITY)
            .event_callback(move |event| {
                let (up, n_connections) = (Arc::clone(&up), Arc::clone(&n_connections));
                async move {
                    match event {
                        Event::Connected => {
                            info!("nats: connected");
                            METRICS.nats_up.set(1);
                            up.send_replace(Some(n_connections.fetch_add(1, Ordering::Relaxed)));
                        }
                        Event::Disconnected | Event::Closed => {
                            warn!("nats: disconnected");
                            METRICS.nats_up.set(0);
                            up.send_replace(None);
                        }
                        Event::SlowConsumer(_) => {}
                        Event::LameDuckMode
                        | Event::Draining
                        | Event::ServerError(_)
                        | Event::ClientError(_) => {
                            warn!(%event, "nats: {event}");
                        }
                    }
                }
            })
            .connect(server)
            .await?;
        let (posts, queue) = mpsc::channel(QUEUE);
        let sending = send(client.clone(), queue, connection.clone());
        let sending = tasks.stop().clone().run_until_cancelled_owned(sending);
        tasks.spawn_core("nats", sending.map(drop));
        Ok(Self { client, posts, connection, tasks: tasks.tracker().clone() })
    }

    /// The number of the current connection; `None` while disconnected.
    pub(super) fn connection(&self) -> Option<u64> {
        *self.connection.borrow()
    }

    /// Queues a message if there is room.
    pub(super) fn post(&self, subject: String, news: Bytes) {
        // Dropped messages are recovered from the database.
        if self.posts.try_send(Post { subject, news }).is_err() {
            METRICS.nats_dropped.inc();
        }
    }

    /// Sends a message at once, before this node ends.
    pub(super) async fn send_last(&self, subject: String, news: Bytes) {
        let _ = timeout(SENDING_TAKES, async {
            self.client.publish(subject, news).await.ok()?;
            self.client.flush().await.ok()
        })
        .await;
    }

    /// Subscribes to a subject, until the handle is dropped.
    pub(super) async fn subscribe(
        &self,
        subject: String,
        capacity: usize,
    ) -> (mpsc::Receiver<Bytes>, AbortOnDropHandle<()>) {
        let (heard, news) = mpsc::channel(capacity);
        let (ready, is_ready) = oneshot::channel();
        let client = self.client.clone();
        let task = self.tasks.spawn(async move {
            // This waits while NATS is unreachable.
            let Ok(mut messages) = client.subscribe(subject).await else { return };
            let _ = client.flush().await;
            let _ = ready.send(());
            while let Some(message) = messages.next().await {
                if heard.send(message.payload).await.is_err() {
                    return;
                }
            }
        });
        if self.connection().is_some() {
            let _ = timeout(SUBSCRIBING_TAKES, is_ready).await;
        }
        (news, AbortOnDropHandle::new(task))
    }
}

/// Sends queued messages. Those queued while NATS is unreachable are dropped, since they would be outdated.
async fn send(client: Client, mut queue: mpsc::Receiver<Post>, connection: watch::Receiver<Option<u64>>) {
    while let Some(Post { subject, news }) = queue.recv().await {
        let is_sent = connection.borrow().is_some()
            && matches!(timeout(SENDING_TAKES, client.publish(subject, news)).await, Ok(Ok(())));
        if !is_sent {
            METRICS.nats_dropped.inc();
        }
    }
}
