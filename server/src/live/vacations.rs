//! Vacations of players, as their games learn of them.

use game::{Seats, Status, ids::PlayerId};
use store::{GameRow, List, MAX_CHALLENGES_TO, Paging};
use tracing::warn;

use super::games::Games;
use crate::net::limits::MAX_UNDER_WAY;

impl Games {
    /// Makes the games that wait for a turn of a player credit the player's vacation, which has begun or ended. Each is
    /// stored with its new deadline, so the lists and the sweep need not know of vacations.
    ///
    /// A game that is missed here credits a vacation before its flag falls, since its deadline is then too early.
    pub(crate) async fn credit_vacation(&self, player: PlayerId) {
        let all = Paging { before: None, limit: MAX_UNDER_WAY + MAX_CHALLENGES_TO };
        match self.0.dependencies.store.list(List::UnfinishedGamesOf(player), all).await {
            Ok(page) => {
                page.games.iter().filter(|row| waits_for(row, player)).for_each(|row| self.wake(row.id));
            }
            Err(error) => {
                warn!(%player, %error, "vacation stored, but not credited to games yet: {error}");
            }
        }
    }
}

/// Whether a game has a clock of days, and waits for a turn of a player.
fn waits_for(row: &GameRow, player: PlayerId) -> bool {
    let is_to_move = |seats: Seats| seats[row.to_move] == player;
    row.status == Status::Playing && row.clock.is_by_days() && row.seats.is_some_and(is_to_move)
}
