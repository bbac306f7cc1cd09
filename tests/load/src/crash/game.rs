//! One game with both its players, who never give up: they reconnect, and repeat commands without answer.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, bail, ensure};
use engine::{Ruleset, Side};
use serde_json::Value;
use tokio_tungstenite::tungstenite::Error;

use super::{Acknowledged, Ledger, Watch};
use crate::{
    client::{Guest, Http, Socket},
    messages::{self, hello},
    script::{Script, Turn, version_before},
};

/// A game with its two players.
#[derive(Debug)]
pub(super) struct Game {
    id: String,
    seats: [Seat; 2],
}

/// A player of the game.
#[derive(Debug)]
struct Seat {
    http: Http,
    guest: Guest,
    /// `None` while disconnected.
    socket: Option<Socket>,
    /// The version that this player has.
    version: u64,
}

/// The answer to a command.
enum Answer {
    Acknowledged(u64),
    /// The effect is unknown.
    Unknown,
}

impl Game {
    /// Begins a game between two new guests.
    pub(super) async fn begin(http: Http) -> anyhow::Result<Self> {
        let guests = [http.enter().await?, http.enter().await?];
        // A clock would be credited the time of each outage, by an event of its own.
        let id = http.open_room(&guests[0], &messages::room(Ruleset::Fibonacci)).await?;
        http.join(&guests[1], &id).await?;
        let seats = guests.map(|guest| Seat { http: http.clone(), guest, socket: None, version: 0 });
        Ok(Self { id, seats })
    }

    /// Plays until the last kill is over, and returns the acknowledged commands.
    pub(super) async fn play(mut self, script: &Script, watch: Arc<Watch>) -> anyhow::Result<Ledger> {
        let mut ledger = Ledger { game: self.id.clone(), ..Ledger::default() };
        let mut version = version_before(0);
        while watch.risen.has_changed().is_ok() {
            let turn = script.next(version).context("the script is over")?;
            let command = format!("{}-{version}", self.id);
            let mover = seat(turn.side);
            let mut tries = 0;
            let after = loop {
                tries += 1;
                match self.seats[mover].command(&self.id, turn, &command, &watch).await? {
                    Answer::Acknowledged(after) => break after,
                    Answer::Unknown => {}
                }
            };
            ensure!(after == version + 1, "turn {command} is acknowledged as version {after} of the game");
            ledger.sent_again += usize::from(tries > 1);
            ledger.acknowledged.push(Acknowledged { command, version: after });
            watch.acknowledge();
            self.seats[1 - mover].sees(&self.id, after, &watch).await?;
            version = after;
        }
        Ok(ledger)
    }
}

impl Seat {
    /// Sends a command and waits for its answer.
    async fn command(
        &mut self,
        game: &str,
        turn: &Turn,
        command: &str,
        watch: &Watch,
    ) -> anyhow::Result<Answer> {
        self.connect(game, watch).await?;
        if !self.say(turn.message(command, game)).await {
            return Ok(Answer::Unknown);
        }
        while let Some(message) = self.receive(game).await? {
            match message["type"].as_str() {
                Some("ack") if message["command"] == command => {
                    let after = message["version"].as_u64().context("an ack has a version")?;
                    return Ok(Answer::Acknowledged(after));
                }
                Some("nack") if message["command"] == command => {
                    back_off(&message).await?;
                    return Ok(Answer::Unknown);
                }
                _ => {}
            }
        }
        Ok(Answer::Unknown)
    }

    /// Reads until the player has a version.
    async fn sees(&mut self, game: &str, version: u64, watch: &Watch) -> anyhow::Result<()> {
        while self.version < version {
            self.connect(game, watch).await?;
            self.receive(game).await?;
        }
        Ok(())
    }

    /// Connects if necessary, and reports the version of the game.
    async fn connect(&mut self, game: &str, watch: &Watch) -> anyhow::Result<()> {
        while self.socket.is_none() {
            let risen = watch.risen();
            match self.http.connect(&self.guest).await {
                Ok(socket) => {
                    self.socket = Some(socket);
                    self.say(hello(&[(game, self.version)], false)).await;
                }
                // The server is up, but its database is not, or not yet.
                Err(error) if matches!(error.downcast_ref(), Some(Error::Http(_))) => {}
                // It was killed, perhaps just now.
                Err(_) => watch.has_risen_since(risen).await,
            }
        }
        Ok(())
    }

    /// Sends a message. Returns whether the connection is still open.
    async fn say(&mut self, message: String) -> bool {
        let Some(socket) = &mut self.socket else { return false };
        if socket.say(message).await.is_err() {
            self.socket = None;
        }
        self.socket.is_some()
    }

    /// Returns the next message after applying its events; `None` if the connection is closed or the subscription
    /// ended.
    async fn receive(&mut self, game: &str) -> anyhow::Result<Option<Value>> {
        let Some(socket) = &mut self.socket else { return Ok(None) };
        let Ok(text) = socket.next().await else {
            self.socket = None;
            return Ok(None);
        };
        let message: Value = serde_json::from_str(&text)?;
        match message["type"].as_str() {
            Some("events") => self.follow(&message)?,
            // The subscription has to be renewed.
            Some("error") => {
                back_off(&message).await?;
                self.say(messages::watch(game, self.version)).await;
                return Ok(Some(message));
            }
            _ => {}
        }
        Ok(Some(message))
    }

    /// Applies events. If they are all of the game, they replace what was known.
    fn follow(&mut self, message: &Value) -> anyhow::Result<()> {
        let version = message["version"].as_u64().context("events have a version")?;
        let n_events = message["events"].as_array().context("a list of events")?.len() as u64;
        let known = if n_events == version { 0 } else { self.version };
        ensure!(known + n_events == version, "the events do not follow version {known}: {message}");
        self.version = version;
        Ok(())
    }
}

/// Delay of a client before it repeats a request that the server could not answer, unless the server names one.
const BACKOFF_MS: u64 = 50;

/// Waits as a client does after a refusal that may be repeated. All clients have one address, which reads logs one page at
/// a time: after a restart some get `unavailable`.
///
/// # Errors
/// The refusal is final.
async fn back_off(refusal: &Value) -> anyhow::Result<()> {
    match refusal["code"].as_str() {
        Some("unavailable" | "busy" | "too_fast") => {
            let wait = refusal["retry_ms"].as_u64().unwrap_or(BACKOFF_MS);
            tokio::time::sleep(Duration::from_millis(wait)).await;
            Ok(())
        }
        _ => bail!("the server refuses: {refusal}"),
    }
}

const fn seat(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}
