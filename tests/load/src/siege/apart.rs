//! A check that the server distinguishes source addresses; otherwise the attacker would exhaust everybody's limits.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::ensure;
use system_tests::{database::Database, postgres::Postgres, server::Server};

use crate::client::Http;

/// More new sessions than any address may create at once.
const MOST_SESSIONS: usize = 1_000;

/// Creates sessions from one address until it is refused, then one from another address.
pub(super) async fn check(postgres: Option<&Postgres>) -> anyhow::Result<()> {
    let database = postgres.map_or_else(Database::sqlite, |postgres| Database::at(&postgres.database()));
    let server = Server::start_in_use(&database, &[]).await;
    let from = |last| Http::from(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), server.address());
    let (greedy, other) = (from(9)?, from(10)?);
    let mut sessions = 0;
    while greedy.enter().await.is_ok() {
        sessions += 1;
        ensure!(sessions < MOST_SESSIONS, "one address may make {MOST_SESSIONS} sessions: there is no limit");
    }
    ensure!(other.enter().await.is_ok(), "the server does not distinguish 127.0.0.9 from 127.0.0.10");
    drop(server.kill().await);
    Ok(())
}
