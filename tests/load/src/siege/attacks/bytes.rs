//! As many bytes as one address can have sent: the chat of a long game, followed again and again, and long documents and
//! programs that are not compressed.

use std::{convert::Infallible, time::Duration};

use anyhow::Context;
use reqwest::{Method, header};
use serde_json::json;

use super::super::attacker::Attacker;
use crate::{messages::watch, script::version_before};

/// Number of sockets that follow the game.
const SPECTATORS: usize = 24;

/// Number of clients that read documents, and of those that read programs.
const READERS: usize = 8;

/// Number of lines of each spectator: as many as one may say at once.
const LINES: usize = 4;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(SPECTATORS).await;
    let game = attacker.fixture.live[0].clone();
    let text = "\u{1f600}".repeat(300);
    for (number, guest) in guests.iter().enumerate() {
        let mut socket = attacker.socket(guest, &[(&game, 0)]).await?;
        let say = |sent: usize| {
            let command = format!("say-{number}-{sent}");
            json!({"type": "say", "command": command, "game": game, "text": text}).to_string()
        };
        attacker.drive(&mut socket, Duration::from_millis(20), LINES, say).await?;
    }
    let program = largest_program(&attacker).await?;
    attacker.ready().await?;
    let watching = attacker.forever(SPECTATORS, Duration::from_millis(50), move |attacker, task| {
        let (guest, game) = (guests.get(task % guests.len().max(1)).cloned(), game.clone());
        async move {
            let Some(guest) = guest else { return Ok(()) };
            let mut socket = attacker.socket(&guest, &[]).await?;
            // Without events, which have a budget of their own.
            let version = version_before(attacker.fixture.turns);
            let again = |sent| match sent % 2 {
                0 => watch(&game, version),
                _ => json!({"type": "unwatch", "game": game}).to_string(),
            };
            attacker.drive(&mut socket, Duration::from_millis(50), 400, again).await
        }
    });
    let documents = attacker.forever(READERS, Duration::from_millis(20), move |attacker, task| {
        let games = &attacker.fixture.finished;
        let path = format!("/api/v1/games/{}", games[task % games.len()]);
        async move { read(&attacker, &path).await.map(drop) }
    });
    let programs = attacker.forever(READERS, Duration::from_millis(20), move |attacker, _| {
        let path = program.clone();
        async move { read(&attacker, &path).await.map(drop) }
    });
    tokio::select! { ended = watching => ended, ended = documents => ended, ended = programs => ended }
}

/// Reads a page without compression.
async fn read(attacker: &Attacker, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
    let request = attacker.http.request(Method::GET, path, None);
    attacker.ask(request.header(header::ACCEPT_ENCODING, "identity")).await
}

/// The path of the search for the browser.
async fn largest_program(attacker: &Attacker) -> anyhow::Result<String> {
    let page = String::from_utf8(read(attacker, "/analysis").await?.unwrap_or_default())?;
    let (_, rest) = page.split_once(r#"data-search=""#).context("the page of analysis names its search")?;
    let (path, _) = rest.split_once('"').context("an attribute ends")?;
    Ok(path.to_owned())
}
