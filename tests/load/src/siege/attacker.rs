//! The attacker: one source address, threads of its own at the lowest priority, and a tally of the answers.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::Duration,
};

use anyhow::Context;
use parking_lot::Mutex;
use rand::{SeedableRng, rngs::StdRng};
use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
    time::{Instant, MissedTickBehavior, interval, sleep},
};

use super::{attacks::Attack, fixture::Fixture, honest::cause};
use crate::{
    client::{Guest, Http, Socket},
    machine,
    messages::hello,
    wire::{Frame, parse},
};

const SOURCE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// Number of attacking threads: one for each processor of the machine that the promise is about.
const THREADS: usize = 2;

/// Niceness of the attacking threads.
const NICENESS: i32 = 19;

/// Timeout for the preparation of an attack.
const PREPARATION_TAKES: Duration = Duration::from_secs(120);

/// Pause of an attacking task after a refusal.
const REST: Duration = Duration::from_millis(20);

/// Timeout for a response.
const ANSWER_TAKES: Duration = Duration::from_secs(30);

/// Numbers of messages that the attacker sent, of bytes that it received, and of its refusals.
#[derive(Debug, Default)]
pub(super) struct Tally {
    sent: AtomicU64,
    received_bytes: AtomicU64,
    refused: Mutex<BTreeMap<String, u64>>,
}

impl Tally {
    pub(super) fn send(&self, count: u64) {
        self.sent.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn refuse(&self, kind: String, count: u64) {
        *self.refused.lock().entry(kind).or_default() += count;
    }

    fn receive(&self, n_bytes: usize) {
        self.received_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
    }

    /// Bytes of the texts and bodies that the attacker has read.
    pub(super) fn received_bytes(&self) -> u64 {
        self.received_bytes.load(Ordering::Relaxed)
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Number of refusals by kind.
    pub(super) fn refused(&self) -> BTreeMap<String, u64> {
        self.refused.lock().clone()
    }
}

/// The end of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All connections are closed at once.
    Cut,
    /// All connections stay open; nothing more is sent or read.
    Silence,
}

/// The threads of an attack. Dropping it closes all of the attacker's connections.
#[derive(Debug)]
pub(super) struct AttackRuntime {
    runtime: Option<Runtime>,
    prepared: watch::Receiver<usize>,
    go: watch::Sender<bool>,
    pub(super) tally: Arc<Tally>,
    running: tokio::task::JoinHandle<anyhow::Result<Infallible>>,
    attack: Attack,
    /// Keeps the threads blocked after [`End::Silence`], until it is dropped.
    silence: Option<mpsc::Sender<()>>,
}

impl AttackRuntime {
    /// Starts the preparation of an attack.
    pub(super) fn start(
        attack: Attack,
        server: SocketAddr,
        seed: u64,
        fixture: Arc<Fixture>,
    ) -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("attacker")
            .on_thread_start(|| {
                machine::prioritize(NICENESS);
            })
            .enable_all()
            .build()?;
        let (prepared_sender, prepared) = watch::channel(0);
        let (go, go_receiver) = watch::channel(false);
        let tally = Arc::<Tally>::default();
        let attacker = Attacker {
            http: Http::from(SOURCE, server)?,
            seed,
            fixture,
            share: 1,
            tally: tally.clone(),
            prepared: Arc::new(prepared_sender),
            go: go_receiver,
        };
        let running = runtime.spawn(attack.run(attacker));
        Ok(Self { runtime: Some(runtime), prepared, go, tally, running, attack, silence: None })
    }

    /// Waits until the attack is prepared.
    pub(super) async fn prepared(&mut self) -> anyhow::Result<()> {
        let parts = self.attack.parts();
        let prepared =
            tokio::time::timeout(PREPARATION_TAKES, self.prepared.wait_for(|&count| count >= parts));
        tokio::select! {
            prepared = prepared => {
                prepared.context("the attack does not get ready")?.context("the attack has ended")?;
                Ok(())
            }
            Err(error) = async { (&mut self.running).await? } => Err(error).context("the attack cannot be prepared"),
        }
    }

    pub(super) fn attack(&self) {
        self.go.send_replace(true);
    }

    /// Ends the attack.
    pub(super) fn end(&mut self, end: End) {
        match end {
            End::Cut => self.cut(),
            End::Silence => self.fall_silent(),
        }
    }

    /// Blocks each thread, so that no task goes on and no connection is closed.
    fn fall_silent(&mut self) {
        let (silence, never) = mpsc::channel::<()>();
        let never = Arc::new(Mutex::new(never));
        if let Some(runtime) = &self.runtime {
            for _ in 0..THREADS {
                let never = never.clone();
                runtime.spawn(async move { never.lock().recv() });
            }
        }
        self.silence = Some(silence);
    }

    fn cut(&mut self) {
        self.silence = None;
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for AttackRuntime {
    fn drop(&mut self) {
        self.cut();
    }
}

/// The means of an attack.
#[derive(Clone, Debug)]
pub(super) struct Attacker {
    pub(super) http: Http,
    pub(super) seed: u64,
    pub(super) fixture: Arc<Fixture>,
    /// The number of attacks that share this one's load.
    share: usize,
    pub(super) tally: Arc<Tally>,
    prepared: Arc<watch::Sender<usize>>,
    go: watch::Receiver<bool>,
}

impl Attacker {
    /// A random generator for one task, determined by the seed.
    pub(super) fn chance(&self, task: usize) -> StdRng {
        StdRng::seed_from_u64(self.seed.wrapping_mul(1_000_003).wrapping_add(task as u64))
    }

    /// The same attacker with its load divided by `share`.
    pub(super) fn as_one_of(&self, share: usize) -> Self {
        Self { share, ..self.clone() }
    }

    /// The part of a load that falls to this attacker.
    pub(super) fn part_of(&self, count: usize) -> usize {
        count.div_ceil(self.share)
    }

    /// Reports that the preparation is complete and waits for the start of the attack.
    pub(super) async fn ready(&self) -> anyhow::Result<()> {
        self.prepared.send_modify(|count| *count += 1);
        self.go.clone().wait_for(|go| *go).await.context("the siege is over")?;
        Ok(())
    }

    /// Runs `work` repeatedly in a number of concurrent tasks, each at most once per `every`. Errors are counted as
    /// refusals.
    pub(super) async fn forever<W>(
        &self,
        tasks: usize,
        every: Duration,
        work: impl Fn(Self, usize) -> W + Clone + Send + 'static,
    ) -> anyhow::Result<Infallible>
    where
        W: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        for task in 0..self.part_of(tasks) {
            let (attacker, work) = (self.clone(), work.clone());
            tokio::spawn(async move {
                let mut due = interval(every);
                due.set_missed_tick_behavior(MissedTickBehavior::Delay);
                loop {
                    due.tick().await;
                    if let Err(error) = work(attacker.clone(), task).await {
                        attacker.tally.refuse(cause(&error), 1);
                        sleep(REST).await;
                    }
                }
            });
        }
        std::future::pending().await
    }

    /// Sends a request and returns the body of a successful response. Other statuses are counted as refusals.
    ///
    /// # Errors
    /// There was no response.
    pub(super) async fn ask(&self, request: RequestBuilder) -> anyhow::Result<Option<Vec<u8>>> {
        self.tally.send(1);
        let response = request.timeout(ANSWER_TAKES).send().await?;
        let status = response.status();
        let bytes = response.bytes().await?;
        self.tally.receive(bytes.len());
        if status.is_success() {
            return Ok(Some(bytes.into()));
        }
        let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let code = body["code"].as_str().unwrap_or_default();
        self.tally.refuse(format!("{} {code}", status.as_u16()).trim_end().to_owned(), 1);
        Ok(None)
    }

    /// Creates guests, up to a number or until the server refuses.
    pub(super) async fn guests(&self, most: usize) -> Vec<Guest> {
        let mut guests = Vec::new();
        for _ in 0..self.part_of(most) {
            match self.http.enter().await {
                Ok(guest) => guests.push(guest),
                Err(error) => {
                    self.tally.refuse(cause(&error), 1);
                    break;
                }
            }
        }
        guests
    }

    /// Opens a room and returns the game's id, or `None` if it was refused.
    pub(super) async fn room(&self, maker: &Guest, room: &Value) -> anyhow::Result<Option<String>> {
        let request = self.http.request(reqwest::Method::POST, "/api/v1/rooms", Some(maker)).json(room);
        let Some(body) = self.ask(request).await? else { return Ok(None) };
        let summary: Value = serde_json::from_slice(&body)?;
        Ok(Some(summary["id"].as_str().context("a room has an id")?.to_owned()))
    }

    /// Joins a room and returns whether it succeeded.
    pub(super) async fn join(&self, guest: &Guest, game: &str) -> anyhow::Result<bool> {
        let path = format!("/api/v1/rooms/{game}/join");
        Ok(self.ask(self.http.request(reqwest::Method::POST, &path, Some(guest))).await?.is_some())
    }

    /// Opens a WebSocket that follows the games.
    pub(super) async fn socket(&self, guest: &Guest, games: &[(&str, u64)]) -> anyhow::Result<Socket> {
        let mut socket = self.http.connect(guest).await?;
        socket.say(hello(games, false)).await?;
        Ok(socket)
    }

    /// Sends up to `most` messages, one per `every`, and reads the answers.
    pub(super) async fn drive(
        &self,
        socket: &mut Socket,
        every: Duration,
        most: usize,
        message: impl FnMut(usize) -> String,
    ) -> anyhow::Result<()> {
        self.drive_after(socket, 0, every, most, message).await
    }

    /// As [`drive`](Self::drive), with the first `at_once` messages in one burst.
    pub(super) async fn drive_after(
        &self,
        socket: &mut Socket,
        at_once: usize,
        every: Duration,
        most: usize,
        mut message: impl FnMut(usize) -> String,
    ) -> anyhow::Result<()> {
        for number in 0..at_once {
            socket.say(message(number)).await?;
        }
        self.tally.send(at_once as u64);
        let began = Instant::now();
        let mut due = interval(every);
        due.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut sent = at_once;
        while sent < most && began.elapsed() < ANSWER_TAKES {
            tokio::select! {
                text = socket.next() => self.count(&text?),
                _ = due.tick() => {
                    socket.say(message(sent)).await?;
                    self.tally.send(1);
                    sent += 1;
                }
            }
        }
        Ok(())
    }

    /// Counts the bytes of a message, and whether it is a refusal.
    pub(super) fn count(&self, text: &str) {
        self.tally.receive(text.len());
        if let Frame::Refused(why) = parse(text) {
            let message: Value = serde_json::from_str(why).unwrap_or_default();
            self.tally.refuse(message["code"].as_str().unwrap_or("refused").to_owned(), 1);
        }
    }
}
