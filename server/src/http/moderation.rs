use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::StatusCode,
};
use game::{
    ReportKind, Role,
    ids::{PlayerId, ReportId},
};
use protocol::{
    Act, ActKind, Audit, AuditQuery, Names, NewAct, NewReport, OwnAct, OwnActs, OwnReport, Player,
    ProblemCode::{
        NameTaken, NoAccount, NoSuchResource, NotModerator, NothingToDo, OnModerator, Oneself, Private,
        ProveAgain, TooManyActs, TooManyReports, UnknownGame, UnknownPlayer,
    },
    Report, ReportedLine, Reports, ReportsQuery,
};
use store::{
    Audience, CHAT_LINES, ChatRow, Decision, GameRow, ModerationChange, REPORTED_LINES, ReportCursor,
    ReportedChat,
};

use super::{
    Problem,
    client::{count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_QUERIES, OF_SESSIONS, problems},
    extract::{Json, Query},
};
use crate::{
    identity::{CurrentSession, Found},
    live::may_read,
    moderation,
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    state::App,
};

/// Number of reports, and of acts, of a page.
const PAGE: u32 = 20;

/// Maximum number of acts on oneself that are shown.
const OWN_ACTS: u32 = 50;

const HOUR_MS: i64 = 60 * 60 * 1_000;

problems!(
    ReportProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[NoAccount, Oneself, Private, TooManyReports, UnknownGame, UnknownPlayer],
);

/// Reports a player to the moderators.
///
/// It needs an account. While a report by the same account about the same player, of the same kind and in the same game is
/// open, another one changes nothing.
#[utoipa::path(
    post,
    path = "/reports",
    tag = "reports",
    operation_id = "report",
    request_body = NewReport,
    responses(
        (status = 204, description = "The moderators have the report."),
        ReportProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn report(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<StatusCode, Problem> {
    let Json(NewReport { player: target, kind, game, text }) = Json::from_request(request, &app).await?;
    found.must_be_account()?;
    refuse_fast(&app, client, LimitedAction::List)?;
    let by = found.session.player.id;
    let row = app.store.game(game).await?.ok_or(UnknownGame)?;
    let audience = may_read(&row, Some(by))?;
    let chat = ReportedChat { audience, after_ms: reopened_ms(&app, &row, audience, by).await? };
    // A deleted player is refused like one who never was in the game: nobody learns which games they played.
    let said = lines_of(&app, &row, chat, target).await?;
    let is_there = row.is_of(target) || row.creator == target || !said.is_empty();
    if app.store.named(&[target]).await?.is_empty() || !is_there {
        return Err(Problem::new(UnknownPlayer, "no player with this id is in the game or its chat"));
    }
    // A mistake costs none of the day's reports.
    refuse_fast(&app, client, LimitedAction::Report)?;
    let (id, at_ms) = (ReportId::new(app.env.id()), app.env.now_ms());
    let (kind, text) = (kind.into(), text.map(|text| text.into_inner()));
    let chat = (kind == ReportKind::Chat).then_some(chat);
    let copied = chat.map_or(&[][..], |_| &said[said.len().saturating_sub(REPORTED_LINES as usize)..]);
    let n_bytes =
        copied.iter().map(|line| price::REPORTED_LINE + line.line.text.as_str().len()).sum::<usize>();
    count_stored(&app, client, price::REPORT + n_bytes)?;
    let report = store::NewReport { id, by, target, kind, game, chat, text, at_ms };
    app.writer.moderate(ModerationChange::Reported(report)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns when the room of a game last opened again, from which on its players read what they say: milliseconds since 1970.
async fn reopened_ms(
    app: &App,
    row: &GameRow,
    audience: Audience,
    reader: PlayerId,
) -> Result<Option<i64>, Problem> {
    match audience {
        Audience::Players => Ok(app.games.state(row.id, reader).await?.reopened_ms()),
        Audience::Spectators => Ok(None),
    }
}

/// Returns the lines of a player in a chat, the oldest first.
async fn lines_of(
    app: &App,
    row: &GameRow,
    ReportedChat { audience, after_ms }: ReportedChat,
    player: PlayerId,
) -> Result<Vec<ChatRow>, Problem> {
    let mut lines = app.store.chat(row.id, audience, CHAT_LINES).await?;
    lines.retain(|row| row.line.who == player && Some(row.line.at_ms) > after_ms);
    Ok(lines)
}

problems!(OwnProblems: OF_SESSIONS);

/// The acts of moderators on the visitor.
///
/// The answer names no moderator and leaves out dismissed reports.
#[utoipa::path(
    get,
    path = "/account/acts",
    tag = "account",
    operation_id = "list_own_acts",
    responses(
        (status = 200, description = "The acts, the last one first.", body = OwnActs),
        OwnProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn own_acts(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
) -> Result<Json<OwnActs>, Problem> {
    let player = found.session.player.id;
    let acts = app.store.acts_on(player, None, OWN_ACTS).await?.into_iter();
    Ok(Json(OwnActs { acts: acts.map(own_act).collect() }))
}

problems!(ListProblems: OF_QUERIES, OF_SESSIONS, &[NotModerator]);

/// A page of the reports, for moderators: open ones from the oldest on, then settled ones from the newest on.
///
/// Nobody reads reports about themselves. A report about chat has the lines that its author read: a spectator's does not show what
/// the players say to each other.
#[utoipa::path(
    get,
    path = "/moderation/reports",
    tag = "moderation",
    operation_id = "list_reports",
    params(ReportsQuery),
    responses(
        (status = 200, description = "The page.", body = Reports),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn list_reports(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
    Query(query): Query<ReportsQuery>,
) -> Result<Json<Reports>, Problem> {
    must_be_moderator(&app, &found).await?;
    let after = query.after.map(|cursor| cursor.parse()).transpose()?;
    let reports = app.store.reports(found.session.player.id, after, PAGE).await?;
    let last = reports.last().filter(|_| reports.len() == PAGE as usize);
    let next = last.map(|report| ReportCursor::behind(report).to_string());
    app.directory.load(reports.iter().flat_map(|report| [report.by, report.target])).await?;
    Ok(Json(Reports { reports: reports.into_iter().map(|report| shown(&app, report)).collect(), next }))
}

problems!(
    ActProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[
        NameTaken, NoSuchResource, NotModerator, NothingToDo, OnModerator, Oneself, ProveAgain, TooManyActs,
    ],
);

/// Acts on a player, for moderators.
///
/// It needs a proof of the last ten minutes. Only administrators act on moderators, and nobody on themselves. Each act is
/// recorded, and its target can read it. Acts besides dismissals are limited to 30 in an hour.
#[utoipa::path(
    post,
    path = "/moderation/acts",
    tag = "moderation",
    operation_id = "act",
    request_body = NewAct,
    responses(
        (status = 204, description = "It is done."),
        ActProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn act(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
    request: Request,
) -> Result<StatusCode, Problem> {
    let Json(act) = Json::from_request(request, &app).await?;
    must_be_moderator(&app, &found).await?;
    found.must_be_proved(app.env.now_ms())?;
    let (target, decision) = match act {
        NewAct::HideName { player, name } => {
            moderation::hide_name(&app, &found, player, name).await?;
            return Ok(StatusCode::NO_CONTENT);
        }
        NewAct::Mute { player, hours } => {
            (player, Decision::Mute { until_ms: app.env.now_ms() + i64::from(hours.get()) * HOUR_MS })
        }
        NewAct::Unmute { player } => (player, Decision::Unmute),
        NewAct::Close { player } => (player, Decision::Close),
        NewAct::Reopen { player } => (player, Decision::Reopen),
        NewAct::DismissAll { player } => (player, Decision::DismissAll),
        NewAct::Dismiss { report } => {
            (app.store.report(report).await?.ok_or(NoSuchResource)?.target, Decision::Dismiss(report))
        }
    };
    moderation::act(&app, &found, target, decision).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A page of all acts, for administrators.
#[utoipa::path(
    get,
    path = "/moderation/audit",
    tag = "moderation",
    operation_id = "read_audit",
    params(AuditQuery),
    responses(
        (status = 200, description = "The page.", body = Audit),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn audit(
    State(app): State<App>,
    CurrentSession(found): CurrentSession,
    Query(query): Query<AuditQuery>,
) -> Result<Json<Audit>, Problem> {
    if must_be_moderator(&app, &found).await? != Role::Admin {
        return Err(Problem::new(NotModerator, "only administrators may read this"));
    }
    let acts = app.store.acts(query.before, PAGE).await?;
    let next = acts.last().filter(|_| acts.len() == PAGE as usize).map(|act| act.id);
    app.directory.load(acts.iter().flat_map(|act| act.by.into_iter().chain([act.target]))).await?;
    let names = |id| app.directory.player_with_id(id);
    Ok(Json(Audit { acts: acts.into_iter().map(|act| told(act, names)).collect(), next }))
}

/// Returns the role of the player of a session.
///
/// # Errors
/// [`NotModerator`] without a role.
async fn must_be_moderator(app: &App, found: &Found) -> Result<Role, Problem> {
    Ok(app.store.role(found.session.player.id).await?.ok_or(NotModerator)?)
}

/// Returns an act with its moderator.
pub(super) fn told(act: store::Act, names: impl Fn(PlayerId) -> Player) -> Act {
    let (by, player) = (act.by.map(&names), names(act.target));
    Act { id: act.id, at_ms: act.at_ms, by, player, what: kind(act.what) }
}

/// Returns an act as its target sees it.
pub(super) fn own_act(act: store::Act) -> OwnAct {
    OwnAct { id: act.id, at_ms: act.at_ms, what: kind(act.what) }
}

/// Returns a report as its author sees it. The directory has its players.
pub(super) fn own_report(app: &App, report: store::Report) -> OwnReport {
    OwnReport {
        id: report.id,
        at_ms: report.at_ms,
        kind: report.kind.into(),
        player: app.directory.player(report.target),
        game: report.game,
        text: report.text,
        settled_ms: report.settled_ms,
    }
}

/// Returns a report as moderators see it. The directory has its players.
fn shown(app: &App, report: store::Report) -> Report {
    Report {
        id: report.id,
        at_ms: report.at_ms,
        kind: report.kind.into(),
        by: app.directory.player_with_id(report.by),
        player: app.directory.player_with_id(report.target),
        name: report.name,
        game: report.game,
        text: report.text,
        lines: report.lines.into_iter().map(line).collect(),
        muted_until_ms: app.mutes.until(report.target, app.env.now_ms()),
        settled_ms: report.settled_ms,
    }
}

fn line(store::ReportedLine { at_ms, text }: store::ReportedLine) -> ReportedLine {
    ReportedLine { at_ms, text }
}

fn kind(kind: store::ActKind) -> ActKind {
    match kind {
        store::ActKind::Muted { until_ms } => ActKind::Muted { until_ms },
        store::ActKind::Unmuted => ActKind::Unmuted,
        store::ActKind::NameHidden(name) => ActKind::NameHidden { name },
        store::ActKind::Closed => ActKind::Closed,
        store::ActKind::Reopened => ActKind::Reopened,
        store::ActKind::Dismissed => ActKind::Dismissed,
        store::ActKind::RoleGiven(role) => ActKind::RoleGiven { role: role.into() },
        store::ActKind::RoleTaken => ActKind::RoleTaken,
    }
}
