//! Identity of visitors. A visitor is a player, proved by a random token in a cookie: a guest, or an account that has
//! signed in.

mod accounts;
mod cookie;
mod label;
mod passkeys;
mod session;

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::request::Parts,
};
use game::Player;
use protocol::ProblemCode;

pub(crate) use self::{
    accounts::{
        NewSession, ask_for_mail, close, confirm_mail, new_link, prove, recover, recover_by_link, register,
        remove_mail, rename, set_code, set_mail_recovery, set_notices, set_password, sign_in, unsubscribe,
    },
    cookie::{HOST_COOKIE, PLAIN_COOKIE, SessionCookies, Token},
    passkeys::{
        add_passkey, begin_new_passkey, begin_proof, begin_sign_in, name_passkey, prove_by_passkey,
        remove_passkey, sign_in_by_passkey,
    },
    session::{Found, copy, new_guest, unused_since_ms},
};
use crate::{net::address::Client, problem::Problem, state::App};

/// The player who sent a request, proved by the cookie.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub Player);

/// The session of a request, proved by the cookie.
#[derive(Clone, Debug)]
pub(crate) struct CurrentSession(pub(crate) Found);

impl OptionalFromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        Ok(proved(parts, app).await?.map(|found| Self(found.session.player)))
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let visitor = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        visitor.ok_or_else(|| ProblemCode::NoSession.into())
    }
}

impl FromRequestParts<App> for CurrentSession {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        proved(parts, app).await?.map(Self).ok_or_else(|| ProblemCode::NoSession.into())
    }
}

async fn proved(parts: &Parts, app: &App) -> Result<Option<Found>, Problem> {
    let Some(client) = parts.extensions.get::<Client>().copied() else { return Ok(None) };
    Ok(SessionCookies::by(&parts.headers, client, app.origin.as_ref()).proved(app).await?)
}
