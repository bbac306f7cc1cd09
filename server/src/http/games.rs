use axum::{Extension, extract::State, response::Response};
use engine::Side;
use game::ids::GameId;
use protocol::{
    GameDocument, GameEvents, GamePage, ListName, ListQuery,
    ProblemCode::{self, TooManyLists},
    Text, Winner,
};
use store::{GameFilter, GameResult, List, Paging};

use super::{
    Problem,
    client::refuse_fast,
    describe::{OF_DOCUMENTS, OF_QUERIES, OF_READING, OF_SESSIONS, problems},
    document::Reader,
    extract::{Json, Path, Query},
};
use crate::{
    identity::Visitor,
    net::address::{Client, LimitedAction, LimitedResource},
    state::App,
};

const DAY_MS: i64 = 86_400_000;

/// Returns the filter of a list, without the player. A game counts to the day in UTC on which it ended.
fn filter(query: &ListQuery) -> GameFilter {
    GameFilter {
        player: None,
        ruleset: query.ruleset.map(|Text(ruleset)| ruleset),
        result: query.result.map(|winner| match winner {
            Winner::First => GameResult::WonBy(Side::First),
            Winner::Second => GameResult::WonBy(Side::Second),
            Winner::Draw => GameResult::Draw,
        }),
        reason: query.reason.map(Into::into),
        since_ms: query.since.map(|Text(day)| day.unix_ms()),
        until_ms: query.until.map(|Text(day)| day.unix_ms() + DAY_MS),
    }
}

problems!(ListProblems: OF_QUERIES, OF_SESSIONS, &[TooManyLists]);

/// A page of a list of games.
#[utoipa::path(
    get,
    path = "/games",
    tag = "games",
    operation_id = "list_games",
    params(ListQuery),
    responses(
        (status = 200, description = "The page.", body = GamePage),
        ListProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn list(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    visitor: Option<Visitor>,
    Query(query): Query<ListQuery>,
) -> Result<Json<GamePage>, Problem> {
    let filter = filter(&query);
    let list = match query.list {
        ListName::Finished => List::FinishedGames(filter),
        ListName::Mine | ListName::Played if query.player.is_some() || filter != GameFilter::default() => {
            return Err(only_public_games_are_filtered());
        }
        ListName::Mine => List::UnfinishedGamesOf(visitor.ok_or(ProblemCode::NoSession)?.0.id),
        ListName::Played => List::FinishedGamesOf(visitor.ok_or(ProblemCode::NoSession)?.0.id),
    };
    let before = query.before.map(|cursor| cursor.parse()).transpose()?;
    refuse_fast(&app, client, LimitedAction::List)?;
    let _place =
        app.addresses.open(client.address, LimitedResource::List).map_err(Problem::too_many_lists)?;
    let list = match (list, &query.player) {
        (List::FinishedGames(filter), Some(name)) => match app.store.player_named(name).await? {
            player @ Some(_) => List::FinishedGames(GameFilter { player, ..filter }),
            None => return Ok(Json(GamePage { games: Vec::new(), next: None })),
        },
        (list, _) => list,
    };
    let page = app.store.list(list, Paging { before, limit: query.limit.get() }).await?;
    let games = app.summaries(page.games).await?;
    Ok(Json(GamePage { games, next: page.next.map(|cursor| cursor.to_string()) }))
}

fn only_public_games_are_filtered() -> Problem {
    let detail = "the own games are listed with `before` and `limit` alone: filters are for list=finished";
    Problem::new(ProblemCode::InvalidQuery, detail)
}

problems!(ReadProblems: OF_DOCUMENTS, OF_READING);

/// The document of a game.
#[utoipa::path(
    get,
    path = "/games/{id}",
    tag = "games",
    operation_id = "read_game",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    responses(
        (status = 200, description = "The game.", body = GameDocument),
        ReadProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn read(
    State(app): State<App>,
    reader: Reader,
    Path(game): Path<GameId>,
) -> Result<Response, Problem> {
    let document = app.games.document(game, reader.player, reader.recipient.requester).await?;
    reader.recipient.answer(&app, document, "application/json").await
}

/// The events of a game as the socket sends them, which the page of a game is drawn from.
#[utoipa::path(
    get,
    path = "/games/{id}/events",
    tag = "games",
    operation_id = "read_events",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    responses(
        (status = 200, description = "The events, and the present of the game.", body = GameEvents),
        ReadProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn events(
    State(app): State<App>,
    reader: Reader,
    Path(game): Path<GameId>,
) -> Result<Response, Problem> {
    let events = app.games.events(game, reader.player, reader.recipient.requester).await?;
    reader.recipient.answer(&app, events, "application/json").await
}
