//! What happens by time alone: the heartbeat that tells outages from quiet, and the deadlines of games that nobody
//! looks at.

use std::{sync::Arc, time::Duration};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::{clock, live::Games, outages::Outages, store::Store};

/// How often the heart beats, and deadlines are looked through.
const EVERY: Duration = Duration::from_secs(1);

/// Milliseconds without a beat that are an outage, when the server starts: it was not running.
pub(crate) const GAP_AT_START_MS: i64 = 1_500;

/// Milliseconds without a beat that are an outage in a running server, whose database may be slow for a moment.
const GAP_MS: i64 = 5_000;

/// Games woken at once; the others follow with the next beat.
const WOKEN: u32 = 500;

/// Beats and sweeps until `stop`.
pub(crate) async fn run(store: Arc<dyn Store>, games: Games, outages: Outages, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = stop.cancelled() => return,
        }
        match store.beat(clock::now_ms(), GAP_MS).await {
            Ok(None) => {}
            Ok(Some(outage)) => {
                info!(from_ms = outage.from_ms, to_ms = outage.to_ms, "the games were out of reach");
                outages.note(outage);
            }
            Err(error) => {
                warn!(error = &error as &dyn std::error::Error, "the heart does not beat: {error}");
                continue;
            }
        }
        match games.due(WOKEN).await {
            Ok(due) => due.into_iter().for_each(|game| games.wake(game)),
            Err(error) => warn!(error = &error as &dyn std::error::Error, "deadlines are not swept: {error}"),
        }
    }
}
