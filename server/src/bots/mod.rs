//! The bots: players that are programs, in the same process.
//!
//! A bot sends commands to its game as the connection of a person does. The node that committed the turn before plays the
//! bot's turn, since the feed tells it. The node that sweeps also searches for turns that no node has played, as after a
//! crash. If two nodes play the same turn, the database takes one.

mod game;
mod thinking;

#[cfg(test)]
mod tests;

use std::{collections::HashMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use ::game::{
    Status,
    ids::{BotLevel, GameId, PlayerId},
};
use futures_util::FutureExt;
use parking_lot::Mutex;
use store::{Cursor, GameRow, List, Paging, Store, StoreError};
use tokio::time::MissedTickBehavior;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{error, warn};

use self::game::LostTurns;
pub(crate) use self::thinking::Thinking;
use crate::{
    cluster::lease::Lease,
    live::{FeedReader, Games, Missed},
    net::address::Address,
    presence::Presence,
    recent::Recent,
};

/// Interval at which the node that sweeps searches for overdue turns of bots.
const SEARCH_EVERY: Duration = Duration::from_secs(5);

/// Time after which a turn of a bot counts as overdue, in milliseconds: longer than it waits and thinks.
const OVERDUE_AFTER_MS: i64 = 30_000;

/// Maximum number of games of a bot that are examined in one search. The next search continues after them.
const GAMES_A_SEARCH: u32 = 100;

/// Capacity of each of the two generations of `lost_turns` and `addresses`.
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
    stop: CancellationToken,
    /// The games that are attended now, each with whether it has changed meanwhile.
    attended: Mutex<HashMap<GameId, bool>>,
    lost_turns: Mutex<Recent<GameId, LostTurns>>,
    /// The last known address of a person who plays a bot. The search for the bot's turn counts for it, also when the
    /// person has left.
    addresses: Mutex<Recent<PlayerId, Option<Address>>>,
}

impl Bots {
    /// Returns the bots of a node, which think on `thinking`; their work is done on `tasks`, until `stop`.
    pub(crate) fn new(
        games: Games,
        store: Arc<dyn Store>,
        presence: Presence,
        thinking: Thinking,
        tasks: TaskTracker,
        stop: CancellationToken,
    ) -> Self {
        Self(Arc::new(Shared {
            games,
            store,
            presence,
            thinking,
            tasks,
            stop,
            attended: Mutex::default(),
            lost_turns: Mutex::new(Recent::new(REMEMBERED)),
            addresses: Mutex::new(Recent::new(REMEMBERED)),
        }))
    }

    /// Plays the bots' turns in all games that the feed reports, and overdue ones while this node sweeps.
    pub(crate) async fn run(self, feed: FeedReader, lease: Lease) {
        let work = async { tokio::join!(self.follow(feed), self.search_overdue(lease)) };
        self.0.stop.run_until_cancelled(work).await;
        self.0.thinking.stop();
    }

    /// Plays the bots' turns in the games that the feed reports.
    async fn follow(&self, mut feed: FeedReader) {
        loop {
            match feed.next().await {
                Ok(Some(committed)) if has_bot(committed.row()) => self.attend(committed.game()),
                Ok(Some(_)) => {}
                Ok(None) => return,
                Err(Missed(number)) => warn!(number, "bots: {number} commits missed; overdue turns follow"),
            }
        }
    }

    /// Plays overdue turns again and again, while this node sweeps. Each search examines a page of the games of each bot,
    /// so that it takes the same time however many there are.
    async fn search_overdue(&self, lease: Lease) {
        let mut searches = tokio::time::interval(SEARCH_EVERY);
        searches.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut pages = BotLevel::all().map(|level| (level.player().id, None)).collect::<Vec<_>>();
        // The first turns of a node that starts are those that the last one left.
        let mut is_first = true;
        loop {
            searches.tick().await;
            if !lease.is_held() {
                continue;
            }
            let after_ms = if std::mem::take(&mut is_first) { 0 } else { OVERDUE_AFTER_MS };
            let before_ms = self.0.games.env().now_ms() - after_ms;
            for (bot, page) in &mut pages {
                match self.attend_overdue(*bot, before_ms, *page, &lease).await {
                    Ok(next) => *page = next,
                    Err(error) => warn!(%error, "bots: search for overdue turns failed: {error}"),
                }
            }
        }
    }

    /// Attends the games of a page in which a bot has been to move since a time. Returns the next page.
    async fn attend_overdue(
        &self,
        bot: PlayerId,
        before_ms: i64,
        page: Option<Cursor>,
        lease: &Lease,
    ) -> Result<Option<Cursor>, StoreError> {
        let paging = Paging { before: page, limit: GAMES_A_SEARCH };
        let page = self.0.store.list(List::UnfinishedGamesOf(bot), paging).await?;
        // Another node may have the lease by now, and the overdue turns with it.
        for row in page.games.into_iter().filter(|_| lease.is_held()) {
            let is_to_move = row.seats.as_ref().is_some_and(|seats| seats[row.to_move].id == bot);
            let is_overdue = row.status == Status::Playing && row.updated_ms < before_ms;
            if is_to_move && is_overdue && !self.0.games.is_corrupt(row.id) {
                self.attend(row.id);
            }
        }
        Ok(page.next)
    }

    /// Does what the bot of a game has to do, in a task of its own. A game has one such task at a time.
    fn attend(&self, game: GameId) {
        if let Some(has_changed) = self.0.attended.lock().get_mut(&game) {
            *has_changed = true;
            return;
        }
        self.0.attended.lock().insert(game, false);
        let bots = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                let playing = AssertUnwindSafe(bots.play(game)).catch_unwind();
                match bots.0.stop.run_until_cancelled(playing).await {
                    Some(Ok(())) => {}
                    Some(Err(_)) => error!(%game, "bots: the bot of game {game} panicked"),
                    None => return,
                }
                let mut attended = bots.0.attended.lock();
                if !std::mem::take(attended.entry(game).or_default()) {
                    attended.remove(&game);
                    return;
                }
            }
        });
    }
}

fn has_bot(row: &GameRow) -> bool {
    row.seats.as_ref().is_some_and(::game::Seats::have_bot)
}
