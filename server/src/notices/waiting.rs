use game::ids::PlayerId;
use store::{GameRow, List, MAX_CHALLENGES_TO, Paging, Store, StoreError};

use crate::net::limits::MAX_UNDER_WAY;

/// Returns the games that wait for a turn of a player, the most urgent first. Games with a clock for all turns are left out:
/// their players are present.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn waiting(store: &dyn Store, player: PlayerId) -> Result<Vec<GameRow>, StoreError> {
    let all = Paging { before: None, limit: MAX_UNDER_WAY + MAX_CHALLENGES_TO };
    let mut games = store.list(List::UnfinishedGamesOf(player), all).await?.games;
    games.retain(|game| game.awaited() == Some(player));
    games.sort_by_key(|game| (game.deadline_ms.unwrap_or(i64::MAX), game.updated_ms, game.id));
    Ok(games)
}
