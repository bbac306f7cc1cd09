//! Whether the server tells addresses apart: else one that asks too much would be taken for all.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::ensure;
use system_tests::{database::Database, postgres::Postgres, server::Server};

use crate::client::Http;

/// New sessions that no address is ever given at once.
const MOST_SESSIONS: usize = 1_000;

/// Asks for sessions from one address until it is refused, and then from another one.
pub(super) async fn check(postgres: Option<&Postgres>) -> anyhow::Result<()> {
    let database = postgres.map_or_else(Database::sqlite, |postgres| Database::at(&postgres.database()));
    let server = Server::start_in_use(&database, &[]).await;
    let from = |last| Http::from(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), server.address());
    let (greedy, other) = (from(9)?, from(10)?);
    let mut sessions = 0;
    while greedy.enter().await.is_ok() {
        sessions += 1;
        ensure!(sessions < MOST_SESSIONS, "one address may make {MOST_SESSIONS} sessions: it has no bound");
    }
    ensure!(other.enter().await.is_ok(), "the server takes 127.0.0.9 and 127.0.0.10 for one address");
    drop(server.kill().await);
    Ok(())
}
