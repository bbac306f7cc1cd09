use game::ids::PlayerId;
use store::{GameRow, List, MAX_CHALLENGES_TO, Paging, Store, StoreError};

use crate::net::limits::MAX_UNDER_WAY;

/// The games under way of a player. Games in real time are left out: their players are present.
#[derive(Clone, Debug)]
pub(crate) struct UnderWay {
    /// Those that wait for a turn of the player, the most urgent first.
    pub(crate) waiting: Vec<GameRow>,
    /// Number of those that wait for another player.
    pub(crate) n_theirs: u32,
}

/// Returns the games under way of a player.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn under_way(store: &dyn Store, player: PlayerId) -> Result<UnderWay, StoreError> {
    let all = Paging { before: None, limit: MAX_UNDER_WAY + MAX_CHALLENGES_TO };
    let games = store.list(List::UnfinishedGamesOf(player), all).await?.games;
    let awaiting = games.into_iter().filter(|game| game.awaited().is_some());
    let (mut waiting, theirs): (Vec<_>, Vec<_>) = awaiting.partition(|game| game.awaited() == Some(player));
    waiting.sort_by_key(|game| (game.deadline_ms.unwrap_or(i64::MAX), game.updated_ms, game.id));
    let n_theirs = u32::try_from(theirs.len()).unwrap_or(u32::MAX);
    Ok(UnderWay { waiting, n_theirs })
}

/// Returns the games that wait for a turn of a player, the most urgent first.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn waiting(store: &dyn Store, player: PlayerId) -> Result<Vec<GameRow>, StoreError> {
    Ok(under_way(store, player).await?.waiting)
}
