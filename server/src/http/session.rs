use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::IntoResponse,
};
use axum_extra::extract::cookie::CookieJar;
use game::Player;
use protocol::{Rename, Session};
use store::{SessionChange, WriteError};

use super::{
    Problem,
    client::refuse_fast,
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::Json,
};
use crate::{
    identity::{self, Carried, Token, Visitor},
    net::address::{Client, LimitedAction},
    state::App,
};

problems!(OpenProblems: OF_CHANGES);

/// The visitor's session; a visitor without one gets a new guest.
///
/// The cookie is sent again each time, since browsers limit its age.
#[utoipa::path(
    post,
    path = "/session",
    tag = "session",
    operation_id = "open_session",
    responses(
        (status = 200, description = "The session.", body = Session,
            headers(("set-cookie" = String, description = "The session cookie."))),
        OpenProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn open(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let carried = Carried::by(&headers, client);
    let mut jar = CookieJar::new();
    if matches!(carried, Carried::Plain(_)) {
        jar = jar.add(identity::plain_removal());
    }
    let found = match carried {
        Carried::Token(token) => identity::player(&app, &token).await?.map(|player| (player, token)),
        Carried::Plain(token) => copied(&app, client, &token).await?,
        Carried::Nothing => None,
    };
    let (player, token) = match found {
        Some(found) => found,
        None => {
            refuse_fast(&app, client, LimitedAction::Session)?;
            identity::new_guest(&app).await?
        }
    };
    Ok((jar.add(token.cookie(client)), Json(Session { player: player.into() })))
}

/// Returns the player of a session with a new token, since the old one may have leaked. The old token ends a day later:
/// if this answer is lost, or another tab sends the same request, the player stays the same.
async fn copied(app: &App, client: Client, token: &Token) -> Result<Option<(Player, Token)>, Problem> {
    let Some(player) = identity::player(app, token).await? else { return Ok(None) };
    refuse_fast(app, client, LimitedAction::Session)?;
    Ok(Some(identity::copy(app, token, player).await?))
}

problems!(RenameProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS);

/// Renames the player, also for the sockets that are open.
///
/// Games that have begun keep the name that they began with.
#[utoipa::path(
    patch,
    path = "/session",
    tag = "session",
    operation_id = "rename",
    request_body = Rename,
    responses(
        (status = 200, description = "The session.", body = Session),
        RenameProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn rename(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    request: Request,
) -> Result<Json<Session>, Problem> {
    // Before the name is parsed, which takes work.
    refuse_fast(&app, client, LimitedAction::Name)?;
    let Json(Rename { name }) = Json::from_request(request, &app).await?;
    let (writer, presence) = (app.writer.clone(), app.presence.clone());
    let renaming = async move {
        let player = writer.rename(player.id, name.into_inner()).await?;
        presence.rename(&player);
        Ok::<_, WriteError>(player)
    };
    let player = app.complete(renaming).await??;
    Ok(Json(Session { player: player.into() }))
}

problems!(EndProblems: OF_CHANGES);

/// Ends all sessions of the guest, who has one browser, and its sockets.
///
/// The guest cannot be used any more.
#[utoipa::path(
    delete,
    path = "/session",
    tag = "session",
    operation_id = "end_session",
    responses(
        (status = 204, description = "The visitor has no session.",
            headers(("set-cookie" = String, description = "Removes the session cookie."))),
        EndProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn end(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    if let Carried::Token(token) | Carried::Plain(token) = Carried::by(&headers, client)
        && let Some(player) = identity::player(&app, &token).await?
    {
        let (writer, presence) = (app.writer.clone(), app.presence.clone());
        let ending = async move {
            writer.change_session(SessionChange::Ended { player: player.id }).await?;
            presence.sign_out(player.id);
            Ok::<_, WriteError>(())
        };
        app.complete(ending).await??;
    }
    let jar = identity::removals().into_iter().fold(CookieJar::new(), CookieJar::add);
    Ok((StatusCode::NO_CONTENT, jar))
}
