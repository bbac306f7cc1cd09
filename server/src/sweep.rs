//! What happens by time alone: the heartbeat that tells outages from quiet, and the deadlines of games that nobody
//! looks at; and with them the [`Housekeeping`].

use std::{error::Error, iter::successors, sync::Arc, time::Duration};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::{
    clock,
    housekeeping::{Housekeeping, Visits},
    identity,
    ids::NodeId,
    live::Games,
    outages::{BeatError, GAP_MS, Outages},
    store::{Outage, SessionChange, Store, Writer},
};

/// How often the heart beats, and deadlines are looked through.
const EVERY: Duration = Duration::from_secs(1);

/// Milliseconds without a beat that are an outage, when the server starts: it was not running.
pub(crate) const GAP_AT_START_MS: i64 = 1_500;

/// Milliseconds for which a node sweeps without asking again. If it is gone, another one does after that.
const SWEEPS_FOR_MS: i64 = 3_000;

/// Games woken at once; the others follow with the next beat.
const WOKEN: u32 = 500;

/// Sessions that end in one write. They are looked for once in as many beats as a minute has.
const SESSIONS: u32 = 500;
const SESSIONS_EVERY: u64 = 60;

/// The task of the heartbeat, and what it reaches.
#[derive(Debug)]
pub(crate) struct Sweep {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) node: NodeId,
    pub(crate) games: Games,
    pub(crate) outages: Outages,
    pub(crate) visits: Visits,
}

impl Sweep {
    /// Beats and sweeps until `stop`.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut housekeeping = Housekeeping::new(self.visits.clone());
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut failing = None;
        for beat in 0_u64.. {
            tokio::select! {
                _ = ticks.tick() => {}
                () = stop.cancelled() => return,
            }
            let beaten = self.outages.beat(&*self.store, &self.writer, GAP_MS).await;
            report(&mut failing, &beaten);
            if beaten.is_err() {
                continue;
            }
            let unused = beat.is_multiple_of(SESSIONS_EVERY).then_some(SESSIONS);
            if let Err(error) = self.sweep(&mut housekeeping, unused).await {
                warn!(error = &*error, "sweep failed: {error}");
            }
        }
    }

    /// If that is this node's task: wakes the games whose time is over, ends at most so many sessions that nobody uses,
    /// and deletes what is not kept.
    async fn sweep(
        &self,
        housekeeping: &mut Housekeeping,
        unused: Option<u32>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let now_ms = clock::now_ms();
        let sweeps = self.writer.may_sweep(self.node, now_ms, now_ms + SWEEPS_FOR_MS).await?;
        if sweeps {
            self.games.due(WOKEN).await?.into_iter().for_each(|game| self.games.wake(game));
            if let Some(at_most) = unused {
                let unused_since_ms = identity::unused_since_ms(now_ms);
                self.writer.change_session(SessionChange::Expired { unused_since_ms, at_most }).await?;
            }
        }
        housekeeping.beat(&*self.store, sweeps, now_ms).await?;
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
