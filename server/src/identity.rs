//! Who somebody is. A visitor is a guest with a name; what proves it is a random token in a cookie, of which the
//! store has only a hash.

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::request::Parts,
};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use uuid::Uuid;

use crate::{
    app::App,
    clock,
    http::Problem,
    ids::{PlayerId, PlayerName},
    protocol::Player,
    store::{TokenHash, WriteError, Writer},
};

/// The cookie that holds a session's token.
pub(crate) const COOKIE: &str = "towers_session";

/// Bytes of a token.
const TOKEN: usize = 32;

/// Makes a guest with a first session, and the cookie that proves it.
///
/// # Errors
/// The store did not take it.
pub(crate) async fn new_guest(writer: &Writer) -> Result<(Player, Cookie<'static>), WriteError> {
    let token: [u8; TOKEN] = rand::random();
    let number: u16 = rand::random_range(1000..10_000);
    let name = PlayerName::try_from(format!("Guest {number}")).expect("a word and a number are a name");
    let player = Player { id: PlayerId::new(Uuid::now_v7()), name };
    writer.create_player(player.clone(), TokenHash::of(&token), clock::now_ms()).await?;
    Ok((player, cookie(&BASE64_URL_SAFE_NO_PAD.encode(token))))
}

/// The cookie that keeps a session's token: scripts cannot read it, and other sites cannot have it sent.
pub(crate) fn cookie(token: &str) -> Cookie<'static> {
    Cookie::build((COOKIE, token.to_owned()))
        .http_only(true)
        .same_site(SameSite::Lax)
        .path("/")
        .permanent()
        .build()
}

/// The player who sent a request, proved by the cookie.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub Player);

impl OptionalFromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let jar = CookieJar::from_headers(&parts.headers);
        let Some(token) =
            jar.get(COOKIE).and_then(|cookie| BASE64_URL_SAFE_NO_PAD.decode(cookie.value()).ok())
        else {
            return Ok(None);
        };
        let player = app.store.player_by_token(&TokenHash::of(&token)).await?;
        Ok(player.map(Self))
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let visitor = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        visitor.ok_or_else(Problem::no_session)
    }
}
