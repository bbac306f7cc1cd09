//! Towers from outside: starts the real server on a free port and a real database, and plays with scripted
//! clients over HTTP and WebSocket. Nothing here knows the server's code, only its protocol.
//!
//! Every wait has one deadline, [`PATIENCE`]; nothing sleeps. A wait that is not met panics and says what was
//! waited for and what came instead.

pub mod address;
pub mod admin;
pub mod database;
pub mod game;
pub mod nats;
pub mod player;
pub mod postgres;
pub mod raw;
pub mod record;
pub mod server;
pub mod socket;
pub mod table;

use std::{
    fmt::Display,
    future::Future,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// How long anything may take that a test waits for. Far more than an idle machine needs, so that a busy one
/// does not fail.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits for something that must come.
///
/// # Panics
/// If it has not come after [`PATIENCE`].
pub async fn timeout<T>(what: impl Display, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(value) => value,
        Err(_) => panic!("{what}: not within {PATIENCE:?}"),
    }
}

/// A command id that no other call returns.
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
