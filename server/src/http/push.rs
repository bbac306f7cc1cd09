use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::StatusCode,
};
use game::ids::PlayerId;
use protocol::{NewPush, OwnPush, ProblemCode::UnusablePush, PushKey};
use store::{PushChange, StoreError};

use super::{
    Problem,
    client::{count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::Json,
};
use crate::{
    identity::CurrentSession,
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    push::service,
    state::App,
};

problems!(KeyProblems:);

/// The key with which a browser subscribes to notifications.
#[utoipa::path(
    get,
    path = "/push",
    tag = "push",
    operation_id = "read_push_key",
    responses((status = 200, description = "The key.", body = PushKey), KeyProblems),
)]
pub(super) async fn read(State(app): State<App>) -> Json<PushKey> {
    Json(PushKey { key: app.push.public_key().to_owned() })
}

problems!(SubscribeProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, &[UnusablePush]);

/// Sends notifications to the visitor's browser while this session lasts. It replaces the session's earlier subscription.
///
/// A player has ten subscriptions at most: those of the sessions that were unused for longest give way. A page sends its
/// subscription on each visit, since browsers change it by themselves.
#[utoipa::path(
    put,
    path = "/push",
    tag = "push",
    operation_id = "subscribe",
    request_body = NewPush,
    responses(
        (status = 200, description = "The browser is subscribed, and has to be with this key.", body = PushKey),
        SubscribeProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn subscribe(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<Json<PushKey>, Problem> {
    let Json(NewPush { endpoint, keys }) = Json::from_request(request, &app).await?;
    let subscription = app.push.subscription(endpoint, &keys.p256dh, &keys.auth).ok_or(UnusablePush)?;
    let (player, session) = (found.session.player.id, found.token.hash());
    let known = app.store.pushes_of(player).await?;
    let is_known =
        known.iter().any(|push| push.session == found.session.id && push.subscription == subscription);
    if !is_known {
        count_stored(&app, client, price::PUSH)?;
        let now_ms = app.env.now_ms();
        app.writer.change_push(PushChange::Subscribed { player, session, subscription, now_ms }).await?;
    }
    Ok(read(State(app)).await)
}

problems!(UnsubscribeProblems: OF_CHANGES, OF_SESSIONS);

/// Sends no more notifications to the visitor's browser.
#[utoipa::path(
    delete,
    path = "/push",
    tag = "push",
    operation_id = "unsubscribe",
    responses((status = 204, description = "The session has no subscription."), UnsubscribeProblems),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn unsubscribe(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::Block)?;
    let (player, session) = (found.session.player.id, found.token.hash());
    app.writer.change_push(PushChange::Unsubscribed { player, session }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the subscriptions of a player, without their secrets.
pub(super) async fn of(app: &App, player: PlayerId) -> Result<Vec<OwnPush>, StoreError> {
    let own = |push: store::OwnPush| OwnPush {
        session: push.session,
        service: service(&push.subscription.endpoint).unwrap_or_default(),
    };
    Ok(app.store.pushes_of(player).await?.into_iter().map(own).collect())
}
