//! A pool whose connections are given back within a bounded time, or closed.
//!
//! A connection can fall silent without an error: a firewall forgets it, or a proxy keeps its side open after the server
//! is gone. sqlx cannot set a timeout on its sockets, and its pool waits without a limit for a returned connection to
//! answer.

use std::{
    ops::{Deref, DerefMut},
    time::Duration,
};

use sqlx::{
    Connection, PgConnection, PgPool, Postgres,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::{runtime::Handle, time::timeout};
use tracing::warn;

/// Time for which a call waits for a connection. The pool retries connections that PostgreSQL refuses while it
/// restarts.
const CONNECT_WAIT: Duration = Duration::from_secs(5);

/// Maximum time in which a connection without a call answers a ping, or ends a call that was given up. It is closed
/// after that.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// Maximum time in which all connections are closed.
const CLOSE_WAIT: Duration = Duration::from_secs(2);

/// Settings with which PostgreSQL too notices that its peer is gone. A transaction whose node is gone or suspended must
/// not keep its locks: other nodes wait for them.
const NOTICE_SILENCE: [(&str, &str); 5] = [
    ("idle_in_transaction_session_timeout", "5s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "15s"),
];

/// A pool of connections.
pub(crate) struct Connections(PgPool);

/// A connection in use. On drop it goes back to its pool once it has answered a ping, or is closed.
#[derive(Debug)]
pub(crate) struct Lent {
    /// `None` once it is given up.
    connection: Option<PoolConnection<Postgres>>,
}

/// Why [`Lent`] has a connection.
const UNTIL_GIVEN_UP: &str = "only `give_up` takes it";

impl Connections {
    /// Creates a pool, which connects when a connection is first needed.
    pub(super) fn new(size: u32, options: PgConnectOptions) -> Self {
        Self::with(PgPoolOptions::new(), size, options)
    }

    /// Creates a pool whose connections cannot write.
    pub(super) fn read_only(size: u32, options: PgConnectOptions) -> Self {
        let pool = PgPoolOptions::new().after_connect(|connection, _| {
            Box::pin(async move {
                let read_only = "set session characteristics as transaction read only";
                sqlx::query(read_only).execute(connection).await.map(drop)
            })
        });
        Self::with(pool, size, options)
    }

    fn with(pool: PgPoolOptions, size: u32, options: PgConnectOptions) -> Self {
        let pool = pool
            .max_connections(size)
            .acquire_timeout(CONNECT_WAIT)
            .test_before_acquire(false)
            .before_acquire(|connection, _| Box::pin(async move { Ok(answers(connection).await) }));
        Self(pool.connect_lazy_with(options.options(NOTICE_SILENCE)))
    }

    /// Waits for a connection that answers.
    ///
    /// # Errors
    /// None is free in time, or PostgreSQL cannot be reached.
    pub(super) async fn lend(&self) -> Result<Lent, sqlx::Error> {
        Ok(Lent { connection: Some(self.0.acquire().await?) })
    }

    /// Closes all connections. After this every call fails.
    pub(super) async fn close(&self) {
        if timeout(CLOSE_WAIT, self.0.close()).await.is_err() {
            warn!("postgresql: connections not closed in time");
        }
    }
}

/// Whether an idle connection answers.
async fn answers(connection: &mut PgConnection) -> bool {
    match timeout(ANSWER_WAIT, connection.ping()).await {
        Ok(answered) => answered.is_ok(),
        Err(_) => {
            report_silence();
            false
        }
    }
}

fn report_silence() {
    warn!("postgresql: connection closed: no answer in {} s", ANSWER_WAIT.as_secs());
}

impl Lent {
    /// Closes the connection without another word to its peer.
    pub(super) fn give_up(mut self) {
        drop(self.connection.take().map(PoolConnection::detach));
    }
}

impl Deref for Lent {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection.as_ref().expect(UNTIL_GIVEN_UP)
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect(UNTIL_GIVEN_UP)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(connection) = &mut self.connection else { return };
        // Unlike a plain drop, this can be given up: then the connection is closed and its place in the pool is free.
        let returned = connection.return_to_pool();
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            if timeout(ANSWER_WAIT, returned).await.is_err() {
                report_silence();
            }
        });
    }
}
