use axum::{Extension, extract::State, response::Response};
use engine::{Ruleset, Side, record::Date};
use game::ids::{GameId, PlayerName};
use protocol::{GamePage, ProblemCode, Reason};
use serde::Deserialize;
use store::{GameFilter, GameResult, List, Paging};

use super::{
    Problem,
    client::refuse_fast,
    document::Reader,
    extract::{Json, Path, Query, Text},
};
use crate::{
    edge,
    identity::Visitor,
    net::address::{Client, LimitedAction, LimitedResource},
    state::App,
};

const DAY_MS: i64 = 86_400_000;

/// The requested page of a list: `before` is the `next` of the page before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageQuery {
    pub(super) before: Option<String>,
    #[serde(default)]
    pub(super) limit: Limit,
}

/// Maximum number of games of a page: 1 to 100, by default 20.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u32")]
pub(super) struct Limit(u32);

impl Limit {
    /// The number of games.
    pub(super) const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(20)
    }
}

impl TryFrom<u32> for Limit {
    type Error = &'static str;

    fn try_from(limit: u32) -> Result<Self, &'static str> {
        if (1..=100).contains(&limit) { Ok(Self(limit)) } else { Err("expected a limit of 1 to 100") }
    }
}

/// The lists of `GET /api/v1/games`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    /// Finished public games.
    Finished,
    /// The visitor's own rooms and games.
    Mine,
}

/// The winner.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Winner {
    First,
    Second,
    Draw,
}

/// Query of a list: the list, filters of its games, and the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    list: Which,
    before: Option<String>,
    #[serde(default)]
    limit: Limit,
    player: Option<PlayerName>,
    ruleset: Option<Text<Ruleset>>,
    result: Option<Winner>,
    reason: Option<Reason>,
    since: Option<Text<Date>>,
    until: Option<Text<Date>>,
}

impl ListQuery {
    /// Returns the filter of the games. A game counts to the day in UTC on which it ended.
    fn filter(&mut self) -> GameFilter {
        GameFilter {
            player: self.player.take(),
            ruleset: self.ruleset.map(|Text(ruleset)| ruleset),
            result: self.result.map(|winner| match winner {
                Winner::First => GameResult::WonBy(Side::First),
                Winner::Second => GameResult::WonBy(Side::Second),
                Winner::Draw => GameResult::Draw,
            }),
            reason: self.reason.map(Into::into),
            since_ms: self.since.map(|Text(day)| day.unix_ms()),
            until_ms: self.until.map(|Text(day)| day.unix_ms() + DAY_MS),
        }
    }
}

/// `GET /api/v1/games`: a page of a list.
pub(super) async fn list(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    visitor: Option<Visitor>,
    Query(mut query): Query<ListQuery>,
) -> Result<Json<GamePage>, Problem> {
    let filter = query.filter();
    let list = match query.list {
        Which::Finished => List::FinishedGames(filter),
        Which::Mine if filter != GameFilter::default() => return Err(only_finished_games_are_filtered()),
        Which::Mine => List::GamesOf(visitor.ok_or(ProblemCode::NoSession)?.0.id),
    };
    let before = query.before.map(|cursor| cursor.parse()).transpose()?;
    refuse_fast(&app, client, LimitedAction::List)?;
    let _place =
        app.addresses.open(client.address, LimitedResource::List).map_err(Problem::too_many_lists)?;
    let page = app.store.list(list, Paging { before, limit: query.limit.0 }).await?;
    let games = page.games.into_iter().map(edge::summary).collect();
    Ok(Json(GamePage { games, next: page.next.map(|cursor| cursor.to_string()) }))
}

fn only_finished_games_are_filtered() -> Problem {
    let detail = "the own games are listed with `before` and `limit` alone: filters are for list=finished";
    Problem::new(ProblemCode::InvalidQuery, detail)
}

/// `GET /api/v1/games/{id}`: the document of a game.
pub(super) async fn read(
    State(app): State<App>,
    reader: Reader,
    Path(game): Path<GameId>,
) -> Result<Response, Problem> {
    let document = app.games.document(game, reader.player, reader.recipient.asker).await?;
    reader.recipient.answer(&app, document, "application/json").await
}
