//! Events caused by time alone: the heartbeat, which detects outages, and the deadlines of games without a task. This
//! task does nothing else, since a late heartbeat counts as an outage.

use std::{error::Error, iter::successors, sync::Arc, time::Duration};

use game::ids::NodeId;
use store::{Outage, Store, StoreError, Writer};
use tokio::time::{MissedTickBehavior, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::{
    cluster::{
        lease::Lease,
        outages::{BeatError, GAP_MS, Outages},
    },
    env::Env,
    live::Games,
    tasks::{Failure, Tasks},
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
    pub(crate) lease: Lease,
    pub(crate) tasks: Tasks,
}

impl Sweep {
    /// Sends heartbeats and sweeps until `stop`. Takes the server down if the tables are those of a newer one.
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
            // The next heartbeat must not wait for a database that is slow to read.
            if let Ok(Err(StoreError::NewTables)) = timeout(EVERY, self.store.verify_tables()).await {
                self.tasks.fail(Failure::NewerTables);
                return stop.cancelled().await;
            }
            if let Err(error) = self.sweep().await {
                warn!(error = &*error, "sweep failed: {error}");
            }
        }
    }

    /// Wakes the games whose deadline has passed, if this node sweeps.
    async fn sweep(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let now_ms = self.env.now_ms();
        let until_ms = now_ms + SWEEPS_FOR_MS;
        if self.writer.may_sweep(self.node, now_ms, until_ms).await? {
            self.lease.hold_until(until_ms);
        } else {
            self.lease.end();
        }
        if !self.lease.is_held() {
            return Ok(());
        }
        let due = self.games.due(WOKEN).await?;
        if self.lease.is_held() {
            due.into_iter().for_each(|game| self.games.wake(game));
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

#[cfg(test)]
mod tests {
    use store::Memory;
    use tokio::{runtime::Handle, time::sleep};
    use uuid::Uuid;

    use super::*;
    use crate::{cluster::bus::Bus, live::Dependencies, presence::Presence};

    #[tokio::test(start_paused = true)]
    async fn a_node_whose_heartbeat_fails_sweeps_no_longer_than_its_lease() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let dependencies = Dependencies::alone(store.clone(), Presence::new(Bus::alone())).await;
        let (tasks, stop) = (dependencies.tasks.clone(), dependencies.stop.clone());
        let (writer, writing) = store::writer(store.clone(), Handle::current());
        let writing = tasks.spawn(writing);
        let (env, outages) = (dependencies.env.clone(), dependencies.outages.clone());
        let (lease, node) = (Lease::new(env.clone()), NodeId::new(Uuid::nil()));
        let games = Games::new(dependencies);
        let (lease_of_sweep, core) = (lease.clone(), Tasks::default());
        let sweep = Sweep { env, store, writer, node, games, outages, lease: lease_of_sweep, tasks: core };
        tasks.spawn(sweep.run(stop.clone()));
        sleep(EVERY * 10).await;
        assert!(lease.is_held());
        writing.abort();
        sleep(EVERY + Duration::from_millis(SWEEPS_FOR_MS as u64)).await;
        assert!(!lease.is_held());
        stop.cancel();
    }
}
