use axum::{Extension, extract::State, http::StatusCode};
use game::ids::PlayerId;
use protocol::{
    Blocks, Names, Player, PlayerKind, PlayerQuery,
    ProblemCode::{OwnBlock, TooManyBlocks, UnknownPlayer},
};
use store::StoreError;

use super::{
    Problem,
    client::{count_stored, refuse_fast},
    describe::{OF_CHANGES, OF_QUERIES, OF_SESSIONS, problems},
    extract::{Json, Path, Query},
};
use crate::{
    identity::Visitor,
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    state::App,
};

problems!(FindProblems: OF_QUERIES, OF_SESSIONS, &[UnknownPlayer]);

/// The account of a name, in upper or lower case. Names that only look alike are not found.
#[utoipa::path(
    get,
    path = "/players",
    tag = "blocks",
    operation_id = "find_player",
    params(PlayerQuery),
    responses(
        (status = 200, description = "The player.", body = Player),
        FindProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn find(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(_): Visitor,
    Query(PlayerQuery { name }): Query<PlayerQuery>,
) -> Result<Json<Player>, Problem> {
    refuse_fast(&app, client, LimitedAction::List)?;
    let unknown = || Problem::new(UnknownPlayer, "no account has this name");
    let found = app.store.player_named(&name).await?.ok_or_else(unknown)?;
    app.directory.load([found]).await?;
    let player = app.directory.player(found);
    let is_meant = player.kind == Some(PlayerKind::Account) && player.name.folded() == name.folded();
    if is_meant { Ok(Json(player)) } else { Err(unknown()) }
}

problems!(ListProblems: OF_SESSIONS);

/// The players that the visitor has blocked.
#[utoipa::path(
    get,
    path = "/blocks",
    tag = "blocks",
    operation_id = "list_blocks",
    responses(
        (status = 200, description = "The players.", body = Blocks),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn list(State(app): State<App>, Visitor(player): Visitor) -> Result<Json<Blocks>, Problem> {
    Ok(Json(Blocks { players: of(&app, player.id).await? }))
}

/// Returns the players whom a player has blocked.
pub(super) async fn of(app: &App, player: PlayerId) -> Result<Vec<Player>, StoreError> {
    let blocked: Vec<_> = app.store.blocks_of(player).await?.into_iter().map(|player| player.id).collect();
    app.directory.load(blocked.iter().copied()).await?;
    Ok(blocked.into_iter().map(|player| app.directory.player(player)).collect())
}

problems!(BlockProblems: OF_CHANGES, OF_SESSIONS, &[OwnBlock, TooManyBlocks, UnknownPlayer]);

/// Blocks a player.
#[utoipa::path(
    put,
    path = "/blocks/{player}",
    tag = "blocks",
    operation_id = "block",
    params(("player" = inline(PlayerId), Path, description = "Id of the player.")),
    responses(
        (status = 204, description = "The player is blocked."),
        BlockProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn block(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(blocked): Path<PlayerId>,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::Block)?;
    count_stored(&app, client, price::BLOCK)?;
    app.writer.block(player.id, blocked, app.env.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT)
}

problems!(UnblockProblems: OF_CHANGES, OF_SESSIONS, &[UnknownPlayer]);

/// Unblocks a player.
#[utoipa::path(
    delete,
    path = "/blocks/{player}",
    tag = "blocks",
    operation_id = "unblock",
    params(("player" = inline(PlayerId), Path, description = "Id of the player.")),
    responses(
        (status = 204, description = "The player is not blocked."),
        UnblockProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
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
