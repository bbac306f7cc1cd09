//! Guests of one address wait in the pools in which newcomers seek.

use std::{convert::Infallible, time::Duration};

use serde_json::json;

use super::super::{attacker::Attacker, honest::RULESETS, newcomer::shared_clock};

/// Number of sockets, of as many guests as are admitted.
const SOCKETS: usize = 200;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(SOCKETS).await;
    attacker.ready().await?;
    attacker
        .forever(SOCKETS, Duration::from_millis(50), move |attacker, task| {
            let guest = guests.get(task % guests.len().max(1)).cloned();
            async move {
                let Some(guest) = guest else { return Ok(()) };
                let mut socket = attacker.socket(&guest, &[]).await?;
                // Paired guests seek again; the games are abandoned.
                attacker
                    .drive(&mut socket, Duration::from_millis(500), 60, |sent| {
                        let ruleset = RULESETS[(task + sent) % RULESETS.len()].id();
                        let pool = json!({"ruleset": ruleset, "clock": shared_clock()});
                        json!({"type": "seek", "pool": pool}).to_string()
                    })
                    .await
            }
        })
        .await
}
