//! Finished long games: watched by many sockets, read over HTTP in all forms, and requested by clients that never read.

use std::{convert::Infallible, time::Duration};

use futures_util::future::FutureExt;
use rand::RngExt;
use reqwest::{Method, header};
use serde_json::json;
use tokio::{io::AsyncWriteExt, time::sleep};

use super::super::attacker::Attacker;

/// Number of sockets that watch as many games as one may.
const SPECTATORS: usize = 24;

/// Number of games that one socket may follow.
const GAMES_EACH: usize = 64;

/// Number of clients that read games over HTTP.
const READERS: usize = 32;

/// Number of clients that never read.
const SLUGGARDS: usize = 256;

/// Time for which such a client keeps its connection.
const SLUGGARD_STAYS: Duration = Duration::from_secs(5);

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(SPECTATORS).await;
    attacker.ready().await?;
    let watch = {
        let guests = guests.clone();
        attacker.forever(SPECTATORS, Duration::from_millis(50), move |attacker, task| {
            let guest = guests.get(task % guests.len().max(1)).cloned();
            async move {
                let Some(guest) = guest else { return Ok(()) };
                let mut socket = attacker.socket(&guest, &[]).await?;
                let games = attacker.fixture.finished.clone();
                let watch = |sent: usize| {
                    let game = &games[(task * GAMES_EACH + sent) % games.len()];
                    json!({"type": "watch", "game": game, "version": 0}).to_string()
                };
                let each = Duration::from_millis(50);
                attacker.drive(&mut socket, each, GAMES_EACH, watch).await?;
                // Keeps all of them watched for a while.
                attacker
                    .drive(&mut socket, Duration::from_secs(1), 5, |_| r#"{"type":"ping"}"#.to_owned())
                    .await
            }
        })
    };
    let read = attacker.forever(READERS, Duration::from_millis(100), read);
    tokio::select! { ended = watch => ended, ended = read => ended }
}

/// Reads a random game in a random form and compression.
async fn read(attacker: Attacker, task: usize) -> anyhow::Result<()> {
    let mut chance = attacker.chance(usize::try_from(attacker.tally.sent())? + task);
    let games = &attacker.fixture.finished;
    let game = &games[chance.random_range(..games.len())];
    let form = ["", "", "/record.txt", "/record.json"][chance.random_range(0..4)];
    let encoding = ["br", "gzip", "identity", "br, gzip, deflate, zstd"][chance.random_range(0..4)];
    let request = attacker.http.request(Method::GET, &format!("/api/v1/games/{game}{form}"), None);
    attacker.ask(request.header(header::ACCEPT_ENCODING, encoding)).await.map(drop)
}

pub(super) async fn never_read(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(SLUGGARDS / 2).await;
    attacker.ready().await?;
    attacker
        .forever(SLUGGARDS, Duration::from_millis(100), move |attacker, task| {
            let guest = guests.get(task / 2 % guests.len().max(1)).cloned();
            async move {
                let games = &attacker.fixture.finished;
                match guest {
                    Some(guest) if task % 2 == 0 => {
                        let known: Vec<_> = (0..8)
                            .map(|index| (games[(8 * task + index) % games.len()].as_str(), 0))
                            .collect();
                        let mut socket = attacker.socket(&guest, &known).await?;
                        for turn in 8..GAMES_EACH {
                            let game = &games[(task + turn) % games.len()];
                            let watch = json!({"type": "watch", "game": game, "version": 0}).to_string();
                            // Does not wait for a server that stopped reading.
                            let _ = socket.say(watch).now_or_never();
                            attacker.tally.send(1);
                        }
                        sleep(SLUGGARD_STAYS).await;
                    }
                    _ => {
                        let mut tcp = attacker.http.tcp().await?;
                        for turn in 0..16 {
                            let game = &games[(task + turn) % games.len()];
                            let request =
                                format!("GET /api/v1/games/{game} HTTP/1.1\r\nhost: towers\r\n\r\n");
                            tcp.write_all(request.as_bytes()).await?;
                            attacker.tally.send(1);
                        }
                        sleep(SLUGGARD_STAYS).await;
                    }
                }
                Ok(())
            }
        })
        .await
}
