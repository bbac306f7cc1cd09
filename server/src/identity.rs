//! Identity of visitors. A visitor is a guest with a name, proved by a random token in a cookie; the store has only a
//! hash of it.

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::{HeaderMap, request::Parts},
};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use game::{
    Player,
    ids::{PlayerId, PlayerName},
};
use protocol::ProblemCode;
use store::{Session, SessionChange, StoreError, TokenHash, WriteError};
use tracing::debug;

use crate::{env::Env, net::address::Client, problem::Problem, state::App};

/// Name of the session cookie over plain HTTP.
pub(crate) const PLAIN_COOKIE: &str = "towers_session";

/// Name of the session cookie over HTTPS. Browsers accept the prefix `__Host-` only over HTTPS, for the whole site and
/// from the host itself, so that no other host of the domain can plant it.
pub(crate) const HOST_COOKIE: &str = "__Host-towers_session";

/// Bytes of a token.
const TOKEN: usize = 32;

/// Lifetime of a session after its last use. It is the longest that browsers keep a cookie.
const UNUSED_FOR_MS: i64 = 400 * DAY_MS;

/// The last part of a session's lifetime, in which uses do not prolong it. A copied session has this time left, in
/// which a lost answer can be requested again.
const ENDING_FOR_MS: i64 = DAY_MS;

/// Age of the stored time of last use at which it is written again.
const USED_AGAIN_AFTER_MS: i64 = DAY_MS;

const DAY_MS: i64 = 86_400_000;

/// Secret that proves a visitor's identity.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(Vec<u8>);

/// The token that a request carries.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Carried {
    Nothing,
    /// From the cookie that matches the connection.
    Token(Token),
    /// From the cookie for plain HTTP, though the request came over HTTPS: it may be of an older release, or planted.
    /// It proves nothing, but can be exchanged for a new token of the same player.
    Plain(Token),
}

impl Token {
    /// Returns a random token.
    pub(crate) fn new(env: &Env) -> Self {
        Self(env.random::<[u8; TOKEN]>().into())
    }

    fn parse(cookie: &str) -> Option<Self> {
        BASE64_URL_SAFE_NO_PAD.decode(cookie).ok().map(Self)
    }

    /// The hash of the token, which the store keeps.
    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }

    /// Returns the session cookie. Scripts cannot read it, and requests from other sites do not carry it.
    pub(crate) fn cookie(&self, client: Client) -> Cookie<'static> {
        let name = if client.is_https { HOST_COOKIE } else { PLAIN_COOKIE };
        cookie(name, BASE64_URL_SAFE_NO_PAD.encode(&self.0))
    }
}

impl Carried {
    /// Reads the token from the cookies of a request.
    pub(crate) fn by(headers: &HeaderMap, client: Client) -> Self {
        let jar = CookieJar::from_headers(headers);
        let token = |cookie: &Cookie<'_>| Token::parse(cookie.value());
        match (jar.get(HOST_COOKIE), jar.get(PLAIN_COOKIE).and_then(token)) {
            (Some(cookie), _) => token(cookie).map_or(Self::Nothing, Self::Token),
            (None, Some(token)) if client.is_https => Self::Plain(token),
            (None, Some(token)) => Self::Token(token),
            (None, None) => Self::Nothing,
        }
    }
}

/// Returns cookies that remove a session from the browser.
pub(crate) fn removals() -> [Cookie<'static>; 2] {
    [HOST_COOKIE, PLAIN_COOKIE].map(removal)
}

/// Returns the cookie that removes the one for plain HTTP.
pub(crate) fn plain_removal() -> Cookie<'static> {
    removal(PLAIN_COOKIE)
}

fn removal(name: &'static str) -> Cookie<'static> {
    let mut cookie = cookie(name, String::new());
    cookie.make_removal();
    cookie
}

fn cookie(name: &'static str, value: String) -> Cookie<'static> {
    Cookie::build((name, value))
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(name == HOST_COOKIE)
        .path("/")
        .permanent()
        .build()
}

/// Returns the latest time of last use of sessions that have ended.
pub(crate) const fn unused_since_ms(now_ms: i64) -> i64 {
    now_ms - UNUSED_FOR_MS
}

/// Returns the latest time of last use of sessions that are about to end.
const fn ending_ms(now_ms: i64) -> i64 {
    unused_since_ms(now_ms) + ENDING_FOR_MS
}

/// Returns the player of a token, unless its session has ended. Once a day the use is stored before this returns, so
/// that neither session nor player is deleted meanwhile; a use that cannot be stored is stored with the next request.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn player(app: &App, token: &Token) -> Result<Option<Player>, StoreError> {
    let now_ms = app.env.now_ms();
    let found = app.store.session(&token.hash(), unused_since_ms(now_ms)).await?;
    let Some(Session { player, used_ms }) = found else { return Ok(None) };
    let ending_ms = ending_ms(now_ms);
    if now_ms - used_ms >= USED_AGAIN_AFTER_MS && used_ms > ending_ms {
        let token = token.hash();
        let used = SessionChange::Used { token, player: player.id, now_ms, ending_ms };
        if let Err(error) = app.writer.change_session(used).await {
            debug!(player = %player.id, error = &error as &dyn std::error::Error, "session: last use not stored");
        }
    }
    Ok(Some(player))
}

/// Adds a session with a fresh token for the player of a token. The first session is about to end from then on.
///
/// # Errors
/// The store did not accept it.
pub(crate) async fn copy(app: &App, token: &Token, player: Player) -> Result<(Player, Token), WriteError> {
    let (by, now_ms) = (Token::new(&app.env), app.env.now_ms());
    let (token, ending_ms) = (token.hash(), ending_ms(now_ms));
    let copied = SessionChange::Copied { token, by: by.hash(), player: player.id, now_ms, ending_ms };
    app.writer.change_session(copied).await?;
    Ok((player, by))
}

/// Makes a guest with a first session, and returns its token.
///
/// # Errors
/// The store did not accept it.
pub(crate) async fn new_guest(app: &App) -> Result<(Player, Token), WriteError> {
    let token = Token::new(&app.env);
    let number = 1000 + app.env.random::<u16>() % 9000;
    let name = PlayerName::try_from(format!("Guest {number}")).expect("a word and a number are a name");
    let player = Player { id: PlayerId::new(app.env.id()), name };
    app.writer.create_player(player.clone(), token.hash(), app.env.now_ms()).await?;
    Ok((player, token))
}

/// The player who sent a request, proved by the cookie.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub Player);

impl OptionalFromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let client = parts.extensions.get::<Client>().copied();
        let Some(Carried::Token(token)) = client.map(|client| Carried::by(&parts.headers, client)) else {
            return Ok(None);
        };
        Ok(player(app, &token).await?.map(Self))
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let visitor = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        visitor.ok_or_else(|| ProblemCode::NoSession.into())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    #[test]
    fn a_cookie_proves_no_more_than_its_connection_can() {
        let [host, plain] = [b"by HTTPS", b"by plain"].map(|token| Token(token.to_vec()));
        let client = |is_https| Client { address: std::net::IpAddr::from([127, 0, 0, 1]).into(), is_https };
        let pair = |name: &str, token: &Token| format!("{name}={}", BASE64_URL_SAFE_NO_PAD.encode(&token.0));
        let (both, broken) = (
            format!("{}; {}", pair(PLAIN_COOKIE, &plain), pair(HOST_COOKIE, &host)),
            format!("{HOST_COOKIE}=; {}", pair(PLAIN_COOKIE, &plain)),
        );
        for (cookies, is_https, expected) in [
            ("lang=fr", true, Carried::Nothing),
            (&pair(PLAIN_COOKIE, &plain), false, Carried::Token(plain.clone())),
            (&pair(PLAIN_COOKIE, &plain), true, Carried::Plain(plain)),
            (&pair(HOST_COOKIE, &host), true, Carried::Token(host.clone())),
            (&both, true, Carried::Token(host.clone())),
            (&both, false, Carried::Token(host)),
            (&format!("{PLAIN_COOKIE}=%"), false, Carried::Nothing),
        ] {
            let headers = HeaderMap::from_iter([(header::COOKIE, cookies.parse().unwrap())]);
            assert!(Carried::by(&headers, client(is_https)) == expected, "{cookies} by HTTPS: {is_https}");
        }
        let headers = HeaderMap::from_iter([(header::COOKIE, broken.parse().unwrap())]);
        let carried = Carried::by(&headers, client(true));
        assert!(
            carried == Carried::Token(Token(Vec::new())),
            "a broken one does not give way to a plain one"
        );
    }
}
