//! Passkeys: a ceremony begins on any node and ends on any node, once, and what follows from its end.

use axum::http::HeaderMap;
use game::{
    Player,
    ids::{PasskeyId, PasskeyLabel, PlayerId, PlayerName},
};
use protocol::{PasskeyAnswer, PasskeyOptions, ProblemCode};
use store::{AccountChange, Ceremony, MAX_PASSKEYS, Notice, Passkey, Proof, SessionChange};

use super::{
    accounts::{NewSession, begin_change, change_account},
    label::label,
    session::Found,
};
use crate::{
    credentials::{Begun, challenge_of, player_of},
    problem::Problem,
    state::App,
};

/// Time for which a ceremony counts: as long as browsers wait for an authenticator.
const CEREMONY_COUNTS_MS: i64 = 5 * 60 * 1000;

/// Begins to make a passkey for a player, and returns what the authenticator is asked.
///
/// # Errors
/// The player has too many, or there are none at the address of the server.
pub(crate) async fn begin_new_passkey(
    app: &App,
    player: PlayerId,
    name: &PlayerName,
) -> Result<PasskeyOptions, Problem> {
    let known = app.store.passkeys_of(player).await?;
    if known.len() >= MAX_PASSKEYS {
        return Err(ProblemCode::TooManyPasskeys.into());
    }
    begin(app, Some(player), app.passkeys.begin_new(player, name, &known)?).await
}

/// Begins a sign-in by a passkey, and returns what the authenticator is asked.
///
/// # Errors
/// There are none at the address of the server.
pub(crate) async fn begin_sign_in(app: &App) -> Result<PasskeyOptions, Problem> {
    begin(app, None, app.passkeys.begin_sign_in()?).await
}

/// Begins a proof by a passkey of a player, and returns what the authenticator is asked.
///
/// # Errors
/// There are none at the address of the server.
pub(crate) async fn begin_proof(app: &App, player: PlayerId) -> Result<PasskeyOptions, Problem> {
    let known = app.store.passkeys_of(player).await?;
    begin(app, Some(player), app.passkeys.begin_proof(&known)?).await
}

async fn begin(
    app: &App,
    player: Option<PlayerId>,
    Begun { challenge, state, options }: Begun,
) -> Result<PasskeyOptions, Problem> {
    let expires_ms = app.env.now_ms() + CEREMONY_COUNTS_MS;
    app.writer.begin_ceremony(challenge, Ceremony { player, state, expires_ms }).await?;
    Ok(options)
}

/// Takes the ceremony of an answer, which thus counts once. It must have begun for this player, or for nobody.
async fn take(app: &App, answer: &PasskeyAnswer, player: Option<PlayerId>) -> Result<String, Problem> {
    let challenge = challenge_of(answer).ok_or(ProblemCode::UnusablePasskey)?;
    let ceremony = app.writer.take_ceremony(challenge, app.env.now_ms()).await?;
    if ceremony.player == player { Ok(ceremony.state) } else { Err(ProblemCode::CeremonyOver.into()) }
}

/// Ends the making of a passkey for a player.
pub(super) async fn end_new(
    app: &App,
    player: PlayerId,
    answer: PasskeyAnswer,
    label: Option<String>,
) -> Result<Passkey, Problem> {
    let state = take(app, &answer, Some(player)).await?;
    Ok(app.passkeys.end_new(&state, answer, label, app.env.now_ms())?)
}

/// Signs a browser in to the account whose passkey has answered.
///
/// # Errors
/// The answer does not fit, or came too late or before, or no account has the passkey.
pub(crate) async fn sign_in_by_passkey(
    app: &App,
    session: &NewSession,
    answer: PasskeyAnswer,
) -> Result<Player, Problem> {
    let state = take(app, &answer, None).await?;
    let player = player_of(&answer).ok_or(ProblemCode::WrongCredentials)?;
    let known = app.store.passkeys_of(player).await?;
    let now_ms = app.env.now_ms();
    let used = app.passkeys.end_use(&state, answer, &known, now_ms)?;
    let account = app.store.account(player).await?.ok_or(ProblemCode::WrongCredentials)?;
    let (proof, by, left) = (Proof::Passkey(used), session.sign_in(now_ms), session.left());
    change_account(app, AccountChange::SignedIn { player, proof, by, left }).await?;
    Ok(account.player)
}

/// Records that the player of a session has a passkey of the account.
///
/// # Errors
/// The answer does not fit, or came too late or before, or is of another passkey.
pub(crate) async fn prove_by_passkey(app: &App, found: &Found, answer: PasskeyAnswer) -> Result<(), Problem> {
    let (player, session, token) = (found.session.player.id, found.session.id, found.token.hash());
    let state = take(app, &answer, Some(player)).await?;
    let (known, now_ms) = (app.store.passkeys_of(player).await?, app.env.now_ms());
    let used = app.passkeys.end_use(&state, answer, &known, now_ms)?;
    change_account(app, AccountChange::PasskeyUsed { player, session, used }).await?;
    Ok(app.writer.change_session(SessionChange::Proved { token, player, now_ms }).await?)
}

/// Gives the account of a session a passkey, which is called like the browser at first. A mail tells its owner.
///
/// # Errors
/// The answer does not fit, or came too late or before, or an account has the passkey.
pub(crate) async fn add_passkey(
    app: &App,
    found: &Found,
    headers: &HeaderMap,
    answer: PasskeyAnswer,
    language: &str,
) -> Result<(), Problem> {
    let (player, session) = (found.session.player.id, found.session.id);
    let passkey = end_new(app, player, answer, label(headers)).await?;
    let notice = Notice { id: app.env.id(), language: language.to_owned() };
    change_account(app, AccountChange::PasskeyAdded { player, session, passkey, notice }).await
}

/// Renames a passkey of the account of a session.
///
/// # Errors
/// The account does not have it.
pub(crate) async fn name_passkey(
    app: &App,
    found: &Found,
    passkey: PasskeyId,
    label: PasskeyLabel,
) -> Result<(), Problem> {
    let (player, session, label) = (found.session.player.id, found.session.id, label.as_str().to_owned());
    change_account(app, AccountChange::PasskeyNamed { player, session, passkey, label }).await
}

/// Takes a passkey from the account of a session.
///
/// # Errors
/// The account does not have it, or nothing else proves the account.
pub(crate) async fn remove_passkey(app: &App, found: &Found, passkey: PasskeyId) -> Result<(), Problem> {
    let (player, session, now_ms) = (found.session.player.id, found.session.id, app.env.now_ms());
    begin_change(app, player)?;
    change_account(app, AccountChange::PasskeyRemoved { player, session, passkey, now_ms }).await
}
