use axum::{Extension, extract::State};
use game::{Status, ids::PlayerId};
use protocol::{ProblemCode::TooManyLists, WaitingTurns};
use store::{GameRow, List, Paging};

use super::{
    Problem,
    client::refuse_fast,
    describe::{OF_QUERIES, OF_SESSIONS, problems},
    extract::Json,
};
use crate::{
    identity::Visitor,
    net::{
        address::{Client, LimitedAction, LimitedResource},
        limits::MAX_UNDER_WAY,
    },
    state::App,
};

problems!(ListProblems: OF_QUERIES, OF_SESSIONS, &[TooManyLists]);

/// The games that wait for a turn of the visitor, the most urgent first.
///
/// Games with a clock for all turns are left out: their players are present.
#[utoipa::path(
    get,
    path = "/turns",
    tag = "games",
    operation_id = "list_turns",
    responses(
        (status = 200, description = "The games.", body = WaitingTurns),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn list(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
) -> Result<Json<WaitingTurns>, Problem> {
    refuse_fast(&app, client, LimitedAction::List)?;
    let _place =
        app.addresses.open(client.address, LimitedResource::List).map_err(Problem::too_many_lists)?;
    let all = Paging { before: None, limit: MAX_UNDER_WAY };
    let mut games = app.store.list(List::UnfinishedGamesOf(player.id), all).await?.games;
    games.retain(|game| waits_for(game, player.id));
    games.sort_by_key(|game| (game.deadline_ms.unwrap_or(i64::MAX), game.updated_ms, game.id));
    Ok(Json(WaitingTurns { games: app.summaries(games).await? }))
}

/// Whether a game is under way, without a clock for all turns, and a turn of this player alone is due.
fn waits_for(game: &GameRow, player: PlayerId) -> bool {
    let is_slow = !game.clock.is_live();
    let is_due = |seats: game::Seats| seats[game.to_move] == player && seats.first != seats.second;
    is_slow && game.status == Status::Playing && game.seats.is_some_and(is_due)
}
