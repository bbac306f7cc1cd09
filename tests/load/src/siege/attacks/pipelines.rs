//! Pipelined requests on a few connections.

use std::{convert::Infallible, time::Duration};

use rand::RngExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::super::attacker::Attacker;

const CONNECTIONS: usize = 8;

/// Number of requests in one write.
const REQUESTS: u64 = 64;

const PATHS: [&str; 6] = [
    "/",
    "/api/v1/games?list=finished",
    "/api/v1/rooms",
    "/nothing",
    "/healthz",
    "/api/v1/games/019a9f3e-7c1a-7d52-9d3c-2f1f6c1b7a10",
];

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    attacker.ready().await?;
    attacker
        .forever(CONNECTIONS, Duration::from_millis(20), |attacker, task| async move {
            let path = PATHS[attacker.chance(task).random_range(..PATHS.len())];
            let request = format!("GET {path} HTTP/1.1\r\nhost: towers\r\n\r\n");
            let piece = request.repeat(usize::try_from(REQUESTS)?);
            let (mut from, mut to) = attacker.http.tcp().await?.into_split();
            let tally = attacker.tally.clone();
            let reading = async move {
                let mut buffer = vec![0; 64 * 1024];
                loop {
                    let count = from.read(&mut buffer).await?;
                    anyhow::ensure!(count > 0, "connection closed");
                    let refused =
                        buffer[..count].windows(12).filter(|window| window == b"HTTP/1.1 429").count();
                    if refused > 0 {
                        tally.refuse("429".to_owned(), refused as u64);
                    }
                }
            };
            let writing = async {
                loop {
                    to.write_all(piece.as_bytes()).await?;
                    attacker.tally.send(REQUESTS);
                }
            };
            tokio::select! { ended = reading => ended, ended = writing => ended }
        })
        .await
}
