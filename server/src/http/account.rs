use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::HeaderMap,
    response::IntoResponse,
};
use game::{
    Language, PlayerKind, QuietHours, Zone,
    ids::{NewName, PlayerId, PlayerName},
};
use protocol::{
    Account, AccountChange, AccountMail, LinkRecovery, NewAccount, NoticeSettings,
    ProblemCode::{
        AccountBarred, AccountClosed, CeremonyOver, GuestHasGames, HasAccount, KeepsName, LinkVoid,
        NameTaken, NoAccount, NoPasskeys, ProveAgain, TooManyNames, TooMuchWork, UnusablePasskey,
        WeakPassword, WrongCredentials,
    },
    Recovery, RecoveryCode,
};

use super::{
    Problem,
    client::{charge_stored, count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::Json,
    pages::language,
    session::{cookies, new_session, signed_out},
};
use crate::{
    identity::{self, CurrentSession, NewSession, SessionCookies},
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    state::App,
};

problems!(
    RegisterProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[CeremonyOver, HasAccount, KeepsName, NameTaken, NoPasskeys, TooMuchWork, UnusablePasskey, WeakPassword],
);

/// Makes an account of the visitor, a guest, who stays the same player.
///
/// The session gets a new token, and the guest's other sessions end. The recovery code is shown this once.
#[utoipa::path(
    post,
    path = "/account",
    tag = "account",
    operation_id = "register",
    request_body = NewAccount,
    responses(
        (status = 200, description = "The account.", body = Account,
            headers(("set-cookie" = String, description = "The session cookie, and that of the device."))),
        RegisterProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn register(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let headers = request.headers().clone();
    let Json(NewAccount { name, credential }) = Json::from_request(request, &app).await?;
    found.must_be_guest()?;
    refuse_fast(&app, client, LimitedAction::Account)?;
    let name = own_name(name)?;
    count_stored(&app, client, price::ACCOUNT + price::SIGN_IN)?;
    let carried = SessionCookies::by(&headers, client, app.origin.as_ref());
    let new = NewSession::new(&app, &headers, carried, Some(found.clone()));
    let code = identity::register(&app, &new, &found, name, credential, client).await?;
    let account = account(&app, found.session.player.id, Some(code)).await?;
    Ok((cookies(&new), account))
}

problems!(ReadProblems: OF_SESSIONS, &[NoAccount]);

/// The visitor's account.
#[utoipa::path(
    get,
    path = "/account",
    tag = "account",
    operation_id = "read_account",
    responses(
        (status = 200, description = "The account.", body = Account),
        ReadProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn read(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
) -> Result<Json<Account>, Problem> {
    account(&app, found.session.player.id, None).await
}

problems!(
    ChangeProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[KeepsName, NameTaken, NoAccount, ProveAgain, TooManyNames, TooMuchWork, WeakPassword],
);

/// Changes the name or the password of the visitor's account, or what it is told when it is away.
///
/// A new name holds for the sockets that are open; games that have begun keep theirs. A former name stays the account's
/// own. A player whom a moderator has muted, or one of whose names was hidden in the last seven days, keeps the name. A new password needs a proof of the last ten minutes, and ends all other sessions.
#[utoipa::path(
    patch,
    path = "/account",
    tag = "account",
    operation_id = "change_account",
    request_body = AccountChange,
    responses(
        (status = 200, description = "The account.", body = Account),
        ChangeProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn change(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<Json<Account>, Problem> {
    // Before the name is parsed, which takes work.
    refuse_fast(&app, client, LimitedAction::Name)?;
    let (uri, headers) = (request.uri().clone(), request.headers().clone());
    let Json(change) = Json::from_request(request, &app).await?;
    found.must_be_account()?;
    let player = found.session.player.id;
    match change {
        AccountChange::Name(name) => {
            refuse_fast(&app, client, LimitedAction::Account)?;
            drop(identity::rename(&app, player, own_name(name)?).await?);
        }
        AccountChange::Password(password) => {
            found.must_be_proved(app.env.now_ms())?;
            let carried = SessionCookies::by(&headers, client, app.origin.as_ref());
            identity::set_password(&app, &found, carried.device(), password, client).await?;
        }
        AccountChange::Notices(notices) => {
            let language = Language::of_page(language(&uri, &headers));
            identity::set_notices(&app, &found, settings(notices, language)).await?;
        }
    }
    account(&app, player, None).await
}

problems!(
    RecoverProblems: OF_BODIES, OF_CHANGES, OF_FIELDS,
    &[AccountBarred, AccountClosed, GuestHasGames, TooMuchWork, WeakPassword, WrongCredentials],
);

/// Signs the visitor in by the recovery code of an account, and sets the account's password.
///
/// All other sessions of the account end, and its passkeys are gone. The code stays as it is, so the same request may be sent again.
#[utoipa::path(
    post,
    path = "/account/recover",
    tag = "account",
    operation_id = "recover",
    request_body = Recovery,
    responses(
        (status = 200, description = "The account.", body = Account,
            headers(("set-cookie" = String, description = "The session cookie, and that of the device."))),
        RecoverProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn recover(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let headers = request.headers().clone();
    let Json(recovery): Json<Recovery> = Json::from_request(request, &app).await?;
    let new = new_session(&app, client, &headers, recovery.leave_guest).await?.reopening(recovery.reopen);
    let player = identity::recover(&app, &new, recovery, client).await?;
    charge_stored(&app, client, price::SIGN_IN);
    let account = account(&app, player, None).await?;
    Ok((cookies(&new), account))
}

problems!(
    LinkProblems: OF_BODIES, OF_CHANGES, OF_FIELDS,
    &[AccountBarred, AccountClosed, GuestHasGames, LinkVoid, TooMuchWork, WeakPassword],
);

/// Signs the visitor in by a link that the owner of an account was given, and sets the account's password.
///
/// All other sessions of the account end, and all its links are void.
#[utoipa::path(
    post,
    path = "/account/recover/link",
    tag = "account",
    operation_id = "recover_by_link",
    request_body = LinkRecovery,
    responses(
        (status = 200, description = "The account.", body = Account,
            headers(("set-cookie" = String, description = "The session cookie, and that of the device."))),
        LinkProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn recover_by_link(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let headers = request.headers().clone();
    let Json(recovery): Json<LinkRecovery> = Json::from_request(request, &app).await?;
    let new = new_session(&app, client, &headers, recovery.leave_guest).await?.reopening(recovery.reopen);
    let player = identity::recover_by_link(&app, &new, recovery, client).await?;
    charge_stored(&app, client, price::SIGN_IN);
    let account = account(&app, player, None).await?;
    Ok((cookies(&new), account))
}

problems!(CloseProblems: OF_CHANGES, OF_SESSIONS, &[NoAccount, ProveAgain]);

/// Closes the visitor's account.
///
/// It needs a proof of the last ten minutes. All sessions end, games under way are resigned, rooms are closed, and nobody is
/// shown the name any more. For seven days a sign-in can open the account again. Then it is erased: its games stay, as those
/// of a deleted player, and nobody else gets its names.
#[utoipa::path(
    delete,
    path = "/account",
    tag = "account",
    operation_id = "close_account",
    responses(
        (status = 204, description = "The account is closed, and the visitor has no session.",
            headers(("set-cookie" = String, description = "Removes the session cookie."))),
        CloseProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn close(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    found.must_be_account()?;
    found.must_be_proved(app.env.now_ms())?;
    identity::close(&app, &found).await?;
    let carried = SessionCookies::by(&headers, client, app.origin.as_ref());
    Ok(signed_out(&carried, Some(&found)))
}

problems!(CodeProblems: OF_CHANGES, OF_SESSIONS, &[NoAccount, ProveAgain]);

/// Gives the visitor's account a new recovery code, which is shown this once.
///
/// It needs a proof of the last ten minutes. The former code is void.
#[utoipa::path(
    post,
    path = "/account/code",
    tag = "account",
    operation_id = "renew_recovery_code",
    responses(
        (status = 200, description = "The account.", body = Account),
        CodeProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn renew_code(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
) -> Result<Json<Account>, Problem> {
    found.must_be_account()?;
    found.must_be_proved(app.env.now_ms())?;
    let code = identity::set_code(&app, &found).await?;
    account(&app, found.session.player.id, Some(code)).await
}

/// Returns the name that an account may have, unless another one has it.
pub(super) fn own_name(name: NewName) -> Result<PlayerName, Problem> {
    let name = name.into_inner();
    if name.is_reserved() {
        return Err(Problem::new(NameTaken, "names like this are those of guests, or of the site"));
    }
    Ok(name)
}

/// Returns the settings of an account whose player reads pages in a language.
fn settings(wanted: NoticeSettings, language: Language) -> game::NoticeSettings {
    let NoticeSettings { turn_mails, hour, quiet_from: from, quiet_to: to, zone } = wanted;
    game::NoticeSettings {
        turn_mails: turn_mails.into(),
        hour,
        quiet: QuietHours { from, to },
        zone: zone.named(),
        language,
    }
}

/// Returns the account of a player.
pub(super) async fn account(
    app: &App,
    player: PlayerId,
    recovery_code: Option<RecoveryCode>,
) -> Result<Json<Account>, Problem> {
    let account = app.store.account(player).await?.ok_or(NoAccount)?;
    let quiet = account.quiet();
    let is_utc = account.notices.zone == Zone::of_utc();
    let zone = if is_utc { Zone::default() } else { account.notices.zone.clone() };
    Ok(Json(Account {
        player: (account.player, PlayerKind::Account).into(),
        former_names: account.former_names,
        has_password: account.has_password,
        notices: (&game::NoticeSettings { quiet, zone, ..account.notices }).into(),
        mail: account.mail.map(|store::AccountMail { address, recovers, is_refused }| AccountMail {
            address,
            recovers,
            refused: is_refused,
        }),
        recovery_code,
    }))
}
