//! Events caused by time alone: the heartbeat, which detects outages, and the deadlines of games without a task. This
//! task does nothing else, since a late heartbeat counts as an outage.

use std::{error::Error, iter::successors, sync::Arc, time::Duration};

use game::ids::NodeId;
use store::{Outage, Store, Writer};
use tokio::{sync::watch, time::MissedTickBehavior};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::{
    cluster::outages::{BeatError, GAP_MS, Outages},
    env::Env,
    live::Games,
};

/// Interval of heartbeats and sweeps.
const EVERY: Duration = Duration::from_secs(1);

/// Time without a heartbeat that counts as an outage at startup, in milliseconds: the server was not running.
pub(crate) const GAP_AT_START_MS: i64 = 1_500;

/// Duration of a lease to sweep, in milliseconds. If the node is gone, another one takes over after that.
const SWEEPS_FOR_MS: i64 = 3_000;

/// Maximum number of games woken at once; the others follow with the next heartbeat.
const WOKEN: u32 = 500;

/// The heartbeat task and its dependencies.
#[derive(Debug)]
pub(crate) struct Sweep {
    pub(crate) env: Env,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) node: NodeId,
    pub(crate) games: Games,
    pub(crate) outages: Outages,
    /// Whether this node holds the lease to sweep, according to its last heartbeat.
    pub(crate) sweeps: watch::Sender<bool>,
}

impl Sweep {
    /// Sends heartbeats and sweeps until `stop`.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut failing = None;
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = stop.cancelled() => return,
            }
            let beaten = self.outages.beat(&*self.store, &self.writer, GAP_MS).await;
            report(&mut failing, &beaten);
            if beaten.is_err() {
                continue;
            }
            if let Err(error) = self.sweep().await {
                warn!(error = &*error, "sweep failed: {error}");
            }
        }
    }

    /// Wakes the games whose deadline has passed, if this node sweeps.
    async fn sweep(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let now_ms = self.env.now_ms();
        let sweeps = self.writer.may_sweep(self.node, now_ms, now_ms + SWEEPS_FOR_MS).await?;
        self.sweeps.send_replace(sweeps);
        if sweeps {
            self.games.due(WOKEN).await?.into_iter().for_each(|game| self.games.wake(game));
        }
        Ok(())
    }
}

/// Logs the result of a heartbeat; of consecutive failures with the same causes only the first. `failing` has the
/// causes of the previous failure, if the previous heartbeat failed.
fn report(failing: &mut Option<String>, beaten: &Result<Option<Outage>, BeatError>) {
    match beaten {
        Ok(outage) => {
            if failing.take().is_some() {
                info!("heartbeat resumed");
            }
            if let Some(Outage { from_ms, to_ms }) = outage {
                info!(from_ms, to_ms, "outage recorded");
            }
        }
        Err(error) => {
            let causes = successors(Some(error as &dyn Error), |&cause| cause.source());
            let why = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
            if failing.as_ref() != Some(&why) {
                error!("heartbeat failed: {why}");
            }
            *failing = Some(why);
        }
    }
}
