use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{
        Path, Query, State,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    http::StatusCode,
    response::IntoResponse,
};
use engine::Seed;
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use super::{Problem, client::refuse_fast, games::PageQuery};
use crate::{
    address::{Client, Deed},
    app::App,
    clock,
    compute::Asker,
    game::{Command, Refusal},
    identity::Visitor,
    ids::{CommandId, GameId, PlayerId},
    limits::MAX_OPEN_ROOMS,
    live::Request,
    protocol::{GamePage, GameSummary, NewRoom, Player, Seats, Status},
    store::InvalidCursor,
};

/// Of each player only one request at a time counts the open rooms and makes another. The locks are shared by all
/// players, so that there are never more of them.
#[derive(Clone, Debug)]
pub(crate) struct RoomLocks(Arc<[Mutex<()>; Self::COUNT]>);

impl RoomLocks {
    const COUNT: usize = 64;

    async fn lock(&self, player: PlayerId) -> MutexGuard<'_, ()> {
        let place = player.uuid().as_u128() % Self::COUNT as u128;
        self.0[place as usize].lock().await
    }
}

impl Default for RoomLocks {
    fn default() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Mutex::default())))
    }
}

/// `GET /api/rooms`: the open public rooms whose makers are here.
pub(super) async fn list(
    State(app): State<App>,
    query: Result<Query<PageQuery>, QueryRejection>,
) -> Result<Json<GamePage>, Problem> {
    let Query(PageQuery { before, limit }) = query?;
    let before = before.map(|game| game.parse()).transpose().map_err(|_| InvalidCursor)?;
    let (games, are_more) = app.lobby.rooms(before, limit.get() as usize);
    let next = games.last().filter(|_| are_more).map(|game| game.id.to_string());
    Ok(Json(GamePage { games, next }))
}

/// `POST /api/rooms`: a new room.
pub(super) async fn create(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    body: Result<Json<NewRoom>, JsonRejection>,
) -> Result<impl IntoResponse, Problem> {
    let Json(room) = body?;
    if app.load.is_too_much() {
        return Err(Problem::overloaded());
    }
    refuse_fast(&app, client, Deed::Room)?;
    if app.presence.see(player.id) {
        app.welcome(player.id).await;
    }
    // A task of its own: a visitor who does not wait for the answer must not let go of the lock before the room counts.
    let tasks = app.connections.clone();
    let made = make(app, room, player, client);
    let summary = tasks.spawn(made).await.map_err(|_| Problem::unavailable())??;
    Ok((StatusCode::CREATED, Json(summary)))
}

async fn make(app: App, room: NewRoom, player: Player, client: Client) -> Result<GameSummary, Problem> {
    let _lock = app.room_locks.lock(player.id).await;
    if app.store.count_open_rooms(player.id).await? >= MAX_OPEN_ROOMS {
        let detail = format!("you have {MAX_OPEN_ROOMS} open rooms: close one, or wait until one is joined");
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_rooms", detail));
    }
    let asker = Asker::player(client.address, player.id);
    Ok(app.games.create(room, player, Seed::new(rand::random()), asker).await?)
}

/// `POST /api/rooms/{id}/join`: takes the free seat.
pub(super) async fn join(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Json<GameSummary>, Problem> {
    let Path(game) = id?;
    let who = player.id;
    refuse_blocked(&app, who, game).await?;
    let command = Command::Join { coin: rand::random() };
    let joined = app.games.command(game, request(player, client, command)).await;
    let summary = app.store.game(game).await?.ok_or(Refusal::UnknownGame)?;
    let sits = |seats: &Seats| seats.first.id == who || seats.second.id == who;
    match joined {
        // The answer to a first try may have been lost on its way.
        Err(Refusal::RoomTaken) if summary.seats.as_ref().is_some_and(sits) => Ok(Json(summary)),
        Err(refusal) => Err(refusal.into()),
        Ok(_) => Ok(Json(summary)),
    }
}

async fn refuse_blocked(app: &App, who: PlayerId, game: GameId) -> Result<(), Problem> {
    let room = app.store.game(game).await?.filter(|room| room.status == Status::Open);
    match room {
        Some(room) if app.store.is_blocked_between(who, room.creator.id).await? => {
            Err(Refusal::Blocked.into())
        }
        Some(_) | None => Ok(()),
    }
}

/// `DELETE /api/rooms/{id}`: closes a room that nobody has joined.
pub(super) async fn cancel(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let Path(game) = id?;
    app.games.command(game, request(player, client, Command::Cancel)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A request over HTTP is not repeated by those who send it, so its command id is made here.
fn request(who: Player, client: Client, command: Command) -> Request {
    let id = CommandId::try_from(Uuid::now_v7().to_string()).expect("a UUID's text is a command id");
    let asker = Asker::player(client.address, who.id);
    Request { id, who, asker, command, received_ms: clock::now_ms() }
}
