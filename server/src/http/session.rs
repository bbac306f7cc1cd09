use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode, Uri, header},
    response::{AppendHeaders, IntoResponse},
};
use game::Player;
use protocol::{Rename, Session};
use store::{SessionChange, WriteError};

use super::{
    Problem,
    client::{count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::Json,
    pages::language,
};
use crate::{
    identity::{self, Found, SessionCookies, Token, Visitor},
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
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
    uri: Uri,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let carried = SessionCookies::by(&headers, client, app.origin.as_ref());
    let mut cookies = Vec::new();
    let (player, token) = if let Some(Found { player, token, .. }) = carried.proved(&app).await? {
        (player, token)
    } else if let Some(found) = carried.plain(&app).await? {
        cookies.push(found.cookie.removal());
        copied(&app, client, found).await?
    } else {
        refuse_fast(&app, client, LimitedAction::Session)?;
        count_stored(&app, client, price::GUEST)?;
        identity::new_guest(&app, language(&uri, &headers)).await?
    };
    cookies.push(carried.own().set(&token));
    let cookies = AppendHeaders(cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((cookies, Json(Session { player: player.into() })))
}

/// Returns the player of a session with a new token, since the old one may have leaked. The old token ends a day later:
/// if this answer is lost, or another tab sends the same request, the player stays the same.
async fn copied(app: &App, client: Client, found: Found) -> Result<(Player, Token), Problem> {
    refuse_fast(app, client, LimitedAction::Session)?;
    Ok(identity::copy(app, &found.token, found.player).await?)
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

/// Signs the guest out everywhere and closes its sockets.
///
/// The guest cannot be recovered.
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
    let carried = SessionCookies::by(&headers, client, app.origin.as_ref());
    let found = match carried.proved(&app).await? {
        Some(found) => Some(found),
        None => carried.plain(&app).await?,
    };
    if let Some(Found { player, .. }) = &found {
        let (writer, presence, player) = (app.writer.clone(), app.presence.clone(), player.id);
        let ending = async move {
            writer.change_session(SessionChange::Ended { player }).await?;
            presence.sign_out(player);
            Ok::<_, WriteError>(())
        };
        app.complete(ending).await??;
    }
    let removals = carried.removals(found.map(|found| found.cookie)).into_iter();
    let cookies = AppendHeaders(removals.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((StatusCode::NO_CONTENT, cookies))
}
