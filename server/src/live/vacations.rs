//! Vacations of players, as their games learn of them.

use std::{error::Error, time::Duration};

use futures_util::future::join_all;
use game::{
    Period, Seats, Status,
    ids::{GameId, PlayerId},
};
use protocol::Nack;
use store::{GameRow, List, MAX_CHALLENGES_TO, Paging, StoreError, VacationChange, VacationStep, WriteError};
use tokio::time::{MissedTickBehavior, interval};
use tracing::warn;

use super::{
    delivery::{Delivery, Purpose},
    games::Games,
    message::Message,
};
use crate::{cluster::lease::Lease, compute::Requester, net::limits::MAX_UNDER_WAY};

/// Interval at which the node that sweeps looks for vacations that have changed.
const EVERY: Duration = Duration::from_secs(1);

/// Maximum number of vacations that one pass credits.
const CREDITED: u32 = 100;

/// Maximum number of games that are credited at once.
const AT_ONCE: usize = 16;

/// The reason why a vacation is still to be credited.
#[derive(Debug, thiserror::Error)]
enum CreditError {
    #[error(transparent)]
    Read(#[from] StoreError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("game {game} is not available: {why:?}")]
    Game { game: GameId, why: Nack },
}

impl Games {
    /// Credits vacations that have begun or ended to the games that wait for their players, for ever while this node
    /// sweeps.
    ///
    /// Each change of a vacation is stored with a mark, which is cleared when the games are stored with their new
    /// deadlines, so neither lists nor the sweep need to know of vacations. For example, the node on which a vacation ended
    /// is killed at once: the opponents of the player wait no longer than until another node sweeps.
    pub(crate) async fn keep_vacations_credited(self, lease: Lease) {
        let mut passes = interval(EVERY);
        passes.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            passes.tick().await;
            if lease.is_held()
                && let Err(error) = self.credit_changed_vacations().await
            {
                warn!(error = &error as &dyn Error, "vacations: {error}");
            }
        }
    }

    /// Credits the vacations that are marked, and clears the marks of those that do not change meanwhile.
    pub(super) async fn credit_changed_vacations(&self) -> Result<(), StoreError> {
        for (player, vacation) in self.0.dependencies.store.uncredited_vacations(CREDITED).await? {
            if let Err(error) = self.credit_vacation(player, vacation).await {
                warn!(%player, error = &error as &dyn Error, "vacation not credited to all games yet: {error}");
            }
        }
        Ok(())
    }

    async fn credit_vacation(&self, player: PlayerId, vacation: Period) -> Result<(), CreditError> {
        let all = Paging { before: None, limit: MAX_UNDER_WAY + MAX_CHALLENGES_TO };
        let page = self.0.dependencies.store.list(List::UnfinishedGamesOf(player), all).await?;
        let waiting: Vec<_> = page.games.iter().filter(|row| waits_for(row, player)).collect();
        for games in waiting.chunks(AT_ONCE) {
            let credited = join_all(games.iter().map(|row| self.credit(row, player))).await;
            credited.into_iter().collect::<Result<(), _>>()?;
        }
        let what = VacationStep::Credited(vacation);
        let change = VacationChange { player, now_ms: self.0.now_ms(), what };
        Ok(self.0.dependencies.writer.change_vacation(change).await?)
    }

    /// Makes a game credit the vacations of its player, who is to move by its row.
    async fn credit(&self, row: &GameRow, player: PlayerId) -> Result<(), CreditError> {
        let (game, version) = (row.id, row.version);
        let message = |reply| Message::Credit { version, reply };
        let asked = self.ask(game, Requester::SERVER, Purpose::Act(player), message).await;
        match asked {
            Ok(Delivery::Answered(Ok(())) | Delivery::Over(_) | Delivery::NotAPlayer)
            | Err(Nack::UnknownGame) => Ok(()),
            // No flag falls in it.
            Ok(Delivery::Answered(Err(_))) | Err(_) if self.is_corrupt(game) => Ok(()),
            Ok(Delivery::Answered(Err(why))) | Err(why) => Err(CreditError::Game { game, why }),
        }
    }
}

/// Whether a game has a clock of days, and waits for a turn of a player.
fn waits_for(row: &GameRow, player: PlayerId) -> bool {
    let is_to_move = |seats: Seats| seats[row.to_move] == player;
    row.status == Status::Playing && row.clock.is_by_days() && row.seats.is_some_and(is_to_move)
}
