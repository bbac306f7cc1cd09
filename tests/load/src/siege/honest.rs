//! Pairs of honest players, each player with an address and a connection of its own, who play at a constant rate.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use engine::{Ruleset, Side};
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::{
    measurements::{Measurements, Wait},
    weak_line::WeakLine,
};
use crate::{
    client::{Closed, Guest, Http, Socket},
    messages,
    script::{Script, Turn, version_before},
    wire::Frame,
};

/// Interval between two turns of a pair: five a second for each player, as in a fast game.
pub(super) const TURN_EVERY: Duration = Duration::from_millis(100);

/// Number of turns for each `options` request.
const LOOK_EVERY: u64 = 3;

/// Pause before a refused pair reconnects.
const REST: Duration = Duration::from_millis(500);

/// Interval between two drafts that are sent to a weak line: as many as one socket may send.
const DRAFT_EVERY: Duration = Duration::from_millis(50);

/// Number of drafts before a turn that is sent to a weak line.
const DRAFTS: usize = 120;

/// The rulesets that are played, one by each pair. A game with cards cannot be scripted, since the server draws them.
pub(super) const RULESETS: [Ruleset; 6] = [
    Ruleset::Fibonacci,
    Ruleset::FibonacciMixed,
    Ruleset::Fenix,
    Ruleset::Focus,
    Ruleset::FocusClassic,
    Ruleset::Crossfire,
];

/// Two players and their game.
#[derive(Debug)]
pub(super) struct Pair {
    script: &'static Script,
    seats: [Seat; 2],
    game: String,
    /// The line of the second player, if it is weak. The first player then drafts before each turn, and nothing else is
    /// measured than how long its turns take to the second.
    weak_line: Option<WeakLine>,
}

#[derive(Debug)]
struct Seat {
    http: Http,
    guest: Guest,
    socket: Socket,
}

impl Pair {
    /// Starts a game between two new guests. The pair's number determines its addresses.
    pub(super) async fn begin(
        server: SocketAddr,
        number: u8,
        script: &'static Script,
    ) -> anyhow::Result<Self> {
        let [first, second] = sources(number).map(|source| Http::from(source, server));
        Self::enter([first?, second?], script, None).await
    }

    /// As [`begin`](Self::begin), with the second player on a weak line.
    pub(super) async fn begin_on_weak_line(
        server: SocketAddr,
        number: u8,
        script: &'static Script,
    ) -> anyhow::Result<Self> {
        let [first, second] = sources(number);
        let line = WeakLine::to(server, second).await?;
        let second = Http::to(line.address())?;
        Self::enter([Http::from(first, server)?, second], script, Some(line)).await
    }

    async fn enter(
        [first, second]: [Http; 2],
        script: &'static Script,
        weak_line: Option<WeakLine>,
    ) -> anyhow::Result<Self> {
        let seats = [Seat::enter(first).await?, Seat::enter(second).await?];
        let mut pair = Self { script, seats, game: String::new(), weak_line };
        pair.begin_game().await?;
        Ok(pair)
    }

    /// The game that is played now.
    pub(super) fn game(&self) -> &str {
        &self.game
    }

    /// Plays until it is aborted; records latencies and refusals.
    pub(super) async fn play(mut self, measurements: Arc<Measurements>) -> Infallible {
        loop {
            let Err(error) = self.play_games(&measurements).await;
            measurements.fault(format!("player: {}", cause(&error)));
            while let Err(error) = self.come_back().await {
                measurements.fault(format!("player coming back: {}", cause(&error)));
                sleep(REST).await;
            }
        }
    }

    async fn play_games(&mut self, measurements: &Arc<Measurements>) -> anyhow::Result<Infallible> {
        let mut due = interval(TURN_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let mut version = version_before(0);
            while let Some(turn) = self.script.next(version) {
                due.tick().await;
                match (&self.weak_line, turn.side) {
                    (None, _) => self.look_and_play(turn, version, measurements).await?,
                    (Some(_), Side::First) => {
                        self.draft(turn, version).await?;
                        measurements.time(Wait::WeakTurn, self.turn(turn, version)).await?;
                    }
                    (Some(_), Side::Second) => self.turn(turn, version).await?,
                }
                version += 1;
            }
            self.begin_game().await?;
        }
    }

    /// Plays a turn, sometimes after a request of the legal actions.
    async fn look_and_play(
        &mut self,
        turn: &Turn,
        version: u64,
        measurements: &Arc<Measurements>,
    ) -> anyhow::Result<()> {
        if version.is_multiple_of(LOOK_EVERY) {
            measurements.time(Wait::Step, self.request_actions(turn, version)).await?;
        }
        measurements.time(Wait::Turn, self.turn(turn, version)).await
    }

    /// Sends drafts of a turn, as a player does who moves pieces back and forth.
    async fn draft(&mut self, turn: &Turn, version: u64) -> anyhow::Result<()> {
        let game = &self.game;
        let [mover, _] = by_turn(&mut self.seats, turn.side);
        let mut due = interval(DRAFT_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for number in 0..DRAFTS {
            due.tick().await;
            let actions = &turn.actions[..turn.actions.len() - number % 2];
            mover.socket.say(messages::draft(format!("d{version}-{number}"), game, version, actions)).await?;
            mover.socket.until(|frame| frame == Frame::Options).await?;
        }
        Ok(())
    }

    /// Requests the legal actions, as a client does when a turn begins.
    async fn request_actions(&mut self, turn: &Turn, version: u64) -> anyhow::Result<()> {
        let game = &self.game;
        let message = messages::options(format!("o{version}"), game, version);
        let [mover, _] = by_turn(&mut self.seats, turn.side);
        mover.socket.say(message).await?;
        mover.socket.until(|frame| frame == Frame::Options).await
    }

    /// Plays a turn and waits until it is acknowledged and the opponent has received it.
    async fn turn(&mut self, turn: &Turn, version: u64) -> anyhow::Result<()> {
        let message = turn.message(&format!("t{version}"), &self.game);
        let [mover, other] = by_turn(&mut self.seats, turn.side);
        mover.socket.say(message).await?;
        let after = version + 1;
        tokio::try_join!(
            mover.socket.until(|frame| frame == Frame::Ack),
            other.socket.until(|frame| frame == Frame::Events(after)),
        )?;
        Ok(())
    }

    async fn begin_game(&mut self) -> anyhow::Result<()> {
        let [first, second] = &mut self.seats;
        self.game = open_room(&first.http, &first.guest, self.script.ruleset().id()).await?;
        second.http.join(&second.guest, &self.game).await?;
        for seat in &mut self.seats {
            seat.socket.follow(&self.game).await?;
        }
        Ok(())
    }

    /// Reconnects both players and begins another game.
    async fn come_back(&mut self) -> anyhow::Result<()> {
        for seat in &mut self.seats {
            seat.socket = seat.http.connect(&seat.guest).await?;
        }
        self.begin_game().await
    }
}

impl Seat {
    async fn enter(http: Http) -> anyhow::Result<Self> {
        let guest = http.enter().await?;
        let socket = http.connect(&guest).await?;
        Ok(Self { http, guest, socket })
    }
}

/// The addresses of a pair.
fn sources(number: u8) -> [IpAddr; 2] {
    [1, 2].map(|seat| IpAddr::V4(Ipv4Addr::new(127, 0, 1, 2 * number + seat)))
}

fn by_turn(seats: &mut [Seat; 2], side: Side) -> [&mut Seat; 2] {
    let [first, second] = seats;
    match side {
        Side::First => [first, second],
        Side::Second => [second, first],
    }
}

/// Opens a public room of a ruleset whose maker has the first seat, and returns the game's id.
pub(super) async fn open_room(http: &Http, maker: &Guest, ruleset: &str) -> anyhow::Result<String> {
    let room = messages::room(ruleset.parse().context("the ruleset is known")?);
    let request = http.request(reqwest::Method::POST, "/api/v1/rooms", Some(maker)).json(&room);
    let summary = answer(request).await?;
    Ok(summary["id"].as_str().context("a room has an id")?.to_owned())
}

/// Sends a request and returns the body; the error of a refused one is its status and code.
pub(super) async fn answer(request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
    let response = request.send().await?;
    let status = response.status();
    let text = response.text().await?;
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let code = body["code"].as_str().unwrap_or_default();
    anyhow::ensure!(status.is_success(), "{} {code}", status.as_u16());
    Ok(body)
}

/// A short name for the kind of an error, to count errors by.
pub(super) fn cause(error: &anyhow::Error) -> String {
    if let Some(closed) = error.downcast_ref::<Closed>() {
        return format!("closed {}", closed.code);
    }
    if let Some(error) = error.downcast_ref::<reqwest::Error>() {
        return match error.status() {
            Some(status) => status.as_u16().to_string(),
            None if error.is_timeout() => "no answer".to_owned(),
            None if error.is_connect() => "no connection".to_owned(),
            None => "connection cut".to_owned(),
        };
    }
    if let Some(error) = error.downcast_ref::<tokio_tungstenite::tungstenite::Error>() {
        return match error {
            tokio_tungstenite::tungstenite::Error::Http(response) => response.status().as_u16().to_string(),
            _ => "connection cut".to_owned(),
        };
    }
    if error.downcast_ref::<std::io::Error>().is_some() {
        return "connection cut".to_owned();
    }
    // The error of `Socket::until` ends with the message that refused.
    let text = format!("{error:#}");
    let refusal =
        text.split_once('{').and_then(|(_, json)| serde_json::from_str::<Value>(&format!("{{{json}")).ok());
    match refusal.as_ref().and_then(|message| message["code"].as_str()) {
        Some(code) => code.to_owned(),
        None => text,
    }
}

/// Records how late a timer of this tool fires.
pub(super) async fn watch_timer(measurements: Arc<Measurements>) -> Infallible {
    const EVERY: Duration = Duration::from_millis(10);
    loop {
        let due = Instant::now() + EVERY;
        tokio::time::sleep_until(due).await;
        measurements.wait(Wait::Timer, due, due.elapsed());
    }
}
