use axum::{Extension, extract::State};
use protocol::{ProblemCode::TooManyLists, WaitingTurns};

use super::{
    Problem,
    client::refuse_fast,
    describe::{OF_QUERIES, OF_SESSIONS, problems},
    extract::Json,
};
use crate::{
    identity::Visitor,
    net::address::{Client, LimitedAction, LimitedResource},
    state::App,
    under_way::{UnderWay, under_way},
};

problems!(ListProblems: OF_QUERIES, OF_SESSIONS, &[TooManyLists]);

/// The games that wait for a turn of the visitor, the most urgent first, and the number of unseen notices.
///
/// Games in real time are left out: their players are present.
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
    let UnderWay { waiting, n_theirs } = under_way(&*app.store, player.id).await?;
    let unseen = app.store.count_unseen(player.id).await?;
    Ok(Json(WaitingTurns { games: app.summaries(waiting).await?, theirs: n_theirs, unseen }))
}
