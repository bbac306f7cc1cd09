//! W3: many spectators of a game in which nothing happens.

use std::sync::Arc;

use serde_json::Value;

use super::{Measured, Tally, play::Pair};
use crate::{
    connected::{Connected, many_connected},
    host::Host,
    wire::Frame,
};

pub(super) async fn measure(host: &Host, spectators: usize) -> anyhow::Result<Measured> {
    let began = host.mark()?;
    let mut pair = Pair::open(host.http.clone()).await?;
    let game: Arc<str> = pair.game().into();
    let http = host.http.clone();
    let follow = |_| {
        let (http, game) = (http.clone(), game.clone());
        async move {
            let mut socket = http.connect(&http.enter().await?).await?;
            socket.follow(&game).await?;
            Ok(socket)
        }
    };
    let _sockets = tokio::select! {
        sockets = many_connected(spectators - 1, follow) => sockets?,
        over = pair.rest() => return Err(over),
    };
    // The presence message to the last spectator shows when the server has counted all of them.
    let mut last = follow(spectators).await?;
    last.until(|frame| matches!(frame, Frame::Presence(text) if are_here(text, spectators))).await?;
    let ended = host.mark()?;
    Ok(Measured { began, ended, tally: Tally::default(), connections: spectators + 2, cut: 0 })
}

fn are_here(presence: &str, spectators: usize) -> bool {
    serde_json::from_str::<Value>(presence).is_ok_and(|presence| presence["watchers"] == spectators)
}
