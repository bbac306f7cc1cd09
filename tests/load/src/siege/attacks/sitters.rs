//! Rooms taken from others by players without a socket: one guest follows the lobby, others join each room over HTTP, and
//! do nothing in its game.

use std::{convert::Infallible, time::Duration};

use super::{super::attacker::Attacker, rooms::open_rooms};
use crate::{client::Guest, messages::hello};

/// Time for which a player who does not come may hold a room (`docs/operation.md`).
pub(in crate::siege) const HELD: Duration = Duration::from_secs(30);

/// Number of guests that sit down, one after the other.
const SITTERS: usize = 24;

/// Pause before the guest who follows the lobby connects again.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let scout = attacker.http.enter().await?;
    let sitters = attacker.guests(SITTERS).await;
    anyhow::ensure!(!sitters.is_empty(), "no guest is let in");
    attacker.ready().await?;
    attacker
        .forever(1, AGAIN_AFTER, move |attacker, _| {
            let (scout, sitters) = (scout.clone(), sitters.clone());
            async move { take(&attacker, &scout, &sitters).await }
        })
        .await
}

/// Joins every room that the lobby shows, each with the next guest.
async fn take(attacker: &Attacker, scout: &Guest, sitters: &[Guest]) -> anyhow::Result<()> {
    let mut socket = attacker.http.connect(scout).await?;
    socket.say(hello(&[], true)).await?;
    let mut next = sitters.iter().cycle();
    loop {
        let text = socket.next().await?;
        attacker.count(&text);
        for room in open_rooms(&text) {
            if let Some(sitter) = next.next() {
                attacker.join(sitter, &room).await?;
            }
        }
    }
}
