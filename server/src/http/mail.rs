use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Redirect, Response},
};
use game::Zone;
use protocol::{
    Account, LinkSecret, MailConfirmation, MailRecovery, MailSettings, NewMail,
    ProblemCode::{LinkVoid, NoAccount, ProveAgain, TooManyMails},
};
use store::{Errand, Mail, MailChange};

use super::{
    Problem,
    account::account,
    client::{count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::Json,
    pages::language,
};
use crate::{
    identity::{self, CurrentSession, Found},
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    state::App,
};

problems!(
    SetProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[NoAccount, ProveAgain, TooManyMails],
);

/// Has a link sent to a mail address, which becomes that of the visitor's account when the link is opened.
///
/// It needs a proof of the last ten minutes. Servers that send no mail do not have this address, nor the others about mail.
#[utoipa::path(
    put,
    path = "/account/mail",
    tag = "account",
    operation_id = "set_mail",
    request_body = NewMail,
    responses(
        (status = 202, description = "A link is on its way."),
        SetProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn set(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<StatusCode, Problem> {
    let language = language(request.uri(), request.headers());
    let Json(NewMail { address, zone }) = Json::from_request(request, &app).await?;
    must_be_proved(&app, &found)?;
    refuse_fast(&app, client, LimitedAction::Mail)?;
    count_stored(&app, client, price::MAIL)?;
    identity::ask_for_mail(&app, &found, address, zone.map(Zone::named), language).await?;
    Ok(StatusCode::ACCEPTED)
}

problems!(
    ChangeProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[NoAccount, ProveAgain],
);

/// Sets whether a link that is sent to the address of the visitor's account may set the account's password.
///
/// It needs a proof of the last ten minutes.
#[utoipa::path(
    patch,
    path = "/account/mail",
    tag = "account",
    operation_id = "change_mail",
    request_body = MailSettings,
    responses(
        (status = 200, description = "The account.", body = Account),
        ChangeProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn change(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<Json<Account>, Problem> {
    let Json(MailSettings { recovers }) = Json::from_request(request, &app).await?;
    must_be_proved(&app, &found)?;
    identity::set_mail_recovery(&app, &found, recovers).await?;
    account(&app, found.session.player.id, None).await
}

problems!(RemoveProblems: OF_CHANGES, OF_SESSIONS, &[NoAccount, ProveAgain]);

/// Takes the mail address from the visitor's account. A mail tells it.
///
/// It needs a proof of the last ten minutes.
#[utoipa::path(
    delete,
    path = "/account/mail",
    tag = "account",
    operation_id = "remove_mail",
    responses(
        (status = 200, description = "The account.", body = Account),
        RemoveProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn remove(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Json<Account>, Problem> {
    must_be_proved(&app, &found)?;
    identity::remove_mail(&app, &found, language(&uri, &headers)).await?;
    account(&app, found.session.player.id, None).await
}

/// Verifies that the session is of an account, and lately proved.
fn must_be_proved(app: &App, found: &Found) -> Result<(), Problem> {
    found.must_be_account()?;
    Ok(found.must_be_proved(app.env.now_ms())?)
}

problems!(ConfirmProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, &[LinkVoid]);

/// Confirms a mail address by the link that was sent there, whoever is signed in.
///
/// The account has the address from now on, and all its links are void. A mail tells the former address.
#[utoipa::path(
    post,
    path = "/account/mail/confirm",
    tag = "account",
    operation_id = "confirm_mail",
    request_body = MailConfirmation,
    responses(
        (status = 204, description = "The account has the address."),
        ConfirmProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn confirm(State(app): State<App>, request: Request) -> Result<StatusCode, Problem> {
    let language = language(request.uri(), request.headers());
    let Json(MailConfirmation { link }) = Json::from_request(request, &app).await?;
    identity::confirm_mail(&app, &link, language).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Where the link in a mail that stops such mails is opened: on the page that asks about it.
pub(super) async fn show_unsubscription(uri: Uri) -> Response {
    match secret(&uri) {
        Some(link) => Redirect::to(&format!("/#unsubscribe={}", link.as_str())).into_response(),
        None => Redirect::to("/").into_response(),
    }
}

/// Stops the mails about turns, as mail programs do by one click (RFC 8058). The body says nothing. Such a link does nothing else,
/// and may be used again.
pub(super) async fn unsubscribe(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    uri: Uri,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::Block)?;
    let link = secret(&uri).ok_or(LinkVoid)?;
    identity::unsubscribe(&app, &link).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The secret in the query of a link.
fn secret(uri: &Uri) -> Option<LinkSecret> {
    let mut pairs = uri.query()?.split('&');
    pairs.find_map(|pair| pair.strip_prefix("link="))?.to_owned().try_into().ok()
}

problems!(RecoverProblems: OF_BODIES, OF_CHANGES, OF_FIELDS);

/// Has a link sent that sets an account's password, if the account of the name has the address.
///
/// The answer is the same whether or not it has, and whether or not there is such an account.
#[utoipa::path(
    post,
    path = "/account/recover/mail",
    tag = "account",
    operation_id = "recover_by_mail",
    request_body = MailRecovery,
    responses(
        (status = 202, description = "If the account has the address, a link is on its way."),
        RecoverProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn recover(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<StatusCode, Problem> {
    let language = language(request.uri(), request.headers());
    let Json(MailRecovery { name, mail }) = Json::from_request(request, &app).await?;
    refuse_fast(&app, client, LimitedAction::Mail)?;
    count_stored(&app, client, price::MAIL)?;
    // The name and the address are compared when the mail is to be sent, so neither the work nor the time tells anything.
    let errand = Errand::Recover { key: name.folded() };
    let mail = Mail { id: app.env.id(), errand, to: mail, language: language.to_owned() };
    app.writer.change_mail(MailChange::Asked { mail, now_ms: app.env.now_ms() }).await?;
    Ok(StatusCode::ACCEPTED)
}
