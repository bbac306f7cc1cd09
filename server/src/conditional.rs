//! Conditional turns: what a player has laid down for positions that may come. When one of them comes, its turn is played at
//! once, and no time is charged.
//!
//! The node that committed the turn before plays it, because its feed reports the commit. The node that sweeps also looks
//! for those that no node has played, for example after a crash. If two nodes play the same turn, the database takes one.

use std::{error::Error, sync::Arc, time::Duration};

use engine::{Ruleset, Side};
use game::{
    ClockRule, Command, Phase, Status,
    ids::{CommandId, GameId, PlayerId},
};
use protocol::{ConditionalTurn, Nack, Names};
use store::{GameRow, Store, StoreError, WriteError, Writer};
use tokio::time::MissedTickBehavior;
use tokio_util::task::TaskTracker;
use tracing::{debug, warn};

use crate::{
    cluster::lease::Lease,
    compute::Requester,
    directory::Directory,
    live::{FeedReader, Games, Missed, Request},
};

/// Interval at which the node that sweeps looks for conditional turns that are due.
const SEARCH_EVERY: Duration = Duration::from_secs(10);

/// Maximum number of these that one search finds.
const FOUND: u32 = 100;

/// Whether a game of this ruleset and clock has conditional turns: players of one with a clock of days are seldom there, and
/// nobody knows what to play before a card is open.
pub(crate) fn has_conditional_turns(ruleset: Ruleset, clock: ClockRule) -> bool {
    matches!(clock, ClockRule::Correspondence { .. } | ClockRule::Bank { .. }) && !ruleset.has_cards()
}

/// Returns the body of conditional turns for the store.
pub(crate) fn body(turns: &[ConditionalTurn]) -> String {
    serde_json::to_string(turns).expect("conditional turns have string keys only")
}

/// Reads the conditional turns in a body. One that cannot be read has none.
pub(crate) fn read(body: &str) -> Vec<ConditionalTurn> {
    serde_json::from_str(body).unwrap_or_default()
}

/// The task that plays conditional turns, and its dependencies.
#[derive(Clone, Debug)]
pub(crate) struct Replies {
    pub(crate) games: Games,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) directory: Directory,
    pub(crate) tasks: TaskTracker,
}

/// The reason why conditional turns were not looked at.
#[derive(Debug, thiserror::Error)]
enum ReplyError {
    #[error(transparent)]
    Read(#[from] StoreError),
    #[error("cannot remove the conditional turns")]
    Write(#[from] WriteError),
    #[error("the game is not available: {0:?}")]
    Game(Nack),
}

impl Replies {
    /// Plays conditional turns after the commits that the feed reports, and those that are due while this node sweeps.
    pub(crate) async fn run(self, feed: FeedReader, lease: Lease) {
        tokio::join!(self.follow(feed), self.search(lease));
    }

    async fn follow(&self, mut feed: FeedReader) {
        loop {
            match feed.next().await {
                Ok(Some(committed)) => self.look_at(committed.row()),
                Ok(None) => return,
                Err(Missed(number)) => {
                    warn!(number, "conditional turns: missed {number} commits; the search finds their games")
                }
            }
        }
    }

    async fn search(&self, lease: Lease) {
        let mut searches = tokio::time::interval(SEARCH_EVERY);
        searches.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            searches.tick().await;
            if !lease.is_held() {
                continue;
            }
            if let Err(error) = self.reply_to_all().await {
                warn!(error = &error as &dyn Error, "conditional turns: the search failed: {error}");
            }
        }
    }

    async fn reply_to_all(&self) -> Result<(), StoreError> {
        let due = self.store.due_conditionals(FOUND).await?;
        let games: Vec<GameId> = due.iter().map(|(game, _)| *game).collect();
        self.store.rows(&games).await?.iter().for_each(|row| self.look_at(row));
        Ok(())
    }

    /// Plays the conditional turn of the player who is to move, if there is one, in a task of its own.
    pub(crate) fn look_at(&self, row: &GameRow) {
        let Some((side, player)) = side_to_reply(row) else { return };
        let (replies, game) = (self.clone(), row.id);
        self.tasks.spawn(async move {
            if let Err(error) = replies.reply(game, side, player).await {
                debug!(%game, error = &error as &dyn Error, "conditional turns of game {game}: {error}");
            }
        });
    }

    async fn reply(&self, game: GameId, side: Side, player: PlayerId) -> Result<(), ReplyError> {
        let Some(row) = self.store.conditional(game, side).await? else { return Ok(()) };
        let state = self.games.state(game, player).await.map_err(ReplyError::Game)?;
        let under_way = match state.phase() {
            Phase::Playing { turn, .. } if state.play().to_move() == side => *turn,
            _ => return Ok(()),
        };
        // Those laid down during the player's own turn are for later turns: the turn under way would cost no time.
        if row.version >= under_way.since {
            return Ok(());
        }
        let mut turns = read(&row.body).into_iter();
        let Some(turn) = turns.find(|turn| turn.position == state.position_text()) else {
            return Ok(self.writer.drop_conditional(row).await?);
        };
        self.directory.load([player]).await?;
        let env = self.games.env();
        let request = Request {
            id: CommandId::try_from(env.id().to_string()).expect("a UUID's text is a command id"),
            who: self.directory.player(player).into(),
            requester: Requester::SERVER,
            command: Command::Turn { base: state.version(), actions: turn.actions, lag_ms: 0 },
            received_ms: under_way.began_ms,
            over_budget: None,
        };
        match self.games.command(game, request).await {
            Ok(_) | Err(Nack::Stale { .. } | Nack::NotYourTurn | Nack::GameOver) => Ok(()),
            Err(refusal @ (Nack::Busy | Nack::Unavailable | Nack::Overloaded)) => {
                Err(ReplyError::Game(refusal))
            }
            Err(refusal) => {
                debug!(%game, ?refusal, "conditional turns of game {game} are dropped");
                Ok(self.writer.drop_conditional(row).await?)
            }
        }
    }
}

/// Returns the side to move and its player, if it may have conditional turns.
fn side_to_reply(row: &GameRow) -> Option<(Side, PlayerId)> {
    let seats = row.seats.filter(|seats| !seats.are_of_one_player())?;
    let is_reply = row.status == Status::Playing && has_conditional_turns(row.ruleset, row.clock);
    is_reply.then_some((row.to_move, seats[row.to_move]))
}
