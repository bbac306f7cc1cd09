use axum::{
    Json,
    extract::{
        Path, Query, State,
        rejection::{PathRejection, QueryRejection},
    },
};
use serde::Deserialize;

use super::Problem;
use crate::{
    app::App,
    identity::Visitor,
    ids::{GameId, PlayerId},
    protocol::{GameDocument, GamePage},
    store::{List, Paging, Store},
};

/// Which part of a list: `before` is the `next` of the page before.
#[derive(Debug, Deserialize)]
pub(super) struct PageQuery {
    before: Option<String>,
    #[serde(default)]
    limit: Limit,
}

/// How many games a page has at most: 1 to 100, 20 unless the query says otherwise.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u32")]
struct Limit(u32);

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

impl PageQuery {
    pub(super) async fn page(self, store: &dyn Store, list: List) -> Result<Json<GamePage>, Problem> {
        let before = self.before.map(|cursor| cursor.parse()).transpose()?;
        let page = store.list(list, Paging { before, limit: self.limit.0 }).await?;
        Ok(Json(GamePage { games: page.games, next: page.next.map(|cursor| cursor.to_string()) }))
    }
}

/// The lists of `GET /api/games`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    /// Public games that are over.
    Finished,
    /// The visitor's own rooms and games.
    Mine,
}

#[derive(Debug, Deserialize)]
pub(super) struct ListQuery {
    list: Which,
}

/// `GET /api/games`: a page of a list.
pub(super) async fn list(
    State(app): State<App>,
    visitor: Option<Visitor>,
    which: Result<Query<ListQuery>, QueryRejection>,
    page: Result<Query<PageQuery>, QueryRejection>,
) -> Result<Json<GamePage>, Problem> {
    let Query(ListQuery { list }) = which?;
    let list = match list {
        Which::Finished => List::FinishedGames,
        Which::Mine => List::GamesOf(visitor.ok_or_else(Problem::no_session)?.0.id),
    };
    page?.0.page(&*app.store, list).await
}

/// `GET /api/games/{id}`: all of a game.
pub(super) async fn read(
    State(app): State<App>,
    visitor: Option<Visitor>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Json<GameDocument>, Problem> {
    let Path(game) = id?;
    Ok(Json(app.games.document(game, reader(visitor)).await?))
}

/// Whose eyes a game is read with.
pub(super) fn reader(visitor: Option<Visitor>) -> Option<PlayerId> {
    visitor.map(|Visitor(player)| player.id)
}
