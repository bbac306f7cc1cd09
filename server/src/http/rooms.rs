use axum::{Extension, extract::State, http::StatusCode, response::IntoResponse};
use engine::Seed;
use game::{
    Command, Player, Seats, Status,
    ids::{CommandId, GameId, PlayerId},
};
use protocol::{
    Challenges, GamePage, GameSummary, InvitedBot, Nack, NewRoom, NewTable, PageQuery,
    ProblemCode::{
        Blocked, InvalidBody, NotForYou, NotYours, OwnChallenge, OwnRoom, RoomCancelled, RoomLeft, RoomTaken,
        TooManyChallenges, TooManyLists, UnknownGame, UnknownPlayer,
    },
};
use store::{GameRow, InvalidCursor, List, MAX_CHALLENGES_TO, Paging};
use tracing::debug;

use super::{
    Problem,
    client::refuse_fast,
    describe::{
        OF_BEGINNING, OF_BODIES, OF_CHANGES, OF_COMMANDS, OF_FIELDS, OF_QUERIES, OF_SESSIONS, OF_STARTS,
        problems,
    },
    extract::{Json, Path, Query},
};
use crate::{
    compute::Requester,
    env::Env,
    identity::Visitor,
    live::{Beginner, Games, Request, RoomError},
    net::{
        address::{Client, LimitedAction, LimitedResource},
        limits::MAX_UNDER_WAY,
    },
    state::App,
};

problems!(ListProblems: OF_QUERIES);

/// The open public rooms whose makers are present.
#[utoipa::path(
    get,
    path = "/rooms",
    tag = "rooms",
    operation_id = "list_rooms",
    params(PageQuery),
    responses(
        (status = 200, description = "The page.", body = GamePage),
        ListProblems,
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Query(PageQuery { before, limit }): Query<PageQuery>,
) -> Result<Json<GamePage>, Problem> {
    let before = before.map(|game| game.parse()).transpose().map_err(|_| InvalidCursor)?;
    refuse_fast(&app, client, LimitedAction::List)?;
    let (games, are_more) = app.lobby.rooms(before, limit.get() as usize);
    let next = games.last().filter(|_| are_more).map(|game| game.id.to_string());
    Ok(Json(GamePage { games, next }))
}

problems!(
    CreateProblems: OF_BEGINNING, OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, OF_STARTS,
    &[Blocked, NotForYou, OwnChallenge, RoomCancelled, RoomTaken, TooManyChallenges, UnknownGame, UnknownPlayer],
);

/// A new room. With `for` it is a challenge: only this player may join it, or decline. With `answers` it is a counter-offer: it
/// takes the place of a challenge of that player to the visitor.
#[utoipa::path(
    post,
    path = "/rooms",
    tag = "rooms",
    operation_id = "create_room",
    request_body = NewRoom,
    responses(
        (status = 201, description = "The room.", body = GameSummary),
        CreateProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn create(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Json(room): Json<NewRoom>,
) -> Result<impl IntoResponse, Problem> {
    if let Some(answered) = room.answers {
        refuse_answered(&app, player.id, &room, answered).await?;
    }
    let (env, requester) = (app.env.clone(), Requester::player(client.address, player.id));
    make(app, client, player, move |games, maker, seed| async move {
        let (who, answers) = (maker.player.clone(), room.answers);
        let row = games.create(room, maker, seed).await?;
        if let Some(answered) = answers {
            let command = Command::Decline { counter: Some(row.id) };
            // It may have been closed or accepted meanwhile: the counter-offer then stands beside it.
            if let Err(refusal) = games.command(answered, request(&env, who, requester, command)).await {
                debug!(%answered, ?refusal, "rooms: a challenge was not closed by its counter-offer");
            }
        }
        Ok(row)
    })
    .await
}

/// Verifies that a challenge waits for the visitor's answer, and that this room is for its maker.
async fn refuse_answered(app: &App, who: PlayerId, room: &NewRoom, answered: GameId) -> Result<(), Problem> {
    let challenge = app.store.game(answered).await?.ok_or(Nack::UnknownGame)?;
    if challenge.challenged != Some(who) {
        return Err(NotForYou.into());
    }
    if room.challenged != Some(challenge.creator) {
        let detail =
            format!("for: expected {}, who made the challenge that this room answers", challenge.creator);
        return Err(Problem::new(InvalidBody, detail));
    }
    match challenge.status {
        Status::Open => Ok(()),
        Status::Cancelled => Err(Nack::RoomCancelled.into()),
        Status::Playing | Status::Finished | Status::Aborted => Err(Nack::RoomTaken.into()),
    }
}

problems!(MakeProblems: OF_BEGINNING, OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, OF_STARTS);

/// A new game of two people at one screen.
#[utoipa::path(
    post,
    path = "/tables",
    tag = "rooms",
    operation_id = "create_table",
    request_body = NewTable,
    responses(
        (status = 201, description = "The game.", body = GameSummary),
        MakeProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn create_table(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Json(table): Json<NewTable>,
) -> Result<impl IntoResponse, Problem> {
    make(
        app,
        client,
        player,
        |games, maker, seed| async move { games.create_table(table, maker, seed).await },
    )
    .await
}

/// Makes a room or a game for a player who counts as present from now on.
async fn make<Made>(
    app: App,
    client: Client,
    player: Player,
    made: impl FnOnce(Games, Beginner, Seed) -> Made,
) -> Result<impl IntoResponse, Problem>
where
    Made: Future<Output = Result<GameRow, RoomError>> + Send + 'static,
{
    if app.load.is_too_much() {
        return Err(Problem::overloaded());
    }
    if app.presence.see(player.id, client.address) {
        app.welcome(player.id).await;
    }
    // If the visitor disconnects, the admission must be held until the game is stored.
    let making = made(app.games.clone(), Beginner { player, address: client.address }, app.env.seed());
    let row = app.complete(making).await??;
    Ok((StatusCode::CREATED, Json(app.summary(row).await?)))
}

problems!(JoinProblems: OF_BEGINNING, OF_CHANGES, OF_COMMANDS, OF_SESSIONS, &[Blocked, NotForYou, OwnRoom, RoomLeft]);

/// Takes the free seat of a room.
#[utoipa::path(
    post,
    path = "/rooms/{id}/join",
    tag = "rooms",
    operation_id = "join_room",
    params(("id" = inline(GameId), Path, description = "Id of the room, which is the game's.")),
    responses(
        (status = 200, description = "The game, in which the visitor has a seat.", body = GameSummary),
        JoinProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn join(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(game): Path<GameId>,
) -> Result<Json<GameSummary>, Problem> {
    let who = player.id;
    refuse_blocked(&app, who, game).await?;
    let command = Command::Join { coin: app.env.random() };
    let requester = Requester::player(client.address, who);
    let joined = app.games.command(game, request(&app.env, player, requester, command)).await;
    let row = app.store.game(game).await?.ok_or(Nack::UnknownGame)?;
    let sits = |seats: &Seats| seats.first == who || seats.second == who;
    match joined {
        // The answer to an earlier attempt may have been lost.
        Err(Nack::RoomTaken) if row.seats.as_ref().is_some_and(sits) => Ok(Json(app.summary(row).await?)),
        Err(refusal) => Err(refusal.into()),
        Ok(_) => Ok(Json(app.summary(row).await?)),
    }
}

problems!(InviteProblems: OF_BEGINNING, OF_BODIES, OF_CHANGES, OF_COMMANDS, OF_FIELDS, OF_SESSIONS, &[NotForYou, NotYours]);

/// Seats a bot in a room of the visitor's, whose game begins at once.
#[utoipa::path(
    post,
    path = "/rooms/{id}/bot",
    tag = "rooms",
    operation_id = "invite_bot",
    params(("id" = inline(GameId), Path, description = "Id of the room, which is the game's.")),
    request_body = InvitedBot,
    responses(
        (status = 200, description = "The game, in which a bot has a seat.", body = GameSummary),
        InviteProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn invite_bot(
    State(app): State<App>,
    Visitor(player): Visitor,
    Path(game): Path<GameId>,
    Json(InvitedBot { level }): Json<InvitedBot>,
) -> Result<Json<GameSummary>, Problem> {
    if app.load.is_too_much() {
        return Err(Problem::overloaded());
    }
    let room = app.store.game(game).await?.ok_or(Nack::UnknownGame)?;
    if room.creator != player.id {
        return Err(NotYours.into());
    }
    let bot = level.player();
    let command = Command::Join { coin: app.env.random() };
    let joined = app.games.command(game, request(&app.env, bot.clone(), Requester::SERVER, command)).await;
    let row = app.store.game(game).await?.ok_or(Nack::UnknownGame)?;
    match joined {
        // The answer to an earlier attempt may have been lost.
        Err(Nack::RoomTaken) if row.is_of(bot.id) => Ok(Json(app.summary(row).await?)),
        Err(refusal) => Err(refusal.into()),
        Ok(_) => Ok(Json(app.summary(row).await?)),
    }
}

async fn refuse_blocked(app: &App, who: PlayerId, game: GameId) -> Result<(), Problem> {
    let room = app.store.game(game).await?.filter(|room| room.status == Status::Open);
    let Some(room) = room else { return Ok(()) };
    match app.store.blocked_among(who, &[room.creator]).await?[..] {
        [] => Ok(()),
        [..] => Err(Nack::Blocked.into()),
    }
}

problems!(CancelProblems: OF_CHANGES, OF_COMMANDS, OF_SESSIONS, &[NotYours]);

/// Closes a room that no player has joined.
#[utoipa::path(
    delete,
    path = "/rooms/{id}",
    tag = "rooms",
    operation_id = "close_room",
    params(("id" = inline(GameId), Path, description = "Id of the room, which is the game's.")),
    responses(
        (status = 204, description = "The room is closed."),
        CancelProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn cancel(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(game): Path<GameId>,
) -> Result<StatusCode, Problem> {
    let requester = Requester::player(client.address, player.id);
    app.games.command(game, request(&app.env, player, requester, Command::Cancel)).await?;
    Ok(StatusCode::NO_CONTENT)
}

problems!(DeclineProblems: OF_CHANGES, OF_COMMANDS, OF_SESSIONS, &[NotForYou]);

/// Declines a challenge, whose room is closed.
#[utoipa::path(
    post,
    path = "/rooms/{id}/decline",
    tag = "rooms",
    operation_id = "decline_challenge",
    params(("id" = inline(GameId), Path, description = "Id of the room, which is the game's.")),
    responses(
        (status = 204, description = "The room is closed."),
        DeclineProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn decline(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(game): Path<GameId>,
) -> Result<StatusCode, Problem> {
    let requester = Requester::player(client.address, player.id);
    app.games.command(game, request(&app.env, player, requester, Command::Decline { counter: None })).await?;
    Ok(StatusCode::NO_CONTENT)
}

problems!(ChallengesProblems: OF_QUERIES, OF_SESSIONS, &[TooManyLists]);

/// The open challenges to the visitor and by the visitor.
#[utoipa::path(
    get,
    path = "/challenges",
    tag = "rooms",
    operation_id = "list_challenges",
    responses(
        (status = 200, description = "The challenges.", body = Challenges),
        ChallengesProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn challenges(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
) -> Result<Json<Challenges>, Problem> {
    refuse_fast(&app, client, LimitedAction::List)?;
    let _place =
        app.addresses.open(client.address, LimitedResource::List).map_err(Problem::too_many_lists)?;
    let all = Paging { before: None, limit: MAX_UNDER_WAY + MAX_CHALLENGES_TO };
    let mut games = app.store.list(List::UnfinishedGamesOf(player.id), all).await?.games;
    games.retain(|game| game.status == Status::Open && game.challenged.is_some());
    let (sent, received) = games.into_iter().partition(|game| game.creator == player.id);
    Ok(Json(Challenges { received: app.summaries(received).await?, sent: app.summaries(sent).await? }))
}

/// Makes a command with an id of its own: HTTP requests carry none.
fn request(env: &Env, who: Player, requester: Requester, command: Command) -> Request {
    let id = CommandId::try_from(env.id().to_string()).expect("a UUID's text is a command id");
    Request { id, who, requester, command, received_ms: env.now_ms(), over_budget: None }
}
