//! Accounts: signing in by password, passkey or recovery code, and what follows a change.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};
use game::{
    MailAddress, NoticeSettings, Player, Zone,
    ids::{PlayerId, PlayerName},
};
use protocol::{
    LinkRecovery, LinkSecret, NewCredential, NewPassword, Password, ProblemCode, Recovery, RecoveryCode,
};
use store::{
    AccountChange, Credentials, EndedSessions, Errand, FirstCredential, Link, Mail, Notice, Proof, Purpose,
    RecoveryProof, SessionChange, SignIn, TokenHash, WriteError,
};
use tokio::time::Instant;

use super::{
    cookie::{SessionCookies, Token, UNUSED_FOR_MS},
    label::label,
    passkeys,
    session::Found,
};
use crate::{
    credentials::{Attempt, PasswordError},
    env::Env,
    net::address::{Client, LimitedAction},
    problem::Problem,
    state::App,
};

/// Time for which a link counts.
const LINK_COUNTS_MS: i64 = 30 * 60 * 1000;

/// The session that a browser gets by signing in, and the one that it leaves.
#[derive(Debug)]
pub(crate) struct NewSession {
    carried: SessionCookies,
    found: Option<Found>,
    token: Token,
    device: Token,
    label: Option<String>,
    reopens: bool,
}

impl NewSession {
    /// Returns a session with a new token for the browser of a request, whose session is `found`.
    pub(crate) fn new(app: &App, headers: &HeaderMap, carried: SessionCookies, found: Option<Found>) -> Self {
        let device = carried.device().cloned().unwrap_or_else(|| Token::new(&app.env));
        Self { carried, found, token: Token::new(&app.env), device, label: label(headers), reopens: false }
    }

    /// The session reopens its account if that is closed.
    pub(crate) fn reopening(self, reopens: bool) -> Self {
        Self { reopens, ..self }
    }

    /// Coarse description of the browser.
    pub(super) fn label(&self) -> Option<String> {
        self.label.clone()
    }

    /// The sessions that the browser leaves.
    pub(super) fn left(&self) -> Option<(PlayerId, EndedSessions)> {
        self.found.as_ref().map(Found::left)
    }

    /// The sign-in to be stored.
    pub(super) fn sign_in(&self, now_ms: i64) -> SignIn {
        SignIn {
            token: self.token.hash(),
            label: self.label.clone(),
            device: self.device.hash(),
            device_until_ms: now_ms + UNUSED_FOR_MS,
            now_ms,
            reopens: self.reopens,
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

/// Begins an attempt to sign in to a name, and returns its account.
async fn attempt(
    app: &App,
    name: &PlayerName,
    device: Option<&Token>,
    client: Client,
) -> Result<(Option<Credentials>, Attempt), Problem> {
    let (key, device) = (name.folded(), device.map(Token::hash));
    let credentials = app.store.credentials(&key, device.as_ref(), app.env.now_ms()).await?;
    let attempt = match (&credentials, device) {
        (Some(Credentials { player, knows_device: true, .. }), Some(device)) => {
            app.attempts.of_device(player.id, device, Instant::now())
        }
        (Some(_) | None, _) => {
            app.addresses.take(client.address, LimitedAction::SignIn, Instant::now()).map_err(|wait| {
                Problem::too_fast("too many attempts to sign in from this address: wait a moment", wait)
            })?;
            // Former names and look-alikes lead to the same account, and give no further attempts.
            let name = credentials.as_ref().map_or(key, |found| found.player.name.folded());
            app.attempts.of_stranger(&name, client.address, Instant::now())
        }
    };
    Ok((credentials, attempt.map_err(too_many_attempts)?))
}

fn too_many_attempts(wait: Duration) -> Problem {
    Problem::too_fast(
        "too many attempts to sign in with this name: wait, or use a browser that knows it",
        wait,
    )
}

fn too_many_changes(wait: Duration) -> Problem {
    Problem::too_fast("too many changes of this account's secrets: wait", wait)
}

/// Counts a change of the secrets of an account by one of its sessions.
pub(super) fn begin_change(app: &App, account: PlayerId) -> Result<(), Problem> {
    let attempt = app.attempts.of_session(account, Instant::now()).map_err(too_many_changes)?;
    attempt.keep(true);
    Ok(())
}

/// Verifies the password of an account, if there is one, and returns its player and the password's hash.
async fn verify(
    app: &App,
    credentials: Option<Credentials>,
    password: Password,
    attempt: Attempt,
    client: Client,
) -> Result<(Player, String), PasswordError> {
    let known = credentials.and_then(|found| Some((found.player, found.password?)));
    let hash = known.as_ref().map(|(_, hash)| hash.clone());
    let verified = app.passwords.verify(password, hash, client.address).await;
    match verified {
        Ok(()) => attempt.keep(true),
        Err(PasswordError::Wrong) => attempt.keep(false),
        Err(PasswordError::Weak | PasswordError::Compute(_)) => {}
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
    let (credentials, attempt) = attempt(app, name, session.carried.device(), client).await?;
    let (player, password) = verify(app, credentials, password, attempt, client).await?;
    let (by, left) = (session.sign_in(app.env.now_ms()), session.left());
    let proof = Proof::Password(password);
    change_account(app, AccountChange::SignedIn { player: player.id, proof, by, left }).await?;
    Ok(player)
}

/// Signs a browser in to the account of a name by its recovery code, and sets the account's password.
///
/// A code is too long to be guessed. So strangers use up no attempts here, and its owner always gets in: only right codes
/// count. The code stays as it is: if this answer is lost, the same request may be sent again.
///
/// # Errors
/// The code is wrong, or the password is weak. The same is told of a name that no account has as of a wrong code.
pub(crate) async fn recover(
    app: &App,
    session: &NewSession,
    Recovery { name, code, password, leave_guest: _, reopen: _ }: Recovery,
    client: Client,
) -> Result<PlayerId, Problem> {
    let credentials = app.store.credentials(&name.folded(), None, app.env.now_ms()).await?;
    let code = hash(&code);
    let own = credentials.filter(|credentials| credentials.recovery == Some(code));
    let player = own.ok_or(ProblemCode::WrongCredentials)?.player;
    recover_by(app, session, player, RecoveryProof::Code(code), password, client).await
}

/// Signs a browser in to an account by a link, and sets the account's password. The link counts once.
///
/// As with a code, strangers use up no attempts.
///
/// # Errors
/// The link is void, or the password is weak.
pub(crate) async fn recover_by_link(
    app: &App,
    session: &NewSession,
    LinkRecovery { link, password, leave_guest: _, reopen: _ }: LinkRecovery,
    client: Client,
) -> Result<PlayerId, Problem> {
    let secret = hash_of_link(&link);
    let found = app.store.link(&secret, app.env.now_ms()).await?;
    let own = found.filter(|found| found.recovers(app.env.now_ms()));
    let player = own.ok_or(ProblemCode::LinkVoid)?.player;
    recover_by(app, session, player, RecoveryProof::Link(secret), password, client).await
}

/// Signs a browser in to an account by a proof that is right, and sets the account's password.
async fn recover_by(
    app: &App,
    session: &NewSession,
    Player { id: player, name }: Player,
    proof: RecoveryProof,
    password: NewPassword,
    client: Client,
) -> Result<PlayerId, Problem> {
    let attempt = app.attempts.of_recovery(player, Instant::now()).map_err(too_many_changes)?;
    let password = app.passwords.hash(password, name, app.env.random(), client.address).await?;
    attempt.keep(true);
    let (by, left) = (session.sign_in(app.env.now_ms()), session.left());
    change_account(app, AccountChange::Recovered { player, proof, password, by, left }).await?;
    Ok(player)
}

/// Returns a link that counts once, for half an hour, and the secret in it.
pub(crate) fn new_link(env: &Env, purpose: Purpose) -> (Link, LinkSecret) {
    let secret = LinkSecret::new(env.random());
    let expires_ms = env.now_ms() + LINK_COUNTS_MS;
    (Link { secret: hash_of_link(&secret), purpose, expires_ms }, secret)
}

fn hash_of_link(secret: &LinkSecret) -> TokenHash {
    TokenHash::of(secret.as_str().as_bytes())
}

/// Makes an account of the guest of a session, and returns its recovery code.
///
/// # Errors
/// The password is weak or the passkey does not fit, an account has the name, or the session has ended meanwhile.
pub(crate) async fn register(
    app: &App,
    session: &NewSession,
    guest: &Found,
    name: PlayerName,
    credential: NewCredential,
    client: Client,
) -> Result<RecoveryCode, Problem> {
    let player = guest.session.player.id;
    let credential = match credential {
        NewCredential::Password(password) => {
            let (name, salt) = (name.clone(), app.env.random());
            FirstCredential::Password(app.passwords.hash(password, name, salt, client.address).await?)
        }
        NewCredential::Passkey(answer) => {
            FirstCredential::Passkey(passkeys::end_new(app, player, answer, session.label()).await?)
        }
    };
    let code = RecoveryCode::new(app.env.random());
    let change = AccountChange::Registered {
        player: Player { id: player, name },
        session: guest.session.id,
        credential,
        recovery: hash(&code),
        by: session.sign_in(app.env.now_ms()),
    };
    change_account(app, change).await?;
    Ok(code)
}

/// Records that the player of a session knows the account's password.
///
/// # Errors
/// The password is wrong, or has been tried too often by the account's sessions.
pub(crate) async fn prove(
    app: &App,
    found: &Found,
    password: Password,
    client: Client,
) -> Result<(), Problem> {
    let (player, token) = (&found.session.player, found.token.hash());
    let attempt = app.attempts.of_session(player.id, Instant::now()).map_err(too_many_changes)?;
    let credentials = app.store.credentials(&player.name.folded(), None, app.env.now_ms()).await?;
    let own = credentials.filter(|credentials| credentials.player.id == player.id);
    verify(app, own, password, attempt, client).await?;
    let proved = SessionChange::Proved { token, player: player.id, now_ms: app.env.now_ms() };
    Ok(app.writer.change_session(proved).await?)
}

/// Sets the password of the account of a session, whose other sessions end.
///
/// # Errors
/// The password is weak, or the session has ended meanwhile.
pub(crate) async fn set_password(
    app: &App,
    found: &Found,
    device: Option<&Token>,
    password: NewPassword,
    client: Client,
) -> Result<(), Problem> {
    let Player { id: player, name } = found.session.player.clone();
    begin_change(app, player)?;
    let password = app.passwords.hash(password, name, app.env.random(), client.address).await?;
    let (session, device) = (found.session.id, device.map(Token::hash));
    let now_ms = app.env.now_ms();
    change_account(app, AccountChange::PasswordSet { player, session, device, password, now_ms }).await
}

/// Gives the account of a session a new recovery code.
///
/// # Errors
/// The session has ended meanwhile.
pub(crate) async fn set_code(app: &App, found: &Found) -> Result<RecoveryCode, Problem> {
    let (player, session) = (found.session.player.id, found.session.id);
    begin_change(app, player)?;
    let code = RecoveryCode::new(app.env.random());
    change_account(app, AccountChange::CodeSet { player, session, recovery: hash(&code) }).await?;
    Ok(code)
}

/// Has a mail sent to an address, with a link that confirms it as that of the account of a session.
///
/// # Errors
/// The account was sent too many mails, too many mails wait, or the session has ended meanwhile.
pub(crate) async fn ask_for_mail(
    app: &App,
    found: &Found,
    to: MailAddress,
    zone: Option<Zone>,
    language: &str,
) -> Result<(), Problem> {
    let (player, session) = (found.session.player.id, found.session.id);
    begin_change(app, player)?;
    let (id, language) = (app.env.id(), language.to_owned());
    let mail = Mail { id, errand: Errand::Confirm(player), to, language };
    let now_ms = app.env.now_ms();
    change_account(app, AccountChange::MailAsked { player, session, mail, zone, now_ms }).await
}

/// Gives an account the mail address that a link confirms.
///
/// # Errors
/// The link is void.
pub(crate) async fn confirm_mail(app: &App, link: &LinkSecret, language: &str) -> Result<(), Problem> {
    let (link, now_ms) = (hash_of_link(link), app.env.now_ms());
    let player = app.store.link(&link, now_ms).await?.ok_or(ProblemCode::LinkVoid)?.player.id;
    let notice = Notice { id: app.env.id(), language: language.to_owned() };
    change_account(app, AccountChange::MailConfirmed { player, link, notice, now_ms }).await
}

/// Takes the mail address from the account of a session.
///
/// # Errors
/// The session has ended meanwhile.
pub(crate) async fn remove_mail(app: &App, found: &Found, language: &str) -> Result<(), Problem> {
    let (player, session) = (found.session.player.id, found.session.id);
    begin_change(app, player)?;
    let notice = Notice { id: app.env.id(), language: language.to_owned() };
    let now_ms = app.env.now_ms();
    change_account(app, AccountChange::MailRemoved { player, session, notice, now_ms }).await
}

/// Sets whether links that are sent to the mail address of the account of a session may recover it.
///
/// # Errors
/// The session has ended meanwhile.
pub(crate) async fn set_mail_recovery(app: &App, found: &Found, recovers: bool) -> Result<(), Problem> {
    let (player, session) = (found.session.player.id, found.session.id);
    begin_change(app, player)?;
    change_account(app, AccountChange::MailRecoverySet { player, session, recovers }).await
}

/// Sets what the account of a session is told when it is away.
///
/// # Errors
/// The session has ended meanwhile.
pub(crate) async fn set_notices(app: &App, found: &Found, notices: NoticeSettings) -> Result<(), Problem> {
    let (player, session) = (found.session.player.id, found.session.id);
    change_account(app, AccountChange::NoticesSet { player, session, notices, now_ms: app.env.now_ms() })
        .await
}

/// Stops the mails about turns to the account of a link.
///
/// # Errors
/// The link is void.
pub(crate) async fn unsubscribe(app: &App, link: &LinkSecret) -> Result<(), Problem> {
    let (link, now_ms) = (hash_of_link(link), app.env.now_ms());
    let player = app.store.link(&link, now_ms).await?.ok_or(ProblemCode::LinkVoid)?.player.id;
    change_account(app, AccountChange::Unsubscribed { player, link, now_ms }).await
}

/// Closes the account of a session. All of its sessions end, its games are left, and its name is not shown any more.
///
/// # Errors
/// The session has ended meanwhile.
pub(crate) async fn close(app: &App, found: &Found) -> Result<(), Problem> {
    let (player, session, now_ms) = (found.session.player.id, found.session.id, app.env.now_ms());
    change_account(app, AccountChange::Closed { player, session, now_ms }).await?;
    let here = app.clone();
    Ok(app.complete(async move { here.leave_games(player).await }).await?)
}

/// Renames a player, also on the connections that are open.
///
/// # Errors
/// An account has the name.
pub(crate) async fn rename(app: &App, player: PlayerId, name: PlayerName) -> Result<Player, Problem> {
    let here = app.clone();
    let renaming = async move {
        let player = here.writer.rename(player, name, here.env.now_ms()).await?;
        here.show(player.id).await;
        Ok::<_, WriteError>(player)
    };
    Ok(app.complete(renaming).await??)
}

/// Changes an account, and closes the connections of the sessions that end with it.
pub(super) async fn change_account(app: &App, change: AccountChange) -> Result<(), Problem> {
    let (here, ended) = (app.clone(), change.ended());
    let seen = change.is_seen().then(|| change.player());
    let changing = async move {
        here.writer.change_account(change).await?;
        // First, since what follows may wait for the database.
        for (player, ended) in ended {
            here.presence.sign_out(player, ended);
        }
        if let Some(player) = seen {
            here.show(player).await;
        }
        Ok::<_, WriteError>(())
    };
    Ok(app.complete(changing).await??)
}

fn hash(code: &RecoveryCode) -> TokenHash {
    TokenHash::of(code.as_str().as_bytes())
}
