//! What a supervisor and a load balancer ask.

use axum::extract::State;

use super::Problem;
use crate::{app::App, store::StoreError};

/// Whether the process is alive. It says nothing of the database: to start anew would not bring that back.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Whether players should be sent here: the database answers and stores, and the server does not go down. A node that
/// does not hear the others serves all the same, and says so.
pub(super) async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    if app.drain.is_cancelled() {
        return Err(Problem::going_down());
    }
    // The heartbeat has logged it, which this may be asked for every second.
    app.store.ping().await.map_err(|error| Problem::unavailable_because(reason(&error)))?;
    if !app.outages.are_known() {
        return Err(Problem::unavailable_because("the heartbeat does not reach the database"));
    }
    Ok(match (app.bus.is_alone(), app.bus.is_connected()) {
        (true, _) => "ready, alone\n",
        (false, true) => "ready, other nodes are heard\n",
        (false, false) => "ready, other nodes are not heard\n",
    })
}

/// What anybody may know of why the store does not work: no path, and no word of the database's own.
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
        | StoreError::NewTables => "the database does not answer",
    }
}
