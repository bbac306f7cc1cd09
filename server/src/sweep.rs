//! What happens by time alone: the heartbeat that tells outages from quiet, and the deadlines of games that nobody
//! looks at.

use std::{error::Error, iter::successors, sync::Arc, time::Duration};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::{
    clock,
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
    stop: CancellationToken,
) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failing = None;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = stop.cancelled() => return,
        }
        let beaten = outages.beat(&*store, GAP_MS).await;
        report(&mut failing, &beaten);
        if beaten.is_err() {
            continue;
        }
        if let Err(error) = sweep(&*store, node, &games).await {
            warn!(error = &error as &dyn Error, "deadlines are not swept: {error}");
        }
    }
}

/// Logs what a heartbeat has found; of several that fail for the same reason, the first. `failing` is why the one before
/// failed, if it did.
fn report<E: Error + 'static>(failing: &mut Option<String>, beaten: &Result<Option<Outage>, E>) {
    match beaten {
        Ok(outage) => {
            if failing.take().is_some() {
                info!("heartbeat resumed");
            }
            if let Some(Outage { from_ms, to_ms }) = outage {
                info!(from_ms, to_ms, "the games were out of reach");
            }
        }
        Err(error) => {
            let causes = successors(Some(error as &dyn Error), |error: &&dyn Error| (*error).source());
            let why = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
            if failing.as_ref() != Some(&why) {
                error!("heartbeat failed: {why}");
            }
            *failing = Some(why);
        }
    }
}

/// Wakes the games whose time is over, if that is this node's task.
async fn sweep(store: &dyn Store, node: NodeId, games: &Games) -> Result<(), StoreError> {
    let now_ms = clock::now_ms();
    if store.may_sweep(node, now_ms, now_ms + SWEEPS_FOR_MS).await? {
        games.due(WOKEN).await?.into_iter().for_each(|game| games.wake(game));
    }
    Ok(())
}
