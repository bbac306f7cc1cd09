use axum::{Extension, extract::State, http::StatusCode};
use game::ids::PlayerId;
use protocol::Blocks;

use super::{
    Problem,
    client::refuse_fast,
    extract::{Json, Path},
};
use crate::{
    identity::Visitor,
    net::address::{Client, LimitedAction},
    state::App,
};

/// `GET /api/v1/blocks`: the players that the visitor has blocked.
pub(super) async fn list(State(app): State<App>, Visitor(player): Visitor) -> Result<Json<Blocks>, Problem> {
    let players = app.store.blocks_of(player.id).await?.into_iter().map(Into::into).collect();
    Ok(Json(Blocks { players }))
}

/// `PUT /api/v1/blocks/{player}`: blocks a player.
pub(super) async fn block(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(blocked): Path<PlayerId>,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::Block)?;
    app.writer.block(player.id, blocked, app.env.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/v1/blocks/{player}`: unblocks a player.
pub(super) async fn unblock(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(blocked): Path<PlayerId>,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::Block)?;
    app.writer.unblock(player.id, blocked).await?;
    Ok(StatusCode::NO_CONTENT)
}
