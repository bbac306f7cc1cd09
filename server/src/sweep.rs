//! What happens by time alone: the heartbeat that tells outages from quiet, and the deadlines of games that nobody
//! looks at; and with them the [`Housekeeping`].

use std::{sync::Arc, time::Duration};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::{
    clock,
    housekeeping::{Housekeeping, Visits},
    ids::NodeId,
    live::Games,
    outages::{GAP_MS, Outages},
    store::{Outage, Store, StoreError},
};

/// How often the heart beats, and deadlines are looked through.
const EVERY: Duration = Duration::from_secs(1);

/// Milliseconds without a beat that are an outage, when the server starts: it was not running.
pub(crate) const GAP_AT_START_MS: i64 = 1_500;

/// Milliseconds for which a node sweeps without asking again. If it is gone, another one does after that.
const SWEEPS_FOR_MS: i64 = 3_000;

/// Games woken at once; the others follow with the next beat.
const WOKEN: u32 = 500;

/// Beats and sweeps until `stop`.
pub(crate) async fn run(
    store: Arc<dyn Store>,
    node: NodeId,
    games: Games,
    outages: Outages,
    visits: Visits,
    stop: CancellationToken,
) {
    let mut housekeeping = Housekeeping::new(visits);
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = stop.cancelled() => return,
        }
        match outages.beat(&*store, GAP_MS).await {
            Ok(None) => {}
            Ok(Some(Outage { from_ms, to_ms })) => info!(from_ms, to_ms, "the games were out of reach"),
            Err(error) => {
                warn!(error = &error as &dyn std::error::Error, "the heart does not beat: {error}");
                continue;
            }
        }
        let swept = match sweep(&*store, node, &games).await {
            Ok(sweeps) => housekeeping.beat(&*store, sweeps, clock::now_ms()).await,
            Err(error) => Err(error),
        };
        if let Err(error) = swept {
            warn!(error = &error as &dyn std::error::Error, "sweep failed: {error}");
        }
    }
}

/// Wakes the games whose time is over, if that is this node's task. Tells whether it is.
async fn sweep(store: &dyn Store, node: NodeId, games: &Games) -> Result<bool, StoreError> {
    let now_ms = clock::now_ms();
    let sweeps = store.may_sweep(node, now_ms, now_ms + SWEEPS_FOR_MS).await?;
    if sweeps {
        games.due(WOKEN).await?.into_iter().for_each(|game| games.wake(game));
    }
    Ok(sweeps)
}
