//! The parts of a node, put together, run and taken down in order.

use std::{io::Write, sync::Arc, time::Duration};

use anyhow::Context;
use axum::serve::ListenerExt;
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{info, warn};

use crate::{
    clock,
    config::Config,
    http,
    live::Games,
    lobby::Lobby,
    outages::Outages,
    store::{self, Store},
    sweep,
};

/// How long connections may take to end after the server was told to stop.
const DRAIN_TAKES: Duration = Duration::from_millis(2500);

/// How long games and the writer may take to end after that.
const WRITING_TAKES: Duration = Duration::from_secs(1);

/// Records that are checked at once. A made-up position can take a second and much memory; one at a time leaves the
/// rest of the machine to the games.
const RECORD_CHECKS: usize = 1;

/// What every request and every connection can reach.
#[derive(Clone, Debug)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub games: Games,
    pub lobby: Lobby,
    pub messages_per_second: u32,
    /// Records that may be checked at once: see [`RECORD_CHECKS`].
    pub(crate) record_checks: Arc<Semaphore>,
    /// The tasks of the connections: a drain waits for them.
    pub connections: TaskTracker,
    /// Cancelled when the server begins to go down: connections end after what they are doing.
    pub drain: CancellationToken,
}

/// Serves until `shutdown` is over and then drains: no new connections, commands under way are answered,
/// clients are told to come back, games and the writer end, in this order.
///
/// # Errors
/// The database or the address cannot be had.
pub async fn run(config: Config, shutdown: impl Future<Output = ()>) -> anyhow::Result<()> {
    let store = store::open(&config.database_url).await.context("cannot open the database")?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let (writer, writing) = store::writer(store.clone());
    let lobby = Lobby::load(&*store).await.context("cannot read the lobby")?;
    // What came between the last beat of a server on this database and now is an outage.
    let outages = Outages::load(&*store, clock::now_ms()).await.context("cannot read the outages")?;
    let at_start = store.beat(clock::now_ms(), sweep::GAP_AT_START_MS).await.context("the heart does not beat")?;
    if let Some(outage) = at_start {
        outages.note(outage);
    }
    let (games_end, drain) = (CancellationToken::new(), CancellationToken::new());
    let background = TaskTracker::new();
    background.spawn(writing);
    background.spawn(lobby.clone().tell_turns(games_end.clone()));
    let games = Games::new(store.clone(), writer, lobby.clone(), outages.clone(), background.clone(), games_end.clone());
    background.spawn(sweep::run(store.clone(), games.clone(), outages, games_end.clone()));
    let connections = TaskTracker::new();
    let app = App {
        store,
        games,
        lobby,
        messages_per_second: config.messages_per_second,
        record_checks: Arc::new(Semaphore::new(RECORD_CHECKS)),
        connections: connections.clone(),
        drain: drain.clone(),
    };

    announce(&listener)?;
    // An acknowledgement follows the events in a small packet of its own: it must not wait for the client's system
    // to confirm the packet before it.
    let listener = listener.tap_io(|tcp| {
        if let Err(error) = tcp.set_nodelay(true) {
            warn!(%error, "a connection will be slow: {error}");
        }
    });
    let serving =
        axum::serve(listener, http::router(app)).with_graceful_shutdown(drain.clone().cancelled_owned());
    let mut serving = background.spawn(async move { serving.await });
    shutdown.await;
    info!("going down");
    drain.cancel();
    connections.close();
    let drained = tokio::time::timeout(DRAIN_TAKES, async {
        connections.wait().await;
        let _ = (&mut serving).await;
    });
    if drained.await.is_err() {
        warn!("some connections did not end in time");
        serving.abort();
    }
    games_end.cancel();
    background.close();
    if tokio::time::timeout(WRITING_TAKES, background.wait()).await.is_err() {
        warn!("the writer did not end in time");
    }
    Ok(())
}

/// Tells people and scripts where to go.
fn announce(listener: &TcpListener) -> anyhow::Result<()> {
    let address = listener.local_addr().context("the listener has no address")?;
    info!(%address, "listening on {address}");
    writeln!(std::io::stdout(), "Towers is at http://{address}").context("cannot print the address")
}
