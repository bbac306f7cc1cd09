use axum::{
    Extension, Json,
    extract::{Path, State, rejection::PathRejection},
    http::StatusCode,
};
use game::ids::PlayerId;
use protocol::Blocks;
use store::CannotBlock;

use super::{Problem, client::refuse_fast};
use crate::{
    identity::Visitor,
    net::address::{Client, LimitedAction},
    state::App,
};

/// `GET /api/blocks`: the players that the visitor has blocked.
pub(super) async fn list(State(app): State<App>, Visitor(player): Visitor) -> Result<Json<Blocks>, Problem> {
    let players = app.store.blocks_of(player.id).await?.into_iter().map(Into::into).collect();
    Ok(Json(Blocks { players }))
}

/// `PUT /api/blocks/{player}`: blocks a player.
pub(super) async fn block(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    id: Result<Path<PlayerId>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let blocked = read(id)?;
    refuse_fast(&app, client, LimitedAction::Block)?;
    app.writer.block(player.id, blocked, app.env.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/blocks/{player}`: unblocks a player.
pub(super) async fn unblock(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    id: Result<Path<PlayerId>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let blocked = read(id)?;
    refuse_fast(&app, client, LimitedAction::Block)?;
    app.writer.unblock(player.id, blocked).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An invalid id belongs to no player.
fn read(id: Result<Path<PlayerId>, PathRejection>) -> Result<PlayerId, CannotBlock> {
    id.map(|Path(player)| player).map_err(|_| CannotBlock::UnknownPlayer)
}
