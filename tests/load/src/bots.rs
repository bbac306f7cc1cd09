//! Bots that think beside a workload: guests play random turns against them, and answer at once.

use std::convert::Infallible;

use anyhow::{Context, ensure};
use engine::{AnyMatch, Ruleset};
use rand::{SeedableRng, rngs::StdRng};
use serde_json::Value;
use tokio::task::JoinSet;

use crate::{
    client::{Http, Socket},
    messages,
    script::{random_turn, turn_message, version_before},
};

/// Level of the bots: each thinks for as long as its server lets it.
const LEVEL: u8 = 8;

/// Games against bots, each followed by another one. They end on drop.
#[derive(Debug)]
pub struct Bots(JoinSet<anyhow::Result<Infallible>>);

impl Bots {
    /// Begins some games.
    pub fn start(http: &Http, games: usize) -> Self {
        let mut playing = JoinSet::new();
        for seed in 0..games {
            let http = http.clone();
            playing.spawn(async move { play(&http, &mut StdRng::seed_from_u64(seed as u64)).await });
        }
        Self(playing)
    }

    /// Waits for a game that cannot go on, and returns the reason.
    pub async fn failure(&mut self) -> anyhow::Error {
        match self.0.join_next().await {
            Some(Ok(Err(error))) => error.context("a game against a bot"),
            Some(Ok(Ok(never))) => match never {},
            Some(Err(error)) => error.into(),
            // Without games none fails.
            None => std::future::pending().await,
        }
    }
}

/// Plays one game after the other.
async fn play(http: &Http, random: &mut StdRng) -> anyhow::Result<Infallible> {
    let guest = http.enter().await?;
    let mut socket = http.connect(&guest).await?;
    socket.say(messages::hello(&[], false)).await?;
    loop {
        let id = http.open_room(&guest, &messages::live_room()).await?;
        http.seat_bot(&guest, &id, LEVEL).await?;
        socket.watch(&id).await?;
        let mut game = AnyMatch::new(Ruleset::Fibonacci);
        for turn in (0..).step_by(2) {
            let actions = random_turn(&game, random);
            let version = version_before(turn);
            socket.say(turn_message(&format!("t{version}"), &id, version, &actions)).await?;
            game.play(&actions)?;
            if game.outcome().is_some() {
                break;
            }
            game.play(&turn_at(&mut socket, version + 2).await?)?;
            if game.outcome().is_some() {
                break;
            }
        }
    }
}

/// Reads up to the event of a turn, and returns the actions of the turn.
async fn turn_at(socket: &mut Socket, version: u64) -> anyhow::Result<Vec<String>> {
    loop {
        let frame: Value = serde_json::from_str(&socket.next().await?)?;
        ensure!(frame["type"] != "nack" && frame["type"] != "error", "the server refuses: {frame}");
        let events = frame["events"].as_array().map_or(&[][..], Vec::as_slice);
        let first = frame["version"].as_u64().unwrap_or_default() + 1 - events.len() as u64;
        let event = version.checked_sub(first).and_then(|index| events.get(usize::try_from(index).ok()?));
        if let Some(event) = event {
            let actions = event["actions"].as_str().with_context(|| format!("no turn: {event}"))?;
            return Ok(actions.split(' ').map(str::to_owned).collect());
        }
    }
}
