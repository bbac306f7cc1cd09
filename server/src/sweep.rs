//! What happens by time alone: the heartbeat that tells outages from quiet, and the deadlines of games that nobody
//! looks at. Nothing else is done by this task: a beat that comes late is an outage to everybody.

use std::{error::Error, iter::successors, sync::Arc, time::Duration};

use tokio::{sync::watch, time::MissedTickBehavior};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::{
    clock,
    ids::NodeId,
    live::Games,
    outages::{BeatError, GAP_MS, Outages},
    store::{Outage, Store, Writer},
};

/// How often the heart beats, and deadlines are looked through.
const EVERY: Duration = Duration::from_secs(1);

/// Milliseconds without a beat that are an outage, when the server starts: it was not running.
pub(crate) const GAP_AT_START_MS: i64 = 1_500;

/// Milliseconds for which a node sweeps without asking again. If it is gone, another one does after that.
const SWEEPS_FOR_MS: i64 = 3_000;

/// Games woken at once; the others follow with the next beat.
const WOKEN: u32 = 500;

/// The task of the heartbeat, and what it reaches.
#[derive(Debug)]
pub(crate) struct Sweep {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) node: NodeId,
    pub(crate) games: Games,
    pub(crate) outages: Outages,
    /// Whether this node sweeps, as it has found with its last beat.
    pub(crate) sweeps: watch::Sender<bool>,
}

impl Sweep {
    /// Beats and sweeps until `stop`.
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

    /// Wakes the games whose time is over, if that is this node's task.
    async fn sweep(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let now_ms = clock::now_ms();
        let sweeps = self.writer.may_sweep(self.node, now_ms, now_ms + SWEEPS_FOR_MS).await?;
        self.sweeps.send_replace(sweeps);
        if sweeps {
            self.games.due(WOKEN).await?.into_iter().for_each(|game| self.games.wake(game));
        }
        Ok(())
    }
}

/// Logs the result of a heartbeat; of consecutive failures with the same causes only the first. `failing` has the causes of
/// the previous failure, if the previous heartbeat failed.
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
