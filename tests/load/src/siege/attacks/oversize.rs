//! Bodies, frames, headers and paths over the limits.

use std::{convert::Infallible, time::Duration};

use rand::RngExt;
use reqwest::{Method, header};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::super::attacker::Attacker;
use crate::client::Guest;

/// Number of clients of each kind.
const CLIENTS: usize = 12;

/// Interval between two requests or messages of a client.
const EVERY: Duration = Duration::from_millis(50);

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(CLIENTS).await;
    attacker.ready().await?;
    let frames = {
        let guests = guests.clone();
        attacker.forever(CLIENTS, EVERY, move |attacker, task| {
            let guest = guests.get(task % guests.len().max(1)).cloned();
            async move {
                let Some(guest) = guest else { return Ok(()) };
                send_frames(&attacker, &guest, task).await
            }
        })
    };
    let bodies = attacker.forever(CLIENTS, EVERY, move |attacker, task| {
        let guest = guests.get(task % guests.len().max(1)).cloned();
        async move {
            let length =
                attacker.chance(usize::try_from(attacker.tally.sent())?).random_range(20_000..4_000_000);
            let (method, path) = [
                (Method::POST, "/api/v1/rooms"),
                (Method::POST, "/api/v1/records/check"),
                (Method::PATCH, "/api/v1/session"),
            ][task % 3]
                .clone();
            let request = attacker.http.request(method, path, guest.as_ref());
            attacker
                .ask(request.header(header::CONTENT_TYPE, "application/json").body("[".repeat(length)))
                .await
                .map(drop)
        }
    });
    let heads = attacker.forever(CLIENTS, EVERY, |attacker, task| async move {
        let mut tcp = attacker.http.tcp().await?;
        let long =
            "a".repeat(attacker.chance(usize::try_from(attacker.tally.sent())?).random_range(8_000..200_000));
        let head = match task % 3 {
            0 => format!("GET /{long} HTTP/1.1\r\nhost: towers\r\n\r\n"),
            1 => format!("GET / HTTP/1.1\r\nhost: towers\r\nx-long: {long}\r\n\r\n"),
            _ => format!("GET / HTTP/1.1\r\nhost: towers\r\n{}\r\n", "x-a: b\r\n".repeat(long.len() / 8)),
        };
        attacker.tally.send(1);
        tcp.write_all(head.as_bytes()).await?;
        let mut answer = [0; 1_024];
        let count = tcp.read(&mut answer).await?;
        let status = String::from_utf8_lossy(&answer[..count]).chars().skip(9).take(3).collect::<String>();
        attacker.tally.refuse(status, 1);
        Ok(())
    });
    tokio::select! { ended = frames => ended, ended = bodies => ended, ended = heads => ended }
}

/// Sends messages around and over the limit, deeply nested or of an unknown type.
async fn send_frames(attacker: &Attacker, guest: &Guest, task: usize) -> anyhow::Result<()> {
    let mut socket = attacker.socket(guest, &[]).await?;
    let mut chance = attacker.chance(usize::try_from(attacker.tally.sent())? + task);
    let length = match task % 3 {
        0 => chance.random_range(10_000..16_384),
        1 => chance.random_range(16_385..65_536),
        _ => chance.random_range(65_537..2_000_000),
    };
    let message = if task.is_multiple_of(2) {
        "[".repeat(length)
    } else {
        format!("{{\"type\":\"{}\"}}", "x".repeat(length))
    };
    attacker.drive(&mut socket, EVERY, 40, |_| message.clone()).await
}
