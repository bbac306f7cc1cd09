//! Subscriptions to the lobby and to games, made and cancelled in turn, and repeated hellos.

use std::{convert::Infallible, time::Duration};

use serde_json::json;

use super::super::attacker::Attacker;
use crate::messages::hello;

/// Several sockets share a guest, since the server admits fewer guests.
const SOCKETS: usize = 128;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(SOCKETS).await;
    attacker.ready().await?;
    attacker
        .forever(SOCKETS, Duration::from_millis(50), move |attacker, task| {
            let guest = guests.get(task % guests.len().max(1)).cloned();
            async move {
                let Some(guest) = guest else { return Ok(()) };
                let mut socket = attacker.socket(&guest, &[]).await?;
                let games = &attacker.fixture.finished;
                let game = |number: usize| games[number % games.len()].as_str();
                let message = |sent: usize| match (task % 4, sent % 2) {
                    (0, 0) => json!({"type": "watch_lobby"}).to_string(),
                    (0, _) => json!({"type": "unwatch_lobby"}).to_string(),
                    (1, 0) => json!({"type": "watch", "game": game(task), "version": 0}).to_string(),
                    (1, _) => json!({"type": "unwatch", "game": game(task)}).to_string(),
                    (2, 0) => json!({"type": "watch", "game": game(task + sent), "version": 0}).to_string(),
                    (2, _) => json!({"type": "unwatch", "game": game(task + sent - 1)}).to_string(),
                    (_, 0) => hello(&[(game(task), 0), (game(task + 1), 0)], true),
                    (_, _) => hello(&[], false),
                };
                attacker.drive(&mut socket, Duration::from_millis(45), 400, message).await
            }
        })
        .await
}
