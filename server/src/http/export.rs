use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use engine::Side;
use futures_util::{Stream, StreamExt as _, stream};
use game::{
    PlayerKind, StoredWord,
    ids::{ActId, LineId, PlayerId, ReportId},
};
use protocol::{
    Exported, Names,
    ProblemCode::{ProveAgain, TooManyExports, TooManyLists},
};
use store::{
    ConditionalRow, Cursor, DueMessage, GameRow, List, MAX_NOTICES, OutboxKey, OwnMail, Page, Paging,
    StoreError,
};
use tokio::time::Instant;

use super::{
    Problem,
    account::account,
    blocks,
    client::refuse_fast,
    describe::{OF_QUERIES, OF_SESSIONS, problems},
    extract::Json,
    inbox, moderation, passkeys, push, seeks, sessions,
};
use crate::{
    conditional::{self, has_conditional_turns},
    credentials::Attempt,
    identity::CurrentSession,
    net::address::{Client, LimitedAction, LimitedResource, ResourceGuard},
    state::App,
};

/// Number of games, lines, reports or acts that are read at once.
const AT_ONCE: u32 = 100;

problems!(ExportProblems: OF_QUERIES, OF_SESSIONS, &[ProveAgain, TooManyExports, TooManyLists]);

/// Everything that is stored about the visitor, a line of JSON for each thing.
///
/// Of an account it needs a proof of the last ten minutes. There is one export in a day, which counts when it has been read to its
/// end. The turns of a game are in the game's document.
#[utoipa::path(
    get,
    path = "/session/export",
    tag = "session",
    operation_id = "export_player",
    responses(
        (status = 200, description = "The lines.", body = String, content_type = "application/x-ndjson"),
        ExportProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn read(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    CurrentSession(found): CurrentSession,
) -> Result<Response, Problem> {
    if found.session.kind == PlayerKind::Account {
        found.must_be_proved(app.env.now_ms())?;
    }
    refuse_fast(&app, client, LimitedAction::List)?;
    let place = app.addresses.open(client.address, LimitedResource::List).map_err(Problem::too_many_lists)?;
    let player = found.session.player.id;
    let attempt = app.attempts.of_export(player, Instant::now()).map_err(|wait| {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        Problem::too_many_exports(wait, app.env.now_ms().saturating_add(wait_ms))
    })?;
    let mut about =
        vec![Exported::Player { player: (found.session.player.clone(), found.session.kind).into() }];
    if found.session.kind == PlayerKind::Account {
        let Json(account) = account(&app, player, None).await?;
        about.push(Exported::Account { account: Box::new(account) });
    }
    let sessions = sessions::of(&app, &found).await?.into_iter();
    about.extend(sessions.map(|session| Exported::Session { session }));
    let passkeys = passkeys::of(&app, player).await?.into_iter();
    about.extend(passkeys.map(|passkey| Exported::Passkey { passkey }));
    let devices = app.store.devices_of(player).await?.into_iter();
    about.extend(devices.map(|until_ms| Exported::Device { until_ms }));
    let mails = app.store.mails_of(player).await?.into_iter();
    about.extend(mails.map(|OwnMail { purpose, to: address, created_ms: at_ms }| Exported::Mail {
        purpose,
        address,
        at_ms,
    }));
    let messages = app.store.messages_of(player).await?.into_iter();
    about.extend(messages.map(|DueMessage { key: OutboxKey { purpose, channel, .. }, since_ms, .. }| {
        Exported::Message { purpose: purpose.as_db_str(), channel: channel.as_db_str(), since_ms }
    }));
    if let Some(game::Vacations { is_automatic, taken, .. }) = app.store.vacations(player).await? {
        let taken = taken.into_iter().map(Into::into).collect();
        about.push(Exported::Vacations { automatic: is_automatic, taken });
    }
    let pushes = push::of(&app, player).await?.into_iter();
    about.extend(pushes.map(|push| Exported::Push { push }));
    let notices = inbox::page(&app, player, None, MAX_NOTICES).await?.into_iter();
    about.extend(notices.map(|notice| Exported::Notice { notice }));
    let blocked = blocks::of(&app, player).await?.into_iter();
    about.extend(blocked.map(|player| Exported::Blocked { player }));
    let seeks = seeks::of(&app, player).await?.into_iter();
    about.extend(seeks.map(|seek| Exported::Seek { seek }));

    let reading = Reading { app, client, player, attempt, _place: place };
    let text = stream::once(async move { Ok(text(&about)) }).chain(parts(reading));
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"towers.ndjson\""),
    ];
    Ok((headers, Body::from_stream(text)).into_response())
}

/// An export under way, which counts as a list that the client reads.
struct Reading {
    app: App,
    client: Client,
    player: PlayerId,
    attempt: Attempt,
    _place: ResourceGuard,
}

/// The place in an export from which the next part is read.
#[derive(Clone, Copy)]
enum Next {
    Unfinished(Option<Cursor>),
    Finished(Option<Cursor>),
    Lines(Option<LineId>),
    Reports(Option<ReportId>),
    Acts(Option<ActId>),
    Moderated(Option<ActId>),
    End,
}

/// The games, the lines and the reports of a player, the acts on them, and those by them as a moderator. Each part is read when the client has room for it.
fn parts(reading: Reading) -> impl Stream<Item = Result<Bytes, StoreError>> {
    stream::try_unfold((reading, Next::Unfinished(None)), async |(reading, next)| {
        let Reading { app, client, player, .. } = &reading;
        app.addresses.charge(client.address, LimitedAction::List, 1, Instant::now());
        let (part, next) = match next {
            Next::Unfinished(before) => {
                let page = page(app, List::UnfinishedGamesOf(*player), before).await?;
                let conditionals = conditionals(app, *player, &page.games).await?;
                let (mut part, before) = games(app, page).await?;
                part.extend(conditionals);
                (part, before.map_or(Next::Finished(None), |before| Next::Unfinished(Some(before))))
            }
            Next::Finished(before) => {
                let page = page(app, List::FinishedGamesOf(*player), before).await?;
                let (part, before) = games(app, page).await?;
                (part, before.map_or(Next::Lines(None), |before| Next::Finished(Some(before))))
            }
            Next::Lines(after) => {
                let lines = app.store.lines_by(*player, after, AT_ONCE).await?;
                let next = lines.last().map_or(Next::Reports(None), |(_, line)| Next::Lines(Some(line.id)));
                let line = |(game, line): (_, store::ChatLine)| {
                    let store::ChatLine { id, at_ms, turn, text, .. } = line;
                    Exported::Line { game, id, at_ms, turn, text }
                };
                (lines.into_iter().map(line).collect(), next)
            }
            Next::Reports(after) => {
                let reports = app.store.reports_by(*player, after, AT_ONCE).await?;
                let next = reports.last().map_or(Next::Acts(None), |last| Next::Reports(Some(last.id)));
                app.directory.load(reports.iter().map(|report| report.target)).await?;
                let report = |report| Exported::Report { report: moderation::own_report(app, report) };
                (reports.into_iter().map(report).collect(), next)
            }
            Next::Acts(before) => {
                let acts = app.store.acts_on(*player, before, AT_ONCE).await?;
                let next = acts.last().map_or(Next::Moderated(None), |last| Next::Acts(Some(last.id)));
                let act = |act| Exported::Act { act: moderation::own_act(act) };
                (acts.into_iter().map(act).collect(), next)
            }
            Next::Moderated(before) => {
                let acts = app.store.acts_by(*player, before, AT_ONCE).await?;
                let next = acts.last().map_or(Next::End, |last| Next::Moderated(Some(last.id)));
                app.directory
                    .load(acts.iter().flat_map(|act| act.by.into_iter().chain([act.target])))
                    .await?;
                let names = |id| app.directory.player(id);
                let act = |act| Exported::Moderated { act: moderation::told(act, names) };
                (acts.into_iter().map(act).collect(), next)
            }
            Next::End => {
                reading.attempt.keep(true);
                return Ok(None);
            }
        };
        Ok(Some((text(&part), (reading, next))))
    })
}

async fn page(app: &App, list: List, before: Option<Cursor>) -> Result<Page, StoreError> {
    app.store.list(list, Paging { before, limit: AT_ONCE }).await
}

/// Returns the conditional turns of a player in games.
async fn conditionals(app: &App, player: PlayerId, games: &[GameRow]) -> Result<Vec<Exported>, StoreError> {
    let mut found = Vec::new();
    for row in games.iter().filter(|row| has_conditional_turns(row.ruleset, row.clock)) {
        let Some(side) = row
            .seats
            .and_then(|seats| [Side::First, Side::Second].into_iter().find(|side| seats[*side] == player))
        else {
            continue;
        };
        if let Some(ConditionalRow { game, body, .. }) = app.store.conditional(row.id, side).await? {
            found.push(Exported::Conditional { game, turns: conditional::read(&body) });
        }
    }
    Ok(found)
}

async fn games(app: &App, page: Page) -> Result<(Vec<Exported>, Option<Cursor>), StoreError> {
    let games = app.summaries(page.games).await?.into_iter();
    Ok((games.map(|game| Exported::Game { game: Box::new(game) }).collect(), page.next))
}

fn text(lines: &[Exported]) -> Bytes {
    let line = |line| serde_json::to_string(line).expect("an export has string keys only") + "\n";
    lines.iter().map(line).collect::<String>().into()
}
