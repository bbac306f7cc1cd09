use axum::{
    Extension, Json,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::IntoResponse,
};
use axum_extra::extract::cookie::CookieJar;

use super::{Problem, client::refuse_fast};
use crate::{
    address::{Client, Deed},
    app::App,
    clock,
    identity::{self, Carried, Token, Visitor},
    protocol::{Player, Rename, Session},
    store::SessionChange,
};

/// `POST /api/session`: who the visitor is; a visitor without a session gets one. The cookie is given again each
/// time, since browsers keep none for ever.
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
        Carried::Token(token) => known(&app, token).await?,
        Carried::Plain(token) => replaced(&app, client, &token).await?,
        Carried::Nothing => None,
    };
    let (player, token) = match found {
        Some(found) => {
            app.visits.note(found.0.id);
            found
        }
        None => {
            refuse_fast(&app, client, Deed::Session)?;
            identity::new_guest(&app.writer).await?
        }
    };
    Ok((jar.add(token.cookie(client)), Json(Session { player })))
}

/// Whose session has the token; it counts as used.
async fn known(app: &App, token: Token) -> Result<Option<(Player, Token)>, Problem> {
    let Some(session) = identity::session(&*app.store, &token).await? else { return Ok(None) };
    let now_ms = clock::now_ms();
    if identity::is_used_again(&session, now_ms) {
        app.writer.change_session(SessionChange::Used { token: token.hash(), now_ms }).await?;
    }
    Ok(Some((session.player, token)))
}

/// Has a session go on under a new token, since others may know the one that it had.
async fn replaced(app: &App, client: Client, token: &Token) -> Result<Option<(Player, Token)>, Problem> {
    if identity::session(&*app.store, token).await?.is_none() {
        return Ok(None);
    }
    refuse_fast(app, client, Deed::Session)?;
    let by = Token::new();
    app.writer.change_session(SessionChange::Replaced { token: token.hash(), by: by.hash() }).await?;
    // Another request may have replaced it in the same moment.
    known(app, by).await
}

/// `PATCH /api/session`: another name, also for what is said and begun over the sockets that are open. Games that
/// have begun keep the one they began with.
pub(super) async fn rename(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    request: Request,
) -> Result<Json<Session>, Problem> {
    // Before the name is read: to tell whether a text is one takes work.
    refuse_fast(&app, client, Deed::Name)?;
    let Json(Rename { name }) = Json::from_request(request, &app).await?;
    let player = app.writer.rename(player.id, name.into_inner()).await?;
    app.presence.rename(&player);
    Ok(Json(Session { player }))
}

/// `DELETE /api/session`: ends the session of this browser and its sockets. Nobody can act as its guest any more.
pub(super) async fn end(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    if let Carried::Token(token) | Carried::Plain(token) = Carried::by(&headers, client)
        && let Some(session) = identity::session(&*app.store, &token).await?
    {
        app.writer.change_session(SessionChange::Ended { token: token.hash() }).await?;
        app.presence.sign_out(session.player.id);
    }
    let jar = identity::removals().into_iter().fold(CookieJar::new(), CookieJar::add);
    Ok((StatusCode::NO_CONTENT, jar))
}
