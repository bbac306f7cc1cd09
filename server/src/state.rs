//! The state of a node that its requests and connections share.

use std::{ops::Deref, sync::Arc};

use game::ids::PlayerId;
use protocol::{GameSummary, ProblemCode};
use store::{GameRow, Store, StoreError, Writer};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{error, warn};

use crate::{
    cluster::{
        bus::{Bus, NodeNews},
        outages::Outages,
    },
    compute::Compute,
    conditional::Replies,
    convert,
    credentials::{Attempts, Passkeys, Passwords},
    directory::Directory,
    env::Env,
    live::Games,
    lobby::Lobby,
    mutes::Mutes,
    net::{
        address::{Addresses, Proxies},
        origin::Origin,
        outbox::Outboxes,
    },
    overload::Load,
    pools::Pools,
    presence::Presence,
    push::Push,
    review::Reviews,
    tasks::Tasks,
};

/// State that every request and every connection can reach. Connections are many, and each has a clone: a pointer.
#[derive(Clone, Debug)]
pub(crate) struct App(Arc<Parts>);

/// The parts of a node that requests and connections use.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) env: Env,
    pub store: Arc<dyn Store>,
    pub bus: Bus,
    pub(crate) writer: Writer,
    pub games: Games,
    pub lobby: Lobby,
    pub presence: Presence,
    pub(crate) directory: Directory,
    pub(crate) mutes: Mutes,
    pub pools: Pools,
    pub(crate) reviews: Reviews,
    pub messages_per_second: u32,
    pub(crate) addresses: Addresses,
    pub(crate) outboxes: Outboxes,
    pub(crate) proxies: Proxies,
    /// Origin of the server as browsers see it, if it differs from their `Host`.
    pub(crate) origin: Option<Origin>,
    /// Whether the server sends mail.
    pub(crate) sends_mail: bool,
    pub(crate) push: Push,
    pub(crate) load: Load,
    pub(crate) outages: Outages,
    pub(crate) compute: Compute,
    /// The pool of pictures: no game waits for them.
    pub(crate) drawing: Compute,
    pub(crate) passwords: Passwords,
    pub(crate) attempts: Attempts,
    pub(crate) passkeys: Passkeys,
    /// The core tasks, of which one may have failed.
    pub(crate) tasks: Tasks,
    /// The tasks of the connections; draining waits for them.
    pub connections: TaskTracker,
    /// Cancelled when shutdown begins: connections end after their current message.
    pub drain: CancellationToken,
}

impl From<Parts> for App {
    fn from(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// The parts of a node that nothing else uses yet, to replace some.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn parts_mut(&mut self) -> &mut Parts {
        Arc::get_mut(&mut self.0).expect("nothing else uses them yet")
    }

    /// Returns the task that plays conditional turns.
    pub(crate) fn replies(&self) -> Replies {
        Replies {
            games: self.games.clone(),
            store: self.store.clone(),
            writer: self.writer.clone(),
            directory: self.directory.clone(),
            tasks: self.tasks.tracker().clone(),
        }
    }

    /// Runs a change to its end, in a task that shutdown waits for. If its request is abandoned, because the client
    /// disconnects or the time for an answer is over, what is stored is still told to all whom it concerns.
    ///
    /// For example, a sign-out that is stored also closes the player's sockets, whether or not anybody awaits the
    /// answer. Every change that has such a second step runs here.
    ///
    /// # Errors
    /// The change panicked.
    pub(crate) async fn complete<T: Send + 'static>(
        &self,
        change: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, ProblemCode> {
        self.connections.spawn(change).await.map_err(|_| ProblemCode::Unavailable)
    }

    /// Shows a player as stored, perhaps under a new name or of another kind, on all nodes.
    pub(crate) async fn show(&self, id: PlayerId) {
        match self.directory.changed(id).await {
            Ok((player, _turn)) => {
                self.presence.apply_name(id, &player.name);
                self.games.rename(id, player.clone());
                self.bus.publish_to_nodes(|| NodeNews::Renamed { id, player });
            }
            Err(error) => {
                warn!(player = %id, %error, "directory: change of a player stored but not shown: {error}")
            }
        }
    }

    /// Mutes a player on all nodes until a time, in milliseconds since 1970, or not any more.
    pub(crate) fn mute(&self, player: PlayerId, until_ms: Option<i64>) {
        self.mutes.set(player, until_ms);
        self.bus.publish_to_nodes(|| NodeNews::Muted { player, until_ms });
    }

    /// Leaves the games of a player whose account was closed. Housekeeping leaves those that remain.
    pub(crate) async fn leave_games(&self, player: PlayerId) {
        if let Err(error) = self.games.leave_all(player).await {
            warn!(%player, %error, "account closed, but its games not left yet: {error}");
        }
    }

    /// Returns rows in full, with the present names of their players.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn summaries(&self, rows: Vec<GameRow>) -> Result<Vec<GameSummary>, StoreError> {
        self.directory.load(rows.iter().flat_map(convert::mentioned)).await?;
        Ok(rows.into_iter().map(|row| convert::summary(row, &self.directory)).collect())
    }

    /// Returns a row in full, with the present names of its players.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn summary(&self, row: GameRow) -> Result<GameSummary, StoreError> {
        self.directory.load(convert::mentioned(&row)).await?;
        Ok(convert::summary(row, &self.directory))
    }

    /// Shows the open rooms of a player who has returned, who counts as present already.
    pub(crate) async fn welcome(&self, player: PlayerId) {
        let (lobby, store) = (self.lobby.clone(), self.store.clone());
        let welcomed = self.complete(async move { lobby.welcome(player, &*store).await }).await;
        if let Ok(Err(problem)) = welcomed {
            let error = &problem as &dyn std::error::Error;
            error!(%player, error, "lobby: rooms of a returned player not shown");
        }
    }
}
