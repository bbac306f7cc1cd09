use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{AppendHeaders, IntoResponse},
};
use game::ids::SessionId;
use protocol::{OwnSession, ProblemCode::NoSuchResource, Sessions};
use store::{EndedSessions, StoreError};

use super::{
    Problem,
    describe::{OF_CHANGES, OF_SESSIONS, problems},
    extract::{Json, Path},
    session::end_sessions,
};
use crate::{
    identity::{CurrentSession, Found, SessionCookies, unused_since_ms},
    net::address::Client,
    state::App,
};

problems!(ListProblems: OF_SESSIONS);

/// The visitor's sessions.
#[utoipa::path(
    get,
    path = "/sessions",
    tag = "session",
    operation_id = "list_sessions",
    responses(
        (status = 200, description = "The sessions, the last used first.", body = Sessions),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn list(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
) -> Result<Json<Sessions>, Problem> {
    Ok(Json(Sessions { sessions: of(&app, &found).await? }))
}

/// Returns the sessions of the player of a session.
pub(super) async fn of(app: &App, found: &Found) -> Result<Vec<OwnSession>, StoreError> {
    let unused_since_ms = unused_since_ms(app.env.now_ms());
    let sessions = app.store.sessions_of(found.session.player.id, unused_since_ms).await?;
    let own = |session: store::OwnSession| OwnSession {
        id: session.id,
        label: session.label,
        created_ms: session.created_ms,
        used_ms: session.used_ms,
        is_current: session.id == found.session.id,
    };
    Ok(sessions.into_iter().map(own).collect())
}

problems!(EndProblems: OF_CHANGES, OF_SESSIONS, &[NoSuchResource]);

/// Ends one of the visitor's sessions and closes its sockets.
#[utoipa::path(
    delete,
    path = "/sessions/{id}",
    tag = "session",
    operation_id = "end_one_session",
    params(("id" = inline(SessionId), Path, description = "Id of the session.")),
    responses(
        (status = 204, description = "The session has ended."),
        EndProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn end(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
    Path(session): Path<SessionId>,
) -> Result<StatusCode, Problem> {
    let player = found.session.player.id;
    if !app.store.sessions_among(&[player]).await?.contains(&(player, session)) {
        return Err(NoSuchResource.into());
    }
    end_sessions(&app, (player, EndedSessions::One(session))).await?;
    Ok(StatusCode::NO_CONTENT)
}

problems!(EndAllProblems: OF_CHANGES, OF_SESSIONS);

/// Ends all sessions of the visitor, this one too, and closes their sockets.
#[utoipa::path(
    delete,
    path = "/sessions",
    tag = "session",
    operation_id = "end_all_sessions",
    responses(
        (status = 204, description = "The visitor has no session.",
            headers(("set-cookie" = String, description = "Removes the session cookie."))),
        EndAllProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn end_all(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(Found { session, cookie, .. }): CurrentSession,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    end_sessions(&app, (session.player.id, EndedSessions::All)).await?;
    let removals = SessionCookies::by(&headers, client, app.origin.as_ref()).removals(Some(cookie));
    let cookies = AppendHeaders(removals.into_iter().map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((StatusCode::NO_CONTENT, cookies))
}
