use axum::{
    Extension, Json,
    extract::{State, rejection::JsonRejection},
    response::IntoResponse,
};
use axum_extra::extract::cookie::{Cookie, CookieJar};

use super::{Problem, client::refuse_fast};
use crate::{
    address::{Client, Deed},
    app::App,
    identity::{self, Visitor},
    protocol::{Rename, Session},
};

/// `POST /api/session`: who the visitor is; a visitor without a session gets one. The cookie is given again each
/// time, since browsers keep none for ever.
pub(super) async fn open(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    visitor: Option<Visitor>,
    jar: CookieJar,
) -> Result<impl IntoResponse, Problem> {
    let (player, cookie) = match (visitor, jar.get(identity::COOKIE)) {
        (Some(Visitor(player)), Some(kept)) => {
            app.visits.note(player.id);
            (player, identity::cookie(kept.value()))
        }
        _ => {
            refuse_fast(&app, client, Deed::Session)?;
            identity::new_guest(&*app.store).await?
        }
    };
    // What came by HTTPS is kept for HTTPS.
    let cookie = Cookie::build(cookie).secure(client.is_https);
    Ok((jar.add(cookie), Json(Session { player })))
}

/// `PATCH /api/session`: another name, also for what is said and begun over the sockets that are open. Games that
/// have begun keep the one they began with.
pub(super) async fn rename(
    State(app): State<App>,
    Visitor(player): Visitor,
    body: Result<Json<Rename>, JsonRejection>,
) -> Result<Json<Session>, Problem> {
    let Json(Rename { name }) = body?;
    let player = app.store.rename(player.id, &name).await?.ok_or_else(Problem::no_session)?;
    app.presence.rename(&player);
    Ok(Json(Session { player }))
}
