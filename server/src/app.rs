//! The parts of a node: assembly, operation and orderly shutdown.

use std::{io::Write, sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use futures_util::{FutureExt, future::BoxFuture};
use game::ids::NodeId;
use store::{Store, Writer};
use tokio::{
    net::TcpListener,
    runtime,
    sync::oneshot,
    time::{Instant, timeout_at},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{info, warn};

use crate::{
    admission::Admission,
    bots::{Bots, Thinking},
    cluster::{bus::Bus, lease::Lease, outages::Outages},
    compute::{Bounds, Compute, Priority},
    config::Config,
    credentials::{Attempts, Passkeys, Passwords},
    directory::Directory,
    env::Env,
    http,
    live::{Dependencies, Games},
    lobby::Lobby,
    machine,
    mail::{Relay, Sender},
    mutes::Mutes,
    net::{
        address::{Addresses, Proxies},
        limits::AddressLimits,
        listener,
        outbox::Outboxes,
        places::Places,
    },
    notices::{Dispatcher, Mails, Pushes},
    overload::{self, Load},
    pools::Pools,
    presence::Presence,
    push::{Push, ServerKey},
    review::{self, Reviews},
    space::{Looking, Space},
    state::{App, Parts},
    tasks::{Failure, Tasks},
    upkeep::{
        housekeeping::Housekeeping,
        nodes::Node,
        sweep::{self, Sweep},
    },
};

/// Maximum time for connections to end after a shutdown request. Sized for commands in progress on a slow disk.
const DRAIN_TAKES: Duration = Duration::from_millis(3_500);

/// Maximum time for games and the writer to end after that.
const WRITING_TAKES: Duration = Duration::from_secs(1);

/// Maximum time of the whole shutdown. Closing the database is part of it, may take long with a large log, and gets the
/// time that the earlier steps leave.
const STOPPING_TAKES: Duration = Duration::from_millis(4_900);

/// Process managers rely on this limit.
const _: () = assert!(STOPPING_TAKES.as_millis() < 5_000, "it is gone within 5 s");
const _: () = assert!(DRAIN_TAKES.as_millis() + WRITING_TAKES.as_millis() < STOPPING_TAKES.as_millis());

/// Serves until `shutdown` completes and then drains, in this order: new connections are refused, commands in progress
/// are answered, clients are told to reconnect, games and the writer end, the database is closed.
///
/// # Errors
/// The database or the address is not available, or a core task failed; the server has then drained as after `shutdown`.
///
/// The future is boxed so that this crate compiles the server, and the program does not do so again.
pub fn run(config: Config, shutdown: BoxFuture<'static, ()>) -> BoxFuture<'static, anyhow::Result<()>> {
    serve_until(config, shutdown).boxed()
}

async fn serve_until(config: Config, shutdown: BoxFuture<'static, ()>) -> anyhow::Result<()> {
    let tasks = Tasks::default();
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let operators = match config.metrics_listen {
        Some(address) => {
            Some(TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?)
        }
        None => None,
    };
    let places = Places::new(listener::raise_open_files()?);
    let app = start(&config, &tasks).await?;
    if let Some(operators) = operators {
        let address = operators.local_addr().context("the listener has no address")?;
        info!(%address, "serving metrics on {address}");
        let serving = axum::serve(operators, http::for_operators(app.clone()))
            .with_graceful_shutdown(tasks.stop().clone().cancelled_owned());
        tasks.tracker().spawn(async move { serving.await });
    }
    announce(&listener)?;
    let store = app.store.clone();
    let began = serve(listener, places, app, &tasks, shutdown).await;
    tasks.stop().cancel();
    tasks.tracker().close();
    if tokio::time::timeout(WRITING_TAKES, tasks.tracker().wait()).await.is_err() {
        warn!("shutdown: writer did not end in time");
    }
    if timeout_at(began + STOPPING_TAKES, store.close()).await.is_err() {
        warn!(
            "shutdown: database not closed in time: copy or move an SQLite file only together with its -wal file"
        );
    }
    tasks.failure().map_or(Ok(()), |failure| Err(failure.into()))
}

/// Starts a node on the configured database.
async fn start(config: &Config, tasks: &Tasks) -> anyhow::Result<App> {
    let is_one_file = config.database_url.starts_with("sqlite:");
    ensure!(
        config.nats_url.is_none() || !is_one_file,
        "several nodes need PostgreSQL: an SQLite file has one node"
    );
    let store = store::open(&config.database_url).await.context("cannot open the database")?;
    let env = Env::of_machine();
    let node = NodeId::new(env.id());
    let bus = match &config.nats_url {
        Some(url) => Bus::connect(node, url, tasks).await.context("cannot use NATS")?,
        None => Bus::of_only_node(node),
    };
    let writer = start_writer(store.clone(), tasks).context("the writer has no thread")?;
    let waiting_per_address = AddressLimits::times(config.address_factor).pieces_waiting;
    let compute = start_compute("compute", Priority::Low, Bounds::on_cores(waiting_per_address), tasks)?;
    assemble(config, env, store, writer, bus, compute, tasks).await
}

/// Assembles the parts of a node around its store. They run on `tasks`.
pub(crate) async fn assemble(
    config: &Config,
    env: Env,
    store: Arc<dyn Store>,
    writer: Writer,
    bus: Bus,
    compute: Compute,
    tasks: &Tasks,
) -> anyhow::Result<App> {
    let load = start_measuring(config, &writer, tasks);
    let presence = Presence::new(bus.clone());
    let (directory, lobby) = start_lobby(&store, &bus, &presence, tasks).await?;
    let outages = start_outages(&env, &*store, &writer, tasks).await?;
    let mutes = Mutes::load(&*store, env.now_ms()).await.context("cannot read who is muted")?;
    let limits = AddressLimits::times(config.address_factor);
    let addresses = Addresses::new(limits);
    let games = Games::new(Dependencies {
        env: env.clone(),
        store: store.clone(),
        writer: writer.clone(),
        bus: bus.clone(),
        lobby: lobby.clone(),
        directory: directory.clone(),
        mutes: mutes.clone(),
        admission: admission(config, &store, &addresses, &limits, tasks).await,
        addresses: addresses.clone(),
        outages: outages.clone(),
        compute: compute.clone(),
        memory: game_memory(config),
        address_factor: config.address_factor,
        tasks: tasks.tracker().clone(),
        stop: tasks.stop().clone(),
    });
    let thinking = Thinking::start().context("the bots have no thread")?;
    let (of_bots, stop) = (tasks.tracker().clone(), tasks.stop().clone());
    let bots = Bots::new(games.clone(), store.clone(), presence.clone(), thinking.clone(), of_bots, stop);
    let reviews = Reviews::new(review::Dependencies {
        games: games.clone(),
        store: store.clone(),
        writer: writer.clone(),
        compute: compute.clone(),
        thinking,
        addresses: addresses.clone(),
        tasks: tasks.tracker().clone(),
        n_nodes: review::NODES,
    });
    let app = App::from(Parts {
        passkeys: start_passkeys(config, &*store).await?,
        push: start_push(config, &env, &store, &writer).await?,
        pools: Pools::start(games.clone(), store.clone(), presence.clone(), bus.clone(), tasks),
        env,
        store,
        bus,
        writer,
        games,
        lobby,
        presence,
        directory,
        mutes,
        reviews,
        messages_per_second: config.messages_per_second,
        addresses,
        outboxes: Outboxes::new(limits.waiting_bytes),
        proxies: Proxies::new(&config.trusted_proxies),
        origin: config.origin.clone(),
        sends_mail: config.smtp_url.is_some(),
        load,
        outages,
        compute,
        drawing: start_compute("pictures", Priority::Lowest, Bounds::on_cores(limits.pieces_waiting), tasks)?,
        passwords: Passwords::new(start_compute("passwords", Priority::Low, Passwords::BOUNDS, tasks)?),
        attempts: Attempts::default(),
        tasks: tasks.clone(),
        connections: TaskTracker::new(),
        drain: CancellationToken::new(),
    });
    start_upkeep(config, &app, bots, tasks).map(|()| app)
}

/// Starts the lobby, with the games of the store and the names of their players.
async fn start_lobby(
    store: &Arc<dyn Store>,
    bus: &Bus,
    presence: &Presence,
    tasks: &Tasks,
) -> anyhow::Result<(Directory, Lobby)> {
    let directory = Directory::new(store.clone());
    let lobby = Lobby::load(&**store, bus.clone(), presence.clone(), directory.clone()).await;
    let lobby = lobby.context("cannot read the lobby")?;
    tasks.spawn_core("lobby", lobby.clone().run(tasks.stop().clone()));
    Ok((directory, lobby))
}

/// Begins to record outages. The time since the last heartbeat of any server on this database is one.
async fn start_outages(
    env: &Env,
    store: &dyn Store,
    writer: &Writer,
    tasks: &Tasks,
) -> anyhow::Result<Outages> {
    let outages = Outages::new(env.clone());
    outages.beat(store, writer, sweep::GAP_AT_START_MS).await.context("heartbeat failed")?;
    tasks.spawn_core("outages", outages.clone().watch_process(tasks.stop().clone()));
    Ok(outages)
}

/// Returns the judge of passkeys. If some were made for another host, which browsers no longer offer, a log line says so.
async fn start_passkeys(config: &Config, store: &dyn Store) -> anyhow::Result<Passkeys> {
    let passkeys = Passkeys::at(config.origin.as_ref());
    let host = passkeys.host().unwrap_or("none");
    let n_passkeys = store.count_passkeys_elsewhere(host).await.context("cannot read the passkeys")?;
    if n_passkeys > 0 {
        warn!(
            host,
            n_passkeys,
            "passkeys of accounts were made for another host than that of --origin, and work there alone"
        );
    }
    Ok(passkeys)
}

/// Returns what sends messages to push services. The deployment's key is made at its first start.
async fn start_push(
    config: &Config,
    env: &Env,
    store: &Arc<dyn Store>,
    writer: &Writer,
) -> anyhow::Result<Push> {
    let key = ServerKey::load(env, &**store, writer).await.context("no key for push services")?;
    let subject =
        config.origin.as_ref().map(ToString::to_string).filter(|origin| origin.starts_with("https:"));
    Ok(Push::new(env.clone(), store.clone(), writer.clone(), key, config.push_hosts.clone(), subject))
}

/// Returns the bytes of memory for games.
fn game_memory(config: &Config) -> usize {
    config.game_memory_mib.map_or_else(machine::memory_for_games, |mib| mib as usize * 1024 * 1024)
}

/// Starts to measure the load of the database.
fn start_measuring(config: &Config, writer: &Writer, tasks: &Tasks) -> Load {
    let overload_after = Duration::from_millis(config.overload_after_ms);
    let (load, measuring) = overload::measure(writer.clone(), overload_after);
    tasks.spawn_core("load", tasks.stop().clone().run_until_cancelled_owned(measuring).map(drop));
    load
}

/// Starts the admission of new games, which looks at the free space of the disk, now and from now on.
async fn admission(
    config: &Config,
    store: &Arc<dyn Store>,
    addresses: &Addresses,
    limits: &AddressLimits,
    tasks: &Tasks,
) -> Admission {
    let space = Space::default();
    let min_bytes = config.min_free_mib * 1024 * 1024;
    let looking = Looking { store: store.clone(), min_bytes, space: space.clone() };
    looking.look().await;
    tasks.spawn_core("space", tasks.stop().clone().run_until_cancelled_owned(looking.run()).map(drop));
    Admission::new(store.clone(), addresses.clone(), space, limits)
}

/// Starts the tasks that follow the games: bots, the sweep with its housekeeping, the mails, the players, and the other nodes.
fn start_upkeep(config: &Config, app: &App, bots: Bots, tasks: &Tasks) -> anyhow::Result<()> {
    let stop = tasks.stop();
    let sweep = sweep(app);
    if let Some((sender, notices)) = mail_senders(config, app, &sweep)? {
        let sending = stop.clone().run_until_cancelled_owned(sender.run());
        tasks.spawn_core("mail", sending.map(drop));
        let sending = stop.clone().run_until_cancelled_owned(notices.run());
        tasks.spawn_core("notices: mail", sending.map(drop));
    }
    let pushing = stop.clone().run_until_cancelled_owned(push_sender(app, &sweep).run());
    tasks.spawn_core("notices: push", pushing.map(drop));
    let feed = app.games.feed();
    tasks.spawn_core("bots", bots.run(feed, sweep.lease.clone()));
    let replying = app.replies().run(app.games.feed(), sweep.lease.clone());
    tasks.spawn_core("conditional turns", stop.clone().run_until_cancelled_owned(replying).map(drop));
    let crediting = app.games.clone().keep_vacations_credited(sweep.lease.clone());
    tasks.spawn_core("vacations", stop.clone().run_until_cancelled_owned(crediting).map(drop));
    let housekeeping = housekeeping(app, &sweep).run();
    tasks.spawn_core("housekeeping", stop.clone().run_until_cancelled_owned(housekeeping).map(drop));
    tasks.spawn_core("sweep", sweep.run(stop.clone()));
    let node = node(app);
    tasks.spawn_core("players", node.clone().keep_up_with_players(stop.clone()));
    if !app.bus.is_alone() {
        let publishing = node.clone().publish_commits(app.games.feed(), stop.clone());
        tasks.spawn_core("nodes: publishing", publishing);
        tasks.spawn_core("nodes", node.clone().listen(stop.clone()));
        tasks.spawn_core("nodes: catching up", node.keep_up(stop.clone()));
    }
    Ok(())
}

fn sweep(app: &App) -> Sweep {
    Sweep {
        env: app.env.clone(),
        store: app.store.clone(),
        writer: app.writer.clone(),
        node: app.bus.node(),
        games: app.games.clone(),
        outages: app.outages.clone(),
        lease: Lease::new(app.env.clone()),
        tasks: app.tasks.clone(),
    }
}

/// Returns the tasks that send mails, if the server does: those that were asked for, and those to players who are away.
fn mail_senders(
    config: &Config,
    app: &App,
    sweep: &Sweep,
) -> anyhow::Result<Option<(Sender, Dispatcher<Mails>)>> {
    let Some(url) = &config.smtp_url else { return Ok(None) };
    let from = config.mail_from.clone().context("mail needs --mail-from")?;
    let origin = config.origin.clone().context("mail needs --origin, with which its links begin")?;
    let relay = Relay::new(url, config.smtp_ca.as_deref(), from).context("cannot use --smtp-url")?;
    let (env, store, writer) = (app.env.clone(), app.store.clone(), app.writer.clone());
    let lease = || sweep.lease.clone();
    let channel = Mails {
        env: env.clone(),
        store: store.clone(),
        writer: writer.clone(),
        directory: app.directory.clone(),
        relay: relay.clone(),
        origin: origin.clone(),
    };
    let notices = Dispatcher {
        env: env.clone(),
        store: store.clone(),
        writer: writer.clone(),
        lease: lease(),
        channel,
    };
    Ok(Some((Sender { env, store, writer, lease: lease(), relay, origin }, notices)))
}

/// Returns the task that sends messages to the browsers of players who are away.
fn push_sender(app: &App, sweep: &Sweep) -> Dispatcher<Pushes> {
    let (env, store, writer) = (app.env.clone(), app.store.clone(), app.writer.clone());
    let channel = Pushes { store: store.clone(), directory: app.directory.clone(), push: app.push.clone() };
    Dispatcher { env, store, writer, lease: sweep.lease.clone(), channel }
}

fn housekeeping(app: &App, sweep: &Sweep) -> Housekeeping {
    Housekeeping {
        env: app.env.clone(),
        store: app.store.clone(),
        writer: app.writer.clone(),
        games: app.games.clone(),
        presence: app.presence.clone(),
        lease: sweep.lease.clone(),
    }
}

/// The parts of this node that messages from its peers act on, and comparisons with the store.
fn node(app: &App) -> Node {
    Node {
        bus: app.bus.clone(),
        store: app.store.clone(),
        games: app.games.clone(),
        lobby: app.lobby.clone(),
        presence: app.presence.clone(),
        directory: app.directory.clone(),
        mutes: app.mutes.clone(),
        has_missed: Arc::default(),
    }
}

/// Starts a writer whose transactions run on a thread of their own until its queue is empty.
fn start_writer(store: Arc<dyn Store>, tasks: &Tasks) -> std::io::Result<Writer> {
    let apart = runtime::Builder::new_current_thread().enable_all().build()?;
    let (writer, writing) = store::writer(store, apart.handle().clone());
    let (writes, written) = oneshot::channel::<()>();
    tasks.spawn_core("writer", async move {
        writing.await;
        drop(writes);
    });
    tasks.tracker().spawn_blocking(move || apart.block_on(written));
    Ok(writer)
}

/// Starts a compute pool that is closed when the server stops.
fn start_compute(name: &str, priority: Priority, bounds: Bounds, tasks: &Tasks) -> anyhow::Result<Compute> {
    let compute =
        Compute::start(name, priority, bounds).with_context(|| format!("the pool {name} has no thread"))?;
    let (closing, stop) = (compute.clone(), tasks.stop().clone());
    tasks.tracker().spawn(async move {
        stop.cancelled().await;
        closing.close();
    });
    Ok(compute)
}

/// Serves until `shutdown` completes or a core task fails, and then until all connections have ended or the time for
/// that is over. Returns when the drain began.
async fn serve(
    listener: TcpListener,
    places: Places,
    app: App,
    tasks: &Tasks,
    shutdown: BoxFuture<'static, ()>,
) -> Instant {
    let (connections, drain) = (app.connections.clone(), app.drain.clone());
    let (addresses, proxies) = (app.addresses.clone(), app.proxies.clone());
    let serving = listener::serve(listener, http::router(app), places, addresses, proxies, drain.clone());
    let mut serving = tasks.tracker().spawn(serving);
    tokio::select! {
        () = shutdown => info!("shutting down"),
        () = tasks.failed() => {}
        _ = &mut serving => tasks.fail(Failure::Ended("listener")),
    }
    let began = Instant::now();
    drain.cancel();
    connections.close();
    let drained = tokio::time::timeout(DRAIN_TAKES, async {
        connections.wait().await;
        let _ = (&mut serving).await;
    });
    if drained.await.is_err() {
        warn!("shutdown: some connections did not end in time");
        serving.abort();
    }
    began
}

/// Announces the address, in the log and on standard output.
fn announce(listener: &TcpListener) -> anyhow::Result<()> {
    let address = listener.local_addr().context("the listener has no address")?;
    info!(%address, "listening on {address}");
    writeln!(std::io::stdout(), "Towers is at http://{address}").context("cannot print the address")
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, pin::pin, task::Poll};

    use axum::{
        Extension, Router,
        body::Body,
        http::{Request, StatusCode, header},
    };
    use clap::Parser;
    use std::net::{IpAddr, SocketAddr};

    use engine::Ruleset;
    use futures_util::{SinkExt, StreamExt, future::join_all};
    use game::{
        Terms,
        ids::{GameId, PlayerName},
    };
    use serde_json::{Value, json};
    use store::Memory;
    use tempfile::TempDir;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpSocket, TcpStream},
    };
    use tokio_tungstenite::WebSocketStream;
    use tower::ServiceExt;
    use tungstenite::{Message, client::IntoClientRequest};

    use super::*;
    use crate::{
        compute::Requester,
        config::Arguments,
        identity,
        live::Beginner,
        net::{
            address::{Client, LimitedAction, LimitedResource},
            peer::Peer,
        },
    };

    /// The router as the listener calls it, for an admitted client.
    fn router(app: &App) -> Router {
        let peer = Peer::made_up();
        let client = Client { address: peer.address.ip().into(), is_https: false };
        http::router(app.clone()).layer(Extension(peer)).layer(Extension(client))
    }

    /// A node on a database of its own, deleted with the directory.
    async fn node() -> (App, TempDir) {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite://{}/towers.db", directory.path().display());
        let Arguments { config, .. } = Arguments::parse_from(["towers", "--database-url", &url]);
        let app = start(&config, &Tasks::default()).await.unwrap();
        (app, directory)
    }

    #[tokio::test]
    async fn one_address_queues_a_bounded_number_of_records() {
        const RECORD: &str = "towers-record 1
ruleset: crossfire
result: second
reason: blocked
start: x/.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,./o 1 1 0 0

1 g9-f8
2 g1-f2
3 f8-g9
4 f2-g1
5 g9-h8
6 g1-h2
7 h8-g9
8 h2-g1
final: x/.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,./o 1 9 0 0
";
        let (mut app, _directory) = node().await;
        let waiting = AddressLimits::times(1).pieces_waiting;
        app.parts_mut().compute = Compute::with_threads(1, waiting).unwrap();
        let check = || {
            let request = Request::post("/api/v1/records/check").header(header::CONTENT_TYPE, "text/plain");
            let answer = router(&app).oneshot(request.body(Body::from(RECORD)).unwrap());
            Box::pin(async { answer.await.unwrap().status() })
        };
        let (go_on, wait) = std::sync::mpsc::channel::<()>();
        let (begin, begun) = oneshot::channel();
        let mut somebody_elses = Box::pin(app.compute.run(Requester::SERVER, move || {
            begin.send(()).unwrap();
            wait.recv().unwrap_err();
        }));
        assert_eq!(somebody_elses.as_mut().now_or_never(), None);
        begun.await.unwrap();
        let mut checks = Vec::new();
        for _ in 0..waiting {
            let mut checked = check();
            assert_eq!(checked.as_mut().now_or_never(), None, "it waits for its turn");
            checks.push(checked);
        }
        assert_eq!(check().await, StatusCode::TOO_MANY_REQUESTS);
        drop(go_on);
        let answers = join_all(checks).await;
        assert!(answers.iter().all(|status| *status == StatusCode::OK), "{answers:?}");
        assert_eq!(check().await, StatusCode::OK, "there is a place again");
    }

    #[tokio::test]
    async fn an_address_reads_a_bounded_number_of_lists_at_once() {
        let (app, _directory) = node().await;
        let ask = async || {
            let request = Request::get("/api/v1/games?list=finished").body(Body::empty()).unwrap();
            let answer = router(&app).oneshot(request).await.unwrap();
            (answer.status(), answer.headers().contains_key(header::RETRY_AFTER))
        };
        let places = |address: std::net::IpAddr| {
            (0..AddressLimits::times(1).reads)
                .map(|_| app.addresses.open(address.into(), LimitedResource::List).unwrap())
                .collect::<Vec<_>>()
        };
        let somebody_elses = places("192.0.2.1".parse().unwrap());
        assert_eq!(ask().await, (StatusCode::OK, false));
        let own = places(Peer::made_up().address.ip());
        assert_eq!(ask().await, (StatusCode::TOO_MANY_REQUESTS, true));
        drop(own);
        assert_eq!(ask().await, (StatusCode::OK, false), "there is a place again");
        drop(somebody_elses);
    }

    /// Polls a request this many times, each time once it is woken, and then abandons it. Returns whether it was
    /// answered.
    async fn abandoned_after(n_polls: usize, request: impl Future) -> bool {
        let mut request = pin!(request);
        let mut n_left = n_polls;
        poll_fn(|context| {
            n_left -= 1;
            match request.as_mut().poll(context) {
                Poll::Ready(_) => Poll::Ready(true),
                Poll::Pending if n_left == 0 => Poll::Ready(false),
                Poll::Pending => Poll::Pending,
            }
        })
        .await
    }

    /// Waits for the changes of abandoned requests.
    async fn settle(app: &App) {
        // Writes of one kind are done in order.
        identity::new_guest(app, "en").await.unwrap();
        app.connections.close();
        app.connections.wait().await;
        app.connections.reopen();
    }

    #[tokio::test]
    async fn a_request_that_is_abandoned_at_any_point_is_whole_or_not_at_all() {
        let (app, _directory) = node().await;
        let address = Peer::made_up().address.ip().into();
        let changes = [
            ("DELETE", "/session", "{}"),
            ("PATCH", "/session", r#"{"name":"Ada"}"#),
            ("POST", "/rooms", r#"{"ruleset":"fenix","seat":"first","visibility":"public"}"#),
        ];
        for (method, path, body) in changes {
            for n_polls in 1.. {
                let (guest, token) = identity::new_guest(&app, "en").await.unwrap();
                let (outbox, outgoing) = app.outboxes.open(address);
                let here = app.presence.enter(guest.clone(), token.hash().session(), address, outbox);
                let client = Client { address, is_https: false };
                let carried = identity::SessionCookies::by(&axum::http::HeaderMap::new(), client, None);
                let request = Request::builder()
                    .method(method)
                    .uri(format!("/api/v1{path}"))
                    .header(header::COOKIE, carried.own().set(&token))
                    .header(header::CONTENT_TYPE, "application/json")
                    .body(Body::from(body))
                    .unwrap();
                let is_answered = abandoned_after(n_polls, router(&app).oneshot(request)).await;
                settle(&app).await;
                let what = format!("{method} {path} after {n_polls} polls, answered: {is_answered}");
                let session = app.store.session(&token.hash(), 0).await.unwrap();
                let is_closed = outgoing.ending.get().is_some();
                assert_eq!(session.is_none(), is_closed, "{what}");
                if let Some(session) = session {
                    assert_eq!(session.player, here.who(), "{what}");
                }
                let n_rooms = app.store.count_games(guest.id).await.unwrap().under_way;
                let (shown, _) = app.lobby.rooms(None, 100);
                let n_shown = shown.iter().filter(|room| room.creator.id == guest.id).count();
                assert_eq!(n_rooms as usize, n_shown, "{what}");
                let is_changed = is_closed || here.who() != guest || n_shown > 0;
                assert!(is_changed || !is_answered, "{what}");
                if is_answered {
                    break;
                }
            }
        }
    }

    async fn connect(server: SocketAddr, from: [u8; 4]) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        socket.connect(server).await.unwrap()
    }

    async fn open_socket(server: SocketAddr, from: [u8; 4], cookie: &str) -> WebSocketStream<TcpStream> {
        let mut opening = format!("ws://{server}/ws").into_client_request().unwrap();
        opening.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
        tokio_tungstenite::client_async(opening, connect(server, from).await).await.unwrap().0
    }

    /// Sends a message and returns the next one of the server.
    async fn answer(socket: &mut WebSocketStream<TcpStream>, message: &Value) -> Value {
        socket.send(Message::text(message.to_string())).await.unwrap();
        loop {
            if let Message::Text(answer) = socket.next().await.unwrap().unwrap() {
                return serde_json::from_str(&answer).unwrap();
            }
        }
    }

    #[tokio::test]
    async fn neighbours_who_spend_the_budget_of_an_address_delay_a_players_turn_by_seconds_and_no_repeated_one()
     {
        let (app, _directory) = node().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = listener.local_addr().unwrap();
        let from = [127, 0, 0, 1];
        let client = Client { address: IpAddr::from(from).into(), is_https: false };
        let (player, token) = identity::new_guest(&app, "en").await.unwrap();
        let (opponent, _) = identity::new_guest(&app, "en").await.unwrap();
        let carried = identity::SessionCookies::by(&axum::http::HeaderMap::new(), client, None);
        let cookie = carried.own().set(&token).to_str().unwrap().to_owned();
        let beginners = [player, opponent].map(|player| Beginner { player, address: client.address });
        let (id, ruleset) = (GameId::new(app.env.id()), Ruleset::Crossfire);
        let game = app.games.begin(id, ruleset, Terms::default(), beginners, app.env.seed()).await.unwrap();
        let tasks = Tasks::default();
        let (stop, stopped) = oneshot::channel::<()>();
        let mut serving =
            Box::pin(serve(listener, Places::new(8), app.clone(), &tasks, stopped.map(drop).boxed()));
        let asking = async {
            let mut socket = open_socket(server, from, &cookie).await;
            let mut offer = async |command: &str| {
                let offer =
                    json!({"type": "offer", "command": command, "game": game.id.to_string(), "what": "draw"});
                answer(&mut socket, &offer).await
            };
            let offered = offer("a").await;
            assert_eq!(offered["type"], "ack", "{offered}");
            app.addresses.charge(client.address, LimitedAction::Store, 1 << 30, Instant::now());
            let refused = offer("b").await;
            assert_eq!(refused["code"], "too_fast", "{refused}");
            assert!(refused["retry_ms"].as_u64().unwrap() < 60_000, "{refused}");
            assert_eq!(offer("a").await, offered);
        };
        tokio::select! {
            () = asking => {}
            _ = &mut serving => panic!("the server has ended"),
        }
        drop(stop);
        serving.await;
    }

    #[tokio::test]
    async fn an_address_that_was_sent_its_budget_reads_nothing_more_and_its_socket_answers() {
        let (app, _directory) = node().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = listener.local_addr().unwrap();
        let ask = async |from, request: &str| {
            let mut tcp = connect(server, from).await;
            let rest = "HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n";
            tcp.write_all(format!("{request} {rest}").as_bytes()).await.unwrap();
            let mut answer = String::new();
            tcp.read_to_string(&mut answer).await.unwrap();
            answer
        };
        const SPENT: [u8; 4] = [127, 0, 0, 1];
        const LIST: &str = "GET /api/v1/rooms";
        let tasks = Tasks::default();
        let (stop, stopped) = oneshot::channel::<()>();
        let mut serving =
            Box::pin(serve(listener, Places::new(8), app.clone(), &tasks, stopped.map(drop).boxed()));
        let asking = async {
            let session = ask(SPENT, "POST /api/v1/session").await;
            let cookie = session.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
            let cookie = cookie.split(';').next().unwrap().to_owned();
            app.addresses.charge(IpAddr::from(SPENT).into(), LimitedAction::Receive, 1 << 20, Instant::now());
            let refused = ask(SPENT, LIST).await;
            assert!(
                refused.starts_with("HTTP/1.1 429 ") && refused.contains("\r\nretry-after: 1"),
                "{refused}"
            );
            assert!(ask([127, 0, 0, 9], LIST).await.starts_with("HTTP/1.1 200 "));
            let mut socket = open_socket(server, SPENT, &cookie).await;
            assert_eq!(answer(&mut socket, &json!({"type": "ping"})).await["type"], "pong");
            assert_eq!(answer(&mut socket, &json!({"type": "watch_lobby"})).await["code"], "too_fast");
        };
        tokio::select! {
            () = asking => {}
            _ = &mut serving => panic!("the server has ended"),
        }
        drop(stop);
        serving.await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_alone_finds_what_was_stored_though_no_answer_told_it() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let tasks = Tasks::default();
        let (writer, writing) = store::writer(store.clone(), runtime::Handle::current());
        tasks.tracker().spawn(writing);
        let Arguments { config, .. } = Arguments::parse_from(["towers"]);
        let (env, compute) = (Env::of_test(1), Compute::with_threads(1, 1).unwrap());
        let app = assemble(&config, env, store, writer, Bus::alone(), compute, &tasks).await.unwrap();
        let (ada, _) = identity::new_guest(&app, "en").await.unwrap();
        app.directory.load([ada.id]).await.unwrap();
        let name: PlayerName = "Countess".to_owned().try_into().unwrap();
        app.writer.rename(ada.id, name.clone(), 0).await.unwrap();
        let shown = || app.directory.player_with_id(ada.id).name;
        assert_eq!(shown(), ada.name);
        tokio::time::sleep(Duration::from_secs(120)).await;
        assert_eq!(shown(), name);
    }

    #[tokio::test]
    async fn a_core_task_that_ends_takes_the_server_down_in_order() {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite://{}/towers.db", directory.path().display());
        let Arguments { config, .. } = Arguments::parse_from(["towers", "--database-url", &url]);
        let tasks = Tasks::default();
        let app = start(&config, &tasks).await.unwrap();
        let (listener, drain) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), app.drain.clone());
        tasks.spawn_core("sweep", async { panic!("made for this test") });
        serve(listener, Places::new(1), app, &tasks, std::future::pending().boxed()).await;
        assert!(drain.is_cancelled(), "connections are told to end");
        assert_eq!(tasks.failure(), Some(Failure::Panicked("sweep")), "the exit status follows from it");
    }

    #[tokio::test]
    async fn a_node_with_newer_tables_says_so_until_it_is_gone() {
        let (app, _directory) = node().await;
        app.tasks.fail(Failure::NewerTables);
        app.drain.cancel();
        let request = Request::get("/readyz").body(Body::empty()).unwrap();
        let response = router(&app).oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        let body = axum::body::to_bytes(response.into_body(), 4096).await.unwrap();
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert!(problem["detail"].as_str().unwrap().starts_with("newer tables"), "{problem}");
    }

    #[tokio::test]
    async fn requests_during_shutdown_are_told_when_to_retry() {
        let (app, _directory) = node().await;
        let ask = async |method: &str, path: &str| {
            let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
            let response = router(&app).oneshot(request).await.unwrap();
            let retry_after = response.headers().get(header::RETRY_AFTER);
            (response.status(), retry_after.map(|seconds| seconds.to_str().unwrap().to_owned()))
        };
        assert_eq!(ask("GET", "/readyz").await, (StatusCode::OK, None));
        app.drain.cancel();
        for (method, path) in [
            ("GET", "/readyz"),
            ("POST", "/api/v1/rooms"),
            ("GET", "/api/v1/games?list=finished"),
            ("GET", "/ws"),
        ] {
            let refused = (StatusCode::SERVICE_UNAVAILABLE, Some("1".to_owned()));
            assert_eq!(ask(method, path).await, refused, "{method} {path}");
        }
        assert_eq!(ask("GET", "/healthz").await, (StatusCode::OK, None), "it lives until it is gone");
    }
}
