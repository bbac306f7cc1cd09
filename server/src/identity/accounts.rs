//! Accounts: signing in by password or recovery code, and what follows a change.

use axum::http::{HeaderMap, HeaderValue};
use game::{
    Player,
    ids::{PlayerId, PlayerName},
};
use protocol::{NewPassword, Password, ProblemCode, RecoveryCode};
use store::{AccountChange, Credentials, EndedSessions, SessionChange, SignIn, TokenHash, WriteError};
use tokio::time::Instant;

use super::{
    cookie::{SessionCookies, Token, UNUSED_FOR_MS},
    label::label,
    session::Found,
};
use crate::{
    credentials::{Attempted, PasswordError},
    net::address::Client,
    problem::Problem,
    state::App,
};

/// The session that a browser gets by signing in, and the one that it leaves.
#[derive(Debug)]
pub(crate) struct NewSession {
    carried: SessionCookies,
    found: Option<Found>,
    token: Token,
    device: Token,
    label: Option<String>,
}

impl NewSession {
    /// Returns a session with a new token for the browser of a request, whose session is `found`.
    pub(crate) fn new(app: &App, headers: &HeaderMap, carried: SessionCookies, found: Option<Found>) -> Self {
        let device = carried.device().cloned().unwrap_or_else(|| Token::new(&app.env));
        Self { carried, found, token: Token::new(&app.env), device, label: label(headers) }
    }

    /// The sessions that the browser leaves.
    fn left(&self) -> Option<(PlayerId, EndedSessions)> {
        self.found.as_ref().map(Found::left)
    }

    /// The sign-in to be stored.
    fn sign_in(&self, now_ms: i64) -> SignIn {
        SignIn {
            token: self.token.hash(),
            label: self.label.clone(),
            device: self.device.hash(),
            device_until_ms: now_ms + UNUSED_FOR_MS,
            now_ms,
        }
    }

    /// Returns the headers that bring the session to the browser.
    pub(crate) fn cookies(&self) -> Vec<HeaderValue> {
        let own = self.carried.own();
        let other = self.found.as_ref().map(|found| found.cookie).filter(|cookie| *cookie != own);
        let removal = other.map(|cookie| cookie.removal());
        removal.into_iter().chain([own.set(&self.token), own.set_device(&self.device)]).collect()
    }
}

/// The account of a name, whose secret a visitor is about to send, and the attempt that this counts as.
async fn attempt(
    app: &App,
    name: &PlayerName,
    device: Option<&Token>,
) -> Result<(Option<Credentials>, Attempted), Problem> {
    let (key, device) = (name.folded(), device.map(Token::hash));
    let credentials = app.store.credentials(&key, device.as_ref(), app.env.now_ms()).await?;
    let attempted = match (&credentials, device) {
        (Some(Credentials { player, knows_device: true, .. }), Some(device)) => {
            Attempted::Browser(player.id, device)
        }
        (Some(Credentials { player, .. }), _) => Attempted::Account(player.id),
        (None, _) => Attempted::Name(key),
    };
    begin(app, &attempted)?;
    Ok((credentials, attempted))
}

fn begin(app: &App, attempted: &Attempted) -> Result<(), Problem> {
    app.attempts.begin(attempted, Instant::now()).map_err(|wait| {
        Problem::too_fast(
            "too many attempts to sign in with this name: wait, or use a browser that knows it",
            wait,
        )
    })
}

/// Verifies the password of an account, if there is one, and returns its player and the password's hash.
async fn verify(
    app: &App,
    credentials: Option<Credentials>,
    password: Password,
    attempted: Attempted,
    client: Client,
) -> Result<(Player, String), PasswordError> {
    let known = credentials.and_then(|found| Some((found.player, found.password?)));
    let hash = known.as_ref().map(|(_, hash)| hash.clone());
    let verified = app.passwords.verify(password, hash, client.address).await;
    // Of a password that could not be checked, nothing was learnt.
    if verified != Err(PasswordError::Wrong) {
        app.attempts.forgive(attempted, Instant::now());
    }
    verified?;
    known.ok_or(PasswordError::Wrong)
}

/// Signs a browser in to the account of a name.
///
/// # Errors
/// The password is wrong, or has been tried too often. The same is told of a name that no account has.
pub(crate) async fn sign_in(
    app: &App,
    session: &NewSession,
    name: &PlayerName,
    password: Password,
    client: Client,
) -> Result<Player, Problem> {
    let (credentials, attempted) = attempt(app, name, session.carried.device()).await?;
    let (player, password) = verify(app, credentials, password, attempted, client).await?;
    let (by, left) = (session.sign_in(app.env.now_ms()), session.left());
    change_account(app, AccountChange::SignedIn { player: player.id, password, by, left }).await?;
    Ok(player)
}

/// Signs a browser in to the account of a name by its recovery code, and returns the next code.
///
/// A code is too long to be guessed. So strangers use up no attempts here, and its owner always gets in.
///
/// # Errors
/// The code is wrong. The same is told of a name that no account has.
pub(crate) async fn recover(
    app: &App,
    session: &NewSession,
    name: &PlayerName,
    code: &RecoveryCode,
) -> Result<(PlayerId, RecoveryCode), Problem> {
    let credentials = app.store.credentials(&name.folded(), None, app.env.now_ms()).await?;
    let code = hash(code);
    let own = credentials.filter(|credentials| credentials.recovery == code);
    let player = own.ok_or(ProblemCode::WrongCredentials)?.player.id;
    let next = RecoveryCode::new(app.env.random());
    let (by, left) = (session.sign_in(app.env.now_ms()), session.left());
    change_account(app, AccountChange::Recovered { player, code, next: hash(&next), by, left }).await?;
    Ok((player, next))
}

/// Makes an account of the guest of a session, and returns its recovery code.
///
/// # Errors
/// The password is weak, or an account has the name.
pub(crate) async fn register(
    app: &App,
    session: &NewSession,
    guest: &Found,
    name: PlayerName,
    password: NewPassword,
    client: Client,
) -> Result<RecoveryCode, Problem> {
    let password = app.passwords.hash(password, name.clone(), app.env.random(), client.address).await?;
    let code = RecoveryCode::new(app.env.random());
    let change = AccountChange::Registered {
        player: Player { id: guest.session.player.id, name },
        session: guest.session.id,
        password,
        recovery: hash(&code),
        by: session.sign_in(app.env.now_ms()),
    };
    change_account(app, change).await?;
    Ok(code)
}

/// Records that the player of a session knows the account's password.
///
/// # Errors
/// The password is wrong, or has been tried too often with this session.
pub(crate) async fn prove(
    app: &App,
    found: &Found,
    password: Password,
    client: Client,
) -> Result<(), Problem> {
    let (player, token) = (&found.session.player, found.token.hash());
    let attempted = Attempted::Browser(player.id, token);
    begin(app, &attempted)?;
    let credentials = app.store.credentials(&player.name.folded(), None, app.env.now_ms()).await?;
    let own = credentials.filter(|credentials| credentials.player.id == player.id);
    verify(app, own, password, attempted, client).await?;
    let proved = SessionChange::Proved { token, player: player.id, now_ms: app.env.now_ms() };
    Ok(app.writer.change_session(proved).await?)
}

/// Sets the password of the account of a session, whose other sessions end.
///
/// # Errors
/// The password is weak.
pub(crate) async fn set_password(
    app: &App,
    found: &Found,
    password: NewPassword,
    client: Client,
) -> Result<(), Problem> {
    let Player { id: player, name } = found.session.player.clone();
    let password = app.passwords.hash(password, name, app.env.random(), client.address).await?;
    change_account(app, AccountChange::PasswordSet { player, password, kept: found.session.id }).await
}

/// Renames a player, also on the connections that are open.
///
/// # Errors
/// An account has the name.
pub(crate) async fn rename(app: &App, player: PlayerId, name: PlayerName) -> Result<Player, Problem> {
    let (writer, presence) = (app.writer.clone(), app.presence.clone());
    let renaming = async move {
        let player = writer.rename(player, name).await?;
        presence.rename(&player);
        Ok::<_, WriteError>(player)
    };
    Ok(app.complete(renaming).await??)
}

/// Changes an account, and closes the connections of the sessions that end with it.
async fn change_account(app: &App, change: AccountChange) -> Result<(), Problem> {
    let (writer, presence, ended) = (app.writer.clone(), app.presence.clone(), change.ended());
    let renamed = match &change {
        AccountChange::Registered { player, .. } => Some(player.clone()),
        AccountChange::SignedIn { .. }
        | AccountChange::Recovered { .. }
        | AccountChange::PasswordSet { .. } => None,
    };
    let changing = async move {
        writer.change_account(change).await?;
        if let Some(player) = renamed {
            presence.rename(&player);
        }
        for (player, ended) in ended {
            presence.sign_out(player, ended);
        }
        Ok::<_, WriteError>(())
    };
    Ok(app.complete(changing).await??)
}

fn hash(code: &RecoveryCode) -> TokenHash {
    TokenHash::of(code.as_str().as_bytes())
}
