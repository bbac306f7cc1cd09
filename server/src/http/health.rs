//! Endpoints for supervisors and load balancers.

use axum::extract::State;
use protocol::ProblemCode;
use store::StoreError;

use super::Problem;
use crate::{state::App, tasks::Failure};

/// Liveness of the process. It says nothing about the database, which a restart would not bring back.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Readiness for traffic: the database answers and stores, and the server is not shutting down. A node without contact
/// to its peers is ready all the same, and says so.
pub(super) async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    if app.tasks.failure() == Some(Failure::NewerTables) {
        let detail = "newer tables: a newer server has changed the tables of the database";
        return Err(Problem::new(ProblemCode::Unavailable, detail));
    }
    if app.drain.is_cancelled() {
        return Err(Problem::going_down());
    }
    // The heartbeat has logged it; this endpoint may be polled every second.
    app.store.ping().await.map_err(|error| Problem::new(ProblemCode::Unavailable, reason(&error)))?;
    if !app.outages.are_known() {
        let detail = "the heartbeat does not reach the database";
        return Err(Problem::new(ProblemCode::Unavailable, detail));
    }
    Ok(match (app.bus.is_alone(), app.bus.is_connected()) {
        (true, _) => "ready, alone\n",
        (false, true) => "ready, connected to other nodes\n",
        (false, false) => "ready, disconnected from other nodes\n",
    })
}

/// Public reason why the store does not work: no path, and no text of the database.
const fn reason(error: &StoreError) -> &'static str {
    match error {
        StoreError::FileGone { .. } => "the database file is not at its place any more",
        StoreError::WritesFail => "the database does not store what is written",
        StoreError::Url
        | StoreError::Database { .. }
        | StoreError::Migration(_)
        | StoreError::TimedOut { .. }
        | StoreError::File { .. }
        | StoreError::FileInUse { .. }
        | StoreError::NoTables
        | StoreError::OldTables
        | StoreError::NewTables
        | StoreError::OtherTables { .. }
        | StoreError::ServersRun => "the database does not answer",
    }
}
