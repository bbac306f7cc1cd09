//! A node without a network, in virtual time.

use std::{net::IpAddr, sync::Arc};

use game::ids::PlayerId;
use store::{Memory, Store, Writer};
use tokio::{
    runtime::{Builder, Handle},
    task::yield_now,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    admission::Admission,
    cluster::{bus::Bus, outages::Outages},
    compute::{Compute, Requester},
    directory::Directory,
    env::Env,
    live::{Dependencies, Games},
    lobby::Lobby,
    mutes::Mutes,
    net::{
        address::{Address, Addresses},
        limits::AddressLimits,
    },
    presence::Presence,
    space::Space,
};

/// Bytes of memory for games, enough that no game of an input is evicted.
const MEMORY: usize = 64 << 20;

/// Returns the address of all clients.
pub(super) fn address() -> Address {
    IpAddr::from([127, 0, 0, 1]).into()
}

/// Returns the requester of all engine work of a player.
pub(super) fn requester(player: PlayerId) -> Requester {
    Requester::player(address(), player)
}

/// Dependencies of a node that its games need. Their tasks run on `tasks` until `stop`.
#[derive(Debug)]
pub(super) struct Node {
    store: Arc<dyn Store>,
    writer: Writer,
    pub(super) bus: Bus,
    pub(super) games: Games,
    pub(super) lobby: Lobby,
    pub(super) presence: Presence,
    pub(super) directory: Directory,
    pub(super) outages: Outages,
    pub(super) tasks: TaskTracker,
    pub(super) stop: CancellationToken,
}

impl Node {
    pub(super) async fn start(env: &Env, store: &Arc<Memory>) -> Self {
        let store: Arc<dyn Store> = store.clone();
        let (tasks, stop, bus) = (TaskTracker::new(), CancellationToken::new(), Bus::alone());
        let (writer, writing) = store::writer(store.clone(), Handle::current());
        tasks.spawn(writing);
        let presence = Presence::new(bus.clone());
        let directory = Directory::new(store.clone());
        let lobby = Lobby::load(&*store, bus.clone(), presence.clone(), directory.clone()).await;
        let lobby = lobby.expect("the store can be read");
        let outages = Outages::new(env.clone());
        outages.beat(&*store, &writer, i64::MAX).await.expect("the heartbeat succeeds");
        let limits = AddressLimits::times(1);
        let addresses = Addresses::new(limits);
        let games = Games::new(Dependencies {
            env: env.clone(),
            store: store.clone(),
            writer: writer.clone(),
            bus: bus.clone(),
            lobby: lobby.clone(),
            directory: directory.clone(),
            mutes: Mutes::default(),
            admission: Admission::new(store.clone(), addresses.clone(), Space::default(), &limits),
            addresses,
            outages: outages.clone(),
            compute: Compute::at_once(),
            memory: MEMORY,
            address_factor: 1,
            tasks: tasks.clone(),
            stop: stop.clone(),
        });
        Self { store, writer, bus, games, lobby, presence, directory, outages, tasks, stop }
    }

    /// Sends a heartbeat; see [`Outages::beat`].
    pub(super) async fn beat(&self, gap_ms: i64) {
        // An injected commit failure can fail one heartbeat.
        if self.outages.beat(&*self.store, &self.writer, gap_ms).await.is_err() {
            self.outages.beat(&*self.store, &self.writer, gap_ms).await.expect("the heartbeat succeeds");
        }
    }

    /// Stops the node, and waits until its tasks have ended.
    pub(super) async fn end(self) {
        self.stop.cancel();
        drop((self.games, self.writer));
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// Runs a future in virtual time.
pub(super) fn run(work: impl Future<Output = ()>) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime without I/O can be built");
    runtime.block_on(work);
}

/// Lets all tasks run without time passing.
pub(super) async fn settle() {
    /// Number of rounds of the tasks, more than a commit needs.
    const ROUNDS: usize = 20;
    for _ in 0..ROUNDS {
        yield_now().await;
    }
}
