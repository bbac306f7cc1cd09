use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::StatusCode,
};
use game::{
    Player,
    ids::{PasskeyId, PlayerId},
};
use protocol::{
    NewPasskey, OwnPasskey, PasskeyChange, PasskeyOptions, PasskeyPurpose, Passkeys,
    ProblemCode::{
        CeremonyOver, HasAccount, LastCredential, NameTaken, NoAccount, NoPasskeys, NoSession,
        NoSuchResource, ProveAgain, TooManyPasskeys, UnusablePasskey,
    },
};
use store::StoreError;

use super::{
    Problem,
    account::own_name,
    client::{count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::{Json, Path},
    pages::language,
};
use crate::{
    identity::{self, CurrentSession, SessionCookies},
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    state::App,
};

problems!(
    OptionsProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[HasAccount, NameTaken, NoAccount, NoPasskeys, ProveAgain, TooManyPasskeys],
);

/// Begins a ceremony, by which a passkey is made or used: what a browser passes on to the authenticator.
///
/// The authenticator's answer counts once, within five minutes. A sign-in needs no session; a new passkey of an account
/// needs a proof of the last ten minutes.
#[utoipa::path(
    post,
    path = "/passkeys/options",
    tag = "account",
    operation_id = "begin_passkey",
    request_body = PasskeyPurpose,
    responses(
        (status = 200, description = "The options.", body = PasskeyOptions),
        OptionsProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn options(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Json<PasskeyOptions>, Problem> {
    refuse_fast(&app, client, LimitedAction::Ceremony)?;
    let carried = SessionCookies::by(request.headers(), client, app.origin.as_ref());
    let Json(purpose) = Json::from_request(request, &app).await?;
    let found = carried.proved(&app).await?;
    let visitor = found.as_ref().ok_or(NoSession);
    let options = match purpose {
        PasskeyPurpose::Register { name } => {
            visitor?.must_be_guest()?;
            let (player, name) = (visitor?.session.player.id, own_name(name)?);
            if app.store.is_taken(&name, player).await? {
                return Err(NameTaken.into());
            }
            identity::begin_new_passkey(&app, player, &name).await?
        }
        PasskeyPurpose::Add {} => {
            visitor?.must_be_account()?;
            visitor?.must_be_proved(app.env.now_ms())?;
            let Player { id, name } = &visitor?.session.player;
            identity::begin_new_passkey(&app, *id, name).await?
        }
        PasskeyPurpose::Prove {} => {
            visitor?.must_be_account()?;
            identity::begin_proof(&app, visitor?.session.player.id).await?
        }
        PasskeyPurpose::SignIn {} => identity::begin_sign_in(&app).await?,
    };
    Ok(Json(options))
}

problems!(ListProblems: OF_SESSIONS, &[NoAccount]);

/// The passkeys of the visitor's account.
#[utoipa::path(
    get,
    path = "/passkeys",
    tag = "account",
    operation_id = "list_passkeys",
    responses(
        (status = 200, description = "The passkeys, the first made one first.", body = Passkeys),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn list(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
) -> Result<Json<Passkeys>, Problem> {
    found.must_be_account()?;
    listed(&app, found.session.player.id).await
}

problems!(
    AddProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[CeremonyOver, NoAccount, NoPasskeys, TooManyPasskeys, UnusablePasskey],
);

/// Gives the visitor's account a passkey. A mail tells the account's owner.
#[utoipa::path(
    post,
    path = "/passkeys",
    tag = "account",
    operation_id = "add_passkey",
    request_body = NewPasskey,
    responses(
        (status = 200, description = "The passkeys, the first made one first.", body = Passkeys),
        AddProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn add(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<Json<Passkeys>, Problem> {
    let headers = request.headers().clone();
    let language = language(request.uri(), &headers);
    let Json(NewPasskey { passkey }) = Json::from_request(request, &app).await?;
    found.must_be_account()?;
    count_stored(&app, client, price::PASSKEY)?;
    identity::add_passkey(&app, &found, &headers, passkey, language).await?;
    listed(&app, found.session.player.id).await
}

problems!(NameProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, &[NoAccount, NoSuchResource]);

/// Renames a passkey of the visitor's account.
#[utoipa::path(
    patch,
    path = "/passkeys/{id}",
    tag = "account",
    operation_id = "name_passkey",
    params(("id" = inline(PasskeyId), Path, description = "Id of the passkey.")),
    request_body = PasskeyChange,
    responses(
        (status = 200, description = "The passkeys, the first made one first.", body = Passkeys),
        NameProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn name(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    Path(passkey): Path<PasskeyId>,
    request: Request,
) -> Result<Json<Passkeys>, Problem> {
    refuse_fast(&app, client, LimitedAction::Name)?;
    let Json(PasskeyChange { label }) = Json::from_request(request, &app).await?;
    found.must_be_account()?;
    identity::name_passkey(&app, &found, passkey, label).await?;
    listed(&app, found.session.player.id).await
}

problems!(
    RemoveProblems: OF_CHANGES, OF_SESSIONS,
    &[LastCredential, NoAccount, NoSuchResource, ProveAgain],
);

/// Takes a passkey from the visitor's account.
///
/// It needs a proof of the last ten minutes. Sessions that it opened stay.
#[utoipa::path(
    delete,
    path = "/passkeys/{id}",
    tag = "account",
    operation_id = "remove_passkey",
    params(("id" = inline(PasskeyId), Path, description = "Id of the passkey.")),
    responses(
        (status = 204, description = "The account does not have it any more."),
        RemoveProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn remove(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
    Path(passkey): Path<PasskeyId>,
) -> Result<StatusCode, Problem> {
    found.must_be_account()?;
    found.must_be_proved(app.env.now_ms())?;
    identity::remove_passkey(&app, &found, passkey).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn listed(app: &App, player: PlayerId) -> Result<Json<Passkeys>, Problem> {
    Ok(Json(Passkeys { passkeys: of(app, player).await? }))
}

/// Returns the passkeys of a player.
pub(super) async fn of(app: &App, player: PlayerId) -> Result<Vec<OwnPasskey>, StoreError> {
    let own = |passkey: store::Passkey| OwnPasskey {
        id: passkey.id,
        label: passkey.label,
        created_ms: passkey.created_ms,
        used_ms: passkey.used_ms,
    };
    Ok(app.store.passkeys_of(player).await?.into_iter().map(own).collect())
}
