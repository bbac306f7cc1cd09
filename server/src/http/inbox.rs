use std::collections::BTreeMap;

use axum::{Extension, extract::State, http::StatusCode};
use game::{
    InboxEvent,
    ids::{GameId, NoticeId, PlayerId},
};
use protocol::{
    ClockRule, Inbox, InboxNotice, InboxQuery, NoticeKind, ProblemCode::TooManyLists, SeenNotices,
};
use store::StoreError;

use super::{
    Problem,
    client::refuse_fast,
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_QUERIES, OF_SESSIONS, problems},
    extract::{Json, Query},
};
use crate::{
    identity::Visitor,
    net::address::{Client, LimitedAction, LimitedResource},
    state::App,
};

problems!(ListProblems: OF_QUERIES, OF_SESSIONS, &[TooManyLists]);

/// The notices to the visitor, the newest first.
///
/// They are kept for 90 days, and at most the 200 newest ones of a player. Games in real time are in none of them.
#[utoipa::path(
    get,
    path = "/inbox",
    tag = "inbox",
    operation_id = "read_inbox",
    params(InboxQuery),
    responses(
        (status = 200, description = "The page.", body = Inbox),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn read(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Query(InboxQuery { before, limit }): Query<InboxQuery>,
) -> Result<Json<Inbox>, Problem> {
    refuse_fast(&app, client, LimitedAction::List)?;
    let _place =
        app.addresses.open(client.address, LimitedResource::List).map_err(Problem::too_many_lists)?;
    let notices = page(&app, player.id, before, limit.get()).await?;
    let next = notices.last().filter(|_| notices.len() == limit.get() as usize).map(|last| last.id);
    let unseen = app.store.count_unseen(player.id).await?;
    Ok(Json(Inbox { notices, unseen, next }))
}

/// Returns the notices to a player before one, the newest first; the newest ones of all without one.
pub(super) async fn page(
    app: &App,
    player: PlayerId,
    before: Option<NoticeId>,
    limit: u32,
) -> Result<Vec<InboxNotice>, StoreError> {
    let notices = app.store.inbox(player, before, limit).await?;
    let events = || notices.iter().map(|notice| &notice.event);
    app.directory.load(events().filter_map(InboxEvent::other)).await?;
    let games: Vec<GameId> = events().filter_map(InboxEvent::game).collect();
    let rows = app.store.rows(&games).await?;
    let clocks: BTreeMap<GameId, ClockRule> =
        rows.into_iter().map(|row| (row.id, row.clock.into())).collect();
    let notice = |store::InboxNotice { id, event, at_ms, seen_ms }| {
        let game =
            event.game().and_then(|game| clocks.get_key_value(&game)).map(|(game, clock)| (*game, *clock));
        InboxNotice { id, at_ms, seen: seen_ms.is_some(), what: NoticeKind::of(event, game, &app.directory) }
    };
    Ok(notices.into_iter().map(notice).collect())
}

problems!(SeeProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS);

/// Marks notices to the visitor as seen: one, and all before it.
#[utoipa::path(
    post,
    path = "/inbox/seen",
    tag = "inbox",
    operation_id = "see_notices",
    request_body = SeenNotices,
    responses(
        (status = 204, description = "They are seen."),
        SeeProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn see(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Json(SeenNotices { up_to }): Json<SeenNotices>,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::List)?;
    app.writer.see_notices(player.id, up_to, app.env.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT)
}
