//! An honest client that follows the lobby throughout and keeps a room open.

use std::{
    collections::HashSet,
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use serde_json::Value;
use tokio::{sync::Notify, time::sleep};

use super::{
    honest::{cause, open_room},
    measurements::Measurements,
};
use crate::client::{Guest, Http, Socket};

/// Pause before a refused reader reconnects.
const REST: Duration = Duration::from_millis(500);

/// The rows that the lobby reader has received.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Pairs of game id and status.
    rows: Mutex<HashSet<(String, String)>>,
    more: Notify,
}

impl Seen {
    /// Waits for a row of a game with one of these statuses.
    pub(super) async fn has(&self, game: &str, statuses: &[&str]) {
        let rows = statuses.iter().map(|&status| (game.to_owned(), status.to_owned()));
        let wanted: Vec<_> = rows.collect();
        loop {
            let more = self.more.notified();
            tokio::pin!(more);
            // Registers for notifications before the check, so that none is missed.
            more.as_mut().enable();
            let is_seen = {
                let rows = self.rows.lock();
                wanted.iter().any(|row| rows.contains(row))
            };
            if is_seen {
                return;
            }
            more.await;
        }
    }

    /// Collects all rows of a message, wherever they are in it.
    fn read(&self, message: &Value) {
        let mut rows = Vec::new();
        collect_rows(message, &mut rows);
        if !rows.is_empty() {
            self.rows.lock().extend(rows);
            self.more.notify_waiters();
        }
    }
}

fn collect_rows(value: &Value, rows: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            if let (Some(Value::String(id)), Some(Value::String(status))) =
                (fields.get("id"), fields.get("status"))
            {
                rows.push((id.clone(), status.clone()));
            }
            fields.values().for_each(|value| collect_rows(value, rows));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_rows(value, rows)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The lobby reader.
#[derive(Debug)]
pub(super) struct LobbyReader {
    http: Http,
    guest: Guest,
    socket: Socket,
    /// Id of its open room.
    pub(super) room: String,
}

impl LobbyReader {
    pub(super) async fn enter(server: SocketAddr) -> anyhow::Result<Self> {
        let http = Http::from(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 3)), server)?;
        let guest = http.enter().await?;
        let mut socket = http.connect(&guest).await?;
        socket.read_lobby().await?;
        let room = open_room(&http, &guest, "focus").await?;
        Ok(Self { http, guest, socket, room })
    }

    /// Reads until it is aborted.
    pub(super) async fn read(mut self, seen: Arc<Seen>, measurements: Arc<Measurements>) -> Infallible {
        loop {
            match self.socket.next().await {
                Ok(text) if text.starts_with(r#"{"type":"lobby"#) => {
                    seen.read(&serde_json::from_str(&text).unwrap_or_default());
                }
                Ok(_) => {}
                Err(error) => {
                    measurements.fault(format!("reader of the lobby: {}", cause(&error)));
                    while let Err(error) = self.come_back().await {
                        measurements.fault(format!("reader of the lobby coming back: {}", cause(&error)));
                        sleep(REST).await;
                    }
                }
            }
        }
    }

    async fn come_back(&mut self) -> anyhow::Result<()> {
        self.socket = self.http.connect(&self.guest).await?;
        self.socket.read_lobby().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_row_is_seen_wherever_it_stands_in_a_message() {
        let seen = Seen::default();
        seen.read(&serde_json::json!({"type": "lobby", "rooms": [{"id": "a", "status": "open"}]}));
        seen.read(&serde_json::json!({"type": "lobby_changed", "game": {"id": "a", "status": "playing"}}));
        seen.has("a", &["open"]).await;
        seen.has("a", &["over", "playing"]).await;
        let other = tokio::time::timeout(Duration::from_millis(1), seen.has("b", &["open", "playing"]));
        assert!(other.await.is_err());
    }
}
