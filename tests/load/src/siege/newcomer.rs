//! Honest newcomers: a stream of visits from fresh addresses, each with the usual steps of new players.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, ensure};
use protocol::ClockRule;
use reqwest::{Method, StatusCode};
use serde_json::Value;
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval, sleep, timeout},
};

use super::{
    honest::{RULESETS, answer, cause, open_room},
    lobby::Seen,
    measurements::{Measurements, Wait},
};
use crate::{
    client::{Guest, Http, Socket},
    messages::{self, hello},
    script::{Script, turn_message},
    wire::Frame,
};

/// Interval between the starts of two visits.
const VISIT_EVERY: Duration = Duration::from_millis(300);

/// Maximum number of concurrent visits: more than those whose rooms one attack can hold at once.
const MOST_VISITS: usize = 64;

/// Timeout for one step of a visit.
const STEP_TAKES: Duration = Duration::from_secs(20);

/// Pause before a newcomer tries to join a room again: a person presses the button again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// Timeout for a row to reach the lobby reader: changes of other people's games are batched for up to a second.
const ROW_TAKES: Duration = Duration::from_secs(3);

/// The state shared by all visits.
#[derive(Debug)]
pub(super) struct Newcomers {
    pub(super) server: SocketAddr,
    pub(super) measurements: Arc<Measurements>,
    /// Rows that the lobby reader has received.
    pub(super) seen: Arc<Seen>,
    /// Ids of honest rooms and games that every newcomer must find in the lobby.
    pub(super) standing: Vec<String>,
    /// One for each of [`RULESETS`].
    pub(super) scripts: Vec<&'static Script>,
    /// Whether they seek in the pools of [`shared_clock`].
    pub(super) share_pools: bool,
    /// Whether they try to join a room again that somebody else has just taken, as [`Wait::Join`].
    pub(super) try_again: bool,
}

/// The clock of the pools that others use too.
pub(super) fn shared_clock() -> ClockRule {
    messages::clock(300, 3)
}

/// Starts visits until it is aborted.
pub(super) async fn come(newcomers: Arc<Newcomers>) -> Infallible {
    let mut visits = JoinSet::new();
    let mut due = interval(VISIT_EVERY);
    due.set_missed_tick_behavior(MissedTickBehavior::Skip);
    for number in 0_u16.. {
        due.tick().await;
        while visits.try_join_next().is_some() {}
        if visits.len() >= MOST_VISITS {
            visits.join_next().await;
        }
        let newcomers = newcomers.clone();
        visits.spawn(async move {
            if let Err(error) = newcomers.visit(number).await {
                newcomers.measurements.fault(format!("newcomer: {}", cause_of_step(&error)));
            }
        });
    }
    std::future::pending().await
}

/// A short name for a failed step and its cause, to count failures by.
fn cause_of_step(error: &anyhow::Error) -> String {
    match error.downcast_ref::<FailedStep>() {
        Some(FailedStep { name, why }) => format!("{name}: {why}"),
        None => cause(error),
    }
}

/// A step of a visit that failed.
#[derive(Debug)]
struct FailedStep {
    name: &'static str,
    why: String,
}

impl std::fmt::Display for FailedStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.why)
    }
}

impl std::error::Error for FailedStep {}

/// One of the two people of a visit.
#[derive(Debug)]
struct Newcomer {
    http: Http,
    guest: Guest,
    socket: Socket,
    /// The `lobby` message as text.
    lobby: String,
}

impl Newcomers {
    /// Two newcomers load the page, read the lists, play in a room of one of them, and are paired by a pool.
    async fn visit(&self, number: u16) -> anyhow::Result<()> {
        let index = usize::from(number) % RULESETS.len();
        let (ruleset, script) = (RULESETS[index].id(), self.scripts[index]);
        let mut maker = self.enter(number, 0).await?;
        let room = open_room(&maker.http, &maker.guest, ruleset);
        let room = self.step("room", room).await?;
        // The attacker may have joined it before it is told.
        self.seen("room in the lobby", &room, &["open", "playing"]).await;
        let mut guest = self.enter(number, 1).await?;
        self.finds_standing(&guest.lobby);
        self.step("lists", guest.reads_lists()).await?;
        let joining = self.join(&guest, &room);
        let version = if self.try_again {
            self.measurements.time(Wait::Join, joining).await?
        } else {
            self.step("join", joining).await?
        };
        for newcomer in [&mut maker, &mut guest] {
            self.step("watch", newcomer.socket.watch(&room)).await?;
        }
        self.step("first turn", first_turn(&mut maker, &mut guest, script, (&room, version))).await?;
        self.seen("game in the lobby", &room, &["playing"]).await;
        self.step("abort", maker.abort(&room)).await?;
        // The guest had not played, so the room is open again.
        self.step("close", maker.close(&room)).await?;
        self.pair(number, ruleset, &mut maker, &mut guest).await
    }

    /// Joins a room, and returns the version of its game.
    async fn join(&self, guest: &Newcomer, room: &str) -> anyhow::Result<u64> {
        let path = format!("/api/v1/rooms/{room}/join");
        loop {
            match answer(guest.http.request(Method::POST, &path, Some(&guest.guest))).await {
                Ok(game) => return game["version"].as_u64().context("a game has a version"),
                Err(error) if self.try_again && error.to_string() == "409 room_taken" => {
                    sleep(TRY_AGAIN_AFTER).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn enter(&self, number: u16, which: u8) -> anyhow::Result<Newcomer> {
        let [high, low] = number.to_be_bytes();
        let http = Http::from(IpAddr::V4(Ipv4Addr::new(127, 64 + which, high, low)), self.server)?;
        self.step("page", page(&http)).await?;
        let guest = self.step("session", http.enter()).await?;
        let mut socket = self.step("socket", http.connect(&guest)).await?;
        let lobby = self.step("lobby", read_lobby(&mut socket)).await?;
        Ok(Newcomer { http, guest, socket, lobby })
    }

    /// Both seek in a pool. If nobody else uses it, they must be paired with each other.
    async fn pair(
        &self,
        number: u16,
        ruleset: &str,
        one: &mut Newcomer,
        other: &mut Newcomer,
    ) -> anyhow::Result<()> {
        let (base_s, bonus_s) = (600 + number % 10_000, number % 180);
        let own = messages::clock(base_s.into(), bonus_s.into());
        let clock = if self.share_pools { shared_clock() } else { own };
        let message = messages::seek(ruleset.parse().context("the ruleset is known")?, clock);
        one.socket.say(message.clone()).await?;
        other.socket.say(message).await?;
        let paired = async { tokio::try_join!(one.until("paired"), other.until("paired")) };
        // In a pool that others use the wait for an opponent is no latency of the server.
        let (first, second) = if self.share_pools {
            timeout(STEP_TAKES, paired).await.context("nobody is paired")??
        } else {
            self.step("paired", paired).await?
        };
        if first["game"] != second["game"] {
            if !self.share_pools {
                self.measurements.fault("newcomer: paired with somebody else");
            }
            let game = second["game"].as_str().context("a pair has a game")?;
            self.step("abort", other.abort(game)).await?;
        }
        let game = first["game"].as_str().context("a pair has a game")?;
        self.step("abort", one.abort(game)).await
    }

    /// Records a fault if a standing game or room is missing from the lobby.
    fn finds_standing(&self, lobby: &str) {
        let missing = self.standing.iter().filter(|game| !lobby.contains(game.as_str())).count();
        if missing > 0 {
            self.measurements.fault("newcomer: honest games and rooms are not in the lobby");
        }
    }

    /// Records a fault if a row does not reach the lobby reader in time.
    async fn seen(&self, what: &str, game: &str, statuses: &[&str]) {
        if timeout(ROW_TAKES, self.seen.has(game, statuses)).await.is_err() {
            self.measurements.fault(format!("newcomer: {what}: not seen within {} s", ROW_TAKES.as_secs()));
        }
    }

    async fn step<T>(
        &self,
        name: &'static str,
        work: impl Future<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<T> {
        let why = match self.measurements.time(Wait::Step, timeout(STEP_TAKES, work)).await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(error)) => cause(&error),
            Err(_) => format!("no answer in {} s", STEP_TAKES.as_secs()),
        };
        Err(FailedStep { name, why }.into())
    }
}

impl Newcomer {
    async fn reads_lists(&self) -> anyhow::Result<()> {
        for path in ["/api/v1/games?list=finished", "/api/v1/rooms"] {
            let page = answer(self.http.request(Method::GET, path, Some(&self.guest))).await?;
            ensure!(page.is_object(), "a list is no page");
        }
        Ok(())
    }

    /// Aborts a game, unless its other player was faster.
    async fn abort(&mut self, game: &str) -> anyhow::Result<()> {
        let command = format!("abort-{:x}", rand::random::<u64>());
        self.socket.say(messages::abort(command, game)).await?;
        loop {
            match crate::wire::parse(&self.socket.next().await?) {
                Frame::Ack => return Ok(()),
                Frame::Refused(why) if why.contains(r#""code":"game_over""#) => return Ok(()),
                Frame::Refused(why) => anyhow::bail!("the server refuses: {why}"),
                _ => {}
            }
        }
    }

    /// Closes a room, unless somebody has joined it.
    async fn close(&self, room: &str) -> anyhow::Result<()> {
        let path = format!("/api/v1/rooms/{room}");
        let status = self.http.request(Method::DELETE, &path, Some(&self.guest)).send().await?.status();
        ensure!(status.is_success() || status == StatusCode::CONFLICT, "{}", status.as_u16());
        Ok(())
    }

    /// Reads up to the next message of a type.
    async fn until(&mut self, kind: &str) -> anyhow::Result<Value> {
        loop {
            let text = self.socket.next().await?;
            if let Frame::Refused(why) = crate::wire::parse(&text) {
                anyhow::bail!("the server refuses: {why}");
            }
            let beginning = format!(r#"{{"type":"{kind}""#);
            if text.starts_with(&beginning) {
                return Ok(serde_json::from_str(&text)?);
            }
        }
    }
}

async fn page(http: &Http) -> anyhow::Result<()> {
    let response = http.request(Method::GET, "/", None).send().await?;
    let status = response.status();
    ensure!(status.is_success(), "{}", status.as_u16());
    response.bytes().await?;
    Ok(())
}

/// Subscribes to the lobby and returns its first message.
async fn read_lobby(socket: &mut Socket) -> anyhow::Result<String> {
    socket.say(hello(&[], true)).await?;
    loop {
        let text = socket.next().await?;
        match crate::wire::parse(&text) {
            Frame::Refused(why) => anyhow::bail!("the server refuses: {why}"),
            Frame::Lobby => return Ok(text.to_string()),
            _ => {}
        }
    }
}

async fn first_turn(
    maker: &mut Newcomer,
    guest: &mut Newcomer,
    script: &Script,
    (game, version): (&str, u64),
) -> anyhow::Result<()> {
    let turn = script.turns().first().context("a script has a first turn")?;
    maker.socket.say(turn_message("t", game, version, &turn.actions)).await?;
    tokio::try_join!(
        maker.socket.until(|frame| frame == Frame::Ack),
        guest.socket.until(|frame| frame == Frame::Events(version + 1)),
    )?;
    Ok(())
}
