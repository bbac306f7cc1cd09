//! Pairs of honest players, each with an address and a connection of its own, who play at an even pace.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use engine::{Ruleset, Side};
use serde_json::{Value, json};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::ledger::{Ledger, Wait};
use crate::{
    client::{Closed, Guest, Http, Socket},
    script::{Script, Turn, version_before},
    wire::Heard,
};

/// Between two turns of a pair: five a second for each player, as in a game against the clock.
pub(super) const TURN_EVERY: Duration = Duration::from_millis(100);

/// Before every so many-th turn its player asks what is legal.
const LOOK_EVERY: u64 = 3;

/// How long a pair rests that was refused something, before it connects again.
const REST: Duration = Duration::from_millis(500);

/// The rulesets that are played, one by each pair. Cards are the server's, so that a game with them has no script.
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
    ruleset: Ruleset,
    seats: [Seat; 2],
    game: String,
}

#[derive(Debug)]
struct Seat {
    http: Http,
    guest: Guest,
    socket: Socket,
}

impl Pair {
    /// Two guests begin a game. Each pair has a number, which its addresses follow from.
    pub(super) async fn begin(
        server: SocketAddr,
        number: u8,
        ruleset: Ruleset,
        script: &'static Script,
    ) -> anyhow::Result<Self> {
        let first = Seat::enter(server, 2 * number).await?;
        let second = Seat::enter(server, 2 * number + 1).await?;
        let mut pair = Self { script, ruleset, seats: [first, second], game: String::new() };
        pair.begin_game().await?;
        Ok(pair)
    }

    /// The game that is played now.
    pub(super) fn game(&self) -> &str {
        &self.game
    }

    /// Plays on and on, whatever happens, and enters all waits and refusals.
    pub(super) async fn play(mut self, ledger: Arc<Ledger>) -> Infallible {
        loop {
            let Err(error) = self.play_games(&ledger).await;
            ledger.fault(format!("player: {}", cause(&error)));
            while let Err(error) = self.come_back().await {
                ledger.fault(format!("player coming back: {}", cause(&error)));
                sleep(REST).await;
            }
        }
    }

    async fn play_games(&mut self, ledger: &Arc<Ledger>) -> anyhow::Result<Infallible> {
        let mut due = interval(TURN_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let mut version = version_before(0);
            while let Some(turn) = self.script.next(version) {
                due.tick().await;
                if version.is_multiple_of(LOOK_EVERY) {
                    ledger.time(Wait::Step, self.look(turn, version)).await?;
                }
                ledger.time(Wait::Turn, self.turn(turn, version)).await?;
                version += 1;
            }
            self.begin_game().await?;
        }
    }

    /// Asks what is legal, as a client does when a turn begins.
    async fn look(&mut self, turn: &Turn, version: u64) -> anyhow::Result<()> {
        let game = &self.game;
        let message = json!({"type": "options", "command": format!("o{version}"), "game": game, "version": version,
            "actions": []});
        let [mover, _] = by_turn(&mut self.seats, turn.side);
        mover.socket.say(message.to_string()).await?;
        mover.socket.until(|heard| heard == Heard::Options).await
    }

    /// Plays a turn, until it is acknowledged and the other side has it.
    async fn turn(&mut self, turn: &Turn, version: u64) -> anyhow::Result<()> {
        let message = turn.message(&format!("t{version}"), &self.game);
        let [mover, other] = by_turn(&mut self.seats, turn.side);
        mover.socket.say(message).await?;
        let after = version + 1;
        tokio::try_join!(
            mover.socket.until(|heard| heard == Heard::Ack),
            other.socket.until(|heard| heard == Heard::Events(after)),
        )?;
        Ok(())
    }

    async fn begin_game(&mut self) -> anyhow::Result<()> {
        let [first, second] = &mut self.seats;
        self.game = open_room(&first.http, &first.guest, self.ruleset.id()).await?;
        second.http.join(&second.guest, &self.game).await?;
        for seat in &mut self.seats {
            seat.socket.follow(&self.game).await?;
        }
        Ok(())
    }

    /// Connects anew and begins another game.
    async fn come_back(&mut self) -> anyhow::Result<()> {
        for seat in &mut self.seats {
            seat.socket = seat.http.connect(&seat.guest).await?;
        }
        self.begin_game().await
    }
}

impl Seat {
    async fn enter(server: SocketAddr, number: u8) -> anyhow::Result<Self> {
        let http = Http::from(IpAddr::V4(Ipv4Addr::new(127, 0, 1, 1 + number)), server)?;
        let guest = http.enter().await?;
        let socket = http.connect(&guest).await?;
        Ok(Self { http, guest, socket })
    }
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
    let room = json!({"ruleset": ruleset, "seat": "first", "visibility": "public"});
    let request = http.request(reqwest::Method::POST, "/api/rooms", Some(maker)).json(&room);
    let summary = answer(request).await?;
    Ok(summary["id"].as_str().context("a room has an id")?.to_owned())
}

/// The body of a request that is carried out; the status and the code of one that is refused are the error.
pub(super) async fn answer(request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
    let response = request.send().await?;
    let status = response.status();
    let text = response.text().await?;
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let code = body["code"].as_str().unwrap_or_default();
    anyhow::ensure!(status.is_success(), "{} {code}", status.as_u16());
    Ok(body)
}

/// What an error is called where errors are counted: the same for all of a kind.
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
    // A message that refuses has its code at the end of what `Socket::until` says.
    let text = format!("{error:#}");
    let refusal =
        text.split_once('{').and_then(|(_, json)| serde_json::from_str::<Value>(&format!("{{{json}")).ok());
    match refusal.as_ref().and_then(|message| message["code"].as_str()) {
        Some(code) => code.to_owned(),
        None => text,
    }
}

/// Enters how late a timer of this tool fires.
pub(super) async fn watch_timer(ledger: Arc<Ledger>) -> Infallible {
    const EVERY: Duration = Duration::from_millis(10);
    loop {
        let due = Instant::now() + EVERY;
        tokio::time::sleep_until(due).await;
        ledger.wait(Wait::Timer, due, due.elapsed());
    }
}
