use axum::{
    Extension,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use game::ids::GameId;
use protocol::{
    ProblemCode::{NoReview, NotOver, ReviewFailed, TooManyReviews},
    Review, ReviewProgress,
};

use super::{
    Problem,
    client::count_stored,
    describe::{OF_CHANGES, OF_READING, problems},
    extract::{Json, Path},
};
use crate::{
    identity::Visitor,
    net::address::Client,
    review::{Asked, ReviewError},
    state::App,
};

impl IntoResponse for Asked {
    fn into_response(self) -> Response {
        match self {
            Self::UnderWay(progress) => (StatusCode::ACCEPTED, Json(progress)).into_response(),
            Self::Done(review) => Json(review).into_response(),
        }
    }
}

problems!(ReadProblems: OF_READING, &[NoReview, NotOver, ReviewFailed]);

/// The review of a finished game, if somebody has asked for it.
#[utoipa::path(
    get,
    path = "/games/{id}/review",
    tag = "games",
    operation_id = "read_review",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    responses(
        (status = 200, description = "The review.", body = Review),
        (status = 202, description = "The review is being computed: ask again in a second or two.", body = ReviewProgress),
        ReadProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn read(
    State(app): State<App>,
    visitor: Option<Visitor>,
    Path(game): Path<GameId>,
) -> Result<Asked, Problem> {
    Ok(app.reviews.read(game, visitor.map(|Visitor(who)| who.id)).await?)
}

problems!(AskProblems: OF_CHANGES, OF_READING, &[NotOver, TooManyReviews, ReviewFailed]);

/// Asks for the review of a finished game.
///
/// It is computed unless it is stored. Asking twice changes nothing.
#[utoipa::path(
    post,
    path = "/games/{id}/review",
    tag = "games",
    operation_id = "review_game",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    responses(
        (status = 200, description = "The review, which was stored before.", body = Review),
        (status = 202, description = "The review is being computed.", body = ReviewProgress),
        AskProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn ask(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    visitor: Option<Visitor>,
    Path(game): Path<GameId>,
) -> Result<Asked, Problem> {
    let reader = visitor.map(|Visitor(who)| who.id);
    match app.reviews.read(game, reader).await {
        Err(ReviewError::NotAsked) => {}
        known => return Ok(known?),
    }
    if app.load.is_too_much() {
        return Err(Problem::overloaded());
    }
    // Its bytes are counted when it is done.
    count_stored(&app, client, 0)?;
    Ok(Asked::UnderWay(app.reviews.begin(game, reader, client.address).await?))
}
