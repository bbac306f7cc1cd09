//! W3: many who watch a game in which nothing happens.

use std::sync::Arc;

use serde_json::Value;

use super::{Measured, Tally, play::Table};
use crate::{client::many, host::Host, wire::Heard};

pub(super) async fn measure(host: &Host, watchers: usize) -> anyhow::Result<Measured> {
    let began = host.mark()?;
    let table = Table::open(host.http.clone()).await?;
    let game: Arc<str> = table.game().into();
    let http = host.http.clone();
    let follow = move |_| {
        let (http, game) = (http.clone(), game.clone());
        async move {
            let mut socket = http.connect(&http.enter().await?).await?;
            socket.follow(&game).await?;
            Ok(socket)
        }
    };
    let mut sockets = many(watchers, follow).await?;
    // The last one hears when the server knows of all.
    if let Some(last) = sockets.last_mut() {
        last.until(|heard| matches!(heard, Heard::Presence(text) if are_here(text, watchers))).await?;
    }
    let ended = host.mark()?;
    Ok(Measured { began, ended, tally: Tally::default(), connections: watchers + 2, cut: 0 })
}

fn are_here(presence: &str, watchers: usize) -> bool {
    serde_json::from_str::<Value>(presence).is_ok_and(|presence| presence["watchers"] == watchers)
}
