//! As many bytes as one address can have sent: a long game with a long chat, watched again and again, and documents that are
//! not compressed.

use std::{convert::Infallible, time::Duration};

use reqwest::{Method, header};
use serde_json::json;

use super::super::attacker::Attacker;

/// Number of sockets that watch.
const SPECTATORS: usize = 24;

/// Number of clients that read documents.
const READERS: usize = 16;

/// Number of lines of each spectator: as many as one may say at once.
const LINES: usize = 4;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(SPECTATORS).await;
    let games = attacker.fixture.finished.clone();
    let game = games[0].clone();
    let text = "\u{1f600}".repeat(300);
    for (number, guest) in guests.iter().enumerate() {
        let mut socket = attacker.socket(guest, &[(&game, 0)]).await?;
        let say = |sent: usize| {
            let command = format!("say-{number}-{sent}");
            json!({"type": "say", "command": command, "game": game, "text": text}).to_string()
        };
        attacker.drive(&mut socket, Duration::from_millis(20), LINES, say).await?;
    }
    attacker.ready().await?;
    let watched = game.clone();
    let watch = attacker.forever(SPECTATORS, Duration::from_millis(50), move |attacker, task| {
        let (guest, game) = (guests.get(task % guests.len().max(1)).cloned(), watched.clone());
        async move {
            let Some(guest) = guest else { return Ok(()) };
            let mut socket = attacker.socket(&guest, &[]).await?;
            let again = |_| json!({"type": "watch", "game": game, "version": 0}).to_string();
            attacker.drive(&mut socket, Duration::from_millis(50), 400, again).await
        }
    });
    let read = attacker.forever(READERS, Duration::from_millis(20), move |attacker, task| {
        let game = games[task % games.len()].clone();
        async move {
            let request = attacker.http.request(Method::GET, &format!("/api/v1/games/{game}"), None);
            attacker.ask(request.header(header::ACCEPT_ENCODING, "identity")).await.map(drop)
        }
    });
    tokio::select! { ended = watch => ended, ended = read => ended }
}
