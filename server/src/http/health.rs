//! What a supervisor and a load balancer ask.

use axum::extract::State;

use super::Problem;
use crate::app::App;

/// Whether the process is alive. It says nothing of the database: to start anew would not bring that back.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Whether players should be sent here: the database answers, and the server does not go down. A node that does not
/// hear the others serves all the same, and says so.
pub(super) async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    if app.drain.is_cancelled() {
        return Err(Problem::going_down());
    }
    app.store.ping().await?;
    Ok(match (app.bus.is_alone(), app.bus.hears()) {
        (true, _) => "ready, alone\n",
        (false, true) => "ready, other nodes are heard\n",
        (false, false) => "ready, other nodes are not heard\n",
    })
}
