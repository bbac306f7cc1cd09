//! Names and lines that are small on the wire and long when they are normalised.

use std::{convert::Infallible, time::Duration};

use reqwest::Method;
use serde_json::json;

use super::super::attacker::Attacker;

/// A character of three bytes that decomposes into eighteen.
const COMPOSED: &str = "\u{fdfa}";

/// Number of them that fit into a body and into a frame.
const CHARACTERS: usize = 5_400;

/// Number of guests whose names change.
const GUESTS: usize = 16;

/// Number of tasks that change names: together 100 requests a second.
const NAMING: usize = 50;

/// Number of sockets that send lines.
const TALKERS: usize = 32;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(GUESTS).await;
    attacker.ready().await?;
    let text = COMPOSED.repeat(CHARACTERS);
    let (talking, line) = (guests.clone(), text.clone());
    let names = attacker.forever(NAMING, Duration::from_millis(500), move |attacker, task| {
        let (guest, name) = (guests.get(task % guests.len().max(1)).cloned(), text.clone());
        async move {
            let request = attacker.http.request(Method::PATCH, "/api/v1/session", guest.as_ref());
            attacker.ask(request.json(&json!({"name": name}))).await.map(drop)
        }
    });
    let lines = attacker.forever(TALKERS, Duration::from_millis(100), move |attacker, task| {
        let (guest, text) = (talking.get(task % talking.len().max(1)).cloned(), line.clone());
        async move {
            let Some(guest) = guest else { return Ok(()) };
            let mut socket = attacker.socket(&guest, &[]).await?;
            let game = "019a9f3e-7c1a-7d52-9d3c-2f1f6c1b7a10";
            attacker
                .drive(&mut socket, Duration::from_millis(45), 400, |sent| {
                    json!({"type": "say", "command": format!("s{sent}"), "game": game, "text": text})
                        .to_string()
                })
                .await
        }
    });
    tokio::select! { ended = names => ended, ended = lines => ended }
}
