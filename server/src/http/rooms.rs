use axum::{
    Json,
    extract::{
        Path, Query, State,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    http::StatusCode,
    response::IntoResponse,
};
use engine::Seed;
use uuid::Uuid;

use super::{Problem, games::PageQuery};
use crate::{
    app::App,
    clock,
    game::{Command, Refusal},
    identity::Visitor,
    ids::{CommandId, GameId},
    limits::MAX_OPEN_ROOMS,
    live::Request,
    protocol::{GamePage, GameSummary, NewRoom, Player, Seats},
    store::List,
};

/// `GET /api/rooms`: the open public rooms.
pub(super) async fn list(
    State(app): State<App>,
    query: Result<Query<PageQuery>, QueryRejection>,
) -> Result<Json<GamePage>, Problem> {
    query?.0.page(&*app.store, List::OpenRooms).await
}

/// `POST /api/rooms`: a new room.
pub(super) async fn create(
    State(app): State<App>,
    Visitor(player): Visitor,
    body: Result<Json<NewRoom>, JsonRejection>,
) -> Result<impl IntoResponse, Problem> {
    let Json(room) = body?;
    if app.store.count_open_rooms(player.id).await? >= MAX_OPEN_ROOMS {
        let detail = format!("you have {MAX_OPEN_ROOMS} open rooms: close one, or wait until one is joined");
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_rooms", detail));
    }
    let summary = app.games.create(room, player, Seed::new(rand::random())).await?;
    Ok((StatusCode::CREATED, Json(summary)))
}

/// `POST /api/rooms/{id}/join`: takes the free seat.
pub(super) async fn join(
    State(app): State<App>,
    Visitor(player): Visitor,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Json<GameSummary>, Problem> {
    let Path(game) = id?;
    let who = player.id;
    let joined = app.games.command(game, request(player, Command::Join { coin: rand::random() })).await;
    let summary = app.games.document(game, Some(who)).await?.summary;
    let sits = |seats: &Seats| seats.first.id == who || seats.second.id == who;
    match joined {
        // The answer to a first try may have been lost on its way.
        Err(Refusal::RoomTaken) if summary.seats.as_ref().is_some_and(sits) => Ok(Json(summary)),
        Err(refusal) => Err(refusal.into()),
        Ok(_) => Ok(Json(summary)),
    }
}

/// `DELETE /api/rooms/{id}`: closes a room that nobody has joined.
pub(super) async fn cancel(
    State(app): State<App>,
    Visitor(player): Visitor,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let Path(game) = id?;
    app.games.command(game, request(player, Command::Cancel)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A request over HTTP is not repeated by those who send it, so its command id is made here.
fn request(who: Player, command: Command) -> Request {
    let id = CommandId::try_from(Uuid::now_v7().to_string()).expect("a UUID's text is a command id");
    Request { id, who, command, received_ms: clock::now_ms() }
}
