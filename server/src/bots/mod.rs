//! The bots: players that are programs, in the same process.
//!
//! A bot sends commands to its game as a person's connection does. The node that committed the previous turn plays the
//! bot's reply, because its feed reports the commit. The node that sweeps also searches for turns that no node has played,
//! for example after a crash. If two nodes play the same turn, the database takes one.

mod game;
mod thinking;

#[cfg(test)]
mod tests;

use std::{collections::HashMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use ::game::{
    Status,
    ids::{BotLevel, GameId, PlayerId, Version},
};
use futures_util::FutureExt;
use parking_lot::Mutex;
use store::{Committed, Cursor, DraftIs, List, Paging, Store, StoreError};
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
    /// The games that are attended now, each with its latest known version.
    attended: Mutex<HashMap<GameId, Version>>,
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
                Ok(Some(committed)) => {
                    if let Some(bot) = bot_to_act(&committed) {
                        self.attend(committed.game(), bot, committed.row().version);
                    }
                }
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
            let is_to_move = row.seats.as_ref().is_some_and(|seats| seats[row.to_move] == bot);
            let is_overdue = row.status == Status::Playing && row.updated_ms < before_ms;
            if is_to_move && is_overdue && !self.0.games.is_corrupt(row.id) {
                self.attend(row.id, bot, row.version);
            }
        }
        Ok(page.next)
    }

    /// Runs the pending tasks of a game's bot, in a task of its own. A game has one at a time.
    fn attend(&self, game: GameId, bot: PlayerId, version: Version) {
        if let Some(latest) = self.0.attended.lock().get_mut(&game) {
            *latest = version.max(*latest);
            return;
        }
        self.0.attended.lock().insert(game, version);
        let bots = self.clone();
        self.0.tasks.spawn(async move {
            let mut seen = version;
            loop {
                let playing = AssertUnwindSafe(bots.play(game, bot)).catch_unwind();
                match bots.0.stop.run_until_cancelled(playing).await {
                    Some(Ok(played)) => seen = seen.max(played),
                    Some(Err(_)) => error!(%game, "bots: the bot of game {game} panicked"),
                    None => return,
                }
                let mut attended = bots.0.attended.lock();
                match attended.get(&game) {
                    Some(latest) if *latest > seen => seen = *latest,
                    Some(_) | None => {
                        attended.remove(&game);
                        return;
                    }
                }
            }
        });
    }
}

/// Returns the game's bot, if it may have something to do after a commit. After a change of the board, for example its own
/// turn, it waits while the person is to move: no offer outlives such a change.
fn bot_to_act(committed: &Committed) -> Option<PlayerId> {
    let row = committed.row();
    let seats = row.seats.as_ref()?;
    let is_bot = |player: &PlayerId| BotLevel::of(*player).is_some();
    let bot = [seats.first, seats.second].into_iter().find(is_bot)?;
    let waits =
        row.status == Status::Playing && seats[row.to_move] != bot && committed.draft_is() == DraftIs::Gone;
    (!waits).then_some(bot)
}
