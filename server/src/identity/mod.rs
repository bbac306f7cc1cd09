//! Identity of visitors. A visitor is a guest with a name, proved by a random token in a cookie.

mod cookie;
mod session;

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::request::Parts,
};
use game::Player;
use protocol::ProblemCode;

pub(crate) use self::{
    cookie::{HOST_COOKIE, PLAIN_COOKIE, SessionCookies, Token},
    session::{Found, copy, new_guest, unused_since_ms},
};
use crate::{net::address::Client, problem::Problem, state::App};

/// The player who sent a request, proved by the cookie.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub Player);

impl OptionalFromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let Some(client) = parts.extensions.get::<Client>().copied() else { return Ok(None) };
        let carried = SessionCookies::by(&parts.headers, client, app.origin.as_ref());
        Ok(carried.proved(app).await?.map(|found| Self(found.player)))
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let visitor = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        visitor.ok_or_else(|| ProblemCode::NoSession.into())
    }
}
