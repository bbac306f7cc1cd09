//! Rooms taken from others: guests of one address join each room that appears in the lobby, and leave it at once.

use std::{convert::Infallible, time::Duration};

use serde_json::Value;

use super::super::attacker::Attacker;
use crate::{
    client::Guest,
    messages::{abort, hello},
};

/// Number of guests that wait for rooms.
const TAKERS: usize = 12;

/// Pause before a guest whose connection has ended waits again.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(TAKERS).await;
    anyhow::ensure!(!guests.is_empty(), "no guest is let in");
    attacker.ready().await?;
    let takers = guests.len();
    attacker
        .forever(TAKERS, AGAIN_AFTER, move |attacker, task| {
            let guest = guests[task % takers].clone();
            async move { take(&attacker, &guest).await }
        })
        .await
}

/// Joins every room that the lobby shows, and aborts its game.
async fn take(attacker: &Attacker, guest: &Guest) -> anyhow::Result<()> {
    let mut socket = attacker.http.connect(guest).await?;
    socket.say(hello(&[], true)).await?;
    for number in 0_u64.. {
        let text = socket.next().await?;
        attacker.count(&text);
        for room in open_rooms(&text) {
            if attacker.join(guest, &room).await? {
                attacker.tally.send(1);
                socket.say(abort(format!("a-{number}-{room}"), &room)).await?;
            }
        }
    }
    Ok(())
}

/// Returns the ids of the open rooms in a message of the lobby.
pub(super) fn open_rooms(text: &str) -> Vec<String> {
    let message: Value = serde_json::from_str(text).unwrap_or_default();
    let lists = ["rooms", "games"].into_iter().filter_map(|list| message[list].as_array());
    let rooms = lists.flatten().filter(|room| room["status"] == "open");
    rooms.filter_map(|room| room["id"].as_str().map(str::to_owned)).collect()
}
