use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header},
    response::{AppendHeaders, IntoResponse},
};
use game::{Player, PlayerKind, ids::PlayerId};
use protocol::{
    ProblemCode::{
        AccountBarred, AccountClosed, CeremonyOver, GuestHasGames, HasAccount, KeepsName, NameTaken,
        NoAccount, NoPasskeys, TooMuchWork, UnusablePasskey, WrongCredentials,
    },
    Proof, Rename, Session, SignIn, SignInByPasskey,
};
use store::{EndedSessions, List, Paging, SessionChange, WriteError};

use super::{
    Problem,
    client::{charge_stored, count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::Json,
    pages::language,
};
use crate::{
    identity::{self, CurrentSession, Found, NewSession, SessionCookies, Token},
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    state::App,
};

/// Maximum number of games under way that a guest is told of before leaving them.
const MAX_GAMES: u32 = 100;

problems!(OpenProblems: OF_CHANGES);

/// The visitor's session; a visitor without one gets a new guest.
///
/// The cookie is sent again each time, since browsers limit its age.
#[utoipa::path(
    post,
    path = "/session",
    tag = "session",
    operation_id = "open_session",
    responses(
        (status = 200, description = "The session.", body = Session,
            headers(("set-cookie" = String, description = "The session cookie."))),
        OpenProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn open(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let carried = SessionCookies::by(&headers, client, app.origin.as_ref());
    let mut cookies = Vec::new();
    let (player, kind, token) = if let Some(Found { session, token, .. }) = carried.proved(&app).await? {
        (session.player, session.kind, token)
    } else if let Some(found) = carried.plain(&app).await? {
        cookies.push(found.cookie.removal());
        let token = copied(&app, client, &found).await?;
        (found.session.player, found.session.kind, token)
    } else {
        refuse_fast(&app, client, LimitedAction::Session)?;
        count_stored(&app, client, price::GUEST)?;
        let (player, token) = identity::new_guest(&app, language(&uri, &headers)).await?;
        (player, PlayerKind::Guest, token)
    };
    cookies.push(carried.own().set(&token));
    let cookies = AppendHeaders(cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((cookies, session(&app, player, kind).await))
}

async fn session(app: &App, player: Player, kind: PlayerKind) -> Json<Session> {
    let role = match kind {
        // The session is stored by now, and its cookies must reach the visitor: without a role the page offers no moderation.
        PlayerKind::Account => app.store.role(player.id).await.unwrap_or_default().map(Into::into),
        PlayerKind::Guest => None,
    };
    let unseen = app.store.count_unseen(player.id).await.unwrap_or_default();
    Json(Session { player: (player, kind).into(), mail: app.sends_mail, unseen, role })
}

/// Returns a new token for the player of a session, since the old one may have leaked. The old token ends a day later:
/// if this answer is lost, or another tab sends the same request, the player stays the same.
async fn copied(app: &App, client: Client, found: &Found) -> Result<Token, Problem> {
    refuse_fast(app, client, LimitedAction::Session)?;
    Ok(identity::copy(app, &found.token, found.session.player.id).await?)
}

problems!(RenameProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, &[HasAccount, KeepsName, NameTaken]);

/// Renames the guest, also for the sockets that are open.
///
/// Games that have begun keep the name that they began with. A guest cannot take the name of an account. A guest whom a moderator
/// has muted, or one of whose names was hidden in the last seven days, keeps the name.
#[utoipa::path(
    patch,
    path = "/session",
    tag = "session",
    operation_id = "rename",
    request_body = Rename,
    responses(
        (status = 200, description = "The session.", body = Session),
        RenameProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn rename(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<Json<Session>, Problem> {
    // Before the name is parsed, which takes work.
    refuse_fast(&app, client, LimitedAction::Name)?;
    let Json(Rename { name }) = Json::from_request(request, &app).await?;
    found.must_be_guest()?;
    let player = identity::rename(&app, found.session.player.id, name.into_inner()).await?;
    Ok(session(&app, player, PlayerKind::Guest).await)
}

problems!(EndProblems: OF_CHANGES);

/// Signs the visitor out and closes the sockets.
///
/// A guest is signed out everywhere and cannot be recovered. An account stays signed in elsewhere.
#[utoipa::path(
    delete,
    path = "/session",
    tag = "session",
    operation_id = "end_session",
    responses(
        (status = 204, description = "The visitor has no session.",
            headers(("set-cookie" = String, description = "Removes the session cookie."))),
        EndProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn end(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let carried = SessionCookies::by(&headers, client, app.origin.as_ref());
    let found = carried.any(&app).await?;
    if let Some(found) = &found {
        end_sessions(&app, found.left()).await?;
    }
    Ok(signed_out(&carried, found.as_ref()))
}

/// Returns an answer that takes the session from the browser.
pub(super) fn signed_out(carried: &SessionCookies, found: Option<&Found>) -> impl IntoResponse + use<> {
    let removals = carried.removals(found.map(|found| found.cookie)).into_iter();
    (
        StatusCode::NO_CONTENT,
        AppendHeaders(removals.map(|cookie| (header::SET_COOKIE, cookie)).collect::<Vec<_>>()),
    )
}

/// Ends sessions of a player, and closes their connections.
pub(super) async fn end_sessions(
    app: &App,
    (player, ended): (PlayerId, EndedSessions),
) -> Result<(), Problem> {
    let (writer, presence) = (app.writer.clone(), app.presence.clone());
    let ending = async move {
        writer.change_session(SessionChange::Ended { player, ended }).await?;
        presence.sign_out(player, ended);
        Ok::<_, WriteError>(())
    };
    Ok(app.complete(ending).await??)
}

problems!(
    SignInProblems: OF_BODIES, OF_CHANGES, OF_FIELDS,
    &[AccountBarred, AccountClosed, GuestHasGames, TooMuchWork, WrongCredentials],
);

/// Signs the visitor in to an account by name and password.
///
/// The session has a new token. The one that the visitor had ends; of a guest with games under way only if the request
/// says so. A closed account is opened again only if the request says so.
#[utoipa::path(
    post,
    path = "/session/password",
    tag = "session",
    operation_id = "sign_in",
    request_body = SignIn,
    responses(
        (status = 200, description = "The session.", body = Session,
            headers(("set-cookie" = String, description = "The session cookie, and that of the device."))),
        SignInProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn sign_in(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let headers = request.headers().clone();
    let Json(SignIn { name, password, leave_guest, reopen }) = Json::from_request(request, &app).await?;
    let new = new_session(&app, client, &headers, leave_guest).await?.reopening(reopen);
    let player = identity::sign_in(&app, &new, &name, password, client).await?;
    charge_stored(&app, client, price::SIGN_IN);
    Ok((cookies(&new), session(&app, player, PlayerKind::Account).await))
}

problems!(
    SignInByPasskeyProblems: OF_BODIES, OF_CHANGES, OF_FIELDS,
    &[AccountBarred, AccountClosed, CeremonyOver, GuestHasGames, NoPasskeys, UnusablePasskey, WrongCredentials],
);

/// Signs the visitor in to the account of a passkey, which says whose it is.
///
/// The rest is as by a password. After `guest_has_games` the same answer may be sent again, but not after `account_closed`.
#[utoipa::path(
    post,
    path = "/session/passkey",
    tag = "session",
    operation_id = "sign_in_by_passkey",
    request_body = SignInByPasskey,
    responses(
        (status = 200, description = "The session.", body = Session,
            headers(("set-cookie" = String, description = "The session cookie, and that of the device."))),
        SignInByPasskeyProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn sign_in_by_passkey(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    refuse_fast(&app, client, LimitedAction::Ceremony)?;
    let headers = request.headers().clone();
    let Json(SignInByPasskey { passkey, leave_guest, reopen }) = Json::from_request(request, &app).await?;
    let new = new_session(&app, client, &headers, leave_guest).await?.reopening(reopen);
    let player = identity::sign_in_by_passkey(&app, &new, passkey).await?;
    charge_stored(&app, client, price::SIGN_IN);
    Ok((cookies(&new), session(&app, player, PlayerKind::Account).await))
}

/// Prepares the sign-in of a visitor, who may be a guest.
///
/// # Errors
/// [`GuestHasGames`] unless the guest leaves them.
pub(super) async fn new_session(
    app: &App,
    client: Client,
    headers: &HeaderMap,
    leave_guest: bool,
) -> Result<NewSession, Problem> {
    let carried = SessionCookies::by(headers, client, app.origin.as_ref());
    let found = carried.any(app).await?;
    if let Some(Found { session, .. }) = &found
        && session.kind == PlayerKind::Guest
        && !leave_guest
    {
        let paging = Paging { before: None, limit: MAX_GAMES };
        let mut games = app.store.list(List::UnfinishedGamesOf(session.player.id), paging).await?.games;
        games.retain(|game| game.seats.is_some() || game.creator == session.player.id);
        if !games.is_empty() {
            return Err(Problem::guest_has_games(app.summaries(games).await?));
        }
    }
    Ok(NewSession::new(app, headers, carried, found))
}

/// Returns the headers that bring a session to the browser.
pub(super) fn cookies(session: &NewSession) -> AppendHeaders<Vec<(HeaderName, HeaderValue)>> {
    AppendHeaders(session.cookies().into_iter().map(|cookie| (header::SET_COOKIE, cookie)).collect())
}

problems!(
    ProveProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[CeremonyOver, NoAccount, NoPasskeys, TooMuchWork, UnusablePasskey, WrongCredentials],
);

/// Proves that the visitor knows the password of the account, or has one of its passkeys.
///
/// For ten minutes the session may then change what protects the account.
#[utoipa::path(
    post,
    path = "/session/prove",
    tag = "session",
    operation_id = "prove",
    request_body = Proof,
    responses(
        (status = 200, description = "The session.", body = Session),
        ProveProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn prove(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<Json<Session>, Problem> {
    let Json(proof) = Json::from_request(request, &app).await?;
    found.must_be_account()?;
    match proof {
        Proof::Password(password) => identity::prove(&app, &found, password, client).await?,
        Proof::Passkey(answer) => {
            refuse_fast(&app, client, LimitedAction::Ceremony)?;
            identity::prove_by_passkey(&app, &found, answer).await?;
        }
    }
    Ok(session(&app, found.session.player, found.session.kind).await)
}
