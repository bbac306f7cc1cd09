//! A node without its network.

use std::sync::Arc;

use tokio::{
    runtime::{Builder, Handle},
    task::yield_now,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    bus::Bus,
    clock,
    live::Games,
    lobby::Lobby,
    outages::Outages,
    presence::Presence,
    store::{self, Memory, Store},
};

/// The parts of a node that games need. They run on `tasks` until `stop`.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) bus: Bus,
    pub(super) games: Games,
    pub(super) lobby: Lobby,
    pub(super) presence: Presence,
    pub(super) outages: Outages,
    pub(super) tasks: TaskTracker,
    pub(super) stop: CancellationToken,
}

impl Node {
    pub(super) async fn start(store: &Arc<Memory>) -> Self {
        let store: Arc<dyn Store> = store.clone();
        let (tasks, stop, bus) = (TaskTracker::new(), CancellationToken::new(), Bus::alone());
        let (writer, writing) = store::writer(store.clone(), Handle::current());
        tasks.spawn(writing);
        let presence = Presence::new(bus.clone());
        let lobby = Lobby::load(&*store, bus.clone(), presence.clone()).await;
        let lobby = lobby.expect("the store can be read");
        let outages = Outages::new();
        outages.beat(&*store, i64::MAX).await.expect("the heart beats");
        let (to_lobby, to_outages) = (lobby.clone(), outages.clone());
        let games = Games::new(store, writer, bus.clone(), to_lobby, to_outages, tasks.clone(), stop.clone());
        Self { bus, games, lobby, presence, outages, tasks, stop }
    }

    /// Stops the node, and waits until its tasks have ended.
    pub(super) async fn end(self) {
        self.stop.cancel();
        drop(self.games);
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// Runs something in virtual time.
pub(super) fn run(work: impl Future<Output = ()>) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime without input and output needs nothing");
    // Virtual time runs ahead: the process must know when it began.
    clock::now_ms();
    runtime.block_on(work);
}

/// Lets all tasks do what they can do without time passing.
pub(super) async fn settle() {
    /// A commit takes a few rounds of the tasks.
    const ROUNDS: usize = 20;
    for _ in 0..ROUNDS {
        yield_now().await;
    }
}
