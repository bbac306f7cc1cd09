//! The bots: players that are programs, in the same process.
//!
//! A bot goes through the same door as a person: it reads its game, and sends a command. The node that committed the
//! turn before plays the bot's turn, since the feed tells it. The node that sweeps looks for turns that no node has
//! played, as after a crash. If two nodes play the same turn, the database takes one.

mod game;
mod thinking;

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ::game::ids::{BotLevel, GameId, PlayerId};
use store::{Committed, GameRow, Store, StoreError};
use tokio::{sync::watch, time::MissedTickBehavior};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::warn;

pub(crate) use self::thinking::Thinking;
use crate::{
    live::{FeedReader, Games, Missed},
    presence::Presence,
    recent::Recent,
};

/// Interval at which the node that sweeps looks for overdue turns of bots.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Time after which a turn of a bot counts as overdue, in milliseconds: longer than it waits and thinks.
const OVERDUE_AFTER_MS: i64 = 30_000;

/// Maximum number of overdue turns that are played at once; the others follow with the next look.
const LOOKED_AT: u32 = 200;

/// Capacity of each of the two generations of games in which a bot counts its lost turns.
const REMEMBERED: usize = 4096;

/// The bots of a node.
#[derive(Clone, Debug)]
pub(crate) struct Bots(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    games: Games,
    store: Arc<dyn Store>,
    presence: Presence,
    thinking: Thinking,
    tasks: TaskTracker,
    /// The games that are attended now, each with whether it has changed meanwhile.
    attended: Mutex<HashMap<GameId, bool>>,
    /// Number of consecutive turns in which the bot of a game was as good as lost.
    lost_turns: Mutex<Recent<GameId, u8>>,
}

impl Bots {
    /// Returns the bots of a node, which think on `thinking`; their work is done on `tasks`.
    pub(crate) fn new(
        games: Games,
        store: Arc<dyn Store>,
        presence: Presence,
        thinking: Thinking,
        tasks: TaskTracker,
    ) -> Self {
        Self(Arc::new(Shared {
            games,
            store,
            presence,
            thinking,
            tasks,
            attended: Mutex::default(),
            lost_turns: Mutex::new(Recent::new(REMEMBERED)),
        }))
    }

    /// Plays the bots' turns in all games of which the feed tells, and overdue ones while this node sweeps, until
    /// `stop`.
    pub(crate) async fn run(
        self,
        mut feed: FeedReader,
        mut sweeps: watch::Receiver<bool>,
        stop: CancellationToken,
    ) {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first turns of a node that starts are those that the last one left.
        let mut is_first = true;
        loop {
            tokio::select! {
                next = feed.next() => match next {
                    Ok(Some(committed)) => self.follow(&committed),
                    Ok(None) => return,
                    Err(Missed(number)) => warn!(number, "bots: {number} commits missed; overdue turns follow"),
                },
                _ = looks.tick() => {
                    if *sweeps.borrow_and_update() {
                        let after_ms = if std::mem::take(&mut is_first) { 0 } else { OVERDUE_AFTER_MS };
                        if let Err(error) = self.look(after_ms).await {
                            warn!(%error, "bots: search for overdue turns failed: {error}");
                        }
                    }
                }
                () = stop.cancelled() => break,
            }
        }
        self.0.thinking.stop();
    }

    fn follow(&self, committed: &Committed) {
        if has_bot(committed.row()) {
            self.attend(committed.game());
        }
    }

    /// Attends the games in which a bot has been to move for some milliseconds.
    async fn look(&self, after_ms: i64) -> Result<(), StoreError> {
        let bots: Vec<PlayerId> = BotLevel::all().map(|level| level.player().id).collect();
        let before_ms = self.0.games.env().now_ms() - after_ms;
        for game in self.0.store.games_to_move(&bots, before_ms, LOOKED_AT).await? {
            self.attend(game);
        }
        Ok(())
    }

    /// Does what the bot of a game has to do, in a task of its own. A game has one such task at a time.
    fn attend(&self, game: GameId) {
        if let Some(has_changed) = self.attended().get_mut(&game) {
            *has_changed = true;
            return;
        }
        self.attended().insert(game, false);
        let bots = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                bots.play(game).await;
                let mut attended = bots.attended();
                if !std::mem::take(attended.entry(game).or_default()) {
                    attended.remove(&game);
                    return;
                }
            }
        });
    }

    fn attended(&self) -> MutexGuard<'_, HashMap<GameId, bool>> {
        self.0.attended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn has_bot(row: &GameRow) -> bool {
    row.seats.as_ref().is_some_and(::game::Seats::have_bot)
}
