//! New names, blocks, guests and chat.

use std::{convert::Infallible, time::Duration};

use rand::RngExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::super::attacker::Attacker;
use crate::client::Guest;

/// Number of guests whose names and blocks change.
const GUESTS: usize = 16;

/// Number of concurrent requests of each kind.
const AT_ONCE: usize = 64;

/// Number of sockets that send chat lines.
const TALKERS: usize = 16;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(GUESTS).await;
    let mut players = Vec::new();
    for guest in &guests {
        let request = attacker.http.request(Method::POST, "/api/v1/session", Some(guest));
        let session: Value =
            serde_json::from_slice(&attacker.ask(request).await?.unwrap_or_default()).unwrap_or_default();
        players.extend(session["player"]["id"].as_str().map(str::to_owned));
    }
    let games = begin_games(&attacker, &guests).await?;
    attacker.ready().await?;
    let every = Duration::from_millis(100);
    let one = move |task: usize| guests.get(task % guests.len().max(1)).cloned();
    let (renaming, talking) = (one.clone(), one.clone());
    let names = attacker.forever(AT_ONCE, every, move |attacker, task| {
        let guest = renaming(task);
        async move {
            let name =
                format!("N{:012x}", attacker.chance(usize::try_from(attacker.tally.sent())?).random::<u32>());
            let request = attacker.http.request(Method::PATCH, "/api/v1/session", guest.as_ref());
            attacker.ask(request.json(&json!({"name": name}))).await.map(drop)
        }
    });
    let blocks = attacker.forever(AT_ONCE, every, move |attacker, task| {
        let (guest, other) = (one(task), players.get((task + 1) % players.len().max(1)).cloned());
        async move {
            let path = format!("/api/v1/blocks/{}", other.unwrap_or_default());
            for method in [Method::PUT, Method::DELETE] {
                attacker.ask(attacker.http.request(method, &path, guest.as_ref())).await?;
            }
            Ok(())
        }
    });
    let guests = attacker.forever(AT_ONCE / 2, every, |attacker, _| async move {
        attacker.ask(attacker.http.request(Method::POST, "/api/v1/session", None)).await.map(drop)
    });
    let chats = attacker.forever(TALKERS, every, move |attacker, task| {
        let (guest, games) = (talking(task), games.clone());
        async move {
            let Some(guest) = guest else { return Ok(()) };
            talk(&attacker, &guest, &games, task).await
        }
    });
    tokio::select! {
        ended = names => ended,
        ended = blocks => ended,
        ended = guests => ended,
        ended = chats => ended,
    }
}

/// Starts a game for each two guests.
async fn begin_games(attacker: &Attacker, guests: &[Guest]) -> anyhow::Result<Vec<String>> {
    let mut games = Vec::new();
    for pair in guests.chunks_exact(2) {
        let room = json!({"ruleset": "crossfire", "seat": "random", "visibility": "link"});
        if let Some(game) = attacker.room(&pair[0], &room).await?
            && attacker.join(&pair[1], &game).await?
        {
            games.push(game);
        }
    }
    Ok(games)
}

/// Sends lines to all the games in turn, as a player of one and a spectator of the others.
async fn talk(attacker: &Attacker, guest: &Guest, games: &[String], task: usize) -> anyhow::Result<()> {
    let known: Vec<_> = games.iter().map(|game| (game.as_str(), 0)).collect();
    let mut socket = attacker.socket(guest, &known).await?;
    let text = "x".repeat(300);
    attacker
        .drive(&mut socket, Duration::from_millis(45), 600, |sent| {
            let command = format!("s-{task}-{sent}-{}", attacker.tally.sent());
            json!({"type": "say", "command": command, "game": games.get(sent % games.len().max(1)), "text": text}).to_string()
        })
        .await
}
