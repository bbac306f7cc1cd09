//! Towers from outside: starts the real server on a free port and a real database, and plays with scripted clients over
//! HTTP and WebSocket. It knows the server's protocol, and none of its code.
//!
//! Every wait has one time limit, [`PATIENCE`]; nothing sleeps. A wait that times out panics with the expected and the
//! received messages.

pub mod address;
pub mod admin;
pub mod authenticator;
pub mod database;
pub mod game;
pub mod mail;
pub mod nats;
pub mod pair;
pub mod player;
pub mod postgres;
pub mod push;
pub mod raw;
pub mod record;
pub mod server;
pub mod socket;
pub mod wire;

use std::{
    fmt::Display,
    future::Future,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Time limit of every wait. Far more than an idle machine needs, so that a busy one does not fail.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Awaits a future within [`PATIENCE`].
///
/// # Panics
/// If it takes longer.
pub async fn timeout<T>(what: impl Display, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(value) => value,
        Err(_) => panic!("{what}: not within {PATIENCE:?}"),
    }
}

/// Returns a unique command id.
pub fn new_command() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!("c-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Makes two tests of each `async fn name(database: Database)`: `sqlite::name` and `postgres::name`.
#[macro_export]
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name($crate::database::Database::sqlite()).await;
            })+
        }
        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name($crate::database::Database::postgres()).await;
            })+
        }
    };
}
