//! W7: games between players of two nodes, while the messages between the nodes are lost for a while.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, bail};
use engine::Side;
use parking_lot::Mutex;
use sqlx::PgPool;
use system_tests::{database::Database, nats::Nats, postgres::Postgres, server::Server};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

use super::WARM_UP;
use crate::{
    client::{Guest, Http, Socket},
    connected::{Connected, many_connected},
    figures::{Outage, Phase, Waits},
    machine::{self, CpuSeconds},
    messages,
    script::{Script, version_before},
    wire::{Frame, parse},
};

/// Interval between the turns of a game.
const EACH: Duration = Duration::from_secs(4);

/// Transactions of the database since its start, aborted ones included.
const TRANSACTIONS: &str =
    "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";

pub(super) async fn measure(games: usize, run: Duration, script: &'static Script) -> anyhow::Result<Outage> {
    let mut nats = Nats::start().await;
    let cluster = Cluster::start(&nats).await?;
    let [first, second] = &cluster.http;
    let pairs = many_connected(games, |_| Pair::open([first.clone(), second.clone()])).await?;
    let turns = Arc::<Turns>::default();
    let (began, mut playing) = (Instant::now(), JoinSet::new());
    for (number, pair) in pairs.into_iter().enumerate() {
        let due = began + EACH.mul_f64(number as f64 / games as f64);
        playing.spawn(pair.play(script, due, turns.clone()));
    }
    let phases = async {
        sleep(WARM_UP).await;
        let mut marks = vec![cluster.mark().await?];
        sleep(run).await;
        marks.push(cluster.mark().await?);
        nats.stop().await;
        sleep(run).await;
        marks.push(cluster.mark().await?);
        nats.restart().await;
        sleep(run).await;
        marks.push(cluster.mark().await?);
        anyhow::Ok(marks)
    };
    let marks = tokio::select! {
        marks = phases => marks?,
        Some(stopped) = playing.join_next() => match stopped? {
            Err(error) => return Err(error),
            Ok(never) => match never {},
        },
    };
    let phases = marks.windows(2).map(|pair| turns.phase(pair[0], pair[1])).collect();
    Ok(Outage { games, phases, load_average: machine::load_average() })
}

/// Two nodes of one database.
struct Cluster {
    nodes: [Server; 2],
    http: [Http; 2],
    pool: PgPool,
    postgres: Postgres,
    // Dropped after the nodes.
    _database: Database,
}

/// A moment, with the resources used so far.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: Instant,
    transactions: i64,
    nodes: CpuSeconds,
    database: CpuSeconds,
}

impl Cluster {
    async fn start(nats: &Nats) -> anyhow::Result<Self> {
        let postgres = Postgres::start_durable()?;
        let database = Database::at(&postgres.database());
        let url = nats.url();
        let arguments = ["--messages-per-second", "100000", "--nats-url", &url];
        let nodes = [
            Server::start_with(&database, &arguments).await,
            Server::start_with(&database, &arguments).await,
        ];
        let http = [Http::to(nodes[0].address())?, Http::to(nodes[1].address())?];
        let pool = PgPool::connect(database.url()).await?;
        Ok(Self { nodes, http, pool, postgres, _database: database })
    }

    async fn mark(&self) -> anyhow::Result<Mark> {
        let transactions = sqlx::query_scalar(TRANSACTIONS).fetch_one(&self.pool).await?;
        let nodes = self.nodes.iter().map(|node| machine::cpu(node.id()));
        Ok(Mark {
            at: Instant::now(),
            transactions,
            nodes: nodes.collect::<anyhow::Result<Vec<_>>>()?.into_iter().sum(),
            database: machine::cpu_of_family(self.postgres.process_id())?,
        })
    }
}

/// A game between a guest of each node.
struct Pair {
    sockets: [Socket; 2],
    game: String,
}

impl Connected for Pair {
    async fn rest(&mut self) -> anyhow::Error {
        let [first, second] = &mut self.sockets;
        tokio::select! {
            over = first.rest() => over,
            over = second.rest() => over,
        }
    }
}

impl Pair {
    async fn open([first, second]: [Http; 2]) -> anyhow::Result<Self> {
        let guests: [Guest; 2] = [first.enter().await?, second.enter().await?];
        let game = first.open_room(&guests[0], &messages::live_room()).await?;
        second.join(&guests[1], &game).await?;
        let mut sockets = [first.connect(&guests[0]).await?, second.connect(&guests[1]).await?];
        for socket in &mut sockets {
            socket.follow(&game).await?;
        }
        Ok(Self { sockets, game })
    }

    /// Plays one turn in each interval; a turn that arrives later delays the next.
    async fn play(
        mut self,
        script: &'static Script,
        mut due: Instant,
        turns: Arc<Turns>,
    ) -> anyhow::Result<std::convert::Infallible> {
        let mut version = version_before(0);
        loop {
            let turn = script.next(version).context("the script is too short for so long a run")?;
            tokio::select! {
                () = sleep_until(due) => {}
                over = self.rest() => return Err(over),
            }
            let sent = Instant::now();
            let mover = usize::from(turn.side == Side::Second);
            self.sockets[mover].say(turn.message(&format!("t{version}"), &self.game)).await?;
            version += 1;
            let acked = until(&mut self.sockets[mover], |frame| frame == Frame::Ack).await?;
            let received =
                until(&mut self.sockets[1 - mover], |frame| frame == Frame::Events(version)).await?;
            turns.0.lock().push(Turn { sent, acked: acked - sent, received: received - sent });
            due = (due + EACH).max(received);
        }
    }
}

/// Reads up to a frame, and returns when it came.
async fn until(socket: &mut Socket, wanted: impl Fn(Frame<'_>) -> bool) -> anyhow::Result<Instant> {
    loop {
        let text = socket.next().await?;
        match parse(&text) {
            Frame::Refused(why) => bail!("a turn of the script is refused: {why}"),
            frame if wanted(frame) => return Ok(Instant::now()),
            _ => {}
        }
    }
}

/// A turn, with the latencies of its acknowledgement and of its arrival at the other node's player.
#[derive(Clone, Copy, Debug)]
struct Turn {
    sent: Instant,
    acked: Duration,
    received: Duration,
}

#[derive(Debug, Default)]
struct Turns(Mutex<Vec<Turn>>);

impl Turns {
    /// Returns the figures of the turns sent between two marks.
    fn phase(&self, began: Mark, ended: Mark) -> Phase {
        let turns = self.0.lock();
        let sent = turns.iter().filter(|turn| (began.at..ended.at).contains(&turn.sent));
        let seconds = (ended.at - began.at).as_secs_f64();
        Phase {
            seconds,
            turns: sent.clone().count(),
            acks: Waits::of(sent.clone().map(|turn| turn.acked).collect()),
            arrivals: Waits::of(sent.map(|turn| turn.received).collect()),
            transactions: ended.transactions - began.transactions,
            nodes: ended.nodes - began.nodes,
            database: ended.database - began.database,
        }
    }
}
